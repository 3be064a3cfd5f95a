/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-footprint.h - finds the footprints that can serve a point, the cheapest first: ranges of
 * instructions that the jump to a hook may overwrite
 *
 * Threads: any. If FALSE is returned, @footprint is undefined.
 */
#pragma once

#include "core/dataflow/gilk-liveness.h"
#include "ilk/ilk-abi.h"

G_BEGIN_DECLS

#define GILK_JUMP_BYTES 5
#define GILK_HOP_BYTES  2      /* size in bytes of a hop, the short jump from the point to the
                                * bounce's 5-byte jump */
#define GILK_HOP_RANGE  128    /* displacement of a hop, a short jump: from -128 to 127 bytes */

typedef enum {
  GILK_ROOM_NONE,
  GILK_ROOM_FILLER,           /* the bounce's 5-byte jump is in filler, which the original
                               * code never executes */
  GILK_ROOM_TAIL,          /* the bounce's 5-byte jump is after the jump of a planned splice, in the
                            * bytes that the splice frees */
  GILK_ROOM_GROWN,         /* like GILK_ROOM_TAIL, but the splice must first be extended over more
                            * instructions */
  GILK_ROOM_DEDICATED,          /* like GILK_ROOM_TAIL, but the splice is planned only to free the
                                 * bytes, and is without hooks */
} GilkRoomKind;

/* The location of a bounce's 5-byte jump. */
typedef struct {
  GilkRoomKind kind;
  uint64_t addr;
  guint    patch;          /* for GILK_ROOM_TAIL and _GROWN: index in the plan of the splice after
                            * whose jump the room is */
  guint    first, n;       /* for GILK_ROOM_GROWN and _DEDICATED: first instruction and number of
                            * instructions in the footprint of the splice */
} GilkRoom;

/* A footprint: the whole instructions of one block that a jump overwrites, and maybe filler after
 * them. */
typedef struct {
  guint first, n;
  gboolean returns;        /* the footprint ends with a call, which must return to a hook in the
                            * patch */
  guint tail;              /* number of bytes of filler after the instructions */
  guint tactic;            /* enum ilk_tactic */
  GilkRoom room;           /* for a bounce: location of its 5-byte jump, once found */
} GilkFootprint;

/* All footprints that can serve one point. */
typedef struct {
  GilkFootprint footprints[9];   /* sorted by tactic: splices first, then bounces, then traps */
  guint      n;
  guint      refusal;      /* reason why the point cannot be hooked, if @n is 0; else undefined */
  guint      why_not_splice;
} GilkFootprints;

void     gilk_footprints_pre   (const GilkCfg *cfg, guint block, GilkFootprints *footprints);
/* Finds the footprints for a post-hook. @early: the hook may run just after the block's last call,
 * even if other instructions follow that call. */
void     gilk_footprints_post  (const GilkCfg *cfg, guint block, gboolean early,
                             GilkFootprints *footprints);
/*
 * Finds one footprint for hooks at both the start and the end of the block. Returns FALSE if there
 * is none for @tactic.
 */
gboolean gilk_footprint_whole  (const GilkCfg *cfg, guint block, guint tactic,
                                GilkFootprint *footprint);
/*
 * Extends @footprint, forward for pre-hooks and backward for post-hooks, until it contains an
 * instruction before which none of @flags is live, so that a hook there need not save them. Returns
 * FALSE if that is impossible.
 */
gboolean gilk_footprint_widen  (const GilkCfg *cfg, const GilkLiveness *liveness, guint block,
                             gboolean forward, guint flags, GilkFootprint *footprint);
gboolean gilk_footprint_overlap (const GilkFootprint *a, const GilkFootprint *b);
guint    gilk_footprint_bytes  (const GilkCfg *cfg, const GilkFootprint *footprint);
/* Adds filler to a footprint that ends with @block until a jump fits. Returns FALSE if there is too
 * little filler. */
gboolean gilk_footprint_fill   (const GilkCfg *cfg, guint block, GilkFootprint *footprint);
/* Copies the bytes that the footprint covers. */
void     gilk_footprint_copy   (const GilkCfg *cfg, const GilkFootprint *footprint,
                             uint8_t bytes[ILK_FOOTPRINT_MAX]);
/* Returns whether the @length bytes at @addr overlap the footprint. */
gboolean gilk_footprint_covers (const GilkCfg *cfg, const GilkFootprint *footprint,
                             uint64_t addr, guint length);

G_END_DECLS

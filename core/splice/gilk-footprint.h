/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-footprint.h - footprints that would serve a point, cheapest first
 *
 * Threads: any. Where FALSE is returned @footprint is undefined.
 */
#pragma once

#include "core/dataflow/gilk-liveness.h"
#include "ilk/ilk-abi.h"

G_BEGIN_DECLS

#define GILK_JUMP_BYTES 5
#define GILK_HOP_BYTES  2      /* the jump to a bounce */
#define GILK_HOP_RANGE  128    /* its displacement is -128 to 127 */

typedef enum {
  GILK_ROOM_NONE,
  GILK_ROOM_FILLER,           /* in bytes that nothing runs */
  GILK_ROOM_TAIL,          /* behind the jump of a planned splice */
  GILK_ROOM_GROWN,         /* likewise, once its footprint is longer */
  GILK_ROOM_MADE,          /* behind that of a splice without hooks, for this alone */
} GilkRoomKind;

/* Where the 5-byte jump of a bounce may go. */
typedef struct {
  GilkRoomKind kind;
  uint64_t addr;
  guint    patch;          /* TAIL, GROWN: index of the splice in the plan */
  guint    first, n;       /* GROWN, MADE: instructions of the splice */
} GilkRoom;

/* A footprint: whole instructions of one block, and maybe filler behind its end. */
typedef struct {
  guint first, n;
  gboolean returns;        /* ends with a call that returns to the patch, for a hook behind it */
  guint tail;              /* bytes of filler that nothing runs, behind the instructions */
  guint tactic;            /* enum ilk_tactic */
  GilkRoom room;           /* of a bounce, once the planner found one */
} GilkFootprint;

/* All footprints that would do for one point. */
typedef struct {
  GilkFootprint footprints[9];   /* splices, then bounces, then traps */
  guint      n;
  guint      refusal;      /* why nothing will do; of interest if n is 0 */
  guint      why_not_splice;
} GilkFootprints;

void     gilk_footprints_pre   (const GilkCfg *cfg, guint block, GilkFootprints *footprints);
/* @early: the hook may run right behind the last call, although more would follow. */
void     gilk_footprints_post  (const GilkCfg *cfg, guint block, gboolean early,
                             GilkFootprints *footprints);
/* One footprint for both edges of the block; FALSE if there is none for this tactic. */
gboolean gilk_footprint_whole  (const GilkCfg *cfg, guint block, guint tactic,
                                GilkFootprint *footprint);
/*
 * Lengthens @footprint, pre-hooks' forward and post-hooks' backward, until it holds an
 * instruction before which none of @flags is live; FALSE if that cannot be.
 */
gboolean gilk_footprint_widen  (const GilkCfg *cfg, const GilkLiveness *liveness, guint block,
                             gboolean forward, guint flags, GilkFootprint *footprint);
gboolean gilk_footprint_overlap (const GilkFootprint *a, const GilkFootprint *b);
guint    gilk_footprint_bytes  (const GilkCfg *cfg, const GilkFootprint *footprint);
/* Lengthens a footprint that ends with @block by filler until a jump fits; FALSE if none does. */
gboolean gilk_footprint_fill   (const GilkCfg *cfg, guint block, GilkFootprint *footprint);
/* The bytes it stands on. */
void     gilk_footprint_copy   (const GilkCfg *cfg, const GilkFootprint *footprint,
                             uint8_t bytes[ILK_FOOTPRINT_MAX]);
/* Do the @length bytes at @addr have any of the footprint's? */
gboolean gilk_footprint_covers (const GilkCfg *cfg, const GilkFootprint *footprint,
                             uint64_t addr, guint length);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-patch-listing.h - lists the code around a patch, before and after arming, for display
 *
 * Lists the kernel's text at the site now, the text with the hook armed, and the patch that the
 * jump leads to, one instruction per line with its purpose. Pure: nothing is reserved or armed, so
 * addresses of the slot and counters may be mock ones.
 *
 * Threads: only the plan's thread; a listing is immutable. Nothing is returned on failure.
 */
#pragma once

#include "core/emit/gilk-emit.h"

G_BEGIN_DECLS

typedef enum {
  GILK_PATCH_LINE_AROUND,      /* unchanged text */
  GILK_PATCH_LINE_FOOTPRINT,   /* original instruction that is relocated into the patch */
  GILK_PATCH_LINE_JUMP,        /* instruction that leads to the patch: a jump, the short jump (hop)
                                * of a bounce, or int3 */
  GILK_PATCH_LINE_FILLER,      /* the rest of the footprint after the jump, which never runs */
  GILK_PATCH_LINE_HOOK,
  GILK_PATCH_LINE_MOVED,       /* relocated instruction of the footprint */
  GILK_PATCH_LINE_BACK,        /* jump back into the text */
  GILK_PATCH_LINE_RARE,        /* rarely executed code at the end of the patch, which handles a full
                                * ring and recursion */
} GilkPatchLineKind;

typedef struct {
  uint64_t addr;
  uint8_t  bytes[ILK_FOOTPRINT_MAX];
  guint    length;             /* number of bytes of the instruction */
  char    *text;               /* AT&T syntax, with branch and call targets by name */
  GilkPatchLineKind kind;
} GilkPatchLine;

typedef struct {
  GArray  *before, *after, *patch;   /* GilkPatchLine */
  GArray  *bounce;             /* for a bounce: the 5-byte jump to which its short jump leads;
                                * otherwise empty */
  uint64_t site, slot;
  guint    footprint;          /* bytes */
  guint    tactic;             /* enum ilk_tactic */
  guint    cost;               /* number of instructions added per hit */
} GilkPatchListing;

/*
 * Returns the name of byte @offset in memory area @area of the program of hook @want:
 * "by_pid+0x10". (transfer full) (nullable)
 */
typedef char *(*GilkAreaName) (guint want, guint area, guint offset, gpointer data);

/**
 * gilk_patch_listing_new:
 * @patch: a splice, bounce or trap of @plan; clones cannot be listed
 * @slot: address at which the patch runs; 0: any within range
 * @bindings: one binding for each requested hook; if NULL, bindings of a mock driver are used
 * @name: (nullable): returns names of a program's maps, if bindings are mock ones
 * Returns NULL only because of a bug in Gilk.
 */
GilkPatchListing *gilk_patch_listing_new  (const GilkSplicePlan *plan, guint patch, GilkDecoder *decoder,
                                           uint64_t slot, const GilkBinding *bindings, GilkAreaName name,
                                           gpointer data, GError **error);
void              gilk_patch_listing_free (GilkPatchListing *listing);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkPatchListing, gilk_patch_listing_free)

G_END_DECLS

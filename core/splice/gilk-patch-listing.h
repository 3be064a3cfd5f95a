/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-patch-listing.h - the code around a patch, before and after, as lines to be shown
 *
 * What is in the kernel's text at the site now, what would be there with the hook, and
 * the patch that the jump leads to, an instruction a line with what it is there for.
 * Pure: nothing is reserved or armed, so addresses of slot and counter may be made up.
 *
 * Threads: that of the plan; a listing is immutable. On failure there is none.
 */
#pragma once

#include "core/emit/gilk-emit.h"

G_BEGIN_DECLS

typedef enum {
  GILK_PATCH_LINE_AROUND,      /* text that is left as it is */
  GILK_PATCH_LINE_FOOTPRINT,   /* original instruction that moves into the patch */
  GILK_PATCH_LINE_JUMP,        /* what leads to the patch: jump, hop or int3 */
  GILK_PATCH_LINE_FILLER,      /* what is left of the footprint; nothing runs it */
  GILK_PATCH_LINE_HOOK,
  GILK_PATCH_LINE_MOVED,       /* an instruction of the footprint, here */
  GILK_PATCH_LINE_BACK,        /* the way back into the text */
  GILK_PATCH_LINE_RARE,        /* out of line: ring full, re-entry */
} GilkPatchLineKind;

typedef struct {
  uint64_t addr;
  uint8_t  bytes[ILK_FOOTPRINT_MAX];
  guint    length;             /* of the bytes */
  char    *text;               /* AT&T, branch and call targets by name */
  GilkPatchLineKind kind;
} GilkPatchLine;

typedef struct {
  GArray  *before, *after, *patch;   /* GilkPatchLine */
  GArray  *bounce;             /* of a bounce: the jump that the hop leads to; else empty */
  uint64_t site, slot;
  guint    footprint;          /* bytes */
  guint    tactic;             /* enum ilk_tactic */
  guint    cost;               /* instructions added per pass */
} GilkPatchListing;

/* What lies at byte @offset of area @area of the program of want @want: "by_pid+0x10". (transfer full) (nullable) */
typedef char *(*GilkAreaName) (guint want, guint area, guint offset, gpointer data);

/**
 * gilk_patch_listing_new:
 * @patch: a splice, bounce or trap of @plan; a clone is no patch that one could list
 * @slot: where it is to run; 0: somewhere within range
 * @bindings: one per want; NULL: made up
 * @name: (nullable): of what programs keep, where bindings are made up
 * NULL only by a mistake of ours.
 */
GilkPatchListing *gilk_patch_listing_new  (const GilkSplicePlan *plan, guint patch, GilkDecoder *decoder,
                                           uint64_t slot, const GilkBinding *bindings, GilkAreaName name,
                                           gpointer data, GError **error);
void              gilk_patch_listing_free (GilkPatchListing *listing);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkPatchListing, gilk_patch_listing_free)

G_END_DECLS

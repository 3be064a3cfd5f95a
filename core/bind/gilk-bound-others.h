/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-bound-others.h - finds hooks that other clients of the driver have in a function
 *
 * While a function runs as a clone, new calls do not enter the original. So a function must not
 * have a clone and hooks in the original at the same time, even if they belong to different
 * clients.
 *
 * Threads: any; blocks on the target.
 */
#pragma once

#include "core/cfg/gilk-point.h"
#include "core/link/gilk-target.h"

G_BEGIN_DECLS

typedef enum {
  GILK_OTHERS_NONE,
  GILK_OTHERS_HOOKS,            /* hooks in the original function, live or scheduled */
  GILK_OTHERS_CLONE,
} GilkOthers;

/**
 * gilk_bound_others_new:
 * @n_own: (out) (optional): number of patches that this client has
 * Returns: (transfer full) (element-type struct ilk_patch_status): other clients' patches, live or
 *   scheduled; empty without a driver, NULL if the target fails
 */
GArray    *gilk_bound_others_new (GilkTarget *target, guint *n_own, GCancellable *cancellable, GError **error);
GilkOthers gilk_bound_others_in_function  (const GArray *others, const GilkFunction *function);
/* Returns another client's patch that has bytes in [@start, @end); NULL: none. */
const struct ilk_patch_status *gilk_bound_others_in_range (const GArray *others, uint64_t start, uint64_t end);
/* Returns another client's patch with a hook at the point (@block, @where), or another client's
 * clone of the function; NULL: none. */
const struct ilk_patch_status *gilk_bound_others_at_point  (const GArray *others, const GilkCfg *cfg, guint block,
                                                            GilkWhere where);

G_END_DECLS

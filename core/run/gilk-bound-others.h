/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-bound-others.h - hooks that other clients of the driver have in a function
 *
 * While a function runs as a clone its original is run by nobody new, so that hooks
 * in the original and a clone of it, even of two clients, must not be live together.
 *
 * Threads: any; blocks on the target.
 */
#pragma once

#include "core/cfg/gilk-cfg.h"
#include "core/target/gilk-target.h"

G_BEGIN_DECLS

typedef enum {
  GILK_OTHERS_NONE,
  GILK_OTHERS_HOOKS,            /* in the original, live or scheduled */
  GILK_OTHERS_CLONE,
} GilkOthers;

/**
 * gilk_bound_others_new:
 * Returns: (transfer full) (element-type struct ilk_patch_status): what is not this
 *   client's; empty without a driver, NULL if the target fails
 */
GArray    *gilk_bound_others_new (GilkTarget *target, GCancellable *cancellable, GError **error);
GilkOthers gilk_bound_others_in  (const GArray *others, const GilkFunction *function);

G_END_DECLS

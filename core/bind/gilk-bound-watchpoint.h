/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-bound-watchpoint.h - resolves watchpoint expressions in one live kernel
 *
 * Threads: as gilk-bound-plan.h.
 */
#pragma once

#include "core/bind/gilk-bound-plan.h"

G_BEGIN_DECLS

/* Finds the address and size of @hook's watchpoint, and loads the driver unless @readonly is set. Sets
 * @hook->watch, or the hook's error. @image: must have a target, otherwise it is an error */
void gilk_bound_watchpoint_bind   (GilkBoundHook *hook, GilkFunctions *functions, GilkImage *image, GilkDecoder *decoder,
                                   gboolean readonly, GCancellable *cancellable);
/* Refuses watchpoints beyond the number of debug registers. */
void gilk_bound_watchpoints_check_count (GilkBoundPlan *bound);
/* Returns TRUE if both watch the same data with the same access and schedule. */
gboolean gilk_bound_watchpoint_is_same (const GilkBoundHook *a, const GilkBoundHook *b);
/* Returns TRUE for a per-CPU variable. */
gboolean gilk_watchpoint_is_per_cpu (GilkSymbols *symbols, const GilkSymbol *symbol);
/* Does the same for the variable in a watchpoint expression. FALSE for unknown
 * variables as well. */
gboolean gilk_watchpoint_needs_cpu  (GilkImage *image, const char *what);
/* Returns the type of a watchpoint expression. @type: (out): its id in the returned types. NULL:
 * unknown variable or type. (transfer full); may block */
GilkBtf *gilk_watchpoint_type       (GilkImage *image, const char *what, guint *type, GCancellable *cancellable);
/* Describes the samples of watchpoints, like an instrument. */
void gilk_watchpoint_desc         (struct ilk_instrument_desc *desc);

G_END_DECLS

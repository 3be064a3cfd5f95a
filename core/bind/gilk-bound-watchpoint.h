/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-bound-watchpoint.h - resolves watchpoint expressions in one live kernel
 *
 * Threads: as in gilk-bound-plan.h.
 */
#pragma once

#include "core/bind/gilk-bound-plan.h"

G_BEGIN_DECLS

/*
 * Finds the address and size of @hook's watchpoint, and stores them in @hook->watch. On failure
 * sets the hook's error. It is also an error if @image is not of a running kernel, or if the plan
 * uses the driver and not BPF.
 */
void gilk_bound_watchpoint_bind   (GilkBoundHook *hook, GilkFunctions *functions, GilkImage *image, GilkDecoder *decoder,
                                   gboolean by_bpf, GCancellable *cancellable);
/* Refuses the last watchpoints of the plan if there are more watchpoints than debug registers. */
void gilk_bound_watchpoints_check_count (GilkBoundPlan *bound);
/* Returns TRUE if both hooks watch the same data with the same access, schedule and program. */
gboolean gilk_bound_watchpoint_is_same (const GilkBoundHook *a, const GilkBoundHook *b);
gboolean gilk_watchpoint_is_per_cpu (GilkSymbols *symbols, const GilkSymbol *symbol);
/* Returns TRUE if the variable of watchpoint expression @what is per-CPU; FALSE for unknown
 * variables as well. */
gboolean gilk_watchpoint_needs_cpu  (GilkImage *image, const char *what);
/* Returns the BTF with the type of watchpoint expression @what; NULL: unknown variable or type.
 * @type: (out): id of that type. May block. (transfer full) */
GilkBtf *gilk_watchpoint_type       (GilkImage *image, const char *what, guint *type, GCancellable *cancellable);
/* Returns the program that records each access of a watchpoint without a program of its own. Its samples
 * are struct gilk_watch_sample. */
const char *gilk_watchpoint_code    (void);
/* Sets @desc to an instrument descriptor for watchpoints, which describes their samples. */
void gilk_watchpoint_desc         (struct ilk_instrument_desc *desc);

G_END_DECLS

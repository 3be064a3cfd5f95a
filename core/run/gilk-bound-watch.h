/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-bound-watch.h - what a watch names, found in one live kernel
 *
 * Threads: as gilk-bound-plan.h.
 */
#pragma once

#include "core/run/gilk-bound-plan.h"

G_BEGIN_DECLS

/* Finds what @hook's watch names, of how many bytes it is, and loads the driver unless it @looks only. Sets @hook->watch, or its error.
 * @image: with the target; without one it is an error */
void gilk_bound_watch_bind   (GilkBoundHook *hook, GilkFunctions *functions, GilkImage *image, GilkDecoder *decoder,
                              gboolean looks, GCancellable *cancellable);
/* More of them than a processor has registers are errors of those behind. */
void gilk_bound_watches_join (GilkBoundPlan *bound);
/* Do both watch the same, in the same way and at the same times? */
gboolean gilk_bound_watch_is_same (const GilkBoundHook *a, const GilkBoundHook *b);
/* Of a variable: does each processor have its own? */
gboolean gilk_watch_is_per_cpu (GilkSymbols *symbols, const GilkSymbol *symbol);
/* The same of what a watch names; FALSE too where there is no such variable. */
gboolean gilk_watch_wants_cpu  (GilkImage *image, const char *what);
/* Types of what a watch names, and its own. NULL: it is not there, or nobody tells. (transfer full); may block */
GilkBtf *gilk_watch_type       (GilkImage *image, const char *what, guint *type, GCancellable *cancellable);
/* The name and fields of their samples, as an instrument's. */
void gilk_watch_desc         (struct ilk_instrument_desc *desc);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-history.h - keeps the history of a run's figures in constant memory: hits per hook and
 * CPU, losses
 *
 * Time is divided into at most GILK_HISTORY_SLICES slices of equal length; when all are in use,
 * pairs of slices are merged. The growth between two sets of figures is spread evenly over the time
 * between them. At most GILK_HISTORY_HOOKS hooks have a history of their own: at first the hooks
 * that are hit first. Later, a hook with more than twice the hits of the least busy of these hooks
 * replaces that hook. The total includes all hooks.
 *
 * Threads: one at a time. No function fails.
 */
#pragma once

#include "core/run/gilk-run.h"

G_BEGIN_DECLS

#define GILK_HISTORY_SLICES 240
#define GILK_HISTORY_HOOKS  256

typedef struct _GilkRunHistory GilkRunHistory;

GilkRunHistory *gilk_run_history_new  (void);
void            gilk_run_history_free (GilkRunHistory *history);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkRunHistory, gilk_run_history_free)

/* Clears the history. Must be called before a new run. */
void gilk_run_history_clear (GilkRunHistory *history);
/* Adds figures to the history. Ignores figures that are not later than the previous ones. */
void gilk_run_history_add   (GilkRunHistory *history, const GilkRunFigures *figures);

/* Gives each of @hooks a history of its own that no busier hook can replace. The hooks of the
 * previous call lose this protection. */
void     gilk_run_history_pin   (GilkRunHistory *history, const guint *hooks, guint n);

/* gilk_run_history_n() returns the number of slices, gilk_run_history_n_full() the number of full
 * slices. The last slice may still grow; if there is only one slice, it counts as full. */
guint    gilk_run_history_n      (const GilkRunHistory *history);
guint    gilk_run_history_n_full (const GilkRunHistory *history);
/* Returns the length of a slice, in seconds. */
double   gilk_run_history_length (const GilkRunHistory *history);
double   gilk_run_history_end    (const GilkRunHistory *history);       /* returns the time of the
                                                                         * last figures, in
                                                                         * seconds */
guint    gilk_run_history_n_cpus (const GilkRunHistory *history);
/* Returns hits per second in a slice; NaN: the slice has no figures, or the hook had no history at
 * that time. @hook: G_MAXUINT for all hooks together */
double   gilk_run_history_rate     (const GilkRunHistory *history, guint slice, guint hook);
double   gilk_run_history_cpu_rate (const GilkRunHistory *history, guint slice, guint cpu);
double   gilk_run_history_cpu_lost (const GilkRunHistory *history, guint slice, guint cpu);      /* per second */
uint64_t gilk_run_history_cpu_lost_all (const GilkRunHistory *history, guint cpu);
uint64_t gilk_run_history_lost     (const GilkRunHistory *history, guint slice);
/* Returns the highest fill level of the fullest ring in a slice, 0 to 1. */
double   gilk_run_history_fill     (const GilkRunHistory *history, guint slice);
/* Returns the indices, in ascending order, of the @n hooks with the most hits so far. Hooks without
 * hits are left out, so there may be fewer. (transfer full) (element-type guint) */
GArray  *gilk_run_history_busiest  (const GilkRunHistory *history, guint n);

G_END_DECLS

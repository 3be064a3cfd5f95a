/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-history.h - how the figures of a run went, in constant memory: hits of hooks and of processors, what was lost
 *
 * Time is cut into at most GILK_HISTORY_SLICES slices of equal length; when they are full, each two become one. What came
 * between two figures is spread evenly over the time between. Of however many hooks there are, GILK_HISTORY_HOOKS are kept each:
 * the first that were hit, but one that becomes busier than they takes the place of the least. Of the others their sum is.
 *
 * Threads: one at a time. Nothing fails.
 */
#pragma once

#include "core/run/gilk-run.h"

G_BEGIN_DECLS

#define GILK_HISTORY_SLICES 240
#define GILK_HISTORY_HOOKS  256

typedef struct _GilkRunHistory GilkRunHistory;

GilkRunHistory *gilk_run_history_new   (void);
void            gilk_run_history_free  (GilkRunHistory *history);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkRunHistory, gilk_run_history_free)

/* A run begins: nothing is known. */
void     gilk_run_history_clear  (GilkRunHistory *history);
/* Figures that are not of a later moment than the last are left out. */
void     gilk_run_history_add    (GilkRunHistory *history, const GilkRunFigures *figures);

/* These are kept from now on, whatever they do, instead of those of before. */
void     gilk_run_history_keep   (GilkRunHistory *history, const guint *hooks, guint n);

guint    gilk_run_history_n      (const GilkRunHistory *history);        /* slices; the last may still grow */
guint    gilk_run_history_n_whole (const GilkRunHistory *history);       /* that do not; of one alone, it */
double   gilk_run_history_length (const GilkRunHistory *history);        /* of one, seconds; the first is from 0 on */
double   gilk_run_history_end    (const GilkRunHistory *history);        /* seconds; of the last figures */
guint    gilk_run_history_n_cpus (const GilkRunHistory *history);
/* Hits a second in a slice; NaN: no figures fell into it, or that hook was not kept then. @hook: G_MAXUINT for all together */
double   gilk_run_history_rate     (const GilkRunHistory *history, guint slice, guint hook);
double   gilk_run_history_cpu_rate (const GilkRunHistory *history, guint slice, guint cpu);
double   gilk_run_history_cpu_lost (const GilkRunHistory *history, guint slice, guint cpu);      /* a second */
uint64_t gilk_run_history_cpu_lost_all (const GilkRunHistory *history, guint cpu);
uint64_t gilk_run_history_lost     (const GilkRunHistory *history, guint slice);
/* How full the fullest ring was at most, 0 to 1. */
double   gilk_run_history_fill     (const GilkRunHistory *history, guint slice);
/* Which hooks had most hits so far, at most @n of those that were hit; ascending. (transfer full) (element-type guint) */
GArray  *gilk_run_history_busiest  (const GilkRunHistory *history, guint n);

G_END_DECLS

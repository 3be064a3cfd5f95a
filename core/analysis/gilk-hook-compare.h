/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hook-compare.h - two hooks, or a hook in two runs or sets of runs, against each other: exact of however many
 * samples
 *
 * One run a side is all that is known of its side: intervals then hold within these two runs, whose samples are taken
 * for as dependent as they are, and there is no p. With more, a run is an observation.
 *
 * Threads: that of the stores.
 */
#pragma once

#include "core/analysis/gilk-compare.h"
#include "core/analysis/gilk-hook-sweep.h"

G_BEGIN_DECLS

typedef struct {
  const GilkHookSide *list;
  guint               n;      /* at least one */
} GilkHookRuns;

typedef struct {
  guint           runs[2];
  uint64_t        n[2], cut[2], lost[2];
  double          mean[2];    /* of all values, or of the runs' means */
  double          loss;       /* by how much the distance may be off for what was lost */
  GilkCompared    found;      /* with more than two runs, quantiles are means of the runs', and ks is NaN */
  GilkInterval    delta;      /* found.delta with its interval, of one run a side; NaN where values do not support it */
  double          independent[2];   /* with one run a side: so many independent values are worth as much, by the median;
                                     * NaN where that is not known */
  double          p, p_least; /* with more than two runs: exact, of all ways to deal them out; else NaN */
  gpointer        owner;      /* that has found */
  GDestroyNotify  free_owner;
} GilkHookCompared;

void     gilk_hook_compared_clear (GilkHookCompared *compared);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GilkHookCompared, gilk_hook_compared_clear)

/**
 * gilk_hook_compare:
 * @sides: A and B, of fields that can be compared
 * @at: which quantiles; @n_at of them, with intervals of 95 %
 * Without a value in some run found.a is NULL, and all but n, cut and lost is nothing. On failure
 * @compared is untouched.
 */
gboolean gilk_hook_compare        (const GilkHookRuns sides[2], const double *at, guint n_at,
                                   GilkHookCompared *compared, GError **error);

/* Romano and others' words for how great Cliff's delta is (2006): "negligible", "small", ..., to be translated. */
const char *gilk_delta_word       (double delta);

G_END_DECLS

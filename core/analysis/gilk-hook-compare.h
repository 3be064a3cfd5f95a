/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hook-compare.h - two hooks, or a hook in two runs, against each other: exact of however many samples
 *
 * Threads: that of the stores.
 */
#pragma once

#include "core/analysis/gilk-compare.h"
#include "core/analysis/gilk-hook-sweep.h"

G_BEGIN_DECLS

typedef struct {
  uint64_t        n[2], cut[2], lost[2];
  double          mean[2];
  double          loss;       /* by how much ks.d may be off for what was lost */
  GilkCompared    found;      /* ks.p: NaN if loss alone may make as great a distance */
  GilkComparison *comparison; /* that has them */
} GilkHookCompared;

void     gilk_hook_compared_clear (GilkHookCompared *compared);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GilkHookCompared, gilk_hook_compared_clear)

/**
 * gilk_hook_compare:
 * @sides: A and B, of fields that can be compared
 * @at: which quantiles; @n_at of them. Their intervals hold 95 of 100 replicates
 * Without a value on either side found.a is NULL, and all but n, cut and lost is nothing. On failure
 * @compared is untouched.
 */
gboolean gilk_hook_compare        (const GilkHookSide sides[2], const double *at, guint n_at,
                                   GilkHookCompared *compared, GError **error);

/* Romano and others' words for how great Cliff's delta is (2006): "negligible", "small", ..., to be translated. */
const char *gilk_delta_word       (double delta);

G_END_DECLS

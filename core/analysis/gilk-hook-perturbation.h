/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hook-perturbation.h - what the switched hooks of a run do to what another one sees, or to a number
 * of the workload's own
 *
 * An outcome of each block, on and off in pairs. Left out are pairs of which a block was cut off by the run's end, began
 * before the last jump was in the text (until then hooks are traps), holds a loss of the hook
 * that is looked at, or has no value; and where the driver's timer was so late that a block has not half the
 * median length.
 *
 * Threads: that of the store.
 */
#pragma once

#include "core/analysis/gilk-gaps.h"
#include "core/analysis/gilk-perturbation.h"
#include "core/store/gilk-store.h"

G_BEGIN_DECLS

typedef struct {
  guint            blocks;            /* there were */
  guint            left_out;          /* pairs */
  double           period;            /* seconds: of the median block */
  GilkPerturbation found;
} GilkHookPerturbation;

#define GILK_PERTURBATION_LEVEL 0.95

/* Of the hooks of a run (GilkStoredHook), the one that stayed on and has most samples. (transfer none)
 * (nullable) */
const GilkStoredHook *gilk_perturbation_witness (const GArray *hooks);

/**
 * gilk_hook_perturbation:
 * @hook: a witness: one that stays on
 * @field: of numbers, or "interval": its mean in a block; NULL: hits a second
 * @gaps: of the hook
 * Fails where hooks were not switched, and with too few pairs.
 */
gboolean gilk_hook_perturbation    (GilkStore *store, const GilkStoredHook *hook, const char *field,
                                    const GArray *gaps, GilkHookPerturbation *out, GError **error);
/* The same of @n values at @times, seconds since the run's time zero, in any order. */
gboolean gilk_outcome_perturbation (GilkStore *store, gint64 run, const double *times, const double *values,
                                    gsize n, GilkHookPerturbation *out, GError **error);

G_END_DECLS

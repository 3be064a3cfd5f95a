/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-metrics.h - makes the metrics of a run for Prometheus
 *
 *   gilk_hook_hits_total, _samples_stored_total, _samples_lost_total, _dropped_total   of each hook
 *   gilk_hooks, gilk_hooks_live, gilk_run_seconds, gilk_session_bytes                  of the run
 *   gilk_ring_bytes, _used_bytes, _used_most_bytes                                     of the fullest ring
 *   gilk_interval_seconds, gilk_field_value                                            histograms, of a session
 *
 * Threads: only the thread that uses the run's plan, or the store.
 */
#pragma once

#include "core/metrics/gilk-exposition.h"
#include "core/run/gilk-run.h"

G_BEGIN_DECLS

/* Returns the metrics of a run in progress. (transfer full) */
char *gilk_metrics_of_run (const GilkRunFigures *figures, const GilkBoundPlan *plan);

/**
 * gilk_metrics_of_session:
 * @field: a numeric field, or "interval"; each hook that has the field gets a histogram, with the
 * same buckets in each run: powers of ten, times 1, 2 and 5
 * (transfer full)
 */
char *gilk_metrics_of_session (GilkStore *store, const GilkStoredRun *run, const GArray *hooks, const char *field,
                               GError **error);

G_END_DECLS

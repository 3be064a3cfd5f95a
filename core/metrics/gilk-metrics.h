/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-metrics.h - makes the metrics of a run, in Prometheus' text format
 *
 *   gilk_hook_hits_total, _samples_stored_total, _samples_lost_total, _dropped_total   of each hook
 *   gilk_hooks, gilk_hooks_live, gilk_run_seconds, gilk_session_bytes                  of the run
 *   gilk_ring_bytes, _used_bytes, _used_most_bytes                                     of the fullest ring
 *   gilk_interval_seconds, gilk_field_value                                            histograms, of a session
 *
 * Threads: only the thread that uses the run's plan, or the store.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

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

/*
 * Writes metrics in Prometheus' text format, version 0.0.4.
 *
 * A metric family is declared once, followed by all its samples. Names are fixed by Gilk; texts
 * from sessions are only in labels, escaped.
 *
 * Threads: one thread at a time.
 */

#define GILK_EXPOSITION_TYPE "text/plain; version=0.0.4; charset=utf-8"

typedef struct _GilkExposition GilkExposition;

typedef struct { const char *name, *value; } GilkLabel;

GilkExposition *gilk_exposition_new    (void);
void            gilk_exposition_free   (GilkExposition *exposition);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkExposition, gilk_exposition_free)

/* Declares a metric family. @type: "counter", "gauge" or "histogram" */
void            gilk_exposition_family (GilkExposition *exposition, const char *name, const char *type,
                                        const char *help);
/* Add a sample to the last declared family. @suffix: appended to the family's name, usually "";
 * @labels: terminated by a label without a name */
void            gilk_exposition_uint   (GilkExposition *exposition, const char *suffix, const GilkLabel *labels,
                                        uint64_t value);
void            gilk_exposition_double (GilkExposition *exposition, const char *suffix, const GilkLabel *labels,
                                        double value);
/* Returns the text so far. (transfer none) */
const char     *gilk_exposition_text   (const GilkExposition *exposition);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hook-samples.h - summarises one hook's samples: columns of pixels, hits, distributions from
 * sketches, samples by a field, durations of calls
 */
#pragma once

#include <glib.h>

#include "core/analysis/gilk-hook-stream.h"
#include "core/pack/gilk-sketch.h"
#include "core/stats/gilk-span.h"
#include "core/store/gilk-store.h"

G_BEGIN_DECLS

/*
 * A hook's samples reduced to columns of pixels
 *
 * The cost depends on the number of columns: where thousands of samples fall within two columns,
 * the stored summary of these samples, their tile, is read instead (gilk-samples-tiles.h).
 *
 * Threads: only the store's thread.
 */

/* Minimum, maximum, last value and number of a column's values; n is 0 if the column is empty. */
typedef struct { double min, max, last; guint n; } GilkColumn;

/**
 * gilk_hook_columns:
 * @field: a numeric field, or "time"
 * @from, @to: seconds since time zero
 * @columns: (out): array of @n_columns
 * Reduces the hook's samples to columns, one for each part of the time range. A tile (the stored
 * summary of many samples) on the border of two columns adds its extrema to both, and its count to
 * one. If a column is made of tiles alone, its last value is the middle of the last tile's range.
 */
gboolean gilk_hook_columns (GilkStore *store, const GilkStoredHook *hook, const char *field,
                            double from, double to, GilkColumn *columns, guint n_columns,
                            GError **error);

/*
 * The values of a figure: a field of the samples, or a value derived from them
 *
 * Names of derived values are used like names of fields: on command lines, in stored selections and
 * in conditions. A field's name is [a-z_][a-z0-9_]*; "time" and "interval" hide fields of these
 * names, and names of further derived values must not be valid names of fields.
 *
 * Threads: any thread.
 */

#define GILK_TIME     "time"            /* time of the sample */
#define GILK_INTERVAL "interval"        /* time since the previous sample */
#define GILK_ELAPSED  "call-time"       /* duration of a call, from its two samples (gilk-hook-elapsed.h) */

typedef enum { GILK_FIELD_OWN, GILK_FIELD_TIME, GILK_FIELD_INTERVAL, GILK_FIELD_ELAPSED } GilkFieldKind;

/* Returns GILK_FIELD_OWN for a field of the samples, and for NULL, which means hits. Values of all
 * other kinds are in seconds. */
GilkFieldKind gilk_field_kind        (const char *field);
/* Returns the field's name in titles, such as "time between hits"; the name of a sample's field is
 * unchanged. NULL if @field is NULL. (nullable) */
const char   *gilk_field_name        (const char *field);
/* Returns TRUE if the field is a duration, from which the cost of hits can be subtracted. */
gboolean      gilk_field_is_duration (const char *field);

/*
 * Number of a hook's hits in part of its run
 *
 * Threads: only the store's thread. Stops soon after the store's cancellable is cancelled.
 */

/* States which hits of a hook to count. */
typedef struct {
  double      from, to;           /* range of time in seconds; NaN: the whole run */
  const char *condition;          /* condition on the samples, as in gilk_samples_add_condition();
                                   * nullable */
} GilkHitsAsk;

/**
 * gilk_hook_hits:
 * @hits: (out): for a hook with samples, the number of stored samples, because the times of lost
 *   samples are unknown. For a hook that only counts, interpolated linearly between counter
 *   readings
 * @known: (out): FALSE if the hook has neither samples nor readings, or if there is a condition and
 *   the hook only counts
 * Counts the hits that @ask selects.
 */
gboolean gilk_hook_hits (GilkStore *store, const GilkStoredHook *hook, const GilkHitsAsk *ask, uint64_t *hits, gboolean *known,
                         GError **error);

/*
 * Distribution of a hook's numbers, from stored sketches (summaries of distributions), without
 * reading the numbers
 *
 * Threads: only the store's thread.
 */

/* Returns the distribution of the numbers that @ask selects, from stored sketches. Returns NULL
 * without an error if sketches of these numbers are missing, or if the samples are so few that
 * reading them is as fast. (transfer full) */
GilkSketch *gilk_hook_sketch (GilkStore *store, const GilkStoredHook *hook, const GilkHookAsk *ask, GError **error);

/*
 * A hook's samples by process, CPU or any field
 *
 * Threads: only the store's thread.
 */

typedef struct {
  char    *name;            /* "comm sed" */
  char    *condition;       /* condition that selects the samples of this value, as in
                             * gilk_samples_add_condition() */
  uint64_t samples;
} GilkSplit;

/**
 * gilk_hook_split:
 * @field: any field of the hook's samples, or "cpu"
 * @condition: (nullable): filter on the samples; it is part of each condition in the result
 * @most: maximum number of values; the values with the most samples are chosen
 * @left: (out): number of samples of the other values
 * Splits the hook's samples by the value of @field. (transfer full) (element-type GilkSplit): most
 * samples first
 */
GArray *gilk_hook_split (GilkStore *store, const GilkStoredHook *hook, const char *field,
                         const char *condition, guint most, uint64_t *left, GError **error);

/*
 * Durations of a function's calls, for any number of span samples (samples at entries and exits)
 *
 * Exact. Needs the memory of a sweep (gilk-hook-numbers.h) and of the calls in progress
 * (gilk-span.h).
 *
 * Threads: only the store's thread. Returns soon after the store's cancellable is cancelled.
 */

typedef struct {
  GilkSpanCounts counts;
  uint64_t lost;                              /* total number of samples that the function's hooks
                                               * lost */
  uint64_t min, median, p90, p99, max;        /* durations of calls, ns; 0 without calls */
} GilkHookSpans;

/**
 * gilk_hook_spans:
 * @hooks: hooks of one function and one run whose samples have a frame: "pre" hooks mark entries,
 *   "post" hooks exits; at least one
 * @subtract_cost: subtract the measured cost of a hit; fails if it was not measured
 * Computes statistics of the durations of the function's calls. The p-th percentile is the smallest
 * duration that at least p % of the calls do not exceed. On failure @spans is untouched.
 */
gboolean gilk_hook_spans (GilkStore *store, const GilkStoredHook *hooks, guint n_hooks, gboolean subtract_cost,
                          GilkHookSpans *spans, GError **error);

G_END_DECLS

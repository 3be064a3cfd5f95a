/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-stop-condition.h - parses the stop conditions of a run, and evaluates them
 *
 *   samples >= 1000000             samples of all hooks; of hook writer: samples writer >= 1000
 *   hits writer >= 500             hits of hook writer; without a label: of all hooks
 *   size >= 100M                   size of the session file
 *   lost > 1%                      share of lost samples; or their number: lost > 100
 *   p99 writer.elapsed > 2ms       a quantile (also min, median and max) of a field of a hook's
 *                                  samples; optionally with a minimum number of samples:
 *                                  p99 writer.elapsed > 2ms after 5000
 *
 * Conditions are separated by ";": the first condition that holds ends the run. A condition on a
 * share or quantile is evaluated once ten samples are expected to be beyond its bound (p99: after
 * 1000 samples), unless the condition states a minimum number of samples.
 *
 * Threads: any. On failure outputs are untouched.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

typedef enum {
  GILK_STOP_SAMPLES,
  GILK_STOP_HITS,
  GILK_STOP_SIZE,
  GILK_STOP_LOST,             /* number of lost samples */
  GILK_STOP_LOST_SHARE,
  GILK_STOP_QUANTILE,
} GilkStopQuantity;

typedef struct {
  GilkStopQuantity of;
  char    *hook;               /* the hook's label; NULL: all hooks */
  char    *field;              /* field whose quantile is compared */
  double   p;                  /* which quantile, from 0 (minimum) to 1 (maximum) */
  /* @below: the condition holds for values below @number, and not for those above; @equal: it holds
   * for @number itself as well */
  gboolean below, equal;
  char    *number;             /* the bound as written in the condition, with its unit */
  uint64_t min_samples;        /* minimum number of samples, as written; 0: not given */
} GilkStopCondition;

/* Parses conditions; "" contains none. (transfer full) (element-type GilkStopCondition) */
GPtrArray *gilk_stop_conditions_parse     (const char *text, GError **error);
/* Returns the canonical text of the conditions; NULL: there are none. (transfer full) (nullable) */
char      *gilk_stop_conditions_to_text   (const GPtrArray *limits);
char      *gilk_stop_condition_to_text    (const GilkStopCondition *limit);
/* Parses @text and sets @tidy to the canonical text. @text: "" and NULL mean no conditions */
gboolean   gilk_stop_conditions_normalize (const char *text, char **tidy, GError **error);

/* Computes @bound, the number that values are compared with. @unit: unit of a quantile's field, in
 * which @bound is given */
gboolean gilk_stop_condition_threshold    (const GilkStopCondition *limit, const char *unit, double *bound, GError **error);
/* Returns TRUE if the condition holds. @n: number of samples that @value was computed from */
gboolean gilk_stop_condition_holds        (const GilkStopCondition *limit, double bound, double value, uint64_t n);
/* Formats @value like a number in a condition: "2.13ms", "1203", "1.2%". (transfer full) */
char    *gilk_stop_condition_format_value (const GilkStopCondition *limit, const char *unit, double value);

G_END_DECLS

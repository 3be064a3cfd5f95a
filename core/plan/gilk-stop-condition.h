/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-stop-condition.h - stop conditions of a run: their syntax, and when they hold
 *
 *   samples >= 1000000             of all hooks; of one: samples writer >= 1000
 *   hits writer >= 500
 *   size >= 100M                   of the session file
 *   lost > 1%                      share of samples; or a number: lost > 100
 *   p99 writer.elapsed > 2ms       a quantile (also min, median and max) of a field of a hook's
 *                                  samples; optionally with the number of samples from which on
 *                                  it counts: p99 writer.elapsed > 2ms after 5000
 *
 * Conditions are separated by ";": the first that holds ends the run. A share or a quantile counts
 * once ten samples are expected beyond it, unless the condition gives that number.
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
  GILK_STOP_LOST,             /* number of samples */
  GILK_STOP_LOST_SHARE,
  GILK_STOP_QUANTILE,
} GilkStopQuantity;

typedef struct {
  GilkStopQuantity of;
  char    *hook;               /* its label; NULL: all hooks */
  char    *field;              /* of the quantile */
  double   p;                  /* 0 to 1 */
  gboolean below, equal;       /* holds below the number instead of above; holds at it too */
  char    *number;             /* as written, with its unit */
  uint64_t min_samples;        /* minimum number of samples, as written; 0: not given */
} GilkStopCondition;

/* Parses conditions. "" has none. (transfer full) (element-type GilkStopCondition) */
GPtrArray *gilk_stop_conditions_parse     (const char *text, GError **error);
/* Returns the canonical text of the conditions; NULL: there are none. (transfer full) (nullable) */
char      *gilk_stop_conditions_to_text   (const GPtrArray *limits);
char      *gilk_stop_condition_to_text    (const GilkStopCondition *limit);
/* Parses @text and returns the canonical text. @text: "" and NULL mean no conditions */
gboolean   gilk_stop_conditions_normalize (const char *text, char **tidy, GError **error);

/* Computes the number to compare with. @unit: of the field if it is a quantile */
gboolean gilk_stop_condition_threshold    (const GilkStopCondition *limit, const char *unit, double *bound, GError **error);
/* Returns how many samples (of a share: hits) it takes before the condition counts. */
uint64_t gilk_stop_condition_min_samples  (const GilkStopCondition *limit, double bound);
/* Returns TRUE if the condition holds. @n: number of samples that @value was computed from */
gboolean gilk_stop_condition_holds        (const GilkStopCondition *limit, double bound, double value, uint64_t n);
/* Formats @value like a number in a condition: "2.13ms", "1203", "1.2%". (transfer full) */
char    *gilk_stop_condition_format_value (const GilkStopCondition *limit, const char *unit, double value);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-limit.h - stop conditions of a run: their syntax, and when they hold
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
  GILK_LIMIT_SAMPLES,
  GILK_LIMIT_HITS,
  GILK_LIMIT_SIZE,
  GILK_LIMIT_LOST,             /* number of samples */
  GILK_LIMIT_LOST_SHARE,
  GILK_LIMIT_QUANTILE,
} GilkLimitOf;

typedef struct {
  GilkLimitOf of;
  char    *hook;               /* its label; NULL: all hooks */
  char    *field;              /* of the quantile */
  double   p;                  /* 0 to 1 */
  gboolean below, equal;       /* holds below the number instead of above; holds at it too */
  char    *number;             /* as written, with its unit */
  uint64_t least;              /* minimum number of samples, as written; 0: not given */
} GilkRunLimit;

/* Parses conditions. "" has none. (transfer full) (element-type GilkRunLimit) */
GPtrArray *gilk_run_limits_parse   (const char *text, GError **error);
/* Returns the canonical text of the conditions; NULL: there are none. (transfer full) (nullable) */
char      *gilk_run_limits_to_text (const GPtrArray *limits);
char      *gilk_run_limit_to_text  (const GilkRunLimit *limit);
/* Parses @text and returns the canonical text. @text: "" and NULL mean no conditions */
gboolean   gilk_run_limits_tidy    (const char *text, char **tidy, GError **error);

/* Computes the number to compare with. @unit: of the field, for a quantile */
gboolean   gilk_run_limit_bound    (const GilkRunLimit *limit, const char *unit, double *bound, GError **error);
/* Returns how many samples (hits, for a share) it takes before the condition counts. */
uint64_t   gilk_run_limit_least    (const GilkRunLimit *limit, double bound);
/* Returns TRUE if the condition holds. @n: number of samples that @value was computed from */
gboolean   gilk_run_limit_holds    (const GilkRunLimit *limit, double bound, double value, uint64_t n);
/* Formats @value like a number in a condition: "2.13ms", "1203", "1.2%". (transfer full) */
char      *gilk_run_limit_say      (const GilkRunLimit *limit, const char *unit, double value);

G_END_DECLS

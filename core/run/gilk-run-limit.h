/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-limit.h - conditions that end a run: their text, and when they hold
 *
 *   samples >= 1000000             of all hooks; of one: samples writer >= 1000
 *   hits writer >= 500
 *   size >= 100M                   of the session file
 *   lost > 1%                      of what came; or how many: lost > 100
 *   p99 writer.elapsed > 2ms       a quantile (min, median and max too) of what samples of a hook have, and
 *                                  how many of them there have to be: p99 writer.elapsed > 2ms after 5000
 *
 * Several have a ";" between them: the first that holds ends the run. A share or a quantile counts once ten samples are
 * expected beyond it, unless the condition says after how many.
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
  GILK_LIMIT_LOST,             /* how many */
  GILK_LIMIT_LOST_SHARE,
  GILK_LIMIT_QUANTILE,
} GilkLimitOf;

typedef struct {
  GilkLimitOf of;
  char    *hook;               /* its label; NULL: all hooks */
  char    *field;              /* of the quantile */
  double   p;                  /* 0 to 1 */
  gboolean below, equal;       /* it holds below the number, else above; and at it */
  char    *number;             /* as it was written, with its unit */
  uint64_t least;              /* samples before it is believed, as was written; 0: nothing was */
} GilkRunLimit;

/* (transfer full) (element-type GilkRunLimit): none of "" */
GPtrArray *gilk_run_limits_parse   (const char *text, GError **error);
/* As they are parsed, one way of writing each; NULL: there are none. (transfer full) (nullable) */
char      *gilk_run_limits_to_text (const GPtrArray *limits);
char      *gilk_run_limit_to_text  (const GilkRunLimit *limit);
/* Both in one, for whoever keeps the text. @text: "" and NULL are none */
gboolean   gilk_run_limits_tidy    (const char *text, char **tidy, GError **error);

/* What it is compared with. @unit: of the field, of a quantile */
gboolean   gilk_run_limit_bound    (const GilkRunLimit *limit, const char *unit, double *bound, GError **error);
/* How many samples (hits, of a share) it takes before it is believed. */
uint64_t   gilk_run_limit_least    (const GilkRunLimit *limit, double bound);
/* Does it hold? @n: samples that @value is of */
gboolean   gilk_run_limit_holds    (const GilkRunLimit *limit, double bound, double value, uint64_t n);
/* "2.13ms", "1203", "1.2%": @value as its text would have it. (transfer full) */
char      *gilk_run_limit_say      (const GilkRunLimit *limit, const char *unit, double value);

G_END_DECLS

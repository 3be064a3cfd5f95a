/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report-figures.h - gilk report: quantiles, distributions, spectra, comparisons, outliers
 *
 * Each prints a table and what loss does to it, or writes members of the document.
 */
#pragma once

#include "cli/session.h"
#include "core/analysis/gilk-hook-compare.h"
#include "core/analysis/gilk-hook-quantiles.h"

G_BEGIN_DECLS

typedef struct {
  char    **hooks;          /* as of sources.h; NULL: the one with most samples */
  char     *field;          /* NULL: interval; spectra: hits */
  char     *by, *condition;
  gboolean  quantiles, ecdf, spectrum, histogram, rate;
  int       bins;           /* of the histogram; 0: as the data asks for */
  gboolean  log_x;
  gboolean  subtract_cost;  /* of intervals */
  char     *compare;        /* the one hook, and the other one: */
  const char *with;
  int       outliers;
} CliFigures;

gboolean cli_figures_wanted   (const CliFigures *figures);
gboolean cli_figures_report   (Cli *cli, const CliSession *session, const CliFigures *figures, GError **error);

/* Whose figures they are, and what is missing in them. */
typedef struct {
  const char *name, *field, *unit;
  uint64_t    lost, cut;
} CliMeasured;

/* As for a session, of what was found elsewhere. */
const double *cli_quantiles_asked (guint *n);
void          cli_quantiles_show  (Cli *cli, const CliMeasured *of, const GilkHookQuantiles *found);
const double *cli_compare_asked   (guint *n);
/* @in_turn: of several runs a side, neither side's are over before the other's start */
void          cli_compare_show    (Cli *cli, const CliMeasured *a, const CliMeasured *b, const GilkHookCompared *found,
                                   gboolean in_turn);

/* Parts of it. */
gboolean cli_report_quantiles (Cli *cli, const CliSession *session, const CliFigures *figures, GError **error);
gboolean cli_report_ecdf      (Cli *cli, const CliSession *session, const CliFigures *figures, GError **error);
gboolean cli_report_histogram (Cli *cli, const CliSession *session, const CliFigures *figures, GError **error);
gboolean cli_report_spectrum  (Cli *cli, const CliSession *session, const CliFigures *figures, GError **error);
gboolean cli_report_compare   (Cli *cli, const CliSession *session, const CliFigures *figures, GError **error);
gboolean cli_report_outliers  (Cli *cli, const CliSession *session, const CliFigures *figures, GError **error);

G_END_DECLS

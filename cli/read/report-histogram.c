/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report-histogram.c - gilk report --histogram: reports the number of values in each bin
 */
#include "cli/read/report.h"

#include <glib/gi18n.h>
#include <math.h>

#include "cli/base/output.h"
#include "cli/base/sources.h"
#include "core/analysis/gilk-hook-distribution.h"
#include "core/analysis/gilk-hook-gaps.h"
#include "core/stats/gilk-loss-rule.h"

static void
histogram_to_json (CliJson *json, const CliDataSource *data, const GilkHistogram *histogram)
{
  gboolean some = histogram->n > 0;

  cli_json_object (json, NULL);
  cli_json_string (json, "hook", data->name);
  cli_json_string (json, "field", data->field);
  cli_json_string (json, "unit", data->unit);
  cli_json_uint (json, "values", histogram->n);
  cli_json_uint (json, "ignored", histogram->ignored);
  cli_json_uint (json, "lost", data->lost);
  cli_json_uint (json, "cut", data->cut);
  cli_json_double (json, "share_error_by_loss", gilk_loss_share (histogram->n, data->lost));
  cli_json_double (json, "mean", some ? histogram->mean : NAN);
  cli_json_double (json, "stddev", some ? histogram->stddev : NAN);
  cli_json_array (json, "bins");
  for (guint i = 0; i < histogram->n_bins; i++)
    {
      cli_json_row (json, NULL);
      cli_json_double (json, "from", histogram->edges[i]);
      cli_json_double (json, "to", histogram->edges[i + 1]);
      cli_json_uint (json, "values", histogram->counts[i]);
      cli_json_end (json);
    }
  cli_json_end (json);
  cli_json_end (json);
}

static void
print_bins (Cli *cli, const CliDataSource *data, const GilkHistogram *histogram)
{
  g_autoptr(CliTable) table = cli_table_new (_(">FROM|>TO|>VALUES|>SHARE"));

  for (guint i = 0; i < histogram->n_bins; i++)
    {
      g_autofree char *from = gilk_format_si (histogram->edges[i], data->unit, 4);
      g_autofree char *to = gilk_format_si (histogram->edges[i + 1], data->unit, 4);

      cli_table_cell (table, from);
      cli_table_cell (table, to);
      cli_table_cellf (table, "%" G_GUINT64_FORMAT, (guint64) histogram->counts[i]);
      cli_table_cellf (table, "%.2f %%", 100.0 * (double) histogram->counts[i] / (double) histogram->n);
    }
  cli_print_table (cli, table);
}

void
cli_histogram_report (Cli *cli, const CliDataSource *data, const GilkHistogram *histogram)
{
  g_autofree char *n = gilk_format_count ((double) histogram->n);
  g_autofree char *words = gilk_loss_text (GILK_LOSS_OF_SHARES, histogram->n, data->lost, data->cut);

  if (cli->doc != NULL)
    {
      histogram_to_json (cli->doc, data, histogram);
      return;
    }
  cli_print_tinted (cli, CLI_TINT_BOLD, _("\n%s, %s: %s values\n"), data->name, data->field, n);
  if (histogram->n > 0)
    print_bins (cli, data, histogram);
  if (histogram->ignored > 0)
    cli_print (cli, histogram->log ? _("%lu samples are left out: they have no value for the "
                                       "field, or a value that is not above 0.\n")
                                   : _("%lu samples are left out: they are too short to contain "
                                       "the field.\n"),
               (guint64) histogram->ignored);
  if (words != NULL)
    cli_print_tinted (cli, CLI_TINT_WARN, "%s.\n", words);
}

/* ---- sessions ---- */

static gboolean
report_source (Cli *cli, const GilkFigureSource *source, const CliFigures *figures, GError **error)
{
  const char *field = figures->field != NULL ? figures->field : "interval";
  g_autofree char *unit = cli_source_unit (source, field, error);
  g_autoptr(GArray) gaps = unit != NULL ? gilk_hook_gaps (source->store, source->hook, source->duration, error) : NULL;
  GilkHistogramAsk ask = { .of = { .field = field, .condition = source->condition, .gaps = gaps, .from = NAN, .to = NAN,
                                   .cost = source->cost },
                           .scale = 1.0, .low = NAN, .high = NAN, .bins = (guint) figures->bins,
                           .log = figures->log_x };
  CliDataSource data = { .name = source->name, .field = field, .unit = unit, .lost = source->hook->lost };
  g_autoptr(GilkHistogram) histogram = NULL;

  if (gaps == NULL)
    return FALSE;
  histogram = gilk_hook_histogram (source->store, source->hook, &ask, &data.cut, error);
  if (histogram == NULL)
    return FALSE;
  cli_histogram_report (cli, &data, histogram);
  return TRUE;
}

gboolean
cli_report_histogram (Cli *cli, const CliSession *session, const CliFigures *figures, GError **error)
{
  g_auto(CliSources) sources = { NULL };

  cli_sources_init (&sources, figures->condition);
  if (!cli_sources_choose (&sources, cli, session, figures->hooks, figures->by, _("Using"), error) ||
      (figures->subtract_cost && !cli_sources_subtract_cost (&sources, figures->field, error)))
    return FALSE;
  if (cli->doc != NULL)
    cli_json_array (cli->doc, "histograms");
  for (guint i = 0; i < sources.list->len; i++)
    if (!report_source (cli, cli_sources_get (&sources, i), figures, error))
      return FALSE;
  if (cli->doc != NULL)
    cli_json_end (cli->doc);
  cli_sources_report_cost (&sources, cli, "histograms_cost_subtracted");
  return TRUE;
}

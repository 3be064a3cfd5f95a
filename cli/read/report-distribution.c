/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report-distribution.c - gilk report --quantiles, --ecdf, --histogram: reports distributions as
 * numbers
 */
#include <glib/gi18n.h>
#include <math.h>

#include "cli/base/output.h"
#include "cli/base/sources.h"
#include "cli/read/report.h"
#include "core/analysis/gilk-hook-distribution.h"
#include "core/analysis/gilk-hook-gaps.h"
#include "core/stats/gilk-loss-rule.h"

static const double probabilities[] = { 0.0, 0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 0.999, 0.9999, 1.0 };
static const char *const names[] = {
  "min", "p1", "p10", "p25", "median", "p75", "p90", "p99", "p99.9", "p99.99", "max",
};

G_STATIC_ASSERT (G_N_ELEMENTS (probabilities) == G_N_ELEMENTS (names));

const double *
cli_quantiles_reported (guint *n)
{
  *n = G_N_ELEMENTS (probabilities);
  return probabilities;
}

gboolean
cli_figures_wanted (const CliFigures *figures)
{
  return figures->quantiles || figures->ecdf || figures->spectrum || figures->compare != NULL ||
    figures->histogram || figures->rate || figures->outliers != 0;
}

gboolean
cli_figures_report (Cli *cli, const CliSession *session, const CliFigures *figures, GError **error)
{
  return (!figures->quantiles || cli_report_quantiles (cli, session, figures, error)) &&
    (!figures->ecdf || cli_report_ecdf (cli, session, figures, error)) &&
    (!figures->histogram || cli_report_histogram (cli, session, figures, error)) &&
    (!figures->rate || cli_report_rate (cli, session, figures, error)) &&
    (!figures->spectrum || cli_report_spectrum (cli, session, figures, error)) &&
    (figures->compare == NULL || cli_report_compare (cli, session, figures, error)) &&
    (figures->outliers == 0 || cli_report_outliers (cli, session, figures, error));
}

/* ---- values of one source ---- */

typedef struct {
  CliDataSource        data;
  char              *unit;
  GArray            *gaps;
  GilkHookQuantiles  found;     /* the quantiles, or the cumulative shares of an ECDF, that were
                                 * computed */
} Part;

static void
part_clear (Part *part)
{
  g_clear_pointer (&part->unit, g_free);
  g_clear_pointer (&part->gaps, g_array_unref);
  gilk_hook_quantiles_clear (&part->found);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Part, part_clear)

static gboolean
part_read (Part *part, const GilkFigureSource *source, const CliFigures *figures, gboolean shares, GError **error)
{
  GilkHookSide side = {
    source->store, source->hook, { .condition = source->condition, .from = NAN, .to = NAN, .cost = source->cost },
  };

  side.ask.field = figures->field != NULL ? figures->field : "interval";
  part->unit = cli_source_unit (source, side.ask.field, error);
  part->gaps = part->unit != NULL ? gilk_hook_gaps (source->store, source->hook, source->duration, error) : NULL;
  side.ask.gaps = part->gaps;
  if (part->gaps == NULL ||
      !(shares ? gilk_hook_shares (&side, &part->found, error)
               : gilk_hook_quantiles (&side, probabilities, G_N_ELEMENTS (probabilities), &part->found, error)))
    return FALSE;
  part->data = (CliDataSource) { source->name, side.ask.field, part->unit, source->hook->lost, part->found.cut };
  return TRUE;
}

static void
print_title (Cli *cli, const CliDataSource *data, const GilkHookQuantiles *found)
{
  g_autofree char *n = gilk_format_count ((double) found->n);

  cli_print_tinted (cli, CLI_TINT_BOLD, _("\n%s, %s: %s values\n"), data->name, data->field, n);
}

static void
print_loss (Cli *cli, const CliDataSource *data, const GilkHookQuantiles *found, GilkLossOf what)
{
  g_autofree char *words = gilk_loss_text (what, found->n, data->lost, data->cut);

  if (words != NULL)
    cli_print_tinted (cli, CLI_TINT_WARN, "%s.\n", words);
}

static void
source_to_json (CliJson *json, const CliDataSource *data, const GilkHookQuantiles *found)
{
  cli_json_string (json, "hook", data->name);
  cli_json_string (json, "field", data->field);
  cli_json_string (json, "unit", data->unit);
  cli_json_uint (json, "values", found->n);
  cli_json_uint (json, "lost", data->lost);
  cli_json_uint (json, "cut", data->cut);
}

/* Adds a cell with @value and its unit; "-" if @value is NaN. */
static void
add_value_cell (CliTable *table, double value, const char *unit)
{
  g_autofree char *text = isnan (value) ? g_strdup ("-") : gilk_format_si (value, unit, 4);

  cli_table_cell (table, text);
}

static const GilkHookQuantile *
get_quantile (const GilkHookQuantiles *found, guint i)
{
  return &g_array_index (found->list, GilkHookQuantile, i);
}

static void
row_to_json (CliJson *json, const char *at, const char *value, const GilkHookQuantile *found)
{
  cli_json_row (json, NULL);
  cli_json_double (json, at, found->at);
  cli_json_double (json, value, found->value);
  cli_json_double (json, "low", found->low);
  cli_json_double (json, "high", found->high);
  cli_json_end (json);
}

/* ---- printing quantiles ---- */

static void
quantiles_to_json (CliJson *json, const CliDataSource *data, const GilkHookQuantiles *found)
{
  cli_json_object (json, NULL);
  source_to_json (json, data, found);
  cli_json_double (json, "mean", found->n > 0 ? found->mean : NAN);
  cli_json_array (json, "quantiles");
  for (guint i = 0; i < found->list->len; i++)
    row_to_json (json, "p", "value", get_quantile (found, i));
  cli_json_end (json);
  cli_json_end (json);
}

/* Returns whether there are enough values for quantile @i, so that at least one value lies beyond
 * it. */
static gboolean
has_support (const GilkHookQuantiles *found, guint i)
{
  const double beyond = MIN (probabilities[i], 1 - probabilities[i]);

  return beyond == 0 || (double) found->n * beyond >= 1 - 1e-9;
}

static void
print_quantiles (Cli *cli, const CliDataSource *data, const GilkHookQuantiles *found)
{
  gboolean lossy = data->lost > 0;
  g_autoptr(CliTable) table = cli_table_new (lossy ? _("<QUANTILE|>VALUE|>AT LEAST|>AT MOST") : _("<QUANTILE|>VALUE"));

  print_title (cli, data, found);
  for (guint i = 0; i < found->list->len; i++)
    {
      if (!has_support (found, i))
        continue;
      cli_table_cell (table, names[i]);
      add_value_cell (table, get_quantile (found, i)->value, data->unit);
      if (!lossy)
        continue;
      add_value_cell (table, get_quantile (found, i)->low, data->unit);
      add_value_cell (table, get_quantile (found, i)->high, data->unit);
    }
  if (found->n > 0)
    {
      cli_table_cell (table, _("mean"));
      add_value_cell (table, found->mean, data->unit);
      for (guint i = 0; lossy && i < 2; i++)      /* bounds of the mean are unknown after a loss */
        add_value_cell (table, NAN, data->unit);
      cli_print_table (cli, table);
    }
  print_loss (cli, data, found, GILK_LOSS_OF_QUANTILES);
}

/* ---- printing shares (ECDF) ---- */

static void
print_shares (Cli *cli, const CliDataSource *data, const GilkHookQuantiles *found)
{
  g_autoptr(CliTable) table = cli_table_new (_("<UP TO|>SHARE|>AT LEAST|>AT MOST"));

  for (guint i = 0; i < found->list->len; i++)
    {
      const GilkHookQuantile *step = get_quantile (found, i);

      add_value_cell (table, step->at, data->unit);
      cli_table_cellf (table, "%.2f %%", 100.0 * step->value);
      cli_table_cellf (table, "%.2f %%", 100.0 * step->low);
      cli_table_cellf (table, "%.2f %%", 100.0 * step->high);
    }
  cli_print_table (cli, table);
}

static void
report_ecdf (Cli *cli, const CliDataSource *data, const GilkHookQuantiles *found)
{
  if (cli->doc == NULL)
    {
      print_title (cli, data, found);
      if (found->n > 0)
        print_shares (cli, data, found);
      print_loss (cli, data, found, GILK_LOSS_OF_SHARES);
      return;
    }
  cli_json_object (cli->doc, NULL);
  source_to_json (cli->doc, data, found);
  cli_json_array (cli->doc, "shares");
  for (guint i = 0; i < found->list->len; i++)
    row_to_json (cli->doc, "value", "share", get_quantile (found, i));
  cli_json_end (cli->doc);
  cli_json_end (cli->doc);
}

void
cli_quantiles_show (Cli *cli, const CliDataSource *data, const GilkHookQuantiles *found)
{
  if (cli->doc != NULL)
    quantiles_to_json (cli->doc, data, found);
  else
    print_quantiles (cli, data, found);
}

/* ---- reports of all sources ---- */

static gboolean
report_quantiles (Cli *cli, const GilkFigureSource *source, const CliFigures *figures, GError **error)
{
  g_auto(Part) part = { NULL };

  if (!part_read (&part, source, figures, FALSE, error))
    return FALSE;
  cli_quantiles_show (cli, &part.data, &part.found);
  return TRUE;
}

static gboolean
report_shares (Cli *cli, const GilkFigureSource *source, const CliFigures *figures, GError **error)
{
  g_auto(Part) part = { NULL };

  if (!part_read (&part, source, figures, TRUE, error))
    return FALSE;
  report_ecdf (cli, &part.data, &part.found);
  return TRUE;
}

gboolean
cli_report_quantiles (Cli *cli, const CliSession *session, const CliFigures *figures, GError **error)
{
  return cli_sources_report (cli, session, figures, figures->field, "quantiles", report_quantiles, error);
}

gboolean
cli_report_ecdf (Cli *cli, const CliSession *session, const CliFigures *figures, GError **error)
{
  return cli_sources_report (cli, session, figures, figures->field, "ecdf", report_shares, error);
}

/* ---- gilk report --histogram: reports the number of values in each bin ---- */

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

/* ---- histograms from a session ---- */

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
  return cli_sources_report (cli, session, figures, figures->field, "histograms", report_source, error);
}

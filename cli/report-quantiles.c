/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report-quantiles.c - gilk report --quantiles, --ecdf: distributions as numbers
 */
#include <glib/gi18n.h>
#include <math.h>

#include "cli/report-figures.h"
#include "cli/sources.h"
#include "core/analysis/gilk-compare.h"
#include "core/analysis/gilk-hook-gaps.h"
#include "core/analysis/gilk-hook-sorted.h"
#include "core/analysis/gilk-loss-rule.h"
#include "core/plot/gilk-plot.h"

static const struct { double p; const char *name; } asked[] = {
  { 0.0, "min" }, { 0.01, "p1" }, { 0.1, "p10" }, { 0.25, "p25" }, { 0.5, "median" }, { 0.75, "p75" },
  { 0.9, "p90" }, { 0.99, "p99" }, { 0.999, "p99.9" }, { 0.9999, "p99.99" }, { 1.0, "max" },
};

gboolean
cli_figures_wanted (const CliFigures *figures)
{
  return figures->quantiles || figures->ecdf || figures->spectrum || figures->compare != NULL ||
    figures->outliers != 0;
}

gboolean
cli_figures_report (Cli *cli, const CliSession *session, const CliFigures *figures, GError **error)
{
  return (!figures->quantiles || cli_report_quantiles (cli, session, figures, error)) &&
    (!figures->ecdf || cli_report_ecdf (cli, session, figures, error)) &&
    (!figures->spectrum || cli_report_spectrum (cli, session, figures, error)) &&
    (figures->compare == NULL || cli_report_compare (cli, session, figures, error)) &&
    (figures->outliers == 0 || cli_report_outliers (cli, session, figures, error));
}

/* ---- one source ---- */

typedef struct {
  const GilkFigureSource *source;
  const char *field;
  char       *unit;
  GArray     *gaps;
  GilkSorted  sorted;
} Part;

static void
part_clear (Part *part)
{
  g_clear_pointer (&part->unit, g_free);
  g_clear_pointer (&part->gaps, g_array_unref);
  gilk_sorted_clear (&part->sorted);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Part, part_clear)

static gboolean
part_read (Part *part, const GilkFigureSource *source, const CliFigures *figures, GError **error)
{
  GilkHookAsk ask = { .condition = source->condition, .from = NAN, .to = NAN };

  part->source = source;
  part->field = ask.field = figures->field != NULL ? figures->field : "interval";
  part->unit = cli_source_unit (source, part->field, error);
  part->gaps = part->unit != NULL ? gilk_hook_gaps (source->store, source->hook, source->duration, error) : NULL;
  ask.gaps = part->gaps;
  return part->gaps != NULL && gilk_hook_sorted (source->store, source->hook, &ask, &part->sorted, error);
}

static void
print_title (Cli *cli, const Part *part)
{
  g_autofree char *n = gilk_format_count ((double) part->sorted.n);

  cli_print_tinted (cli, CLI_TINT_BOLD, _("\n%s, %s: %s values\n"), part->source->name, part->field, n);
  if (part->sorted.every > 1)
    cli_print (cli, _("(each %u-th of all alone)\n"), part->sorted.every);
}

static void
print_loss (Cli *cli, const Part *part, GilkLossOf of)
{
  g_autofree char *words = gilk_loss_words (of, part->sorted.n, part->source->hook->lost, part->sorted.cut);

  if (words != NULL)
    cli_print_tinted (cli, CLI_TINT_WARN, "%s.\n", words);
}

static void
head_to_json (CliJson *json, const Part *part)
{
  cli_json_string (json, "hook", part->source->name);
  cli_json_string (json, "field", part->field);
  cli_json_string (json, "unit", part->unit);
  cli_json_uint (json, "values", part->sorted.n);
  cli_json_uint (json, "every", part->sorted.every);
  cli_json_uint (json, "lost", part->source->hook->lost);
  cli_json_uint (json, "cut", part->sorted.cut);
}

/* "-": there is none. */
static void
value_cell (CliTable *table, double value, const char *unit)
{
  g_autofree char *text = isnan (value) ? g_strdup ("-") : gilk_format_si (value, unit, 4);

  cli_table_cell (table, text);
}

/* ---- quantiles ---- */

/* What the quantile of all samples, lost ones too, can be; NaN: it has no bound. */
static void
find_bounds (const Part *part, double p, double *low, double *high)
{
  double from, to;

  gilk_loss_ranks (p, part->sorted.n * (uint64_t) part->sorted.every, part->source->hook->lost, &from, &to);
  *low = isnan (from) ? NAN : gilk_quantile (part->sorted.values, part->sorted.n, from);
  *high = isnan (to) ? NAN : gilk_quantile (part->sorted.values, part->sorted.n, to);
}

static void
quantiles_to_json (CliJson *json, const Part *part)
{
  cli_json_object (json, NULL);
  head_to_json (json, part);
  cli_json_double (json, "mean", part->sorted.n > 0 ? part->sorted.mean : NAN);
  cli_json_array (json, "quantiles");
  for (guint i = 0; part->sorted.n > 0 && i < G_N_ELEMENTS (asked); i++)
    {
      double low, high;

      find_bounds (part, asked[i].p, &low, &high);
      cli_json_row (json, NULL);
      cli_json_double (json, "p", asked[i].p);
      cli_json_double (json, "value", gilk_quantile (part->sorted.values, part->sorted.n, asked[i].p));
      cli_json_double (json, "low", low);
      cli_json_double (json, "high", high);
      cli_json_end (json);
    }
  cli_json_end (json);
  cli_json_end (json);
}

static void
print_quantiles (Cli *cli, const Part *part)
{
  gboolean lossy = part->source->hook->lost > 0;
  g_autoptr(CliTable) table = cli_table_new (lossy ? "<QUANTILE|>VALUE|>AT LEAST|>AT MOST" : "<QUANTILE|>VALUE");

  print_title (cli, part);
  for (guint i = 0; part->sorted.n > 0 && i < G_N_ELEMENTS (asked); i++)
    {
      double low, high;

      cli_table_cell (table, asked[i].name);
      value_cell (table, gilk_quantile (part->sorted.values, part->sorted.n, asked[i].p), part->unit);
      if (!lossy)
        continue;
      find_bounds (part, asked[i].p, &low, &high);
      value_cell (table, low, part->unit);
      value_cell (table, high, part->unit);
    }
  if (part->sorted.n > 0)
    {
      cli_table_cell (table, _("mean"));
      value_cell (table, part->sorted.mean, part->unit);
      for (guint i = 0; lossy && i < 2; i++)      /* of what is lost it has no bound */
        value_cell (table, NAN, part->unit);
      cli_print_table (cli, table);
    }
  print_loss (cli, part, GILK_LOSS_OF_QUANTILES);
}

/* ---- shares ---- */

/* 1, 2 and 5 times powers of ten where values have many, else ten steps of one width. */
static GArray *
choose_steps (const GilkSorted *sorted)
{
  GArray *steps = g_array_new (FALSE, FALSE, sizeof (double));
  double low = sorted->values[0], high = sorted->values[sorted->n - 1];

  if (low > 0.0 && high / low > 20.0)
    {
      static const double digits[] = { 1.0, 2.0, 5.0 };

      for (int decade = (int) floor (log10 (low)); decade <= (int) ceil (log10 (high)); decade++)
        for (guint i = 0; i < G_N_ELEMENTS (digits); i++)
          {
            double value = digits[i] * pow (10.0, decade);

            if (value >= low && value < high)
              g_array_append_val (steps, value);
          }
    }
  else
    for (guint i = 0; i < 10 && high > low; i++)
      {
        double value = low + (high - low) * i / 10.0;

        g_array_append_val (steps, value);
      }
  g_array_append_val (steps, high);

  return steps;
}

/* How many are at most @value. */
static gsize
count_up_to (const GilkSorted *sorted, double value)
{
  gsize low = 0, high = sorted->n;

  while (low < high)
    {
      gsize middle = low + (high - low) / 2;

      if (sorted->values[middle] <= value)
        low = middle + 1;
      else
        high = middle;
    }

  return low;
}

static void
report_shares (Cli *cli, const Part *part)
{
  g_autoptr(CliTable) table = cli_table_new ("<UP TO|>SHARE|>AT LEAST|>AT MOST");
  g_autoptr(GArray) steps = choose_steps (&part->sorted);
  double n = (double) part->sorted.n, lost = (double) part->source->hook->lost / part->sorted.every;

  for (guint i = 0; i < steps->len; i++)
    {
      double value = g_array_index (steps, double, i), up_to = (double) count_up_to (&part->sorted, value);
      g_autofree char *text = gilk_format_si (value, part->unit, 4);

      if (cli->doc != NULL)
        {
          cli_json_row (cli->doc, NULL);
          cli_json_double (cli->doc, "value", value);
          cli_json_double (cli->doc, "share", up_to / n);
          cli_json_double (cli->doc, "low", up_to / (n + lost));
          cli_json_double (cli->doc, "high", (up_to + lost) / (n + lost));
          cli_json_end (cli->doc);
          continue;
        }
      cli_table_cell (table, text);
      cli_table_cellf (table, "%.2f %%", 100.0 * up_to / n);
      cli_table_cellf (table, "%.2f %%", 100.0 * up_to / (n + lost));
      cli_table_cellf (table, "%.2f %%", 100.0 * (up_to + lost) / (n + lost));
    }
  cli_print_table (cli, table);
}

static void
report_ecdf (Cli *cli, const Part *part)
{
  if (cli->doc == NULL)
    {
      print_title (cli, part);
      if (part->sorted.n > 0)
        report_shares (cli, part);
      print_loss (cli, part, GILK_LOSS_OF_SHARES);
      return;
    }
  cli_json_object (cli->doc, NULL);
  head_to_json (cli->doc, part);
  cli_json_array (cli->doc, "shares");
  if (part->sorted.n > 0)
    report_shares (cli, part);
  cli_json_end (cli->doc);
  cli_json_end (cli->doc);
}

static void
report_quantiles (Cli *cli, const Part *part)
{
  if (cli->doc != NULL)
    quantiles_to_json (cli->doc, part);
  else
    print_quantiles (cli, part);
}

/* ---- all sources ---- */

static gboolean
report_each (Cli *cli, const CliSession *session, const CliFigures *figures, const char *key,
             void (*report) (Cli *cli, const Part *part), GError **error)
{
  g_auto(CliSources) sources = { NULL };

  cli_sources_init (&sources, figures->condition);
  if (!cli_sources_choose (&sources, cli, session, figures->hooks, figures->by, _("Looking at"), error))
    return FALSE;
  if (cli->doc != NULL)
    cli_json_array (cli->doc, key);
  for (guint i = 0; i < sources.list->len; i++)
    {
      g_auto(Part) part = { NULL };

      if (!part_read (&part, cli_sources_get (&sources, i), figures, error))
        return FALSE;
      report (cli, &part);
    }
  if (cli->doc != NULL)
    cli_json_end (cli->doc);
  return TRUE;
}

gboolean
cli_report_quantiles (Cli *cli, const CliSession *session, const CliFigures *figures, GError **error)
{
  return report_each (cli, session, figures, "quantiles", report_quantiles, error);
}

gboolean
cli_report_ecdf (Cli *cli, const CliSession *session, const CliFigures *figures, GError **error)
{
  return report_each (cli, session, figures, "ecdf", report_ecdf, error);
}

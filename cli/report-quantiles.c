/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report-quantiles.c - gilk report --quantiles, --ecdf: distributions as numbers
 */
#include <glib/gi18n.h>
#include <math.h>

#include "cli/report-figures.h"
#include "cli/sources.h"
#include "core/analysis/gilk-hook-gaps.h"
#include "core/analysis/gilk-hook-quantiles.h"
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
    figures->histogram || figures->outliers != 0;
}

gboolean
cli_figures_report (Cli *cli, const CliSession *session, const CliFigures *figures, GError **error)
{
  return (!figures->quantiles || cli_report_quantiles (cli, session, figures, error)) &&
    (!figures->ecdf || cli_report_ecdf (cli, session, figures, error)) &&
    (!figures->histogram || cli_report_histogram (cli, session, figures, error)) &&
    (!figures->spectrum || cli_report_spectrum (cli, session, figures, error)) &&
    (figures->compare == NULL || cli_report_compare (cli, session, figures, error)) &&
    (figures->outliers == 0 || cli_report_outliers (cli, session, figures, error));
}

/* ---- one source ---- */

typedef struct {
  const GilkFigureSource *source;
  const char        *field;
  char              *unit;
  GArray            *gaps;
  GilkHookQuantiles  found;     /* quantiles or shares */
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
    source->store, source->hook, { .condition = source->condition, .from = NAN, .to = NAN },
  };
  double at[G_N_ELEMENTS (asked)];

  part->source = source;
  part->field = side.ask.field = figures->field != NULL ? figures->field : "interval";
  part->unit = cli_source_unit (source, part->field, error);
  part->gaps = part->unit != NULL ? gilk_hook_gaps (source->store, source->hook, source->duration, error) : NULL;
  side.ask.gaps = part->gaps;
  for (guint i = 0; i < G_N_ELEMENTS (asked); i++)
    at[i] = asked[i].p;
  return part->gaps != NULL &&
    (shares ? gilk_hook_shares (&side, &part->found, error)
            : gilk_hook_quantiles (&side, at, G_N_ELEMENTS (asked), &part->found, error));
}

static void
print_title (Cli *cli, const Part *part)
{
  g_autofree char *n = gilk_format_count ((double) part->found.n);

  cli_print_tinted (cli, CLI_TINT_BOLD, _("\n%s, %s: %s values\n"), part->source->name, part->field, n);
}

static void
print_loss (Cli *cli, const Part *part, GilkLossOf of)
{
  g_autofree char *words = gilk_loss_words (of, part->found.n, part->source->hook->lost, part->found.cut);

  if (words != NULL)
    cli_print_tinted (cli, CLI_TINT_WARN, "%s.\n", words);
}

static void
head_to_json (CliJson *json, const Part *part)
{
  cli_json_string (json, "hook", part->source->name);
  cli_json_string (json, "field", part->field);
  cli_json_string (json, "unit", part->unit);
  cli_json_uint (json, "values", part->found.n);
  cli_json_uint (json, "lost", part->source->hook->lost);
  cli_json_uint (json, "cut", part->found.cut);
}

/* "-": there is none. */
static void
value_cell (CliTable *table, double value, const char *unit)
{
  g_autofree char *text = isnan (value) ? g_strdup ("-") : gilk_format_si (value, unit, 4);

  cli_table_cell (table, text);
}

static const GilkHookQuantile *
found_at (const Part *part, guint i)
{
  return &g_array_index (part->found.list, GilkHookQuantile, i);
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

/* ---- quantiles ---- */

static void
quantiles_to_json (CliJson *json, const Part *part)
{
  cli_json_object (json, NULL);
  head_to_json (json, part);
  cli_json_double (json, "mean", part->found.n > 0 ? part->found.mean : NAN);
  cli_json_array (json, "quantiles");
  for (guint i = 0; i < part->found.list->len; i++)
    row_to_json (json, "p", "value", found_at (part, i));
  cli_json_end (json);
  cli_json_end (json);
}

static void
print_quantiles (Cli *cli, const Part *part)
{
  gboolean lossy = part->source->hook->lost > 0;
  g_autoptr(CliTable) table = cli_table_new (lossy ? "<QUANTILE|>VALUE|>AT LEAST|>AT MOST" : "<QUANTILE|>VALUE");

  print_title (cli, part);
  for (guint i = 0; i < part->found.list->len; i++)
    {
      cli_table_cell (table, asked[i].name);
      value_cell (table, found_at (part, i)->value, part->unit);
      if (!lossy)
        continue;
      value_cell (table, found_at (part, i)->low, part->unit);
      value_cell (table, found_at (part, i)->high, part->unit);
    }
  if (part->found.n > 0)
    {
      cli_table_cell (table, _("mean"));
      value_cell (table, part->found.mean, part->unit);
      for (guint i = 0; lossy && i < 2; i++)      /* of what is lost it has no bound */
        value_cell (table, NAN, part->unit);
      cli_print_table (cli, table);
    }
  print_loss (cli, part, GILK_LOSS_OF_QUANTILES);
}

/* ---- shares ---- */

static void
print_shares (Cli *cli, const Part *part)
{
  g_autoptr(CliTable) table = cli_table_new ("<UP TO|>SHARE|>AT LEAST|>AT MOST");

  for (guint i = 0; i < part->found.list->len; i++)
    {
      const GilkHookQuantile *step = found_at (part, i);

      value_cell (table, step->at, part->unit);
      cli_table_cellf (table, "%.2f %%", 100.0 * step->value);
      cli_table_cellf (table, "%.2f %%", 100.0 * step->low);
      cli_table_cellf (table, "%.2f %%", 100.0 * step->high);
    }
  cli_print_table (cli, table);
}

static void
report_ecdf (Cli *cli, const Part *part)
{
  if (cli->doc == NULL)
    {
      print_title (cli, part);
      if (part->found.n > 0)
        print_shares (cli, part);
      print_loss (cli, part, GILK_LOSS_OF_SHARES);
      return;
    }
  cli_json_object (cli->doc, NULL);
  head_to_json (cli->doc, part);
  cli_json_array (cli->doc, "shares");
  for (guint i = 0; i < part->found.list->len; i++)
    row_to_json (cli->doc, "value", "share", found_at (part, i));
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
report_each (Cli *cli, const CliSession *session, const CliFigures *figures, const char *key, gboolean shares,
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

      if (!part_read (&part, cli_sources_get (&sources, i), figures, shares, error))
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
  return report_each (cli, session, figures, "quantiles", FALSE, report_quantiles, error);
}

gboolean
cli_report_ecdf (Cli *cli, const CliSession *session, const CliFigures *figures, GError **error)
{
  return report_each (cli, session, figures, "ecdf", TRUE, report_ecdf, error);
}

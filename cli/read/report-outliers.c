/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report-outliers.c - gilk report --outliers N: reports the largest values, and the samples before
 * them
 */
#include <glib/gi18n.h>
#include <math.h>

#include "cli/base/reports.h"
#include "cli/base/sources.h"
#include "core/analysis/gilk-hook-gaps.h"
#include "core/analysis/gilk-outliers.h"
#include "core/plot/gilk-plot.h"
#include "core/stats/gilk-loss-rule.h"

#define SAMPLES_BEFORE 4

static const char *
get_label (const GArray *hooks, gint64 id)
{
  for (guint i = 0; i < hooks->len; i++)
    if (g_array_index (hooks, GilkStoredHook, i).id == id)
      return g_array_index (hooks, GilkStoredHook, i).label;

  return "?";
}

static void
outlier_to_json (CliJson *json, const GilkOutlier *one, const GArray *before, const GArray *hooks)
{
  cli_json_object (json, NULL);
  cli_json_double (json, "value", one->value);
  cli_json_double (json, "time", one->time);
  cli_json_uint (json, "cpu", one->cpu);
  cli_json_array (json, "before");
  for (guint i = 0; i < before->len; i++)
    {
      const GilkBefore *sample = &g_array_index (before, GilkBefore, i);

      cli_json_row (json, NULL);
      cli_json_double (json, "earlier", one->time - sample->time);
      cli_json_string (json, "hook", get_label (hooks, sample->hook));
      cli_json_string (json, "fields", sample->fields);
      cli_json_end (json);
    }
  cli_json_end (json);
  cli_json_end (json);
}

/* Adds a row for the outlier @one, and one for each sample shortly before it. */
static void
add_rows (CliTable *table, guint rank, const GilkOutlier *one, const GArray *before, const GArray *hooks,
          const char *unit)
{
  g_autofree char *value = gilk_format_si (one->value, unit, 4);

  cli_table_cellf (table, "%u", rank);
  cli_table_cell (table, value);
  cli_table_cellf (table, "%u", one->cpu);
  cli_table_cellf (table, _("at %.6f s"), one->time);
  cli_table_cell (table, before->len > 0 ? NULL : _("no earlier sample on this CPU"));
  cli_table_cell (table, NULL);
  for (guint i = before->len; i-- > 0;)
    {
      const GilkBefore *sample = &g_array_index (before, GilkBefore, i);
      g_autofree char *earlier = gilk_format_si (one->time - sample->time, "s", 4);

      for (guint k = 0; k < 3; k++)
        cli_table_cell (table, NULL);
      cli_table_cellf (table, _("%s earlier"), earlier);
      cli_table_cell (table, get_label (hooks, sample->hook));
      cli_table_cell (table, sample->fields);
    }
}

static gboolean
report_source (Cli *cli, const GilkFigureSource *source, const CliFigures *figures, GError **error)
{
  const char *field = figures->field != NULL ? figures->field : "interval";
  g_autofree char *unit = cli_source_unit (source, field, error);
  g_autoptr(GArray) gaps = unit != NULL ? gilk_hook_gaps (source->store, source->hook, source->duration, error) : NULL;
  const GilkHookAsk ask = { .field = field, .condition = source->condition, .gaps = gaps, .from = NAN, .to = NAN,
                            .cost = source->cost };
  g_autoptr(GArray) found = gaps != NULL ? gilk_hook_outliers (source->store, source->hook, &ask,
                                                               (guint) figures->outliers, error) : NULL;
  g_autoptr(GArray) hooks = found != NULL ? gilk_store_hooks (source->store, source->hook->run, error) : NULL;
  g_autoptr(CliTable) table = cli_table_new (_(">NO.|>VALUE|>CPU|>WHEN|<HOOK|~FIELDS"));
  g_autofree char *words = gilk_loss_text (GILK_LOSS_OF_GREATEST, source->hook->stored, source->hook->lost, 0);

  if (hooks == NULL)
    return FALSE;
  cli_json_object (cli->doc, NULL);
  cli_json_string (cli->doc, "hook", source->name);
  cli_json_string (cli->doc, "field", field);
  cli_json_string (cli->doc, "unit", unit);
  cli_json_uint (cli->doc, "lost", source->hook->lost);
  cli_json_array (cli->doc, "largest");
  for (guint i = 0; i < found->len; i++)
    {
      const GilkOutlier *one = &g_array_index (found, GilkOutlier, i);
      g_autoptr(GArray) before = gilk_samples_before (source->store, hooks, one->time, one->cpu, SAMPLES_BEFORE, error);

      if (before == NULL)
        return FALSE;
      if (cli->doc != NULL)
        outlier_to_json (cli->doc, one, before, hooks);
      else
        add_rows (table, i + 1, one, before, hooks, unit);
    }
  if (cli->doc != NULL)
    {
      cli_json_end (cli->doc);
      cli_json_end (cli->doc);
      return TRUE;
    }
  cli_print_tinted (cli, CLI_TINT_BOLD, _("\nLargest values of %s, %s, and what ran before them on their CPU\n"),
                    source->name, field);
  cli_print_table (cli, table);
  if (words != NULL)
    cli_print_tinted (cli, CLI_TINT_WARN, "%s.\n", words);
  return TRUE;
}

gboolean
cli_report_outliers (Cli *cli, const CliSession *session, const CliFigures *figures, GError **error)
{
  if (figures->outliers < 1 || figures->outliers > 1000)
    return gilk_fail (error, GILK_ERROR_USAGE, _("Invalid --outliers %d. Give 1 to 1000."),
                      figures->outliers);
  return cli_sources_report (cli, session, figures, figures->field, "outliers", report_source, error);
}

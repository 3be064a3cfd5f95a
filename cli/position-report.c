/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * position-report.c - reports and judges the effect of a new code layout
 */
#include "cli/position-report.h"

#include <glib/gi18n.h>

#include "cli/output.h"

#define GAIN_LEAST 0.02         /* relative, of taken branches or cache lines */

const char *
cli_position_hopeless (const CliPositions *positions, const char **why)
{
  const GilkPositionFigures *before = &positions->before, *after = &positions->after;

  if (after->taken <= before->taken * (1 - GAIN_LEAST) || after->lines <= before->lines * (1 - GAIN_LEAST))
    return NULL;
  *why = N_("By the counts, the new layout would reduce neither taken branches nor touched cache lines, so nothing was "
            "changed.");
  return "nothing-to-gain";
}

const char *
cli_position_harmful (const CliPositions *positions, const char **why)
{
  if (!positions->times.known || positions->times.low <= 0)
    return NULL;
  *why = N_("Calls take longer than before, so everything was restored.");
  return "slower";
}

/* ---- text ---- */

static void
change_cell (CliTable *table, const char *format, double before, double after)
{
  g_autofree char *from = g_strdup_printf (format, before);
  g_autofree char *to = g_strdup_printf (format, after);

  cli_table_cellf (table, "%s → %s", from, to);
}

static void
figures_cells (CliTable *table, const GilkPositionFigures *before, const GilkPositionFigures *after)
{
  change_cell (table, "%.2f", before->taken, after->taken);
  change_cell (table, "%.1f", before->insns, after->insns);
  change_cell (table, "%.1f", before->lines, after->lines);
  change_cell (table, "%.0f", before->hot_bytes, after->hot_bytes);
  change_cell (table, "%.0f", before->span, after->span);
}

static void
print_times (const CliPositions *positions)
{
  const CliPositionTimes *times = &positions->times;

  if (times->known)
    cli_print (positions->cli,
               _("A call of %s takes %.0f ns with the original layout and %.0f ns with the new one: %+.1f %% (%+.1f to "
                 "%+.1f %%; %u pairs of intervals, %lu calls).\n"),
               cli_positioned_at (positions, 0)->name, times->before_ns, times->after_ns,
               100 * times->difference, 100 * times->low, 100 * times->high, times->pairs, (gulong) times->calls);
  else if (times->why_not != NULL)
    cli_print (positions->cli, _("The time of calls was not measured: %s\n"), times->why_not);
}

static void
note_refused (const CliPositions *positions)
{
  g_autoptr(GString) names = g_string_new (NULL);

  for (guint i = 0; i < positions->refused->len; i++)
    g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", (const char *) positions->refused->pdata[i]);
  if (positions->refused->len > 0)
    cli_note (positions->cli, ngettext ("%u function is called unchanged: it cannot be cloned, or was not counted "
                                        "(%s).",
                                        "%u functions are called unchanged: they cannot be cloned, or were not counted "
                                        "(%s).", positions->refused->len), positions->refused->len, names->str);
}

static void
print_all (const CliPositions *positions)
{
  g_autoptr(CliTable) table =
    cli_table_new (_("<FUNCTION|>CALLS|>TAKEN BRANCHES|>INSTRUCTIONS|>CACHE LINES|>HOT BYTES|>SPAN"));
  guint placed = 0;

  for (guint i = 0; i < positions->functions->len; i++)
    {
      const CliPositioned *positioned = cli_positioned_at (positions, i);

      if (positioned->left_out)
        continue;
      placed++;
      cli_table_cellf (table, "%s%s", positioned->inner ? "  " : "", positioned->name);
      cli_table_cellf (table, "%" G_GUINT64_FORMAT, positioned->position->calls);
      figures_cells (table, &positioned->position->before, &positioned->after);
    }
  if (placed > 1)
    {
      cli_table_cell (table, _("total, per call of the first"));
      cli_table_cellf (table, "%" G_GUINT64_FORMAT, cli_positioned_at (positions, 0)->position->calls);
      figures_cells (table, &positions->before, &positions->after);
    }
  cli_print_table (positions->cli, table);
  note_refused (positions);
  print_times (positions);
}

/* ---- JSON ---- */

static void
figures_to_json (CliJson *json, const char *key, const GilkPositionFigures *figures)
{
  cli_json_row (json, key);
  cli_json_double (json, "taken_branches", figures->taken);
  cli_json_double (json, "instructions", figures->insns);
  cli_json_double (json, "cache_lines", figures->lines);
  cli_json_uint (json, "hot_bytes", figures->hot_bytes);
  cli_json_uint (json, "hot_lines", figures->hot_lines);
  cli_json_uint (json, "span_bytes", figures->span);
  cli_json_end (json);
}

static void
times_to_json (CliJson *json, const CliPositionTimes *times)
{
  cli_json_object (json, "time");
  cli_json_bool (json, "known", times->known);
  cli_json_string (json, "why_not", times->why_not);
  if (times->known)
    {
      cli_json_uint (json, "pairs", times->pairs);
      cli_json_uint (json, "calls", times->calls);
      cli_json_double (json, "before_ns", times->before_ns);
      cli_json_double (json, "after_ns", times->after_ns);
      cli_json_double (json, "difference", times->difference);
      cli_json_double (json, "low", times->low);
      cli_json_double (json, "high", times->high);
    }
  cli_json_end (json);
}

static void
all_to_json (const CliPositions *positions)
{
  CliJson *json = positions->cli->doc;

  cli_json_array (json, "functions");
  for (guint i = 0; i < positions->functions->len; i++)
    {
      const CliPositioned *positioned = cli_positioned_at (positions, i);

      if (positioned->left_out)
        continue;
      cli_json_object (json, NULL);
      cli_json_string (json, "function", positioned->name);
      cli_json_address (json, "address", positioned->function->hot.start);
      cli_json_bool (json, "callee", positioned->inner);
      cli_json_uint (json, "calls", positioned->position->calls);
      cli_json_uint (json, "blocks", positioned->cfg->n_blocks);
      figures_to_json (json, "before", &positioned->position->before);
      figures_to_json (json, "after", &positioned->after);
      cli_json_end (json);
    }
  cli_json_end (json);
  cli_json_array (json, "called_as_they_are");
  for (guint i = 0; i < positions->refused->len; i++)
    cli_json_string (json, NULL, positions->refused->pdata[i]);
  cli_json_end (json);
  figures_to_json (json, "before", &positions->before);
  figures_to_json (json, "after", &positions->after);
  times_to_json (json, &positions->times);
}

void
cli_position_show (const CliPositions *positions)
{
  if (positions->cli->doc != NULL)
    all_to_json (positions);
  else
    print_all (positions);
}

void
cli_position_verdict (const CliPositions *positions, const char *word, const char *why, double kept_s)
{
  if (positions->cli->doc != NULL)
    {
      cli_json_string (positions->cli->doc, "verdict", word);
      cli_json_string (positions->cli->doc, "why", why != NULL ? _(why) : NULL);
      cli_json_double (positions->cli->doc, "kept_seconds", kept_s);
      return;
    }
  if (why != NULL)
    cli_print (positions->cli, "%s\n", _(why));
  else
    cli_note (positions->cli, _("The new layout was kept for %.1f s; everything is restored."), kept_s);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * layout-report.c - reports and judges the effect of a new code layout
 */
#include "cli/record/layout.h"

#include <glib/gi18n.h>

#include "cli/base/output.h"

#define GAIN_MIN 0.02         /* minimum relative decrease of taken branches or cache lines */

const char *
cli_layout_check_gain (const CliLayout *layout, const char **why)
{
  const GilkLayoutFigures *before = &layout->before, *after = &layout->after;

  if (after->taken <= before->taken * (1 - GAIN_MIN) || after->lines <= before->lines * (1 - GAIN_MIN))
    return NULL;
  *why = N_("By the counts, the new layout would reduce neither taken branches nor touched cache lines, so nothing was "
            "changed.");
  return "nothing-to-gain";
}

const char *
cli_layout_check_slowdown (const CliLayout *layout, const char **why)
{
  if (!layout->times.known || layout->times.low <= 0)
    return NULL;
  *why = N_("Calls take longer than before, so everything was restored.");
  return "slower";
}

/* ---- text ---- */

static void
add_change_cell (CliTable *table, const char *format, double before, double after)
{
  g_autofree char *from = g_strdup_printf (format, before);
  g_autofree char *to = g_strdup_printf (format, after);

  cli_table_cellf (table, "%s → %s", from, to);
}

static void
add_figures_cells (CliTable *table, const GilkLayoutFigures *before, const GilkLayoutFigures *after)
{
  add_change_cell (table, "%.2f", before->taken, after->taken);
  add_change_cell (table, "%.1f", before->insns, after->insns);
  add_change_cell (table, "%.1f", before->lines, after->lines);
  add_change_cell (table, "%.0f", before->hot_bytes, after->hot_bytes);
  add_change_cell (table, "%.0f", before->span, after->span);
}

static void
print_times (const CliLayout *layout)
{
  const CliLayoutTimes *times = &layout->times;

  if (times->known)
    cli_print (layout->cli,
               _("A call of %s takes %.0f ns with the original layout and %.0f ns with the new one: %+.1f %% (%+.1f to "
                 "%+.1f %%; %u pairs of intervals, %lu calls).\n"),
               cli_layout_function (layout, 0)->name, times->before_ns, times->after_ns,
               100 * times->difference, 100 * times->low, 100 * times->high, times->pairs, (gulong) times->calls);
  else if (times->why_not != NULL)
    cli_print (layout->cli, _("The time of calls was not measured: %s\n"), times->why_not);
}

static void
note_refused (const CliLayout *layout)
{
  g_autoptr(GString) names = g_string_new (NULL);

  for (guint i = 0; i < layout->refused->len; i++)
    g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", (const char *) layout->refused->pdata[i]);
  if (layout->refused->len > 0)
    cli_note (layout->cli, ngettext ("%u function is called unchanged: it cannot be cloned, or was not counted "
                                     "(%s).",
                                     "%u functions are called unchanged: they cannot be cloned, or were not counted "
                                     "(%s).", layout->refused->len), layout->refused->len, names->str);
}

static void
print_layout (const CliLayout *layout)
{
  g_autoptr(CliTable) table =
    cli_table_new (_("<FUNCTION|>CALLS|>TAKEN BRANCHES|>INSTRUCTIONS|>CACHE LINES|>HOT BYTES|>SPAN"));
  guint placed = 0;

  for (guint i = 0; i < layout->functions->len; i++)
    {
      const CliLayoutFunction *func = cli_layout_function (layout, i);

      if (func->left_out)
        continue;
      placed++;
      cli_table_cellf (table, "%s%s", func->inner ? "  " : "", func->name);
      cli_table_cellf (table, "%" G_GUINT64_FORMAT, func->layout->calls);
      add_figures_cells (table, &func->layout->before, &func->after);
    }
  if (placed > 1)
    {
      cli_table_cell (table, _("total, per call of the first"));
      cli_table_cellf (table, "%" G_GUINT64_FORMAT, cli_layout_function (layout, 0)->layout->calls);
      add_figures_cells (table, &layout->before, &layout->after);
    }
  cli_print_table (layout->cli, table);
  note_refused (layout);
  print_times (layout);
}

/* ---- JSON ---- */

static void
figures_to_json (CliJson *json, const char *key, const GilkLayoutFigures *figures)
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
times_to_json (CliJson *json, const CliLayoutTimes *times)
{
  cli_json_object (json, "call_time");
  cli_json_bool (json, "known", times->known);
  cli_json_string (json, "reason_unknown", times->why_not);
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
layout_to_json (const CliLayout *layout)
{
  CliJson *json = layout->cli->doc;

  cli_json_array (json, "functions");
  for (guint i = 0; i < layout->functions->len; i++)
    {
      const CliLayoutFunction *func = cli_layout_function (layout, i);

      if (func->left_out)
        continue;
      cli_json_object (json, NULL);
      cli_json_string (json, "function", func->name);
      cli_json_address (json, "address", func->function->hot.start);
      cli_json_bool (json, "callee", func->inner);
      cli_json_uint (json, "calls", func->layout->calls);
      cli_json_uint (json, "blocks", func->cfg->n_blocks);
      figures_to_json (json, "before", &func->layout->before);
      figures_to_json (json, "after", &func->after);
      cli_json_end (json);
    }
  cli_json_end (json);
  cli_json_array (json, "not_cloned");
  for (guint i = 0; i < layout->refused->len; i++)
    cli_json_string (json, NULL, layout->refused->pdata[i]);
  cli_json_end (json);
  figures_to_json (json, "before", &layout->before);
  figures_to_json (json, "after", &layout->after);
  times_to_json (json, &layout->times);
}

void
cli_layout_show (const CliLayout *layout)
{
  if (layout->cli->doc != NULL)
    layout_to_json (layout);
  else
    print_layout (layout);
}

void
cli_layout_print_verdict (const CliLayout *layout, const char *word, const char *why, double kept_s)
{
  if (layout->cli->doc != NULL)
    {
      cli_json_string (layout->cli->doc, "verdict", word);
      cli_json_string (layout->cli->doc, "reason", why != NULL ? _(why) : NULL);
      cli_json_double (layout->cli->doc, "kept_seconds", kept_s);
      return;
    }
  if (why != NULL)
    cli_print (layout->cli, "%s\n", _(why));
  else
    cli_note (layout->cli, _("The new layout was kept for %.1f s; everything is restored."), kept_s);
}

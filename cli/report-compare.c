/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report-compare.c - gilk report --compare A B: are two hooks or runs of one distribution, and if
 * not, how far are they apart?
 */
#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "cli/report-figures.h"
#include "cli/sources.h"
#include "core/analysis/gilk-hook-compare.h"
#include "core/analysis/gilk-hook-gaps.h"
#include "core/analysis/gilk-loss-rule.h"
#include "core/plot/gilk-plot.h"

static const double asked[] = { 0.1, 0.25, 0.5, 0.75, 0.9, 0.99 };
static const char *const names[] = { "p10", "p25", "median", "p75", "p90", "p99" };

G_STATIC_ASSERT (G_N_ELEMENTS (asked) == G_N_ELEMENTS (names));

const double *
cli_compare_asked (guint *n)
{
  *n = G_N_ELEMENTS (asked);
  return asked;
}

typedef struct {
  const char       *name_a, *name_b, *field;
  char             *unit;
  GArray           *gaps[2];
  GilkHookCompared  found;
} Pair;

static void
pair_clear (Pair *pair)
{
  gilk_hook_compared_clear (&pair->found);
  for (guint i = 0; i < 2; i++)
    g_clear_pointer (&pair->gaps[i], g_array_unref);
  g_clear_pointer (&pair->unit, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Pair, pair_clear)

static gboolean
pair_compare (Pair *pair, const CliSources *sources, const char *field, GError **error)
{
  GilkHookSide sides[2];

  for (guint i = 0; i < 2; i++)
    {
      const GilkFigureSource *source = cli_sources_get (sources, i);

      pair->gaps[i] = gilk_hook_gaps (source->store, source->hook, source->duration, error);
      if (pair->gaps[i] == NULL)
        return FALSE;
      sides[i] = (GilkHookSide) {
        source->store, source->hook,
        { .field = field, .condition = source->condition, .gaps = pair->gaps[i], .from = NAN, .to = NAN,
          .cost = source->cost },
      };
    }
  if (!gilk_hook_compare (sides, asked, G_N_ELEMENTS (asked), &pair->found, error))
    return FALSE;
  for (guint i = 0; i < 2; i++)
    if (pair->found.n[i] == 0)
      {
        g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                     _("There is nothing to compare: %s has no value of %s."), cli_sources_get (sources, i)->name,
                     field);
        return FALSE;
      }
  return TRUE;
}

static gboolean
pair_read (Pair *pair, const CliSources *sources, const char *field, GError **error)
{
  const GilkFigureSource *a = cli_sources_get (sources, 0), *b = cli_sources_get (sources, 1);
  g_autofree char *unit = NULL;

  pair->field = field;
  pair->name_a = a->name;
  pair->name_b = b->name;
  pair->unit = cli_source_unit (a, field, error);
  unit = pair->unit != NULL ? cli_source_unit (b, field, error) : NULL;
  if (unit == NULL)
    return FALSE;
  if (strcmp (unit, pair->unit) != 0)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
                   _("%s measures %s in \"%s\" and %s in \"%s\", which cannot be compared."), a->name, field,
                   pair->unit, b->name, unit);
      return FALSE;
    }
  return pair_compare (pair, sources, field, error);
}

static void
side_to_json (CliJson *json, const char *key, const char *name, const GilkHookCompared *found, guint side)
{
  cli_json_row (json, key);
  cli_json_string (json, "hook", name);
  cli_json_uint (json, "values", found->n[side]);
  cli_json_uint (json, "lost", found->lost[side]);
  cli_json_uint (json, "cut", found->cut[side]);
  cli_json_double (json, "mean", found->mean[side]);
  cli_json_end (json);
}

static void
pair_to_json (CliJson *json, const CliMeasured *of_a, const CliMeasured *of_b, const GilkHookCompared *found)
{
  const GilkCompared *figures = &found->found;

  cli_json_object (json, "compare");
  cli_json_string (json, "field", of_a->field);
  cli_json_string (json, "unit", of_a->unit);
  side_to_json (json, "a", of_a->name, found, 0);
  side_to_json (json, "b", of_b->name, found, 1);
  cli_json_array (json, "quantiles");
  for (guint i = 0; i < G_N_ELEMENTS (asked); i++)
    {
      cli_json_row (json, NULL);
      cli_json_double (json, "p", asked[i]);
      cli_json_double (json, "a", figures->a[i]);
      cli_json_double (json, "b", figures->b[i]);
      cli_json_double (json, "difference", figures->differences[i].value);
      cli_json_double (json, "low", figures->differences[i].low);
      cli_json_double (json, "high", figures->differences[i].high);
      cli_json_end (json);
    }
  cli_json_end (json);
  cli_json_row (json, "kolmogorov_smirnov");
  cli_json_double (json, "d", figures->ks.d);
  cli_json_double (json, "p", figures->ks.p);
  cli_json_double (json, "d_off_by_loss", found->loss);
  cli_json_end (json);
  cli_json_double (json, "cliffs_delta", figures->delta);
  cli_json_string (json, "cliffs_delta_is", gilk_delta_word (figures->delta));
  cli_json_end (json);
}

static void
value_cell (CliTable *table, double value, const char *unit, gboolean with_sign)
{
  g_autofree char *text = gilk_format_si (value, unit, 4);

  cli_table_cellf (table, "%s%s", with_sign && value > 0.0 ? "+" : "", text);
}

static void
print_table (Cli *cli, const CliMeasured *of_a, const CliMeasured *of_b, const GilkHookCompared *found)
{
  const GilkCompared *figures = &found->found;
  double mean_a = found->mean[0], mean_b = found->mean[1];
  g_autofree char *columns = g_strdup_printf (_("<FIGURE|>%s|>%s|>DIFFERENCE|>SHARE|>95 %% FROM|>TO"), of_a->name,
                                              of_b->name);
  g_autoptr(CliTable) table = cli_table_new (columns);

  for (guint i = 0; i < G_N_ELEMENTS (asked); i++)
    {
      double a = figures->a[i];
      double b = figures->b[i];

      cli_table_cell (table, names[i]);
      value_cell (table, a, of_a->unit, FALSE);
      value_cell (table, b, of_a->unit, FALSE);
      value_cell (table, figures->differences[i].value, of_a->unit, TRUE);
      if (a > 0.0)
        cli_table_cellf (table, "%+.1f %%", 100.0 * (b - a) / a);
      else
        cli_table_cell (table, "-");
      value_cell (table, figures->differences[i].low, of_a->unit, TRUE);
      value_cell (table, figures->differences[i].high, of_a->unit, TRUE);
    }
  cli_table_cell (table, _("mean"));
  value_cell (table, mean_a, of_a->unit, FALSE);
  value_cell (table, mean_b, of_a->unit, FALSE);
  value_cell (table, mean_b - mean_a, of_a->unit, TRUE);
  if (mean_a > 0.0)
    cli_table_cellf (table, "%+.1f %%", 100.0 * (mean_b - mean_a) / mean_a);
  cli_print_table (cli, table);
}

static void
print_verdict (Cli *cli, const CliMeasured *of_a, const CliMeasured *of_b, const GilkHookCompared *found)
{
  const GilkCompared *figures = &found->found;
  double delta = rint (1000.0 * figures->delta) / 1000.0 + 0.0;       /* never -0 */

  if (isnan (figures->ks.p))
    cli_print (cli, _("Kolmogorov and Smirnov: D %.4f; no p, for what was lost could make this distance by "
                      "itself.\n"), figures->ks.d);
  else if (figures->ks.p < 1e-12)
    cli_print (cli, _("Kolmogorov and Smirnov: D %.4f, p below 1e-12: not of one distribution.\n"), figures->ks.d);
  else
    cli_print (cli, _("Kolmogorov and Smirnov: D %.4f, p %.3g: %s.\n"), figures->ks.d, figures->ks.p,
               figures->ks.p < 0.01 ? _("not of one distribution")
                                 : _("they may well be of one distribution"));
  cli_print (cli, _("Cliff's delta %+.3f, %s: of pairs of values, %s is above %s in %.1f %% more than below.\n"),
             delta, _(gilk_delta_word (figures->delta)), of_b->name, of_a->name, 100.0 * delta);
  if (found->loss > 0.0)
    cli_print_tinted (cli, CLI_TINT_WARN, _("%lu and %lu were lost: a distance of distributions may be off by "
                                            "%.2g %%, and differences of quantiles with it.\n"),
                      (guint64) found->lost[0], (guint64) found->lost[1], 100.0 * found->loss);
}

void
cli_compare_show (Cli *cli, const CliMeasured *of_a, const CliMeasured *of_b, const GilkHookCompared *found)
{
  if (cli->doc != NULL)
    {
      pair_to_json (cli->doc, of_a, of_b, found);
      return;
    }
  cli_print_tinted (cli, CLI_TINT_BOLD, _("\n%s of %s and %s: %lu and %lu values\n"), of_a->field, of_a->name,
                    of_b->name, (guint64) found->n[0], (guint64) found->n[1]);
  print_table (cli, of_a, of_b, found);
  print_verdict (cli, of_a, of_b, found);
}

gboolean
cli_report_compare (Cli *cli, const CliSession *session, const CliFigures *figures, GError **error)
{
  g_auto(CliSources) sources = { NULL };
  g_auto(Pair) pair = { 0 };

  cli_sources_init (&sources, figures->condition);
  if (!cli_sources_add (&sources, cli, session, figures->compare, error) ||
      !cli_sources_add (&sources, cli, session, figures->with, error) ||
      (figures->subtract_cost && !cli_sources_subtract_cost (&sources, figures->field, error)) ||
      !pair_read (&pair, &sources, figures->field != NULL ? figures->field : "interval", error))
    return FALSE;
  cli_compare_show (cli, &(CliMeasured) { .name = pair.name_a, .field = pair.field, .unit = pair.unit },
                    &(CliMeasured) { .name = pair.name_b, .field = pair.field, .unit = pair.unit }, &pair.found);
  cli_sources_tell_cost (&sources, cli, "compared_cost_taken_off");
  return TRUE;
}

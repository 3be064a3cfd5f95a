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
#include "core/analysis/gilk-compare.h"
#include "core/analysis/gilk-hook-gaps.h"
#include "core/analysis/gilk-hook-sorted.h"
#include "core/analysis/gilk-loss-rule.h"
#include "core/plot/gilk-plot.h"

#define LEVEL      0.95
#define REPLICATES 2000
#define SEED       2002

static const struct { double p; const char *name; } asked[] = {
  { 0.1, "p10" }, { 0.25, "p25" }, { 0.5, "median" }, { 0.75, "p75" }, { 0.9, "p90" }, { 0.99, "p99" },
};

typedef struct {
  GilkSorted   a, b;
  uint64_t     lost_a, lost_b;
  const char  *name_a, *name_b, *field;
  char        *unit;
  GilkKs       ks;
  double       delta;               /* of B over A */
  double       loss;                /* by how much D may be off */
  GilkInterval differences[G_N_ELEMENTS (asked)];
} Pair;

static void
pair_clear (Pair *pair)
{
  gilk_sorted_clear (&pair->a);
  gilk_sorted_clear (&pair->b);
  g_clear_pointer (&pair->unit, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Pair, pair_clear)

static gboolean
read_one (const GilkFigureSource *source, const char *field, GilkSorted *sorted, GError **error)
{
  g_autoptr(GArray) gaps = gilk_hook_gaps (source->store, source->hook, source->duration, error);
  const GilkHookAsk ask = { .field = field, .condition = source->condition, .gaps = gaps, .from = NAN, .to = NAN };

  if (gaps == NULL || !gilk_hook_sorted (source->store, source->hook, &ask, sorted, error))
    return FALSE;
  if (sorted->n > 0)
    return TRUE;
  g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
               _("There is nothing to compare: %s has no value of %s."), source->name, field);
  return FALSE;
}

static gboolean
pair_read (Pair *pair, const CliSources *sources, const char *field, GError **error)
{
  const GilkFigureSource *a = cli_sources_get (sources, 0), *b = cli_sources_get (sources, 1);
  g_autofree char *unit = NULL;

  pair->field = field;
  pair->name_a = a->name;
  pair->name_b = b->name;
  pair->lost_a = a->hook->lost;
  pair->lost_b = b->hook->lost;
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
  return read_one (a, field, &pair->a, error) && read_one (b, field, &pair->b, error);
}

static void
pair_figure (Pair *pair)
{
  pair->ks = gilk_ks (pair->a.values, pair->a.n, pair->b.values, pair->b.n);
  pair->delta = gilk_cliffs_delta (pair->b.values, pair->b.n, pair->a.values, pair->a.n);
  pair->loss = gilk_loss_share (pair->a.n * (uint64_t) pair->a.every, pair->lost_a) +
               gilk_loss_share (pair->b.n * (uint64_t) pair->b.every, pair->lost_b);
  for (guint i = 0; i < G_N_ELEMENTS (asked); i++)
    pair->differences[i] = gilk_quantile_difference (pair->a.values, pair->a.n, pair->b.values, pair->b.n,
                                                     asked[i].p, LEVEL, REPLICATES, SEED);
  /* A distance that loss alone can make says nothing. */
  if (pair->loss >= pair->ks.d && pair->loss > 0.0)
    pair->ks.p = NAN;
}

/* Romano and others' words for how great it is (2006). */
static const char *
delta_word (double delta)
{
  delta = fabs (delta);
  return delta < 0.147 ? _("negligible") : delta < 0.33 ? _("small") : delta < 0.474 ? _("medium") : _("large");
}

static void
side_to_json (CliJson *json, const char *key, const char *name, const GilkSorted *side, uint64_t lost)
{
  cli_json_row (json, key);
  cli_json_string (json, "hook", name);
  cli_json_uint (json, "values", side->n);
  cli_json_uint (json, "every", side->every);
  cli_json_uint (json, "lost", lost);
  cli_json_uint (json, "cut", side->cut);
  cli_json_double (json, "mean", side->mean);
  cli_json_end (json);
}

static void
pair_to_json (CliJson *json, const Pair *pair)
{
  cli_json_object (json, "compare");
  cli_json_string (json, "field", pair->field);
  cli_json_string (json, "unit", pair->unit);
  side_to_json (json, "a", pair->name_a, &pair->a, pair->lost_a);
  side_to_json (json, "b", pair->name_b, &pair->b, pair->lost_b);
  cli_json_array (json, "quantiles");
  for (guint i = 0; i < G_N_ELEMENTS (asked); i++)
    {
      cli_json_row (json, NULL);
      cli_json_double (json, "p", asked[i].p);
      cli_json_double (json, "a", gilk_quantile (pair->a.values, pair->a.n, asked[i].p));
      cli_json_double (json, "b", gilk_quantile (pair->b.values, pair->b.n, asked[i].p));
      cli_json_double (json, "difference", pair->differences[i].value);
      cli_json_double (json, "low", pair->differences[i].low);
      cli_json_double (json, "high", pair->differences[i].high);
      cli_json_end (json);
    }
  cli_json_end (json);
  cli_json_row (json, "kolmogorov_smirnov");
  cli_json_double (json, "d", pair->ks.d);
  cli_json_double (json, "p", pair->ks.p);
  cli_json_double (json, "d_off_by_loss", pair->loss);
  cli_json_end (json);
  cli_json_double (json, "cliffs_delta", pair->delta);
  cli_json_string (json, "cliffs_delta_is", delta_word (pair->delta));
  cli_json_end (json);
}

static void
value_cell (CliTable *table, double value, const char *unit, gboolean with_sign)
{
  g_autofree char *text = gilk_format_si (value, unit, 4);

  cli_table_cellf (table, "%s%s", with_sign && value > 0.0 ? "+" : "", text);
}

static void
print_table (Cli *cli, const Pair *pair)
{
  g_autofree char *columns = g_strdup_printf ("<FIGURE|>%s|>%s|>DIFFERENCE|>SHARE|>95 %% FROM|>TO", pair->name_a,
                                              pair->name_b);
  g_autoptr(CliTable) table = cli_table_new (columns);

  for (guint i = 0; i < G_N_ELEMENTS (asked); i++)
    {
      double a = gilk_quantile (pair->a.values, pair->a.n, asked[i].p);
      double b = gilk_quantile (pair->b.values, pair->b.n, asked[i].p);

      cli_table_cell (table, asked[i].name);
      value_cell (table, a, pair->unit, FALSE);
      value_cell (table, b, pair->unit, FALSE);
      value_cell (table, pair->differences[i].value, pair->unit, TRUE);
      if (a > 0.0)
        cli_table_cellf (table, "%+.1f %%", 100.0 * (b - a) / a);
      else
        cli_table_cell (table, "-");
      value_cell (table, pair->differences[i].low, pair->unit, TRUE);
      value_cell (table, pair->differences[i].high, pair->unit, TRUE);
    }
  cli_table_cell (table, _("mean"));
  value_cell (table, pair->a.mean, pair->unit, FALSE);
  value_cell (table, pair->b.mean, pair->unit, FALSE);
  value_cell (table, pair->b.mean - pair->a.mean, pair->unit, TRUE);
  if (pair->a.mean > 0.0)
    cli_table_cellf (table, "%+.1f %%", 100.0 * (pair->b.mean - pair->a.mean) / pair->a.mean);
  cli_print_table (cli, table);
}

static void
print_verdict (Cli *cli, const Pair *pair)
{
  if (isnan (pair->ks.p))
    cli_print (cli, _("Kolmogorov and Smirnov: D %.4f; no p, for what was lost could make this distance by "
                      "itself.\n"), pair->ks.d);
  else if (pair->ks.p < 1e-12)
    cli_print (cli, _("Kolmogorov and Smirnov: D %.4f, p below 1e-12: not of one distribution.\n"), pair->ks.d);
  else
    cli_print (cli, _("Kolmogorov and Smirnov: D %.4f, p %.3g: %s.\n"), pair->ks.d, pair->ks.p,
               pair->ks.p < 0.01 ? _("not of one distribution")
                                 : _("they may well be of one distribution"));
  cli_print (cli, _("Cliff's delta %+.3f, %s: of pairs of values, %s is above %s in %.1f %% more than below.\n"),
             pair->delta, delta_word (pair->delta), pair->name_b, pair->name_a, 100.0 * pair->delta);
  if (pair->a.every > 1 || pair->b.every > 1)
    cli_print (cli, _("Of so many samples each %u-th and %u-th alone was taken.\n"), pair->a.every, pair->b.every);
  if (pair->loss > 0.0)
    cli_print_tinted (cli, CLI_TINT_WARN, _("%lu and %lu were lost: a distance of distributions may be off by "
                                            "%.2g %%, and differences of quantiles with it.\n"),
                      (guint64) pair->lost_a, (guint64) pair->lost_b, 100.0 * pair->loss);
}

gboolean
cli_report_compare (Cli *cli, const CliSession *session, const CliFigures *figures, GError **error)
{
  g_auto(CliSources) sources = { NULL };
  g_auto(Pair) pair = { 0 };

  cli_sources_init (&sources, figures->condition);
  if (!cli_sources_add (&sources, cli, session, figures->compare, error) ||
      !cli_sources_add (&sources, cli, session, figures->with, error) ||
      !pair_read (&pair, &sources, figures->field != NULL ? figures->field : "interval", error))
    return FALSE;
  pair_figure (&pair);
  if (cli->doc != NULL)
    {
      pair_to_json (cli->doc, &pair);
      return TRUE;
    }
  cli_print_tinted (cli, CLI_TINT_BOLD, _("\n%s of %s and %s: %lu and %lu values\n"), pair.field, pair.name_a,
                    pair.name_b, (guint64) pair.a.n, (guint64) pair.b.n);
  print_table (cli, &pair);
  print_verdict (cli, &pair);
  return TRUE;
}

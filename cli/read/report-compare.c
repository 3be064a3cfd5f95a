/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report-compare.c - gilk report --compare A B: reports the difference of two hooks, runs or sets
 * of runs, and whether chance explains it
 */
#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "cli/base/reports.h"
#include "cli/base/sources.h"
#include "core/analysis/gilk-hook-compare.h"
#include "core/analysis/gilk-hook-gaps.h"

static const double probabilities[] = { 0.1, 0.25, 0.5, 0.75, 0.9, 0.99 };

const double *
cli_compare_quantiles (guint *n)
{
  *n = G_N_ELEMENTS (probabilities);
  return probabilities;
}

typedef struct {
  const char       *name_a, *name_b, *field;
  char             *unit;
  GPtrArray        *gaps;       /* for each source, an array of GilkGap: times in which samples were
                                 * lost or the hook was switched off */
  GilkHookCompared  found;
  gboolean          in_turn;    /* runs of A and B alternated */
} Pair;

static void
pair_clear (Pair *pair)
{
  gilk_hook_compared_clear (&pair->found);
  g_clear_pointer (&pair->gaps, g_ptr_array_unref);
  g_clear_pointer (&pair->unit, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Pair, pair_clear)

/* Returns whether the runs of A (the first @n_a sources) alternated with those of B: neither side's
 * last run started before the other side's first. */
static gboolean
do_runs_alternate (const CliSources *sources, guint n_a)
{
  const char *first[2] = { NULL, NULL }, *last[2] = { NULL, NULL };

  for (guint i = 0; i < sources->list->len; i++)
    {
      const char *started = g_ptr_array_index (sources->started, i);
      guint side = i >= n_a;

      if (first[side] == NULL || strcmp (started, first[side]) < 0)
        first[side] = started;
      if (last[side] == NULL || strcmp (started, last[side]) > 0)
        last[side] = started;
    }

  return strcmp (last[0], first[1]) >= 0 && strcmp (last[1], first[0]) >= 0;
}

static gboolean
pair_compare (Pair *pair, const CliSources *sources, guint n_a, const char *field, GError **error)
{
  guint n = sources->list->len;
  g_autofree GilkHookSide *sides = g_new0 (GilkHookSide, n);

  pair->gaps = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  for (guint i = 0; i < n; i++)
    {
      const GilkFigureSource *source = cli_sources_get (sources, i);
      GArray *gaps = gilk_hook_gaps (source->store, source->hook, source->duration, error);

      if (gaps == NULL)
        return FALSE;
      g_ptr_array_add (pair->gaps, gaps);
      sides[i] = (GilkHookSide) {
        source->store, source->hook,
        { .field = field, .condition = source->condition, .gaps = gaps, .from = NAN, .to = NAN, .cost = source->cost },
      };
    }
  if (!gilk_hook_compare ((const GilkHookRuns[]) { { sides, n_a }, { sides + n_a, n - n_a } }, probabilities, G_N_ELEMENTS (probabilities),
                          &pair->found, error))
    return FALSE;
  pair->in_turn = do_runs_alternate (sources, n_a);
  if (pair->found.found.a != NULL)
    return TRUE;
  return gilk_fail (error, GILK_ERROR_NOT_FOUND,
                    pair->found.n[0] > 0 && pair->found.n[1] > 0
                      ? _("Nothing to compare: a run of %s has no value of %s.")
                      : _("Nothing to compare: %s has no value of %s."),
                    pair->found.n[0] == 0 ? pair->name_a : pair->found.n[1] == 0 ? pair->name_b : pair->name_a, field);
}

/* Fails if the same run is among the runs of both sides, A and B. */
static gboolean
check_sides_differ (const CliSources *sources, guint n_a, GError **error)
{
  for (guint i = 0; i < n_a; i++)
    for (guint k = n_a; k < sources->list->len; k++)
      {
        const GilkFigureSource *a = cli_sources_get (sources, i), *b = cli_sources_get (sources, k);

        if (a->hook->id != b->hook->id || strcmp (gilk_store_path (a->store), gilk_store_path (b->store)) != 0 ||
            sources->list->len == 2)
          continue;
        return gilk_fail (error, GILK_ERROR_USAGE,
                          _("%s is on both sides. Name each run on one side only."), b->name);
      }
  return TRUE;
}

static gboolean
pair_read (Pair *pair, const CliSources *sources, guint n_a, const char *field, GError **error)
{
  const GilkFigureSource *a = cli_sources_get (sources, 0);

  pair->field = field;
  pair->unit = cli_source_unit (a, field, error);
  if (pair->unit == NULL || !check_sides_differ (sources, n_a, error))
    return FALSE;
  for (guint i = 1; i < sources->list->len; i++)
    {
      const GilkFigureSource *b = cli_sources_get (sources, i);
      g_autofree char *unit = cli_source_unit (b, field, error);

      if (unit == NULL)
        return FALSE;
      if (strcmp (unit, pair->unit) == 0)
        continue;
      return gilk_fail (error, GILK_ERROR_USAGE,
                        _("Cannot compare: %s measures %s in the unit \"%s\", but %s measures it "
                          "in the unit \"%s\"."), a->name, field,
                        pair->unit, b->name, unit);
    }
  return pair_compare (pair, sources, n_a, field, error);
}

static void
side_to_json (CliJson *json, const char *key, const CliDataSource *data, const GilkHookCompared *found, guint side)
{
  cli_json_row (json, key);
  cli_json_string (json, "hook", data->name);
  if (data->way != NULL)
    cli_json_string (json, "way", data->way);
  cli_json_uint (json, "runs", found->runs[side]);
  cli_json_uint (json, "values", found->n[side]);
  if (!isnan (found->n_effective[side]))
    cli_json_double (json, "independent", found->n_effective[side]);
  cli_json_uint (json, "lost", found->lost[side]);
  cli_json_uint (json, "cut", found->cut[side]);
  cli_json_double (json, "mean", found->mean[side]);
  cli_json_end (json);
}

static void
pair_to_json (CliJson *json, const CliDataSource *data_a, const CliDataSource *data_b, const GilkHookCompared *found,
              gboolean in_turn)
{
  const GilkCompared *figures = &found->found;

  cli_json_object (json, "compare");
  cli_json_string (json, "field", data_a->field);
  cli_json_string (json, "unit", data_a->unit);
  side_to_json (json, "a", data_a, found, 0);
  side_to_json (json, "b", data_b, found, 1);
  cli_json_array (json, "quantiles");
  for (guint i = 0; i < G_N_ELEMENTS (probabilities); i++)
    {
      cli_json_row (json, NULL);
      cli_json_double (json, "p", probabilities[i]);
      cli_json_double (json, "a", figures->a[i]);
      cli_json_double (json, "b", figures->b[i]);
      cli_json_double (json, "difference", figures->differences[i].value);
      cli_json_double (json, "low", figures->differences[i].low);
      cli_json_double (json, "high", figures->differences[i].high);
      cli_json_end (json);
    }
  cli_json_end (json);
  cli_json_double (json, "cliffs_delta", figures->delta);
  cli_json_double (json, "cliffs_delta_low", found->delta.low);
  cli_json_double (json, "cliffs_delta_high", found->delta.high);
  cli_json_string (json, "cliffs_delta_size", gilk_delta_magnitude (figures->delta));
  cli_json_row (json, "kolmogorov_smirnov");
  cli_json_double (json, "d", figures->ks.d);
  cli_json_double (json, "p_if_independent", figures->ks.p);
  cli_json_double (json, "d_error_by_loss", found->loss);
  cli_json_end (json);
  cli_json_double (json, "p", found->p);
  cli_json_double (json, "p_min", found->p_min);
  cli_json_bool (json, "between_runs_known", found->runs[0] + found->runs[1] > 2);
  cli_json_bool (json, "alternated", in_turn);
  cli_json_end (json);
}

static void
print_table (Cli *cli, const CliDataSource *data_a, const CliDataSource *data_b, const GilkHookCompared *found)
{
  g_autofree char *columns = g_strdup_printf (_("<FIGURE|>%s|>%s|>DIFFERENCE|>95 %% FROM|>TO|>SHARE"), data_a->name,
                                              data_b->name);
  g_autoptr(CliTable) table = cli_table_new (columns);
  g_autoptr(GPtrArray) rows = gilk_compared_rows (found, probabilities, G_N_ELEMENTS (probabilities), data_a->unit, 4);

  for (guint i = 0; i < rows->len; i++)
    {
      const GilkComparedRow *row = gilk_compared_row (rows, i);

      cli_table_cell (table, row->name);
      cli_table_cell (table, row->a_text);
      cli_table_cell (table, row->b_text);
      cli_table_cell (table, row->difference_text);
      cli_table_cell (table, row->low);
      cli_table_cell (table, row->high);
      cli_table_cell (table, row->share);
    }
  cli_print_table (cli, table);
}

/* Prints whether the driver or BPF hooked the kernel on each side, unless both used the driver. */
static void
print_ways (Cli *cli, const CliDataSource *data_a, const CliDataSource *data_b)
{
  if (data_a->way == NULL || data_b->way == NULL || (strcmp (data_a->way, "ilk") == 0 && strcmp (data_b->way, "ilk") == 0))
    return;
  cli_print (cli, _("Hooking method: %s by %s, %s by %s.\n"), data_a->name, data_a->way, data_b->name, data_b->way);
  if (strcmp (data_a->way, data_b->way) != 0)
    cli_print_tinted (cli, CLI_TINT_WARN, _("A hit costs more by bpf than by ilk: part of a difference in time is this cost.\n"));
}

static void
print_delta (Cli *cli, const CliDataSource *data_a, const CliDataSource *data_b, const GilkHookCompared *found)
{
  double delta = rint (1000.0 * found->found.delta) / 1000.0 + 0.0;       /* never -0 */

  cli_print (cli, _("Cliff's delta %+.3f, %s: the share of value pairs in which %s is above %s, "
                    "minus the share in which it is below, is %.1f %%.\n"),
             delta, _(gilk_delta_magnitude (delta)), data_b->name, data_a->name, 100.0 * delta);
  if (!isnan (found->delta.low))
    cli_print (cli, _("95 %% confidence interval of Cliff's delta within these runs: %+.3f to "
                      "%+.3f.\n"),
                    found->delta.low, found->delta.high);
}

static gboolean
has_missing_bounds (const GilkCompared *figures)
{
  for (guint i = 0; i < G_N_ELEMENTS (probabilities); i++)
    if (isnan (figures->differences[i].low))
      return TRUE;
  return FALSE;
}

/* Prints the limits of a comparison with one run per side. */
static void
print_one_run (Cli *cli, const GilkHookCompared *found)
{
  if (isnan (found->n_effective[0]))
    {
      cli_print_tinted (cli, CLI_TINT_WARN,
                        _("A store gives no confidence intervals and no p values, which need single runs and samples "
                          "in order of time. Compare the sessions instead.\n"));
      return;
    }
  if (found->n_effective[0] < 0.5 * (double) found->n[0] || found->n_effective[1] < 0.5 * (double) found->n[1])
    cli_print (cli, _("Successive values are correlated: the %lu and %lu values of the two sides "
                      "are worth about %.0f and %.0f independent values.\n"),
               (guint64) found->n[0], (guint64) found->n[1], found->n_effective[0], found->n_effective[1]);
  if (has_missing_bounds (&found->found))
    cli_print (cli, _("A dash marks an interval with too few independent values.\n"));
  cli_print_tinted (cli, CLI_TINT_WARN, _("One run per side: variation between runs is unknown, so confidence "
                                          "intervals hold within these runs only, and there is no p value. Record "
                                          "each side at least four times, alternately, and compare HOOK@1,3,5,7 with "
                                          "HOOK@2,4,6,8.\n"));
}

static void
print_runs (Cli *cli, const GilkHookCompared *found, gboolean in_turn)
{
  if (isnan (found->p))
    cli_print (cli, _("No p value: the losses alone could cause this effect.\n"));
  else
    cli_print (cli, _("p = %.3g: of all ways to assign the runs to the sides, this share gives an effect at least as "
                      "large as the measured one; %.3g is the smallest p possible with %u and %u runs.\n"),
                    found->p, found->p_min, found->runs[0], found->runs[1]);
  if (found->runs[0] == 1 || found->runs[1] == 1)
    cli_print_tinted (cli, CLI_TINT_WARN, _("One side has a single run: its variation between runs is unknown, and "
                                            "assumed to equal that of the other side.\n"));
  if (!in_turn)
    cli_print_tinted (cli, CLI_TINT_WARN, _("All runs of one side were recorded before those of the other: any drift "
                                            "of the machine looks like a difference. Record them alternately.\n"));
}

static void
print_verdict (Cli *cli, const CliDataSource *data_a, const CliDataSource *data_b, const GilkHookCompared *found, gboolean in_turn)
{
  print_delta (cli, data_a, data_b, found);
  if (!isnan (found->found.ks.d))
    cli_print (cli, _("Kolmogorov-Smirnov: D %.4f.\n"), found->found.ks.d);
  if (found->runs[0] + found->runs[1] > 2)
    print_runs (cli, found, in_turn);
  else
    print_one_run (cli, found);
  if (found->loss > 0.0)
    cli_print_tinted (cli, CLI_TINT_WARN, _("%lu and %lu samples were lost: the distance of the distributions may be "
                                            "off by %.2g %%, and so may differences of quantiles.\n"),
                      (guint64) found->lost[0], (guint64) found->lost[1], 100.0 * found->loss);
}

void
cli_compare_show (Cli *cli, const CliDataSource *data_a, const CliDataSource *data_b, const GilkHookCompared *found, gboolean in_turn)
{
  if (cli->doc != NULL)
    {
      pair_to_json (cli->doc, data_a, data_b, found, in_turn);
      return;
    }
  if (found->runs[0] + found->runs[1] > 2)
    cli_print_tinted (cli, CLI_TINT_BOLD, _("\nComparing %s of %s and %s: %u and %u runs, %lu and %lu values; "
                                            "figures are means over runs\n"),
                      data_a->field, data_a->name, data_b->name, found->runs[0], found->runs[1], (guint64) found->n[0],
                      (guint64) found->n[1]);
  else
    cli_print_tinted (cli, CLI_TINT_BOLD, _("\nComparing %s of %s and %s: %lu and %lu values\n"),
                      data_a->field, data_a->name,
                      data_b->name, (guint64) found->n[0], (guint64) found->n[1]);
  print_ways (cli, data_a, data_b);
  print_table (cli, data_a, data_b, found);
  print_verdict (cli, data_a, data_b, found, in_turn);
}

/* Returns "ilk", "bpf" or "ilk, bpf": what hooked the kernel for the sources @first to @end - 1. */
static const char *
find_way (const CliSources *sources, guint first, guint end)
{
  guint by_bpf = 0;

  for (guint i = first; i < end; i++)
    by_bpf += gilk_stored_hook_by_bpf (cli_sources_get (sources, i)->hook);

  return by_bpf == 0 ? "ilk" : by_bpf == end - first ? "bpf" : "ilk, bpf";
}

gboolean
cli_report_compare (Cli *cli, const CliSession *session, const CliFigures *figures, GError **error)
{
  const char *field = figures->field != NULL ? figures->field : "interval";
  g_auto(CliSources) sources = { NULL };
  g_auto(Pair) pair = { .name_a = figures->compare, .name_b = figures->with };
  guint n_a;

  cli_sources_init (&sources, figures->condition);
  if (!cli_sources_add (&sources, cli, session, figures->compare, error))
    return FALSE;
  n_a = sources.list->len;
  if (!cli_sources_add (&sources, cli, session, figures->with, error) ||
      (figures->subtract_cost && !cli_sources_subtract_cost (&sources, figures->field, error)) ||
      !pair_read (&pair, &sources, n_a, field, error))
    return FALSE;
  cli_compare_show (cli, &(CliDataSource) { .name = pair.name_a, .field = pair.field, .unit = pair.unit,
                                            .way = find_way (&sources, 0, n_a) },
                    &(CliDataSource) { .name = pair.name_b, .field = pair.field, .unit = pair.unit,
                                       .way = find_way (&sources, n_a, sources.list->len) }, &pair.found, pair.in_turn);
  cli_sources_report_cost (&sources, cli, "compared");
  return TRUE;
}

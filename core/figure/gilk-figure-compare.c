/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-figure-compare.c - compares the samples of two hooks: the distance of their distributions in
 * words and numbers, and two figures side by side
 *
 * Computing the distance takes longer than making a figure of both hooks, so it is a separate
 * request.
 */
#include "core/figure/gilk-figure-compare.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "core/analysis/gilk-hook-compare.h"
#include "core/base/gilk-error.h"
#include "core/figure/gilk-figure-private.h"

#define DIGITS 3                 /* number of significant digits of values; few, because the panel
                                  * that shows the values is narrow */

/* Quantiles that are compared. The list is fixed, because the block length of the bootstrap and the
 * interval of the distance depend on all quantiles in it. */
static const double compared_at[] = { 0.5, 0.9, 0.99, 0.999 };

/* Describes, for all selected values, Cliff's delta with its confidence interval, and the distance
 * of the distribution functions. Gives no p-value, because that needs several runs per side.
 * (transfer full) */
static char *
describe_distance (const GilkHookCompared *compared, const char *a, const char *b)
{
  const GilkInterval *delta = &compared->delta;
  g_autofree char *interval = isnan (delta->low) ? g_strdup (_("too few independent values for a confidence interval"))
                              : g_strdup_printf (_("95 %% interval %+.3f to %+.3f within these runs"), delta->low, delta->high);

  return g_strdup_printf (_("Cliff's delta %+.3f (%s) of %s over %s, %s; Kolmogorov–Smirnov D %.4f; variation between "
                            "runs is unknown"), rint (1000.0 * delta->value) / 1000.0 + 0.0, _(gilk_delta_magnitude (delta->value)),
                          b, a, interval, compared->found.ks.d);
}

static GilkFigureCompared *
copy_comparison (const GilkHookCompared *compared, const GilkFigureSource *sources, const char *unit)
{
  GilkFigureCompared *kept = g_new0 (GilkFigureCompared, 1);

  kept->words = describe_distance (compared, sources[0].name, sources[1].name);
  for (guint i = 0; i < 2; i++)
    {
      kept->names[i] = g_strdup (sources[i].name);
      kept->n[i] = compared->n[i];
      kept->lost[i] = compared->lost[i];
    }
  kept->rows = gilk_compared_rows (compared, compared_at, G_N_ELEMENTS (compared_at), unit, DIGITS);

  return kept;
}

void
gilk_figure_compared_free (GilkFigureCompared *compared)
{
  for (guint i = 0; i < 2; i++)
    g_free (compared->names[i]);
  g_free (compared->words);
  g_ptr_array_unref (compared->rows);
  g_free (compared);
}

gboolean
gilk_figure_compare (const GilkFigureAsk    *ask,
                     const GilkFigureSource *sources,
                     guint                   n,
                     GilkFigureCompared    **compared,
                     GError                **error)
{
  gboolean is_of_values = ask->kind == GILK_FIGURE_HISTOGRAM || ask->kind == GILK_FIGURE_ECDF, good = TRUE;
  g_auto(GilkHookCompared) found = { .owner = NULL };
  GilkFigurePart parts[2] = { 0 };
  GilkHookSide sides[2];

  *compared = NULL;
  if (n != 2 || !is_of_values || !isnan (ask->low) || !isnan (ask->high))
    return TRUE;
  for (guint i = 0; good && i < n; i++)
    {
      good = gilk_figure_part_init (&parts[i], &sources[i], ask, error);
      sides[i] = (GilkHookSide) { sources[i].store, sources[i].hook, gilk_figure_part_ask (&parts[i], ask) };
    }
  good = good && gilk_hook_compare ((const GilkHookRuns[]) { { &sides[0], 1 }, { &sides[1], 1 } }, compared_at, G_N_ELEMENTS (compared_at), &found,
                                     error);
  if (good && found.n[0] > 0 && found.n[1] > 0)
    *compared = copy_comparison (&found, sources, parts[0].unit);
  for (guint i = 0; i < n; i++)
    gilk_figure_part_clear (&parts[i]);

  return good;
}

gboolean
gilk_figure_distance (const GilkFigureAsk    *ask,
                      const GilkFigureSource *sources,
                      guint                   n,
                      char                  **words,
                      GError                **error)
{
  GilkFigureCompared *compared;

  *words = NULL;
  if (!gilk_figure_compare (ask, sources, n, &compared, error))
    return FALSE;
  if (compared != NULL)
    {
      *words = g_strdup (compared->words);
      gilk_figure_compared_free (compared);
    }

  return TRUE;
}

void
gilk_figure_prepend_caption (GilkFigure *figure,
                             const char *words)
{
  char *caption = figure->caption;

  figure->caption = caption != NULL ? g_strconcat (words, ". ", caption, NULL) : g_strdup (words);
  g_free (caption);
}

/*
 * Makes two figures to show side by side, on the same axes and in the same bins.
 */

/* ---- distributions: make one figure with shared bins, then split it ---- */

static void
count_curves (GilkFigure *figure)
{
  figure->samples = figure->lost = 0;
  for (guint i = 0; i < figure->curves->len; i++)
    {
      const GilkCurve *curve = g_ptr_array_index (figure->curves, i);

      figure->samples += curve->samples;
      figure->lost += curve->lost;
    }
  g_clear_pointer (&figure->loss_note, g_free);
  if (figure->lost > 0)
    figure->loss_note = g_strdup_printf (_("%" PRIu64 " lost"), figure->lost);
}

static void
copy_axis (GilkFigureAxis *axis, const GilkFigureAxis *of)
{
  *axis = *of;
  axis->label = g_strdup (of->label);
  axis->unit = g_strdup (of->unit);
}

/* Moves the curves with index @n_left or higher from @figure to a new figure. (transfer full) */
static GilkFigure *
split_curves (GilkFigure *figure, guint n_left)
{
  GilkFigure *right = gilk_figure_new (figure->kind);

  copy_axis (&right->x, &figure->x);
  copy_axis (&right->y, &figure->y);
  right->caption = g_strdup (figure->caption);
  right->message = g_strdup (figure->message);
  right->share_band = figure->share_band;
  while (figure->curves->len > n_left)
    g_ptr_array_add (right->curves, g_ptr_array_steal_index (figure->curves, n_left));
  count_curves (figure);
  count_curves (right);

  return right;
}

/* ---- other kinds: make two figures, then join their axes ---- */

static void
join_axes (GilkFigureAxis *a, GilkFigureAxis *b)
{
  if (a->scale != b->scale)
    return;
  a->from = b->from = MIN (a->from, b->from);
  a->to = b->to = MAX (a->to, b->to);
}

/* Gives both heat maps cells of the same height, so that equal colours mean equal counts. */
static void
join_cells (GilkFigure *a, GilkFigure *b)
{
  if (a->heat == NULL || b->heat == NULL || a->heat->scale != b->heat->scale || a->heat->rows == 0 || b->heat->rows == 0)
    return;
  gilk_heat_coarsen (a->heat, MAX (a->heat->exponent, b->heat->exponent));
  gilk_heat_coarsen (b->heat, a->heat->exponent);
  a->neighbour_max = gilk_heat_greatest (b->heat);
  b->neighbour_max = gilk_heat_greatest (a->heat);
}

static gboolean
check_units (const GilkFigure *left, const GilkFigure *right, GError **error)
{
  const char *a = left->y.unit != NULL ? left->y.unit : "", *b = right->y.unit != NULL ? right->y.unit : "";

  if (strcmp (a, b) == 0)
    return TRUE;
  return gilk_fail (error, GILK_ERROR_USAGE,
      _("The two plots have different units (“%s” and “%s”) and cannot share an axis. "
        "Plot them separately."), a, b);
}

gboolean
gilk_figure_make_pair (const GilkFigureAsk    *ask,
                       const GilkFigureSource *sources,
                       guint                   n,
                       guint                   n_left,
                       GilkFigure            **left,
                       GilkFigure            **right,
                       GError                **error)
{
  g_autoptr(GilkFigure) one = NULL, other = NULL;
  gboolean binned = ask->kind == GILK_FIGURE_HISTOGRAM;

  one = gilk_figure_make (ask, sources, binned ? n : n_left, error);
  if (one == NULL)
    return FALSE;
  other = binned ? split_curves (one, n_left) : gilk_figure_make (ask, sources + n_left, n - n_left, error);
  if (other == NULL)
    return FALSE;
  if (one->message == NULL && other->message == NULL)
    {
      if (!check_units (one, other, error))
        return FALSE;
      join_axes (&one->x, &other->x);
      join_axes (&one->y, &other->y);
      join_cells (one, other);
    }
  one->neighbour_caption = g_strdup (other->caption);
  other->neighbour_caption = g_strdup (one->caption);
  *left = g_steal_pointer (&one);
  *right = g_steal_pointer (&other);

  return TRUE;
}

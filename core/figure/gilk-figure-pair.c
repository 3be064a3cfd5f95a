/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-figure-pair.c - makes two figures to show side by side, on the same axes and in the same
 * bins
 */
#include "core/figure/gilk-figure-private.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <string.h>

#include "core/base/gilk-error.h"

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
  g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
               _("The two plots have different units (“%s” and “%s”) and cannot share an axis. "
                 "Plot them separately."), a, b);

  return FALSE;
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

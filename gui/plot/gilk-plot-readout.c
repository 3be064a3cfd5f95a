/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plot-readout.c - describes a position of a figure in words
 */
#include "gui/plot/gilk-plot-view-private.h"

#include <glib/gi18n.h>
#include <math.h>

#include "core/plot/gilk-plot.h"
#include "gui/base/gilk-text.h"

#define STOPS 120

static const GilkCurve *
get_first_curve (const GilkFigure *figure)
{
  return figure->curves->len > 0 ? g_ptr_array_index (figure->curves, 0) : NULL;
}

guint
gilk_plot_readout_n_stops (const GilkFigure *figure)
{
  const GilkCurve *curve = get_first_curve (figure);

  if (figure->histogram != NULL)
    return figure->histogram->n_bins;
  if (figure->heat != NULL)
    return figure->heat->columns;

  return curve != NULL ? MIN (curve->n, STOPS) : 0;
}

static guint
convert_to_point (const GilkFigure *figure, guint stop)
{
  const GilkCurve *curve = get_first_curve (figure);

  return (guint) ((guint64) stop * curve->n / MIN (curve->n, STOPS));
}

void
gilk_plot_readout_stop_range (const GilkFigure *figure,
                              guint             stop,
                              double           *from,
                              double           *to)
{
  const GilkHeat *heat = figure->heat;

  if (figure->histogram != NULL)
    {
      *from = figure->histogram->edges[stop];
      *to = figure->histogram->edges[stop + 1];
    }
  else if (heat != NULL)
    {
      *from = heat->from + (heat->to - heat->from) * stop / heat->columns;
      *to = heat->from + (heat->to - heat->from) * (stop + 1) / heat->columns;
    }
  else
    *from = *to = get_first_curve (figure)->x[convert_to_point (figure, stop)];
}

int
gilk_plot_readout_stop_at (const GilkFigure *figure,
                           double            x)
{
  const GilkHistogram *h = figure->histogram;

  for (guint i = 0; h != NULL && i < h->n_bins; i++)
    if (x >= h->edges[i] && x < h->edges[i + 1])
      return (int) i;

  return -1;
}

static char *
describe_bin (const GilkFigure *figure, guint bin)
{
  const GilkHistogram *h = figure->histogram;
  g_autofree char *from = gilk_format_si (h->edges[bin], figure->x.unit, 3);
  g_autofree char *to = gilk_format_si (h->edges[bin + 1], figure->x.unit, 3);
  g_autofree char *count = gilk_text_samples (h->counts[bin]);
  uint64_t below = 0;

  for (guint i = 0; i <= bin; i++)
    below += h->counts[i];

  return g_strdup_printf (_("%s to %s: %s, %.2f %%, cumulative %.2f %%"), from, to, count,
                          100.0 * (double) h->counts[bin] / (double) MAX (h->n, 1),
                          100.0 * (double) below / (double) MAX (h->n, 1));
}

/* Returns a text about a column of a heat map, with the range of values that is most frequent in
 * this column. */
static char *
describe_column (const GilkFigure *figure, guint column)
{
  const GilkHeat *heat = figure->heat;
  double from, to;
  uint64_t n = 0, most = 0;
  guint row = 0;

  gilk_plot_readout_stop_range (figure, column, &from, &to);
  for (guint r = 0; r < heat->rows; r++)
    {
      n += gilk_heat_at (heat, column, r);
      if (gilk_heat_at (heat, column, r) > most)
        {
          most = gilk_heat_at (heat, column, r);
          row = r;
        }
    }
  g_autofree char *at = gilk_format_si (from, figure->x.unit, 4);
  g_autofree char *count = gilk_text_samples (n);
  g_autofree char *low = gilk_format_si (gilk_heat_edge (heat, row), figure->y.unit, 3);
  g_autofree char *high = gilk_format_si (gilk_heat_edge (heat, row + 1), figure->y.unit, 3);

  if (n == 0)
    return g_strdup_printf (_("at %s: no samples"), at);

  return g_strdup_printf (_("at %s: %s, fullest bin from %s to %s"), at, count, low, high);
}

/* Returns the values of all curves at @x as text. */
static char *
describe_curves (const GilkFigure *figure, double x)
{
  g_autofree char *at = gilk_format_si (x, figure->x.unit, 4);
  GString *text = g_string_new (at);

  for (guint i = 0; i < figure->curves->len; i++)
    {
      const GilkCurve *curve = g_ptr_array_index (figure->curves, i);
      g_autofree char *value = NULL;
      guint low = 0, high = curve->n;

      /* Find the last point at or before @x. */
      while (low + 1 < high)
        {
          guint middle = low + (high - low) / 2;

          if (curve->x[middle] <= x)
            low = middle;
          else
            high = middle;
        }
      if (curve->n == 0 || isnan (curve->y[low]))
        continue;
      value = gilk_format_si (curve->y[low], figure->y.unit, 4);
      g_string_append_printf (text, figure->curves->len > 1 ? " · %s: %s" : ": %.0s%s", curve->name, value);
      if (curve->y2 != NULL && curve->y2[low] > curve->y[low])
        {
          g_autofree char *most = gilk_format_si (curve->y2[low], figure->y.unit, 4);

          g_string_append_printf (text, _(" to %s"), most);
        }
    }

  return g_string_free (text, FALSE);
}

char *
gilk_plot_readout_describe (const GilkFigure *figure,
                            guint             stop)
{
  if (figure->histogram != NULL)
    return describe_bin (figure, stop);
  if (figure->heat != NULL)
    return describe_column (figure, stop);

  return describe_curves (figure, get_first_curve (figure)->x[convert_to_point (figure, stop)]);
}

char *
gilk_plot_readout_describe_at (const GilkFigure *figure,
                               double            x,
                               double            y)
{
  const GilkHeat *heat = figure->heat;
  guint column, row;

  if (heat == NULL)
    return describe_curves (figure, x);
  column = (guint) CLAMP ((x - heat->from) / (heat->to - heat->from) * heat->columns, 0, heat->columns - 1);
  for (row = 0; row < heat->rows; row++)
    if (y >= gilk_heat_edge (heat, row) && y < gilk_heat_edge (heat, row + 1))
      {
        g_autofree char *at = gilk_format_si (x, figure->x.unit, 4);
        g_autofree char *low = gilk_format_si (gilk_heat_edge (heat, row), figure->y.unit, 3);
        g_autofree char *high = gilk_format_si (gilk_heat_edge (heat, row + 1), figure->y.unit, 3);
        g_autofree char *count = gilk_text_samples (gilk_heat_at (heat, column, row));

        return g_strdup_printf (_("at %s, %s to %s: %s"), at, low, high, count);
      }

  return g_strdup ("");
}

char *
gilk_plot_readout_describe_mark (const GilkFigure         *figure,
                                 const GilkSelectionRange *mark)
{
  g_autofree char *from = NULL, *to = NULL, *count = NULL;
  gboolean exact;
  double share;
  uint64_t n;

  if (figure == NULL || !gilk_selection_is_set (mark))
    return NULL;
  from = gilk_format_si (mark->from, figure->x.unit, 3);
  to = gilk_format_si (mark->to, figure->x.unit, 3);
  if (!gilk_selection_count (figure, mark, &n, &share, &exact))
    return g_strdup_printf (_("selected %s to %s"), from, to);
  count = gilk_text_samples (n);

  return g_strdup_printf (exact ? _("selected %s to %s: %s, %.1f %%") : _("selected %s to %s: about %s, %.1f %%"),
                          from, to, count, 100.0 * share);
}

char *
gilk_plot_readout_join_texts (const char *one,
                              const char *other)
{
  if (one == NULL || other == NULL || *one == '\0' || *other == '\0')
    return g_strdup (one != NULL && *one != '\0' ? one : other);

  return g_strdup_printf ("%s · %s", one, other);
}

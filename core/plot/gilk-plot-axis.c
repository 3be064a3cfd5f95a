/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plot-axis.c - computes ticks and the plot area
 *
 * Steps are 1, 2 or 5 times a power of ten; logarithmic axes label decades, and 2 and 5 within them
 * if there is room. A linear axis has one prefix for all labels, so that they differ in the digits
 * that matter.
 */
#include "core/plot/gilk-plot-private.h"

#include <math.h>

#include "core/base/gilk-array.h"
#include "core/base/gilk-memory.h"

/* ---- finds the ticks of an axis ---- */

GILK_DEFINE_CLEAR (clear_tick, GilkTick, self, g_free (self->label))

static void
add_tick (GilkAxis *axis, double value, char *label)
{
  GilkTick tick = { value, label };

  g_array_append_val (axis->ticks, tick);
}

/* Returns a label for @value; zero has no prefix: "0", "0 s". */
static char *
format_linear_label (double value, int decimals, int exponent, const char *base)
{
  return gilk_format_scaled (value, value == 0.0 ? 0 : decimals, value == 0.0 ? 0 : exponent, base);
}

/* Returns the @n-th of 1, 2, 5, 10, 20, ... times @start. */
static double
get_nice_step (double start, guint n)
{
  static const double row[] = { 1.0, 2.0, 5.0 };

  return start * row[n % 3] * pow (10.0, n / 3);
}

static void
add_linear_ticks (GilkAxis *axis, double step, const char *unit)
{
  int exponent, decimals;
  const char *base = gilk_unit_base (unit, &exponent);
  double unit_scale = pow (10.0, exponent);
  double greatest = MAX (fabs (axis->from), fabs (axis->to));
  int prefix = gilk_unit_prefix (greatest * unit_scale, base, 3);
  double scale, first = ceil (axis->from / step - 1e-9), last = floor (axis->to / step + 1e-9);

  /* Use no SI prefix if the steps are small compared to the values: the labels would be no
   * shorter. */
  if (prefix > 0 && step * unit_scale * 1000 < pow (10.0, prefix))
    prefix = 0;
  scale = unit_scale / pow (10.0, prefix);
  decimals = (int) CLAMP (ceil (-log10 (step * scale) - 1e-9), 0, 12);
  g_array_set_size (axis->ticks, 0);
  for (double i = first; i <= last && axis->ticks->len < 1000; i += 1.0)
    add_tick (axis, i * step, format_linear_label (i * step * scale, decimals, prefix, base));
}

/* Returns a label as a power of ten, such as "10⁶": over many decades of plain numbers, an SI
 * prefix would change from label to label. */
static char *
format_power_label (int decade)
{
  static const char *const digits[] = { "⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹" };
  g_autofree char *number = g_strdup_printf ("%d", decade);
  GString *label = g_string_new ("10");

  for (const char *c = number; *c != '\0'; c++)
    g_string_append (label, *c == '-' ? "⁻" : digits[*c - '0']);

  return g_string_free (label, FALSE);
}

static char *
format_log_label (const GilkAxis *axis, double value, int decade, int digit, const char *unit)
{
  gboolean plain = unit == NULL || *unit == '\0';

  if (plain && (axis->to >= 1e5 || axis->from < 1e-3))
    return digit == 1 ? format_power_label (decade) : NULL;

  return gilk_format_si (value, unit, 6);
}

/* Labels every @every-th decade, and adds @digits ticks within each decade: 0, or 2 (at 2 and
 * 5). */
static void
add_log_ticks (GilkAxis *axis, guint every, guint digits, const char *unit)
{
  int first = (int) floor (log10 (axis->from) + 1e-9), last = (int) ceil (log10 (axis->to) - 1e-9);

  g_array_set_size (axis->ticks, 0);
  for (int decade = first; decade <= last; decade++)
    for (int digit = 1; digit <= 9; digit++)
      {
        double value = digit * pow (10.0, decade);
        gboolean major = digit == 1 ? ((decade - first) % (int) every) == 0
                                    : digits > 0 && (digit == 2 || digit == 5);

        if (value < axis->from * (1 - 1e-9) || value > axis->to * (1 + 1e-9))
          continue;
        if (digit > 1 && every > 1)
          continue;
        add_tick (axis, value, major ? format_log_label (axis, value, decade, digit, unit) : NULL);
      }
}

static guint
count_labels (const GilkAxis *axis)
{
  guint n = 0;

  for (guint i = 0; i < axis->ticks->len; i++)
    n += g_array_index (axis->ticks, GilkTick, i).label != NULL;

  return n;
}

/* Returns TRUE if no two labels touch; stores the width of the widest label. */
static gboolean
labels_fit (GilkAxis *axis, GilkPainter *p, double length, gboolean vertical)
{
  double size = p->style->size, end = -INFINITY;
  gboolean fit = TRUE;

  axis->widest = 0.0;
  for (guint i = 0; i < axis->ticks->len; i++)
    {
      const GilkTick *tick = &g_array_index (axis->ticks, GilkTick, i);
      double at, width, half;

      if (tick->label == NULL)
        continue;
      at = gilk_axis_position (axis, tick->value) * length;
      width = gilk_painter_text_width (p, tick->label, 1.0, FALSE);
      axis->widest = MAX (axis->widest, width);
      half = vertical ? 1.1 * size : width / 2 + 0.9 * size;
      fit = fit && at - half >= end;
      end = at + half;
    }

  return fit;
}

static void
place_linear_ticks (GilkAxis *axis, GilkPainter *p, const char *unit, double length, gboolean vertical)
{
  double room = (vertical ? 3.0 : 5.0) * p->style->size;
  double rough = (axis->to - axis->from) * room / MAX (length, room);
  double start = pow (10.0, floor (log10 (rough)));

  for (guint n = 0; n < 40; n++)
    {
      double step = get_nice_step (start, n);

      if (step < rough * (1 - 1e-9) || (axis->whole && step < 1.0))
        continue;
      add_linear_ticks (axis, step, unit);
      if (labels_fit (axis, p, length, vertical))
        break;
    }
}

static void
place_log_ticks (GilkAxis *axis, GilkPainter *p, const char *unit, double length, gboolean vertical)
{
  add_log_ticks (axis, 1, 2, unit);
  if (count_labels (axis) < 2)
    {
      place_linear_ticks (axis, p, unit, length, vertical);
      return;
    }
  if (log10 (axis->to / axis->from) <= 4.0 && labels_fit (axis, p, length, vertical))
    return;
  for (guint every = 1; every < 320; every++)
    {
      add_log_ticks (axis, every, 0, unit);
      if (labels_fit (axis, p, length, vertical))
        break;
    }
}

void
gilk_axis_init (GilkAxis    *axis,
                GilkPainter *p,
                double       from,
                double       to,
                GilkAxisKind kind,
                const char  *unit,
                double       length,
                gboolean     vertical)
{
  *axis = (GilkAxis) {
    .from = from, .to = to, .log = kind == GILK_AXIS_LOG, .whole = kind == GILK_AXIS_WHOLE,
  };
  axis->ticks = gilk_array_new (sizeof (GilkTick), clear_tick);

  if (axis->log)
    place_log_ticks (axis, p, unit, length, vertical);
  else
    place_linear_ticks (axis, p, unit, length, vertical);
}

void
gilk_axis_clear (GilkAxis *axis)
{
  g_clear_pointer (&axis->ticks, g_array_unref);
}

double
gilk_axis_position (const GilkAxis *axis,
                    double          value)
{
  if (axis->log)
    return log (value / axis->from) / log (axis->to / axis->from);

  return (value - axis->from) / (axis->to - axis->from);
}

/* ---- lays out and draws the plot area ---- */

void
gilk_plot_area_init (GilkPlotArea         *area,
                     GilkPainter          *p,
                     const GilkPlotBounds *bounds)
{
  double size = p->style->size, margin = 1.2 * size, overhang;

  *area = (GilkPlotArea) { 0 };
  area->top = bounds->top + bounds->head_room + (bounds->y_label != NULL ? 2.4 : 0.9) * size;
  area->bottom = p->height - margin - 1.7 * size - (bounds->x_label != NULL ? 1.7 * size : 0);
  area->bottom = floor (MAX (area->bottom, area->top + 1));
  area->top = floor (area->top);
  gilk_axis_init (&area->y, p, bounds->y_from, bounds->y_to, bounds->y_kind, bounds->y_unit,
                  area->bottom - area->top, TRUE);

  /* The last label may be centred at the axis' right end, so that half of it overhangs. Lay out the
   * axis a first time to measure the labels, then make the area narrower and lay out the axis
   * again. */
  area->left = ceil (margin + area->y.widest + 0.8 * size);
  area->right = floor (MAX (p->width - margin, area->left + 1));
  gilk_axis_init (&area->x, p, bounds->x_from, bounds->x_to, bounds->x_kind, bounds->x_unit,
                  area->right - area->left, FALSE);
  overhang = ceil (area->x.widest / 2);
  gilk_axis_clear (&area->x);
  area->left = MAX (area->left, ceil (margin * 0.5 + overhang));
  area->right = floor (MAX (p->width - MAX (margin, margin * 0.5 + overhang), area->left + 1));
  gilk_axis_init (&area->x, p, bounds->x_from, bounds->x_to, bounds->x_kind, bounds->x_unit,
                  area->right - area->left, FALSE);
}

void
gilk_plot_area_clear (GilkPlotArea *area)
{
  gilk_axis_clear (&area->x);
  gilk_axis_clear (&area->y);
}

double
gilk_plot_area_x (const GilkPlotArea *area,
                  double              value)
{
  return area->left + gilk_axis_position (&area->x, value) * (area->right - area->left);
}

double
gilk_plot_area_y (const GilkPlotArea *area,
                  double              value)
{
  return area->bottom - gilk_axis_position (&area->y, value) * (area->bottom - area->top);
}

static void
draw_y_axis (const GilkPlotArea *area, GilkPainter *p)
{
  const GilkPlotStyle *style = p->style;

  for (guint i = 0; i < area->y.ticks->len; i++)
    {
      const GilkTick *tick = &g_array_index (area->y.ticks, GilkTick, i);
      double y = gilk_plot_area_y (area, tick->value);

      if (tick->label == NULL)
        continue;
      gilk_painter_line (p, area->left, y, area->right, y);
      gilk_painter_colour (p, &style->grid, 1.0);
      cairo_stroke (p->cr);
      gilk_painter_text (p, area->left - 0.7 * style->size, y, 1.0, tick->label, 1.0, FALSE, 0.0,
                         &style->dim);
    }
}

static void
draw_x_axis (const GilkPlotArea *area, GilkPainter *p)
{
  const GilkPlotStyle *style = p->style;
  double size = style->size;

  for (guint i = 0; i < area->x.ticks->len; i++)
    {
      const GilkTick *tick = &g_array_index (area->x.ticks, GilkTick, i);
      double x = gilk_plot_area_x (area, tick->value);

      gilk_painter_line (p, x, area->bottom, x,
                         area->bottom + (tick->label != NULL ? 0.45 : 0.25) * size);
      gilk_painter_colour (p, &style->dim, 0.7);
      cairo_stroke (p->cr);
      gilk_painter_text (p, x, area->bottom + 1.3 * size, 0.5, tick->label, 1.0, FALSE, 0.0,
                         &style->dim);
    }
}

/* Draws gridlines and labels; data is painted over them. */
void
gilk_plot_area_draw (const GilkPlotArea   *area,
                     GilkPainter          *p,
                     const GilkPlotBounds *bounds)
{
  const GilkPlotStyle *style = p->style;
  double size = style->size;

  cairo_set_line_width (p->cr, 1.0);
  draw_y_axis (area, p);
  draw_x_axis (area, p);
  gilk_painter_line (p, area->left, area->bottom, area->right, area->bottom);
  gilk_painter_colour (p, &style->dim, 0.7);
  cairo_stroke (p->cr);

  if (bounds->y_label != NULL)
    gilk_painter_text (p, 1.2 * size, area->top - bounds->head_room - (bounds->head_room > 0 ? 0.7 : 1.2) * size, 0.0,
                       bounds->y_label, 0.95, FALSE, area->right - 1.2 * size, &style->dim);
  if (bounds->x_label != NULL)
    gilk_painter_text (p, (area->left + area->right) / 2, area->bottom + 3.0 * size, 0.5,
                       bounds->x_label, 1.0, FALSE, area->right - area->left, &style->text);
}

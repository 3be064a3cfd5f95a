/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-schedule-draw.c - paints the visible bars of the schedule
 */
#include "gui/plan/gilk-schedule-private.h"

#include <glib/gi18n.h>
#include <math.h>

#include "gui/base/gilk-settings.h"
#include "gui/base/gilk-text.h"

#define BAR          GILK_SCHEDULE_BAR
#define BRACKET      8           /* height of the bracket of a function's row, pixels */
#define ARROW        9
#define GRIPS_MIN_PX  28         /* minimum width of a bar with grips, pixels */
#define TEXT_MIN_PX  64          /* minimum width of a bar with text, pixels */
#define INTERVAL_MIN_PX  2.0     /* minimum width in pixels of a drawn A/B interval; if intervals
                                  * are narrower, the bar is tinted */

typedef struct {
  GilkScheduleView *view;
  cairo_t          *cr;
  GilkPlotStyle     style;
  const GilkPlan   *plan;
  uint8_t          *on;          /* for each A/B interval: whether hooks are switched on; NULL:
                                  * intervals are not drawn */
  guint             n_intervals;
  double            left, right;
} Canvas;

static void
set_colour (Canvas *c, const GilkColour *colour, double tint)
{
  cairo_set_source_rgba (c->cr, colour->r, colour->g, colour->b, colour->a * tint);
}

/* Returns the width of the text. */
static double
draw_text (Canvas *c, const GilkColour *colour, const char *text, double x, double middle, double width, double align)
{
  g_autoptr(PangoLayout) layout = gtk_widget_create_pango_layout (GTK_WIDGET (c->view), text);
  PangoAttrList *attributes = pango_attr_list_new ();
  int w, h;

  pango_attr_list_insert (attributes, pango_attr_scale_new (0.85));
  pango_layout_set_attributes (layout, attributes);
  pango_attr_list_unref (attributes);
  if (width > 0)
    {
      pango_layout_set_width (layout, (int) (width * PANGO_SCALE));
      pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_MIDDLE);
    }
  pango_layout_get_pixel_size (layout, &w, &h);
  set_colour (c, colour, 1);
  cairo_move_to (c->cr, x - w * align, middle - h / 2.0);
  pango_cairo_show_layout (c->cr, layout);

  return w;
}

static void
draw_axis (Canvas *c, double bottom)
{
  GilkScheduleView *self = c->view;
  double step = gilk_schedule_view_step (self), span = (double) gilk_schedule_view_span (self);

  for (double at = floor (MAX (gilk_schedule_view_time (self, c->left), 0) / step) * step; at <= span; at += step)
    {
      double x = round (gilk_schedule_view_x (self, (uint64_t) at)) + 0.5;
      g_autofree char *text = at == 0 ? g_strdup ("0") : gilk_format_duration ((uint64_t) at);

      if (x < c->left - 1)
        continue;
      if (x > c->right + 1)
        break;
      set_colour (c, &c->style.grid, 1);
      cairo_set_line_width (c->cr, 1);
      cairo_move_to (c->cr, x, GILK_SCHEDULE_AXIS - 4);
      cairo_line_to (c->cr, x, bottom);
      cairo_stroke (c->cr);
      draw_text (c, &c->style.dim, text, x, GILK_SCHEDULE_AXIS / 2.0 - 1, 0, 0.5);
    }
}

/* Returns the colour of an instrument, the same in all bars. */
static GilkColour
get_colour (Canvas *c, const char *instrument)
{
  const GilkColour colours[] = { c->style.accent, c->style.series[4], c->style.good, c->style.accent2 };
  gpointer known;

  if (!g_hash_table_lookup_extended (c->view->colours, instrument, NULL, &known))
    {
      known = GUINT_TO_POINTER (g_hash_table_size (c->view->colours));
      g_hash_table_insert (c->view->colours, g_strdup (instrument), known);
    }

  return colours[GPOINTER_TO_UINT (known) % G_N_ELEMENTS (colours)];
}

static void
lay_intervals (Canvas *c)
{
  GilkScheduleView *self = c->view;
  const GilkPlanInterleave *interleave = &c->plan->interleave;

  if (interleave->period_ns == 0 || gilk_schedule_view_x (self, interleave->period_ns) - gilk_schedule_view_x (self, 0) < INTERVAL_MIN_PX)
    return;
  c->n_intervals = (guint) (gilk_schedule_view_span (self) / interleave->period_ns) + 2;
  c->on = gilk_interleave_intervals (interleave, c->n_intervals);
}

/* Adds the bar of @hook from @x0 to @x1 to the path. If hooks are switched off and on, adds only
 * the intervals in which @hook is on. */
static void
add_bar (Canvas *c, const GilkPlanHook *hook, double top, double x0, double x1)
{
  uint64_t period = c->plan->interleave.period_ns;

  x0 = MAX (x0, c->left);
  x1 = MIN (x1, c->right);
  if (c->on == NULL || !gilk_plan_is_switched (c->plan, hook))
    {
      cairo_rectangle (c->cr, x0, top, MAX (x1 - x0, 0), BAR);
      return;
    }
  for (guint i = (guint) (MAX (gilk_schedule_view_time (c->view, x0), 0) / (double) period); i < c->n_intervals; i++)
    {
      double from = MAX (gilk_schedule_view_x (c->view, i * period), x0);
      double to = MIN (gilk_schedule_view_x (c->view, (i + 1) * period), x1);

      if (from > x1)
        break;
      if (c->on[i] && to > from)
        cairo_rectangle (c->cr, from, top, to - from, BAR);
    }
}

/* Draws the grips by which the ends of a bar are dragged, if the bar is wide enough. */
static void
draw_grips (Canvas *c, const GilkColour *ink, double middle, double x0, double x1)
{
  if (x1 - x0 < GRIPS_MIN_PX)
    return;
  set_colour (c, ink, 0.55);
  cairo_set_line_width (c->cr, 1);
  for (int i = 0; i < 2; i++)
    {
      const double left = floor (x0) + 3.5 + 2 * i, right = ceil (x1) - 3.5 - 2 * i;

      cairo_move_to (c->cr, left, middle - BAR / 4.0);
      cairo_line_to (c->cr, left, middle + BAR / 4.0);
      cairo_move_to (c->cr, right, middle - BAR / 4.0);
      cairo_line_to (c->cr, right, middle + BAR / 4.0);
    }
  cairo_stroke (c->cr);
}

static double
get_lightness (const GilkColour *colour)
{
  return 0.3 * colour->r + 0.59 * colour->g + 0.11 * colour->b;
}

/* Returns the text or surface colour, whichever contrasts more with the bar. */
static const GilkColour *
choose_ink (Canvas *c, const GilkColour *bar, double tint)
{
  const double light = tint * get_lightness (bar) + (1 - tint) * get_lightness (&c->style.surface);

  return fabs (get_lightness (&c->style.text) - light) > fabs (get_lightness (&c->style.surface) - light) ? &c->style.text : &c->style.surface;
}

/* Draws the hook's instrument and times, ellipsized to the bar's width. */
static void
draw_bar_text (Canvas *c, const GilkPlanHook *hook, const GilkColour *ink, double middle, double x0, double x1)
{
  g_autofree char *start = gilk_format_duration (hook->start_ns);
  g_autofree char *stop = hook->stop_ns != 0 ? gilk_format_duration (hook->stop_ns) : g_strdup (_("end"));
  g_autofree char *words = g_strdup_printf ("%s · %s – %s", hook->instrument, start, stop);

  if (x1 - x0 >= TEXT_MIN_PX)
    draw_text (c, ink, words, x0 + GRIPS_MIN_PX / 2.0, middle, x1 - x0 - GRIPS_MIN_PX, 0);
}

static void
draw_hook_bar (Canvas *c, guint index, double middle, double x0, double x1)
{
  const GilkPlanHook *hook = gilk_plan_model_hook (c->view->model, index);
  GilkColour colour = get_colour (c, hook->instrument);
  double tint = c->on == NULL && gilk_plan_is_switched (c->plan, hook) ? 0.5 : 1.0;
  gboolean running = c->view->elapsed >= 0;

  if (gilk_plan_model_status (c->view->model, index)->problem != NULL)
    {
      cairo_rectangle (c->cr, MAX (x0, c->left) + 0.5, middle - BAR / 2.0 + 0.5, MIN (x1, c->right) - MAX (x0, c->left) - 1, BAR - 1);
      set_colour (c, &c->style.bad, 0.9);
      cairo_set_dash (c->cr, (double[]) { 4, 3 }, 2, 0);
      cairo_set_line_width (c->cr, 1.5);
      cairo_stroke (c->cr);
      cairo_set_dash (c->cr, NULL, 0, 0);
      return;
    }
  add_bar (c, hook, middle - BAR / 2.0, x0, x1);
  set_colour (c, &colour, tint * (running ? 0.35 : 0.85));
  cairo_fill (c->cr);
  if (running)
    {
      add_bar (c, hook, middle - BAR / 2.0, x0, MIN (gilk_schedule_view_x (c->view, (uint64_t) (c->view->elapsed * 1e9)), x1));
      set_colour (c, &colour, tint * 0.95);
      cairo_fill (c->cr);
    }
  else
    draw_grips (c, choose_ink (c, &colour, tint * 0.85), middle, x0, x1);
  draw_bar_text (c, hook, choose_ink (c, &colour, tint * (running ? 0.35 : 0.85)), middle, MAX (x0, c->left), MIN (x1, c->right));
}

/* Draws a bracket from the group's first start to its last stop. */
static void
draw_group_bar (Canvas *c, double middle, double x0, double x1)
{
  double top = middle - BRACKET / 2.0;

  x0 = MAX (x0, c->left);
  x1 = MIN (x1, c->right);
  if (x1 <= x0)
    return;
  cairo_rectangle (c->cr, x0, top, x1 - x0, 3);
  cairo_rectangle (c->cr, x0, top, MIN (3, x1 - x0), BRACKET);
  cairo_rectangle (c->cr, MAX (x1 - 3, x0), top, MIN (3, x1 - x0), BRACKET);
  set_colour (c, &c->style.text, 0.7);
  cairo_fill (c->cr);
}

/* Draws the start and stop times beside a bar that is being dragged. */
static void
draw_read_out (Canvas *c, guint row, double middle, double x0, double x1)
{
  const GilkPlanTimes times = gilk_schedule_view_row_times (c->view, row);
  g_autofree char *start = gilk_format_duration (times.start_ns);
  g_autofree char *stop = times.stop_ns != 0 ? gilk_format_duration (times.stop_ns) : g_strdup (_("end"));
  g_autofree char *text = g_strdup_printf ("%s – %s", start, stop);
  gboolean inside = x1 + 110 > c->right;

  draw_text (c, inside ? &c->style.surface : &c->style.text, text, inside ? MIN (x1, c->right) - 6 : x1 + 8, middle, 0,
             inside ? 1 : 0);
}

/* ---- drawing the labels of rows ---- */

static void
draw_arrow (Canvas *c, double middle, gboolean folded)
{
  double x = GILK_SCHEDULE_PAD - 4, h = ARROW / 2.0;

  if (folded)
    {
      cairo_move_to (c->cr, x + 2, middle - h);
      cairo_line_to (c->cr, x + 2 + h, middle);
      cairo_line_to (c->cr, x + 2, middle + h);
    }
  else
    {
      cairo_move_to (c->cr, x, middle - h / 2);
      cairo_line_to (c->cr, x + h, middle + h / 2);
      cairo_line_to (c->cr, x + 2 * h, middle - h / 2);
    }
  set_colour (c, &c->style.text, 0.8);
  cairo_set_line_width (c->cr, 1.6);
  cairo_stroke (c->cr);
}

/* Returns a text with the number of hooks of a function, and their total hits if known. */
static char *
format_total (Canvas *c, guint row)
{
  const GilkPlanGroup *group = gilk_plan_rows_group (c->view->rows, row);
  g_autoptr(GArray) hooks = gilk_plan_rows_hooks (c->view->rows, row);
  g_autofree char *text = NULL;
  gboolean counted = FALSE;
  uint64_t hits = 0;

  for (guint i = 0; i < hooks->len; i++)
    {
      const GilkHookStatus *status = gilk_plan_model_status (c->view->model, g_array_index (hooks, guint, i));

      counted |= status->counted;
      hits += status->hits;
    }
  if (!counted)
    return g_strdup_printf (g_dngettext (NULL, "%u hook", "%u hooks", group->n_hooks), group->n_hooks);
  text = gilk_text_count (hits);

  return g_strdup_printf ("%u · %s", group->n_hooks, text);
}

static void
draw_group_label (Canvas *c, guint row, double middle)
{
  const GilkPlanGroup *group = gilk_plan_rows_group (c->view->rows, row);
  g_autofree char *total = format_total (c, row);
  double wide;

  draw_arrow (c, middle, group->folded);
  wide = draw_text (c, &c->style.dim, total, c->left - GILK_SCHEDULE_PAD, middle, 0, 1);
  draw_text (c, &c->style.text, group->function, GILK_SCHEDULE_PAD + 12, middle,
             MAX (c->left - wide - 3 * GILK_SCHEDULE_PAD - 6, 20), 0);
}

static void
draw_hook_label (Canvas *c, guint row, double middle)
{
  const GilkPlanGroup *group = gilk_plan_rows_group (c->view->rows, row);
  const GilkPlanHook *hook = gilk_plan_model_hook (c->view->model, gilk_plan_rows_get (c->view->rows, row)->hook);
  gboolean inner = group->n_hooks > 1;
  const char *place = hook->block != NULL ? hook->block : hook->anchor;
  g_autofree char *name = inner && gilk_plan_hook_has_graph (hook) && place != NULL ? g_strdup (place) : gilk_text_hook (hook);
  g_autofree char *label = !gilk_plan_hook_has_graph (hook) ? g_strdup (name)
                           : g_strdup_printf ("%s %s", name, gilk_text_where (hook->where));
  double x = GILK_SCHEDULE_PAD + (inner ? 12 : 0);

  draw_text (c, &c->style.text, label, x, middle, c->left - x - GILK_SCHEDULE_PAD, 0);
}

/* ---- drawing the rows ---- */

static void
draw_row (Canvas *c, guint row)
{
  GilkScheduleView *self = c->view;
  const GilkPlanTimes times = gilk_schedule_view_row_times (self, row);
  int hook = gilk_plan_rows_get (self->rows, row)->hook;
  double middle = gilk_schedule_view_row_y (self, row) + GILK_SCHEDULE_ROW / 2.0;
  double x0 = gilk_schedule_view_x (self, times.start_ns);
  double x1 = MAX (gilk_schedule_view_x (self, times.stop_ns != 0 ? times.stop_ns : gilk_schedule_view_span (self)), x0 + 2);

  if ((int) row == self->row)
    {
      cairo_rectangle (c->cr, 0, middle - GILK_SCHEDULE_ROW / 2.0, gtk_widget_get_allocated_width (GTK_WIDGET (self)),
                       GILK_SCHEDULE_ROW);
      set_colour (c, &c->style.accent, 0.14);
      cairo_fill (c->cr);
    }
  if ((int) row == self->row && gtk_widget_has_focus (GTK_WIDGET (self)))
    {
      gtk_render_focus (gtk_widget_get_style_context (GTK_WIDGET (self)), c->cr, 2, middle - GILK_SCHEDULE_ROW / 2.0 + 1,
                        gtk_widget_get_allocated_width (GTK_WIDGET (self)) - 4, GILK_SCHEDULE_ROW - 2);
    }
  if (hook >= 0)
    {
      draw_hook_label (c, row, middle);
      cairo_rectangle (c->cr, c->left, middle - BAR / 2.0, c->right - c->left, BAR);
      set_colour (c, &c->style.grid, 0.45);
      cairo_fill (c->cr);
      draw_hook_bar (c, hook, middle, x0, x1);
    }
  else
    {
      draw_group_label (c, row, middle);
      draw_group_bar (c, middle, x0, x1);
    }
  if (self->dragging && !self->making_follower && self->drag_row == (int) row)
    draw_read_out (c, row, middle, x0, x1);
}

static void
draw_now (Canvas *c, double bottom)
{
  double x = round (gilk_schedule_view_x (c->view, (uint64_t) (c->view->elapsed * 1e9))) + 0.5;

  if (x < c->left || x > c->right)
    return;
  set_colour (c, &c->style.bad, 1);
  cairo_set_line_width (c->cr, 1.5);
  cairo_move_to (c->cr, x, GILK_SCHEDULE_AXIS - 8);
  cairo_line_to (c->cr, x, bottom);
  cairo_stroke (c->cr);
}

static void
draw_nothing (Canvas *c)
{
  const gboolean searched = gilk_plan_model_n_hooks (c->view->model) > 0;
  const int width = gtk_widget_get_allocated_width (GTK_WIDGET (c->view)), margin = 12;
  g_autoptr(PangoLayout) layout =
    gtk_widget_create_pango_layout (GTK_WIDGET (c->view), searched ? _("No planned hook matches.")
                                                                   : _("Planned hooks appear here as bars over time."));
  int h;

  pango_layout_set_width (layout, MAX (width - 2 * margin, 1) * PANGO_SCALE);
  pango_layout_set_alignment (layout, PANGO_ALIGN_CENTER);
  pango_layout_get_pixel_size (layout, NULL, &h);
  set_colour (c, &c->style.dim, 1);
  cairo_move_to (c->cr, margin, (gtk_widget_get_allocated_height (GTK_WIDGET (c->view)) - h) / 2.0);
  pango_cairo_show_layout (c->cr, layout);
}

void
gilk_schedule_draw (GilkScheduleView *self,
                    cairo_t          *cr)
{
  GtkWidget *widget = GTK_WIDGET (self);
  Canvas c = { .view = self, .cr = cr, .left = gilk_schedule_view_left (self), .right = gilk_schedule_view_right (self) };
  double bottom;
  guint n;

  gilk_style_fill (widget, &c.style);
  cairo_set_source_rgb (cr, c.style.surface.r, c.style.surface.g, c.style.surface.b);
  cairo_paint (cr);
  if (self->model == NULL)
    return;
  n = gilk_schedule_view_n_rows (self);
  if (n == 0)
    {
      draw_nothing (&c);
      return;
    }

  c.plan = gilk_plan_model_plan (self->model);
  bottom = MIN (gtk_widget_get_allocated_height (widget), gilk_schedule_view_row_y (self, n));
  draw_axis (&c, bottom);
  lay_intervals (&c);
  cairo_save (cr);
  cairo_rectangle (cr, 0, GILK_SCHEDULE_AXIS, gtk_widget_get_allocated_width (widget), bottom);
  cairo_clip (cr);
  for (guint i = (guint) MAX (gilk_schedule_view_row_at (self, GILK_SCHEDULE_AXIS), 0);
       i < n && gilk_schedule_view_row_y (self, i) < bottom; i++)
    draw_row (&c, i);
  cairo_rectangle (cr, c.left, GILK_SCHEDULE_AXIS, c.right - c.left, bottom);
  cairo_clip (cr);
  gilk_schedule_view_draw_arrows (self, cr, &c.style.text, bottom);
  if (self->making_follower && self->drag_row < (int) n)
    gilk_schedule_view_draw_follow_arrow (self, cr, &c.style.accent);
  cairo_restore (cr);
  if (self->elapsed >= 0)
    draw_now (&c, bottom);
  g_free (c.on);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-schedule-arrows.c - arrows from a hook's stop to the hooks that start after it
 *
 * An arrow runs vertically from the end of the first bar to the row of the second bar, then
 * horizontally to the start of the second bar if that is later. If a hook is in a collapsed group,
 * its arrows lead to the function's row. No arrow is drawn within a row.
 */
#include "gui/plan/gilk-schedule-private.h"

#include <math.h>

#define HEAD 4.0                 /* pixels: half the width of an arrowhead */

static double
get_row_middle (GilkScheduleView *self, int row)
{
  return gilk_schedule_view_row_y (self, (guint) row) + GILK_SCHEDULE_ROW / 2.0;
}

/* Adds an arrowhead that points right or, if @right is 0, up (@down -1) or down (@down 1). */
static void
add_head (cairo_t *cr, double x, double y, int right, int down)
{
  double back_x = x - right * 1.6 * HEAD, back_y = y - down * 1.6 * HEAD;

  cairo_move_to (cr, x, y);
  cairo_line_to (cr, back_x - down * HEAD, back_y - right * HEAD);
  cairo_line_to (cr, back_x + down * HEAD, back_y + right * HEAD);
  cairo_close_path (cr);
}

static void
draw_arrow (GilkScheduleView *self, cairo_t *cr, guint hook, int from, guint leader, int to)
{
  double x0 = round (gilk_schedule_view_x (self, gilk_schedule_view_times (self, leader).stop_ns)) + 0.5;
  double x1 = round (gilk_schedule_view_x (self, gilk_schedule_view_times (self, hook).start_ns)) + 0.5;
  double y0 = get_row_middle (self, from), y1 = round (get_row_middle (self, to)) + 0.5;
  int down = to > from ? 1 : -1;
  gboolean later = x1 - x0 > 2 * HEAD;

  y0 += down * GILK_SCHEDULE_BAR / 2.0;
  if (!later)
    y1 -= down * (GILK_SCHEDULE_BAR / 2.0 + 1);
  cairo_move_to (cr, x0, y0);
  cairo_line_to (cr, x0, y1 - (later ? 0 : down * HEAD));
  if (later)
    cairo_line_to (cr, x1 - HEAD, y1);
  cairo_stroke (cr);
  add_head (cr, later ? x1 : x0, y1, later, later ? 0 : down);
  cairo_fill (cr);
}

/* Draws all arrows of which a part is visible, even if both ends are outside of the visible rows.
 * Takes time linear in the number of hooks. */
void
gilk_schedule_view_draw_arrows (GilkScheduleView *self,
                                cairo_t          *cr,
                                const GilkColour *colour,
                                double            bottom)
{
  for (guint i = 0; self->leaders != NULL && i < self->leaders->len; i++)
    {
      guint leader = g_array_index (self->leaders, guint, i);
      int to = gilk_plan_rows_find (self->rows, i);
      int from = leader != G_MAXUINT ? gilk_plan_rows_find (self->rows, leader) : -1;
      gboolean chosen = self->row >= 0 && (to == self->row || from == self->row);

      if (from < 0 || to < 0 || from == to || get_row_middle (self, MAX (from, to)) < GILK_SCHEDULE_AXIS ||
          get_row_middle (self, MIN (from, to)) > bottom)
        continue;
      cairo_set_source_rgba (cr, colour->r, colour->g, colour->b, chosen ? 0.95 : 0.6);
      cairo_set_line_width (cr, chosen ? 2 : 1.3);
      draw_arrow (self, cr, i, from, leader, to);
    }
}

void
gilk_schedule_view_draw_follow_arrow (GilkScheduleView *self,
                                      cairo_t          *cr,
                                      const GilkColour *colour)
{
  const GilkPlanTimes times = gilk_schedule_view_row_times (self, (guint) self->drag_row);
  int to = gilk_schedule_view_row_at (self, self->follower_y);

  if (gilk_schedule_view_get_follower (self) >= 0)
    {
      cairo_rectangle (cr, gilk_schedule_view_left (self), gilk_schedule_view_row_y (self, (guint) to),
                       gilk_schedule_view_right (self) - gilk_schedule_view_left (self), GILK_SCHEDULE_ROW);
      cairo_set_source_rgba (cr, colour->r, colour->g, colour->b, 0.2);
      cairo_fill (cr);
    }
  cairo_set_source_rgba (cr, colour->r, colour->g, colour->b, 1);
  cairo_set_line_width (cr, 2);
  cairo_move_to (cr, gilk_schedule_view_x (self, times.stop_ns != 0 ? times.stop_ns : gilk_schedule_view_span (self)),
                 get_row_middle (self, self->drag_row));
  cairo_line_to (cr, self->follower_x, self->follower_y);
  cairo_stroke (cr);
  cairo_arc (cr, self->follower_x, self->follower_y, HEAD, 0, 2 * G_PI);
  cairo_fill (cr);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-schedule-edit.c - pointer and keyboard input of the schedule
 *
 * A drag shows its result immediately, including the new times of hooks that start after others.
 * The plan changes only on release, so that a drag is a single undo step. Dragging the bar of a
 * function moves all hooks of the function. A drag with Shift from a hook to another one makes the
 * second hook start when the first one stops.
 */
#include "gui/plan/gilk-schedule-private.h"

#include "gui/base/gilk-rows.h"

#include <math.h>

#include "core/plan/gilk-plan-schedule.h"

#define GRIP        7              /* pixels around a bar's end where a drag moves the end */
#define ZOOM_STEP   1.4

/* Finds the bar at (@x, @y): gets its row, and whether a drag moves its start, its end or both.
 * Returns FALSE if no bar is there. */
static gboolean
find_grip (GilkScheduleView *self,
           double            x,
           double            y,
           int              *row,
           GilkTimesPart    *part)
{
  GilkPlanTimes times;
  double from, to;

  if (self->model == NULL || self->elapsed >= 0 || x < gilk_schedule_view_left (self) - GRIP)
    return FALSE;
  *row = gilk_schedule_view_row_at (self, y);
  if (*row < 0)
    return FALSE;
  times = gilk_schedule_view_row_times (self, *row);
  from = gilk_schedule_view_x (self, times.start_ns);
  to = gilk_schedule_view_x (self, times.stop_ns != 0 ? times.stop_ns : gilk_schedule_view_span (self));
  *part = fabs (x - to) <= GRIP ? GILK_TIMES_STOP : fabs (x - from) <= GRIP ? GILK_TIMES_START : GILK_TIMES_BOTH;

  return x >= from - GRIP && x <= to + GRIP;
}

/* Returns the start and stop times that @hooks would have after a move. (transfer full)
 * (element-type GilkPlanTimes) */
static GArray *
compute_moved_times (GilkScheduleView *self,
                     const GArray     *hooks,
                     GilkTimesPart     part,
                     int64_t           by_ns)
{
  GArray *all = g_array_sized_new (FALSE, FALSE, sizeof (GilkPlanTimes), hooks->len);
  uint64_t least = gilk_schedule_view_snap (self), end = gilk_schedule_view_span (self);

  for (guint i = 0; i < hooks->len; i++)
    {
      const GilkPlanHook *hook = gilk_plan_model_hook (self->model, g_array_index (hooks, guint, i));
      GilkPlanTimes times = { hook->start_ns, hook->stop_ns };

      times = gilk_plan_move_times (times, part, by_ns, least, end);
      g_array_append_val (all, times);
    }

  return all;
}

/* Moves the bar of a row as one undo step; with @imagined, only previews the move. */
static void
move_row (GilkScheduleView *self,
          int               row,
          GilkTimesPart     part,
          int64_t           by_ns,
          gboolean          imagined)
{
  g_autoptr(GArray) hooks = gilk_plan_rows_hooks (self->rows, row);
  g_autoptr(GArray) moved = compute_moved_times (self, hooks, part, by_ns);
  const guint *indices = (const guint *) hooks->data;
  const GilkPlanTimes *times = (const GilkPlanTimes *) (gpointer) moved->data;

  if (imagined)
    {
      gilk_schedule_view_preview (self, gilk_plan_model_copy_with_times (self->model, indices, times, hooks->len));
      return;
    }
  gilk_plan_model_set_many_times (self->model, indices, times, hooks->len);
  gilk_schedule_view_select_row (self, row);
}

/* ---- pointer input ---- */

/* Returns whether Shift is pressed on a hook's bar: a drag then draws an arrow to another hook. */
static gboolean
is_follow_drag (GilkScheduleView *self)
{
  GdkModifierType state = 0;

  return gtk_get_current_event_state (&state) && (state & GDK_SHIFT_MASK) != 0 &&
         gilk_plan_rows_get (self->rows, self->drag_row)->hook >= 0;
}

int
gilk_schedule_view_get_follower (GilkScheduleView *self)
{
  int row = gilk_schedule_view_row_at (self, self->follower_y);

  return row >= 0 && row != self->drag_row ? gilk_plan_rows_get (self->rows, row)->hook : -1;
}

/* Makes the hook under the pointer start when the dragged hook stops. */
static void
make_follower (GilkScheduleView *self)
{
  int hook = gilk_schedule_view_get_follower (self), row = gilk_schedule_view_row_at (self, self->follower_y);
  const GilkPlanHook *leader = gilk_plan_model_hook (self->model, gilk_plan_rows_get (self->rows, self->drag_row)->hook);
  g_autofree char *start = g_strdup_printf ("after %s", leader->label), *stop = NULL;
  g_autoptr(GError) error = NULL;

  if (hook < 0)
    return;
  stop = gilk_plan_stop_text (gilk_plan_model_hook (self->model, (guint) hook));
  if (!gilk_plan_model_enter_times (self->model, (guint) hook, start, stop != NULL ? stop : "", &error))
    g_signal_emit_by_name (self, "failed", error);
  else
    gilk_schedule_view_select_row (self, row);
}

static void
drag_begin (GtkGestureDrag   *gesture,
            double            x,
            double            y,
            GilkScheduleView *self)
{
  if (!find_grip (self, x, y, &self->drag_row, &self->part))
    {
      gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_DENIED);
      return;
    }
  self->dragging = TRUE;
  self->by_ns = 0;
  self->making_follower = is_follow_drag (self);
  self->follower_x = x;
  self->follower_y = y;
}

/* Moves the dragged end of the bar with the pointer, in steps of the time grid. If both ends move,
 * the start is on the grid. */
static void
drag_update (GtkGestureDrag   *gesture,
             double            dx,
             double            dy,
             GilkScheduleView *self)
{
  const GilkPlanGroup *group;
  const GilkPlanRow *row;
  double snap = (double) gilk_schedule_view_snap (self), at, to;
  GilkPlanTimes times;

  if (!self->dragging || self->drag_row >= (int) gilk_schedule_view_n_rows (self))
    return;
  if (self->making_follower)
    {
      gtk_gesture_drag_get_start_point (gesture, &self->follower_x, &self->follower_y);
      self->follower_x += dx;
      self->follower_y += dy;
      gtk_widget_queue_draw (GTK_WIDGET (self));
      return;
    }

  row = gilk_plan_rows_get (self->rows, self->drag_row);
  group = gilk_plan_rows_group (self->rows, self->drag_row);
  times = (GilkPlanTimes) { group->start_ns, group->stop_ns };
  if (row->hook >= 0)
    times = (GilkPlanTimes) { gilk_plan_model_hook (self->model, row->hook)->start_ns,
                              gilk_plan_model_hook (self->model, row->hook)->stop_ns };
  at = (double) (self->part != GILK_TIMES_STOP ? times.start_ns
                 : times.stop_ns != 0 ? times.stop_ns : gilk_schedule_view_span (self));
  to = round ((at + gilk_schedule_view_time (self, dx) - gilk_schedule_view_time (self, 0)) / snap) * snap;
  if (self->by_ns == (int64_t) (to - at))
    return;
  self->by_ns = (int64_t) (to - at);
  move_row (self, self->drag_row, self->part, self->by_ns, TRUE);
}

static void
drag_end (GtkGestureDrag   *gesture,
          double            dx,
          double            dy,
          GilkScheduleView *self)
{
  gboolean moved = self->by_ns != 0 && fabs (dx) >= 2, tied = self->making_follower;

  if (!self->dragging)
    return;
  self->dragging = self->making_follower = FALSE;
  gilk_schedule_view_preview (self, NULL);
  if (self->drag_row >= (int) gilk_schedule_view_n_rows (self))
    return;
  if (tied)
    make_follower (self);
  else if (moved)
    move_row (self, self->drag_row, self->part, self->by_ns, FALSE);
}

static void
drag_cancel (GtkGesture       *gesture,
             GdkEventSequence *sequence,
             GilkScheduleView *self)
{
  if (!self->dragging)
    return;
  self->dragging = self->making_follower = FALSE;
  gilk_schedule_view_preview (self, NULL);
}

static void
button_pressed (GtkGestureMultiPress *gesture,
                int                   n,
                double                x,
                double                y,
                GilkScheduleView     *self)
{
  int row = gilk_schedule_view_row_at (self, y);
  const GilkPlanRow *what = row >= 0 ? gilk_plan_rows_get (self->rows, row) : NULL;

  gtk_widget_grab_focus (GTK_WIDGET (self));
  if (what == NULL)
    return;
  gilk_schedule_view_select_row (self, row);
  if (x >= gilk_schedule_view_left (self))
    return;
  if (what->hook < 0)
    gilk_schedule_view_fold (self, row, !gilk_plan_rows_group (self->rows, row)->folded);
  else if (n == 2)
    g_signal_emit_by_name (self, "opened", what->hook);
}

/* Chains up, because the parent class's handler passes the event to the gestures. */
static gboolean
motion_notify (GtkWidget      *widget,
               GdkEventMotion *event)
{
  static const char *const names[] = { "ew-resize", "ew-resize", "grab" };
  GilkScheduleView *self = (GilkScheduleView *) widget;
  GtkWidgetClass *parent = g_type_class_peek (GTK_TYPE_DRAWING_AREA);
  GilkTimesPart part = GILK_TIMES_BOTH;
  int row;
  gboolean grip = find_grip (self, event->x, event->y, &row, &part);
  g_autoptr(GdkCursor) cursor = grip || self->dragging
    ? gdk_cursor_new_from_name (gtk_widget_get_display (widget), names[self->dragging ? self->part : part]) : NULL;

  gdk_window_set_cursor (gtk_widget_get_window (widget), cursor);

  return parent->motion_notify_event (widget, event);
}

static gboolean
handle_scroll (GtkWidget      *widget,
               GdkEventScroll *event)
{
  GilkScheduleView *self = (GilkScheduleView *) widget;
  double up = event->direction == GDK_SCROLL_UP ? 1 : event->direction == GDK_SCROLL_DOWN ? -1
              : event->direction == GDK_SCROLL_SMOOTH ? -event->delta_y : 0;

  if (!(event->state & GDK_CONTROL_MASK))
    return GDK_EVENT_PROPAGATE;
  gilk_schedule_view_zoom (self, pow (ZOOM_STEP, up), MAX (event->x, gilk_schedule_view_left (self)));

  return GDK_EVENT_STOP;
}

/* ---- keyboard input ---- */

static int
get_page_rows (GilkScheduleView *self)
{
  return MAX (gtk_widget_get_allocated_height (GTK_WIDGET (self)) / GILK_SCHEDULE_ROW - 2, 1);
}

static gboolean
handle_row_key (GilkScheduleView *self,
                guint             key)
{
  int last = (int) gilk_schedule_view_n_rows (self) - 1, row = self->row;

  switch (key)
    {
    case GDK_KEY_Up: case GDK_KEY_KP_Up: row = MAX (row - 1, 0); break;
    case GDK_KEY_Down: case GDK_KEY_KP_Down: row = MIN (row + 1, last); break;
    case GDK_KEY_Page_Up: row = MAX (row - get_page_rows (self), 0); break;
    case GDK_KEY_Page_Down: row = MIN (row + get_page_rows (self), last); break;
    case GDK_KEY_Home: row = 0; break;
    case GDK_KEY_End: row = last; break;
    default: return FALSE;
    }
  /* At the first or last row, let the focus leave the widget. */
  if (row == self->row)
    return FALSE;
  gilk_schedule_view_select_row (self, row);

  return TRUE;
}

static gboolean
handle_time_key (GilkScheduleView *self,
                 guint             key,
                 guint             state)
{
  gboolean left = key == GDK_KEY_Left || key == GDK_KEY_KP_Left;
  int64_t by = (int64_t) gilk_schedule_view_snap (self);

  if ((!left && key != GDK_KEY_Right && key != GDK_KEY_KP_Right) || self->row < 0 || self->elapsed >= 0)
    return FALSE;
  move_row (self, self->row, state & GDK_SHIFT_MASK ? GILK_TIMES_STOP : state & GDK_CONTROL_MASK ? GILK_TIMES_START
            : GILK_TIMES_BOTH, left ? -by : by, FALSE);

  return TRUE;
}

static gboolean
handle_zoom_key (GilkScheduleView *self,
                 guint             key)
{
  double middle = (gilk_schedule_view_left (self) + gilk_schedule_view_right (self)) / 2;

  if (key == GDK_KEY_plus || key == GDK_KEY_equal || key == GDK_KEY_KP_Add)
    gilk_schedule_view_zoom (self, ZOOM_STEP, middle);
  else if (key == GDK_KEY_minus || key == GDK_KEY_KP_Subtract)
    gilk_schedule_view_zoom (self, 1 / ZOOM_STEP, middle);
  else if (key == GDK_KEY_0 || key == GDK_KEY_KP_0)
    gilk_schedule_view_zoom (self, 1 / self->zoom, middle);
  else
    return FALSE;

  return TRUE;
}

static gboolean
handle_action_key (GilkScheduleView *self,
                   guint             key)
{
  const GilkPlanRow *row = self->row >= 0 ? gilk_plan_rows_get (self->rows, self->row) : NULL;
  const GilkPlanGroup *group = row != NULL ? gilk_plan_rows_group (self->rows, self->row) : NULL;
  gboolean enter = key == GDK_KEY_Return || key == GDK_KEY_KP_Enter;

  if (row == NULL)
    return FALSE;
  if (key == GDK_KEY_Delete || key == GDK_KEY_KP_Delete)
    {
      g_autoptr(GArray) hooks = gilk_plan_rows_hooks (self->rows, self->row);

      gilk_plan_model_remove_many (self->model, (const guint *) hooks->data, hooks->len);
      gilk_schedule_view_select_row (self, self->row);
    }
  else if (row->hook >= 0 && enter)
    g_signal_emit_by_name (self, "opened", row->hook);
  else if (row->hook < 0 && (enter || key == GDK_KEY_space))
    gilk_schedule_view_fold (self, self->row, !group->folded);
  else
    return FALSE;

  return TRUE;
}

static gboolean
key_press (GtkWidget   *widget,
           GdkEventKey *event)
{
  GilkScheduleView *self = (GilkScheduleView *) widget;
  GtkWidgetClass *parent = g_type_class_peek (GTK_TYPE_DRAWING_AREA);
  guint state = event->state & gtk_accelerator_get_default_mod_mask ();

  if (self->model == NULL || gilk_schedule_view_n_rows (self) == 0)
    return parent->key_press_event (widget, event);
  if (state == 0 && (handle_row_key (self, event->keyval) || handle_action_key (self, event->keyval)))
    return GDK_EVENT_STOP;
  if (!(state & ~(guint) GDK_SHIFT_MASK) && handle_zoom_key (self, event->keyval))
    return GDK_EVENT_STOP;
  if ((state == 0 || state == GDK_SHIFT_MASK || state == GDK_CONTROL_MASK) && handle_time_key (self, event->keyval, state))
    return GDK_EVENT_STOP;

  return parent->key_press_event (widget, event);
}

static gboolean
focus_changed (GtkWidget     *widget,
               GdkEventFocus *event)
{
  GilkScheduleView *self = (GilkScheduleView *) widget;

  if (event->in && self->model != NULL)
    gilk_schedule_view_select_row (self, MAX (self->row, 0));
  gtk_widget_queue_draw (widget);

  return GDK_EVENT_PROPAGATE;
}

/* ---- context menu ---- */

static void
act_on_row (GSimpleAction *action,
            GVariant      *parameter,
            gpointer       self)
{
  handle_action_key (self, g_str_equal (g_action_get_name (G_ACTION (action)), "open") ? GDK_KEY_Return : GDK_KEY_Delete);
}

static void
show_menu (GilkScheduleView *self,
           const GdkEvent   *event)
{
  g_autoptr(GMenuModel) menu = gilk_plan_row_menu ();
  const GdkRectangle at = { GILK_SCHEDULE_PAD, (int) gilk_schedule_view_row_y (self, MAX (self->row, 0)), 1, GILK_SCHEDULE_ROW };

  gilk_row_menu_popup (GTK_WIDGET (self), menu, event, &at);
}

static gboolean
button_press (GtkWidget      *widget,
              GdkEventButton *event)
{
  GilkScheduleView *self = (GilkScheduleView *) widget;
  GtkWidgetClass *parent = g_type_class_peek (GTK_TYPE_DRAWING_AREA);
  const int row = self->model != NULL ? gilk_schedule_view_row_at (self, event->y) : -1;

  if (row < 0 || !gdk_event_triggers_context_menu ((const GdkEvent *) event))
    return parent->button_press_event != NULL ? parent->button_press_event (widget, event) : GDK_EVENT_PROPAGATE;
  gtk_widget_grab_focus (widget);
  gilk_schedule_view_select_row (self, row);
  show_menu (self, (const GdkEvent *) event);

  return GDK_EVENT_STOP;
}

static gboolean
popup_menu (GtkWidget *widget)
{
  GilkScheduleView *self = (GilkScheduleView *) widget;

  if (self->row < 0)
    return FALSE;
  show_menu (self, NULL);

  return TRUE;
}

void
gilk_schedule_edit_class_init (GtkWidgetClass *widget_class)
{
  widget_class->button_press_event = button_press;
  widget_class->popup_menu = popup_menu;
  widget_class->motion_notify_event = motion_notify;
  widget_class->scroll_event = handle_scroll;
  widget_class->key_press_event = key_press;
  widget_class->focus_in_event = focus_changed;
  widget_class->focus_out_event = focus_changed;
}

void
gilk_schedule_edit_init (GilkScheduleView *self)
{
  static const GActionEntry entries[] = { { "open", act_on_row }, { "remove", act_on_row } };
  g_autoptr(GSimpleActionGroup) group = g_simple_action_group_new ();
  GtkWidget *widget = GTK_WIDGET (self);

  g_action_map_add_action_entries (G_ACTION_MAP (group), entries, G_N_ELEMENTS (entries), self);
  gtk_widget_insert_action_group (widget, "row", G_ACTION_GROUP (group));
  gtk_widget_add_events (widget, GDK_POINTER_MOTION_MASK | GDK_BUTTON_PRESS_MASK | GDK_BUTTON_RELEASE_MASK |
                         GDK_SCROLL_MASK | GDK_SMOOTH_SCROLL_MASK | GDK_KEY_PRESS_MASK | GDK_FOCUS_CHANGE_MASK);
  self->drag = gtk_gesture_drag_new (widget);
  g_signal_connect (self->drag, "drag-begin", G_CALLBACK (drag_begin), self);
  g_signal_connect (self->drag, "drag-update", G_CALLBACK (drag_update), self);
  g_signal_connect (self->drag, "drag-end", G_CALLBACK (drag_end), self);
  g_signal_connect (self->drag, "cancel", G_CALLBACK (drag_cancel), self);
  self->press = gtk_gesture_multi_press_new (widget);
  g_signal_connect (self->press, "pressed", G_CALLBACK (button_pressed), self);
}

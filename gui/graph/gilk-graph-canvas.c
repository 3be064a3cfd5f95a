/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-canvas.c - graph widget: a graph view with mouse, keys, tooltips and accessibility
 */
#include "gui/graph/gilk-graph-view.h"

#include "gui/graph/gilk-graph-input.h"
#include "gui/graph/gilk-graph-text.h"
#include "gui/graph/gilk-graph-view-private.h"

struct _GilkGraphCanvas {
  GilkGraphView     parent_instance;

  GilkGraphPointer *pointer;
};

G_DEFINE_FINAL_TYPE (GilkGraphCanvas, gilk_graph_canvas, GILK_TYPE_GRAPH_VIEW)

static void
gilk_graph_canvas_changed (GilkGraphView *view,
                           gboolean       whole)
{
  AtkObject *accessible = gtk_widget_get_accessible (GTK_WIDGET (view));

  if (whole)
    gilk_graph_accessible_reset (accessible);
  else
    gilk_graph_accessible_update (accessible);
}

static gboolean
gilk_graph_canvas_motion (GtkWidget      *widget,
                          GdkEventMotion *event)
{
  gilk_graph_pointer_motion (GILK_GRAPH_CANVAS (widget)->pointer, event->x, event->y);

  /* The parent class's handler passes the event to the gestures. */
  return GTK_WIDGET_CLASS (gilk_graph_canvas_parent_class)->motion_notify_event (widget, event);
}

static gboolean
gilk_graph_canvas_leave (GtkWidget        *widget,
                         GdkEventCrossing *event)
{
  gilk_graph_pointer_leave (GILK_GRAPH_CANVAS (widget)->pointer);

  return GDK_EVENT_PROPAGATE;
}

static gboolean
gilk_graph_canvas_scroll (GtkWidget      *widget,
                          GdkEventScroll *event)
{
  return gilk_graph_pointer_scroll (GILK_GRAPH_CANVAS (widget)->pointer, event);
}

static gboolean
gilk_graph_canvas_query_tooltip (GtkWidget  *widget,
                                 int         x,
                                 int         y,
                                 gboolean    keyboard,
                                 GtkTooltip *tooltip)
{
  GilkGraphView *view = GILK_GRAPH_VIEW (widget);
  GilkGraphPointer *pointer = GILK_GRAPH_CANVAS (widget)->pointer;
  const GilkGraphLook *look = &view->look;
  int point = keyboard ? look->point : gilk_graph_pointer_point (pointer, x, y);
  g_autofree char *text = NULL;
  GdkRectangle area = { x, y, 1, 1 };

  if (view->data == NULL)
    return FALSE;
  if (view->data->choices != NULL && point >= 0)
    {
      text = gilk_graph_tip_point (view->data, look, point);
      gilk_graph_view_point_extents (view, point, &area);
    }
  else if (!keyboard && look->has_edge)
    text = gilk_graph_tip_edge (view->data, look, look->edge, gilk_graph_pointer_shared (pointer));
  if (text == NULL)
    return FALSE;

  gtk_tooltip_set_text (tooltip, text);
  gtk_tooltip_set_tip_area (tooltip, &area);

  return TRUE;
}

static gboolean
gilk_graph_canvas_key_press (GtkWidget   *widget,
                             GdkEventKey *event)
{
  GilkGraphView *view = GILK_GRAPH_VIEW (widget);

  if (view->data != NULL && event->keyval == GDK_KEY_Return)
    {
      g_signal_emit_by_name (view, "open");
      return GDK_EVENT_STOP;
    }
  if (view->data != NULL && gilk_graph_keys_handle (view, event))
    return GDK_EVENT_STOP;

  return GTK_WIDGET_CLASS (gilk_graph_canvas_parent_class)->key_press_event (widget, event);
}

static gboolean
gilk_graph_canvas_popup_menu (GtkWidget *widget)
{
  g_signal_emit_by_name (widget, "menu", NULL);

  return TRUE;
}

static void
gilk_graph_canvas_finalize (GObject *object)
{
  gilk_graph_pointer_free (GILK_GRAPH_CANVAS (object)->pointer);
  G_OBJECT_CLASS (gilk_graph_canvas_parent_class)->finalize (object);
}

static void
gilk_graph_canvas_class_init (GilkGraphCanvasClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = gilk_graph_canvas_finalize;
  GILK_GRAPH_VIEW_CLASS (klass)->changed = gilk_graph_canvas_changed;
  widget_class->motion_notify_event = gilk_graph_canvas_motion;
  widget_class->leave_notify_event = gilk_graph_canvas_leave;
  widget_class->scroll_event = gilk_graph_canvas_scroll;
  widget_class->key_press_event = gilk_graph_canvas_key_press;
  widget_class->popup_menu = gilk_graph_canvas_popup_menu;
  widget_class->query_tooltip = gilk_graph_canvas_query_tooltip;
  gtk_widget_class_set_accessible_type (widget_class, GILK_TYPE_GRAPH_ACCESSIBLE);
  gtk_widget_class_set_accessible_role (widget_class, ATK_ROLE_LIST);
}

static void
gilk_graph_canvas_init (GilkGraphCanvas *self)
{
  self->pointer = gilk_graph_pointer_new (GILK_GRAPH_VIEW (self));
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-results-page.c - the page of plots: smaller panels below the first, on the same data
 *
 * A range that is marked or zoomed in one panel is marked or zoomed in all panels.
 */
#include "gui/results/gilk-results-page.h"

#include <glib/gi18n.h>

#include "gui/base/gilk-object.h"
#include "gui/results/gilk-plot-panel.h"

#define RESIZE_DELAY_MS 150            /* delay between a resize and the redrawing of plots */
#define NARROW_PX  680                 /* minimum page width for panels side by side */
#define FIRST_PX   230
#define LOW_PX     190
#define PANEL_GAP_PX        10               /* px between two panels */

struct _GilkResultsPage {
  GtkBox             parent_instance;

  GilkPlotPanels    *shared;
  GilkComparisonBar *comparison;
  GtkWidget         *below;        /* the plots below the first */
  GilkPlotView      *current_plot; /* plot that last had the focus */
  GilkPlotView      *single_plot;  /* the plot shown alone; NULL: all are shown */
  guint              resizing;     /* id of the timeout after a resize; 0: none */
};

G_DEFINE_TYPE (GilkResultsPage, gilk_results_page, GTK_TYPE_BOX)

/* ---- showing, hiding and drawing panels ---- */

/* Returns whether the chosen hook has samples and is shown as a figure. */
static gboolean
has_panels (GilkResultsChoice *choice)
{
  return gilk_results_figure (choice) != GILK_FIGURE_N_KINDS && choice->quantity != NULL && gilk_results_has_several_views (choice);
}

/* Returns whether panels must be stacked: a comparison leaves each plot half of the width. */
static gboolean
is_narrow (GilkResultsPage *self)
{
  return gilk_results_compared_run (self->shared->choice) != NULL || gtk_widget_get_allocated_width (GTK_WIDGET (self)) < NARROW_PX;
}

static gboolean
update_orientation (gpointer user_data)
{
  GilkResultsPage *self = user_data;

  if (self->shared != NULL)
    gtk_orientable_set_orientation (GTK_ORIENTABLE (self->below),
                                    is_narrow (self) ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL);

  return G_SOURCE_REMOVE;
}

/* Places panels side by side or below each other, as the new width requires. Does so in an idle
 * handler, because the orientation must not be changed inside size-allocate. */
static void
page_sized (GilkResultsPage *self)
{
  if (self->shared != NULL && is_narrow (self) != (gtk_orientable_get_orientation (GTK_ORIENTABLE (self->below)) == GTK_ORIENTATION_VERTICAL))
    g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, update_orientation, g_object_ref (self), g_object_unref);
}

/* Shows, hides or draws the panel. Returns whether the panel is visible. */
static gboolean
update_panel (GilkResultsPage *self,
              GilkPlotPanel   *panel,
              gboolean         have)
{
  gboolean shown;

  if (have)
    gilk_plot_panel_choose_plot (panel);
  shown = have && (self->single_plot == NULL ? panel->kind != GILK_FIGURE_N_KINDS || panel->index == 1 : self->single_plot == panel->plot);
  gtk_widget_set_visible (panel->place, shown);
  if (!shown)
    gilk_plot_panel_cancel (panel);
  else if (panel->kind == GILK_FIGURE_N_KINDS)
    gilk_plot_panel_show_message (panel, _("Choose a plot above."));
  else
    gilk_plot_panel_draw (panel);

  return shown;
}

/* Copies the choice to the first panel. */
static void
set_first_panel (GilkPlotPanel *first)
{
  GilkResultsChoice *choice = first->shared->choice;

  first->kind = gilk_results_figure (choice);
  first->field = gilk_results_field (choice);
  first->log_x = gilk_results_log_x (choice);
  first->log_y = gilk_results_log_y (choice);
}

static void
update_comparison (GilkResultsPage *self)
{
  gboolean compared = gilk_results_compared_run (self->shared->choice) != NULL;
  const char *here, *there;

  gilk_comparison_bar_update (self->comparison, &here, &there);
  for (guint i = 0; i < GILK_PLOT_PANELS; i++)
    {
      gtk_widget_set_visible (self->shared->panels[i]->compared_frame, compared);
      gilk_plot_view_set_source (self->shared->panels[i]->plot, here);
      gilk_plot_view_set_source (self->shared->panels[i]->compared_plot, there);
    }
}

static void
update_panels (GtkWidget *page)
{
  GilkResultsPage *self = GILK_RESULTS_PAGE (page);
  GilkPlotPanel *first = self->shared->panels[0];
  gboolean have = has_panels (self->shared->choice), any = FALSE;

  update_comparison (self);
  if (gilk_results_figure (self->shared->choice) == GILK_FIGURE_N_KINDS)
    gilk_plot_panel_draw_bars (first);
  else if (self->shared->choice->quantity != NULL)
    gilk_plot_panel_draw (first);
  for (guint i = 1; i < GILK_PLOT_PANELS; i++)
    any = update_panel (self, self->shared->panels[i], have) || any;
  gtk_widget_set_visible (self->below, any);
  gtk_widget_set_visible (first->place, !have || self->single_plot == NULL || self->single_plot == first->plot);
}

void
gilk_results_page_update (GilkResultsPage *self,
                          gboolean         range_only)
{
  self->shared->range_only = range_only;
  if (gilk_results_hook (self->shared->choice) != NULL)
    set_first_panel (self->shared->panels[0]);
  update_orientation (self);
  update_panels (GTK_WIDGET (self));
  self->shared->range_only = FALSE;
}

void
gilk_results_page_cancel (GilkResultsPage *self)
{
  for (guint i = 0; i < GILK_PLOT_PANELS; i++)
    gilk_plot_panel_cancel (self->shared->panels[i]);
}

void
gilk_results_page_forget (GilkResultsPage *self)
{
  gilk_plot_cache_clear (self->shared->cache);
  gilk_results_page_cancel (self);
}

const char **
gilk_results_page_fields (GilkResultsPage *self)
{
  const char **fields = g_new0 (const char *, GILK_PLOT_PANELS + 1);
  guint n = 0;

  for (guint i = 0; i < GILK_PLOT_PANELS; i++)
    if (self->shared->panels[i]->kind != GILK_FIGURE_N_KINDS && self->shared->panels[i]->field != NULL)
      fields[n++] = self->shared->panels[i]->field;

  return fields;
}

GPtrArray *
gilk_results_page_plots (GilkResultsPage *self)
{
  GPtrArray *plots = g_ptr_array_new ();
  gboolean compared = gilk_results_compared_run (self->shared->choice) != NULL;

  for (guint i = 0; i < GILK_PLOT_PANELS; i++)
    {
      GilkPlotPanel *panel = self->shared->panels[i];

      if (!gtk_widget_get_visible (panel->place) ||
          (i > 0 && (!gtk_widget_get_visible (self->below) || !gilk_plot_view_has_plot (panel->plot))))
        continue;
      g_ptr_array_add (plots, panel->plot);
      if (compared && gilk_plot_view_has_plot (panel->compared_plot))
        g_ptr_array_add (plots, panel->compared_plot);
    }

  return plots;
}

GilkPlotView *
gilk_results_page_current_plot (GilkResultsPage *self)
{
  g_autoptr(GPtrArray) plots = gilk_results_page_plots (self);

  return plots->len > 0 && !g_ptr_array_find (plots, self->current_plot, NULL) ? g_ptr_array_index (plots, 0) : self->current_plot;
}

GilkPlotView *
gilk_results_page_first_plot (GilkResultsPage *self)
{
  return self->shared->panels[0]->plot;
}

void
gilk_results_page_choose_comparison (GilkResultsPage *self)
{
  gilk_comparison_bar_choose (self->comparison);
}

void
gilk_results_page_open_comparison (GilkResultsPage *self,
                                   const char      *path)
{
  gilk_comparison_bar_open (self->comparison, path);
}

/* ---- signals and actions of plots ---- */

static GilkResultsPage *
get_page (GilkPlotPanel *panel)
{
  return GILK_RESULTS_PAGE (panel->shared->page);
}

static void
single_requested (GilkPlotPanel *panel)
{
  GilkResultsPage *self = get_page (panel);

  self->single_plot = self->single_plot == panel->plot ? NULL : panel->plot;
  update_panels (GTK_WIDGET (self));
  gtk_widget_grab_focus (GTK_WIDGET (panel->plot));
}

static void
show_read_out (GilkPlotPanel *panel,
               const char    *text)
{
  g_signal_emit_by_name (get_page (panel), "read-out", text);
}

/* Lets the user add a note. If the plot has a time axis, the note is about the plot's marked range
 * or read-out position; otherwise it is about the selected time range. */
static void
note_requested (GilkPlotPanel *panel)
{
  GilkSelectionAxis axis;
  gboolean over_time = gilk_plot_panel_zoom_axis (panel, &axis) && axis == GILK_SELECTION_TIME && gilk_plot_view_has_plot (panel->plot);
  const GilkSelectionRange place = over_time ? gilk_plot_view_position (panel->plot)
                                             : gilk_selection_time (panel->shared->choice->selection);

  g_signal_emit_by_name (get_page (panel), "note", panel->plot, place.from, place.to);
}

static void
note_rejected (GilkPlotPanel *panel)
{
  show_read_out (panel, _("Notes are stored in the session on the left. To add notes to the other "
                          "session, open that session instead."));
}

/* Stores the range to which the user has zoomed. A zoom that selects neither time nor values, such
 * as a zoom into a spectrum, is stored only for the first panel; other panels lose it when their
 * plot changes. */
static void
plot_zoomed (GilkPlotPanel *panel,
             double         from,
             double         to)
{
  GilkSelectionAxis axis;

  if (!gilk_plot_panel_zoom_axis (panel, &axis) || (axis == GILK_SELECTION_ZOOM_ONLY && panel->index > 0))
    return;
  gilk_selection_zoom (panel->shared->choice->selection, axis, panel->field, from, to, g_get_monotonic_time ());
  gilk_results_choice_range_changed (panel->shared->choice);
}

static void
plot_marked (GilkPlotPanel *panel,
             double         from,
             double         to)
{
  GilkSelectionAxis axis;

  if (!gilk_plot_panel_zoom_axis (panel, &axis))
    return;
  gilk_selection_mark (panel->shared->choice->selection, axis, panel->field, from, to);
  gilk_results_choice_range_changed (panel->shared->choice);
}

static void
enter_mark (GilkPlotPanel *panel)
{
  GilkSelectionAxis axis;

  if (gilk_plot_panel_zoom_axis (panel, &axis) && gilk_selection_zoom_to_mark (panel->shared->choice->selection, axis, panel->field))
    gilk_results_choice_range_changed (panel->shared->choice);
}

static void
undo_selection (GilkPlotPanel *panel)
{
  if (gilk_selection_undo (panel->shared->choice->selection))
    gilk_results_choice_range_changed (panel->shared->choice);
  else
    show_read_out (panel, _("No previous zoom to return to."));
}

static void
reading_cancelled (GilkPlotPanel *panel)
{
  gilk_plot_panel_cancel (panel);
  if (gilk_plot_view_data (panel->plot) == NULL)
    gilk_plot_panel_show_message (panel, _("Reading was cancelled. Choose the plot again to read it."));
  show_read_out (panel, _("Cancelled: the previous plot is still shown."));
}

static gboolean
plot_focused (GtkWidget       *plot,
              GdkEvent        *event,
              GilkResultsPage *self)
{
  self->current_plot = GILK_PLOT_VIEW (plot);

  return GDK_EVENT_PROPAGATE;
}

static gboolean
resize_timeout (gpointer user_data)
{
  GilkResultsPage *self = user_data;
  GilkResultsShown shown = self->shared != NULL ? gilk_results_shown (self->shared->choice) : GILK_RESULTS_NOTHING;

  self->resizing = 0;
  if (shown != GILK_RESULTS_FIGURE && shown != GILK_RESULTS_GROUPS && shown != GILK_RESULTS_MAP)
    return G_SOURCE_REMOVE;
  g_signal_emit_by_name (self, "resized");
  gilk_results_page_update (self, TRUE);

  return G_SOURCE_REMOVE;
}

/* Returns whether the panel's plot has not been requested yet. Such a plot is drawn without
 * delay. */
static gboolean
is_missing (GilkPlotPanel *panel)
{
  return panel->kind != GILK_FIGURE_N_KINDS && panel->key == NULL && gtk_widget_get_visible (panel->place);
}

static void
size_changed (GilkResultsPage *self)
{
  gboolean missing = FALSE;

  if (self->shared == NULL)
    return;
  for (guint i = 0; i < GILK_PLOT_PANELS; i++)
    missing = missing || (self->shared->panels[i] != NULL && is_missing (self->shared->panels[i]));
  g_clear_handle_id (&self->resizing, g_source_remove);
  self->resizing = g_timeout_add (missing ? 0 : RESIZE_DELAY_MS, resize_timeout, self);
}

/* ---- building the panels ---- */

/* Adds the buttons in the upper right corner of a plot. */
static void
add_corner_buttons (GilkPlotPanel *panel)
{
  GtkWidget *corner = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *button = gtk_button_new_from_icon_name ("view-fullscreen-symbolic", GTK_ICON_SIZE_MENU);
  int width;

  gtk_button_set_relief (GTK_BUTTON (button), GTK_RELIEF_NONE);
  gtk_widget_set_tooltip_text (button, _("Show only this plot, or all plots (F)"));
  atk_object_set_name (gtk_widget_get_accessible (button), _("Show only this plot"));
  g_signal_connect_swapped (button, "clicked", G_CALLBACK (single_requested), panel);
  if (panel->index > 0)
    gtk_box_pack_start (GTK_BOX (corner), gilk_plot_panel_new_menu_button (panel), FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (corner), button, FALSE, FALSE, 0);
  gtk_widget_set_halign (corner, GTK_ALIGN_END);
  gtk_widget_set_valign (corner, GTK_ALIGN_START);
  gtk_style_context_add_class (gtk_widget_get_style_context (corner), "card-corner");
  gtk_widget_show_all (corner);
  gtk_overlay_add_overlay (panel->overlay, corner);
  gtk_widget_get_preferred_width (corner, &width, NULL);
  gilk_plot_view_set_header_reserve (panel->plot, width);
}

static void
connect_plot (GilkPlotPanel *panel,
              GilkPlotView  *plot)
{
  g_signal_connect_swapped (plot, "zoomed", G_CALLBACK (plot_zoomed), panel);
  g_signal_connect_swapped (plot, "marked", G_CALLBACK (plot_marked), panel);
  g_signal_connect_swapped (plot, "enter", G_CALLBACK (enter_mark), panel);
  g_signal_connect_swapped (plot, "undo", G_CALLBACK (undo_selection), panel);
  g_signal_connect_swapped (plot, "read-out", G_CALLBACK (show_read_out), panel);
  g_signal_connect_swapped (plot, "alone", G_CALLBACK (single_requested), panel);
  g_signal_connect_object (plot, "focus-in-event", G_CALLBACK (plot_focused), panel->shared->page, 0);
}

static GilkPlotView *
new_plot (int height)
{
  return g_object_new (GILK_TYPE_PLOT_VIEW, "visible", TRUE, "vexpand", TRUE, "hexpand", TRUE, "height-request", height, NULL);
}

static GtkWidget *
new_frame (GilkPlotPanel *panel,
           GtkWidget     *plot)
{
  GtkWidget *frame = gtk_frame_new (NULL);

  gtk_style_context_add_class (gtk_widget_get_style_context (frame), "view");
  gtk_style_context_add_class (gtk_widget_get_style_context (frame), "card");
  gtk_container_add (GTK_CONTAINER (frame), plot);
  gtk_widget_show (plot);
  gtk_box_pack_start (GTK_BOX (panel->place), frame, TRUE, TRUE, 0);

  return frame;
}

static void
connect_panel (GilkPlotPanel *panel)
{
  connect_plot (panel, panel->plot);
  connect_plot (panel, panel->compared_plot);
  g_signal_connect_swapped (panel->plot, "note", G_CALLBACK (note_requested), panel);
  g_signal_connect_swapped (panel->compared_plot, "note", G_CALLBACK (note_rejected), panel);
  g_signal_connect_swapped (panel->progress, "cancelled", G_CALLBACK (reading_cancelled), panel);
  g_signal_connect_object (panel->plot, "size-allocate", G_CALLBACK (size_changed), panel->shared->page, G_CONNECT_SWAPPED);
}

static GilkPlotPanel *
panel_new (GilkPlotPanels *shared,
           guint           index)
{
  GilkPlotPanel *panel = g_new0 (GilkPlotPanel, 1);

  panel->shared = shared;
  panel->index = index;
  panel->kind = panel->settings.kind = GILK_FIGURE_N_KINDS;
  panel->plot = new_plot (index == 0 ? FIRST_PX : LOW_PX);
  panel->compared_plot = new_plot (FIRST_PX);
  panel->progress = GILK_PLOT_PROGRESS (gilk_plot_progress_new ());
  panel->overlay = GTK_OVERLAY (gtk_overlay_new ());
  panel->place = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, PANEL_GAP_PX);
  gtk_box_set_homogeneous (GTK_BOX (panel->place), TRUE);
  gtk_widget_set_no_show_all (panel->place, TRUE);
  gtk_container_add (GTK_CONTAINER (panel->overlay), GTK_WIDGET (panel->plot));
  gtk_overlay_add_overlay (panel->overlay, GTK_WIDGET (panel->progress));
  gtk_widget_show (new_frame (panel, GTK_WIDGET (panel->overlay)));
  panel->compared_frame = new_frame (panel, GTK_WIDGET (panel->compared_plot));
  add_corner_buttons (panel);
  connect_panel (panel);

  return panel;
}

static void
panel_free (GilkPlotPanel *panel)
{
  gilk_plot_panel_cancel (panel);
  g_signal_handlers_disconnect_by_data (panel->plot, panel);
  g_signal_handlers_disconnect_by_data (panel->compared_plot, panel);
  g_signal_handlers_disconnect_by_data (panel->progress, panel);
  if (panel->actions != NULL)
    {
      gtk_widget_insert_action_group (panel->place, "card", NULL);
      g_object_unref (panel->actions);
      g_object_unref (panel->fields);
    }
  g_free (panel->fields_of);
  g_free (panel->settings.field);
  g_free (panel->axis);
  g_free (panel);
}

/* ---- the overview: selecting a hook by its bar ---- */

static gboolean
plot_pressed (GilkResultsPage *self,
              GdkEventButton  *event)
{
  const gboolean click = event->type == GDK_BUTTON_PRESS && event->button == GDK_BUTTON_PRIMARY;
  const int hook = click ? gilk_plot_panel_hook_at (self->shared->panels[0], event->y) : -1;

  if (hook < 0)
    return GDK_EVENT_PROPAGATE;
  g_signal_emit_by_name (self, "hook-clicked", hook);

  return GDK_EVENT_STOP;
}

/* Shows a hand pointer over bars, which can be clicked. */
static gboolean
pointer_moved (GilkResultsPage *self,
               GdkEventMotion  *event)
{
  GtkWidget *plot = GTK_WIDGET (self->shared->panels[0]->plot);
  g_autoptr(GdkCursor) hand = gilk_plot_panel_hook_at (self->shared->panels[0], event->y) >= 0
    ? gdk_cursor_new_from_name (gtk_widget_get_display (plot), "pointer") : NULL;

  gdk_window_set_cursor (gtk_widget_get_window (plot), hand);

  return GDK_EVENT_PROPAGATE;
}

/* ---- the page itself ---- */

static void
comparison_closed (GilkResultsPage *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self->shared->panels[0]->plot));
}

static void
comparison_failed (GilkResultsPage *self,
                   const GError    *error)
{
  g_signal_emit_by_name (self, "failed", error);
}

static void
add_panels (GilkResultsPage *self)
{
  GilkPlotPanels *shared = self->shared;

  for (guint i = 0; i < GILK_PLOT_PANELS; i++)
    {
      shared->panels[i] = panel_new (shared, i);
      gtk_box_pack_start (GTK_BOX (i == 0 ? GTK_WIDGET (self) : self->below), shared->panels[i]->place, TRUE, TRUE, 0);
    }
  gtk_box_pack_start (GTK_BOX (self), self->below, FALSE, TRUE, 0);
  gilk_plot_panels_load_settings (shared);
  gtk_widget_show (shared->panels[0]->place);
  self->current_plot = shared->panels[0]->plot;
  g_signal_connect_object (self->current_plot, "button-press-event", G_CALLBACK (plot_pressed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->current_plot, "motion-notify-event", G_CALLBACK (pointer_moved), self, G_CONNECT_SWAPPED);
}

void
gilk_results_page_set_choice (GilkResultsPage   *self,
                              GilkResultsChoice *choice)
{
  self->shared = g_rc_box_new0 (GilkPlotPanels);
  self->shared->page = GTK_WIDGET (self);
  self->shared->choice = g_object_ref (choice);
  self->shared->cache = gilk_plot_cache_new ();
  self->shared->update = update_panels;
  self->comparison = GILK_COMPARISON_BAR (gilk_comparison_bar_new (choice));
  g_signal_connect_object (self->comparison, "closed", G_CALLBACK (comparison_closed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->comparison, "failed", G_CALLBACK (comparison_failed), self, G_CONNECT_SWAPPED);
  gtk_box_pack_start (GTK_BOX (self), GTK_WIDGET (self->comparison), FALSE, FALSE, 0);
  add_panels (self);
  g_signal_connect (self, "size-allocate", G_CALLBACK (page_sized), NULL);
}

void
gilk_results_page_release (GilkResultsPage *self)
{
  g_clear_handle_id (&self->resizing, g_source_remove);
  if (self->shared == NULL)
    return;
  gilk_comparison_bar_stop (self->comparison);
  for (guint i = 0; i < GILK_PLOT_PANELS; i++)
    g_clear_pointer (&self->shared->panels[i], panel_free);
  g_clear_handle_id (&self->shared->next_source, g_source_remove);
  g_clear_pointer (&self->shared->cache, gilk_plot_cache_free);
  g_clear_object (&self->shared->settings);
  self->shared->page = NULL;
  g_clear_pointer (&self->shared, gilk_plot_panels_unref);
}

static void
gilk_results_page_dispose (GObject *object)
{
  gilk_results_page_release (GILK_RESULTS_PAGE (object));
  G_OBJECT_CLASS (gilk_results_page_parent_class)->dispose (object);
}

static void
gilk_results_page_class_init (GilkResultsPageClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = gilk_results_page_dispose;
  gilk_add_signal (klass, "compared", 1, G_TYPE_POINTER);
  gilk_add_signal (klass, "failed", 1, G_TYPE_ERROR);
  gilk_add_signal (klass, "hook-clicked", 1, G_TYPE_INT);
  gilk_add_signal (klass, "note", 3, GTK_TYPE_WIDGET, G_TYPE_DOUBLE, G_TYPE_DOUBLE);
  gilk_add_signal (klass, "plot-shown", 1, G_TYPE_POINTER);
  gilk_add_signal (klass, "read-out", 1, G_TYPE_STRING);
  gilk_add_signal (klass, "resized", 0);
}

static void
gilk_results_page_init (GilkResultsPage *self)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  gtk_box_set_spacing (GTK_BOX (self), PANEL_GAP_PX);
  gtk_widget_show (GTK_WIDGET (self));
  self->below = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, PANEL_GAP_PX);
  gtk_box_set_homogeneous (GTK_BOX (self->below), TRUE);
  gtk_widget_set_no_show_all (self->below, TRUE);
}

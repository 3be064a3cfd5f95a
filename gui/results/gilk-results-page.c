/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-results-page.c - the page of plots: smaller panels below the first, on the same data
 *
 * A mark or zoom in one panel applies to all.
 */
#include "gui/results/gilk-plot-panel.h"

#include <glib/gi18n.h>

#include "gui/base/gilk-settings.h"

#define SETTINGS_KEY     "plots-below" /* key of the settings */
#define RESIZE_DELAY_MS 150            /* delay for a window that is being resized */
#define NARROW_PX  680                 /* in narrower pages panels are stacked */
#define FIRST_PX   230
#define LOW_PX     190
#define PANEL_GAP_PX        10               /* px between two panels */

/* ---- visible panels ---- */

/* Returns whether the selected hook has samples and is shown as a figure. */
static gboolean
has_panels (GilkResultsView *self)
{
  GilkFigureKind kind;

  return gilk_results_hook (self) != NULL && gilk_results_quantity (self) != NULL && gilk_results_kind (self, &kind) &&
         gtk_tree_model_iter_n_children (gtk_combo_box_get_model (GTK_COMBO_BOX (self->kind)), NULL) > 1;
}

/* Shows, hides or draws the panel. Returns whether it is visible. */
static gboolean
update_panel (GilkPlotPanel *panel,
              gboolean       have)
{
  GilkResultsView *self = panel->view;
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

void
gilk_results_update_panels (GilkResultsView *self)
{
  gboolean have = has_panels (self), any = FALSE;

  gilk_results_comparison_update (self->comparison);
  if (gilk_results_hook (self) != NULL)
    gilk_results_draw_first_plot (self);
  for (guint i = 1; i < GILK_RESULTS_PANELS; i++)
    any = update_panel (self->panels[i], have) || any;
  gtk_widget_set_visible (GTK_WIDGET (self->below), any);
  gtk_widget_set_visible (self->panels[0]->place, !have || self->single_plot == NULL || self->single_plot == self->plot);
}

static gboolean
waits_for_earlier (const GilkPlotPanel *panel)
{
  for (guint i = 0; i < panel->index; i++)
    if (panel->view->panels[i] != NULL && (panel->view->panels[i]->reading || panel->view->panels[i]->must_wait))
      return TRUE;

  return FALSE;
}

/* Drops the key, so that the plot is requested again when its turn comes. */
gboolean
gilk_results_panel_must_wait (GilkPlotPanel *panel)
{
  if (!waits_for_earlier (panel))
    return FALSE;
  g_clear_pointer (&panel->key, g_free);
  panel->must_wait = TRUE;
  gilk_plot_progress_start (panel->progress, NULL, 0);

  return TRUE;
}

static gboolean
can_start (const GilkResultsView *self,
           guint                  i)
{
  return self->panels[i] != NULL && self->panels[i]->must_wait && !waits_for_earlier (self->panels[i]);
}

static gboolean
start_next_idle (gpointer user_data)
{
  GilkResultsView *self = user_data;

  self->next_source = 0;
  for (guint i = 1; i < GILK_RESULTS_PANELS; i++)
    if (can_start (self, i))
      {
        gilk_plot_panel_draw (self->panels[i]);
        break;
      }

  return G_SOURCE_REMOVE;
}

/* Deferred to an idle handler, so that the finished plot is painted first. */
void
gilk_results_start_next_panel (GilkResultsView *self)
{
  for (guint i = 1; i < GILK_RESULTS_PANELS && self->next_source == 0; i++)
    if (can_start (self, i))
      self->next_source = g_idle_add (start_next_idle, self);
}

void
gilk_results_cancel_panels (GilkResultsView *self)
{
  for (guint i = 0; i < GILK_RESULTS_PANELS; i++)
    gilk_plot_panel_cancel (self->panels[i]);
}

GPtrArray *
gilk_results_plots (GilkResultsView *self)
{
  GPtrArray *plots = g_ptr_array_new ();
  gboolean comparison = gilk_results_comparison_run (self->comparison) != NULL;

  for (guint i = 0; i < GILK_RESULTS_PANELS; i++)
    if (gtk_widget_get_visible (self->panels[i]->place) &&
        (i == 0 || (gtk_widget_get_visible (GTK_WIDGET (self->below)) && gilk_plot_view_has_plot (self->panels[i]->plot))))
      {
        g_ptr_array_add (plots, self->panels[i]->plot);
        if (comparison && gilk_plot_view_has_plot (self->panels[i]->compared_plot))
          g_ptr_array_add (plots, self->panels[i]->compared_plot);
      }

  return plots;
}

GilkPlotView *
gilk_results_current_plot (GilkResultsView *self)
{
  g_autoptr(GPtrArray) plots = gilk_results_plots (self);

  return plots->len > 0 && !g_ptr_array_find (plots, self->current_plot, NULL) ? g_ptr_array_index (plots, 0) : self->current_plot;
}

/* ---- actions ---- */

void
gilk_results_save_settings (GilkResultsView *self)
{
  g_autoptr(GPtrArray) wishes = g_ptr_array_new_with_free_func (g_free);

  if (self->settings == NULL)
    return;
  for (guint i = 1; i < GILK_RESULTS_PANELS; i++)
    g_ptr_array_add (wishes, gilk_plot_settings_format (&self->panels[i]->settings));
  g_ptr_array_add (wishes, NULL);
  g_settings_set_strv (self->settings, SETTINGS_KEY, (const char *const *) wishes->pdata);
}

static void
toggle_single (GilkResultsView *self,
               GilkPlotView    *plot)
{
  self->single_plot = self->single_plot == plot ? NULL : plot;
  gilk_results_update_panels (self);
  gtk_widget_grab_focus (GTK_WIDGET (plot));
}

static void
single_requested (GilkPlotPanel *panel)
{
  toggle_single (panel->view, panel->plot);
}

static void
show_read_out (GilkPlotPanel *panel,
               const char    *text)
{
  gtk_label_set_text (panel->view->read_out, text);
}

/* Adds a note at the plot's position in time, or else on the selected time range. */
static void
note_requested (GilkPlotPanel *panel)
{
  GilkSelectionAxis axis;
  gboolean over_time = gilk_plot_panel_zoom_axis (panel, &axis) && axis == GILK_SELECTION_TIME && gilk_plot_view_has_plot (panel->plot);

  gilk_results_add_note (panel->view, GTK_WIDGET (panel->plot),
                         over_time ? gilk_plot_view_position (panel->plot) : gilk_selection_time (panel->view->selection));
}

static void
note_rejected (GilkPlotPanel *panel)
{
  show_read_out (panel, _("Notes are stored in the session on the left. Open this session to add notes to it."));
}

/* A view-only zoom of the first panel is shared by all views; in others it ends with the plot. */
static void
plot_zoomed (GilkPlotPanel *panel,
             double         from,
             double         to)
{
  GilkSelectionAxis axis;

  if (!gilk_plot_panel_zoom_axis (panel, &axis) || (axis == GILK_SELECTION_ZOOM_ONLY && panel->index > 0))
    return;
  gilk_selection_zoom (panel->view->selection, axis, panel->field, from, to, g_get_monotonic_time ());
  gilk_results_selection_changed (panel->view);
}

static void
plot_marked (GilkPlotPanel *panel,
             double         from,
             double         to)
{
  GilkSelectionAxis axis;

  if (!gilk_plot_panel_zoom_axis (panel, &axis))
    return;
  gilk_selection_mark (panel->view->selection, axis, panel->field, from, to);
  gilk_results_selection_changed (panel->view);
}

static void
enter_mark (GilkPlotPanel *panel)
{
  GilkSelectionAxis axis;

  if (gilk_plot_panel_zoom_axis (panel, &axis) && gilk_selection_zoom_to_mark (panel->view->selection, axis, panel->field))
    gilk_results_selection_changed (panel->view);
}

static void
undo_selection (GilkPlotPanel *panel)
{
  gilk_results_undo_selection (panel->view);
}

static void
reading_cancelled (GilkPlotPanel *panel)
{
  gilk_plot_panel_cancel (panel);
  if (gilk_plot_view_data (panel->plot) == NULL)
    gilk_plot_panel_show_message (panel, _("Reading was cancelled. Choose the plot again to read it."));
  gtk_label_set_text (panel->view->read_out, _("Cancelled: the previous plot is still shown."));
}

static gboolean
plot_focused (GtkWidget       *plot,
              GdkEvent        *event,
              GilkResultsView *self)
{
  self->current_plot = GILK_PLOT_VIEW (plot);

  return GDK_EVENT_PROPAGATE;
}

static gboolean
resize_timeout (gpointer user_data)
{
  GilkResultsView *self = user_data;

  self->resizing = 0;
  if (gilk_results_run (self) == NULL || gilk_results_hook (self) == NULL || gilk_results_shows_accesses (self) ||
      gilk_results_shows_samples (self))
    return G_SOURCE_REMOVE;
  gilk_results_show_command (self);
  self->range_only = TRUE;
  gilk_results_update_panels (self);
  self->range_only = FALSE;

  return G_SOURCE_REMOVE;
}

/* A plot that has not been requested yet is drawn without delay. */
static gboolean
is_missing (GilkPlotPanel *panel)
{
  return panel->kind != GILK_FIGURE_N_KINDS && panel->key == NULL && gtk_widget_get_visible (panel->place);
}

static void
size_changed (GilkResultsView *self)
{
  gboolean missing = FALSE;

  for (guint i = 0; i < GILK_RESULTS_PANELS; i++)
    missing = missing || (self->panels[i] != NULL && is_missing (self->panels[i]));
  g_clear_handle_id (&self->resizing, g_source_remove);
  self->resizing = g_timeout_add (missing ? 0 : RESIZE_DELAY_MS, resize_timeout, self);
}

/* ---- construction ---- */

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
  g_signal_connect_object (plot, "focus-in-event", G_CALLBACK (plot_focused), panel->view, 0);
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
  g_signal_connect_object (panel->plot, "size-allocate", G_CALLBACK (size_changed), panel->view, G_CONNECT_SWAPPED);
}

static GilkPlotPanel *
panel_new (GilkResultsView *self,
           guint            index)
{
  GilkPlotPanel *panel = g_new0 (GilkPlotPanel, 1);

  panel->view = self;
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

/* A comparison leaves each plot half of the width. */
static gboolean
is_narrow (GilkResultsView *self)
{
  return gilk_results_comparison_run (self->comparison) != NULL || gtk_widget_get_allocated_width (GTK_WIDGET (self->page)) < NARROW_PX;
}

static gboolean
update_orientation (gpointer user_data)
{
  GilkResultsView *self = user_data;

  if (self->comparison != NULL)
    gtk_orientable_set_orientation (GTK_ORIENTABLE (self->below),
                                    is_narrow (self) ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL);

  return G_SOURCE_REMOVE;
}

/* The orientation of a box must not change inside size-allocate. */
static void
page_sized (GilkResultsView *self)
{
  if (self->comparison != NULL && is_narrow (self) != (gtk_orientable_get_orientation (GTK_ORIENTABLE (self->below)) == GTK_ORIENTATION_VERTICAL))
    g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, update_orientation, g_object_ref (self), g_object_unref);
}

void
gilk_results_comparison_changed (GilkResultsView *self)
{
  gboolean comparison = gilk_results_comparison_run (self->comparison) != NULL;

  for (guint i = 0; i < GILK_RESULTS_PANELS; i++)
    gtk_widget_set_visible (self->panels[i]->compared_frame, comparison);
  update_orientation (self);
  gilk_results_comparison_update (self->comparison);
  gilk_results_choice_changed (self);
}

void
gilk_results_make_panels (GilkResultsView *self)
{
  static const char *const usual[] = { "series", "spectrum" };
  g_auto(GStrv) wishes = NULL;
  guint n;

  self->settings = gilk_settings_new (NULL);
  wishes = self->settings != NULL ? g_settings_get_strv (self->settings, SETTINGS_KEY) : NULL;
  n = wishes != NULL ? g_strv_length (wishes) : 0;
  for (guint i = 0; i < GILK_RESULTS_PANELS; i++)
    {
      self->panels[i] = panel_new (self, i);
      gtk_box_pack_start (i == 0 ? self->page : self->below, self->panels[i]->place, TRUE, TRUE, 0);
      if (i > 0)
        gilk_plot_settings_parse (&self->panels[i]->settings, i - 1 < n ? wishes[i - 1] : usual[i - 1]);
    }
  gtk_box_reorder_child (self->page, self->panels[0]->place, 0);
  gtk_widget_show (self->panels[0]->place);
  self->plot = self->current_plot = self->panels[0]->plot;
  self->comparison = gilk_results_comparison_new (self);
  g_signal_connect_object (self->page, "size-allocate", G_CALLBACK (page_sized), self, G_CONNECT_SWAPPED);
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

void
gilk_results_free_panels (GilkResultsView *self)
{
  for (guint i = 0; i < GILK_RESULTS_PANELS; i++)
    g_clear_pointer (&self->panels[i], panel_free);
  g_clear_handle_id (&self->next_source, g_source_remove);
  g_clear_pointer (&self->comparison, gilk_results_comparison_free);
  g_clear_object (&self->settings);
}

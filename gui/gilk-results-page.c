/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-results-page.c - the page of plots: under the first one two smaller ones, of the same hooks, time and values
 *
 * What one of them marks or zooms is looked at by all.
 */
#include "gui/gilk-results-card.h"

#include <glib/gi18n.h>

#include "gui/gilk-settings.h"

#define WISHES     "plots-below"    /* in the settings */
#define SIZED_MS   150
#define NARROW_PX  680              /* less: one below the other */
#define LOW_PX     190

/* ---- which there are ---- */

/* Of a hook that takes samples, drawn as a figure. */
static gboolean
have_cards (GilkResultsView *self)
{
  GilkFigureKind kind;

  return gilk_results_hook (self) != NULL && gilk_results_quantity (self) != NULL && gilk_results_kind (self, &kind) &&
         gtk_tree_model_iter_n_children (gtk_combo_box_get_model (GTK_COMBO_BOX (self->kind)), NULL) > 1;
}

void
gilk_results_show_cards (GilkResultsView *self)
{
  gboolean have = have_cards (self), any = FALSE, shown;

  for (guint i = 0; i < GILK_RESULTS_CARDS; i++)
    {
      GilkResultsCard *card = self->cards[i];

      if (have)
        gilk_results_card_choose (card);
      shown = have && (self->alone == NULL ? card->kind != GILK_FIGURE_N_KINDS || i == 0 : self->alone == card->plot);
      gtk_widget_set_visible (card->frame, shown);
      any = any || shown;
      if (!shown)
        gilk_results_card_stop (card);
      else if (card->kind == GILK_FIGURE_N_KINDS)
        gilk_results_card_say (card, _("Choose a plot above."));
      else
        gilk_results_card_draw (card);
    }
  gtk_widget_set_visible (GTK_WIDGET (self->below), any);
  gtk_widget_set_visible (self->main_frame, !have || self->alone == NULL || self->alone == self->plot);
}

void
gilk_results_stop_cards (GilkResultsView *self)
{
  for (guint i = 0; i < GILK_RESULTS_CARDS; i++)
    gilk_results_card_stop (self->cards[i]);
}

GPtrArray *
gilk_results_plots (GilkResultsView *self)
{
  GPtrArray *plots = g_ptr_array_new ();

  if (gtk_widget_get_visible (self->main_frame))
    g_ptr_array_add (plots, self->plot);
  for (guint i = 0; i < GILK_RESULTS_CARDS && gtk_widget_get_visible (GTK_WIDGET (self->below)); i++)
    if (gtk_widget_get_visible (self->cards[i]->frame) && gilk_plot_view_has_plot (self->cards[i]->plot))
      g_ptr_array_add (plots, self->cards[i]->plot);

  return plots;
}

GilkPlotView *
gilk_results_chosen_plot (GilkResultsView *self)
{
  g_autoptr(GPtrArray) plots = gilk_results_plots (self);

  return plots->len > 0 && !g_ptr_array_find (plots, self->chosen, NULL) ? g_ptr_array_index (plots, 0) : self->chosen;
}

/* ---- what is done with them ---- */

static void
kind_wished (GilkResultsCard *card,
             GVariant        *kind)
{
  GilkResultsView *self = card->view;
  const char *wishes[GILK_RESULTS_CARDS + 1] = { NULL };

  g_free (card->wish);
  card->wish = g_variant_dup_string (kind, NULL);
  for (guint i = 0; i < GILK_RESULTS_CARDS; i++)
    wishes[i] = self->cards[i]->wish;
  if (self->settings != NULL)
    g_settings_set_strv (self->settings, WISHES, wishes);
  gilk_results_show_cards (self);
}

static void
toggle_alone (GilkResultsView *self,
              GilkPlotView    *plot)
{
  self->alone = self->alone == plot ? NULL : plot;
  gilk_results_show_cards (self);
  gtk_widget_grab_focus (GTK_WIDGET (plot));
}

static void
alone_wished (GilkPlotView    *plot,
              GilkResultsView *self)
{
  toggle_alone (self, plot);
}

/* On a moment, where the plot is over time, or else on the time that is looked at. */
static void
note_wished (GilkPlotView    *plot,
             GilkResultsView *self)
{
  const GilkPlotData *data = gilk_plot_view_data (plot);
  gboolean over_time = data != NULL && data->figure != NULL && gilk_look_axis (data->figure->kind) == GILK_LOOK_TIME;

  gilk_results_add_note (self, GTK_WIDGET (plot), over_time ? gilk_plot_view_place (plot) : gilk_look_time (self->look));
}

static void
alone_clicked (GtkWidget       *button,
               GilkResultsView *self)
{
  toggle_alone (self, g_object_get_data (G_OBJECT (button), "plot"));
}

static void
zoomed (GilkResultsCard *card,
        double           from,
        double           to)
{
  GilkLookAxis axis = gilk_look_axis (card->kind);

  if (axis == GILK_LOOK_CLOSER)
    return;
  gilk_look_zoom (card->view->look, axis, gilk_results_card_field_of (card), from, to, g_get_monotonic_time ());
  gilk_results_look_changed (card->view);
}

static void
marked (GilkResultsCard *card,
        double           from,
        double           to)
{
  gilk_look_mark (card->view->look, gilk_look_axis (card->kind), gilk_results_card_field_of (card), from, to);
  gilk_results_look_changed (card->view);
}

static void
enter_mark (GilkResultsCard *card)
{
  if (gilk_look_enter (card->view->look, gilk_look_axis (card->kind), gilk_results_card_field_of (card)))
    gilk_results_look_changed (card->view);
}

static void
undo (GilkResultsCard *card)
{
  gilk_results_undo_look (card->view);
}

static void
read_out (GilkResultsCard *card,
          const char      *text)
{
  gtk_label_set_text (card->view->read_out, text);
}

static gboolean
focused (GtkWidget       *plot,
         GdkEvent        *event,
         GilkResultsView *self)
{
  self->chosen = GILK_PLOT_VIEW (plot);

  return GDK_EVENT_PROPAGATE;
}

static gboolean
sized (gpointer user_data)
{
  GilkResultsCard *card = user_data;

  card->sizing = 0;
  gilk_results_show_cards (card->view);

  return G_SOURCE_REMOVE;
}

static void
size_changed (GilkResultsCard *card)
{
  g_clear_handle_id (&card->sizing, g_source_remove);
  card->sizing = g_timeout_add (SIZED_MS, sized, card);
}

/* ---- building ---- */

/* What stands in the upper right corner of a plot. */
static void
add_corner (GilkResultsView *self,
            GtkOverlay      *overlay,
            GilkPlotView    *plot,
            GtkWidget       *kinds)
{
  GtkWidget *corner = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *button = gtk_button_new_from_icon_name ("view-fullscreen-symbolic", GTK_ICON_SIZE_MENU);
  int width;

  gtk_button_set_relief (GTK_BUTTON (button), GTK_RELIEF_NONE);
  gtk_widget_set_tooltip_text (button, _("This plot alone, or all of them (F)"));
  atk_object_set_name (gtk_widget_get_accessible (button), _("This plot alone"));
  g_object_set_data (G_OBJECT (button), "plot", plot);
  g_signal_connect_object (button, "clicked", G_CALLBACK (alone_clicked), self, 0);
  g_signal_connect_object (plot, "alone", G_CALLBACK (alone_wished), self, 0);
  g_signal_connect_object (plot, "note", G_CALLBACK (note_wished), self, 0);
  g_signal_connect_object (plot, "focus-in-event", G_CALLBACK (focused), self, 0);
  if (kinds != NULL)
    gtk_box_pack_start (GTK_BOX (corner), kinds, FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (corner), button, FALSE, FALSE, 0);
  gtk_widget_set_halign (corner, GTK_ALIGN_END);
  gtk_widget_set_valign (corner, GTK_ALIGN_START);
  gtk_style_context_add_class (gtk_widget_get_style_context (corner), "card-corner");
  gtk_widget_show_all (corner);
  gtk_overlay_add_overlay (overlay, corner);
  gtk_widget_get_preferred_width (corner, &width, NULL);
  gilk_plot_view_set_corner (plot, width);
}

static GtkWidget *
new_kinds (GilkResultsCard *card)
{
  g_autoptr(GMenu) menu = g_menu_new ();
  g_autoptr(GSimpleActionGroup) actions = g_simple_action_group_new ();
  const char *name = card->index == 0 ? _("First plot below") : _("Second plot below");
  GtkWidget *button = gtk_menu_button_new ();

  for (guint i = 0; i == 0 || gilk_results_card_kinds[i - 1] != GILK_FIGURE_N_KINDS; i++)
    {
      GilkFigureKind kind = gilk_results_card_kinds[i];
      gboolean none = kind == GILK_FIGURE_N_KINDS;
      g_autoptr(GMenuItem) item = g_menu_item_new (none ? _("No plot") : gilk_results_kind_title (kind), NULL);

      g_menu_item_set_action_and_target (item, "card.kind", "s", none ? GILK_RESULTS_CARD_NONE : gilk_figure_kind_name (kind));
      g_menu_append_item (menu, item);
    }
  card->kinds = g_simple_action_new_stateful ("kind", G_VARIANT_TYPE_STRING, g_variant_new_string (GILK_RESULTS_CARD_NONE));
  g_signal_connect_swapped (card->kinds, "change-state", G_CALLBACK (kind_wished), card);
  g_action_map_add_action (G_ACTION_MAP (actions), G_ACTION (card->kinds));
  gtk_widget_insert_action_group (button, "card", G_ACTION_GROUP (actions));
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (button), G_MENU_MODEL (menu));
  gtk_button_set_relief (GTK_BUTTON (button), GTK_RELIEF_NONE);
  gtk_widget_set_tooltip_text (button, _("Which plot this is"));
  atk_object_set_name (gtk_widget_get_accessible (button), name);

  return button;
}

static GilkResultsCard *
card_new (GilkResultsView *self,
          guint            index,
          const char      *wish)
{
  GilkResultsCard *card = g_new0 (GilkResultsCard, 1);
  GtkWidget *overlay = gtk_overlay_new ();

  card->view = self;
  card->index = index;
  card->wish = g_strdup (wish);
  card->kind = GILK_FIGURE_N_KINDS;
  card->plot = g_object_new (GILK_TYPE_PLOT_VIEW, "visible", TRUE, "vexpand", TRUE, "hexpand", TRUE, "height-request", LOW_PX, NULL);
  card->frame = gtk_frame_new (NULL);
  gtk_style_context_add_class (gtk_widget_get_style_context (card->frame), "view");
  gtk_style_context_add_class (gtk_widget_get_style_context (card->frame), "card");
  gtk_widget_set_no_show_all (card->frame, TRUE);
  gtk_container_add (GTK_CONTAINER (overlay), GTK_WIDGET (card->plot));
  add_corner (self, GTK_OVERLAY (overlay), card->plot, new_kinds (card));
  gtk_widget_show (overlay);
  gtk_container_add (GTK_CONTAINER (card->frame), overlay);
  gtk_box_pack_start (self->below, card->frame, TRUE, TRUE, 0);
  g_signal_connect_swapped (card->plot, "zoomed", G_CALLBACK (zoomed), card);
  g_signal_connect_swapped (card->plot, "marked", G_CALLBACK (marked), card);
  g_signal_connect_swapped (card->plot, "enter", G_CALLBACK (enter_mark), card);
  g_signal_connect_swapped (card->plot, "undo", G_CALLBACK (undo), card);
  g_signal_connect_swapped (card->plot, "read-out", G_CALLBACK (read_out), card);
  g_signal_connect_swapped (card->plot, "size-allocate", G_CALLBACK (size_changed), card);

  return card;
}

static gboolean
turn (gpointer user_data)
{
  GilkResultsView *self = user_data;
  gboolean narrow = gtk_widget_get_allocated_width (GTK_WIDGET (self->page)) < NARROW_PX;

  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->below), narrow ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL);

  return G_SOURCE_REMOVE;
}

/* A box cannot be turned while it is given its place. */
static void
page_sized (GilkResultsView *self)
{
  gboolean narrow = gtk_widget_get_allocated_width (GTK_WIDGET (self->page)) < NARROW_PX;

  if (narrow != (gtk_orientable_get_orientation (GTK_ORIENTABLE (self->below)) == GTK_ORIENTATION_VERTICAL))
    g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, turn, g_object_ref (self), g_object_unref);
}

void
gilk_results_make_cards (GilkResultsView *self)
{
  static const char *const usual[GILK_RESULTS_CARDS] = { "series", "spectrum" };
  g_auto(GStrv) wishes = NULL;

  self->settings = gilk_settings_new (NULL);
  wishes = self->settings != NULL ? g_settings_get_strv (self->settings, WISHES) : NULL;
  self->chosen = self->plot;
  add_corner (self, self->main_overlay, self->plot, NULL);
  for (guint i = 0; i < GILK_RESULTS_CARDS; i++)
    self->cards[i] = card_new (self, i, wishes != NULL && i < g_strv_length (wishes) ? wishes[i] : usual[i]);
  g_signal_connect_object (self->page, "size-allocate", G_CALLBACK (page_sized), self, G_CONNECT_SWAPPED);
}

void
gilk_results_drop_cards (GilkResultsView *self)
{
  for (guint i = 0; i < GILK_RESULTS_CARDS; i++)
    {
      GilkResultsCard *card = g_steal_pointer (&self->cards[i]);

      if (card == NULL)
        continue;
      gilk_results_card_stop (card);
      g_clear_handle_id (&card->sizing, g_source_remove);
      g_signal_handlers_disconnect_by_data (card->plot, card);
      g_signal_handlers_disconnect_by_data (card->kinds, card);
      g_object_unref (card->kinds);
      g_free (card->wish);
      g_free (card->axis);
      g_free (card);
    }
  g_clear_object (&self->settings);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-results-page.c - the page of plots: smaller panels below the first, on the same data
 *
 * A mark or zoom in one panel applies to all.
 */
#include "gui/gilk-results-card.h"

#include <glib/gi18n.h>

#include "gui/gilk-settings.h"

#define WISHES     "plots-below"    /* key of the settings */
#define RESIZED_MS 150              /* delay for a window that is being resized */
#define NARROW_PX  680              /* in narrower pages panels are stacked */
#define FIRST_PX   230
#define LOW_PX     190
#define GAP        10               /* px between two panels */

/* ---- visible panels ---- */

/* Returns whether the selected hook has samples and is shown as a figure. */
static gboolean
have_cards (GilkResultsView *self)
{
  GilkFigureKind kind;

  return gilk_results_hook (self) != NULL && gilk_results_quantity (self) != NULL && gilk_results_kind (self, &kind) &&
         gtk_tree_model_iter_n_children (gtk_combo_box_get_model (GTK_COMBO_BOX (self->kind)), NULL) > 1;
}

/* Shows, hides or draws the panel. Returns whether it is visible. */
static gboolean
show_card (GilkResultsCard *card,
           gboolean         have)
{
  GilkResultsView *self = card->view;
  gboolean shown;

  if (have)
    gilk_results_card_choose (card);
  shown = have && (self->alone == NULL ? card->kind != GILK_FIGURE_N_KINDS || card->index == 1 : self->alone == card->plot);
  gtk_widget_set_visible (card->place, shown);
  if (!shown)
    gilk_results_card_stop (card);
  else if (card->kind == GILK_FIGURE_N_KINDS)
    gilk_results_card_say (card, _("Choose a plot above."));
  else
    gilk_results_card_draw (card);

  return shown;
}

void
gilk_results_show_cards (GilkResultsView *self)
{
  gboolean have = have_cards (self), any = FALSE;

  gilk_results_beside_show (self->beside);
  if (gilk_results_hook (self) != NULL)
    gilk_results_draw (self);
  for (guint i = 1; i < GILK_RESULTS_CARDS; i++)
    any = show_card (self->cards[i], have) || any;
  gtk_widget_set_visible (GTK_WIDGET (self->below), any);
  gtk_widget_set_visible (self->cards[0]->place, !have || self->alone == NULL || self->alone == self->plot);
}

static gboolean
is_behind (const GilkResultsCard *card)
{
  for (guint i = 0; i < card->index; i++)
    if (card->view->cards[i] != NULL && (card->view->cards[i]->reading || card->view->cards[i]->waits))
      return TRUE;

  return FALSE;
}

/* Drops the key, so that the plot is requested again when its turn comes. */
gboolean
gilk_results_wait_turn (GilkResultsCard *card)
{
  if (!is_behind (card))
    return FALSE;
  g_clear_pointer (&card->key, g_free);
  card->waits = TRUE;
  gilk_plot_waiting_begin (card->waiting, NULL, 0);

  return TRUE;
}

static gboolean
may_begin (const GilkResultsView *self,
           guint                  i)
{
  return self->cards[i] != NULL && self->cards[i]->waits && !is_behind (self->cards[i]);
}

static gboolean
begin_next (gpointer user_data)
{
  GilkResultsView *self = user_data;

  self->going_on = 0;
  for (guint i = 1; i < GILK_RESULTS_CARDS; i++)
    if (may_begin (self, i))
      {
        gilk_results_card_draw (self->cards[i]);
        break;
      }

  return G_SOURCE_REMOVE;
}

/* Deferred to an idle handler, so that the finished plot is painted first. */
void
gilk_results_go_on (GilkResultsView *self)
{
  for (guint i = 1; i < GILK_RESULTS_CARDS && self->going_on == 0; i++)
    if (may_begin (self, i))
      self->going_on = g_idle_add (begin_next, self);
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
  gboolean beside = gilk_results_beside_run (self->beside) != NULL;

  for (guint i = 0; i < GILK_RESULTS_CARDS; i++)
    if (gtk_widget_get_visible (self->cards[i]->place) &&
        (i == 0 || (gtk_widget_get_visible (GTK_WIDGET (self->below)) && gilk_plot_view_has_plot (self->cards[i]->plot))))
      {
        g_ptr_array_add (plots, self->cards[i]->plot);
        if (beside && gilk_plot_view_has_plot (self->cards[i]->twin))
          g_ptr_array_add (plots, self->cards[i]->twin);
      }

  return plots;
}

GilkPlotView *
gilk_results_chosen_plot (GilkResultsView *self)
{
  g_autoptr(GPtrArray) plots = gilk_results_plots (self);

  return plots->len > 0 && !g_ptr_array_find (plots, self->chosen, NULL) ? g_ptr_array_index (plots, 0) : self->chosen;
}

/* ---- actions ---- */

void
gilk_results_keep_wishes (GilkResultsView *self)
{
  g_autoptr(GPtrArray) wishes = g_ptr_array_new_with_free_func (g_free);

  if (self->settings == NULL)
    return;
  for (guint i = 1; i < GILK_RESULTS_CARDS; i++)
    g_ptr_array_add (wishes, gilk_results_wish_text (&self->cards[i]->wish));
  g_ptr_array_add (wishes, NULL);
  g_settings_set_strv (self->settings, WISHES, (const char *const *) wishes->pdata);
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
alone_wished (GilkResultsCard *card)
{
  toggle_alone (card->view, card->plot);
}

static void
read_out (GilkResultsCard *card,
          const char      *text)
{
  gtk_label_set_text (card->view->read_out, text);
}

/* Adds a note at the plot's position in time, or else on the selected time range. */
static void
note_wished (GilkResultsCard *card)
{
  GilkLookAxis axis;
  gboolean over_time = gilk_results_card_axis (card, &axis) && axis == GILK_LOOK_TIME && gilk_plot_view_has_plot (card->plot);

  gilk_results_add_note (card->view, GTK_WIDGET (card->plot),
                         over_time ? gilk_plot_view_place (card->plot) : gilk_look_time (card->view->look));
}

static void
note_refused (GilkResultsCard *card)
{
  read_out (card, _("Notes are stored in the session on the left. Open this session to add notes to it."));
}

/* A view-only zoom of the first panel is shared by all views; in others it ends with the plot. */
static void
zoomed (GilkResultsCard *card,
        double           from,
        double           to)
{
  GilkLookAxis axis;

  if (!gilk_results_card_axis (card, &axis) || (axis == GILK_LOOK_CLOSER && card->index > 0))
    return;
  gilk_look_zoom (card->view->look, axis, card->field, from, to, g_get_monotonic_time ());
  gilk_results_look_changed (card->view);
}

static void
marked (GilkResultsCard *card,
        double           from,
        double           to)
{
  GilkLookAxis axis;

  if (!gilk_results_card_axis (card, &axis))
    return;
  gilk_look_mark (card->view->look, axis, card->field, from, to);
  gilk_results_look_changed (card->view);
}

static void
enter_mark (GilkResultsCard *card)
{
  GilkLookAxis axis;

  if (gilk_results_card_axis (card, &axis) && gilk_look_enter (card->view->look, axis, card->field))
    gilk_results_look_changed (card->view);
}

static void
undo (GilkResultsCard *card)
{
  gilk_results_undo_look (card->view);
}

static void
cancelled (GilkResultsCard *card)
{
  gilk_results_card_stop (card);
  if (gilk_plot_view_data (card->plot) == NULL)
    gilk_results_card_say (card, _("Reading was cancelled. Choose the plot again to read it."));
  gtk_label_set_text (card->view->read_out, _("Cancelled: the previous plot is still shown."));
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
resized (gpointer user_data)
{
  GilkResultsView *self = user_data;

  self->resizing = 0;
  if (gilk_results_run (self) == NULL || gilk_results_hook (self) == NULL || gilk_results_is_writers (self) ||
      gilk_results_is_samples (self))
    return G_SOURCE_REMOVE;
  gilk_results_show_command (self);
  self->only_look = TRUE;
  gilk_results_show_cards (self);
  self->only_look = FALSE;

  return G_SOURCE_REMOVE;
}

/* A plot that has not been requested yet is drawn without delay. */
static gboolean
is_missing (GilkResultsCard *card)
{
  return card->kind != GILK_FIGURE_N_KINDS && card->key == NULL && gtk_widget_get_visible (card->place);
}

static void
size_changed (GilkResultsView *self)
{
  gboolean missing = FALSE;

  for (guint i = 0; i < GILK_RESULTS_CARDS; i++)
    missing = missing || (self->cards[i] != NULL && is_missing (self->cards[i]));
  g_clear_handle_id (&self->resizing, g_source_remove);
  self->resizing = g_timeout_add (missing ? 0 : RESIZED_MS, resized, self);
}

/* ---- construction ---- */

/* Adds the buttons in the upper right corner of a plot. */
static void
add_corner (GilkResultsCard *card)
{
  GtkWidget *corner = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *button = gtk_button_new_from_icon_name ("view-fullscreen-symbolic", GTK_ICON_SIZE_MENU);
  int width;

  gtk_button_set_relief (GTK_BUTTON (button), GTK_RELIEF_NONE);
  gtk_widget_set_tooltip_text (button, _("Show only this plot, or all plots (F)"));
  atk_object_set_name (gtk_widget_get_accessible (button), _("Show only this plot"));
  g_signal_connect_swapped (button, "clicked", G_CALLBACK (alone_wished), card);
  if (card->index > 0)
    gtk_box_pack_start (GTK_BOX (corner), gilk_results_card_menu (card), FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (corner), button, FALSE, FALSE, 0);
  gtk_widget_set_halign (corner, GTK_ALIGN_END);
  gtk_widget_set_valign (corner, GTK_ALIGN_START);
  gtk_style_context_add_class (gtk_widget_get_style_context (corner), "card-corner");
  gtk_widget_show_all (corner);
  gtk_overlay_add_overlay (card->overlay, corner);
  gtk_widget_get_preferred_width (corner, &width, NULL);
  gilk_plot_view_set_corner (card->plot, width);
}

static void
follow (GilkResultsCard *card,
        GilkPlotView    *plot)
{
  g_signal_connect_swapped (plot, "zoomed", G_CALLBACK (zoomed), card);
  g_signal_connect_swapped (plot, "marked", G_CALLBACK (marked), card);
  g_signal_connect_swapped (plot, "enter", G_CALLBACK (enter_mark), card);
  g_signal_connect_swapped (plot, "undo", G_CALLBACK (undo), card);
  g_signal_connect_swapped (plot, "read-out", G_CALLBACK (read_out), card);
  g_signal_connect_swapped (plot, "alone", G_CALLBACK (alone_wished), card);
  g_signal_connect_object (plot, "focus-in-event", G_CALLBACK (focused), card->view, 0);
}

static GilkPlotView *
new_plot (int height)
{
  return g_object_new (GILK_TYPE_PLOT_VIEW, "visible", TRUE, "vexpand", TRUE, "hexpand", TRUE, "height-request", height, NULL);
}

static GtkWidget *
new_frame (GilkResultsCard *card,
           GtkWidget       *plot)
{
  GtkWidget *frame = gtk_frame_new (NULL);

  gtk_style_context_add_class (gtk_widget_get_style_context (frame), "view");
  gtk_style_context_add_class (gtk_widget_get_style_context (frame), "card");
  gtk_container_add (GTK_CONTAINER (frame), plot);
  gtk_widget_show (plot);
  gtk_box_pack_start (GTK_BOX (card->place), frame, TRUE, TRUE, 0);

  return frame;
}

static void
follow_all (GilkResultsCard *card)
{
  follow (card, card->plot);
  follow (card, card->twin);
  g_signal_connect_swapped (card->plot, "note", G_CALLBACK (note_wished), card);
  g_signal_connect_swapped (card->twin, "note", G_CALLBACK (note_refused), card);
  g_signal_connect_swapped (card->waiting, "cancelled", G_CALLBACK (cancelled), card);
  g_signal_connect_object (card->plot, "size-allocate", G_CALLBACK (size_changed), card->view, G_CONNECT_SWAPPED);
}

static GilkResultsCard *
card_new (GilkResultsView *self,
          guint            index)
{
  GilkResultsCard *card = g_new0 (GilkResultsCard, 1);

  card->view = self;
  card->index = index;
  card->kind = card->wish.kind = GILK_FIGURE_N_KINDS;
  card->plot = new_plot (index == 0 ? FIRST_PX : LOW_PX);
  card->twin = new_plot (FIRST_PX);
  card->waiting = GILK_PLOT_WAITING (gilk_plot_waiting_new ());
  card->overlay = GTK_OVERLAY (gtk_overlay_new ());
  card->place = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, GAP);
  gtk_box_set_homogeneous (GTK_BOX (card->place), TRUE);
  gtk_widget_set_no_show_all (card->place, TRUE);
  gtk_container_add (GTK_CONTAINER (card->overlay), GTK_WIDGET (card->plot));
  gtk_overlay_add_overlay (card->overlay, GTK_WIDGET (card->waiting));
  gtk_widget_show (new_frame (card, GTK_WIDGET (card->overlay)));
  card->twin_frame = new_frame (card, GTK_WIDGET (card->twin));
  add_corner (card);
  follow_all (card);

  return card;
}

/* A comparison leaves each plot half of the width. */
static gboolean
is_narrow (GilkResultsView *self)
{
  return gilk_results_beside_run (self->beside) != NULL || gtk_widget_get_allocated_width (GTK_WIDGET (self->page)) < NARROW_PX;
}

static gboolean
turn (gpointer user_data)
{
  GilkResultsView *self = user_data;

  if (self->beside != NULL)
    gtk_orientable_set_orientation (GTK_ORIENTABLE (self->below),
                                    is_narrow (self) ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL);

  return G_SOURCE_REMOVE;
}

/* The orientation of a box must not change inside size-allocate. */
static void
page_sized (GilkResultsView *self)
{
  if (self->beside != NULL && is_narrow (self) != (gtk_orientable_get_orientation (GTK_ORIENTABLE (self->below)) == GTK_ORIENTATION_VERTICAL))
    g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, turn, g_object_ref (self), g_object_unref);
}

void
gilk_results_beside_changed (GilkResultsView *self)
{
  gboolean beside = gilk_results_beside_run (self->beside) != NULL;

  for (guint i = 0; i < GILK_RESULTS_CARDS; i++)
    gtk_widget_set_visible (self->cards[i]->twin_frame, beside);
  turn (self);
  gilk_results_beside_show (self->beside);
  gilk_results_choice_changed (self);
}

void
gilk_results_make_cards (GilkResultsView *self)
{
  static const char *const usual[] = { "series", "spectrum" };
  g_auto(GStrv) wishes = NULL;
  guint n;

  self->settings = gilk_settings_new (NULL);
  wishes = self->settings != NULL ? g_settings_get_strv (self->settings, WISHES) : NULL;
  n = wishes != NULL ? g_strv_length (wishes) : 0;
  for (guint i = 0; i < GILK_RESULTS_CARDS; i++)
    {
      self->cards[i] = card_new (self, i);
      gtk_box_pack_start (i == 0 ? self->page : self->below, self->cards[i]->place, TRUE, TRUE, 0);
      if (i > 0)
        gilk_results_wish_parse (&self->cards[i]->wish, i - 1 < n ? wishes[i - 1] : usual[i - 1]);
    }
  gtk_box_reorder_child (self->page, self->cards[0]->place, 0);
  gtk_widget_show (self->cards[0]->place);
  self->plot = self->chosen = self->cards[0]->plot;
  self->beside = gilk_results_beside_new (self);
  g_signal_connect_object (self->page, "size-allocate", G_CALLBACK (page_sized), self, G_CONNECT_SWAPPED);
}

static void
card_free (GilkResultsCard *card)
{
  gilk_results_card_stop (card);
  g_signal_handlers_disconnect_by_data (card->plot, card);
  g_signal_handlers_disconnect_by_data (card->twin, card);
  g_signal_handlers_disconnect_by_data (card->waiting, card);
  if (card->actions != NULL)
    {
      gtk_widget_insert_action_group (card->place, "card", NULL);
      g_object_unref (card->actions);
      g_object_unref (card->fields);
    }
  g_free (card->fields_of);
  g_free (card->wish.field);
  g_free (card->axis);
  g_free (card);
}

void
gilk_results_drop_cards (GilkResultsView *self)
{
  for (guint i = 0; i < GILK_RESULTS_CARDS; i++)
    g_clear_pointer (&self->cards[i], card_free);
  g_clear_handle_id (&self->going_on, g_source_remove);
  g_clear_pointer (&self->beside, gilk_results_beside_free);
  g_clear_object (&self->settings);
}

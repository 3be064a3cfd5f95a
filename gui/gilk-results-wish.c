/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-results-wish.c - settings of a smaller plot: chosen in its menu, saved, fitted to a hook
 */
#include "gui/gilk-results-card.h"

#include <glib/gi18n.h>
#include <string.h>

#define NONE "none"
#define SAME "-"                    /* the first panel's field; cannot be a field's name */

/* In order of preference. */
static const GilkFigureKind kinds[] = {
  GILK_FIGURE_SERIES, GILK_FIGURE_SPECTRUM, GILK_FIGURE_HISTOGRAM, GILK_FIGURE_RATE, GILK_FIGURE_ECDF, GILK_FIGURE_HEAT,
  GILK_FIGURE_AUTOCORRELATION, GILK_FIGURE_N_KINDS,
};

static const char *
kind_id (GilkFigureKind kind)
{
  return kind != GILK_FIGURE_N_KINDS ? gilk_figure_kind_name (kind) : NONE;
}

/* ---- text ---- */

void
gilk_results_wish_parse (GilkResultsWish *wish,
                         const char      *text)
{
  g_auto(GStrv) words = g_strsplit (text, " ", 3);
  guint n = g_strv_length (words);

  g_free (wish->field);
  *wish = (GilkResultsWish) { GILK_FIGURE_N_KINDS, NULL, FALSE, FALSE, FALSE };
  if (n == 0 || !gilk_figure_kind_parse (words[0], &wish->kind))
    {
      wish->kind = GILK_FIGURE_N_KINDS;
      return;
    }
  if (n > 1 && strcmp (words[1], SAME) != 0)
    wish->field = g_strdup (words[1]);
  wish->own_axes = n > 2;
  wish->log_x = n > 2 && strchr (words[2], 'x') != NULL;
  wish->log_y = n > 2 && strchr (words[2], 'y') != NULL;
}

char *
gilk_results_wish_text (const GilkResultsWish *wish)
{
  const char *field = wish->field != NULL ? wish->field : SAME;

  if (wish->kind == GILK_FIGURE_N_KINDS || (wish->field == NULL && !wish->own_axes))
    return g_strdup (kind_id (wish->kind));
  if (!wish->own_axes)
    return g_strdup_printf ("%s %s", kind_id (wish->kind), field);

  return g_strdup_printf ("%s %s %s%s", kind_id (wish->kind), field, wish->log_x ? "x" : "", wish->log_y ? "y" : "");
}

/* ---- fitting to the hook ---- */

typedef struct { const char *id; gboolean found; } Search;

static void
find_quantity (const char *id,
               const char *name,
               gpointer    user_data)
{
  Search *search = user_data;

  search->found = search->found || strcmp (id, search->id) == 0;
}

static gboolean
offers (GilkResultsView *self,
        GilkFigureKind   kind,
        const char      *id)
{
  Search search = { id, FALSE };

  gilk_results_each_quantity (self, kind, find_quantity, &search);

  return search.found;
}

/* Returns the field to plot: the chosen one if available, else the first panel's, else the time
 * between hits. NULL: hits, for rates and, unless a field was chosen, for spectra and
 * autocorrelations. */
static const char *
field_for (GilkResultsCard *card,
           GilkFigureKind   kind)
{
  const char *first = gilk_results_card_field (card->view);

  if (kind == GILK_FIGURE_N_KINDS || kind == GILK_FIGURE_RATE)
    return NULL;
  if (card->wish.field != NULL && offers (card->view, kind, card->wish.field))
    return gilk_results_quantity_field (card->wish.field);
  if (gilk_look_axis (kind) == GILK_LOOK_CLOSER)
    return NULL;

  return g_intern_string (offers (card->view, kind, first) ? first : "interval");
}

static gboolean
is_taken (GilkResultsCard *card)
{
  for (guint i = 0; i < card->index; i++)
    if (card->view->cards[i]->kind == card->kind && card->view->cards[i]->field == card->field)
      return TRUE;

  return FALSE;
}

static void
show_state (GilkResultsCard *card,
            const char      *name,
            GVariant        *state)
{
  g_simple_action_set_state (G_SIMPLE_ACTION (g_action_map_lookup_action (card->actions, name)), state);
}

static void
allow (GilkResultsCard *card,
       const char      *name,
       gboolean         allowed)
{
  g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (card->actions, name)), allowed);
}

static void
add_field (const char *id,
           const char *name,
           gpointer    user_data)
{
  GilkResultsCard *card = user_data;
  g_autoptr(GMenuItem) item = g_menu_item_new (NULL, NULL);
  g_auto(GStrv) parts = g_strsplit (name, "_", -1);
  g_autofree char *label = g_strjoinv ("__", parts);

  g_menu_item_set_label (item, label);
  g_menu_item_set_action_and_target (item, "card.field", "s", id);
  g_menu_append_item (card->fields, item);
}

/* Rebuilds the menu only after a change, so that an open menu stays intact. */
static void
fill_fields (GilkResultsCard *card)
{
  const GilkStoredHook *hook = gilk_results_hook (card->view);
  g_autofree char *of = g_strdup_printf ("%" G_GINT64_FORMAT ".%" G_GINT64_FORMAT " %u", hook->run, hook->id, card->kind);

  if (g_strcmp0 (of, card->fields_of) == 0)
    return;
  g_menu_remove_all (card->fields);
  gilk_results_each_quantity (card->view, card->kind, add_field, card);
  g_free (card->fields_of);
  card->fields_of = g_steal_pointer (&of);
}

static void
show_question (GilkResultsCard *card)
{
  gboolean plot = card->kind != GILK_FIGURE_N_KINDS, has_x = FALSE, has_y = FALSE;

  if (plot)
    {
      fill_fields (card);
      gilk_results_which_axes (card->kind, &has_x, &has_y);
    }
  show_state (card, "kind", g_variant_new_string (kind_id (card->kind)));
  show_state (card, "field", g_variant_new_string (gilk_results_quantity_id (card->field)));
  show_state (card, "log-x", g_variant_new_boolean (card->log_x));
  show_state (card, "log-y", g_variant_new_boolean (card->log_y));
  allow (card, "field", plot && card->kind != GILK_FIGURE_RATE);
  allow (card, "log-x", has_x);
  allow (card, "log-y", has_y);
  allow (card, "large", plot);
}

void
gilk_results_card_choose (GilkResultsCard *card)
{
  card->kind = card->wish.kind;
  card->field = field_for (card, card->kind);
  for (guint i = 0; card->kind != GILK_FIGURE_N_KINDS && is_taken (card); i++)
    {
      card->kind = kinds[i];
      card->field = field_for (card, card->kind);
    }
  card->log_x = card->wish.log_x;
  card->log_y = card->wish.log_y;
  if (!card->wish.own_axes || card->kind != card->wish.kind)
    gilk_results_suit_axes (card->kind, &card->log_x, &card->log_y);
  show_question (card);
}

/* ---- actions ---- */

static void
wished (GilkResultsCard *card)
{
  gilk_results_keep_wishes (card->view);
  gilk_results_show_cards (card->view);
}

static void
wish_if_free (const char *id,
              const char *name,
              gpointer    user_data)
{
  GilkResultsCard *card = user_data;

  card->field = gilk_results_quantity_field (id);
  if (card->wish.field == NULL && !is_taken (card))
    card->wish.field = g_strdup (id);
}

/* Sets the kind with its default axes, and a field not used by another plot of that
 * kind, if there is one. */
static void
kind_wished (GilkResultsCard *card,
             GVariant        *kind)
{
  if (!gilk_figure_kind_parse (g_variant_get_string (kind, NULL), &card->wish.kind))
    card->wish.kind = GILK_FIGURE_N_KINDS;
  card->wish.own_axes = FALSE;
  card->kind = card->wish.kind;
  card->field = field_for (card, card->kind);
  if (card->kind != GILK_FIGURE_N_KINDS && is_taken (card))
    {
      g_clear_pointer (&card->wish.field, g_free);
      gilk_results_each_quantity (card->view, card->kind, wish_if_free, card);
    }
  wished (card);
}

/* Makes a substituted plot the chosen one. */
static void
accept (GilkResultsCard *card)
{
  card->wish.own_axes = card->wish.own_axes && card->wish.kind == card->kind;
  card->wish.kind = card->kind;
}

static void
field_wished (GilkResultsCard *card,
              GVariant        *field)
{
  accept (card);
  g_free (card->wish.field);
  card->wish.field = g_variant_dup_string (field, NULL);
  wished (card);
}

static void
log_wished (GSimpleAction   *action,
            GVariant        *log,
            GilkResultsCard *card)
{
  gboolean *axis = strcmp (g_action_get_name (G_ACTION (action)), "log-x") == 0 ? &card->log_x : &card->log_y;

  *axis = g_variant_get_boolean (log);
  accept (card);
  card->wish.own_axes = TRUE;
  card->wish.log_x = card->log_x;
  card->wish.log_y = card->log_y;
  wished (card);
}

/* Swaps this plot with the first one. */
static void
large_wished (GilkResultsCard *card)
{
  GilkResultsCard *first = card->view->cards[0];
  const GilkResultsCard small = *card;

  if (first->kind != GILK_FIGURE_N_KINDS)
    {
      g_free (card->wish.field);
      card->wish = (GilkResultsWish) { first->kind, g_strdup (gilk_results_quantity_id (first->field)), TRUE, first->log_x, first->log_y };
      gilk_results_keep_wishes (card->view);
    }
  gilk_results_choose_figure (card->view, small.kind, small.field, small.log_x, small.log_y);
  gtk_widget_grab_focus (GTK_WIDGET (first->plot));
}

/* ---- menu ---- */

static void
add_action (GilkResultsCard *card,
            GSimpleAction   *action,
            const char      *signal,
            GCallback        wish)
{
  g_signal_connect_data (action, signal, wish, card, NULL, G_CONNECT_SWAPPED);
  g_action_map_add_action (card->actions, G_ACTION (action));
  g_object_unref (action);
}

static void
add_actions (GilkResultsCard *card)
{
  static const char *const axes[] = { "log-x", "log-y" };

  card->actions = G_ACTION_MAP (g_simple_action_group_new ());
  add_action (card, g_simple_action_new_stateful ("kind", G_VARIANT_TYPE_STRING, g_variant_new_string (NONE)), "change-state",
              G_CALLBACK (kind_wished));
  add_action (card, g_simple_action_new_stateful ("field", G_VARIANT_TYPE_STRING, g_variant_new_string ("")), "change-state",
              G_CALLBACK (field_wished));
  add_action (card, g_simple_action_new ("large", NULL), "activate", G_CALLBACK (large_wished));
  for (guint i = 0; i < G_N_ELEMENTS (axes); i++)
    {
      g_autoptr(GSimpleAction) action = g_simple_action_new_stateful (axes[i], NULL, g_variant_new_boolean (FALSE));

      g_signal_connect (action, "change-state", G_CALLBACK (log_wished), card);
      g_action_map_add_action (card->actions, G_ACTION (action));
    }
}

static GMenu *
new_kinds (void)
{
  GMenu *menu = g_menu_new ();

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autoptr(GMenuItem) item =
        g_menu_item_new (kinds[i] != GILK_FIGURE_N_KINDS ? gilk_results_kind_title (kinds[i]) : _("No plot"), NULL);

      g_menu_item_set_action_and_target (item, "card.kind", "s", kind_id (kinds[i]));
      g_menu_append_item (menu, item);
    }

  return menu;
}

GtkWidget *
gilk_results_card_menu (GilkResultsCard *card)
{
  g_autoptr(GMenu) menu = g_menu_new (), all = new_kinds (), question = g_menu_new (), place = g_menu_new ();
  GtkWidget *button = gtk_menu_button_new ();

  card->fields = g_menu_new ();
  g_menu_append_submenu (question, _("_Field"), G_MENU_MODEL (card->fields));
  g_menu_append (question, _("Logarithmic _Horizontal Axis"), "card.log-x");
  g_menu_append (question, _("Logarithmic _Vertical Axis"), "card.log-y");
  g_menu_append (place, _("Show _Large"), "card.large");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (all));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (question));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (place));
  add_actions (card);
  gtk_widget_insert_action_group (card->place, "card", G_ACTION_GROUP (card->actions));
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (button), G_MENU_MODEL (menu));
  gtk_button_set_relief (GTK_BUTTON (button), GTK_RELIEF_NONE);
  gtk_widget_set_tooltip_text (button, _("Choose plot, field and axes"));
  atk_object_set_name (gtk_widget_get_accessible (button), card->index == 1 ? _("First plot below") : _("Second plot below"));

  return button;
}

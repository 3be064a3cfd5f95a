/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plot-settings.c - settings of a smaller plot: chosen in its menu, saved, and adapted to the
 * chosen hook
 */
#include "gui/results/gilk-plot-panel.h"

#include <glib/gi18n.h>
#include <string.h>

#include "gui/base/gilk-settings.h"

#define SETTINGS_KEY "plots-below"
#define NONE "none"
#define SAME "-"                    /* stands for the first panel's field; no field has this name */

/* Kinds of figures for the smaller plots, in order of preference. */
static const GilkFigureKind kinds[] = {
  GILK_FIGURE_SERIES, GILK_FIGURE_SPECTRUM, GILK_FIGURE_HISTOGRAM, GILK_FIGURE_RATE, GILK_FIGURE_ECDF, GILK_FIGURE_HEAT,
  GILK_FIGURE_AUTOCORRELATION, GILK_FIGURE_N_KINDS,
};

static const char *
get_kind_id (GilkFigureKind kind)
{
  return kind != GILK_FIGURE_N_KINDS ? gilk_figure_kind_name (kind) : NONE;
}

/* ---- settings as text ---- */

/* Parses settings such as "spectrum" or "histogram size x"; the word for the axes comes last, and
 * is missing if the axes are the default ones. If the text is invalid, the panel will be without a
 * plot. */
static void
parse_settings (GilkPlotSettings *settings,
                const char       *text)
{
  g_auto(GStrv) words = g_strsplit (text, " ", 3);
  guint n = g_strv_length (words);

  g_free (settings->field);
  *settings = (GilkPlotSettings) { GILK_FIGURE_N_KINDS, NULL, FALSE, FALSE, FALSE };
  if (n == 0 || !gilk_figure_kind_parse (words[0], &settings->kind))
    {
      settings->kind = GILK_FIGURE_N_KINDS;
      return;
    }
  if (n > 1 && strcmp (words[1], SAME) != 0)
    settings->field = g_strdup (words[1]);
  settings->own_axes = n > 2;
  settings->log_x = n > 2 && strchr (words[2], 'x') != NULL;
  settings->log_y = n > 2 && strchr (words[2], 'y') != NULL;
}

static char *
format_settings (const GilkPlotSettings *settings)
{
  const char *field = settings->field != NULL ? settings->field : SAME;

  if (settings->kind == GILK_FIGURE_N_KINDS || (settings->field == NULL && !settings->own_axes))
    return g_strdup (get_kind_id (settings->kind));
  if (!settings->own_axes)
    return g_strdup_printf ("%s %s", get_kind_id (settings->kind), field);

  return g_strdup_printf ("%s %s %s%s", get_kind_id (settings->kind), field, settings->log_x ? "x" : "", settings->log_y ? "y" : "");
}

void
gilk_plot_panels_load_settings (GilkPlotPanels *shared)
{
  static const char *const usual[] = { "series", "spectrum" };
  g_auto(GStrv) wishes = NULL;
  guint n;

  shared->settings = gilk_settings_new (NULL);
  wishes = shared->settings != NULL ? g_settings_get_strv (shared->settings, SETTINGS_KEY) : NULL;
  n = wishes != NULL ? g_strv_length (wishes) : 0;
  for (guint i = 1; i < GILK_PLOT_PANELS; i++)
    parse_settings (&shared->panels[i]->settings, i - 1 < n ? wishes[i - 1] : usual[i - 1]);
}

static void
save_settings (GilkPlotPanels *shared)
{
  g_autoptr(GPtrArray) wishes = g_ptr_array_new_with_free_func (g_free);

  if (shared->settings == NULL)
    return;
  for (guint i = 1; i < GILK_PLOT_PANELS; i++)
    g_ptr_array_add (wishes, format_settings (&shared->panels[i]->settings));
  g_ptr_array_add (wishes, NULL);
  g_settings_set_strv (shared->settings, SETTINGS_KEY, (const char *const *) wishes->pdata);
}

/* ---- choosing another option if the hook lacks the chosen one ---- */

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
offers_quantity (GilkResultsChoice *choice,
                 GilkFigureKind     kind,
                 const char        *id)
{
  Search search = { id, FALSE };

  gilk_results_foreach_quantity (choice, kind, find_quantity, &search);

  return search.found;
}

/* Returns the field to plot: the chosen field if available, else the first panel's field, else the
 * time between hits. Returns NULL to plot hits: always for a rate, and for a spectrum or an
 * autocorrelation if no available field was chosen. */
static const char *
choose_field (GilkPlotPanel *panel,
              GilkFigureKind kind)
{
  const char *first = gilk_results_default_field (panel->shared->choice);

  if (kind == GILK_FIGURE_N_KINDS || kind == GILK_FIGURE_RATE)
    return NULL;
  if (panel->settings.field != NULL && offers_quantity (panel->shared->choice, kind, panel->settings.field))
    return gilk_results_quantity_field (panel->settings.field);
  if (gilk_selection_axis (kind) == GILK_SELECTION_ZOOM_ONLY)
    return NULL;

  return g_intern_string (offers_quantity (panel->shared->choice, kind, first) ? first : "interval");
}

static gboolean
is_shown_elsewhere (GilkPlotPanel *panel)
{
  for (guint i = 0; i < panel->index; i++)
    if (panel->shared->panels[i]->kind == panel->kind && panel->shared->panels[i]->field == panel->field)
      return TRUE;

  return FALSE;
}

static void
show_state (GilkPlotPanel *panel,
            const char    *name,
            GVariant      *state)
{
  g_simple_action_set_state (G_SIMPLE_ACTION (g_action_map_lookup_action (panel->actions, name)), state);
}

static void
set_action_enabled (GilkPlotPanel *panel,
                    const char    *name,
                    gboolean       allowed)
{
  g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (panel->actions, name)), allowed);
}

static void
add_field (const char *id,
           const char *name,
           gpointer    user_data)
{
  GilkPlotPanel *panel = user_data;
  g_autoptr(GMenuItem) item = g_menu_item_new (NULL, NULL);
  g_auto(GStrv) parts = g_strsplit (name, "_", -1);
  g_autofree char *label = g_strjoinv ("__", parts);

  g_menu_item_set_label (item, label);
  g_menu_item_set_action_and_target (item, "card.field", "s", id);
  g_menu_append_item (panel->fields, item);
}

/* Rebuilds the menu only after a change, so that an open menu stays intact. */
static void
fill_fields (GilkPlotPanel *panel)
{
  const GilkStoredHook *hook = gilk_results_hook (panel->shared->choice);
  g_autofree char *of = g_strdup_printf ("%" G_GINT64_FORMAT ".%" G_GINT64_FORMAT " %u", hook->run, hook->id, panel->kind);

  if (g_strcmp0 (of, panel->fields_of) == 0)
    return;
  g_menu_remove_all (panel->fields);
  gilk_results_foreach_quantity (panel->shared->choice, panel->kind, add_field, panel);
  g_free (panel->fields_of);
  panel->fields_of = g_steal_pointer (&of);
}

static void
update_menu (GilkPlotPanel *panel)
{
  gboolean plot = panel->kind != GILK_FIGURE_N_KINDS, has_x = FALSE, has_y = FALSE;

  if (plot)
    {
      fill_fields (panel);
      gilk_results_get_log_axes (panel->kind, &has_x, &has_y);
    }
  show_state (panel, "kind", g_variant_new_string (get_kind_id (panel->kind)));
  show_state (panel, "field", g_variant_new_string (gilk_results_quantity_id (panel->field)));
  show_state (panel, "log-x", g_variant_new_boolean (panel->log_x));
  show_state (panel, "log-y", g_variant_new_boolean (panel->log_y));
  set_action_enabled (panel, "field", plot && panel->kind != GILK_FIGURE_RATE);
  set_action_enabled (panel, "log-x", has_x);
  set_action_enabled (panel, "log-y", has_y);
  set_action_enabled (panel, "large", plot);
}

void
gilk_plot_panel_choose_plot (GilkPlotPanel *panel)
{
  panel->kind = panel->settings.kind;
  panel->field = choose_field (panel, panel->kind);
  for (guint i = 0; panel->kind != GILK_FIGURE_N_KINDS && is_shown_elsewhere (panel); i++)
    {
      panel->kind = kinds[i];
      panel->field = choose_field (panel, panel->kind);
    }
  panel->log_x = panel->settings.log_x;
  panel->log_y = panel->settings.log_y;
  if (!panel->settings.own_axes || panel->kind != panel->settings.kind)
    gilk_results_get_default_axes (panel->kind, &panel->log_x, &panel->log_y);
  update_menu (panel);
}

/* ---- actions of the menu ---- */

static void
settings_changed (GilkPlotPanel *panel)
{
  save_settings (panel->shared);
  panel->shared->update (panel->shared->page);
}

static void
set_field_if_free (const char *id,
                   const char *name,
                   gpointer    user_data)
{
  GilkPlotPanel *panel = user_data;

  panel->field = gilk_results_quantity_field (id);
  if (panel->settings.field == NULL && !is_shown_elsewhere (panel))
    panel->settings.field = g_strdup (id);
}

/* Sets the kind of figure, with the default axes of this kind. If possible, chooses a field that no
 * other plot of the same kind shows. */
static void
kind_requested (GilkPlotPanel *panel,
                GVariant      *kind)
{
  if (!gilk_figure_kind_parse (g_variant_get_string (kind, NULL), &panel->settings.kind))
    panel->settings.kind = GILK_FIGURE_N_KINDS;
  panel->settings.own_axes = FALSE;
  panel->kind = panel->settings.kind;
  panel->field = choose_field (panel, panel->kind);
  if (panel->kind != GILK_FIGURE_N_KINDS && is_shown_elsewhere (panel))
    {
      g_clear_pointer (&panel->settings.field, g_free);
      gilk_results_foreach_quantity (panel->shared->choice, panel->kind, set_field_if_free, panel);
    }
  settings_changed (panel);
}

/* If the chosen kind of plot was replaced because it is unavailable, makes the replacement the
 * choice. */
static void
accept_substitute (GilkPlotPanel *panel)
{
  panel->settings.own_axes = panel->settings.own_axes && panel->settings.kind == panel->kind;
  panel->settings.kind = panel->kind;
}

static void
field_requested (GilkPlotPanel *panel,
                 GVariant      *field)
{
  accept_substitute (panel);
  g_free (panel->settings.field);
  panel->settings.field = g_variant_dup_string (field, NULL);
  settings_changed (panel);
}

static void
log_requested (GSimpleAction *action,
               GVariant      *log,
               GilkPlotPanel *panel)
{
  gboolean *axis = strcmp (g_action_get_name (G_ACTION (action)), "log-x") == 0 ? &panel->log_x : &panel->log_y;

  *axis = g_variant_get_boolean (log);
  accept_substitute (panel);
  panel->settings.own_axes = TRUE;
  panel->settings.log_x = panel->log_x;
  panel->settings.log_y = panel->log_y;
  settings_changed (panel);
}

/* Swaps this plot with the first plot. */
static void
swap_requested (GilkPlotPanel *panel)
{
  GilkPlotPanel *first = panel->shared->panels[0];
  const GilkPlotPanel small = *panel;

  if (first->kind != GILK_FIGURE_N_KINDS)
    {
      g_free (panel->settings.field);
      panel->settings = (GilkPlotSettings) { first->kind, g_strdup (gilk_results_quantity_id (first->field)), TRUE, first->log_x, first->log_y };
      save_settings (panel->shared);
    }
  gilk_results_choice_set_figure (panel->shared->choice, small.kind, small.field, small.log_x, small.log_y);
  gtk_widget_grab_focus (GTK_WIDGET (first->plot));
}

/* ---- building the menu ---- */

static void
add_action (GilkPlotPanel *panel,
            GSimpleAction *action,
            const char    *signal,
            GCallback      settings)
{
  g_signal_connect_data (action, signal, settings, panel, NULL, G_CONNECT_SWAPPED);
  g_action_map_add_action (panel->actions, G_ACTION (action));
  g_object_unref (action);
}

static void
add_actions (GilkPlotPanel *panel)
{
  static const char *const axes[] = { "log-x", "log-y" };

  panel->actions = G_ACTION_MAP (g_simple_action_group_new ());
  add_action (panel, g_simple_action_new_stateful ("kind", G_VARIANT_TYPE_STRING, g_variant_new_string (NONE)), "change-state",
              G_CALLBACK (kind_requested));
  add_action (panel, g_simple_action_new_stateful ("field", G_VARIANT_TYPE_STRING, g_variant_new_string ("")), "change-state",
              G_CALLBACK (field_requested));
  add_action (panel, g_simple_action_new ("large", NULL), "activate", G_CALLBACK (swap_requested));
  for (guint i = 0; i < G_N_ELEMENTS (axes); i++)
    {
      g_autoptr(GSimpleAction) action = g_simple_action_new_stateful (axes[i], NULL, g_variant_new_boolean (FALSE));

      g_signal_connect (action, "change-state", G_CALLBACK (log_requested), panel);
      g_action_map_add_action (panel->actions, G_ACTION (action));
    }
}

static GMenu *
new_kind_menu (void)
{
  GMenu *menu = g_menu_new ();

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autoptr(GMenuItem) item =
        g_menu_item_new (kinds[i] != GILK_FIGURE_N_KINDS ? gilk_results_kind_title (kinds[i]) : _("No plot"), NULL);

      g_menu_item_set_action_and_target (item, "card.kind", "s", get_kind_id (kinds[i]));
      g_menu_append_item (menu, item);
    }

  return menu;
}

GtkWidget *
gilk_plot_panel_new_menu_button (GilkPlotPanel *panel)
{
  g_autoptr(GMenu) menu = g_menu_new (), all = new_kind_menu (), question = g_menu_new (), place = g_menu_new ();
  GtkWidget *button = gtk_menu_button_new ();

  panel->fields = g_menu_new ();
  g_menu_append_submenu (question, _("_Field"), G_MENU_MODEL (panel->fields));
  g_menu_append (question, _("Logarithmic _Horizontal Axis"), "card.log-x");
  g_menu_append (question, _("Logarithmic _Vertical Axis"), "card.log-y");
  g_menu_append (place, _("Show _Large"), "card.large");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (all));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (question));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (place));
  add_actions (panel);
  gtk_widget_insert_action_group (panel->place, "card", G_ACTION_GROUP (panel->actions));
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (button), G_MENU_MODEL (menu));
  gtk_button_set_relief (GTK_BUTTON (button), GTK_RELIEF_NONE);
  gtk_widget_set_tooltip_text (button, _("Choose plot, field and axes"));
  atk_object_set_name (gtk_widget_get_accessible (button), panel->index == 1 ? _("First plot below") : _("Second plot below"));

  return button;
}

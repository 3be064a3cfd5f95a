/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-results-choices.c - the plots available for a hook, and the current choice
 */
#include "gui/results/gilk-plot-panel.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/analysis/gilk-hook-elapsed.h"
#include "core/analysis/gilk-run-facts.h"
#include "core/emit/gilk-inline.h"
#include "gui/results/gilk-results-lists.h"
#include "gui/session/gilk-session-maps.h"

#define GROUPS    "groups"
#define MAPS      "kept"
#define ACCESSES   "writers"
#define SAMPLES   "samples"
#define HITS      "#hits"         /* cannot be a field's name */

static const struct {
  GilkFigureKind kind;
  const char    *name;
  gboolean       log_x, log_y;    /* default axes */
} kinds[] = {
  { GILK_FIGURE_HISTOGRAM, N_("Histogram"), TRUE, FALSE },
  { GILK_FIGURE_ECDF, N_("ECDF"), TRUE, FALSE },
  { GILK_FIGURE_RATE, N_("Hits over time"), FALSE, FALSE },
  { GILK_FIGURE_HEAT, N_("Heat map"), FALSE, TRUE },
  { GILK_FIGURE_SERIES, N_("Time series"), FALSE, FALSE },
  { GILK_FIGURE_SPECTRUM, N_("Spectrum"), TRUE, TRUE },
  { GILK_FIGURE_AUTOCORRELATION, N_("Autocorrelation"), FALSE, FALSE },
};

void
gilk_results_get_default_axes (GilkFigureKind kind,
                               gboolean      *log_x,
                               gboolean      *log_y)
{
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (kinds[i].kind == kind)
      {
        *log_x = kinds[i].log_x;
        *log_y = kinds[i].log_y;
      }
}

const char *
gilk_results_kind_title (GilkFigureKind kind)
{
  guint i = 0;

  while (kinds[i].kind != kind)
    i++;

  return _(kinds[i].name);
}

static const char *
get_active_id (GtkComboBoxText *combo)
{
  return gtk_combo_box_get_active_id (GTK_COMBO_BOX (combo));
}

static gboolean
counts_only (const GilkStoredHook *hook)
{
  return gilk_inline_is (hook->instrument, GILK_INLINE_COUNT);
}

gboolean
gilk_results_shows_accesses (GilkResultsView *self)
{
  const GilkStoredHook *hook = gilk_results_hook (self);

  return hook != NULL && gilk_stored_hook_is_watchpoint (hook) && g_strcmp0 (get_active_id (self->kind), ACCESSES) == 0;
}

gboolean
gilk_results_shows_samples (GilkResultsView *self)
{
  return gilk_results_hook (self) != NULL && g_strcmp0 (get_active_id (self->kind), SAMPLES) == 0;
}

/* Returns whether maps of the hook's program are shown. */
gboolean
gilk_results_shows_map (GilkResultsView *self)
{
  return g_strcmp0 (get_active_id (self->kind), MAPS) == 0;
}

/* Returns whether the selected map is a histogram, which has axes. */
gboolean
gilk_results_shows_map_histogram (GilkResultsView *self)
{
  const GilkStoredMapDecl *keep = !gilk_results_shows_map (self) || get_active_id (self->quantity) == NULL ? NULL
    : gilk_session_find_map (gilk_results_run (self), gilk_results_hook (self), get_active_id (self->quantity));

  return keep != NULL && keep->kind == GILK_MAP_HISTOGRAM;
}

/* Returns FALSE if bars are drawn: accesses, or maps of a program. */
gboolean
gilk_results_kind (GilkResultsView *self,
             GilkFigureKind  *kind)
{
  return get_active_id (self->kind) != NULL && gilk_figure_kind_parse (get_active_id (self->kind), kind);
}

const char *
gilk_results_quantity (GilkResultsView *self)
{
  return get_active_id (self->quantity);
}

/* Selects @before if it is available, otherwise the first entry. */
static void
select_id (GtkComboBoxText *combo,
           const char      *before)
{
  if (before == NULL || !gtk_combo_box_set_active_id (GTK_COMBO_BOX (combo), before))
    gtk_combo_box_set_active (GTK_COMBO_BOX (combo), 0);
}

/* ---- available choices ---- */

/* Returns the view last chosen by the user. A hook that only counts has a single view, which is not
 * the user's choice. */
static char *
get_previous_kind (GilkResultsView      *self,
                   const GilkStoredHook *hook)
{
  const char *kept = g_object_get_data (G_OBJECT (self->kind), "chosen-before"), *now = get_active_id (self->kind);

  if (counts_only (hook) && kept == NULL)
    g_object_set_data_full (G_OBJECT (self->kind), "chosen-before", g_strdup (now != NULL ? now : ""), g_free);
  if (counts_only (hook) || kept == NULL)
    return g_strdup (now);

  return g_object_steal_data (G_OBJECT (self->kind), "chosen-before");
}

static void
fill_kinds (GilkResultsView      *self,
            const GilkStoredHook *hook)
{
  g_autofree char *before = get_previous_kind (self, hook);

  gtk_combo_box_text_remove_all (self->kind);
  if (gilk_stored_hook_is_watchpoint (hook))
    gtk_combo_box_text_append (self->kind, ACCESSES, _("Accesses"));
  if (gilk_session_find_map (gilk_results_run (self), hook, NULL) != NULL)
    gtk_combo_box_text_append (self->kind, MAPS, _("Maps"));
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (!counts_only (hook) || kinds[i].kind == GILK_FIGURE_RATE)
      gtk_combo_box_text_append (self->kind, gilk_figure_kind_name (kinds[i].kind), _(kinds[i].name));
  if (gilk_results_hook_fields (self)->len > 0)
    gtk_combo_box_text_append (self->kind, GROUPS, _("Hits by value"));
  if (!counts_only (hook))
    gtk_combo_box_text_append (self->kind, SAMPLES, _("Samples"));
  select_id (self->kind, before);
}

const GArray *
gilk_results_hook_fields (GilkResultsView *self)
{
  return g_ptr_array_index (gilk_results_run (self)->fields, (guint) self->hook);
}

static void
fill_maps (GilkResultsView *self)
{
  const GArray *keeps = gilk_results_run (self)->maps;

  for (guint i = 0; i < keeps->len; i++)
    {
      const GilkStoredMapDecl *keep = &g_array_index (keeps, GilkStoredMapDecl, i);

      if (keep->hook == gilk_results_hook (self)->id)
        gtk_combo_box_text_append (self->quantity, keep->name, keep->name);
    }
}

/* Returns whether the kind needs amounts: identifiers have no meaningful mean or rhythm. */
static gboolean
has_amounts_axis (GilkFigureKind kind)
{
  return kind != GILK_FIGURE_SERIES && kind != GILK_FIGURE_HEAT;
}

const char *
gilk_results_quantity_id (const char *field)
{
  return field != NULL ? field : HITS;
}

const char *
gilk_results_quantity_field (const char *id)
{
  return id != NULL && strcmp (id, HITS) != 0 ? g_intern_string (id) : NULL;
}

void
gilk_results_foreach_quantity (GilkResultsView        *self,
                               GilkFigureKind          kind,
                               GilkResultsQuantityFunc each,
                               gpointer                user_data)
{
  const GArray *fields = gilk_results_hook_fields (self);
  gboolean bars = kind == GILK_FIGURE_N_KINDS;

  if (kind == GILK_FIGURE_RATE || gilk_selection_axis (kind) == GILK_SELECTION_ZOOM_ONLY)
    each (HITS, _("Hits"), user_data);
  if (kind == GILK_FIGURE_RATE)
    return;
  if (!bars && gilk_hook_has_elapsed (gilk_results_hook (self), gilk_results_run (self)->hooks))
    each (GILK_ELAPSED, _("Call duration"), user_data);
  if (!bars)
    each ("interval", _("Time between hits"), user_data);
  for (guint i = 0; i < fields->len; i++)
    {
      const GilkStoredField *field = &g_array_index (fields, GilkStoredField, i);

      if (bars || (field->type != ILK_FIELD_TEXT && !(has_amounts_axis (kind) && gilk_stored_field_is_name (field))))
        each (field->name, field->name, user_data);
    }
}

static void
append_quantity (const char *id,
                 const char *name,
                 gpointer    user_data)
{
  gtk_combo_box_text_append (user_data, id, name);
}

static void
fill_quantities (GilkResultsView *self)
{
  g_autofree char *before = g_strdup (get_active_id (self->quantity));
  GilkFigureKind kind = GILK_FIGURE_N_KINDS;

  if (!gilk_results_kind (self, &kind))
    kind = GILK_FIGURE_N_KINDS;
  gtk_combo_box_text_remove_all (self->quantity);
  if (gilk_results_shows_map (self))
    fill_maps (self);
  else
    gilk_results_foreach_quantity (self, kind, append_quantity, self->quantity);
  select_id (self->quantity, before);
  gtk_widget_set_sensitive (GTK_WIDGET (self->quantity), kind != GILK_FIGURE_RATE);
}

static void
fill_splits (GilkResultsView *self)
{
  g_autofree char *before = g_strdup (get_active_id (self->split));
  const GArray *fields = gilk_results_hook_fields (self);

  gtk_combo_box_text_remove_all (self->split);
  gtk_combo_box_text_append (self->split, "", _("nothing"));
  gtk_combo_box_text_append (self->split, "cpu", _("CPU"));
  for (guint i = 0; i < fields->len; i++)
    {
      const GilkStoredField *field = &g_array_index (fields, GilkStoredField, i);

      gtk_combo_box_text_append (self->split, field->name, field->name);
    }
  select_id (self->split, before);
}

static gboolean
has_label (const GilkSessionRun *run,
           const char           *label)
{
  for (guint i = 0; i < run->hooks->len; i++)
    if (strcmp (g_array_index (run->hooks, GilkStoredHook, i).label, label) == 0)
      return TRUE;

  return FALSE;
}

static void
fill_compare (GilkResultsView      *self,
              const GilkStoredHook *hook)
{
  g_autofree char *before = g_strdup (get_active_id (self->compare));

  gtk_combo_box_text_remove_all (self->compare);
  gtk_combo_box_text_append (self->compare, "", _("no other run"));
  for (guint i = 0; i < self->session->runs->len; i++)
    {
      const GilkSessionRun *run = &g_array_index (self->session->runs, GilkSessionRun, i);
      g_autofree char *id = g_strdup_printf ("%" G_GINT64_FORMAT, run->run.id);
      g_autofree char *text = gilk_results_name_run (&run->run);

      if (run->run.id != hook->run && has_label (run, hook->label))
        gtk_combo_box_text_append (self->compare, id, text);
    }
  select_id (self->compare, before);
}

/* Sets default axes when the kind changes, and leaves them alone otherwise. */
static void
fill_axes (GilkResultsView *self)
{
  const char *was = g_object_get_data (G_OBJECT (self->kind), "axes-of");
  const char *id = get_active_id (self->kind);

  for (guint i = 0; i < G_N_ELEMENTS (kinds) && g_strcmp0 (was, id) != 0; i++)
    if (g_strcmp0 (id, gilk_figure_kind_name (kinds[i].kind)) == 0)
      {
        gtk_toggle_button_set_active (self->log_x, kinds[i].log_x);
        gtk_toggle_button_set_active (self->log_y, kinds[i].log_y);
      }
  if (gilk_results_shows_map (self) && g_strcmp0 (was, id) != 0)
    {
      gtk_toggle_button_set_active (self->log_x, TRUE);
      gtk_toggle_button_set_active (self->log_y, FALSE);
    }
  g_object_set_data_full (G_OBJECT (self->kind), "axes-of", g_strdup (id), g_free);
}

/* Keeps the choice while it is not applicable; only the sensitivity changes. */
static void
update_subtraction (GilkResultsView      *self,
                    const GilkStoredHook *hook,
                    gboolean              figure)
{
  gboolean lasts = figure && gilk_field_is_duration (get_active_id (self->quantity));
  const GilkStoredCost *cost = gilk_costs_of (gilk_results_run (self)->costs, hook);
  g_autofree char *words = cost != NULL ? gilk_cost_value (cost) : NULL;
  g_autofree char *tip = cost != NULL
    ? g_strdup_printf (_("Subtracts the hook's own cost from each duration: %s"), words)
    : g_strdup (_("The cost of this hook was not measured in its run. Record again with count, stamp, span or a module "
                  "that can be timed."));

  gtk_widget_set_sensitive (GTK_WIDGET (self->subtract), lasts && cost != NULL);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->subtract),
                               cost != NULL && !lasts ? _("Only for times between hits and call durations") : tip);
}

void
gilk_results_get_log_axes (GilkFigureKind kind,
                           gboolean      *x,
                           gboolean      *y)
{
  *y = kind != GILK_FIGURE_AUTOCORRELATION;
  *x = *y && gilk_selection_axis (kind) != GILK_SELECTION_TIME;
}

/* Copies the toolbar's choice to the first panel. */
static void
set_first_panel (GilkResultsView *self,
                 GilkFigureKind   kind)
{
  GilkPlotPanel *first = self->panels[0];

  first->kind = kind;
  first->field = gilk_results_quantity_field (gilk_results_field (self));
  first->log_x = gilk_results_axis_is_log (self->log_x);
  first->log_y = gilk_results_axis_is_log (self->log_y);
}

void
gilk_results_fill_choices (GilkResultsView *self)
{
  const GilkStoredHook *hook = gilk_results_hook (self);
  GilkFigureKind kind = GILK_FIGURE_N_KINDS;
  gboolean bars, has_x, has_y, calls;

  if (hook == NULL)
    return;
  fill_kinds (self, hook);
  gilk_results_fill_views (self);
  fill_quantities (self);
  fill_splits (self);
  fill_compare (self, hook);
  fill_axes (self);

  bars = !gilk_results_kind (self, &kind);
  gilk_results_get_log_axes (kind, &has_x, &has_y);
  if (bars)
    {
      kind = GILK_FIGURE_N_KINDS;
      has_x = has_y = gilk_results_shows_map_histogram (self);
    }
  gtk_widget_set_sensitive (GTK_WIDGET (self->log_x), has_x);
  gtk_widget_set_sensitive (GTK_WIDGET (self->log_y), has_y);
  calls = g_strcmp0 (get_active_id (self->quantity), GILK_ELAPSED) == 0;
  gtk_widget_set_sensitive (GTK_WIDGET (self->split), !bars && kind != GILK_FIGURE_HEAT && !counts_only (hook) && !calls &&
                            gilk_results_comparison_run (self->comparison) == NULL);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->split), calls ? _("Call durations come from two samples and cannot be "
                                                                   "split by the fields of one")
                                                         : _("A curve for each value of a field, or for each CPU"));
  gtk_widget_set_sensitive (GTK_WIDGET (self->compare), !bars && kind != GILK_FIGURE_HEAT);
  update_subtraction (self, hook, !bars);
  set_first_panel (self, kind);
}

void
gilk_results_choose_figure (GilkResultsView *self,
                            GilkFigureKind   kind,
                            const char      *field,
                            gboolean         log_x,
                            gboolean         log_y)
{
  self->filling = TRUE;
  gtk_combo_box_set_active_id (GTK_COMBO_BOX (self->kind), gilk_figure_kind_name (kind));
  gilk_results_fill_choices (self);
  gtk_combo_box_set_active_id (GTK_COMBO_BOX (self->quantity), gilk_results_quantity_id (field));
  gtk_toggle_button_set_active (self->log_x, log_x);
  gtk_toggle_button_set_active (self->log_y, log_y);
  self->filling = FALSE;
  gilk_results_choice_changed (self);
}

/* ---- current choice ---- */

/* Returns NULL if no field is selected or splitting is unavailable. */
const char *
gilk_results_split (GilkResultsView *self)
{
  const char *split = get_active_id (self->split);

  return split != NULL && *split != '\0' && gtk_widget_get_sensitive (GTK_WIDGET (self->split)) ? split : NULL;
}

static const char *
get_selected_field (GilkResultsView *self)
{
  const char *field = get_active_id (self->quantity);

  return field != NULL && strcmp (field, HITS) != 0 ? field : NULL;
}

const char *
gilk_results_field (GilkResultsView *self)
{
  GilkFigureKind kind;

  return gilk_results_kind (self, &kind) ? get_selected_field (self) : NULL;
}

gboolean
gilk_results_axis_is_log (GtkToggleButton *axis)
{
  return gtk_toggle_button_get_active (axis) && gtk_widget_get_sensitive (GTK_WIDGET (axis));
}

gboolean
gilk_results_subtracts_cost (GilkResultsView *self)
{
  return gilk_results_axis_is_log (self->subtract);
}

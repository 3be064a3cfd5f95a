/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-results-range.c - selected time range and values, shared by all views
 *
 * Zooming a view over time selects a range of seconds, zooming a distribution selects values of its
 * field. Both stay when another view is chosen, and selections of several fields apply together.
 * Each has a button that shows it and clears it. Zooming a spectrum changes only the view.
 */
#include "gui/results/gilk-plot-panel.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "core/analysis/gilk-hook-elapsed.h"

/* Looks up the field in the selected hook, or in any hook of the selected graph. */
static const GilkStoredField *
find_field (GilkResultsView *self,
            const char      *name)
{
  const GilkSessionRun *run = gilk_results_run (self);
  const GilkStoredFunction *function = gilk_results_function (self);
  const GilkStoredField *field = NULL;

  if (function == NULL)
    return gilk_stored_field_find (gilk_results_hook_fields (self), name);
  for (guint i = 0; field == NULL && i < run->hooks->len; i++)
    if (g_strcmp0 (g_array_index (run->hooks, GilkStoredHook, i).function, function->name) == 0)
      field = gilk_stored_field_find (g_ptr_array_index (run->fields, i), name);

  return field;
}

const char *
gilk_results_unit (GilkResultsView *self,
                   const char      *field)
{
  const GilkStoredField *found;

  if (gilk_field_is_duration (field))
    return "s";
  found = find_field (self, field);

  return found != NULL ? found->unit : NULL;
}

const char *
gilk_results_default_field (GilkResultsView *self)
{
  const char *field = gilk_results_field (self), *looked_at = gilk_selection_field (self->selection);

  if (field != NULL)
    return field;

  if (looked_at != NULL && gilk_stored_field_find (gilk_results_hook_fields (self), looked_at) != NULL)
    return looked_at;

  return gilk_hook_has_elapsed (gilk_results_hook (self), gilk_results_run (self)->hooks) ? GILK_ELAPSED : "interval";
}

gboolean
gilk_results_range_applies (GilkResultsView *self,
                            const char      *field)
{
  return find_field (self, field) != NULL || strcmp (field, "interval") == 0;
}

/* Returns whether the selection affects the view. Values of one of the hook's fields limit every
 * view of it and the heat of a graph; other values limit only their own plots. */
static gboolean
affects_view (GilkResultsView *self,
              const char      *field)
{
  if (gilk_results_function (self) == NULL && gilk_results_hook (self) == NULL)
    return FALSE;
  if (gilk_results_range_applies (self, field))
    return TRUE;
  for (guint i = 0; i < GILK_RESULTS_PANELS && gilk_results_function (self) == NULL && !gilk_results_shows_samples (self); i++)
    if (self->panels[i]->kind != GILK_FIGURE_N_KINDS && g_strcmp0 (self->panels[i]->field, field) == 0)
      return TRUE;

  return FALSE;
}

/* ---- buttons ---- */

static void
chip_clicked (GtkWidget       *chip,
              GilkResultsView *self)
{
  const char *field = g_object_get_data (G_OBJECT (chip), "field");

  gilk_selection_clear (self->selection, field != NULL ? GILK_SELECTION_VALUES : GILK_SELECTION_TIME, field);
  gilk_results_selection_changed (self);
}

static GtkWidget *
new_chip (GilkResultsView *self)
{
  GtkWidget *chip = gtk_button_new (), *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4), *label = gtk_label_new (NULL);

  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_box_pack_start (GTK_BOX (box), label, TRUE, TRUE, 0);
  gtk_box_pack_start (GTK_BOX (box), gtk_label_new ("×"), FALSE, FALSE, 0);
  gtk_container_add (GTK_CONTAINER (chip), box);
  g_object_set_data (G_OBJECT (chip), "label", label);
  gtk_style_context_add_class (gtk_widget_get_style_context (chip), "chip");
  g_signal_connect_object (chip, "clicked", G_CALLBACK (chip_clicked), self, 0);
  gtk_box_pack_start (self->chips, chip, FALSE, TRUE, 0);
  gtk_widget_show_all (chip);

  return chip;
}

/* @field: NULL: time. @chips: existing buttons, of which the first is reused. Returns: the
 * remaining ones. */
static GList *
show_chip (GilkResultsView          *self,
           GList                    *chips,
           const char               *field,
           const GilkSelectionRange *span)
{
  GtkWidget *chip = chips != NULL ? chips->data : new_chip (self);
  const char *unit = field != NULL ? gilk_results_unit (self, field) : "s";
  g_autofree char *from = gilk_format_si (span->from, unit != NULL ? unit : "", 3);
  g_autofree char *to = gilk_format_si (span->to, unit != NULL ? unit : "", 3);
  /* Uses the field's short name, as in conditions; the tooltip has its full name. */
  g_autofree char *text = field != NULL ? g_strdup_printf (_("%s %s to %s"), field, from, to)
                                        : g_strdup_printf (_("%s to %s"), from, to);
  const char *told = field == NULL || gilk_results_range_applies (self, field)
    ? _("All views are limited to %s from %s to %s. Click to clear.")
    : _("Plots of this value are limited to %s from %s to %s. Click to clear.");
  g_autofree char *tip = g_strdup_printf (told, field != NULL ? gilk_field_name (field) : _("times"), from, to);

  g_object_set_data (G_OBJECT (chip), "field", (gpointer) field);
  gtk_label_set_text (g_object_get_data (G_OBJECT (chip), "label"), text);
  gtk_widget_set_tooltip_text (chip, tip);
  atk_object_set_name (gtk_widget_get_accessible (chip), tip);

  return chips != NULL ? chips->next : NULL;
}

/* Keeps the keyboard focus on a remaining button if the focused one is removed. */
static void
remove_chips (GilkResultsView *self,
              GList           *chips)
{
  gboolean focused = FALSE;

  for (GList *link = chips; link != NULL; link = link->next)
    {
      focused = focused || gtk_widget_is_focus (link->data);
      gtk_widget_destroy (link->data);
    }
  if (focused && !gtk_widget_child_focus (GTK_WIDGET (self->chips), GTK_DIR_TAB_BACKWARD))
    gtk_widget_grab_focus (GTK_WIDGET (gilk_results_current_plot (self)));
}

/* Returns whether the time range applies: to everything but maps, accesses and
 * the overview of a run. */
gboolean
gilk_results_has_range (GilkResultsView *self)
{
  if (gilk_results_function (self) != NULL)
    return TRUE;

  return gilk_results_hook (self) != NULL && !gilk_results_shows_map (self) && !gilk_results_shows_accesses (self);
}

void
gilk_results_show_range (GilkResultsView *self)
{
  g_autoptr(GList) chips = gtk_container_get_children (GTK_CONTAINER (self->chips));
  gboolean narrowed = gilk_results_has_range (self);
  const GilkSelectionRange time = gilk_selection_time (self->selection);
  GList *left = chips;
  const char *field;

  if (narrowed && gilk_selection_is_set (&time))
    left = show_chip (self, left, NULL, &time);
  for (guint i = 0; narrowed && (field = gilk_selection_nth_field (self->selection, i)) != NULL; i++)
    {
      const GilkSelectionRange values = gilk_selection_values (self->selection, field);

      if (affects_view (self, field))
        left = show_chip (self, left, field, &values);
    }
  remove_chips (self, left);
  gtk_widget_set_sensitive (self->whole, !gilk_selection_is_empty (self->selection));
  gilk_results_show_range_row (self);
}

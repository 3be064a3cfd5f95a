/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-results-range.c - which time and which values are looked at: one range and one selection for all views
 *
 * A zoom of a view over time is a range of seconds, one of a distribution a selection of values of its field; both stay
 * when another view is chosen, and each has a button that says it and drops it. A spectrum is only looked at closer.
 */
#include "gui/gilk-results-card.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "core/analysis/gilk-hook-elapsed.h"

/* (nullable) */
static const char *
unit_of (GilkResultsView *self,
         const char      *field)
{
  const GArray *fields = gilk_results_fields (self);

  if (g_strcmp0 (field, "interval") == 0 || g_strcmp0 (field, GILK_ELAPSED) == 0)
    return "s";
  for (guint i = 0; i < fields->len; i++)
    if (g_strcmp0 (g_array_index (fields, GilkStoredField, i).name, field) == 0)
      return g_array_index (fields, GilkStoredField, i).unit;

  return NULL;
}

static void
show_chip (GtkWidget          *chip,
           const char         *what,
           const GilkLookSpan *span,
           const char         *unit)
{
  g_autofree char *from = NULL, *to = NULL, *text = NULL, *tip = NULL;

  gtk_widget_set_visible (chip, gilk_look_is_set (span));
  if (!gilk_look_is_set (span))
    return;
  from = gilk_format_si (span->from, unit != NULL ? unit : "", 3);
  to = gilk_format_si (span->to, unit != NULL ? unit : "", 3);
  text = g_strdup_printf (_("%s to %s ×"), from, to);
  tip = g_strdup_printf (_("Only %s from %s to %s is looked at, in every view. Click for all of it."), what, from, to);
  gtk_button_set_label (GTK_BUTTON (chip), text);
  gtk_label_set_ellipsize (GTK_LABEL (gtk_bin_get_child (GTK_BIN (chip))), PANGO_ELLIPSIZE_END);
  gtk_widget_set_tooltip_text (chip, tip);
  atk_object_set_name (gtk_widget_get_accessible (chip), tip);
}

static gboolean
has_field (GilkResultsView *self,
           const char      *field)
{
  const GArray *fields = gilk_results_fields (self);

  for (guint i = 0; i < fields->len; i++)
    if (g_strcmp0 (g_array_index (fields, GilkStoredField, i).name, field) == 0)
      return TRUE;

  return FALSE;
}

const char *
gilk_results_card_field (GilkResultsView *self)
{
  const char *field = gilk_results_field (self), *looked_at = gilk_look_field (self->look);

  if (field != NULL)
    return field;

  if (looked_at != NULL && has_field (self, looked_at))
    return looked_at;

  return gilk_hook_has_elapsed (gilk_results_hook (self), gilk_results_run (self)->hooks) ? GILK_ELAPSED : "interval";
}

/* Whose values are looked at, if a plot or table in sight has that field. (nullable) */
static const char *
field_in_sight (GilkResultsView *self)
{
  const char *field = gilk_look_field (self->look);
  g_auto(GStrv) conditions = NULL;

  if (gilk_results_hook (self) == NULL)
    return NULL;
  for (guint i = 0; i < GILK_RESULTS_CARDS && !gilk_results_is_samples (self); i++)
    if (self->cards[i]->kind != GILK_FIGURE_N_KINDS && g_strcmp0 (self->cards[i]->field, field) == 0)
      return field;
  if (!gilk_results_is_samples (self))
    return NULL;
  conditions = gilk_results_conditions (self);

  return conditions[0] != NULL ? field : NULL;
}

/* The time that is looked at is that of all but what a program kept, who wrote, and the run as a whole. */
gboolean
gilk_results_is_narrowed (GilkResultsView *self)
{
  if (gilk_results_function (self) != NULL)
    return TRUE;

  return gilk_results_hook (self) != NULL && !gilk_results_is_kept (self) && !gilk_results_is_writers (self);
}

void
gilk_results_show_range (GilkResultsView *self)
{
  static const GilkLookSpan all = { NAN, NAN };
  gboolean narrowed = gilk_results_is_narrowed (self);
  GilkLookSpan time = narrowed ? gilk_look_time (self->look) : all, values = all;
  const char *field = narrowed ? field_in_sight (self) : NULL;

  if (field != NULL)
    values = gilk_look_values (self->look, field);
  show_chip (self->time_chip, _("the time"), &time, "s");
  show_chip (self->values_chip, field, &values, field != NULL ? unit_of (self, field) : NULL);
  gtk_widget_set_sensitive (self->whole, !gilk_look_is_whole (self->look));
}

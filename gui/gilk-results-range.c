/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-results-range.c - which time and which values are looked at: one range and one selection for all views
 *
 * A zoom of a view over time is a range of seconds, one of a distribution a selection of values of its field; both stay
 * when another view is chosen, and each has a button that says it and drops it. A spectrum is only looked at closer.
 */
#include "gui/gilk-results-private.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#define STEPS_MAX   64
#define ONE_STEP_US 500000        /* what follows so soon is one zoom: turns of a wheel */

static gboolean
is_over_time (GilkFigureKind kind)
{
  return kind == GILK_FIGURE_SERIES || kind == GILK_FIGURE_RATE || kind == GILK_FIGURE_HEAT;
}

static const char *
field_of (GilkResultsView *self)
{
  const char *field = gilk_results_field (self);

  return field != NULL ? field : "";
}

/* What of @part the view in sight zooms; NULL: nothing. */
static GilkResultsSpan *
zoomed_span (GilkResultsView *self,
             GilkResultsPart *part)
{
  GilkFigureKind kind;

  if (!gilk_results_kind (self, &kind))
    return gilk_results_is_kept_histogram (self) ? &part->look : NULL;

  return is_over_time (kind) ? &part->time : gilk_results_is_only_looked_at (kind) ? &part->look : &part->values;
}

gboolean
gilk_results_span_is_set (const GilkResultsSpan *span)
{
  return !isnan (span->from);
}

/* Of another field it says nothing. */
static gboolean
has_values (GilkResultsView *self)
{
  return gilk_results_span_is_set (&self->part.values) && g_strcmp0 (self->part.values_of, field_of (self)) == 0;
}

const GilkResultsSpan *
gilk_results_zoom (GilkResultsView *self)
{
  static const GilkResultsSpan all = GILK_RESULTS_ALL;
  const GilkResultsSpan *span = zoomed_span (self, &self->part);

  if (span == NULL || (span == &self->part.values && !has_values (self)))
    return &all;

  return span;
}

void
gilk_results_narrow (GilkResultsView *self,
                     GilkFigureAsk   *ask)
{
  ask->from = self->part.time.from;
  ask->to = self->part.time.to;
  if (ask->field == NULL || gilk_results_is_only_looked_at (ask->kind) || !has_values (self))
    return;
  ask->low = self->part.values.from;
  ask->high = self->part.values.to;
}

/* ---- changing it ---- */

static void
remember (GilkResultsView *self)
{
  gint64 now = g_get_monotonic_time ();
  gboolean more = now - self->zoomed_at < ONE_STEP_US;

  self->zoomed_at = now;
  if (more)
    return;
  if (self->steps->len == STEPS_MAX)
    g_array_remove_index (self->steps, 0);
  g_array_append_val (self->steps, self->part);
}

/* To a thousandth of what is looked at, or of itself where that is less: a number that can be typed. */
static double
rounded (double value,
         double span)
{
  double fine = MIN (span, value != 0.0 ? fabs (value) : span);
  double step = pow (10.0, floor (log10 (fine)) - 3.0);

  return isfinite (step) && step > 0.0 ? rint (value / step) * step : value;
}

void
gilk_results_set_zoom (GilkResultsView *self,
                       double           from,
                       double           to)
{
  GilkResultsSpan *span;

  remember (self);
  span = zoomed_span (self, &self->part);
  if (span == NULL)
    return;
  *span = (GilkResultsSpan) { rounded (from, to - from), rounded (to, to - from) };
  if (span == &self->part.values)
    self->part.values_of = g_intern_string (field_of (self));
}

gboolean
gilk_results_undo_zoom (GilkResultsView *self)
{
  if (self->steps->len == 0)
    return FALSE;
  self->part = g_array_index (self->steps, GilkResultsPart, self->steps->len - 1);
  g_array_set_size (self->steps, self->steps->len - 1);
  self->zoomed_at = 0;

  return TRUE;
}

void
gilk_results_drop_time (GilkResultsView *self)
{
  remember (self);
  self->part.time = (GilkResultsSpan) GILK_RESULTS_ALL;
}

void
gilk_results_drop_values (GilkResultsView *self)
{
  remember (self);
  self->part.values = (GilkResultsSpan) GILK_RESULTS_ALL;
}

void
gilk_results_drop_all (GilkResultsView *self)
{
  remember (self);
  self->part = (GilkResultsPart) { GILK_RESULTS_ALL, GILK_RESULTS_ALL, GILK_RESULTS_ALL, NULL };
}

void
gilk_results_begin_range (GilkResultsView *self)
{
  g_array_set_size (self->steps, 0);
  self->zoomed_at = 0;
  self->part = (GilkResultsPart) { GILK_RESULTS_ALL, GILK_RESULTS_ALL, GILK_RESULTS_ALL, NULL };
}

void
gilk_results_look_at_all (GilkResultsView *self)
{
  self->part.look = (GilkResultsSpan) GILK_RESULTS_ALL;
}

/* ---- saying it ---- */

/* (nullable) */
static const char *
unit_of (GilkResultsView *self,
         const char      *field)
{
  const GArray *fields = gilk_results_fields (self);

  if (g_strcmp0 (field, "interval") == 0)
    return "s";
  for (guint i = 0; i < fields->len; i++)
    if (g_strcmp0 (g_array_index (fields, GilkStoredField, i).name, field) == 0)
      return g_array_index (fields, GilkStoredField, i).unit;

  return NULL;
}

static void
show_chip (GtkWidget             *chip,
           gboolean               shown,
           const char            *what,
           const GilkResultsSpan *span,
           const char            *unit)
{
  g_autofree char *from = NULL, *to = NULL, *text = NULL, *tip = NULL;

  gtk_widget_set_visible (chip, shown);
  if (!shown)
    return;
  from = gilk_format_si (span->from, unit != NULL ? unit : "", 3);
  to = gilk_format_si (span->to, unit != NULL ? unit : "", 3);
  text = g_strdup_printf (_("%s to %s ×"), from, to);
  tip = g_strdup_printf (_("Only %s from %s to %s is looked at, in every view. Click for all of it."), what, from, to);
  gtk_button_set_label (GTK_BUTTON (chip), text);
  gtk_widget_set_tooltip_text (chip, tip);
  atk_object_set_name (gtk_widget_get_accessible (chip), tip);
}

void
gilk_results_show_range (GilkResultsView *self)
{
  GilkFigureKind kind;
  gboolean samples = gilk_results_is_samples (self), narrowed = samples || gilk_results_kind (self, &kind);
  gboolean time = gilk_results_span_is_set (&self->part.time), values = FALSE;

  if (samples)
    {
      g_auto(GStrv) conditions = gilk_results_conditions (self);

      values = conditions[0] != NULL;
    }
  else if (gilk_results_hook (self) != NULL)
    values = has_values (self);
  show_chip (self->time_chip, narrowed && time, _("the time"), &self->part.time, "s");
  show_chip (self->values_chip, narrowed && values, self->part.values_of, &self->part.values,
             values ? unit_of (self, self->part.values_of) : NULL);
  gtk_widget_set_sensitive (self->whole, time || values || gilk_results_span_is_set (&self->part.look));
}

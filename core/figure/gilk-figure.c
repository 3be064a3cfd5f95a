/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-figure.c - makes and frees the description of a plot, and prepares the data of its sources
 */
#include "core/figure/gilk-figure-private.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "core/analysis/gilk-hook-samples.h"
#include "core/analysis/gilk-hook-gaps.h"
#include "core/base/gilk-error.h"
#include "core/base/gilk-memory.h"
#include "core/emit/gilk-inline.h"

static const char *const kind_names[GILK_FIGURE_N_KINDS] = {
  [GILK_FIGURE_HISTOGRAM] = "histogram", [GILK_FIGURE_ECDF] = "ecdf",
  [GILK_FIGURE_SERIES] = "series", [GILK_FIGURE_RATE] = "rate", [GILK_FIGURE_HEAT] = "heat",
  [GILK_FIGURE_SPECTRUM] = "spectrum", [GILK_FIGURE_AUTOCORRELATION] = "autocorrelation",
};

const char *
gilk_figure_kind_name (GilkFigureKind kind)
{
  return kind_names[kind];
}

gboolean
gilk_figure_kind_parse (const char     *name,
                        GilkFigureKind *kind)
{
  for (guint i = 0; i < GILK_FIGURE_N_KINDS; i++)
    if (strcmp (kind_names[i], name) == 0)
      {
        *kind = (GilkFigureKind) i;
        return TRUE;
      }

  return FALSE;
}

GilkFigureAsk
gilk_figure_ask (GilkFigureKind kind,
                 const char    *field)
{
  return (GilkFigureAsk) {
    .kind = kind, .field = field, .from = NAN, .to = NAN, .low = NAN, .high = NAN,
    .columns = 1000, .rows = 400,
  };
}

/* ---- allocation and freeing of figures ---- */

GILK_DEFINE_CLEAR (curve_free, GilkCurve, curve,
                   gilk_free_all (curve->name, curve->x, curve->y, curve->y2, curve))

GilkFigure *
gilk_figure_new (GilkFigureKind kind)
{
  GilkFigure *figure = g_new0 (GilkFigure, 1);

  figure->kind = kind;
  figure->curves = g_ptr_array_new_with_free_func (curve_free);

  return figure;
}

GilkCurve *
gilk_figure_add_curve (GilkFigure   *figure,
                       GilkCurveKind kind,
                       const char   *name,
                       guint         n)
{
  GilkCurve *curve = g_new0 (GilkCurve, 1);

  curve->name = g_strdup (name);
  curve->kind = kind;
  curve->n = n;
  curve->x = g_new0 (double, (gsize) n + 1);
  curve->y = g_new0 (double, (gsize) n + 1);
  if (kind == GILK_CURVE_RANGE)
    curve->y2 = g_new0 (double, (gsize) n + 1);
  g_ptr_array_add (figure->curves, curve);

  return curve;
}

static void
axis_clear (GilkFigureAxis *axis)
{
  g_free (axis->label);
  g_free (axis->unit);
}

void
gilk_figure_free (GilkFigure *figure)
{
  if (figure == NULL)
    return;

  gilk_free_all (figure->title, figure->subtitle, figure->caption, figure->neighbour_caption,
                 figure->message, figure->loss_note, figure->counted);
  axis_clear (&figure->x);
  axis_clear (&figure->y);
  g_ptr_array_unref (figure->curves);
  gilk_histogram_free (figure->histogram);
  gilk_heat_free (figure->heat);
  g_clear_pointer (&figure->gaps, g_array_unref);
  g_clear_pointer (&figure->flags, g_array_unref);
  g_clear_pointer (&figure->levels, g_array_unref);
  gilk_figure_free (figure->other);
  g_free (figure);
}

/* ---- prepares the data of a figure's sources ---- */

static gboolean
find_unit (GilkFigurePart *part, const char *field, GError **error)
{
  const GilkStoredHook *hook = part->source->hook;
  g_autoptr(GArray) fields = gilk_store_fields (part->source->store, hook->run, hook->instrument, error);
  g_autoptr(GString) known = g_string_new (NULL);

  if (fields == NULL)
    return FALSE;
  for (guint i = 0; i < fields->len; i++)
    {
      const GilkStoredField *one = &g_array_index (fields, GilkStoredField, i);

      if (one->type == ILK_FIELD_TEXT)
        continue;
      g_string_append_printf (known, ", %s", one->name);
      if (strcmp (one->name, field) != 0)
        continue;
      part->unit = g_strdup (one->unit);
      part->whole = TRUE;
      return TRUE;
    }
  return gilk_fail (error, GILK_ERROR_NOT_FOUND,
                    _("Samples of hook %s have no numeric field “%s”. Their numeric fields: "
                      "interval%s."), hook->label,
                    field, known->str);
}

gboolean
gilk_figure_only_counts (const GilkStoredHook *hook)
{
  const GilkInline *known = gilk_inline_by_name (hook->instrument);

  return known != NULL && !known->samples;
}

gboolean
gilk_figure_part_init (GilkFigurePart         *part,
                       const GilkFigureSource *source,
                       const GilkFigureAsk    *ask,
                       GError                **error)
{
  const double stop = source->hook->stop_ns != 0 ? MIN ((double) source->hook->stop_ns / 1e9, source->duration) : source->duration;
  const double start = MIN ((double) source->hook->start_ns / 1e9, stop);

  /* If no range is requested, use the time during which the hook was armed. */
  *part = (GilkFigurePart) {
    .source = source,
    .from = isnan (ask->from) ? start : ask->from,
    .to = isnan (ask->to) ? stop : ask->to,
  };
  if (gilk_figure_only_counts (source->hook) && ask->kind != GILK_FIGURE_RATE)
    return gilk_fail (error, GILK_ERROR_USAGE,
                      _("Hook %s only counts, so it has no samples to plot. Plot its rate."),
                      source->hook->label);
  part->gaps = gilk_hook_gaps (source->store, source->hook, source->duration, error);
  if (part->gaps == NULL)
    return FALSE;
  if (ask->field == NULL)
    return TRUE;
  if (gilk_field_kind (ask->field) != GILK_FIELD_OWN)
    {
      part->unit = g_strdup ("s");
      return TRUE;
    }

  return find_unit (part, ask->field, error);
}

void
gilk_figure_part_clear (GilkFigurePart *part)
{
  g_clear_pointer (&part->gaps, g_array_unref);
  g_clear_pointer (&part->unit, g_free);
}

const char *
gilk_figure_value_label (const GilkFigureAsk *ask)
{
  return ask->field == NULL ? _("hits")
         : strcmp (ask->field, "interval") == 0 ? _("time between samples")
         : strcmp (ask->field, GILK_ELAPSED) == 0 ? _("duration of calls") : ask->field;
}

GilkHookAsk
gilk_figure_part_ask (const GilkFigurePart *part,
                      const GilkFigureAsk  *ask)
{
  return (GilkHookAsk) {
    .field = ask->field != NULL ? ask->field : "time", .condition = part->source->condition,
    .gaps = part->gaps, .from = ask->from, .to = ask->to, .cost = part->source->cost, .read = ask->read,
  };
}

GilkHookStream *
gilk_figure_part_stream (const GilkFigurePart *part,
                         const GilkFigureAsk  *ask,
                         gboolean              in_order,
                         GError              **error)
{
  GilkHookAsk what = gilk_figure_part_ask (part, ask);

  what.in_order = in_order;
  return gilk_hook_stream_new (part->source->store, part->source->hook, &what, error);
}

guint
gilk_figure_filter_range (const GilkFigureAsk *ask,
                          double              *times,
                          double              *values,
                          guint                n)
{
  guint left = 0;

  if (isnan (ask->low) && isnan (ask->high))
    return n;
  for (guint i = 0; i < n; i++)
    if (!(values[i] < ask->low) && !(values[i] > ask->high))
      {
        times[left] = times[i];
        values[left++] = values[i];
      }

  return left;
}

/* Returns the number of samples lost in the selected range, or of all lost samples if their
 * times are unknown. */
static uint64_t
count_lost (const GilkFigurePart *part)
{
  const GilkStoredHook *hook = part->source->hook;

  if (part->from <= (double) hook->start_ns / 1e9 &&
      (part->to >= part->source->duration || (hook->stop_ns != 0 && part->to >= (double) hook->stop_ns / 1e9)))
    return hook->lost;

  return (uint64_t) ceil (gilk_gaps_lost (part->gaps, part->from, part->to) - 1e-6);
}

void
gilk_figure_count (GilkFigure           *figure,
                   const GilkFigurePart *part,
                   uint64_t              samples,
                   uint64_t              cut)
{
  uint64_t lost = count_lost (part);

  figure->samples += samples;
  figure->lost += part->is_repeat ? 0 : lost;
  figure->cut += cut;
  if (figure->curves->len > 0)
    {
      GilkCurve *curve = g_ptr_array_index (figure->curves, figure->curves->len - 1);

      curve->samples = samples;
      curve->lost = lost;
    }
}

char *
gilk_figure_loss (const GilkFigure *figure,
                  GilkLossOf        of)
{
  uint64_t samples = figure->samples, lost = figure->lost;
  double worst = -1.0;

  for (guint i = 0; i < figure->curves->len; i++)
    {
      const GilkCurve *curve = g_ptr_array_index (figure->curves, i);
      double share = gilk_loss_share (curve->samples, curve->lost);

      if (share <= worst)
        continue;
      worst = share;
      samples = curve->samples;
      lost = curve->lost;
    }

  return gilk_loss_text (of, samples, lost, figure->cut);
}

void
gilk_figure_note_ignored (GilkFigure *figure,
                          uint64_t    ignored)
{
  char *caption = figure->caption;

  if (ignored == 0)
    return;
  figure->caption = g_strdup_printf (_("%s%sValues of zero or less, which a logarithmic axis cannot show: %" PRIu64),
                                     caption != NULL ? caption : "",
                                     caption != NULL ? ". " : "", ignored);
  g_free (caption);
  if (figure->samples > 0)
    return;
  g_free (figure->message);
  figure->message = g_strdup (_("No samples above zero, and a logarithmic axis cannot show others."));
}

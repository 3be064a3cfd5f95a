/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-figure-make.c - calls the function that makes the requested kind of figure
 */
#include "core/figure/gilk-figure-private.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "core/base/gilk-array.h"
#include "core/base/gilk-error.h"
#include "core/base/gilk-memory.h"
#include "core/figure/gilk-selection.h"
#include "core/store/gilk-store-notes.h"

GILK_DEFINE_CLEAR (clear_flag, GilkFigureFlag, self, g_free (self->text))

/* Adds flags for the user's notes on the source's run or hook, if the figure's x axis is time.
 * Notes on other hooks are omitted. */
static gboolean
add_notes (GilkFigure             *figure,
           const GilkFigureSource *source,
           GError                **error)
{
  g_autoptr(GArray) notes = NULL;

  if (gilk_selection_axis (figure->kind) != GILK_SELECTION_TIME || figure->message != NULL)
    return TRUE;
  notes = gilk_store_notes (source->store, source->hook->run, error);
  if (notes == NULL)
    return FALSE;
  for (guint i = 0; i < notes->len; i++)
    {
      const GilkStoredNote *note = &g_array_index (notes, GilkStoredNote, i);
      GilkFigureFlag flag = { i + 1, note->from_ns / 1e9, note->to_ns / 1e9, NULL };

      if (note->from_ns == GILK_NOTE_WHOLE_RUN || (note->hook != 0 && note->hook != source->hook->id) ||
          flag.to < figure->x.from || flag.from > figure->x.to)
        continue;
      if (figure->flags == NULL)
        {
          figure->flags = gilk_array_new (sizeof (GilkFigureFlag), clear_flag);
        }
      flag.text = g_strdup (note->text);
      g_array_append_val (figure->flags, flag);
    }

  return TRUE;
}

static void
mark_repeats (GilkFigurePart *parts, guint n)
{
  for (guint i = 1; i < n; i++)
    for (guint k = 0; k < i; k++)
      if (parts[k].source->hook->id == parts[i].source->hook->id &&
          strcmp (gilk_store_path (parts[k].source->store), gilk_store_path (parts[i].source->store)) == 0)
        parts[i].is_repeat = TRUE;
}

static gboolean
check_parts (const GilkFigureAsk *ask, const GilkFigurePart *parts, guint n, GError **error)
{
  if (!isnan (ask->from) && !isnan (ask->to) && !(ask->from < ask->to))
    return gilk_fail (error, GILK_ERROR_USAGE,
        _("Empty time range from %g s to %g s: the end must be after the start."), ask->from,
        ask->to);
  for (guint i = 1; i < n; i++)
    if (g_strcmp0 (parts[i].unit != NULL ? parts[i].unit : "", parts[0].unit != NULL ? parts[0].unit : "") != 0)
      return gilk_fail (error, GILK_ERROR_USAGE,
          _("%s and %s have different units (“%s” and “%s”) and cannot share an axis. Plot them separately."),
          parts[0].source->name, parts[i].source->name, parts[0].unit, parts[i].unit);

  return TRUE;
}

static gboolean
fill_figure (GilkFigure *figure, const GilkFigureAsk *ask, const GilkFigurePart *parts, guint n, GError **error)
{
  switch (ask->kind)
    {
    case GILK_FIGURE_HISTOGRAM:
      return gilk_figure_make_histogram (figure, ask, parts, n, error);
    case GILK_FIGURE_ECDF:
      return gilk_figure_make_ecdf (figure, ask, parts, n, error);
    case GILK_FIGURE_SERIES:
      return gilk_figure_make_series (figure, ask, parts, n, error);
    case GILK_FIGURE_RATE:
      return gilk_figure_make_rate (figure, ask, parts, n, error);
    case GILK_FIGURE_HEAT:
      return gilk_figure_make_heat (figure, ask, parts, n, error);
    case GILK_FIGURE_SPECTRUM:
      return gilk_figure_make_spectrum (figure, ask, parts, n, error);
    case GILK_FIGURE_AUTOCORRELATION:
    default:
      return gilk_figure_make_autocorrelation (figure, ask, parts, n, error);
    }
}

static gboolean
check_number (const GilkFigureAsk *ask, guint n, GError **error)
{
  if (n > GILK_FIGURE_CURVES_MAX)
    g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
                 _("%u curves cannot be distinguished in one plot. Choose at most %u of them."), n,
                 GILK_FIGURE_CURVES_MAX);
  else if (n > 1 && ask->kind == GILK_FIGURE_HEAT)
    g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
                 _("A heat map shows one hook, not %u. Choose one of them."), n);
  else
    return TRUE;

  return FALSE;
}

/* Adds to the caption the costs that were subtracted from recorded durations, if any. */
static void
add_cost_caption (GilkFigure *figure, const GilkFigureSource *sources, guint n)
{
  g_autoptr(GString) caption = g_string_new (figure->caption);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *words = sources[i].cost != NULL ? gilk_hook_cost_text (sources[i].cost) : NULL;

      if (words != NULL)
        g_string_append_printf (caption, "%s%s: %s", caption->len > 0 ? ". " : "", sources[i].name, words);
    }
  if (caption->len == 0)
    return;
  g_free (figure->caption);
  figure->caption = g_strdup (caption->str);
}

static void
finish_figure (GilkFigure *figure, const GilkFigureSource *sources, guint n)
{
  if (figure->lost > 0)
    figure->loss_note = g_strdup_printf (_("%" PRIu64 " lost"), figure->lost);
  add_cost_caption (figure, sources, n);
}

GilkFigure *
gilk_figure_preview (const GilkFigureAsk    *ask,
                     const GilkFigureSource *sources,
                     guint                   n,
                     GError                **error)
{
  g_autoptr(GilkFigure) figure = gilk_figure_new (ask->kind);
  GilkFigurePart part;
  gboolean good;

  if (ask->kind != GILK_FIGURE_HISTOGRAM || n != 1 || ask->field == NULL)
    return NULL;
  good = gilk_figure_part_init (&part, sources, ask, error) && check_parts (ask, &part, 1, error) &&
         gilk_figure_make_histogram_preview (figure, ask, &part, error);
  gilk_figure_part_clear (&part);
  if (!good)
    return NULL;
  finish_figure (figure, sources, n);

  return g_steal_pointer (&figure);
}

GilkFigure *
gilk_figure_make (const GilkFigureAsk    *ask,
                  const GilkFigureSource *sources,
                  guint                   n,
                  GError                **error)
{
  g_autoptr(GilkFigure) figure = gilk_figure_new (ask->kind);
  GilkFigurePart parts[GILK_FIGURE_CURVES_MAX] = { 0 };
  gboolean good;

  good = check_number (ask, n, error);
  for (guint i = 0; good && i < n; i++)
    good = gilk_figure_part_init (&parts[i], &sources[i], ask, error);
  if (good)
    mark_repeats (parts, n);
  good = good && check_parts (ask, parts, n, error) && fill_figure (figure, ask, parts, n, error);
  for (guint i = 0; i < MIN (n, GILK_FIGURE_CURVES_MAX); i++)
    gilk_figure_part_clear (&parts[i]);
  if (!good)
    return NULL;
  finish_figure (figure, sources, n);
  if (figure->other != NULL)
    finish_figure (figure->other, sources, n);

  return add_notes (figure, sources, error) ? g_steal_pointer (&figure) : NULL;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-selection.c - selection: one range of time and of values for all plots of a page
 */
#include "core/figure/gilk-selection.h"

#include <math.h>
#include <string.h>

#include "core/analysis/gilk-hook-samples.h"

#define STEPS_MAX   64
#define ONE_STEP_US 500000        /* zooms within this time of each other, such as turns of a mouse
                                   * wheel, are one undo step */
#define ALL         { NAN, NAN }

/* Maximum number of fields with a selection; a further one replaces the oldest. */
#define FIELDS_MAX  8

typedef struct {
  const char  *field;             /* name of the field, interned; "": hits; NULL: this and the later
                                   * elements of the array are unused */
  GilkSelectionRange zoomed, marked;
} Values;

typedef struct {
  GilkSelectionRange time, time_marked, zoom_only;
  Values       values[FIELDS_MAX];
  const char  *last;              /* field whose values were selected last; NULL: none yet */
} Part;

struct _GilkSelection {
  Part    part;
  GArray *steps;                  /* (element-type Part): earlier states of the selection, for
                                   * undo */
  gint64  zoomed_at;
};

static const GilkSelectionRange anything = ALL;
static const Part whole = { .time = ALL, .time_marked = ALL, .zoom_only = ALL };

GilkSelection *
gilk_selection_new (void)
{
  GilkSelection *selection = g_new0 (GilkSelection, 1);

  selection->part = whole;
  selection->steps = g_array_new (FALSE, FALSE, sizeof (Part));

  return selection;
}

void
gilk_selection_free (GilkSelection *selection)
{
  g_array_unref (selection->steps);
  g_free (selection);
}

gboolean
gilk_selection_is_set (const GilkSelectionRange *range)
{
  return !isnan (range->from);
}

GilkSelectionAxis
gilk_selection_axis (GilkFigureKind kind)
{
  if (kind == GILK_FIGURE_SERIES || kind == GILK_FIGURE_RATE || kind == GILK_FIGURE_HEAT)
    return GILK_SELECTION_TIME;

  return kind == GILK_FIGURE_SPECTRUM || kind == GILK_FIGURE_AUTOCORRELATION ? GILK_SELECTION_ZOOM_ONLY : GILK_SELECTION_VALUES;
}

/* ---- changing the selection ---- */

static void
push_undo_step (GilkSelection *selection)
{
  selection->zoomed_at = 0;
  if (selection->steps->len == STEPS_MAX)
    g_array_remove_index (selection->steps, 0);
  g_array_append_val (selection->steps, selection->part);
}

/* Rounds @value to a number with few digits. The error is at most about 1/1000 of @range or of the
 * value, whichever is smaller. */
static double
round_to_thousandth (double value,
                     double range)
{
  double fine = MIN (range, value != 0.0 ? fabs (value) : range);
  double digits = 3.0 - floor (log10 (fine));
  double scale = pow (10.0, fabs (digits));

  if (!isfinite (scale))
    return value;

  /* Divide by 10^n rather than multiply by 10^-n: a double holds 10^n exactly, but not 10^-n, so
   * only the division gives a number with few digits. */
  return digits > 0.0 ? rint (value * scale) / scale : rint (value / scale) * scale;
}

/* (nullable) */
static const Values *
find_values (const GilkSelection *selection,
             const char          *field)
{
  for (guint i = 0; i < FIELDS_MAX && selection->part.values[i].field != NULL; i++)
    if (strcmp (selection->part.values[i].field, field != NULL ? field : "") == 0)
      return &selection->part.values[i];

  return NULL;
}

static Values *
ensure_values (GilkSelection *selection,
               const char    *field)
{
  Values *values = selection->part.values;
  guint n = 0;

  selection->part.last = g_intern_string (field != NULL ? field : "");
  for (; n < FIELDS_MAX && values[n].field != NULL; n++)
    if (values[n].field == selection->part.last)
      return &values[n];
  if (n == FIELDS_MAX)
    memmove (values, values + 1, --n * sizeof *values);
  values[n] = (Values) { selection->part.last, anything, anything };

  return &values[n];
}

/* Drops fields of which no range is zoomed or marked. */
static void
drop_unset_fields (GilkSelection *selection)
{
  Values *values = selection->part.values;
  guint kept = 0;

  for (guint i = 0; i < FIELDS_MAX && values[i].field != NULL; i++)
    if (gilk_selection_is_set (&values[i].zoomed) || gilk_selection_is_set (&values[i].marked))
      values[kept++] = values[i];
  for (guint i = kept; i < FIELDS_MAX; i++)
    values[i].field = NULL;
}

static GilkSelectionRange *
get_zoomed (GilkSelection    *selection,
            GilkSelectionAxis axis,
            const char       *field)
{
  return axis == GILK_SELECTION_TIME ? &selection->part.time : axis == GILK_SELECTION_ZOOM_ONLY ? &selection->part.zoom_only : &ensure_values (selection, field)->zoomed;
}

static GilkSelectionRange *
get_marked (GilkSelection    *selection,
            GilkSelectionAxis axis,
            const char       *field)
{
  return axis == GILK_SELECTION_TIME ? &selection->part.time_marked : &ensure_values (selection, field)->marked;
}

void
gilk_selection_zoom (GilkSelection    *selection,
                     GilkSelectionAxis axis,
                     const char       *field,
                     double            from,
                     double            to,
                     gint64            now_us)
{
  gboolean more = now_us - selection->zoomed_at < ONE_STEP_US;

  if (!more)
    push_undo_step (selection);
  selection->zoomed_at = now_us;
  *get_zoomed (selection, axis, field) = (GilkSelectionRange) { round_to_thousandth (from, to - from), round_to_thousandth (to, to - from) };
  drop_unset_fields (selection);
}

void
gilk_selection_mark (GilkSelection    *selection,
                     GilkSelectionAxis axis,
                     const char       *field,
                     double            from,
                     double            to)
{
  if (axis == GILK_SELECTION_ZOOM_ONLY)
    return;
  push_undo_step (selection);
  *get_marked (selection, axis, field) = axis == GILK_SELECTION_TIME ? (GilkSelectionRange) { round_to_thousandth (from, to - from), round_to_thousandth (to, to - from) }
                                                        : (GilkSelectionRange) { from, to };
  drop_unset_fields (selection);
}

gboolean
gilk_selection_zoom_to_mark (GilkSelection    *selection,
                             GilkSelectionAxis axis,
                             const char       *field)
{
  GilkSelectionRange marked = gilk_selection_marked (selection, axis, field);

  if (!gilk_selection_is_set (&marked))
    return FALSE;
  push_undo_step (selection);
  *get_zoomed (selection, axis, field) = marked;
  *get_marked (selection, axis, field) = anything;

  return TRUE;
}

void
gilk_selection_clear (GilkSelection    *selection,
                      GilkSelectionAxis axis,
                      const char       *field)
{
  GilkSelectionRange marked = gilk_selection_marked (selection, axis, field);

  push_undo_step (selection);
  if (gilk_selection_is_set (&marked))
    *get_marked (selection, axis, field) = anything;
  else
    *get_zoomed (selection, axis, field) = anything;
  drop_unset_fields (selection);
}

void
gilk_selection_clear_all (GilkSelection *selection)
{
  push_undo_step (selection);
  selection->part = whole;
}

gboolean
gilk_selection_undo (GilkSelection *selection)
{
  if (selection->steps->len == 0)
    return FALSE;
  selection->part = g_array_index (selection->steps, Part, selection->steps->len - 1);
  g_array_set_size (selection->steps, selection->steps->len - 1);
  selection->zoomed_at = 0;

  return TRUE;
}

void
gilk_selection_reset (GilkSelection *selection)
{
  g_array_set_size (selection->steps, 0);
  selection->zoomed_at = 0;
  selection->part = whole;
}

void
gilk_selection_reset_zoom_only (GilkSelection *selection)
{
  selection->part.zoom_only = anything;
}

/* ---- reading the selection ---- */

GilkSelectionRange
gilk_selection_zoomed (const GilkSelection *selection,
                       GilkSelectionAxis    axis,
                       const char          *field)
{
  const Values *values = axis == GILK_SELECTION_VALUES ? find_values (selection, field) : NULL;

  return axis == GILK_SELECTION_TIME ? selection->part.time : axis == GILK_SELECTION_ZOOM_ONLY ? selection->part.zoom_only : values != NULL ? values->zoomed : anything;
}

GilkSelectionRange
gilk_selection_marked (const GilkSelection *selection,
                       GilkSelectionAxis    axis,
                       const char          *field)
{
  const Values *values = axis == GILK_SELECTION_VALUES ? find_values (selection, field) : NULL;

  return axis == GILK_SELECTION_TIME ? selection->part.time_marked : values != NULL ? values->marked : anything;
}

static GilkSelectionRange
get_effective (const GilkSelectionRange *zoomed,
               const GilkSelectionRange *marked)
{
  return gilk_selection_is_set (marked) ? *marked : *zoomed;
}

GilkSelectionRange
gilk_selection_time (const GilkSelection *selection)
{
  return get_effective (&selection->part.time, &selection->part.time_marked);
}

GilkSelectionRange
gilk_selection_values (const GilkSelection *selection,
                       const char          *field)
{
  const Values *values = find_values (selection, field);

  return values != NULL ? get_effective (&values->zoomed, &values->marked) : anything;
}

const char *
gilk_selection_field (const GilkSelection *selection)
{
  return selection->part.last;
}

const char *
gilk_selection_nth_field (const GilkSelection *selection,
                          guint                n)
{
  for (guint i = 0; i <= n; i++)
    if (i == FIELDS_MAX || selection->part.values[i].field == NULL)
      return NULL;

  return selection->part.values[n].field;
}

gboolean
gilk_selection_is_empty (const GilkSelection *selection)
{
  return !gilk_selection_is_set (&selection->part.time) && !gilk_selection_is_set (&selection->part.time_marked) &&
         !gilk_selection_is_set (&selection->part.zoom_only) && selection->part.values[0].field == NULL;
}

void
gilk_selection_apply (const GilkSelection *selection,
                      GilkFigureAsk       *ask)
{
  GilkSelectionAxis axis = gilk_selection_axis (ask->kind);
  GilkSelectionRange time = axis == GILK_SELECTION_TIME ? selection->part.time : gilk_selection_time (selection);
  GilkSelectionRange values = axis == GILK_SELECTION_VALUES ? gilk_selection_zoomed (selection, axis, ask->field)
                                                 : gilk_selection_values (selection, ask->field);

  ask->from = time.from;
  ask->to = time.to;
  if (ask->field == NULL || axis == GILK_SELECTION_ZOOM_ONLY)
    return;
  ask->low = values.from;
  ask->high = values.to;
}

/* ---- the selection as a condition on samples ---- */

/* Returns TRUE if the field can be used in conditions. */
static gboolean
is_field (const GArray *fields,
          const char   *name)
{
  return gilk_stored_field_find (fields, name) != NULL || strcmp (name, "interval") == 0;
}

void
gilk_selection_add_number (GString *words,
                           double   number)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  for (int digits = 6; digits <= 17; digits++)
    {
      char format[8];

      g_snprintf (format, sizeof format, "%%.%dg", digits);
      g_ascii_formatd (text, sizeof text, format, number);
      if (g_ascii_strtod (text, NULL) == number)
        break;
    }
  g_string_append (words, text);
}

static void
add_bound (GString    *words,
           const char *field,
           const char *sign,
           double      bound)
{
  g_string_append_printf (words, "%s%s %s ", words->len > 0 ? " and " : "", field, sign);
  gilk_selection_add_number (words, bound);
}

char *
gilk_selection_condition (const GilkSelection *selection,
                          const GArray        *fields,
                          const char          *but)
{
  g_autoptr(GString) words = g_string_new (NULL);

  for (guint i = 0; i < FIELDS_MAX && selection->part.values[i].field != NULL; i++)
    {
      const Values *values = &selection->part.values[i];
      const GilkSelectionRange range = get_effective (&values->zoomed, &values->marked);
      gboolean whole_numbers;

      if (g_strcmp0 (values->field, but) == 0 || !is_field (fields, values->field))
        continue;
      whole_numbers = strcmp (values->field, "interval") != 0;
      add_bound (words, values->field, ">=", whole_numbers ? ceil (range.from) : range.from);
      add_bound (words, values->field, "<=", whole_numbers ? floor (range.to) : range.to);
    }

  return words->len > 0 ? g_string_free (g_steal_pointer (&words), FALSE) : NULL;
}

gboolean
gilk_selection_is_testable (const GilkSelection *selection,
                            const GArray        *fields)
{
  const char *field;

  for (guint i = 0; (field = gilk_selection_nth_field (selection, i)) != NULL; i++)
    if (!is_field (fields, field) && strcmp (field, GILK_ELAPSED) != 0)
      return FALSE;

  return TRUE;
}

char *
gilk_selection_remaining_condition (const GilkSelection *selection,
                                    const GArray        *fields,
                                    const GilkFigureAsk *ask)
{
  gboolean own = gilk_selection_axis (ask->kind) != GILK_SELECTION_ZOOM_ONLY || g_strcmp0 (ask->field, "interval") == 0;

  return g_strcmp0 (ask->field, GILK_ELAPSED) != 0 ? gilk_selection_condition (selection, fields, own ? ask->field : NULL) : NULL;
}

/* ---- number of samples within a range of a figure ---- */

static double
get_bin_share (double low,
               double high,
               double from,
               double to)
{
  return high > low ? CLAMP ((MIN (high, to) - MAX (low, from)) / (high - low), 0.0, 1.0) : 0.0;
}

static void
count_bins (const GilkHistogram      *h,
            const GilkSelectionRange *range,
            uint64_t                 *n,
            double                   *share,
            gboolean                 *exact)
{
  double sum = 0.0;

  *exact = TRUE;
  for (guint i = 0; i < h->n_bins; i++)
    {
      double part = get_bin_share (h->edges[i], h->edges[i + 1], range->from, range->to);

      *exact = *exact && (part == 0.0 || part == 1.0 || h->counts[i] == 0);
      sum += part * (double) h->counts[i];
    }
  *n = (uint64_t) llrint (sum);
  *share = sum / (double) MAX (h->n, 1);
}

/* Counts hits in a curve of rates, whose steps are in hits per second. */
static gboolean
count_steps (const GilkCurve          *curve,
             const GilkSelectionRange *range,
             uint64_t                 *n,
             double                   *share,
             gboolean                 *exact)
{
  double sum = 0.0, all = 0.0;

  for (guint i = 0; i < curve->n; i++)
    {
      double wide = curve->x[i + 1] - curve->x[i];

      if (isnan (curve->y[i]) || !(wide > 0.0))
        continue;
      all += curve->y[i] * wide;
      sum += curve->y[i] * wide * get_bin_share (curve->x[i], curve->x[i + 1], range->from, range->to);
    }
  *n = (uint64_t) llrint (sum);
  *share = all > 0.0 ? sum / all : 0.0;
  *exact = FALSE;

  return all > 0.0;
}

gboolean
gilk_selection_count (const GilkFigure         *figure,
                      const GilkSelectionRange *range,
                      uint64_t                 *n,
                      double                   *share,
                      gboolean                 *exact)
{
  const GilkCurve *curve = figure->curves->len == 1 ? g_ptr_array_index (figure->curves, 0) : NULL;

  if (!gilk_selection_is_set (range))
    return FALSE;
  if (figure->histogram != NULL)
    {
      count_bins (figure->histogram, range, n, share, exact);
      *exact = *exact && !figure->is_preview;
      return TRUE;
    }

  return figure->kind == GILK_FIGURE_RATE && curve != NULL && curve->kind == GILK_CURVE_STEPS &&
         count_steps (curve, range, n, share, exact);
}

void
gilk_selection_snap (const GilkFigure   *figure,
                     GilkSelectionRange *range)
{
  const GilkHistogram *h = figure->histogram;
  GilkSelectionRange snapped = *range;

  if (h == NULL)
    return;
  for (guint i = 0; i < h->n_bins; i++)
    {
      if (range->from >= h->edges[i] && range->from < h->edges[i + 1])
        snapped.from = h->edges[i];
      if (range->to > h->edges[i] && range->to <= h->edges[i + 1])
        snapped.to = h->edges[i + 1];
    }
  *range = snapped;
}

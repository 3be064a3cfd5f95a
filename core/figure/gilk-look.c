/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-look.c - selection: one range of time and of values for all plots of a page
 */
#include "core/figure/gilk-look.h"

#include <math.h>
#include <string.h>

#include "core/analysis/gilk-hook-field.h"

#define STEPS_MAX   64
#define ONE_STEP_US 500000        /* several turns of a mouse wheel are one zoom */
#define ALL         { NAN, NAN }

/* Maximum number of fields with a selection; a further one replaces the oldest. */
#define FIELDS_MAX  8

typedef struct {
  const char  *field;             /* interned; "": hits; NULL: unused, as are all after it */
  GilkLookSpan seen, marked;
} Values;

typedef struct {
  GilkLookSpan time, time_marked, closer;
  Values       values[FIELDS_MAX];
  const char  *last;              /* the one selected last; NULL: none yet */
} Part;

struct _GilkLook {
  Part    part;
  GArray *steps;                  /* Part: earlier states, for undo */
  gint64  zoomed_at;
};

static const GilkLookSpan anything = ALL;
static const Part whole = { .time = ALL, .time_marked = ALL, .closer = ALL };

GilkLook *
gilk_look_new (void)
{
  GilkLook *look = g_new0 (GilkLook, 1);

  look->part = whole;
  look->steps = g_array_new (FALSE, FALSE, sizeof (Part));

  return look;
}

void
gilk_look_free (GilkLook *look)
{
  g_array_unref (look->steps);
  g_free (look);
}

gboolean
gilk_look_is_set (const GilkLookSpan *span)
{
  return !isnan (span->from);
}

GilkLookAxis
gilk_look_axis (GilkFigureKind kind)
{
  if (kind == GILK_FIGURE_SERIES || kind == GILK_FIGURE_RATE || kind == GILK_FIGURE_HEAT)
    return GILK_LOOK_TIME;

  return kind == GILK_FIGURE_SPECTRUM || kind == GILK_FIGURE_AUTOCORRELATION ? GILK_LOOK_CLOSER : GILK_LOOK_VALUES;
}

/* ---- changing the selection ---- */

static void
remember (GilkLook *look)
{
  look->zoomed_at = 0;
  if (look->steps->len == STEPS_MAX)
    g_array_remove_index (look->steps, 0);
  g_array_append_val (look->steps, look->part);
}

/* Rounds to 1/1000 of @span, or of the value if that is less: a number that can be typed. */
static double
rounded (double value,
         double span)
{
  double fine = MIN (span, value != 0.0 ? fabs (value) : span);
  double digits = 3.0 - floor (log10 (fine));
  double scale = pow (10.0, fabs (digits));

  if (!isfinite (scale))
    return value;

  /* Division by a power of ten, which is exact in binary, gives a number of few digits;
   * multiplication by a negative power does not. */
  return digits > 0.0 ? rint (value * scale) / scale : rint (value / scale) * scale;
}

/* (nullable) */
static const Values *
find (const GilkLook *look,
      const char     *field)
{
  for (guint i = 0; i < FIELDS_MAX && look->part.values[i].field != NULL; i++)
    if (strcmp (look->part.values[i].field, field != NULL ? field : "") == 0)
      return &look->part.values[i];

  return NULL;
}

static Values *
values_of (GilkLook   *look,
           const char *field)
{
  Values *values = look->part.values;
  guint n = 0;

  look->part.last = g_intern_string (field != NULL ? field : "");
  for (; n < FIELDS_MAX && values[n].field != NULL; n++)
    if (values[n].field == look->part.last)
      return &values[n];
  if (n == FIELDS_MAX)
    memmove (values, values + 1, --n * sizeof *values);
  values[n] = (Values) { look->part.last, anything, anything };

  return &values[n];
}

/* Drops fields without a selection. */
static void
forget_idle (GilkLook *look)
{
  Values *values = look->part.values;
  guint kept = 0;

  for (guint i = 0; i < FIELDS_MAX && values[i].field != NULL; i++)
    if (gilk_look_is_set (&values[i].seen) || gilk_look_is_set (&values[i].marked))
      values[kept++] = values[i];
  for (guint i = kept; i < FIELDS_MAX; i++)
    values[i].field = NULL;
}

static GilkLookSpan *
seen_of (GilkLook     *look,
         GilkLookAxis  axis,
         const char   *field)
{
  return axis == GILK_LOOK_TIME ? &look->part.time : axis == GILK_LOOK_CLOSER ? &look->part.closer : &values_of (look, field)->seen;
}

static GilkLookSpan *
mark_of (GilkLook     *look,
         GilkLookAxis  axis,
         const char   *field)
{
  return axis == GILK_LOOK_TIME ? &look->part.time_marked : &values_of (look, field)->marked;
}

void
gilk_look_zoom (GilkLook     *look,
                GilkLookAxis  axis,
                const char   *field,
                double        from,
                double        to,
                gint64        now_us)
{
  gboolean more = now_us - look->zoomed_at < ONE_STEP_US;

  if (!more)
    remember (look);
  look->zoomed_at = now_us;
  *seen_of (look, axis, field) = (GilkLookSpan) { rounded (from, to - from), rounded (to, to - from) };
  forget_idle (look);
}

void
gilk_look_mark (GilkLook     *look,
                GilkLookAxis  axis,
                const char   *field,
                double        from,
                double        to)
{
  if (axis == GILK_LOOK_CLOSER)
    return;
  remember (look);
  *mark_of (look, axis, field) = axis == GILK_LOOK_TIME ? (GilkLookSpan) { rounded (from, to - from), rounded (to, to - from) }
                                                        : (GilkLookSpan) { from, to };
  forget_idle (look);
}

gboolean
gilk_look_enter (GilkLook     *look,
                 GilkLookAxis  axis,
                 const char   *field)
{
  GilkLookSpan marked = gilk_look_marked (look, axis, field);

  if (!gilk_look_is_set (&marked))
    return FALSE;
  remember (look);
  *seen_of (look, axis, field) = marked;
  *mark_of (look, axis, field) = anything;

  return TRUE;
}

void
gilk_look_drop (GilkLook     *look,
                GilkLookAxis  axis,
                const char   *field)
{
  GilkLookSpan marked = gilk_look_marked (look, axis, field);

  remember (look);
  if (gilk_look_is_set (&marked))
    *mark_of (look, axis, field) = anything;
  else
    *seen_of (look, axis, field) = anything;
  forget_idle (look);
}

void
gilk_look_drop_all (GilkLook *look)
{
  remember (look);
  look->part = whole;
}

gboolean
gilk_look_undo (GilkLook *look)
{
  if (look->steps->len == 0)
    return FALSE;
  look->part = g_array_index (look->steps, Part, look->steps->len - 1);
  g_array_set_size (look->steps, look->steps->len - 1);
  look->zoomed_at = 0;

  return TRUE;
}

void
gilk_look_begin (GilkLook *look)
{
  g_array_set_size (look->steps, 0);
  look->zoomed_at = 0;
  look->part = whole;
}

void
gilk_look_away (GilkLook *look)
{
  look->part.closer = anything;
}

/* ---- reading the selection ---- */

GilkLookSpan
gilk_look_seen (const GilkLook *look,
                GilkLookAxis    axis,
                const char     *field)
{
  const Values *values = axis == GILK_LOOK_VALUES ? find (look, field) : NULL;

  return axis == GILK_LOOK_TIME ? look->part.time : axis == GILK_LOOK_CLOSER ? look->part.closer : values != NULL ? values->seen : anything;
}

GilkLookSpan
gilk_look_marked (const GilkLook *look,
                  GilkLookAxis    axis,
                  const char     *field)
{
  const Values *values = axis == GILK_LOOK_VALUES ? find (look, field) : NULL;

  return axis == GILK_LOOK_TIME ? look->part.time_marked : values != NULL ? values->marked : anything;
}

static GilkLookSpan
told (const GilkLookSpan *seen,
      const GilkLookSpan *marked)
{
  return gilk_look_is_set (marked) ? *marked : *seen;
}

GilkLookSpan
gilk_look_time (const GilkLook *look)
{
  return told (&look->part.time, &look->part.time_marked);
}

GilkLookSpan
gilk_look_values (const GilkLook *look,
                  const char     *field)
{
  const Values *values = find (look, field);

  return values != NULL ? told (&values->seen, &values->marked) : anything;
}

const char *
gilk_look_field (const GilkLook *look)
{
  return look->part.last;
}

const char *
gilk_look_nth_field (const GilkLook *look,
                     guint           n)
{
  for (guint i = 0; i <= n; i++)
    if (i == FIELDS_MAX || look->part.values[i].field == NULL)
      return NULL;

  return look->part.values[n].field;
}

gboolean
gilk_look_is_whole (const GilkLook *look)
{
  return !gilk_look_is_set (&look->part.time) && !gilk_look_is_set (&look->part.time_marked) &&
         !gilk_look_is_set (&look->part.closer) && look->part.values[0].field == NULL;
}

void
gilk_look_narrow (const GilkLook *look,
                  GilkFigureAsk  *ask)
{
  GilkLookAxis axis = gilk_look_axis (ask->kind);
  GilkLookSpan time = axis == GILK_LOOK_TIME ? look->part.time : gilk_look_time (look);
  GilkLookSpan values = axis == GILK_LOOK_VALUES ? gilk_look_seen (look, axis, ask->field)
                                                 : gilk_look_values (look, ask->field);

  ask->from = time.from;
  ask->to = time.to;
  if (ask->field == NULL || axis == GILK_LOOK_CLOSER)
    return;
  ask->low = values.from;
  ask->high = values.to;
}

/* ---- conditions ---- */

/* Returns TRUE if the field can be used in conditions. */
static gboolean
is_field (const GArray *fields,
          const char   *name)
{
  return gilk_stored_field_find (fields, name) != NULL || strcmp (name, "interval") == 0;
}

void
gilk_look_add_number (GString *words,
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
  gilk_look_add_number (words, bound);
}

char *
gilk_look_condition (const GilkLook *look,
                     const GArray   *fields,
                     const char     *but)
{
  g_autoptr(GString) words = g_string_new (NULL);

  for (guint i = 0; i < FIELDS_MAX && look->part.values[i].field != NULL; i++)
    {
      const Values *values = &look->part.values[i];
      const GilkLookSpan span = told (&values->seen, &values->marked);
      gboolean whole_numbers;

      if (g_strcmp0 (values->field, but) == 0 || !is_field (fields, values->field))
        continue;
      whole_numbers = strcmp (values->field, "interval") != 0;
      add_bound (words, values->field, ">=", whole_numbers ? ceil (span.from) : span.from);
      add_bound (words, values->field, "<=", whole_numbers ? floor (span.to) : span.to);
    }

  return words->len > 0 ? g_string_free (g_steal_pointer (&words), FALSE) : NULL;
}

gboolean
gilk_look_is_told (const GilkLook *look,
                   const GArray   *fields)
{
  const char *field;

  for (guint i = 0; (field = gilk_look_nth_field (look, i)) != NULL; i++)
    if (!is_field (fields, field) && strcmp (field, GILK_ELAPSED) != 0)
      return FALSE;

  return TRUE;
}

char *
gilk_look_others (const GilkLook      *look,
                  const GArray        *fields,
                  const GilkFigureAsk *ask)
{
  gboolean own = gilk_look_axis (ask->kind) != GILK_LOOK_CLOSER || g_strcmp0 (ask->field, "interval") == 0;

  return g_strcmp0 (ask->field, GILK_ELAPSED) != 0 ? gilk_look_condition (look, fields, own ? ask->field : NULL) : NULL;
}

/* ---- counts within a range ---- */

static double
share_of_bin (double low,
              double high,
              double from,
              double to)
{
  return high > low ? CLAMP ((MIN (high, to) - MAX (low, from)) / (high - low), 0.0, 1.0) : 0.0;
}

static void
count_bins (const GilkHistogram *h,
            const GilkLookSpan  *span,
            uint64_t            *n,
            double              *share,
            gboolean            *exact)
{
  double sum = 0.0;

  *exact = TRUE;
  for (guint i = 0; i < h->n_bins; i++)
    {
      double part = share_of_bin (h->edges[i], h->edges[i + 1], span->from, span->to);

      *exact = *exact && (part == 0.0 || part == 1.0 || h->counts[i] == 0);
      sum += part * (double) h->counts[i];
    }
  *n = (uint64_t) llrint (sum);
  *share = sum / (double) MAX (h->n, 1);
}

/* The steps of a rate are hits per second. */
static gboolean
count_steps (const GilkCurve    *curve,
             const GilkLookSpan *span,
             uint64_t           *n,
             double             *share,
             gboolean           *exact)
{
  double sum = 0.0, all = 0.0;

  for (guint i = 0; i < curve->n; i++)
    {
      double wide = curve->x[i + 1] - curve->x[i];

      if (isnan (curve->y[i]) || !(wide > 0.0))
        continue;
      all += curve->y[i] * wide;
      sum += curve->y[i] * wide * share_of_bin (curve->x[i], curve->x[i + 1], span->from, span->to);
    }
  *n = (uint64_t) llrint (sum);
  *share = all > 0.0 ? sum / all : 0.0;
  *exact = FALSE;

  return all > 0.0;
}

gboolean
gilk_look_count (const GilkFigure   *figure,
                 const GilkLookSpan *span,
                 uint64_t           *n,
                 double             *share,
                 gboolean           *exact)
{
  const GilkCurve *curve = figure->curves->len == 1 ? g_ptr_array_index (figure->curves, 0) : NULL;

  if (!gilk_look_is_set (span))
    return FALSE;
  if (figure->histogram != NULL)
    {
      count_bins (figure->histogram, span, n, share, exact);
      *exact = *exact && !figure->rough;
      return TRUE;
    }

  return figure->kind == GILK_FIGURE_RATE && curve != NULL && curve->kind == GILK_CURVE_STEPS &&
         count_steps (curve, span, n, share, exact);
}

void
gilk_look_snap (const GilkFigure *figure,
                GilkLookSpan     *span)
{
  const GilkHistogram *h = figure->histogram;
  GilkLookSpan snapped = *span;

  if (h == NULL)
    return;
  for (guint i = 0; i < h->n_bins; i++)
    {
      if (span->from >= h->edges[i] && span->from < h->edges[i + 1])
        snapped.from = h->edges[i];
      if (span->to > h->edges[i] && span->to <= h->edges[i + 1])
        snapped.to = h->edges[i + 1];
    }
  *span = snapped;
}

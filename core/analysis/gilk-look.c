/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-look.c - which time and which values are looked at
 */
#include "core/analysis/gilk-look.h"

#include <math.h>
#include <string.h>

#define STEPS_MAX   64
#define ONE_STEP_US 500000        /* turns of a wheel are one zoom */
#define ALL         { NAN, NAN }

typedef struct {
  GilkLookSpan seen[GILK_LOOK_CLOSER + 1], marked[GILK_LOOK_CLOSER];
  const char  *values_of;         /* the field; interned; NULL: no values were looked at */
} Part;

struct _GilkLook {
  Part    part;
  GArray *steps;                  /* Part: what it was before */
  gint64  zoomed_at;
};

static const Part whole = { { ALL, ALL, ALL }, { ALL, ALL }, NULL };

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

/* ---- changing it ---- */

static void
remember (GilkLook *look)
{
  look->zoomed_at = 0;
  if (look->steps->len == STEPS_MAX)
    g_array_remove_index (look->steps, 0);
  g_array_append_val (look->steps, look->part);
}

/* To a thousandth of what is looked at, or of itself where that is less: a number that can be typed. */
static double
rounded (double value,
         double span)
{
  double fine = MIN (span, value != 0.0 ? fabs (value) : span);
  double digits = 3.0 - floor (log10 (fine));
  double scale = pow (10.0, fabs (digits));

  if (!isfinite (scale))
    return value;

  /* A tenth is no binary number, and ten is: divided by that, few digits stay few. */
  return digits > 0.0 ? rint (value * scale) / scale : rint (value / scale) * scale;
}

/* Values of another field are forgotten: there is one selection. */
static void
turn_to (GilkLook     *look,
         GilkLookAxis  axis,
         const char   *field)
{
  if (axis != GILK_LOOK_VALUES || g_strcmp0 (look->part.values_of, field != NULL ? field : "") == 0)
    return;
  look->part.values_of = g_intern_string (field != NULL ? field : "");
  look->part.seen[axis] = look->part.marked[axis] = whole.marked[axis];
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
  turn_to (look, axis, field);
  look->part.seen[axis] = (GilkLookSpan) { rounded (from, to - from), rounded (to, to - from) };
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
  turn_to (look, axis, field);
  if (axis == GILK_LOOK_TIME)
    look->part.marked[axis] = (GilkLookSpan) { rounded (from, to - from), rounded (to, to - from) };
  else
    look->part.marked[axis] = (GilkLookSpan) { from, to };
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
  look->part.seen[axis] = marked;
  look->part.marked[axis] = whole.marked[axis];

  return TRUE;
}

void
gilk_look_drop (GilkLook     *look,
                GilkLookAxis  axis)
{
  remember (look);
  if (axis != GILK_LOOK_CLOSER && gilk_look_is_set (&look->part.marked[axis]))
    look->part.marked[axis] = whole.marked[axis];
  else
    look->part.seen[axis] = whole.seen[axis];
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
  look->part.seen[GILK_LOOK_CLOSER] = whole.seen[GILK_LOOK_CLOSER];
}

/* ---- what is looked at ---- */

/* Of another field it says nothing. */
static gboolean
applies (const GilkLook *look,
         GilkLookAxis    axis,
         const char     *field)
{
  return axis != GILK_LOOK_VALUES || g_strcmp0 (look->part.values_of, field != NULL ? field : "") == 0;
}

GilkLookSpan
gilk_look_seen (const GilkLook *look,
                GilkLookAxis    axis,
                const char     *field)
{
  return applies (look, axis, field) ? look->part.seen[axis] : whole.seen[axis];
}

GilkLookSpan
gilk_look_marked (const GilkLook *look,
                  GilkLookAxis    axis,
                  const char     *field)
{
  return axis != GILK_LOOK_CLOSER && applies (look, axis, field) ? look->part.marked[axis] : whole.marked[0];
}

static GilkLookSpan
told (const GilkLook *look,
      GilkLookAxis    axis)
{
  return gilk_look_is_set (&look->part.marked[axis]) ? look->part.marked[axis] : look->part.seen[axis];
}

GilkLookSpan
gilk_look_time (const GilkLook *look)
{
  return told (look, GILK_LOOK_TIME);
}

GilkLookSpan
gilk_look_values (const GilkLook *look,
                  const char     *field)
{
  return applies (look, GILK_LOOK_VALUES, field) ? told (look, GILK_LOOK_VALUES) : whole.seen[GILK_LOOK_VALUES];
}

const char *
gilk_look_field (const GilkLook *look)
{
  return look->part.values_of;
}

gboolean
gilk_look_is_whole (const GilkLook *look)
{
  for (guint axis = GILK_LOOK_TIME; axis <= GILK_LOOK_CLOSER; axis++)
    if (gilk_look_is_set (&look->part.seen[axis]) ||
        (axis != GILK_LOOK_CLOSER && gilk_look_is_set (&look->part.marked[axis])))
      return FALSE;

  return TRUE;
}

void
gilk_look_narrow (const GilkLook *look,
                  GilkFigureAsk  *ask)
{
  GilkLookAxis axis = gilk_look_axis (ask->kind);
  GilkLookSpan time = axis == GILK_LOOK_TIME ? look->part.seen[GILK_LOOK_TIME] : gilk_look_time (look);
  GilkLookSpan values = axis == GILK_LOOK_VALUES ? gilk_look_seen (look, axis, ask->field)
                                                 : gilk_look_values (look, ask->field);

  ask->from = time.from;
  ask->to = time.to;
  if (ask->field == NULL || axis == GILK_LOOK_CLOSER)
    return;
  ask->low = values.from;
  ask->high = values.to;
}

/* ---- how much it is ---- */

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

/* A rate is hits a second; steps are those of it. */
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

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-map-figure.c - makes plots of the histograms of programs
 */
#include "core/figure/gilk-figure.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <math.h>

#include "core/analysis/gilk-map-sums.h"
#include "core/base/gilk-error.h"
#include "core/base/gilk-format.h"

/* A linear axis shows each integer up to SMALL separately. */
#define SMALL 64.0
/* Ratio of the upper end of the y axis to the maximum. */
#define ROOM     1.04
#define ROOM_LOG 1.6

typedef struct {
  gboolean log_x, log_y, shares;
  gboolean even;                      /* all buckets that have values have width 1 */
  uint64_t zeros;                     /* number of values that are 0, which a logarithmic axis
                                       * cannot show */
} Make;

gboolean
gilk_map_is_small (const GilkMapSource *sources,
                   guint                n)
{
  for (guint i = 0; i < n; i++)
    {
      g_autoptr(GilkMapBuckets) buckets = gilk_map_buckets (sources[i].map, sources[i].map->bits);

      if (buckets->n > 0 && gilk_map_edge (buckets, buckets->n) > SMALL)
        return FALSE;
    }

  return TRUE;
}

/* Returns the lower edge of bucket @i. On a linear axis, integers are in the middle of their
 * buckets. */
static double
get_edge (const Make *make, const GilkMapBuckets *buckets, guint i)
{
  return gilk_map_edge (buckets, i) - (make->log_x ? 0.0 : 0.5);
}

static double
compute_density (const Make *make, const GilkMapBuckets *buckets, guint i)
{
  double from = gilk_map_edge (buckets, i), to = gilk_map_edge (buckets, i + 1);
  double width = make->log_x ? log2 (to / from) : to - from;
  double share = make->shares ? 100.0 / (double) buckets->total : 1.0;

  return share * (double) buckets->counts[i] / width;
}

/* Returns TRUE if all values have buckets of width 1, as values below 2^(bits + 1) do. */
static gboolean
has_steps_of_one (const GilkMapSource *sources, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      g_autoptr(GilkMapBuckets) buckets = gilk_map_buckets (sources[i].map, sources[i].map->bits);

      if (buckets->first + buckets->n > 2u << buckets->bits)
        return FALSE;
    }

  return TRUE;
}

static void
add_curve (GilkFigure *figure, Make *make, const GilkMapSource *source)
{
  g_autoptr(GilkMapBuckets) buckets = gilk_map_buckets (source->map, source->map->bits);
  guint skip = make->log_x && buckets->n > 0 && buckets->first == 0 ? 1 : 0;
  GilkCurve *curve = gilk_figure_add_curve (figure, GILK_CURVE_STEPS, source->name, buckets->n - skip);

  make->zeros += skip > 0 ? buckets->counts[0] : 0;
  curve->samples = buckets->total - (skip > 0 ? buckets->counts[0] : 0);
  figure->samples += curve->samples;
  for (guint i = 0; i < curve->n; i++)
    {
      double high = compute_density (make, buckets, i + skip);

      curve->x[i] = get_edge (make, buckets, i + skip);
      curve->y[i] = high > 0.0 ? high : NAN;
      if (high > 0.0)
        {
          figure->y.to = fmax (figure->y.to, high);
          figure->y.from = fmin (figure->y.from, high);
        }
    }
  if (curve->n == 0)
    return;
  curve->x[curve->n] = get_edge (make, buckets, buckets->n);
  figure->x.from = fmin (figure->x.from, curve->x[0]);
  figure->x.to = fmax (figure->x.to, curve->x[curve->n]);
}

/* Returns a range such as "4096 to 5119", as precise as the buckets allow. (transfer full) */
static char *
format_quantile (const GilkMapBuckets *buckets, double p)
{
  guint i = gilk_map_quantile (buckets, p);
  double from = gilk_map_edge (buckets, i), last = gilk_map_edge (buckets, i + 1) - 1.0;

  return last > from ? g_strdup_printf (_("%.0f to %.0f"), from, last) : g_strdup_printf ("%.0f", from);
}

static char *
describe_values (const GilkMapSource *source)
{
  g_autoptr(GilkMapBuckets) buckets = gilk_map_buckets (source->map, source->map->bits);
  g_autofree char *median = NULL, *p99 = NULL;

  if (buckets->n == 0)
    return NULL;
  median = format_quantile (buckets, 0.5);
  p99 = format_quantile (buckets, 0.99);

  return g_strdup_printf (ngettext ("%" PRIu64 " value · median %s · p99 %s", "%" PRIu64 " values · median %s · p99 %s",
                                    (gulong) MIN (buckets->total, G_MAXULONG)), buckets->total, median, p99);
}

/* Returns a text that explains the bars' heights and states how many values are not shown.
 * (transfer full) (nullable) */
static char *
make_caption (const Make *make)
{
  g_autofree char *zeros = make->zeros == 0 ? NULL
    : g_strdup_printf (ngettext ("%" PRIu64 " value of 0 not shown on the logarithmic axis",
                                 "%" PRIu64 " values of 0 not shown on the logarithmic axis",
                                 (gulong) MIN (make->zeros, G_MAXULONG)), make->zeros);
  const char *area = make->log_y || make->even ? NULL : make->shares ? _("The area below a line is the total of its values")
                                                       : _("Buckets differ in width: areas, not "
                                                           "heights, show how many values there "
                                                           "are");

  if (area != NULL && zeros != NULL)
    return g_strconcat (area, ". ", zeros, NULL);

  return g_strdup (area != NULL ? area : zeros);
}

/* Returns the unit of the values of all histograms; NULL if units differ, or if there are none. */
static const char *
get_common_unit (const GilkMapSource *sources, guint n)
{
  for (guint i = 1; i < n; i++)
    if (g_strcmp0 (sources[i].map->meaning, sources[0].map->meaning) != 0)
      return NULL;

  return g_strcmp0 (sources[0].map->meaning, GILK_MEANING_NS) == 0 ? GILK_MEANING_NS : NULL;
}

static void
label_axes (GilkFigure *figure, const Make *make, const GilkMapSource *sources, guint n)
{
  figure->x.label = g_strdup (sources[0].map->name);
  figure->x.unit = g_strdup (get_common_unit (sources, n));
  figure->x.scale = make->log_x ? GILK_SCALE_LOG : GILK_SCALE_WHOLE;
  if (make->shares)
    figure->y.label = g_strdup (make->log_x ? _("share of values per octave")
                                : make->even ? _("share of values") : _("share of values per "
                                                                        "unit of value"));
  else
    figure->y.label = g_strdup (make->log_x ? _("values per octave")
                                : make->even ? _("values") : _("values per unit of value"));
  figure->y.unit = g_strdup (make->shares ? "%" : NULL);
  figure->y.scale = make->log_y ? GILK_SCALE_LOG : make->even && !make->shares ? GILK_SCALE_WHOLE : GILK_SCALE_LINEAR;
}

GilkFigure *
gilk_map_figure (const GilkMapSource *sources,
                 guint                n,
                 gboolean             log_x,
                 gboolean             log_y,
                 GError             **error)
{
  Make make = { log_x, log_y, n > 1, !log_x && has_steps_of_one (sources, MIN (n, GILK_FIGURE_CURVES_MAX)), 0 };
  GilkFigure *figure;

  if (n > GILK_FIGURE_CURVES_MAX)
    return gilk_fail_null (error, GILK_ERROR_USAGE,
        _("%u curves cannot be distinguished in one plot. Choose at most %u of them."), n,
        GILK_FIGURE_CURVES_MAX);
  figure = gilk_figure_new (GILK_FIGURE_HISTOGRAM);
  label_axes (figure, &make, sources, n);
  figure->x.from = figure->y.from = INFINITY;
  figure->x.to = figure->y.to = -INFINITY;
  for (guint i = 0; i < n; i++)
    add_curve (figure, &make, &sources[i]);
  if (figure->samples == 0)
    figure->message = g_strdup (make.zeros > 0 ? _("All values are 0, which a logarithmic axis cannot show.")
                                               : _("The histogram is empty."));
  else
    {
      figure->y.from = log_y ? figure->y.from / ROOM_LOG : 0.0;
      figure->y.to *= log_y ? ROOM_LOG : ROOM;
    }
  figure->caption = make_caption (&make);
  if (n == 1)
    figure->subtitle = describe_values (&sources[0]);

  return figure;
}

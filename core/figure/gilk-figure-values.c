/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-figure-values.c - makes figures of distributions: histograms, overlays of several
 * histograms, ECDFs
 */
#include "core/figure/gilk-figure-private.h"

#include <glib/gi18n.h>
#include <math.h>

#include "core/analysis/gilk-hook-distribution.h"
#include "core/analysis/gilk-hook-samples.h"
#include "core/base/gilk-error.h"
#include "core/stats/gilk-ecdf.h"
#include "core/stats/gilk-loss-rule.h"

/* Number of rows in the fine grid from which an overlay is made, and maximum number of bins into
 * which the rows are merged. */
#define OVERLAY_ROWS 8192
#define OVERLAY_BINS 160
/* If the distribution has two humps far apart, the Freedman-Diaconis bins are too wide:
 * MANY_SAMPLES samples or more get at least MANY_BINS bins. */
#define MANY_SAMPLES 1000
#define MANY_BINS    64

static GilkScale
choose_scale (const GilkFigureAsk *ask, const GilkFigurePart *part)
{
  return ask->log_x ? GILK_SCALE_LOG : part->whole ? GILK_SCALE_WHOLE : GILK_SCALE_LINEAR;
}

static void
label_values (GilkFigure *figure, const GilkFigureAsk *ask, const GilkFigurePart *part)
{
  figure->x.label = g_strdup (gilk_figure_value_label (ask));
  figure->x.unit = g_strdup (part->unit);
  figure->x.scale = ask->log_x ? GILK_SCALE_LOG : GILK_SCALE_LINEAR;
}

char *
gilk_figure_empty_reason (const GilkFigureAsk *ask)
{
  if (!isnan (ask->low) || !isnan (ask->high) || !isnan (ask->from) || !isnan (ask->to))
    return g_strdup (_("No samples in this range."));

  return g_strdup (_("No samples: the hook was not hit while it was armed, or all samples were lost."));
}

static char *
join_sentences (const char *a, const char *b)
{
  if (a == NULL || b == NULL)
    return g_strdup (a != NULL ? a : b);

  return g_strconcat (a, ". ", b, NULL);
}

/* ---- figure of one histogram ---- */

static GilkHistogramAsk
make_histogram_ask (const GilkFigureAsk *ask, const GilkFigurePart *part)
{
  return (GilkHistogramAsk) {
    .of = gilk_figure_part_ask (part, ask), .scale = 1.0, .low = ask->low, .high = ask->high,
    .bins = ask->bins, .log = ask->log_x,
  };
}

/* Puts histogram @h into @figure, which takes ownership. @cut: number of samples outside the
 * selected range */
static void
show_histogram (GilkFigure *figure, const GilkFigureAsk *ask, const GilkFigurePart *part, GilkHistogram *h, uint64_t cut)
{
  figure->histogram = h;
  figure->y.scale = ask->log_y ? GILK_SCALE_LOG : GILK_SCALE_WHOLE;
  gilk_figure_count (figure, part, h->n, cut);
  figure->caption = gilk_figure_loss (figure, GILK_LOSS_OF_SHARES);
  if (h->n == 0)
    figure->message = gilk_figure_empty_reason (ask);
  else
    {
      figure->x.from = h->edges[0];
      figure->x.to = h->edges[h->n_bins];
    }

  if (h->n == 0)
    gilk_figure_note_ignored (figure, h->ignored);
}

static gboolean
make_histogram (GilkFigure *figure, const GilkFigureAsk *ask, const GilkFigurePart *part, GError **error)
{
  const GilkHistogramAsk what = make_histogram_ask (ask, part);
  uint64_t cut = 0;
  GilkHistogram *h = gilk_hook_histogram (part->source->store, part->source->hook, &what, &cut, error);

  if (h == NULL)
    return FALSE;
  show_histogram (figure, ask, part, h, cut);

  return TRUE;
}

/* Makes two histograms in one pass over the samples: one with a linear x axis, one with a
 * logarithmic x axis. */
static gboolean
make_both_scales (GilkFigure *figure, const GilkFigureAsk *ask, const GilkFigurePart *part, GError **error)
{
  const GilkHistogramAsk what = make_histogram_ask (ask, part);
  GilkFigureAsk turned = *ask;
  GilkHistogram *axes[2];
  uint64_t cut;

  if (!gilk_hook_histograms (part->source->store, part->source->hook, &what, &axes[FALSE], &axes[TRUE], &cut, error))
    return FALSE;
  show_histogram (figure, ask, part, axes[ask->log_x], cut);
  turned.log_x = !ask->log_x;
  figure->other = gilk_figure_new (ask->kind);
  label_values (figure->other, &turned, part);
  show_histogram (figure->other, &turned, part, axes[turned.log_x], cut);

  return TRUE;
}

gboolean
gilk_figure_make_histogram_preview (GilkFigure           *figure,
                                    const GilkFigureAsk  *ask,
                                    const GilkFigurePart *part,
                                    GError              **error)
{
  const GilkHistogramAsk what = make_histogram_ask (ask, part);
  g_autofree char *words = NULL, *loss = NULL;
  GilkHistogramPreview preview;
  GilkHistogram *h = gilk_hook_histogram_preview (part->source->store, part->source->hook, &what, &preview, error);

  if (h == NULL)
    return FALSE;
  label_values (figure, ask, part);
  show_histogram (figure, ask, part, h, 0);
  if (preview.exact)
    return TRUE;
  figure->is_preview = TRUE;
  words = preview.read == 0 ? g_strdup (_("Values are accurate to 0.1 %% until all samples are read"))
                          : g_strdup_printf (_("Preview from 1 in %.0f samples, until all samples are read"),
                                             rint ((double) part->source->hook->stored / (double) preview.read));
  loss = figure->caption;
  figure->caption = join_sentences (words, loss);

  return TRUE;
}

/* ---- figure of overlaid histograms ---- */

static GilkHeat *
count_values (const GilkFigurePart *part, const GilkFigureAsk *ask, uint64_t *cut, GError **error)
{
  g_autoptr(GilkHookStream) stream = gilk_figure_part_stream (part, ask, FALSE, error);
  g_autoptr(GilkHeat) grid = gilk_heat_new (1, OVERLAY_ROWS, 0.0, 1.0, choose_scale (ask, part));
  GError *local = NULL;
  GilkHookBlock block;

  if (stream == NULL)
    return NULL;
  while (gilk_hook_stream_next (stream, &block, &local))
    gilk_heat_add (grid, block.times, block.values,
                   gilk_figure_filter_range (ask, block.times, block.values, block.n));
  *cut = gilk_hook_stream_cut (stream);
  if (!gilk_check_end (&local, error))
    return NULL;

  return g_steal_pointer (&grid);
}

/* Returns the exponent of the power of two nearest to the Freedman-Diaconis bin width, which is in
 * units of the values or, on a logarithmic scale, of their log2. */
static int
choose_exponent (const GilkHeat *grid)
{
  double low = gilk_heat_quantile (grid, 0.25), high = gilk_heat_quantile (grid, 0.75), width;

  if (grid->scale == GILK_SCALE_LOG)
    width = 2.0 * log2 (high / low) / cbrt ((double) grid->n);
  else
    width = 2.0 * (high - low) / cbrt ((double) grid->n);

  return width > 0.0 && isfinite (width) ? (int) rint (log2 (width)) : grid->exponent;
}

/* Gives all grids rows of equal height: the best height for the grid with the most samples, within
 * the limit on bins. */
static void
align_rows (GilkHeat *const *grids, guint n, guint bins)
{
  const GilkHeat *most = NULL;
  int exponent = G_MININT;

  for (guint i = 0; i < n; i++)
    if (grids[i]->n > 0 && (most == NULL || grids[i]->n > most->n))
      most = grids[i];
  if (most == NULL)
    return;
  if (bins == 0)
    exponent = choose_exponent (most);
  if (most->n >= MANY_SAMPLES)
    exponent = MIN (exponent, most->exponent + (int) floor (log2 (MAX (1.0, (double) most->rows / MANY_BINS))));
  for (guint i = 0; i < n; i++)
    if (grids[i]->n > 0)
      {
        gilk_heat_widen_single_value (grids[i]);
        gilk_heat_limit (grids[i], bins > 0 ? bins : OVERLAY_BINS);
        exponent = MAX (exponent, grids[i]->exponent);
      }
  for (guint i = 0; i < n; i++)
    gilk_heat_coarsen (grids[i], exponent);
}

static void
add_steps (GilkFigure *figure, const GilkHeat *grid, const char *name, gboolean log_y)
{
  GilkCurve *curve = gilk_figure_add_curve (figure, GILK_CURVE_STEPS, name, grid->rows);

  for (guint r = 0; r < grid->rows; r++)
    {
      uint64_t here = gilk_heat_row (grid, r);

      curve->x[r] = gilk_heat_edge (grid, r);
      curve->y[r] = log_y && here == 0 ? NAN : 100.0 * (double) here / (double) grid->n;
      if (here > 0)
        {
          figure->y.to = fmax (figure->y.to, curve->y[r]);
          figure->y.from = fmin (figure->y.from, curve->y[r]);
        }
    }
  curve->x[grid->rows] = gilk_heat_edge (grid, grid->rows);
  if (grid->rows == 0)
    return;
  figure->x.from = fmin (figure->x.from, curve->x[0]);
  figure->x.to = fmax (figure->x.to, curve->x[grid->rows]);
}

static gboolean
make_overlay (GilkFigure *figure, const GilkFigureAsk *ask, const GilkFigurePart *parts, guint n,
              GError **error)
{
  GilkHeat *grids[GILK_FIGURE_CURVES_MAX] = { NULL };
  uint64_t cut[GILK_FIGURE_CURVES_MAX] = { 0 }, ignored = 0;
  g_autofree char *words = NULL;
  gboolean good = TRUE;

  for (guint i = 0; good && i < n; i++)
    {
      grids[i] = count_values (&parts[i], ask, &cut[i], error);
      good = grids[i] != NULL;
    }
  if (good)
    align_rows (grids, n, ask->bins);
  figure->x.from = figure->y.from = INFINITY;
  figure->x.to = figure->y.to = -INFINITY;
  for (guint i = 0; good && i < n; i++)
    {
      add_steps (figure, grids[i], parts[i].source->name, ask->log_y);
      gilk_figure_count (figure, &parts[i], grids[i]->n, cut[i]);
      ignored += grids[i]->ignored;
    }
  for (guint i = 0; i < n; i++)
    gilk_heat_free (grids[i]);
  if (!good)
    return FALSE;

  figure->y.label = g_strdup (_("share of samples per bin"));
  figure->y.unit = g_strdup ("%");
  figure->y.scale = ask->log_y ? GILK_SCALE_LOG : GILK_SCALE_LINEAR;
  if (ask->log_y)
    figure->y.from /= 1.5;
  else
    figure->y.from = 0.0;
  figure->y.to *= ask->log_y ? 1.5 : 1.06;
  words = gilk_figure_loss (figure, GILK_LOSS_OF_SHARES);
  figure->caption = join_sentences (_("Share of each hook's own samples; all hooks have the same "
                                      "bins"), words);
  if (figure->samples == 0)
    figure->message = gilk_figure_empty_reason (ask);
  gilk_figure_note_ignored (figure, ignored);

  return TRUE;
}

gboolean
gilk_figure_make_histogram (GilkFigure           *figure,
                            const GilkFigureAsk  *ask,
                            const GilkFigurePart *parts,
                            guint                 n,
                            GError              **error)
{
  label_values (figure, ask, parts);
  if (n > 1)
    return make_overlay (figure, ask, parts, n, error);

  return ask->both ? make_both_scales (figure, ask, parts, error) : make_histogram (figure, ask, parts, error);
}

/* ---- figure of an ECDF ---- */

/* Makes an ECDF of all values in the selected time. Uses the stored sketches (summaries of the
 * distribution of each chunk of samples), and reads no samples. Returns NULL without an error if
 * the sketches cannot be used. */
static GilkEcdf *
make_sketched_ecdf (const GilkFigurePart *part, const GilkFigureAsk *ask, GError **error)
{
  const GilkHookAsk of = gilk_figure_part_ask (part, ask);
  g_autoptr(GilkSketch) sketch = NULL;

  if (!isnan (ask->low) || !isnan (ask->high))
    return NULL;
  sketch = gilk_hook_sketch (part->source->store, part->source->hook, &of, error);

  return sketch != NULL ? gilk_ecdf_of_sketch (sketch, ask->log_x) : NULL;
}

static GilkEcdf *
make_ecdf (const GilkFigurePart *part, const GilkFigureAsk *ask, uint64_t *cut, GError **error)
{
  g_autoptr(GilkHookStream) stream = NULL;
  g_autoptr(GilkEcdfMaker) maker = gilk_ecdf_maker_new (choose_scale (ask, part));
  GError *local = NULL;
  GilkEcdf *sketched = make_sketched_ecdf (part, ask, &local);
  GilkHookBlock block;

  if (local != NULL)
    g_propagate_error (error, local);
  if (local != NULL || sketched != NULL)
    return sketched;
  stream = gilk_figure_part_stream (part, ask, FALSE, error);
  if (stream == NULL)
    return NULL;
  while (gilk_hook_stream_next (stream, &block, &local))
    gilk_ecdf_maker_add (maker, block.values,
                         gilk_figure_filter_range (ask, block.times, block.values, block.n));
  *cut = gilk_hook_stream_cut (stream);
  if (!gilk_check_end (&local, error))
    return NULL;

  return gilk_ecdf_maker_end (maker);
}

/* Draws the share of numbers up to each value; with @log_y, draws the share above each value, to
 * show the tail. */
static void
add_stair (GilkFigure *figure, const GilkEcdf *ecdf, const char *name, gboolean log_y)
{
  GilkCurve *curve = gilk_figure_add_curve (figure, GILK_CURVE_STAIR, name, ecdf->n);

  for (guint i = 0; i < ecdf->n; i++)
    {
      curve->x[i] = ecdf->x[i];
      curve->y[i] = log_y ? 100.0 * (1.0 - ecdf->share[i]) : 100.0 * ecdf->share[i];
      if (log_y && !(curve->y[i] > 1e-9))
        curve->y[i] = NAN;
      else if (log_y)
        figure->y.from = fmin (figure->y.from, curve->y[i]);
    }
  if (ecdf->n == 0)
    return;
  figure->x.from = fmin (figure->x.from, ecdf->x[0]);
  figure->x.to = fmax (figure->x.to, ecdf->x[ecdf->n - 1]);
}

/* Widens the axis around a single value, so that the value is in the middle. */
static void
widen_axis (GilkFigureAxis *axis)
{
  double room;

  if (axis->to > axis->from)
    return;
  if (axis->scale == GILK_SCALE_LOG)
    {
      axis->from /= 2.0;
      axis->to *= 2.0;
      return;
    }
  room = axis->from != 0.0 ? 0.5 * fabs (axis->from) : 1.0;
  axis->from -= room;
  axis->to += room;
}

gboolean
gilk_figure_make_ecdf (GilkFigure           *figure,
                       const GilkFigureAsk  *ask,
                       const GilkFigurePart *parts,
                       guint                 n,
                       GError              **error)
{
  g_autofree char *words = NULL, *method = NULL;
  uint64_t ignored = 0;
  double step = 0.0;

  label_values (figure, ask, parts);
  figure->x.from = INFINITY;
  figure->x.to = -INFINITY;
  figure->y.from = ask->log_y ? 100.0 : 0.0;
  figure->y.to = ask->log_y ? 100.0 : 103.0;
  figure->y.label = g_strdup (ask->log_y ? _("share of samples above") : _("cumulative share of samples"));
  figure->y.unit = g_strdup ("%");
  figure->y.scale = ask->log_y ? GILK_SCALE_LOG : GILK_SCALE_LINEAR;
  figure->share_band = TRUE;
  for (guint i = 0; i < n; i++)
    {
      uint64_t cut = 0;
      g_autoptr(GilkEcdf) ecdf = make_ecdf (&parts[i], ask, &cut, error);

      if (ecdf == NULL)
        return FALSE;
      add_stair (figure, ecdf, parts[i].source->name, ask->log_y);
      gilk_figure_count (figure, &parts[i], ecdf->samples, cut);
      ignored += ecdf->ignored;
      step = MAX (step, ecdf->step);
    }
  if (figure->samples == 0)
    {
      figure->message = gilk_figure_empty_reason (ask);
      gilk_figure_note_ignored (figure, ignored);
      return TRUE;
    }
  widen_axis (&figure->x);
  if (ask->log_y)
    figure->y.from /= 1.5;
  if (step > 0.0)
    method = g_strdup_printf (_("The curve is exact at each step; at most %.2g %% of samples lie between two steps"),
                              100.0 * step);
  words = gilk_figure_loss (figure, GILK_LOSS_OF_SHARES);
  figure->caption = join_sentences (method, words);
  gilk_figure_note_ignored (figure, ignored);

  return TRUE;
}

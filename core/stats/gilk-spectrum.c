/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-spectrum.c - computes spectra of evenly and unevenly spaced values with FFTW
 */
#include "core/stats/gilk-spectrum.h"

#include <fftw3.h>
#include <gio/gio.h>
#include <math.h>
#include <string.h>

#include "core/base/gilk-memory.h"

/* Serialises calls of FFTW's planner, which is not thread-safe. */
static GMutex planner;

void
gilk_spectrum_free (GilkSpectrum *spectrum)
{
  if (spectrum == NULL)
    return;
  gilk_free_all (spectrum->hz, spectrum->power, spectrum);
}

static GilkSpectrum *
spectrum_new (guint n)
{
  GilkSpectrum *spectrum = g_new0 (GilkSpectrum, 1);

  spectrum->n = n;
  spectrum->hz = g_new0 (double, n);
  spectrum->power = g_new0 (double, n);

  return spectrum;
}

/* ---- Welch's method, for evenly spaced values ---- */

typedef struct {
  gsize         n;
  double       *weights, *in;
  fftw_complex *out;
  fftw_plan     plan;
} Transform;

/* Returns weight @i of the window, in the periodic form that spectra need. */
static double
get_window_weight (GilkWindowFunction window, gsize i, gsize n)
{
  double x = 2.0 * G_PI * (double) i / (double) n;

  switch (window)
    {
    case GILK_WINDOW_FUNCTION_HANN:
      return 0.5 - 0.5 * cos (x);
    case GILK_WINDOW_FUNCTION_HAMMING:
      return 0.54 - 0.46 * cos (x);
    case GILK_WINDOW_FUNCTION_BLACKMAN:
      return 0.42 - 0.5 * cos (x) + 0.08 * cos (2.0 * x);
    default:
      return 1.0;
    }
}

static void
transform_init (Transform *t, gsize n)
{
  t->n = n;
  t->weights = g_new (double, n);
  t->in = fftw_alloc_real (n);
  t->out = fftw_alloc_complex (n / 2 + 1);
  g_mutex_lock (&planner);
  t->plan = fftw_plan_dft_r2c_1d ((int) n, t->in, t->out, FFTW_ESTIMATE);
  g_mutex_unlock (&planner);
}

static void
transform_clear (Transform *t)
{
  g_mutex_lock (&planner);
  fftw_destroy_plan (t->plan);
  g_mutex_unlock (&planner);
  fftw_free (t->in);
  fftw_free (t->out);
  g_free (t->weights);
}

/* Computes the transform of a windowed segment. Returns FALSE if the segment has a gap. */
static gboolean
transform_segment (Transform *t, const double *values)
{
  double mean = 0.0;

  for (gsize i = 0; i < t->n; i++)
    mean += values[i] / (double) t->n;
  if (!isfinite (mean))
    return FALSE;
  for (gsize i = 0; i < t->n; i++)
    t->in[i] = (values[i] - mean) * t->weights[i];
  fftw_execute (t->plan);

  return TRUE;
}

static double
get_power (const Transform *t, gsize k)
{
  return t->out[k][0] * t->out[k][0] + t->out[k][1] * t->out[k][1];
}

/*
 * Returns the share of the power that each segment has; 0 for a segment with a gap. The shares are
 * computed for each frequency and then averaged, so that all frequencies have the same weight,
 * whatever their power.
 */
static double *
compute_segment_shares (Transform *t, const double *values, gsize n_segments, const double *sums)
{
  double *shares = g_new0 (double, n_segments);

  for (gsize s = 0; s < n_segments; s++)
    if (transform_segment (t, values + s * (t->n - t->n / 2)))
      for (gsize k = 1; k < (t->n + 1) / 2; k++)
        shares[s] += sums[k] > 0.0 ? get_power (t, k) / sums[k] / (double) ((t->n - 1) / 2) : 0.0;

  return shares;
}

/*
 * Computes n_effective and bins_per_independent. For white noise, the correlation of two powers is
 * the square of the correlation of the two amplitudes. This applies to adjacent segments, and to
 * two frequencies of one segment.
 */
static void
count_independent (GilkSpectrum *spectrum, const Transform *t, const double *shares, gsize n_segments)
{
  gsize step = t->n - t->n / 2;
  double squares = 0.0, fourths = 0.0, overlap = 0.0, variance = 0.0;

  for (gsize i = 0; i < t->n; i++)
    {
      double square = t->weights[i] * t->weights[i];

      squares += square;
      fourths += square * square;
      overlap += i + step < t->n ? t->weights[i] * t->weights[i + step] : 0.0;
    }
  overlap *= overlap / (squares * squares);
  for (gsize s = 0; s < n_segments; s++)
    variance += shares[s] * (shares[s] + (s + 1 < n_segments ? 2.0 * overlap * shares[s + 1] : 0.0));
  spectrum->n_effective = variance > 0.0 ? 1.0 / variance : spectrum->segments;
  spectrum->bins_per_independent = (double) t->n * fourths / (squares * squares);
}

static void
add_segments (GilkSpectrum *spectrum, Transform *t, const double *values, gsize n_segments)
{
  g_autofree double *shares = NULL;

  for (gsize s = 0; s < n_segments; s++)
    if (transform_segment (t, values + s * (t->n - t->n / 2)))
      {
        spectrum->segments++;
        for (gsize k = 0; k <= t->n / 2; k++)
          spectrum->power[k] += get_power (t, k);
      }
    else
      spectrum->broken++;
  shares = compute_segment_shares (t, values, n_segments, spectrum->power);
  count_independent (spectrum, t, shares, n_segments);
}

GilkSpectrum *
gilk_spectrum_welch (const double *values,
                     gsize         n,
                     double        rate,
                     gsize         segment,
                     GilkWindowFunction    window)
{
  g_autoptr(GilkSpectrum) spectrum = NULL;
  double squares = 0.0;
  Transform t;

  g_assert (segment >= 8 && segment <= G_MAXINT && rate > 0.0);
  spectrum = spectrum_new ((guint) (segment / 2 + 1));
  transform_init (&t, segment);
  for (gsize i = 0; i < segment; i++)
    {
      t.weights[i] = get_window_weight (window, i, segment);
      squares += t.weights[i] * t.weights[i];
    }
  add_segments (spectrum, &t, values, n < segment ? 0 : (n - segment) / (segment - segment / 2) + 1);
  transform_clear (&t);
  if (spectrum->segments == 0)
    return NULL;

  for (guint k = 0; k < spectrum->n; k++)
    {
      gboolean one = k == 0 || (segment % 2 == 0 && k == spectrum->n - 1);

      spectrum->hz[k] = k * rate / (double) segment;
      spectrum->power[k] *= (one ? 1.0 : 2.0) / (rate * squares * spectrum->segments);
    }

  return g_steal_pointer (&spectrum);
}

/* ---- computes sums of waves at uneven times ---- */

/*
 * Sums over j of w_j exp (-2 pi i f_k t_j) at evenly spaced frequencies f_k, after Dutt and Rokhlin
 * (1993) and Greengard and Lee (2004): each w_j is spread by a Gaussian over its neighbours in an
 * even grid, which is transformed; a division by the transform of the Gaussian undoes the
 * spreading. The grid has twice as many cells as there are frequencies, and the Gaussian is cut off
 * REACH cells away: both cause an error of about exp (-2 pi REACH / 3), 2e-14.
 */
#define REACH 15
#define WIDTH (4.0 * REACH / (3.0 * G_PI))    /* width of the Gaussian, in cells */
#define BATCH 4096                            /* number of values between two checks of the
                                               * cancellable */

typedef struct {
  double first, step;         /* Hz */
  guint  n;
} Frequencies;

typedef struct {
  gsize         size;         /* number of cells of the grid, a power of two */
  fftw_complex *margin;       /* REACH more cells at either end, which wrap around */
  fftw_complex *cells;
  fftw_plan     plan;
  double        curve[REACH + 1];
} Grid;

static void
grid_init (Grid *grid, guint n)
{
  grid->size = 4 * REACH;
  while (grid->size < 2 * (gsize) n)
    grid->size *= 2;
  g_assert (grid->size <= G_MAXINT);
  grid->margin = fftw_alloc_complex (grid->size + 2 * REACH);
  grid->cells = grid->margin + REACH;
  for (guint l = 0; l <= REACH; l++)
    grid->curve[l] = exp (-(double) (l * l) / WIDTH);
  g_mutex_lock (&planner);
  grid->plan = fftw_plan_dft_1d ((int) grid->size, grid->cells, grid->cells, FFTW_FORWARD, FFTW_ESTIMATE);
  g_mutex_unlock (&planner);
}

static void
grid_clear (Grid *grid)
{
  g_mutex_lock (&planner);
  fftw_destroy_plan (grid->plan);
  g_mutex_unlock (&planner);
  fftw_free (grid->margin);
}

/* Returns the phase of a wave at time @t in turns, from -1/2 to 1/2: the fractional part of @hz
 * times @t, corrected for the rounding error of the product. */
static inline double
get_phase_turns (double hz, double t)
{
  double turns = hz * t;

  return turns - rint (turns) + fma (hz, t, -turns);
}

/* Adds a Gaussian at @x, in cells, to the grid. @x is d cells above a whole cell. At l cells above
 * that cell, the Gaussian is exp (-d^2 / W) exp (2 d l / W) exp (-l^2 / W), where W is WIDTH. */
static inline void
spread_value (Grid *grid, double x, double re, double im)
{
  double cell = floor (x), d = x - cell, height = exp (-d * d / WIDTH), ratio = exp (2.0 * d / WIDTH);
  double up = height, down = height / ratio, curve[2 * REACH];
  fftw_complex *at = grid->cells + (gssize) cell - REACH + 1;

  for (guint l = 0; l < REACH; l++)
    {
      curve[REACH - 1 + l] = up * grid->curve[l];
      up *= ratio;
    }
  curve[2 * REACH - 1] = up * grid->curve[REACH];
  for (guint l = 1; l < REACH; l++)
    {
      curve[REACH - 1 - l] = down * grid->curve[l];
      down /= ratio;
    }
  for (guint i = 0; i < 2 * REACH; i++)
    {
      at[i][0] += re * curve[i];
      at[i][1] += im * curve[i];
    }
}

/* Spreads all values over the empty grid. If @values is NULL, all values are 1. Returns FALSE if
 * cancelled. */
static gboolean
spread_values (Grid *grid, const double *times, const double *values, double mean, gsize n, const Frequencies *at,
               GCancellable *cancellable)
{
  double middle = at->first + at->n / 2 * at->step;

  memset (grid->margin, 0, (grid->size + 2 * REACH) * sizeof *grid->margin);
  for (gsize i = 0; i < n; i++)
    {
      double t = times[i] - times[0], angle = 2.0 * G_PI * get_phase_turns (middle, t), turn = get_phase_turns (at->step, t);
      double value = values != NULL ? values[i] - mean : 1.0, x = (turn < 0.0 ? turn + 1.0 : turn) * (double) grid->size;

      if (i % BATCH == 0 && g_cancellable_is_cancelled (cancellable))
        return FALSE;
      spread_value (grid, x < (double) grid->size ? x : 0.0, value * cos (angle), -value * sin (angle));
    }
  for (guint i = 0; i < REACH; i++)
    for (guint part = 0; part < 2; part++)
      {
        grid->cells[grid->size - REACH + i][part] += grid->margin[i][part];
        grid->cells[i][part] += grid->cells[grid->size + i][part];
      }

  return TRUE;
}

/* Computes the sum at each frequency. @sums: (out): sums of cosines, and of sines with inverted
 * sign */
static gboolean
sum_waves (Grid *grid, const double *times, const double *values, double mean, gsize n, const Frequencies *at,
           fftw_complex *sums, GCancellable *cancellable)
{
  if (!spread_values (grid, times, values, mean, n, at, cancellable))
    return FALSE;
  fftw_execute (grid->plan);
  for (guint k = 0; k < at->n; k++)
    {
      gssize wave = (gssize) k - at->n / 2;
      const double *found = grid->cells[wave < 0 ? wave + (gssize) grid->size : wave];
      double x = G_PI * (double) wave / (double) grid->size, curve = sqrt (G_PI * WIDTH) * exp (-WIDTH * x * x);

      sums[k][0] = found[0] / curve;
      sums[k][1] = -found[1] / curve;
    }

  return !g_cancellable_is_cancelled (cancellable);
}

/* ---- Lomb's periodogram, for unevenly spaced values ---- */

/* The power has two terms, each divided by a sum of squares. The term with the smaller sum is left
 * out if that sum is below this share of both sums together. */
#define LEAST 1e-6

/*
 * Returns the power at a frequency. @of: sums of values times cosine and times sine; @twice: sums
 * of cosine and of sine at double the frequency. The axes are rotated so that the sum of cosine
 * times sine is zero; then the sums of their squares are half of n + |twice| and half of n -
 * |twice|.
 */
static double
compute_power (const double *of, const double *twice, double n)
{
  double length = hypot (twice[0], twice[1]), tau = 0.5 * atan2 (twice[1], twice[0]), c = cos (tau), s = sin (tau);
  double a = c * of[0] + s * of[1], b = c * of[1] - s * of[0];
  double aa = 0.5 * (n + length), bb = 0.5 * (n - length);

  return 0.5 * (a * a / aa + (bb > LEAST * n ? b * b / bb : 0.0));
}

GilkSpectrum *
gilk_spectrum_lomb (const double *times,
                    const double *values,
                    gsize         n,
                    double        first,
                    double        step,
                    guint         n_hz,
                    GCancellable *cancellable)
{
  const Frequencies at = { first, step, n_hz }, twice = { 2.0 * first, 2.0 * step, n_hz };
  g_autoptr(GilkSpectrum) spectrum = spectrum_new (n_hz);
  fftw_complex *of, *of_twice;
  double mean = 0.0;
  gboolean whole;
  Grid grid;

  g_assert (n > 0 && n_hz > 0);
  spectrum->n_effective = spectrum->bins_per_independent = 1.0;
  for (gsize i = 0; i < n; i++)
    mean += values[i] / (double) n;
  grid_init (&grid, n_hz);
  of = fftw_alloc_complex (n_hz);
  of_twice = fftw_alloc_complex (n_hz);
  whole = sum_waves (&grid, times, values, mean, n, &at, of, cancellable) &&
          sum_waves (&grid, times, NULL, 0.0, n, &twice, of_twice, cancellable);
  for (guint k = 0; whole && k < n_hz; k++)
    {
      spectrum->hz[k] = first + k * step;
      spectrum->power[k] = compute_power (of[k], of_twice[k], (double) n);
    }
  fftw_free (of);
  fftw_free (of_twice);
  grid_clear (&grid);

  return whole ? g_steal_pointer (&spectrum) : NULL;
}

/* ---- autocorrelation ---- */

/* Computes the autocorrelation as the transform of the power spectrum (Wiener-Khinchin theorem).
 * Pads the series so that its end does not wrap around to its start. */
double *
gilk_autocorrelation (const double *values,
                      gsize         n,
                      gsize         lags)
{
  double *r = g_new0 (double, lags + 1), mean = 0.0;
  fftw_complex *middle;
  fftw_plan forth, back;
  double *padded;
  gsize size = 1;

  while (size < 2 * MAX (n, 1))
    size *= 2;
  padded = fftw_alloc_real (size);
  middle = fftw_alloc_complex (size / 2 + 1);
  g_mutex_lock (&planner);
  forth = fftw_plan_dft_r2c_1d ((int) size, padded, middle, FFTW_ESTIMATE);
  back = fftw_plan_dft_c2r_1d ((int) size, middle, padded, FFTW_ESTIMATE);
  g_mutex_unlock (&planner);

  for (gsize i = 0; i < n; i++)
    mean += values[i] / (double) n;
  for (gsize i = 0; i < size; i++)
    padded[i] = i < n ? values[i] - mean : 0.0;
  fftw_execute (forth);
  for (gsize k = 0; k <= size / 2; k++)
    {
      middle[k][0] = middle[k][0] * middle[k][0] + middle[k][1] * middle[k][1];
      middle[k][1] = 0.0;
    }
  fftw_execute (back);
  for (gsize lag = 0; lag <= lags; lag++)
    r[lag] = lag < n && padded[0] > 0.0 ? padded[lag] / padded[0] : padded[0] > 0.0 ? 0.0 : NAN;

  g_mutex_lock (&planner);
  fftw_destroy_plan (forth);
  fftw_destroy_plan (back);
  g_mutex_unlock (&planner);
  fftw_free (padded);
  fftw_free (middle);

  return r;
}

/* ---- cross-correlation ---- */

typedef struct {
  gsize         size;
  double       *values;
  fftw_complex *waves;
} Padded;

static void
padded_init (Padded *padded, const double *values, gsize n, gsize size)
{
  fftw_plan forth;

  padded->size = size;
  padded->values = fftw_alloc_real (size);
  padded->waves = fftw_alloc_complex (size / 2 + 1);
  g_mutex_lock (&planner);
  forth = fftw_plan_dft_r2c_1d ((int) size, padded->values, padded->waves, FFTW_ESTIMATE);
  g_mutex_unlock (&planner);
  for (gsize i = 0; i < size; i++)
    padded->values[i] = i < n ? values[i] : 0.0;
  fftw_execute (forth);
  g_mutex_lock (&planner);
  fftw_destroy_plan (forth);
  g_mutex_unlock (&planner);
}

static void
padded_clear (Padded *padded)
{
  fftw_free (padded->values);
  fftw_free (padded->waves);
}

/* Replaces @one by the inverse transform of the product of @one and the conjugate of @other. */
static void
correlate_transforms (Padded *one, const Padded *other)
{
  fftw_plan back;

  for (gsize k = 0; k <= one->size / 2; k++)
    {
      const double *x = one->waves[k], *y = other->waves[k];
      double re = x[0] * y[0] + x[1] * y[1], im = x[1] * y[0] - x[0] * y[1];

      one->waves[k][0] = re / (double) one->size;
      one->waves[k][1] = im / (double) one->size;
    }
  g_mutex_lock (&planner);
  back = fftw_plan_dft_c2r_1d ((int) one->size, one->waves, one->values, FFTW_ESTIMATE);
  g_mutex_unlock (&planner);
  fftw_execute (back);
  g_mutex_lock (&planner);
  fftw_destroy_plan (back);
  g_mutex_unlock (&planner);
}

double *
gilk_cross_correlation (const double *a,
                        gsize         n_a,
                        const double *b,
                        gsize         n_b)
{
  double *sums = g_new (double, n_a + n_b - 1);
  Padded first, second;
  gsize size = 2;

  while (size < n_a + n_b)
    size *= 2;
  g_assert (size <= G_MAXINT);
  padded_init (&first, a, n_a, size);
  padded_init (&second, b, n_b, size);
  correlate_transforms (&second, &first);
  for (gsize i = 0; i < n_a + n_b - 1; i++)
    sums[i] = second.values[(i + size - (n_a - 1)) % size];
  padded_clear (&first);
  padded_clear (&second);

  return sums;
}

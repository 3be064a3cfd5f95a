/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-spectrum.c - spectra by FFTW, and Lomb's by sums
 */
#include "core/analysis/gilk-spectrum.h"

#include <fftw3.h>
#include <math.h>
#include <string.h>

/* FFTW makes and destroys plans in one thread at a time. */
static GMutex planner;

void
gilk_spectrum_free (GilkSpectrum *spectrum)
{
  if (spectrum == NULL)
    return;
  g_free (spectrum->hz);
  g_free (spectrum->power);
  g_free (spectrum);
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

/* ---- Welch ---- */

typedef struct {
  gsize         n;
  double       *weights, *in;
  fftw_complex *out;
  fftw_plan     plan;
} Transform;

/* Periodic windows, as they are for spectra. */
static double
weight (GilkWindow window, gsize i, gsize n)
{
  double x = 2.0 * G_PI * (double) i / (double) n;

  switch (window)
    {
    case GILK_WINDOW_HANN:
      return 0.5 - 0.5 * cos (x);
    case GILK_WINDOW_HAMMING:
      return 0.54 - 0.46 * cos (x);
    case GILK_WINDOW_BLACKMAN:
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

/* Adds a segment's periodogram; FALSE: something is missing in it. */
static gboolean
add_segment (Transform *t, const double *values, double *power)
{
  double mean = 0.0;

  for (gsize i = 0; i < t->n; i++)
    mean += values[i] / (double) t->n;
  if (!isfinite (mean))
    return FALSE;
  for (gsize i = 0; i < t->n; i++)
    t->in[i] = (values[i] - mean) * t->weights[i];
  fftw_execute (t->plan);
  for (gsize k = 0; k <= t->n / 2; k++)
    power[k] += t->out[k][0] * t->out[k][0] + t->out[k][1] * t->out[k][1];

  return TRUE;
}

GilkSpectrum *
gilk_spectrum_welch (const double *values,
                     gsize         n,
                     double        rate,
                     gsize         segment,
                     GilkWindow    window)
{
  g_autoptr(GilkSpectrum) spectrum = NULL;
  double squares = 0.0;
  Transform t;

  g_assert (segment >= 8 && segment <= G_MAXINT && rate > 0.0);
  spectrum = spectrum_new ((guint) (segment / 2 + 1));
  transform_init (&t, segment);
  for (gsize i = 0; i < segment; i++)
    {
      t.weights[i] = weight (window, i, segment);
      squares += t.weights[i] * t.weights[i];
    }
  for (gsize at = 0; at + segment <= n; at += segment - segment / 2)
    if (add_segment (&t, values + at, spectrum->power))
      spectrum->segments++;
    else
      spectrum->broken++;
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

/* ---- Lomb ---- */

/* Sums over all values at one frequency, of which each turns its pair by its own step to the next. */
typedef struct {
  double c, s, step_c, step_s;
} Turn;

static double
power_at (const Turn *turns, const double *values, double mean, gsize n)
{
  double xc = 0.0, xs = 0.0, cc = 0.0, ss = 0.0, cs = 0.0, tau, c, s;
  double a, b, aa, bb;

  for (gsize i = 0; i < n; i++)
    {
      double x = values[i] - mean;

      xc += x * turns[i].c;
      xs += x * turns[i].s;
      cc += turns[i].c * turns[i].c;
      ss += turns[i].s * turns[i].s;
      cs += turns[i].c * turns[i].s;
    }
  tau = 0.5 * atan2 (2.0 * cs, cc - ss);
  c = cos (tau);
  s = sin (tau);
  a = c * xc + s * xs;
  b = c * xs - s * xc;
  aa = c * c * cc + 2.0 * c * s * cs + s * s * ss;
  bb = c * c * ss - 2.0 * c * s * cs + s * s * cc;

  return 0.5 * ((aa > 0.0 ? a * a / aa : 0.0) + (bb > 0.0 ? b * b / bb : 0.0));
}

/* Steps add up errors: each so often they start anew. */
#define FRESH_EACH 64

static void
set_turns (Turn *turns, const double *times, double first, gsize n, double hz, double step)
{
  for (gsize i = 0; i < n; i++)
    {
      double t = 2.0 * G_PI * (times[i] - first);

      turns[i] = (Turn) { cos (t * hz), sin (t * hz), cos (t * step), sin (t * step) };
    }
}

static void
step_turns (Turn *turns, gsize n)
{
  for (gsize i = 0; i < n; i++)
    {
      double c = turns[i].c * turns[i].step_c - turns[i].s * turns[i].step_s;

      turns[i].s = turns[i].s * turns[i].step_c + turns[i].c * turns[i].step_s;
      turns[i].c = c;
    }
}

GilkSpectrum *
gilk_spectrum_lomb (const double *times,
                    const double *values,
                    gsize         n,
                    const double *hz,
                    guint         n_hz,
                    GCancellable *cancellable)
{
  g_autoptr(GilkSpectrum) spectrum = spectrum_new (n_hz);
  g_autofree Turn *turns = g_new (Turn, n);
  double mean = 0.0;

  for (gsize i = 0; i < n; i++)
    mean += values[i] / (double) n;
  memcpy (spectrum->hz, hz, n_hz * sizeof *hz);
  for (guint k = 0; k < n_hz; k++)
    {
      if (g_cancellable_is_cancelled (cancellable))
        return NULL;
      if (k % FRESH_EACH == 0)
        set_turns (turns, times, n > 0 ? times[0] : 0.0, n, hz[k], k + 1 < n_hz ? hz[k + 1] - hz[k] : 0.0);
      else
        step_turns (turns, n);
      spectrum->power[k] = power_at (turns, values, mean, n);
    }

  return g_steal_pointer (&spectrum);
}

/* ---- autocorrelation ---- */

/* By the theorem of Wiener and Khinchin; padded, so that the end does not meet the beginning. */
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

/* @one becomes the wave of its product with the conjugate of @other, and then that as values. */
static void
multiply_back (Padded *one, const Padded *other)
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
  multiply_back (&second, &first);
  for (gsize i = 0; i < n_a + n_b - 1; i++)
    sums[i] = second.values[(i + size - (n_a - 1)) % size];
  padded_clear (&first);
  padded_clear (&second);

  return sums;
}

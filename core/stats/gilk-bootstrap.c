/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-bootstrap.c - computes the standard error of the mean of an autocorrelated series
 */
#include "core/stats/gilk-bootstrap.h"

#include <math.h>
#include <string.h>

#include "core/stats/gilk-perturbation.h"

#define CELLS       4096      /* number of cells, which must be even; a cell holds the sum of
                               * consecutive steps */
#define LAGS_MIN    5         /* the search for correlated lags ends after this number of
                               * consecutive uncorrelated lags (Politis and White) */
#define LEVEL       0.95
#define NORMAL_95   1.959963984540054
#define SIDE_MIN    10.0      /* minimum number of independent values below a quantile, and above
                               * it */
#define DF_MIN      5.0
#define SWING_MIN   0.25      /* lower limit on the estimated long-run variance, as a fraction of
                               * the variance */

/* Autocorrelation of one track (a series of values), computed from its cells. */
typedef struct {
  double spectrum;            /* long-run variance: n times the variance of the mean of n cells */
  double lag_moment;          /* sum, over all lags, of lag times covariance */
} Autocorrelation;

typedef struct {
  double *cells;                    /* each cell is the sum of @width consecutive steps */
  double  open;                     /* sum of the steps of the next cell, which is not full yet */
  double  sum, squares;             /* sums, over all steps, of (value - @first) and of the square
                                     * of this difference */
  double  first;
  Autocorrelation  autocorrelation; /* valid once the bootstrap's @prepared is not 0 */
} Track;

struct _GilkBootstrap {
  Track   *tracks;
  guint    n_tracks;
  guint    n_cells;
  uint64_t n, width, in_open;
  uint64_t prepared;          /* number of steps at the last computation of @window, @least and the
                               * tracks' autocorrelations */
  guint    window;            /* length of the flat-top window, in lags */
  double   least;             /* smallest number of independent values of any track */
};

GilkBootstrap *
gilk_bootstrap_new (guint tracks)
{
  GilkBootstrap *bootstrap = g_new0 (GilkBootstrap, 1);

  bootstrap->n_tracks = tracks;
  bootstrap->width = 1;
  bootstrap->tracks = g_new0 (Track, tracks + 1);
  for (guint i = 0; i < tracks; i++)
    bootstrap->tracks[i].cells = g_new (double, CELLS);

  return bootstrap;
}

void
gilk_bootstrap_free (GilkBootstrap *bootstrap)
{
  if (bootstrap == NULL)
    return;
  for (guint i = 0; i < bootstrap->n_tracks; i++)
    g_free (bootstrap->tracks[i].cells);
  g_free (bootstrap->tracks);
  g_free (bootstrap);
}

static void
fold_cells (GilkBootstrap *bootstrap)
{
  for (guint i = 0; i < bootstrap->n_tracks; i++)
    for (guint c = 0; c < CELLS / 2; c++)
      bootstrap->tracks[i].cells[c] = bootstrap->tracks[i].cells[2 * c] + bootstrap->tracks[i].cells[2 * c + 1];
  bootstrap->n_cells = CELLS / 2;
  bootstrap->width *= 2;
}

void
gilk_bootstrap_add (GilkBootstrap *bootstrap,
                    const double  *values)
{
  gboolean full = ++bootstrap->in_open == bootstrap->width;

  for (guint i = 0; i < bootstrap->n_tracks; i++)
    {
      Track *track = &bootstrap->tracks[i];
      double value;

      if (bootstrap->n == 0)
        track->first = values[i];
      value = values[i] - track->first;
      track->sum += value;
      track->squares += value * value;
      track->open += value;
      if (!full)
        continue;
      track->cells[bootstrap->n_cells] = track->open;
      track->open = 0.0;
    }
  bootstrap->n++;
  if (!full)
    return;
  bootstrap->in_open = 0;
  if (++bootstrap->n_cells == CELLS)
    fold_cells (bootstrap);
}

/* ---- estimates the long-run variance ---- */

static double
compute_mean (const double *cells, guint n)
{
  double sum = 0.0;

  for (guint i = 0; i < n; i++)
    sum += cells[i];

  return sum / MAX (n, 1);
}

static double
compute_covariance (const double *cells, guint n, double mean, guint lag)
{
  double sum = 0.0;

  for (guint i = lag; i < n; i++)
    sum += (cells[i] - mean) * (cells[i - lag] - mean);

  return sum / n;
}

/* Returns the weight of a flat-top window at @x: 1 up to @x = 0.5, from there linearly decreasing
 * to 0 at @x = 1. */
static double
get_flat_top_weight (double x)
{
  return x <= 0.5 ? 1.0 : x >= 1.0 ? 0.0 : 2.0 * (1.0 - x);
}

/* Returns the number of correlated lags of @track: the lag after which enough consecutive lags are
 * uncorrelated. */
static guint
count_lags (const Track *track, guint n)
{
  double mean = compute_mean (track->cells, n), variance = compute_covariance (track->cells, n, mean, 0);
  double bound = 2.0 * sqrt (log10 (n) / n) * variance;
  guint quiet = 0, wanted = MAX (LAGS_MIN, (guint) ceil (sqrt (log10 (n)))), lag;

  if (!(variance > 0.0))
    return 0;
  for (lag = 1; lag <= n / 4 && quiet < wanted; lag++)
    quiet = fabs (compute_covariance (track->cells, n, mean, lag)) < bound ? quiet + 1 : 0;

  return lag - 1 - quiet;
}

static Autocorrelation
find_autocorrelation (const Track *track, guint n, guint window)
{
  Autocorrelation autocorrelation = { 0 };
  double mean = compute_mean (track->cells, n);

  autocorrelation.spectrum = compute_covariance (track->cells, n, mean, 0);
  for (guint lag = 1; lag < MIN (window, n); lag++)
    {
      double weighed = get_flat_top_weight ((double) lag / window) * compute_covariance (track->cells, n, mean, lag);

      autocorrelation.spectrum += 2.0 * weighed;
      autocorrelation.lag_moment += 2.0 * lag * weighed;
    }

  return autocorrelation;
}

/* Returns the block length of Politis and White for the circular bootstrap, with the correction of
 * 2009. For independent values it is slightly longer than needed. */
static guint
compute_block_length (const Autocorrelation *autocorrelation, guint n)
{
  double least = cbrt (n), length = least;

  if (autocorrelation->spectrum > 0.0)
    length = cbrt (1.5 * autocorrelation->lag_moment * autocorrelation->lag_moment / (autocorrelation->spectrum * autocorrelation->spectrum) * n);

  return (guint) rint (CLAMP (length, least, MAX (n / 4.0, least)));
}

static GilkMeanSpread
find_spread (const GilkBootstrap *bootstrap, const Track *track)
{
  double n = (double) bootstrap->n, mean = track->sum / n, variance = MAX (track->squares / n - mean * mean, 0.0);
  GilkMeanSpread spread = { bootstrap->n, track->first + mean, 0.0, n - 1.0, n };
  guint window = bootstrap->window;
  double long_run;

  if (bootstrap->n < 2 || variance == 0.0)
    return spread;
  /* The long-run variance of a series that swings back and forth is small, and its estimate is
   * mostly noise, so it has a lower limit. */
  long_run = MAX (track->autocorrelation.spectrum / (double) bootstrap->width, SWING_MIN * variance);
  if (window > 0)
    spread.df = MIN (0.75 * bootstrap->n_cells / window, n - 1.0);
  /* Covariances about the sample mean are biased low, and the bias adds up over the window: correct
   * for it. */
  long_run /= 1.0 - MIN (1.5 * window / bootstrap->n_cells, 0.5);
  long_run *= n / (n - 1.0);
  spread.deviation = sqrt (long_run / n);
  spread.n_effective = MIN (variance / (spread.deviation * spread.deviation), n);

  return spread;
}

/* Computes the autocorrelation of all tracks, with the same window for all, because correlation is
 * hard to detect in a track of rare events, such as an indicator of extreme values. */
static void
prepare_tracks (GilkBootstrap *bootstrap)
{
  guint n = bootstrap->n_cells;

  if (bootstrap->prepared == bootstrap->n)
    return;
  bootstrap->prepared = bootstrap->n;
  bootstrap->window = 0;
  bootstrap->least = (double) bootstrap->n;
  for (guint i = 0; n >= 2 * LAGS_MIN && i < bootstrap->n_tracks; i++)
    bootstrap->window = MAX (bootstrap->window, 2 * count_lags (&bootstrap->tracks[i], n));
  for (guint i = 0; i < bootstrap->n_tracks; i++)
    {
      bootstrap->tracks[i].autocorrelation = find_autocorrelation (&bootstrap->tracks[i], n, bootstrap->window);
      bootstrap->least = MIN (bootstrap->least, find_spread (bootstrap, &bootstrap->tracks[i]).n_effective);
    }
}

GilkMeanSpread
gilk_bootstrap_spread (GilkBootstrap *bootstrap,
                       guint          track)
{
  prepare_tracks (bootstrap);

  return find_spread (bootstrap, &bootstrap->tracks[track]);
}

/* ---- resamples the cells ---- */

/* Draws means of resampled cells, minus the mean of all cells. */
static void
draw_means (const Track *track, guint n, guint length, GRand *rand, double *draws, guint replicates)
{
  g_autofree double *upto = g_new (double, 2 * n + 1);
  double mean;

  upto[0] = 0.0;
  for (guint i = 0; i < 2 * n; i++)
    upto[i + 1] = upto[i] + track->cells[i % n];
  mean = upto[n] / n;
  for (guint r = 0; r < replicates; r++)
    {
      double sum = 0.0;

      for (guint left = n; left > 0;)
        {
          guint start = (guint) g_rand_int_range (rand, 0, (gint32) n), take = MIN (length, left);

          sum += upto[start + take] - upto[start];
          left -= take;
        }
      draws[r] = sum / n - mean;
    }
}

static double
compute_deviation (const double *draws, guint n)
{
  double squares = 0.0;

  for (guint i = 0; i < n; i++)
    squares += draws[i] * draws[i];

  return sqrt (squares / n);
}

gboolean
gilk_bootstrap_shares (GilkBootstrap *bootstrap,
                       guint          track,
                       double         p,
                       GRand         *rand,
                       double        *shares,
                       guint          replicates)
{
  const GilkMeanSpread spread = gilk_bootstrap_spread (bootstrap, track);
  const Track *it = &bootstrap->tracks[track];
  double scale, drawn;

  if (bootstrap->least * MIN (p, 1.0 - p) < SIDE_MIN || spread.df < DF_MIN)
    return FALSE;
  if (spread.deviation == 0.0)
    {
      for (guint i = 0; i < replicates; i++)
        shares[i] = p;
      return TRUE;
    }
  draw_means (it, bootstrap->n_cells, compute_block_length (&it->autocorrelation, bootstrap->n_cells), rand, shares, replicates);
  drawn = compute_deviation (shares, replicates);
  scale = drawn > 0.0 ? spread.deviation / drawn * gilk_student_t (1.0 - LEVEL, spread.df) / NORMAL_95 : 0.0;
  for (guint i = 0; i < replicates; i++)
    shares[i] = CLAMP (p + scale * shares[i], 0.0, 1.0);

  return TRUE;
}

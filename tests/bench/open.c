/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * open.c - measures the delay until a session's first histogram is shown, and the delay of each
 * zoom step
 *
 *   open FILE [--field NAME] [--steps N]
 *
 * Uses the hook with the most samples in the last run. Prints seconds of wall-clock time, and the
 * peak memory. FILE is made by tests/bench/samples.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "core/analysis/gilk-hook-distribution.h"
#include "core/analysis/gilk-hook-gaps.h"
#include "core/analysis/gilk-hook-samples.h"

#define PIXELS 1600

static char *field = NULL;
static int steps = 60;

static const GOptionEntry entries[] = {
  { "field", 0, 0, G_OPTION_ARG_STRING, &field, "Of which numbers (default: interval)", "NAME" },
  { "steps", 0, 0, G_OPTION_ARG_INT, &steps, "Steps of zoom", "N" },
  { NULL },
};

static void
check_result (gboolean good, GError *error)
{
  if (!good)
    g_error ("%s", error != NULL ? error->message : "failed");
}

static double
get_seconds (void)
{
  return (double) g_get_monotonic_time () / 1e6;
}

static long
get_rss_mib (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);

  return usage.ru_maxrss / 1024;
}

static int
compare_doubles (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

/* Returns this thread's CPU time, which does not depend on other load. */
static double
get_thread_seconds (void)
{
  struct timespec now;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);

  return (double) now.tv_sec + (double) now.tv_nsec / 1e9;
}

/* Zooms in step by step around several points in time, and out again. */
static void
zoom_hook (GilkStore *store, const GilkStoredHook *hook, const char *of, double duration)
{
  GilkColumn columns[PIXELS];
  g_autofree double *took = g_new (double, steps), *worked = g_new (double, steps);
  g_autoptr(GRand) rand = g_rand_new_with_seed (3);
  double middle = 0.5, width = 1.0;
  GError *error = NULL;

  for (int i = 0; i < steps; i++)
    {
      double begun = get_seconds (), begun_work = get_thread_seconds (), from = CLAMP (middle - width / 2.0, 0.0, 1.0);

      check_result (gilk_hook_columns (store, hook, of, from * duration, MIN (from + width, 1.0) * duration,
                                       columns, PIXELS, &error), error);
      took[i] = get_seconds () - begun;
      worked[i] = get_thread_seconds () - begun_work;
      width *= 0.6;
      if (width * (double) hook->stored < 200.0)
        {
          middle = g_rand_double (rand);
          width = 1.0;
        }
    }
  qsort (took, (gsize) steps, sizeof *took, compare_doubles);
  qsort (worked, (gsize) steps, sizeof *worked, compare_doubles);
  printf ("zoom step: median %.1f ms, greatest %.1f ms; of processor time %.1f and %.1f ms\n",
          took[steps / 2] * 1e3, took[steps - 1] * 1e3, worked[steps / 2] * 1e3, worked[steps - 1] * 1e3);
}

/* Measures the time to make the preliminary histogram, which is shown until all samples are
 * read. */
static void
measure_preview (GilkStore *store, const GilkStoredHook *hook, const GArray *gaps)
{
  const char *of = field != NULL ? field : "interval";

  for (guint log = 0; log < 2; log++)
    {
      const GilkHistogramAsk ask = { .of = { .field = of, .gaps = gaps, .from = NAN, .to = NAN }, .scale = 1.0, .low = NAN,
                                     .high = NAN, .log = log != 0 };
      double begun = get_seconds (), begun_work = get_thread_seconds ();
      GilkHistogramPreview haste;
      GError *error = NULL;
      g_autoptr(GilkHistogram) h = gilk_hook_histogram_preview (store, hook, &ask, &haste, &error);

      check_result (error == NULL, error);
      if (h == NULL)
        printf ("no histogram before all is read\n");
      else
        printf ("histogram seen first, %s, %s: %.1f ms, of processor time %.1f ms, median %.9g, 99.9 %% below %.9g\n",
                log != 0 ? "logarithmic axis" : "linear axis", haste.read > 0 ? "of some" : haste.exact ? "exact" : "by sketches",
                (get_seconds () - begun) * 1e3, (get_thread_seconds () - begun_work) * 1e3, h->median, h->p999);
    }
}

int
main (int argc, char **argv)
{
  g_autoptr(GOptionContext) context = g_option_context_new ("FILE");
  g_autoptr(GArray) runs = NULL, hooks = NULL, gaps = NULL;
  g_autoptr(GilkHistogram) histogram = NULL;
  g_autoptr(GilkStore) store = NULL;
  const GilkStoredHook *hook = NULL;
  const GilkStoredRun *run;
  double begun = get_seconds ();
  GError *error = NULL;

  g_option_context_add_main_entries (context, entries, NULL);
  check_result (g_option_context_parse (context, &argc, &argv, &error), error);
  if (argc != 2 || steps < 1)
    {
      fprintf (stderr, "usage: open FILE [--field NAME] [--steps N]\n");
      return 2;
    }
  store = gilk_store_open_read (argv[1], NULL, &error);
  check_result (store != NULL, error);
  runs = gilk_store_runs (store, &error);
  check_result (runs != NULL && runs->len > 0, error);
  run = &g_array_index (runs, GilkStoredRun, runs->len - 1);
  hooks = gilk_store_hooks (store, run->id, &error);
  check_result (hooks != NULL && hooks->len > 0, error);
  for (guint i = 0; i < hooks->len; i++)
    if (hook == NULL || g_array_index (hooks, GilkStoredHook, i).stored > hook->stored)
      hook = &g_array_index (hooks, GilkStoredHook, i);
  printf ("opened, runs and hooks listed: %.3f s\n", get_seconds () - begun);
  gaps = gilk_hook_gaps (store, hook, run->duration, &error);
  check_result (gaps != NULL, error);
  measure_preview (store, hook, gaps);
  begun = get_seconds ();
  histogram = gilk_hook_histogram (store, hook, &(GilkHistogramAsk) {
                                     .of = { .field = field != NULL ? field : "interval", .gaps = gaps,
                                             .from = NAN, .to = NAN },
                                     .scale = 1.0, .low = NAN, .high = NAN }, NULL, &error);
  check_result (histogram != NULL, error);
  printf ("histogram of all, of %" G_GUINT64_FORMAT " numbers: %.3f s, median %.9g, 99.9 %% below %.9g\n",
          (guint64) histogram->n, get_seconds () - begun, histogram->median, histogram->p999);
  printf ("memory at most: %ld MiB\n", get_rss_mib ());
  zoom_hook (store, hook, field != NULL ? field : "time", run->duration);
  printf ("memory at most: %ld MiB\n", get_rss_mib ());

  return 0;
}

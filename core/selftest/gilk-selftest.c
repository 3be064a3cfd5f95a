/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-selftest.c - runs the cases of the self-test, and cleans up afterwards
 */
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <math.h>
#include <stdlib.h>

#include "core/base/gilk-error.h"
#include "core/base/gilk-memory.h"
#include "core/selftest/gilk-selftest-private.h"

#define UNLOAD_US    (10 * G_USEC_PER_SEC)
#define CLOCK_TRIES  10
#define CLOCK_OFF_NS 1000.0

/* ---- creates and frees the self-test ---- */

GilkSelftest *
gilk_selftest_new (const char         *spec,
                   gboolean            brief,
                   const GilkProgress *progress,
                   GCancellable       *cancellable,
                   GError            **error)
{
  g_autoptr(GilkSelftest) test = g_new0 (GilkSelftest, 1);

  test->spec = g_strdup (spec);
  test->brief = brief;
  test->progress = progress != NULL ? *progress : (GilkProgress) { 0 };
  test->cancellable = cancellable;
  test->cases = g_ptr_array_new_with_free_func ((GDestroyNotify) gilk_selftest_case_free);
  test->begun_us = test->ended_us = g_get_monotonic_time ();
  test->folder = g_dir_make_tmp ("gilk-selftest-XXXXXX", error);
  if (test->folder == NULL)
    return NULL;
  test->target = gilk_target_open (spec, progress, cancellable, error);
  if (test->target == NULL)
    return NULL;
  test->release = g_strdup (gilk_target_release (test->target));
  test->had_driver = gilk_target_has_driver (test->target);
  test->facts = gilk_target_doctor (test->target, cancellable, error);

  return test->facts != NULL ? g_steal_pointer (&test) : NULL;
}

static void
drop_target (GilkSelftest *test)
{
  g_clear_pointer (&test->functions, gilk_functions_unref);
  g_clear_pointer (&test->image, gilk_image_unref);
  g_clear_pointer (&test->target, gilk_target_unref);
}

void
gilk_selftest_free (GilkSelftest *test)
{
  drop_target (test);
  if (test->folder != NULL)
    g_rmdir (test->folder);
  g_clear_pointer (&test->facts, g_hash_table_unref);
  g_ptr_array_unref (test->cases);
  gilk_free_all (test->folder, test->spec, test->release, test->build_id, test->sum, test->modules,
                 test);
}

/* ---- records the state before the test, and compares it afterwards ---- */

static gboolean
test_driver (GilkSelftest *test, GError **error)
{
  g_autoptr(GError) unloaded = NULL;
  GilkSelftestCase *ended;
  struct ilk_info info;

  gilk_selftest_begin_case (test, _("Loading the driver"), 0.02);
  if (!gilk_target_load_driver (test->target, test->cancellable, error) ||
      !gilk_target_driver_info (test->target, &info, test->cancellable, error))
    return FALSE;
  /* Load the instrument task before the checksum of kernel text is computed, which includes it. If
   * the instrument is not installed, the cases that use it are skipped. */
  gilk_target_load_instrument (test->target, "task", test->cancellable, &unloaded);
  ended = gilk_selftest_case_new ("driver", GILK_VERDICT_OK,
                                  g_strdup_printf (test->had_driver ? _("was already loaded, ABI %u, %u processors")
                                                   : _("loaded, ABI %u, %u processors"), info.abi, info.nr_cpus));
  gilk_selftest_case_add_figure (ended, "abi", info.abi);
  gilk_selftest_case_add_figure (ended, "processors", info.nr_cpus);
  gilk_selftest_case_add_figure (ended, "arena_bytes", (double) info.arena_bytes);
  gilk_selftest_case_add_figure (ended, "tsc_khz", (double) info.tsc_khz);
  gilk_selftest_case_add_figure (ended, "features", info.features);
  gilk_selftest_end_case (test, ended);

  return TRUE;
}

/* Largest TSC offset of any CPU, and largest error of the offsets, in ticks. */
typedef struct {
  double apart, known;
  guint  n;
} Clocks;

static gboolean
compare_clocks (GilkSelftest *test, Clocks *clocks, GError **error)
{
  g_autoptr(GArray) cpus = NULL;
  struct gilk_clocks head;

  if (!gilk_target_clocks (test->target, &head, &cpus, test->cancellable, error))
    return FALSE;
  *clocks = (Clocks) { .n = cpus->len };
  for (guint i = 0; i < cpus->len; i++)
    {
      const struct ilk_cpu_clock *cpu = &g_array_index (cpus, struct ilk_cpu_clock, i);

      clocks->apart = MAX (clocks->apart, fabs ((double) cpu->offset));
      clocks->known = MAX (clocks->known, (double) cpu->error);
    }

  return TRUE;
}

/* Compares the CPUs' TSCs. Uses the best of several attempts, because anything that delays a CPU
 * increases the error. */
static gboolean
test_clocks (GilkSelftest *test, GError **error)
{
  GilkSelftestCase *ended;
  struct ilk_info info;
  Clocks best = { 0 };
  gboolean off;
  double ns;

  gilk_selftest_begin_case (test, _("Comparing the processors' clocks"), 0.04);
  if (!gilk_target_driver_info (test->target, &info, test->cancellable, error))
    return FALSE;
  for (guint i = 0; i < CLOCK_TRIES; i++)
    {
      Clocks clocks;

      if (!compare_clocks (test, &clocks, error))
        return FALSE;
      if (i == 0 || clocks.known < best.known)
        best = clocks;
    }
  ns = info.tsc_khz != 0 ? 1e6 / (double) info.tsc_khz : NAN;
  off = (best.apart - best.known) * ns > CLOCK_OFF_NS;
  ended = gilk_selftest_case_new ("clocks", off ? GILK_VERDICT_NOTE : GILK_VERDICT_OK,
                                  g_strdup_printf (off ? _("time stamps of %u processors differ by up to %.0f ns, ± %.0f ns: "
                                                           "they are corrected as samples are stored")
                                                   : _("time stamps of %u processors differ by at most %.0f ns, ± %.0f ns"),
                                                   best.n, best.apart * ns, best.known * ns));
  gilk_selftest_case_add_figure (ended, "apart_ns", best.apart * ns);
  gilk_selftest_case_add_figure (ended, "error_ns", best.known * ns);
  gilk_selftest_end_case (test, ended);

  return TRUE;
}

/* Lists the loaded modules, except those whose names start with "ilk", such as the driver.
 * (transfer full) */
static char *
list_modules (GilkSelftest *test, GError **error)
{
  gsize length;
  g_autofree char *text = gilk_target_file (test->target, GILK_FILE_MODULES, &length, test->cancellable, error);
  g_autoptr(GString) list = g_string_new (NULL);
  g_auto(GStrv) lines = NULL;

  if (text == NULL)
    return NULL;
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    if (!g_str_has_prefix (lines[i], "ilk"))
      g_string_append_printf (list, "%.*s\n", (int) strcspn (lines[i], " "), lines[i]);

  return g_string_free (g_steal_pointer (&list), FALSE);
}

static gboolean
read_text (GilkSelftest *test, char **sum, char **modules, GError **error)
{
  g_clear_pointer (&test->functions, gilk_functions_unref);
  g_clear_pointer (&test->image, gilk_image_unref);
  test->image = gilk_image_open (test->target, NULL, test->cancellable, error);
  if (test->image == NULL)
    return FALSE;
  test->functions = gilk_functions_new (test->image);
  *sum = gilk_image_checksum (test->image, "ilk", NULL, test->cancellable, error);
  *modules = *sum != NULL ? list_modules (test, error) : NULL;

  return *modules != NULL;
}

static gboolean
test_image (GilkSelftest *test, GError **error)
{
  GilkSelftestCase *ended;
  guint n;

  gilk_selftest_begin_case (test, _("Reading the kernel's symbols and text"), 0.06);
  if (!read_text (test, &test->sum, &test->modules, error))
    return FALSE;
  test->build_id = g_strdup (gilk_target_build_id (test->target));
  gilk_functions_all (test->functions, &n);
  ended = gilk_selftest_case_new ("text-before", GILK_VERDICT_OK,
                                  g_strdup_printf (_("%u functions read, checksum %.12s…"), n, test->sum));
  gilk_selftest_case_add_figure (ended, "functions", n);
  gilk_selftest_end_case (test, ended);

  return TRUE;
}

static gboolean
test_text (GilkSelftest *test, GError **error)
{
  g_autofree char *sum = NULL;
  g_autofree char *modules = NULL;
  GilkVerdict verdict;
  char *sentence;

  gilk_selftest_begin_case (test, _("Comparing the kernel's text"), 0.88);
  if (!read_text (test, &sum, &modules, error))
    return FALSE;
  if (strcmp (sum, test->sum) == 0)
    {
      verdict = GILK_VERDICT_OK;
      sentence = g_strdup_printf (_("all text of kernel and modules is unchanged, checksum %.12s…"), sum);
    }
  else if (strcmp (modules, test->modules) != 0)
    {
      verdict = GILK_VERDICT_NOTE;
      sentence = g_strdup (_("modules were loaded or unloaded in the meantime, so text could not be compared; try again "
                             "on a quiet machine"));
    }
  else
    {
      verdict = GILK_VERDICT_FAILED;
      sentence = g_strdup (_("The kernel's text has changed: if no other tracer or livepatch was started in the "
                             "meantime, please send this report, and reboot."));
    }
  gilk_selftest_end_case (test, gilk_selftest_case_new ("text-after", verdict, sentence));

  return TRUE;
}

/* Unloads the driver, with retries: it cannot be unloaded while a task may be in its code. */
static void
test_unload (GilkSelftest *test)
{
  const gint64 last = g_get_monotonic_time () + UNLOAD_US;
  g_autoptr(GByteArray) answer = NULL;
  g_autoptr(GError) error = NULL;

  gilk_selftest_begin_case (test, _("Unloading the driver"), 0.97);
  do
    {
      g_clear_error (&error);
      g_clear_pointer (&answer, g_byte_array_unref);
      answer = gilk_target_request (test->target, GILK_INSTRUMENT_UNLOAD, "task", 4, NULL, NULL);
      g_clear_pointer (&answer, g_byte_array_unref);
      answer = gilk_target_request (test->target, GILK_DRIVER_UNLOAD, NULL, 0, NULL, &error);
      if (answer == NULL)
        g_usleep (200000);
    }
  while (answer == NULL && g_get_monotonic_time () < last);
  gilk_selftest_end_case (test, gilk_selftest_case_new ("unload", answer != NULL ? GILK_VERDICT_OK : GILK_VERDICT_NOTE,
                                                        g_strdup (answer != NULL ? _("the driver is unloaded")
                                                                        : error->message)));
}

/* ---- public functions ---- */

gboolean
gilk_selftest_run (GilkSelftest    *test,
                   GilkSelftestFunc func,
                   gpointer         user_data,
                   GError         **error)
{
  gboolean (*const parts[]) (GilkSelftest *, GError **) = {
    test_driver, test_clocks, test_image, gilk_selftest_test_refusals, gilk_selftest_test_counts, gilk_selftest_test_agent_kill, test_text,
  };
  gboolean ok = TRUE;

  test->func = func;
  test->user_data = user_data;
  test->begun_us = g_get_monotonic_time ();
  for (guint i = 0; i < G_N_ELEMENTS (parts) && ok; i++)
    ok = parts[i] (test, error);
  if (test->target != NULL && !test->had_driver)
    test_unload (test);
  drop_target (test);
  test->ended_us = g_get_monotonic_time ();

  return ok;
}

GHashTable *
gilk_selftest_facts (const GilkSelftest *test)
{
  return test->facts;
}

const GPtrArray *
gilk_selftest_cases (const GilkSelftest *test)
{
  return test->cases;
}

guint
gilk_selftest_n_failed (const GilkSelftest *test)
{
  guint failed = 0;

  for (guint i = 0; i < test->cases->len; i++)
    failed += ((const GilkSelftestCase *) test->cases->pdata[i])->verdict == GILK_VERDICT_FAILED;
  return failed;
}

double
gilk_selftest_seconds (const GilkSelftest *test)
{
  return (double) (test->ended_us - test->begun_us) / 1e6;
}

const char *
gilk_selftest_release (const GilkSelftest *test)
{
  return test->release;
}

const char *
gilk_selftest_build_id (const GilkSelftest *test)
{
  return test->build_id;
}

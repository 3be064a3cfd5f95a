/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-effect.c - tests the computation, in a worker thread, of the effect of hooks that were
 * switched on and off, and functions that break long command lines into several and make texts safe
 * to show; needs no display
 */
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "core/analysis/gilk-run-facts.h"
#include "gui/base/gilk-text.h"
#include "gui/session/gilk-session.h"

/* ---- tests of the effect of switched hooks, computed from a session ---- */

static void
save_result (GObject *object, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

static GilkSessionEffect *
make_effect (const char *path, gint64 run, gint64 hook, const char *field)
{
  g_autoptr(GAsyncResult) result = NULL;
  g_autoptr(GError) error = NULL;
  GilkSessionEffect *effect;

  gilk_session_effect_async (path, run, hook, field, NULL, save_result, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  effect = gilk_session_effect_finish (result, &error);
  g_assert_no_error (error);

  return effect;
}

static void
test_effect (gconstpointer path)
{
  g_autoptr(GilkSessionEffect) hits = make_effect (path, 1, 0, NULL), interval = make_effect (path, 1, 1, "interval");
  g_autoptr(GilkFacts) of_hits = NULL, of_interval = NULL;
  g_autofree char *traps = NULL;
  double low, value, high;

  g_assert_null (hits->refusal);
  of_hits = gilk_facts_of_effect (hits->effect);
  of_interval = gilk_facts_of_effect (interval->effect);
  traps = gilk_effect_caveat (hits->effect);
  g_assert_null (traps);
  g_assert_cmpstr (gilk_effect_difference (hits->effect, &low, &value, &high), ==, "%");
  g_assert_true (low < value && value < high && value > -12 && value < -8);
  g_assert_cmpstr (gilk_facts_find (of_hits, "Measured by")->value, ==, "witness");
  g_assert_cmpstr (gilk_facts_find (of_hits, "Compared")->value, ==, "hits");
  g_assert_cmpstr (gilk_facts_find (of_hits, "Left out")->value, ==, "1 pair");
  g_assert_nonnull (strstr (gilk_facts_find (of_hits, "Hooks off")->value, " k/s"));
  g_assert_nonnull (strstr (gilk_facts_find (of_hits, "Difference")->value, "−"));
  g_assert_nonnull (strstr (gilk_facts_find (of_hits, "Difference")->explanation, "p = "));
  g_assert_cmpstr (gilk_facts_find (of_interval, "Compared")->value, ==, "time between hits");
  g_assert_true (g_str_has_prefix (gilk_facts_find (of_interval, "Difference")->value, "+"));
  g_assert_true (g_str_has_suffix (gilk_facts_find (of_interval, "Hooks on")->value, " µs"));
}

static void
test_effect_refused (gconstpointer path)
{
  g_autoptr(GilkSessionEffect) without = make_effect (path, 2, 0, NULL), itself = make_effect (path, 1, 2, NULL);

  g_assert_nonnull (strstr (without->refusal, "control=yes"));
  g_assert_nonnull (strstr (itself->refusal, "was itself switched off and on"));
}

static void
test_effect_cancelled (gconstpointer path)
{
  g_autoptr(GCancellable) cancellable = g_cancellable_new ();
  g_autoptr(GAsyncResult) result = NULL;
  g_autoptr(GError) error = NULL;

  g_cancellable_cancel (cancellable);
  gilk_session_effect_async (path, 1, 0, NULL, cancellable, save_result, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_null (gilk_session_effect_finish (result, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* ---- tests of breaking long command lines, and of making texts safe to show ---- */

static void
test_folded (void)
{
  g_autofree char *plain = gilk_text_fold_commands ("gilk report a.gilk\ngilk sessions", 32);
  g_autofree char *folded = gilk_text_fold_commands ("gilk plot a.gilk --run 2 --hook h --kind rate --out plot.svg", 32);
  g_autofree char *full = gilk_text_fold_commands ("gilk plot a.gilk --hook h432 --log x", 29);
  g_autofree char *empty = gilk_text_fold_commands ("", 32);

  g_assert_cmpstr (plain, ==, "gilk report a.gilk\ngilk sessions");
  g_assert_cmpstr (folded, ==, "gilk plot a.gilk --run 2 \\\n  --hook h --kind rate \\\n  --out plot.svg");
  g_assert_cmpstr (full, ==, "gilk plot a.gilk \\\n  --hook h432 --log x");
  g_assert_cmpstr (empty, ==, "");
}

static void
test_tame (void)
{
  g_autofree char *word = g_strnfill (4096, 'x');
  g_autofree char *with = g_strdup_printf ("No \"%s\" here.\nRemove it.", word);
  g_autofree char *cut = gilk_text_sanitise (with);
  g_autofree char *same = gilk_text_sanitise ("pipe_write: שלום, tab\tand all");
  g_autofree char *wild = gilk_text_sanitise ("a\u202eb\u2066c\a\xff.");
  g_autofree char *empty = gilk_text_sanitise ("");

  g_assert_true (g_str_has_prefix (cut, "No \"xxx") && g_str_has_suffix (cut, "xxx\" here.\nRemove it."));
  g_assert_cmpint (g_utf8_strlen (cut, -1), <, 120);
  g_assert_cmpstr (same, ==, "pipe_write: שלום, tab\tand all");
  g_assert_cmpstr (wild, ==, "a\uFFFDb\uFFFDc\uFFFD\uFFFD.");
  g_assert_cmpstr (empty, ==, "");
}

int
main (int argc, char **argv)
{
  g_autofree char *dir = g_dir_make_tmp ("time-words-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (dir, "ab.gilk", NULL);
  char *words[] = { g_strdup (g_getenv ("GILK_AB_SESSION")), path, NULL };
  int code, status;

  g_test_init (&argc, &argv, NULL);
  g_assert_true (g_spawn_sync (NULL, words, NULL, G_SPAWN_DEFAULT, NULL, NULL, NULL, NULL, &status, NULL) && status == 0);
  g_test_add_func ("/text/folded", test_folded);
  g_test_add_func ("/text/tame", test_tame);
  g_test_add_data_func ("/time-words/effect", path, test_effect);
  g_test_add_data_func ("/time-words/effect-refused", path, test_effect_refused);
  g_test_add_data_func ("/time-words/effect-cancelled", path, test_effect_cancelled);
  code = g_test_run ();
  g_remove (path);
  g_rmdir (dir);
  g_free (words[0]);

  return code;
}

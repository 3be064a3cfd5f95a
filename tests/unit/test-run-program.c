/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-run-program.c - tests that the maps of programs and their descriptions are stored in the
 * session
 *
 * A false agent provides memory in which each word names its owner.
 */
#include <glib/gstdio.h>

#include "core/run/gilk-run.h"
#include "core/store/gilk-store-program.h"
#include "tests/store-fixture.h"
#include "tests/unit/false-agent-socket.h"

#define CPUS 2

static const char text[] =
  "[gilk-plan]\nversion=2\n"
  "[program keeps]\ncode=global g = 5; counter c; histogram h(0); g += 1; c++; h(%rdi); if (every(2)) c++\n"
  "[program counts]\ncode=if (%rdi > 3) count()\n"
  "[program looks]\ncode=let x = *(u32 *) %rdi; if (x == 1) start(c)\n"
  "[program shares]\ncode=common counter s; counter o; s++; o++\n"
  "[hook a]\nfunction=fn_1\nblock=+0x18\nwhere=pre\nprogram=keeps\n"
  "[hook b]\nfunction=fn_2\nblock=+0x18\nwhere=pre\nprogram=looks\n"
  "[hook c]\nfunction=fn_5\nblock=+0x18\nwhere=pre\nprogram=counts\n"
  "[hook d]\nfunction=fn_6\nblock=+0x18\nwhere=pre\nprogram=keeps\n"
  "[hook e]\nfunction=fn_7\nanchor=entry\nwhere=pre\nprogram=counts\n"
  "[hook f]\nfunction=fn_8\nanchor=entry\nwhere=pre\nprogram=shares\n"
  "[hook g]\nfunction=fn_9\nanchor=entry\nwhere=pre\nprogram=shares\n";

static GilkRun *
make_run (const char *spec, GilkStore *store)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkTarget) target = gilk_target_open (spec, NULL, NULL, &error);
  g_autoptr(GilkPlan) plan = gilk_plan_parse (text, sizeof text - 1, "test", &error);
  g_autoptr(GilkFunctions) functions = NULL;
  g_autoptr(GilkImage) image = NULL;
  GilkBoundPlan *bound;

  g_assert_no_error (error);
  image = gilk_image_open (target, NULL, NULL, &error);
  g_assert_no_error (error);
  functions = gilk_functions_new (image);
  bound = gilk_bound_plan_new (plan, functions, image, NULL, NULL, &error);
  g_assert_no_error (error);
  gilk_bound_plan_check (bound, &error);
  g_assert_no_error (error);

  return gilk_run_new (bound, image, store, 1, GILK_CONSENT_NONE);
}

/* Runs the plan to its end. Returns: (transfer full): the session's path, to be unlinked */
static char *
record_plan (void)
{
  g_autoptr(GError) error = NULL;
  FalseSocket socket;
  GilkStore *store;
  GilkRun *run;
  char *path;

  false_socket_start (&socket, CPUS, NULL, NULL);
  close (g_file_open_tmp ("gilk-program-XXXXXX", &path, &error));
  g_assert_no_error (error);
  g_unlink (path);
  store = fixture_open (path);
  run = make_run (socket.spec, store);
  gilk_run_start (run);
  while (gilk_run_state (run) != GILK_RUN_DONE && gilk_run_state (run) != GILK_RUN_FAILED)
    g_main_context_iteration (NULL, TRUE);
  if (gilk_run_error (run) != NULL)
    g_error ("%s", gilk_run_error (run)->message);
  g_assert_true (gilk_store_close (store, &error));
  while (g_atomic_int_get (&G_OBJECT (run)->ref_count) > 1)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (100);
  g_object_unref (run);
  false_socket_stop (&socket);

  return path;
}

static const GilkStoredMap *
find_map (const GArray *kept, const char *name)
{
  for (guint i = 0; i < kept->len; i++)
    if (strcmp (g_array_index (kept, GilkStoredMap, i).name, name) == 0)
      return &g_array_index (kept, GilkStoredMap, i);
  g_error ("nothing is kept of the name %s", name);
}

/* Checks a hook's maps. @area: id of the hook's first area; its areas are the global, the per-CPU
 * numbers and the histogram */
static void
check_kept (GilkStore *store, const GilkStoredHook *hook, guint area)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GArray) kept = gilk_store_maps (store, hook, &error);
  const GilkStoreValue *values;

  g_assert_no_error (error);
  g_assert_cmpuint (kept->len, ==, 3);
  values = (const GilkStoreValue *) find_map (kept, "g")->values->data;
  g_assert_cmpuint (find_map (kept, "g")->values->len, ==, 1);
  g_assert_cmpuint (values[0].cpu, ==, G_MAXUINT);
  g_assert_cmphex ((uint64_t) values[0].value, ==, false_map (area, 0, 0) + 5);
  values = (const GilkStoreValue *) find_map (kept, "c")->values->data;
  g_assert_cmpuint (find_map (kept, "c")->values->len, ==, CPUS);
  for (guint cpu = 0; cpu < CPUS; cpu++)
    {
      g_assert_cmpuint (values[cpu].cpu, ==, cpu);
      g_assert_cmphex ((uint64_t) values[cpu].value, ==, false_map (area + 1, cpu, 0));
    }
  values = (const GilkStoreValue *) find_map (kept, "h")->values->data;
  g_assert_cmpuint (find_map (kept, "h")->values->len, ==, CPUS * gilk_ops_buckets (0));
  for (guint i = 0; i < CPUS * gilk_ops_buckets (0); i++)
    g_assert_cmphex ((uint64_t) values[i].value, ==, false_map (area + 2, values[i].cpu, 8 * (guint) values[i].key));
}

/* Checks a hook's maps. @area: id of the hook's own counter; @common: id of the area that two hooks
 * share, or 0 if it is not stored for this hook */
static void
check_shared (GilkStore *store, const GilkStoredHook *hook, guint area, guint common)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GArray) kept = gilk_store_maps (store, hook, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (kept->len, ==, common != 0 ? 2 : 1);
  for (guint cpu = 0; cpu < CPUS; cpu++)
    {
      g_assert_cmphex ((uint64_t) g_array_index (find_map (kept, "o")->values, GilkStoreValue, cpu).value, ==,
                       false_map (area, cpu, 0));
      if (common != 0)
        g_assert_cmphex ((uint64_t) g_array_index (find_map (kept, "s")->values, GilkStoreValue, cpu).value, ==,
                         false_map (common, cpu, 0));
    }
}

static void
test_kept (void)
{
  g_autofree char *path = record_plan ();
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkStore) store = fixture_read (path);
  g_autoptr(GArray) hooks = fixture_hooks (store);
  const GilkStoredHook *all;

  g_assert_cmpuint (hooks->len, ==, 7);
  all = (const GilkStoredHook *) hooks->data;
  /* The ids of the areas follow from their number: three for the first program, one for the second
   * program's counter of bad accesses, three for the fourth program. */
  check_kept (store, &all[0], 1);
  check_kept (store, &all[3], 5);
  check_shared (store, &all[5], 9, 8);
  check_shared (store, &all[6], 10, 0);

  g_assert_cmpstr (all[0].instrument, ==, "keeps");
  g_assert_cmpstr (all[4].instrument, ==, "counts");
  for (guint i = 0; i < hooks->len; i++)
    {
      g_autoptr(GilkStoredProgram) program = gilk_store_program (store, &all[i], &error);

      g_assert_no_error (error);
      g_assert_cmpstr (program->name, ==, all[i].instrument);
      g_assert_true (g_str_has_prefix (program->code, i > 4 ? "common" : i == 1 ? "let x" : i % 3 == 0 ? "global g"
                                                                                                    : "if (%rdi"));
    }
  g_unlink (path);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run-program/kept", test_kept);

  return g_test_run ();
}

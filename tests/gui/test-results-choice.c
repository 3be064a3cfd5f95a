/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-results-choice.c - tests the choice of results, and the command that reproduces it; without
 * a display
 */
#include <math.h>

#include "gui/results/gilk-results-choice.h"

/* ---- a session: two runs with the hooks "asleep" (a module with the field "size"), "tick" (which
 * only counts) and "flag" (a watchpoint) ---- */

static void
add_hook (GilkSessionRun *run, gint64 id, const char *label, const char *instrument, const char *tactic)
{
  const GilkStoredHook hook = {
    .id = id, .run = run->run.id, .label = (char *) label, .function = (char *) "", .module = (char *) "kernel", .block = (char *) "",
    .where = (char *) "pre", .instrument = (char *) instrument, .tactic = (char *) tactic, .hits_known = TRUE, .stored = 10,
  };
  const GilkStoredField size = { .name = (char *) "size", .type = ILK_FIELD_U64, .unit = (char *) "B" };
  GArray *fields = g_array_new (FALSE, FALSE, sizeof (GilkStoredField));

  if (g_str_equal (instrument, "sizes"))
    g_array_append_val (fields, size);
  g_array_append_val (run->hooks, hook);
  g_ptr_array_add (run->fields, fields);
}

static void
add_run (GilkSession *session, gint64 id)
{
  const GilkStoredRun stored = { .id = id, .duration = 2.0 };
  GilkSessionRun run = {
    .run = stored,
    .hooks = g_array_new (FALSE, FALSE, sizeof (GilkStoredHook)),
    .fields = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref),
    .functions = g_array_new (FALSE, FALSE, sizeof (GilkStoredFunction)),
    .costs = g_array_new (FALSE, FALSE, sizeof (GilkStoredCost)),
    .notes = g_array_new (FALSE, FALSE, sizeof (GilkStoredNote)),
    .maps = g_array_new (FALSE, FALSE, sizeof (GilkStoredMapDecl)),
  };
  const GilkStoredCost cost = { (char *) "sizes", (char *) "splice", 0, 40, 39, 41, 38, 1 };

  add_hook (&run, 10 * id, "asleep", "sizes", "splice");
  add_hook (&run, 10 * id + 1, "tick", "count", "splice");
  add_hook (&run, 10 * id + 2, "flag", "watchpoint", "breakpoint");
  g_array_append_val (run.costs, cost);
  g_array_append_val (session->runs, run);
  g_array_append_val (session->stored, stored);
}

static GilkSession *
new_session (const char *path)
{
  GilkSession *session = g_new0 (GilkSession, 1);

  session->path = g_strdup (path);
  session->runs = g_array_new (FALSE, FALSE, sizeof (GilkSessionRun));
  session->stored = g_array_new (FALSE, FALSE, sizeof (GilkStoredRun));
  add_run (session, 1);
  add_run (session, 2);

  return session;
}

enum { ASLEEP, TICK, FLAG };

static GilkResultsChoice *
new_choice (int hook)
{
  GilkResultsChoice *choice = gilk_results_choice_new ();

  gilk_results_choice_set_session (choice, new_session ("/tmp/one.gilk"));
  choice->run = 0;
  choice->hook = hook;
  gilk_results_choice_changed (choice);

  return choice;
}

static void
choose_view (GilkResultsChoice *choice, const char *view)
{
  choice->view = g_intern_string (view);
  gilk_results_choice_changed (choice);
}

static void
expect_command (GilkResultsChoice *choice, const char *condition, const char *expected)
{
  g_autofree char *command = gilk_results_make_command (choice, 800, 400, condition);

  g_assert_cmpstr (command, ==, expected);
}

/* ---- tests of the choice of results ---- */

static void
test_nothing (void)
{
  g_autoptr(GilkResultsChoice) choice = gilk_results_choice_new ();

  gilk_results_choice_changed (choice);
  g_assert_cmpint (gilk_results_shown (choice), ==, GILK_RESULTS_NOTHING);
  expect_command (choice, NULL, "");
}

static void
test_kept (void)
{
  g_autoptr(GilkResultsChoice) choice = new_choice (ASLEEP);

  g_assert_cmpstr (choice->view, ==, "histogram");
  g_assert_cmpstr (choice->quantity, ==, "interval");
  g_assert_true (gilk_results_log_x (choice) && !gilk_results_log_y (choice));
  choice->log_x = FALSE;
  choice->quantity = g_intern_string ("size");
  gilk_results_choice_changed (choice);
  g_assert_false (gilk_results_log_x (choice));            /* choosing a quantity does not reset the
                                                            * axes */
  choose_view (choice, "heat");
  g_assert_true (!gilk_results_log_x (choice) && gilk_results_log_y (choice));
  g_assert_cmpstr (gilk_results_field (choice), ==, "size");

  choice->hook = TICK;                                      /* this hook only counts, so there is
                                                             * only one view */
  gilk_results_choice_changed (choice);
  g_assert_cmpstr (choice->view, ==, "rate");
  g_assert_false (gilk_results_has_several_views (choice));
  g_assert_null (gilk_results_field (choice));
  choice->hook = ASLEEP;
  gilk_results_choice_changed (choice);
  g_assert_cmpstr (choice->view, ==, "heat");
  choice->hook = -1;
  gilk_results_choice_changed (choice);
  g_assert_cmpint (gilk_results_shown (choice), ==, GILK_RESULTS_OVERVIEW);
}

static void
test_applies (void)
{
  g_autoptr(GilkResultsChoice) choice = new_choice (ASLEEP);

  choice->split = g_intern_string ("cpu");
  choice->subtracts_cost = TRUE;
  gilk_results_choice_changed (choice);
  g_assert_cmpstr (gilk_results_split (choice), ==, "cpu");
  g_assert_true (gilk_results_subtracts_cost (choice));
  choice->quantity = g_intern_string ("size");              /* "size", unlike the cost of a hook, is
                                                             * not in ns */
  gilk_results_choice_changed (choice);
  g_assert_false (gilk_results_subtracts_cost (choice));
  choose_view (choice, "heat");
  g_assert_null (gilk_results_split (choice));
  g_assert_cmpstr (choice->split, ==, "cpu");      /* the choice remembers a split even if this view
                                                    * does not support it */
  choice->hook = FLAG;
  choose_view (choice, "accesses");
  g_assert_cmpint (gilk_results_shown (choice), ==, GILK_RESULTS_ACCESSES);
  g_assert_false (gilk_results_has_range (choice));
}

static void
count_changes (GilkResultsChoice *choice, gboolean range_only, guint *changes)
{
  changes[range_only]++;
}

static void
test_signal (void)
{
  g_autoptr(GilkResultsChoice) choice = new_choice (ASLEEP);
  guint changes[2] = { 0, 0 };

  g_signal_connect (choice, "changed", G_CALLBACK (count_changes), changes);
  gilk_results_choice_set_figure (choice, GILK_FIGURE_SPECTRUM, NULL, FALSE, TRUE);
  gilk_results_choice_range_changed (choice);
  g_assert_cmpuint (changes[FALSE], ==, 1);
  g_assert_cmpuint (changes[TRUE], ==, 1);
  g_assert_cmpint (gilk_results_figure (choice), ==, GILK_FIGURE_SPECTRUM);
  g_assert_true (gilk_results_field (choice) == NULL && !gilk_results_log_x (choice) && gilk_results_log_y (choice));
}

/* ---- tests of the command that reproduces the choice ---- */

static void
test_command_figure (void)
{
  g_autoptr(GilkResultsChoice) choice = new_choice (ASLEEP);
  const int overlaid = TICK;

  expect_command (choice, NULL, "gilk plot /tmp/one.gilk --run 1 --hook asleep --kind histogram --field interval --log x --size 800x400 "
                                "--out plot.svg");
  choice->split = g_intern_string ("size");
  choice->subtracts_cost = TRUE;
  gilk_selection_mark (choice->selection, GILK_SELECTION_TIME, NULL, 0.5, 1.5);
  gilk_selection_mark (choice->selection, GILK_SELECTION_VALUES, g_intern_string ("size"), 1, 64);
  gilk_results_choice_changed (choice);
  expect_command (choice, NULL, "gilk plot /tmp/one.gilk --run 1 --hook asleep --kind histogram --field interval --by size "
                                "--if 'size >= 1 and size <= 64' --subtract-cost --log x --from 0.5 --to 1.5 --size 800x400 --out plot.svg");
  gilk_selection_reset (choice->selection);
  choice->split = "";
  choice->subtracts_cost = FALSE;
  choice->other_run = 2;
  g_array_append_val (choice->overlaid, overlaid);
  choose_view (choice, "rate");
  expect_command (choice, NULL, "gilk plot /tmp/one.gilk --run 1 --hook asleep --hook tick --hook asleep@2 --kind rate --log none "
                                "--size 800x400 --out plot.svg");
}

static void
test_command_compared (void)
{
  g_autoptr(GilkResultsChoice) choice = new_choice (ASLEEP);

  gilk_results_choice_set_compared (choice, new_session ("/tmp/two.gilk"));
  choice->compared_run = 1;
  gilk_results_choice_changed (choice);
  expect_command (choice, NULL, "gilk plot /tmp/one.gilk --run 1 --hook asleep --hook asleep@/tmp/two.gilk:2 --kind histogram --field interval "
                                "--log x --size 800x400 --out plot.svg\n"
                                "gilk report /tmp/one.gilk --run 1 --compare asleep asleep@/tmp/two.gilk:2 --field interval");
  choose_view (choice, "by-value");
  expect_command (choice, NULL, "gilk plot /tmp/one.gilk --run 1 --hook asleep --group size --size 800x400 --out plot.svg\n"
                                "gilk plot /tmp/two.gilk --run 2 --hook asleep --group size --size 800x400 --out beside.svg");
}

static void
test_command_others (void)
{
  g_autoptr(GilkResultsChoice) choice = new_choice (ASLEEP);

  gilk_selection_mark (choice->selection, GILK_SELECTION_TIME, NULL, 0.5, 1.5);
  choose_view (choice, "samples");
  expect_command (choice, "size > 8", "gilk export /tmp/one.gilk --csv --run 1 --hook asleep --from 0.5s --to 1.5s --if 'size > 8' "
                                      "--output samples.csv");
  choice->hook = FLAG;
  choose_view (choice, "accesses");
  expect_command (choice, NULL, "gilk report /tmp/one.gilk --run 1 --hook flag --accesses");
  choice->hook = -1;
  gilk_results_choice_changed (choice);
  expect_command (choice, NULL, "gilk report /tmp/one.gilk --run 1");
  g_array_index (gilk_results_run (choice)->hooks, GilkStoredHook, ASLEEP).switched = TRUE;
  expect_command (choice, NULL, "gilk report /tmp/one.gilk --run 1\ngilk report /tmp/one.gilk --run 1 --perturbation");
}

static void
test_command_map (void)
{
  g_autoptr(GilkResultsChoice) choice = new_choice (ASLEEP);
  const GilkStoredMapDecl maps[] = { { 10, (char *) "sizes", GILK_MAP_HISTOGRAM }, { 10, (char *) "by task", GILK_MAP_COUNTER } };

  g_array_append_vals (gilk_results_run (choice)->maps, maps, G_N_ELEMENTS (maps));
  choose_view (choice, "maps");
  g_assert_cmpstr (choice->quantity, ==, "sizes");
  expect_command (choice, NULL, "gilk plot /tmp/one.gilk --run 1 --hook asleep --map sizes --log x --size 800x400 --out plot.svg");
  choice->quantity = g_intern_string ("by task");
  gilk_results_choice_changed (choice);
  expect_command (choice, NULL, "gilk report /tmp/one.gilk --run 1 --hook asleep --map 'by task'");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/results-choice/nothing", test_nothing);
  g_test_add_func ("/results-choice/kept", test_kept);
  g_test_add_func ("/results-choice/applies", test_applies);
  g_test_add_func ("/results-choice/signal", test_signal);
  g_test_add_func ("/results-command/figure", test_command_figure);
  g_test_add_func ("/results-command/compared", test_command_compared);
  g_test_add_func ("/results-command/others", test_command_others);
  g_test_add_func ("/results-command/map", test_command_map);

  return g_test_run ();
}

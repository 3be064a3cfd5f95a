/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-fleet.c - runs one plan on several kernels at once; a member that fails is reported and
 * stops no other member
 */
/* Promise: the targets of a fleet start together, and one that fails stops no other */
#include <gio/gio.h>
#include <glib/gstdio.h>

#include "core/base/gilk-error.h"
#include "core/fleet/gilk-fleet.h"
#include "core/run/gilk-run.h"
#include "tests/store-fixture.h"
#include "tests/unit/false-agent-socket.h"

#define N 3

typedef struct {
  FalseSocket sockets[N];
  char       *folder;
  GilkFleet  *fleet;
  guint       n_prepared, n_ended;
} Fixture;

static void
count_change (GilkFleet *fleet, guint *n)
{
  (*n)++;
}

static void
set_up (Fixture *f, guint n_agents, uint64_t duration_ns)
{
  static const char text[] =
    "[gilk-plan]\nversion=1\n[hook a]\nfunction=fn_1\nblock=+0x18\nwhere=pre\ninstrument=stamp\n"
    "[hook b]\nfunction=fn_2\nblock=+0x18\nwhere=pre\ninstrument=stamp\n";
  g_autoptr(GilkPlan) plan = gilk_plan_parse (text, sizeof text - 1, "test", NULL);
  g_autoptr(GError) error = NULL;

  *f = (Fixture) { .folder = g_dir_make_tmp ("gilk-fleet-XXXXXX", NULL) };
  f->fleet = gilk_fleet_new (plan, duration_ns);
  g_signal_connect (f->fleet, "prepared", G_CALLBACK (count_change), &f->n_prepared);
  g_signal_connect (f->fleet, "ended", G_CALLBACK (count_change), &f->n_ended);
  for (guint i = 0; i < n_agents; i++)
    {
      g_autofree char *path = g_strdup_printf ("%s/%u.gilk", f->folder, i);

      false_socket_start (&f->sockets[i], 2, NULL, NULL);
      g_assert_true (gilk_fleet_add (f->fleet, f->sockets[i].spec, path, &error));
      g_assert_no_error (error);
    }
}

static void
wait_until (GilkFleet *fleet, GilkFleetState state)
{
  while (gilk_fleet_state (fleet) != state)
    g_main_context_iteration (NULL, TRUE);
}

static GilkFleetMember
make_member (Fixture *f, guint i)
{
  GilkFleetMember out;

  gilk_fleet_member (f->fleet, i, &out);

  return out;
}

static void
tear_down (Fixture *f)
{
  const guint n = gilk_fleet_n_members (f->fleet);

  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_cmpuint (f->n_ended, ==, 1);
  for (guint i = 0; i < n; i++)
    g_unlink (make_member (f, i).path);
  g_object_unref (f->fleet);
  for (guint i = 0; i < N && f->sockets[i].spec != NULL; i++)
    false_socket_stop (&f->sockets[i]);
  g_assert_cmpint (g_rmdir (f->folder), ==, 0);
  g_free (f->folder);
}

/* Returns how many samples of the hook with @label were stored, or G_MAXUINT64 if the hook does
 * not exist. */
static uint64_t
count_stored (const char *path, const char *label)
{
  g_autoptr(GilkStore) store = fixture_read (path);
  g_autoptr(GArray) hooks = fixture_hooks (store);

  for (guint i = 0; i < hooks->len; i++)
    if (g_str_equal (g_array_index (hooks, GilkStoredHook, i).label, label))
      return g_array_index (hooks, GilkStoredHook, i).stored;

  return G_MAXUINT64;
}

/* ---- tests ---- */

static void
test_together (void)
{
  g_autoptr(GError) error = NULL;
  gboolean at_zero = FALSE;
  Fixture f;

  set_up (&f, N, 200000000);
  gilk_fleet_prepare (f.fleet);
  wait_until (f.fleet, GILK_FLEET_PREPARED);
  g_assert_cmpuint (f.n_prepared, ==, 1);
  g_assert_true (gilk_fleet_check_complete (f.fleet, &error));
  gilk_fleet_start (f.fleet, GILK_CONSENT_NONE);
  wait_until (f.fleet, GILK_FLEET_DONE);
  g_assert_true (gilk_fleet_check_results (f.fleet, &error));
  g_assert_no_error (error);
  for (guint i = 0; i < N; i++)
    {
      GilkFleetMember each = make_member (&f, i);
      double after, off;

      g_assert_cmpint (each.state, ==, GILK_MEMBER_DONE);
      g_assert_cmpuint (each.run_number, ==, 1);
      g_assert_nonnull (each.release);
      g_assert_cmpuint (count_stored (each.path, "a") + count_stored (each.path, "b"), ==, f.sockets[i].agent->cells);
      g_assert_true (gilk_fleet_start_delay (f.fleet, i, &after, &off));
      g_assert_true (after >= 0 && off >= 0);
      at_zero |= after == 0 && off == 0;
    }
  g_assert_true (at_zero);
  tear_down (&f);
}

/* Tests a fleet in which one target lacks a function, and another does not answer at all. */
static void
test_partial (void)
{
  g_autoptr(GError) error = NULL, ended = NULL;
  const GilkFleetRefusal *refusal;
  GilkFleetMember whole, lame, gone;
  char *name;
  Fixture f;

  set_up (&f, 2, 200000000);
  name = strstr (f.sockets[1].agent->kallsyms->str, " fn_2\n");
  memcpy (name, " xx_2\n", 6);
  g_assert_true (gilk_fleet_add (f.fleet, "unix:/nowhere/at/all", "nowhere.gilk", &error));
  gilk_fleet_prepare (f.fleet);
  wait_until (f.fleet, GILK_FLEET_PREPARED);
  g_assert_false (gilk_fleet_check_complete (f.fleet, &error));
  g_assert_error (error, GILK_ERROR, GILK_ERROR_TARGET);
  g_assert_nonnull (strstr (error->message, "unix:/nowhere/at/all"));

  lame = make_member (&f, 1);
  g_assert_cmpint (lame.state, ==, GILK_MEMBER_READY);
  g_assert_cmpuint (lame.refusals->len, ==, 1);
  refusal = lame.refusals->pdata[0];
  g_assert_cmpstr (refusal->label, ==, "b");
  g_assert_cmpstr (refusal->point, ==, "fn_2+0x18:pre");
  g_assert_nonnull (strstr (refusal->text, "fn_2"));
  g_assert_cmpint (make_member (&f, 2).state, ==, GILK_MEMBER_FAILED);

  gilk_fleet_start (f.fleet, GILK_CONSENT_NONE);
  wait_until (f.fleet, GILK_FLEET_DONE);
  g_assert_false (gilk_fleet_check_results (f.fleet, &ended));
  g_assert_error (ended, GILK_ERROR, GILK_ERROR_TARGET);
  whole = make_member (&f, 0);
  lame = make_member (&f, 1);
  gone = make_member (&f, 2);
  g_assert_cmpint (whole.state, ==, GILK_MEMBER_DONE);
  g_assert_cmpint (lame.state, ==, GILK_MEMBER_DONE);
  g_assert_cmpuint (count_stored (whole.path, "b"), !=, G_MAXUINT64);
  g_assert_cmpuint (count_stored (lame.path, "a"), !=, G_MAXUINT64);
  g_assert_cmpuint (count_stored (lame.path, "b"), ==, G_MAXUINT64);
  g_assert_null (gone.run);
  g_assert_false (g_file_test (gone.path, G_FILE_TEST_EXISTS));
  tear_down (&f);
}

static gboolean
all_run (Fixture *f)
{
  for (guint i = 0; i < gilk_fleet_n_members (f->fleet); i++)
    if (make_member (f, i).run == NULL || gilk_run_state (make_member (f, i).run) != GILK_RUN_RUNNING)
      return FALSE;

  return TRUE;
}

/* Tests that if the connection to one target ends, the other targets continue until the test stops
 * them. */
static void
test_one_dies (void)
{
  g_autoptr(GError) error = NULL;
  Fixture f;

  set_up (&f, N, 0);
  gilk_fleet_prepare (f.fleet);
  wait_until (f.fleet, GILK_FLEET_PREPARED);
  gilk_fleet_start (f.fleet, GILK_CONSENT_NONE);
  while (!all_run (&f))
    g_main_context_iteration (NULL, TRUE);
  false_socket_hang_up (&f.sockets[1]);
  while (make_member (&f, 1).state != GILK_MEMBER_FAILED)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpint (gilk_fleet_state (f.fleet), ==, GILK_FLEET_RUNNING);
  g_assert_cmpint (gilk_run_state (make_member (&f, 0).run), ==, GILK_RUN_RUNNING);
  g_assert_cmpint (gilk_run_state (make_member (&f, 2).run), ==, GILK_RUN_RUNNING);
  gilk_fleet_stop (f.fleet);
  wait_until (f.fleet, GILK_FLEET_DONE);
  g_assert_false (gilk_fleet_check_results (f.fleet, &error));
  g_assert_nonnull (strstr (error->message, f.sockets[1].spec));
  g_assert_cmpint (make_member (&f, 0).state, ==, GILK_MEMBER_DONE);
  g_assert_cmpint (make_member (&f, 2).state, ==, GILK_MEMBER_DONE);
  g_assert_cmpuint (count_stored (make_member (&f, 1).path, "a"), !=, G_MAXUINT64);
  tear_down (&f);
}

static void
assert_none_recorded (Fixture *f)
{
  g_autoptr(GError) error = NULL;

  g_assert_false (gilk_fleet_check_results (f->fleet, &error));
  g_assert_error (error, GILK_ERROR, GILK_ERROR_CANCELLED);
  for (guint i = 0; i < gilk_fleet_n_members (f->fleet); i++)
    g_assert_false (g_file_test (make_member (f, i).path, G_FILE_TEST_EXISTS));
}

static void
test_stopped_early (void)
{
  Fixture f;

  set_up (&f, 2, 0);
  gilk_fleet_prepare (f.fleet);
  gilk_fleet_stop (f.fleet);
  wait_until (f.fleet, GILK_FLEET_DONE);
  g_assert_cmpuint (f.n_prepared, ==, 0);
  assert_none_recorded (&f);
  tear_down (&f);

  set_up (&f, 2, 0);
  gilk_fleet_prepare (f.fleet);
  wait_until (f.fleet, GILK_FLEET_PREPARED);
  gilk_fleet_stop (f.fleet);
  wait_until (f.fleet, GILK_FLEET_DONE);
  assert_none_recorded (&f);
  tear_down (&f);
}

static void
test_names (void)
{
  static const struct { const char *path, *spec, *expected; } cases[] = {
    { "pipe.gilk", "lab:6.1", "pipe-lab-6.1.gilk" },
    { "/tmp/a/pipe.gilk", "ssh:me@host", "/tmp/a/pipe-ssh-me-host.gilk" },
    { "./pipe", "local", "./pipe-local" },
    { ".gilk", "unix:/run/x", ".gilk-unix--run-x" },
  };
  g_autoptr(GError) again = NULL, same = NULL;
  g_autoptr(GilkPlan) plan = gilk_plan_new ();
  g_autoptr(GilkFleet) fleet = gilk_fleet_new (plan, 0);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = gilk_fleet_path (cases[i].path, cases[i].spec);

      g_assert_cmpstr (path, ==, cases[i].expected);
    }
  g_assert_true (gilk_fleet_add (fleet, "unix:/a", "a.gilk", NULL));
  g_assert_false (gilk_fleet_add (fleet, "unix:/a", "b.gilk", &again));
  g_assert_error (again, GILK_ERROR, GILK_ERROR_USAGE);
  g_assert_false (gilk_fleet_add (fleet, "unix:/b", "a.gilk", &same));
  g_assert_error (same, GILK_ERROR, GILK_ERROR_USAGE);
}

static gpointer
open_gate (gpointer gate)
{
  return GINT_TO_POINTER (gilk_start_barrier_wait (gate, NULL, NULL));
}

static void
test_gate (void)
{
  g_autoptr(GilkStartBarrier) gate = gilk_start_barrier_new (3);
  g_autoptr(GCancellable) cancellable = g_cancellable_new ();
  g_autoptr(GError) error = NULL;
  GThread *thread = g_thread_new ("gate", open_gate, gate);

  g_cancellable_cancel (cancellable);
  g_assert_false (gilk_start_barrier_wait (gate, cancellable, &error));
  g_assert_error (error, GILK_ERROR, GILK_ERROR_CANCELLED);
  gilk_start_barrier_leave (gate);
  g_assert_true (GPOINTER_TO_INT (g_thread_join (thread)));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/fleet/together", test_together);
  g_test_add_func ("/fleet/partial", test_partial);
  g_test_add_func ("/fleet/one-dies", test_one_dies);
  g_test_add_func ("/fleet/stopped-early", test_stopped_early);
  g_test_add_func ("/fleet/names", test_names);
  g_test_add_func ("/fleet/gate", test_gate);

  return g_test_run ();
}

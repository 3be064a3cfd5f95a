/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-run-accounts.c - tests that a run reports sample counts that do not add up, and that all
 * samples are stored if the counts add up
 */
#include <glib/gstdio.h>

#include "core/base/gilk-error.h"
#include "core/store/gilk-store-cost.h"
#include "tests/store-fixture.h"
#include "tests/unit/false-agent-socket.h"

typedef struct {
  FalseSocket socket;
  char       *path;
  GilkRun    *run;
} Fixture;

/* ---- faults of the agent: changed, missing and repeated frames of samples ---- */

/* Changes the hook id of every second record to an unknown id. */
static guint
rename_hooks (FalseAgent *agent, struct gilk_frame *head, GByteArray *payload, gpointer data)
{
  struct ilk_record *records = (gpointer) (payload->data + sizeof (struct gilk_samples));

  if (head->type == GILK_SAMPLES)
    for (gsize i = 0; sizeof (struct gilk_samples) + (i + 1) * sizeof *records <= payload->len; i += 2)
      records[i].iid = 60000;

  return 1;
}

static guint
hold_one_back (FalseAgent *agent, struct gilk_frame *head, GByteArray *payload, gpointer data)
{
  gint *kept = data;

  return head->type == GILK_SAMPLES && g_atomic_int_add (kept, 1) == 0 ? 0 : 1;
}

static guint
send_twice (FalseAgent *agent, struct gilk_frame *head, GByteArray *payload, gpointer data)
{
  return head->type == GILK_SAMPLES ? 2 : 1;
}

/* ---- recording a run, and checking its result ---- */

static void
record_run (Fixture *f, FalseTamper tamper, gpointer data, GilkRunState expected)
{
  GError *error = NULL;
  GilkStore *store;
  GilkRunState state;
  int fd;

  false_socket_start (&f->socket, 2, tamper, data);
  fd = g_file_open_tmp ("gilk-accounts-XXXXXX", &f->path, &error);
  g_assert_no_error (error);
  close (fd);
  g_unlink (f->path);
  store = fixture_open (f->path);
  f->run = false_run_new (f->socket.spec, store, 1, &error);
  g_assert_no_error (error);
  gilk_run_start (f->run);
  while ((state = gilk_run_state (f->run)) != GILK_RUN_DONE && state != GILK_RUN_FAILED)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpint (state, ==, expected);
  g_assert_true (gilk_store_close (store, &error));
}

static uint64_t
count_stored (Fixture *f)
{
  g_autoptr(GilkStore) store = fixture_read (f->path);
  g_autoptr(GArray) hooks = fixture_hooks (store);
  uint64_t sum = 0;

  g_assert_cmpuint (hooks->len, ==, 2);
  for (guint i = 0; i < hooks->len; i++)
    sum += g_array_index (hooks, GilkStoredHook, i).stored;

  return sum;
}

/* Checks that the run has measured the cost of hooks before its start and at its end, and not in
 * between. */
static void
assert_cost (Fixture *f)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkStore) store = fixture_read (f->path);
  g_autoptr(GArray) costs = gilk_store_costs (store, 1, &error);
  const GilkStoredCost *cost;

  g_assert_no_error (error);
  g_assert_cmpuint (costs->len, ==, 1);
  cost = &g_array_index (costs, GilkStoredCost, 0);
  g_assert_cmpstr (cost->instrument, ==, "stamp");
  g_assert_cmpuint (cost->n_measurements, ==, 2);
  g_assert_true (cost->ns > 0 && cost->low_ns == cost->ns && cost->high_ns == cost->ns);
}

static void
finish_fixture (Fixture *f)
{
  while (g_atomic_int_get (&G_OBJECT (f->run)->ref_count) > 1)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (100);
  g_object_unref (f->run);
  g_unlink (f->path);
  g_free (f->path);
  false_socket_stop (&f->socket);
}

static void
assert_fails (FalseTamper tamper, gpointer data, const char *words)
{
  Fixture f;
  const GError *error;

  record_run (&f, tamper, data, GILK_RUN_FAILED);
  error = gilk_run_error (f.run);
  g_assert_error (error, GILK_ERROR, GILK_ERROR_PROTOCOL);
  if (strstr (error->message, words) == NULL)
    g_error ("%s", error->message);
  finish_fixture (&f);
}

/* ---- tests ---- */

static void
test_kept (void)
{
  Fixture f;

  record_run (&f, NULL, NULL, GILK_RUN_DONE);
  g_assert_cmpuint (f.socket.agent->cells, >, 0);
  g_assert_cmpuint (count_stored (&f), ==, f.socket.agent->cells);
  assert_cost (&f);
  finish_fixture (&f);
}

static void
test_strangers (void)
{
  assert_fails (rename_hooks, NULL, "have an unknown hook id");
}

static void
test_missing (void)
{
  gint kept = 0;

  assert_fails (hold_one_back, &kept, "missing that were not counted");
}

static void
test_twice (void)
{
  assert_fails (send_twice, NULL, "missing that were not counted");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run-accounts/kept", test_kept);
  g_test_add_func ("/run-accounts/strangers", test_strangers);
  g_test_add_func ("/run-accounts/missing", test_missing);
  g_test_add_func ("/run-accounts/twice", test_twice);

  return g_test_run ();
}

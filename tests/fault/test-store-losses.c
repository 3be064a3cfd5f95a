/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-store-losses.c - tests writing losses while allocations fail
 *
 * Whichever allocation fails, the session and the counts of stored samples must agree, and the next
 * write must succeed.
 */
/* Promise: Accounts: if a loss cannot be written, no sample is doubled or dropped unnoticed */
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/store/gilk-store-loss.h"
#include "tests/store-fixture.h"

#define SAMPLES 20

/* Stores a loss that ends after the first sample, so that gilk_store_narrow_losses() has to move
 * the end of the loss to that sample. */
static gboolean
put_loss (GilkStore *store, gint64 run, GError **error)
{
  const GilkStoredLoss loss = { 0, 5000, 3, 1 };

  return gilk_store_put_loss (store, run, 1, 0, &loss, error);
}

/* Checks that the file contains as many samples as the store has counted. */
static void
check_accounts (GilkStore *store, const char *path)
{
  const gint64 stored = (gint64) gilk_store_stored (store, 1, 0);

  g_assert_cmpint (fixture_query (path, "SELECT coalesce (sum (n), 0) FROM chunk"), ==, stored);
  g_assert_cmpint (fixture_query (path, "SELECT coalesce (sum (stored), 0) FROM counts"), ==, stored);
}

/* Runs @step with samples that are not stored yet, until it succeeds. In each attempt an allocation
 * fails, one allocation later than in the previous attempt. */
static void
fail_each (StoreFixture *f, gboolean (*step) (GilkStore *, gint64, GError **))
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GPtrArray) problems = NULL;
  GilkStore *store = fixture_open (f->path);
  gint64 run = fixture_begin_run (store, &error), t_ns = 1000;
  guint n_failed = 0;
  gboolean good, came;

  g_assert_true (put_loss (store, run, &error) && gilk_store_flush (store, &error));
  for (guint n = 1; ; n += 1 + n / 60)
    {
      for (guint i = 0; i < SAMPLES; i++)
        fixture_add_sample (store, run, 0, 1, t_ns++, NULL, 0);
      fixture_fail_allocation (n);
      good = step (store, run, &error);
      came = fixture_fail_allocation (0);
      if (!good)
        {
          g_assert_error (error, GILK_ERROR, GILK_ERROR_STORE);
          g_assert_nonnull (strstr (error->message, "out of memory"));
          g_clear_error (&error);
          n_failed++;
        }
      gilk_store_flush (store, &error);
      g_assert_no_error (error);
      check_accounts (store, f->path);
      if (good && !came)
        break;
    }
  g_test_message ("%u allocations failed, and each was reported", n_failed);
  g_assert_cmpuint (n_failed, >, 5);
  fixture_end (store, run, 10000);
  problems = gilk_store_verify (f->path, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (problems->len, ==, 0);
}

static void
test_put (StoreFixture *f, gconstpointer unused)
{
  fail_each (f, put_loss);
  g_assert_cmpint (fixture_query (f->path, "SELECT to_ns FROM loss"), ==, 5000);
}

static void
test_narrow (StoreFixture *f, gconstpointer unused)
{
  fail_each (f, gilk_store_narrow_losses);
  g_assert_cmpint (fixture_query (f->path, "SELECT to_ns = (SELECT min (first_ns) FROM chunk) FROM loss"), ==, 1);
}

int
main (int argc, char **argv)
{
  fixture_watch_memory ();
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/store-losses/put", StoreFixture, NULL, fixture_set_up, test_put, fixture_tear_down);
  g_test_add ("/store-losses/narrow", StoreFixture, NULL, fixture_set_up, test_narrow, fixture_tear_down);

  return g_test_run ();
}

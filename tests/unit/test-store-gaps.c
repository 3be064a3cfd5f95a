/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-store-gaps.c - tests that gaps in the stream are stored, end the current chunks, and are
 * verified
 */
#include <sqlite3.h>
#include <string.h>

#include "core/store/gilk-store-loss.h"
#include "tests/store-fixture.h"

enum { IID = 3, CPUS = 2 };

typedef struct {
  uint8_t bytes[4096];
  gsize   used;
} Stream;

static void
put_stamp (Stream *stream, uint64_t tsc)
{
  const struct ilk_record record = { .tsc = tsc, .iid = IID };

  memcpy (stream->bytes + stream->used, &record, sizeof record);
  stream->used += sizeof record;
}

static void
put_gap (Stream *stream, uint64_t tsc, uint64_t since, uint64_t lost)
{
  const struct ilk_record record = { .tsc = tsc, .iid = ILK_IID_GAP, .len = sizeof (struct ilk_lost) };
  const struct ilk_lost payload = { lost, since };

  memset (stream->bytes + stream->used, 0, 2 * ILK_CELL);
  memcpy (stream->bytes + stream->used, &record, G_STRUCT_OFFSET (struct ilk_record, data));
  memcpy (stream->bytes + stream->used + G_STRUCT_OFFSET (struct ilk_record, data), &payload,
          sizeof payload);
  stream->used += 2 * ILK_CELL;
}

static void
send_samples (GilkStore *store, gint64 run, guint cpu, Stream *stream, guint expected)
{
  g_autoptr(GError) error = NULL;
  guint stored;

  gilk_store_add_records (store, run, cpu, stream->bytes, stream->used, &stored, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (stored, ==, expected);
  stream->used = 0;
}

static gint64
begin_run (GilkStore *store)
{
  const struct ilk_instrument_desc desc = { .name = "stamp", .version = 1 };
  g_autoptr(GError) error = NULL;
  gint64 run = fixture_begin (store, CPUS);

  g_assert_true (gilk_store_add_instrument (store, run, &desc, &error) &&
                 gilk_store_set_zero (store, run, 1000, 0, 0, &error));
  fixture_add_hook (store, run, IID, "h", "stamp");

  return run;
}

/* Returns all rows of @sql, one per line. */
static char *
query_rows (const char *path, const char *sql)
{
  GString *text = g_string_new (NULL);
  sqlite3_stmt *stmt = NULL;
  sqlite3 *db = NULL;

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_prepare_v2 (db, sql, -1, &stmt, NULL), ==, SQLITE_OK);
  while (sqlite3_step (stmt) == SQLITE_ROW)
    for (int i = 0; i < sqlite3_column_count (stmt); i++)
      g_string_append_printf (text, "%s%c", (const char *) sqlite3_column_text (stmt, i),
                              i + 1 < sqlite3_column_count (stmt) ? ' ' : '\n');
  sqlite3_finalize (stmt);
  sqlite3_close (db);

  return g_string_free (text, FALSE);
}

static guint
count_problems (const char *path)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GPtrArray) found = gilk_store_verify (path, NULL, NULL, &error);

  g_assert_no_error (error);

  return found->len;
}

static void
test_gaps (void)
{
  g_auto(StoreFixture) at = fixture_new ();
  const char *path = at.path;
  g_autoptr(GError) error = NULL;
  GilkStore *store = fixture_open (path);
  const struct ilk_counter counts[CPUS] = { { .count = 22, .lost = 17 }, { .count = 4, .lost = 3 } };
  g_autofree char *gaps = NULL, *chunks = NULL;
  Stream stream = { .used = 0 };
  gint64 run = begin_run (store);

  /* Four cases: a gap in front of the first sample, a gap reported late, two gaps at one position,
   * and a gap at the end of a batch of records. */
  put_gap (&stream, 1500, 0, 5);
  put_stamp (&stream, 1400);
  put_stamp (&stream, 2000);
  put_gap (&stream, 9000, 2000, 7);
  put_stamp (&stream, 3000);
  put_gap (&stream, 3500, 3000, 1);
  put_gap (&stream, 3600, 3000, 1);
  put_stamp (&stream, 4000);
  put_gap (&stream, 5000, 4000, 3);
  send_samples (store, run, 0, &stream, 4);
  put_stamp (&stream, 1600);
  put_gap (&stream, 7000, 1600, 3);
  send_samples (store, run, 1, &stream, 1);
  put_stamp (&stream, 4800);
  send_samples (store, run, 0, &stream, 1);

  for (guint cpu = 0; cpu < CPUS; cpu++)
    g_assert_true (gilk_store_put_counts (store, run, IID, cpu, &counts[cpu], 9000, &error));
  fixture_end (store, run, 9000);

  gaps = query_rows (path, "SELECT cpu, from_ns, to_ns, lost FROM gap ORDER BY cpu, from_ns, id");
  g_assert_cmpstr (gaps, ==, "0 0 400 5\n0 1000 2000 7\n0 2000 2500 1\n0 2000 2600 1\n"
                             "0 3000 3800 3\n1 600 6000 3\n");
  chunks = query_rows (path, "SELECT cpu, n, first_ns, lost_before FROM chunk ORDER BY cpu, id");
  g_assert_cmpstr (chunks, ==, "0 2 400 5\n0 1 2000 7\n0 1 3000 2\n0 1 3800 3\n1 1 600 0\n");
  g_assert_cmpuint (count_problems (path), ==, 0);

  fixture_run_sql (path, "UPDATE gap SET lost = 6 WHERE lost = 7");
  g_assert_cmpuint (count_problems (path), ==, 2);  /* table "gap" has a wrong checksum, too */
  fixture_run_sql (path, "UPDATE gap SET lost = 8 WHERE lost = 6; UPDATE chunk SET lost_before = 100 WHERE cpu = 0");
  g_assert_cmpuint (count_problems (path), ==, 3);  /* table "chunk" has a wrong checksum */
}

/* Tests rings that overwrite their oldest samples: on CPU 0 only the oldest samples were lost, on
 * CPU 1 newer ones, too. */
static void
test_narrow (void)
{
  g_auto(StoreFixture) at = fixture_new ();
  g_autoptr(GError) error = NULL;
  GilkStore *store = fixture_open (at.path);
  const struct ilk_counter counts[CPUS] = { { .count = 7, .lost = 5 }, { .count = 9, .lost = 7 } };
  const GilkStoredLoss losses[CPUS] = { { 0, 7000, 5, 0 }, { 0, 7000, 7, 0 } };
  g_autofree char *rows = NULL;
  Stream stream = { .used = 0 };
  gint64 run = begin_run (store);

  put_gap (&stream, 9000, 0, 5);
  put_stamp (&stream, 3000);
  put_stamp (&stream, 4000);
  send_samples (store, run, 0, &stream, 2);
  put_gap (&stream, 9000, 0, 5);
  put_stamp (&stream, 3500);
  put_gap (&stream, 9000, 3500, 2);
  put_stamp (&stream, 5000);
  send_samples (store, run, 1, &stream, 2);
  for (guint cpu = 0; cpu < CPUS; cpu++)
    g_assert_true (gilk_store_put_counts (store, run, IID, cpu, &counts[cpu], 9000, &error) &&
                   gilk_store_put_loss (store, run, IID, cpu, &losses[cpu], &error));
  g_assert_true (gilk_store_narrow_losses (store, run, &error));
  fixture_end (store, run, 9000);

  rows = query_rows (at.path, "SELECT cpu, from_ns, to_ns, lost FROM loss ORDER BY cpu");
  g_assert_cmpstr (rows, ==, "0 0 2000 5\n1 0 7000 7\n");
  g_assert_cmpuint (count_problems (at.path), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/store-gaps/gaps", test_gaps);
  g_test_add_func ("/store-gaps/narrow", test_narrow);

  return g_test_run ();
}

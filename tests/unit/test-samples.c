/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-samples.c - tests that the cursor returns all recorded samples, in order, and filtered as
 * requested
 */
/* Promise: the cursor returns all samples, in order, and filtered as asked */
#include <sqlite3.h>
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/samples/gilk-query.h"
#include "core/samples/gilk-rows.h"
#include "core/samples/gilk-samples-tiles.h"
#include "core/samples/gilk-samples.h"
#include "core/store/gilk-sql.h"
#include "core/store/gilk-store-chunk.h"
#include "core/store/gilk-store-transaction.h"
#include "tests/store-fixture.h"
#include "tests/unit/samples-fixture.h"

/* Flags that may be added to the flush interval: compress after recording, or during recording. */
#define COMPRESSED 0x40000000u
#define PACKED     0x20000000u

typedef StoreFixture Fixture;

/* ---- comparing the cursor's samples with the expected ones ---- */

#define TOGETHER "pid > 50 and comm != \"cat\" and  pid <= 400 and cpu == 1"

typedef struct {
  guint       first_hook, n_hooks;
  gint64      from, to;
  const char *condition;
  gboolean    ordered;
} Ask;

static gboolean
is_asked_for (const Ask *ask, const Truth *one)
{
  if (one->hook < ask->first_hook || one->hook >= ask->first_hook + ask->n_hooks ||
      one->t_ns < ask->from || one->t_ns >= ask->to)
    return FALSE;
  if (ask->condition == NULL)
    return TRUE;
  if (strcmp (ask->condition, "cpu == 1") == 0)
    return one->cpu == 1;
  if (strcmp (ask->condition, "comm != \"cat\"") == 0)
    return one->pid % 3 != 0;
  if (strcmp (ask->condition, TOGETHER) == 0)
    return !one->is_short && one->pid > 50 && one->pid <= 400 && one->pid % 3 != 0 && one->cpu == 1;

  return !one->is_short && one->pid > 50;         /* pid > 50 */
}

/* Compares by time, CPU and order of arrival. */
static int
compare_truth (gconstpointer a, gconstpointer b, gpointer first)
{
  const Truth *x = &g_array_index ((const GArray *) first, Truth, *(const guint *) a);
  const Truth *y = &g_array_index ((const GArray *) first, Truth, *(const guint *) b);

  if (x->t_ns != y->t_ns)
    return x->t_ns < y->t_ns ? -1 : 1;
  if (x->cpu != y->cpu)
    return x->cpu < y->cpu ? -1 : 1;

  return *(const guint *) a < *(const guint *) b ? -1 : 1;
}

static void
assert_same (const GilkSampleBlock *block, guint i, const Truth *one, const gint64 *ids)
{
  g_assert_cmpint (block->t_ns[i], ==, one->t_ns);
  g_assert_cmpuint (block->cpu[i], ==, one->cpu);
  g_assert_cmpint (block->hook[i], ==, ids[one->hook]);
  g_assert_cmpstr (block->texts[1][i], ==, names[one->pid % 3]);
  g_assert_cmpint (block->missing[0] != NULL && block->missing[0][i], ==, one->is_short);
  if (!one->is_short)
    g_assert_cmpint (block->values[0][i], ==, one->pid);
}

/* Returns whether no other sample has the same time and CPU. */
static gboolean
is_alone (const GArray *truth, const GArray *wanted, guint at)
{
  const Truth *one = &g_array_index (truth, Truth, g_array_index (wanted, guint, at));

  for (guint i = at > 0 ? at - 1 : 0; i <= MIN (at + 1, wanted->len - 1); i++)
    {
      const Truth *other = &g_array_index (truth, Truth, g_array_index (wanted, guint, i));

      if (i != at && other->t_ns == one->t_ns && other->cpu == one->cpu)
        return FALSE;
    }

  return TRUE;
}

static GilkSamples *
open_cursor (GilkStore *store, const Ask *ask, gint64 *ids)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GArray) hooks = fixture_hooks (store);
  GilkSamples *samples;
  guint number, type;

  for (guint i = 0; i < hooks->len; i++)
    ids[i] = g_array_index (hooks, GilkStoredHook, i).id;
  samples = gilk_samples_new (store, &g_array_index (hooks, GilkStoredHook, ask->first_hook),
                              ask->n_hooks, &error);
  g_assert_no_error (error);
  g_assert_true (gilk_samples_add_field (samples, "pid", &number, &type, &error));
  g_assert_cmpuint (number, ==, 0);
  g_assert_cmpuint (type, ==, ILK_FIELD_U32);
  g_assert_true (gilk_samples_add_field (samples, "comm", &number, &type, &error));
  gilk_samples_set_range (samples, ask->from, ask->to);
  if (ask->ordered)
    gilk_samples_in_order (samples);
  if (ask->condition != NULL)
    g_assert_true (gilk_samples_add_condition (samples, ask->condition, &error));

  return samples;
}

static void
check_ordered (GilkStore *store, const Ask *ask, const GArray *truth)
{
  gint64 ids[HOOKS];
  g_autoptr(GilkSamples) samples = open_cursor (store, ask, ids);
  g_autoptr(GArray) wanted = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr(GError) error = NULL;
  GilkSampleBlock block;
  guint at = 0;

  for (guint i = 0; i < truth->len; i++)
    if (is_asked_for (ask, &g_array_index (truth, Truth, i)))
      g_array_append_val (wanted, i);
  g_array_sort_with_data (wanted, compare_truth, (gpointer) truth);
  while (gilk_samples_next (samples, &block, &error))
    for (guint i = 0; i < block.n; i++)
      {
        const Truth *one = &g_array_index (truth, Truth, g_array_index (wanted, guint, at));

        g_assert_cmpuint (at, <, wanted->len);
        g_assert_cmpint (block.t_ns[i], ==, one->t_ns);
        g_assert_cmpuint (block.cpu[i], ==, one->cpu);
        if (is_alone (truth, wanted, at))
          assert_same (&block, i, one, ids);
        at++;
      }
  g_assert_no_error (error);
  g_assert_cmpuint (at, ==, wanted->len);
}

/* Checks that the unordered cursor returns all samples of a hook. */
static void
check_unordered (GilkStore *store, const Ask *ask, const GArray *truth)
{
  gint64 ids[HOOKS];
  g_autoptr(GilkSamples) samples = open_cursor (store, ask, ids);
  g_autoptr(GError) error = NULL;
  GilkSampleBlock block;
  guint left = 0;

  for (guint i = 0; i < truth->len; i++)
    left += is_asked_for (ask, &g_array_index (truth, Truth, i));
  while (gilk_samples_next (samples, &block, &error))
    {
      left -= block.n;
      g_assert_cmpuint (block.n, >, 0);
    }
  g_assert_no_error (error);
  g_assert_cmpuint (left, ==, 0);
}

static const Ask asks[] = {
  { 0, HOOKS, G_MININT64, G_MAXINT64, NULL, TRUE },
  { 0, 1, G_MININT64, G_MAXINT64, NULL, TRUE },
  { HOOKS - 1, 1, G_MININT64, G_MAXINT64, NULL, TRUE },
  { 1, 5, 100000, 200000, NULL, TRUE },
  { 1, 1, 100000, 100001, NULL, TRUE },
  { 2, 1, 50000, 400000, "pid > 50", TRUE },
  { 2, 1, 50000, 400000, "comm != \"cat\"", TRUE },
  { 0, HOOKS, 0, 300000, "cpu == 1", TRUE },
  { 0, HOOKS, G_MININT64, G_MAXINT64, NULL, FALSE },
  { 7, 3, 7, 70000, "pid > 50", FALSE },
  { 0, HOOKS, G_MININT64, G_MAXINT64, TOGETHER, FALSE },
  { 1, 4, 5, 300000, TOGETHER, TRUE },
  { 0, 1, G_MAXINT64 - 1, G_MAXINT64, NULL, FALSE },
};

typedef struct {
  gint64   from, to;
  guint    most;            /* maximum number of samples in a tile that the reader accepts */
  guint    n, in_tiles;
  double   min, max;
} Seen;

static gboolean
see_tile (const GilkSampleTile *tile, gpointer data)
{
  Seen *seen = data;

  if (tile->n > seen->most)
    return FALSE;
  g_assert_cmpint (tile->from_ns, >=, seen->from);
  g_assert_cmpint (tile->to_ns, <, seen->to);
  seen->in_tiles += tile->n;
  seen->min = MIN (seen->min, tile->min);
  seen->max = MAX (seen->max, tile->max);

  return TRUE;
}

static void
see_samples (const gint64 *t_ns, const double *values, guint n, gpointer data)
{
  Seen *seen = data;

  for (guint i = 0; i < n; i++)
    {
      g_assert_true (t_ns[i] >= seen->from && t_ns[i] < seen->to);
      seen->min = MIN (seen->min, values[i]);
      seen->max = MAX (seen->max, values[i]);
    }
  seen->n += n;
}

/* Checks that tiles, which summarise consecutive samples, and single samples together agree with
 * the expected samples. */
static guint
check_view (GilkStore *store, guint hook, gint64 from, gint64 to, guint most, const GArray *truth)
{
  const GilkSampleViewer viewer = { see_tile, see_samples };
  g_autoptr(GError) error = NULL;
  g_autoptr(GArray) hooks = fixture_hooks (store);
  double wanted_min = G_MAXDOUBLE, wanted_max = -G_MAXDOUBLE;
  Seen seen = { from, to, most, 0, 0, G_MAXDOUBLE, -G_MAXDOUBLE };
  guint wanted = 0;

  g_assert_true (gilk_samples_view (store, &g_array_index (hooks, GilkStoredHook, hook), "pid", from, to,
                                    &viewer, &seen, &error));
  g_assert_no_error (error);
  for (guint i = 0; i < truth->len; i++)
    {
      const Truth *one = &g_array_index (truth, Truth, i);

      if (one->hook != hook || one->is_short || one->t_ns < from || one->t_ns >= to)
        continue;
      wanted++;
      wanted_min = MIN (wanted_min, one->pid);
      wanted_max = MAX (wanted_max, one->pid);
    }
  g_assert_cmpuint (seen.n + seen.in_tiles, ==, wanted);
  g_assert_cmpfloat (seen.min, ==, wanted_min);
  g_assert_cmpfloat (seen.max, ==, wanted_max);

  return seen.in_tiles;
}

static void
test_all_questions (Fixture *f, gconstpointer how)
{
  guint flush_each = GPOINTER_TO_UINT (how) & ~(COMPRESSED | PACKED);
  g_autoptr(GArray) truth = draw_truth (flush_each);
  g_autoptr(GilkStore) store = NULL;
  guint in_tiles = 0;

  record_session (f->path, truth, flush_each, (GPOINTER_TO_UINT (how) & PACKED) != 0);
  if ((GPOINTER_TO_UINT (how) & COMPRESSED) != 0)
    compress_session (f->path);
  store = fixture_read (f->path);
  for (guint i = 0; i < G_N_ELEMENTS (asks); i++)
    if (asks[i].ordered)
      check_ordered (store, &asks[i], truth);
    else
      check_unordered (store, &asks[i], truth);
  for (guint hook = 0; hook < HOOKS; hook += 13)
    {
      in_tiles += check_view (store, hook, G_MININT64, G_MAXINT64, G_MAXUINT, truth);
      check_view (store, hook, G_MININT64, G_MAXINT64, 256, truth);
      check_view (store, hook, G_MININT64, G_MAXINT64, 0, truth);
      check_view (store, hook, 70000, 210000, G_MAXUINT, truth);
    }
  g_assert_true (in_tiles > 0 || flush_each < 10000);
}

static void
test_wrong_conditions (Fixture *f, gconstpointer unused)
{
  static const char *const wrong[] = { "", "pid", "pid >", "nope == 1", "pid == cat", "comm > 7",
                                       "== 3", "pid == 1 2", "pid ~ 3", "cpu == 0x", "pid > 3 and", "and pid > 3",
                                       "pid > 3 and nope == 1", "pid > 3 or pid < 2", "comm == cat and", "comm == a b",
                                       "comm ==", "comm == \"a\" b" };
  g_autoptr(GArray) truth = g_array_new (FALSE, FALSE, sizeof (Truth));
  g_autoptr(GilkStore) store = NULL;
  g_autoptr(GilkSamples) samples = NULL;
  gint64 ids[HOOKS];

  record_session (f->path, truth, 1, FALSE);
  store = gilk_store_open_read (f->path, NULL, NULL);
  samples = open_cursor (store, &asks[1], ids);
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr(GError) error = NULL;

      g_assert_false (gilk_samples_add_condition (samples, wrong[i], &error));
      g_assert_error (error, GILK_ERROR, GILK_ERROR_USAGE);
    }
}

/* ---- tests of a small session whose rows are known ---- */

/* Adds a chunk of samples of the instrument "task". @pids, @names_of and @sizes are the values of
 * its fields; the last element of @sizes may be missing. */
static void
add_tasks (GilkChunkWriter *writer, gint64 instrument, gint64 hook, guint cpu, const gint64 *times, const gint64 *pids,
           const char *const *names_of, const gint64 *sizes, guint n)
{
  g_autofree uint8_t *lengths = g_new0 (uint8_t, n);
  g_autoptr(GError) error = NULL;

  g_assert_true (gilk_chunk_begin (writer, instrument, hook, cpu, times, n, 0, &error));
  g_assert_true (gilk_chunk_add_integers (writer, 0, ILK_FIELD_U32, pids, n, &error));
  for (guint i = 0; names_of != NULL && i < n; i++)
    lengths[i] = (uint8_t) strlen (names_of[i]);
  g_assert_true (names_of == NULL || gilk_chunk_add_texts (writer, 1, names_of, lengths, n, &error));
  g_assert_true (sizes == NULL || gilk_chunk_add_integers (writer, 2, ILK_FIELD_U64, sizes, n, &error));
}

static void
add_frames (GilkChunkWriter *writer, gint64 hook, gint64 first_ns, gint64 second_ns)
{
  const gint64 times[] = { first_ns, second_ns }, frames[] = { -5000, -5000 };
  g_autoptr(GError) error = NULL;

  g_assert_true (gilk_chunk_begin (writer, 3, hook, 0, times, 2, 0, &error));
  g_assert_true (gilk_chunk_add_integers (writer, 0, ILK_FIELD_HEX64, frames, 2, &error));
}

/* Writes the rows of session-rows.sql and the samples of their hooks. */
static void
make_known (const char *path)
{
  g_autofree char *name = g_test_build_filename (G_TEST_DIST, "session-rows.sql", NULL);
  g_autofree char *sql = NULL;
  g_autoptr(GError) error = NULL;
  GilkStore *store = fixture_open (path);
  GilkChunkWriter *writer = gilk_chunk_writer_new (store, FALSE);

  g_assert_true (g_file_get_contents (name, &sql, NULL, NULL));
  if (sqlite3_exec (gilk_sql_db (store), sql, NULL, NULL, NULL) != SQLITE_OK)
    g_error ("%s", sqlite3_errmsg (gilk_sql_db (store)));
  g_assert_true (gilk_store_ensure_transaction (store, &error));
  add_tasks (writer, 1, 1, 0, (gint64[]) { 1000000, 3000000 }, (gint64[]) { 301, 302 }, (const char *[]) { "cat", "tr" },
             (gint64[]) { 1, -1 }, 2);
  add_tasks (writer, 1, 1, 0, (gint64[]) { 5000000 }, (gint64[]) { 301 }, (const char *[]) { "cat" }, NULL, 1);
  add_tasks (writer, 1, 1, 1, (gint64[]) { 900000, 4000000 }, (gint64[]) { 303, 303 },
             (const char *[]) { "sort", "sort" }, (gint64[]) { 7, 8 }, 2);
  add_frames (writer, 3, 1000, 6000);
  add_frames (writer, 4, 3000, 9000);
  add_tasks (writer, 4, 5, 1, (gint64[]) { 70, 80 }, (gint64[]) { 9, 10 }, NULL, NULL, 2);
  g_assert_true (gilk_chunk_finish (writer, &error));
  gilk_chunk_writer_free (writer);
  g_assert_true (gilk_store_flush (store, &error));
  g_assert_true (gilk_store_close (store, &error));
}

/* Checks that a table has exactly the cells of @lines, and only one row if one is requested. */
static void
check_table (GilkStore *store, const GilkRowsChoice *choice, const char *lines)
{
  g_autoptr(GError) error = NULL;
  g_auto(GStrv) all = g_strsplit (lines, "\r\n", -1);
  g_autoptr(GilkRowsTable) table = gilk_rows_table_read (store, choice, 1000, &error);
  g_autoptr(GilkRowsTable) one = gilk_rows_table_read (store, choice, 1, &error);
  g_autofree char *head = NULL;

  g_assert_no_error (error);
  head = g_strjoinv (",", table->columns);
  g_assert_cmpstr (head, ==, all[0]);
  g_assert_cmpuint (table->rows->len, ==, g_strv_length (all) - 2);
  g_assert_false (table->more);
  for (guint i = 0; i < table->rows->len; i++)
    {
      g_autofree char *line = g_strjoinv (",", g_ptr_array_index (table->rows, i));

      g_assert_cmpstr (line, ==, all[i + 1]);
    }
  g_assert_cmpuint (one->rows->len, ==, MIN (table->rows->len, 1));
  g_assert_cmpint (one->more, ==, table->rows->len > 1);
}

/* Returns: (transfer full): all samples as text */
static char *
dump_samples (const char *path)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkStore) store = fixture_read (path);
  GString *text = g_string_new (NULL);

  for (gint64 run = 1; run <= 2; run++)
    {
      g_autoptr(GArray) hooks = gilk_store_hooks (store, run, &error);

      for (guint i = 0; i < hooks->len; i++)
        {
          const GilkRowsChoice choice = { &g_array_index (hooks, GilkStoredHook, i), 1, G_MININT64,
                                          G_MAXINT64, NULL };
          g_autoptr(GilkRows) rows = gilk_rows_new (store, &choice, GILK_ROWS_CSV, &error);
          gsize begin = text->len;

          g_assert_no_error (error);
          gilk_rows_header (rows, text);
          while (gilk_rows_next (rows, text, NULL, &error))
            ;
          g_assert_no_error (error);
          check_table (store, &choice, text->str + begin);
        }
    }

  return g_string_free (text, FALSE);
}

static void
test_rows (Fixture *f, gconstpointer unused)
{
  static const char expected[] =
    "hook,cpu,t_ns,pid,comm,big_B\r\n"
    "sleeps,1,900000,303,sort,7\r\nsleeps,0,1000000,301,cat,1\r\nsleeps,0,3000000,302,tr,"
    "18446744073709551615\r\nsleeps,1,4000000,303,sort,8\r\nsleeps,0,5000000,301,cat,\r\n"
    "hook,t_ns,count\r\ncalls,0,0\r\ncalls,250000000,77\r\n"
    "hook,cpu,t_ns,frame\r\nin,0,1000,0xffffffffffffec78\r\nin,0,6000,0xffffffffffffec78\r\n"
    "hook,cpu,t_ns,frame\r\nout,0,3000,0xffffffffffffec78\r\nout,0,9000,0xffffffffffffec78\r\n"
    "hook,cpu,t_ns,pid\r\nagain,1,70,9\r\nagain,1,80,10\r\n";
  g_autofree char *text = NULL;

  make_known (f->path);
  text = dump_samples (f->path);
  g_assert_cmpstr (text, ==, expected);
}

/* Tests that reading samples fails if an SQL index of the session is not sorted as its definition
 * states, because the samples are then out of order. */
static void
test_wrong_index (Fixture *f, gconstpointer unused)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkStore) store = NULL;
  g_autoptr(GArray) hooks = NULL;
  g_autoptr(GilkSamples) samples = NULL;
  GilkSampleBlock block;

  make_known (f->path);
  fixture_run_sql (f->path, "DROP INDEX chunk_by_hook; CREATE INDEX by_time ON chunk (instrument, first_ns DESC); "
           "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = 'CREATE INDEX by_time ON chunk (instrument, "
           "first_ns)' WHERE name = 'by_time'");
  store = fixture_read (f->path);
  hooks = fixture_hooks (store);
  samples = gilk_samples_new (store, &g_array_index (hooks, GilkStoredHook, 0), 1, &error);
  g_assert_no_error (error);
  gilk_samples_in_order (samples);
  while (gilk_samples_next (samples, &block, &error))
    ;
  g_assert_error (error, GILK_ERROR, GILK_ERROR_FORMAT);
  g_assert_nonnull (strstr (error->message, "not in order of time"));
}

/* ---- test of SQL queries on samples ---- */

static char *
ask_sql (const char *path, const char *sql)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkQuery) query = gilk_query_new (path, sql, NULL, &error);
  GString *text = g_string_new (NULL);

  if (query == NULL)
    {
      g_assert_error (error, GILK_ERROR, GILK_ERROR_USAGE);
      g_string_assign (text, "refused");
      return g_string_free (text, FALSE);
    }
  while (gilk_query_next (query, &error))
    for (guint i = 0; i < gilk_query_columns (query); i++)
      {
        g_autofree char *cell = gilk_query_text (query, i);

        g_string_append_printf (text, "%s ", cell);
      }
  g_assert_no_error (error);

  return g_string_free (text, FALSE);
}

static void
test_sql (Fixture *f, gconstpointer unused)
{
  static const struct { const char *sql, *answer; } cases[] = {
    { "SELECT count(*) FROM samples_task", "7 " },
    { "SELECT hook, comm FROM samples_task WHERE t >= 0.004 ORDER BY t", "sleeps sort sleeps cat " },
    { "SELECT count(*) FROM samples_task WHERE t_ns = 3000000", "1 " },
    { "SELECT count(*) FROM samples_task WHERE t = 0.003", "1 " },
    { "SELECT count(*) FROM samples_task WHERE cpu = 1 AND run = 1", "2 " },
    { "SELECT count(*) FROM samples_task WHERE hook = NULL", "0 " },
    { "SELECT count(*) FROM samples_task WHERE hook = 'none'", "0 " },
    { "SELECT count(*) FROM samples_task WHERE cpu = -1", "0 " },
    { "SELECT big FROM samples_task WHERE comm = 'tr'", "18446744073709551615 " },
    { "SELECT count(*) FROM samples_task a JOIN samples_task b ON a.pid = b.pid AND a.run = b.run", "11 " },
    { "SELECT frame FROM samples_span WHERE hook = 'out' AND t_ns > 3000", "0xffffffffffffec78 " },
    { "SELECT hits, stored, lost FROM hooks WHERE hook = 'sleeps'", "6 5 1 " },
    { "SELECT nope FROM samples_task", "refused" }, { "DELETE FROM run", "refused" },
    { "ATTACH ':memory:' AS x", "refused" }, { "PRAGMA journal_mode = WAL", "refused" },
    { "", "refused" }, { "SELECT 1; SELECT 2", "refused" },
    { "SELECT load_extension ('x')", "refused" }, { "CREATE TEMP TABLE x (y)", "refused" },
  };

  make_known (f->path);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *answer = ask_sql (f->path, cases[i].sql);

      g_test_message ("%s", cases[i].sql);
      g_assert_cmpstr (answer, ==, cases[i].answer);
    }
}

#define ADD(name, data, func) g_test_add ("/samples/" name, Fixture, data, fixture_set_up, func, fixture_tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("flush-at-end", GUINT_TO_POINTER (1000000), test_all_questions);
  ADD ("flush-often", GUINT_TO_POINTER (100), test_all_questions);
  ADD ("flush-now-and-then", GUINT_TO_POINTER (7001), test_all_questions);
  ADD ("compressed", GUINT_TO_POINTER (7001 | COMPRESSED), test_all_questions);
  ADD ("packed", GUINT_TO_POINTER (7001 | PACKED), test_all_questions);
  ADD ("wrong-conditions", NULL, test_wrong_conditions);
  ADD ("rows", NULL, test_rows);
  ADD ("wrong-index", NULL, test_wrong_index);
  ADD ("sql", NULL, test_sql);

  return g_test_run ();
}

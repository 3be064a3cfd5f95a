/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-store.c - tests that a session returns exactly what was stored in it
 *
 * With -m perf the test prints the rate of insertion.
 */
/* Promise: a session returns exactly what was stored in it */
#include <math.h>
#include <string.h>

#include "core/analysis/gilk-hook-stream.h"
#include "core/base/gilk-error.h"
#include "core/samples/gilk-query.h"
#include "core/samples/gilk-rows.h"
#include "core/store/gilk-store-write.h"
#include "tests/store-fixture.h"

#define TSC_KHZ  2500000u
#define ZERO_TSC 1000000000000u

typedef StoreFixture Fixture;

/* Describes samples of 40 bytes, that is two cells: pid u32, comm text, delta s32 in ns, addr
 * hex64, big u64. */
static struct ilk_instrument_desc
task_desc (void)
{
  struct ilk_instrument_desc d = { .id = 1, .version = 3, .sample_bytes = 40, .field_count = 5,
                                   .name = "task", .help = "who was running" };

  d.fields[0] = (struct ilk_field) { "pid", "", "process", ILK_FIELD_U32, 0, 4, 0 };
  d.fields[1] = (struct ilk_field) { "comm", "", "name", ILK_FIELD_TEXT, 4, 16, 0 };
  d.fields[2] = (struct ilk_field) { "delta", "ns", "signed", ILK_FIELD_S32, 20, 4, 0 };
  d.fields[3] = (struct ilk_field) { "addr", "", "where", ILK_FIELD_HEX64, 24, 8, 0 };
  d.fields[4] = (struct ilk_field) { "big", "B", "large", ILK_FIELD_U64, 32, 8, 0 };

  return d;
}

static guint
put_record (uint8_t *at, uint32_t iid, uint64_t tsc, uint32_t pid, const char *comm, int32_t delta,
            uint64_t addr, uint64_t big)
{
  struct ilk_record r = { .commit = 1, .tsc = tsc, .iid = iid, .len = 40 };
  char name[16] = { 0 };

  memset (at, 0, 64);
  memcpy (name, comm, MIN (strlen (comm), sizeof name));
  memcpy (at, &r, 24);
  memcpy (at + 24, &pid, 4);
  memcpy (at + 28, name, 16);
  memcpy (at + 44, &delta, 4);
  memcpy (at + 48, &addr, 8);
  memcpy (at + 56, &big, 8);

  return ILK_RECORD_CELLS (40) * ILK_CELL;
}

static gint64
begin_run (GilkStore *store, guint n_cpus)
{
  const GilkStoreRun run = {
    .target = "lab:6.1", .hostname = "lab", .release = "6.1.0", .build_id = "abcd",
    .title = "test", .plan_text = "[gilk-plan]\n", .tsc_khz = TSC_KHZ, .n_cpus = n_cpus,
  };
  g_autoptr(GError) error = NULL;
  gint64 id = gilk_store_begin_run (store, &run, &error);

  g_assert_no_error (error);
  g_assert_cmpint (id, >, 0);
  g_assert_true (gilk_store_set_zero (store, id, ZERO_TSC, 500, 1700000000000000000u, &error));

  return id;
}

static gint64
add_hook (GilkStore *store, gint64 run, uint32_t iid, const char *label, const char *instrument)
{
  const GilkStoreHook hook = {
    .iid = iid, .label = label, .function = "pipe_write", .module = "kernel", .block = "+0x2b1",
    .where = "pre", .instrument = instrument, .tactic = "splice",
    .addr = 0xffffffff81234560u, .site = 0xffffffff81234560u, .cost = 7,
  };
  g_autoptr(GError) error = NULL;
  gint64 id;

  gilk_store_add_hook (store, run, &hook, &id, &error);
  g_assert_no_error (error);

  return id;
}

/* Returns a single number from a query that may read samples. */
static gint64
query_samples (const char *path, const char *sql)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkQuery) query = gilk_query_new (path, sql, NULL, &error);
  g_autofree char *value = NULL;

  g_assert_no_error (error);
  g_assert_true (gilk_query_next (query, &error));
  value = gilk_query_text (query, 0);

  return g_ascii_strtoll (value, NULL, 10);
}

static void
record_a_run (const char *path)
{
  g_autoptr(GError) error = NULL;
  GilkStore *store = fixture_open (path);
  struct ilk_instrument_desc task = task_desc ();
  struct ilk_instrument_desc count = { .id = 2, .name = "count", .help = "counts" };
  struct ilk_counter counter = { .count = 5, .lost = 1 };
  struct ilk_patch_status patch = {
    .id = 9, .state = ILK_STATE_PREPARED, .tactic = ILK_TACTIC_SPLICE, .len = 5,
    .site = 0xffffffff81234560u,
    .old = { 0x48, 0x89, 0xe5, 0x41, 0x57 }, .new_ = { 0xe9, 1, 2, 3, 4 },
  };
  const GilkStoreBlock blocks[] = { { "+0x0", 16, 32, FALSE, "nop" }, { "+0x10", 32, 40, TRUE, "ret" } };
  const GilkStoreEdge edges[] = { { 0, 1, 1, FALSE }, { 1, 0, 3, TRUE } };
  uint8_t cells[64 * 4];
  guint stored = 0, used = 0;
  gint64 run = begin_run (store, 2);

  g_assert_true (gilk_store_add_instrument (store, run, &task, &error));
  g_assert_true (gilk_store_add_instrument (store, run, &count, &error));
  add_hook (store, run, 17, "sleeps", "task");
  add_hook (store, run, 18, "calls", "count");
  g_assert_true (gilk_store_add_function (store, run, "pipe_write", "kernel", 16, blocks, 2, edges,
                                          2, &error));
  used += put_record (cells + used, 17, ZERO_TSC + TSC_KHZ, 301, "cat", -5, 0xffffffff80000000u, 1);
  used += put_record (cells + used, 17, ZERO_TSC + 2 * TSC_KHZ, 302, "tr", 6, 0, G_MAXUINT64);
  used += put_record (cells + used, 99, ZERO_TSC, 1, "alien", 0, 0, 0);
  used += put_record (cells + used, 17, ZERO_TSC + 5 * TSC_KHZ, 301, "cat", 7, 1, 2);
  g_assert_true (gilk_store_add_records (store, run, 1, cells, used, &stored, &error));
  g_assert_cmpuint (stored, ==, 3);
  g_assert_cmpuint (gilk_store_stored (store, 17, 1), ==, 3);
  g_assert_true (gilk_store_put_counts (store, run, 17, 1, &counter, 1000, &error));
  counter = (struct ilk_counter) { .count = 1234567890123u };
  g_assert_true (gilk_store_put_counts (store, run, 18, 0, &counter, 1000, &error));
  g_assert_true (gilk_store_add_count_point (store, run, 18, 0, 0, &error));
  g_assert_true (gilk_store_add_count_point (store, run, 18, 250000000, 77, &error));
  g_assert_true (gilk_store_plan_patches (store, run, &patch, 1, &error));
  patch.state = ILK_STATE_RESTORED;
  patch.armed_mono_ns = 700;
  patch.restored_mono_ns = 900;
  g_assert_true (gilk_store_note_patches (store, run, &patch, 1, TRUE, &error));
  g_assert_true (gilk_store_end_run (store, run, 2000000000, "time is up", &error));
  g_assert_true (gilk_store_close (store, &error));
  g_assert_no_error (error);
}

static void
collect_rows (GilkStore *store, const GilkStoredHook *hook, GString *lines)
{
  g_autoptr(GError) error = NULL;
  const GilkRowsChoice choice = { hook, 1, G_MININT64, G_MAXINT64, NULL };
  g_autoptr(GilkRows) rows = gilk_rows_new (store, &choice, GILK_ROWS_CSV, &error);

  g_assert_no_error (error);
  for (gilk_rows_header (rows, lines); gilk_rows_next (rows, lines, NULL, &error);)
    ;
  g_assert_no_error (error);
}

static void
test_round_trip (Fixture *f, gconstpointer unused)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkStore) store = NULL;
  g_autoptr(GArray) runs = NULL, hooks = NULL, fields = NULL, groups = NULL;
  g_autoptr(GilkHookStream) stream = NULL;
  GilkHookBlock block;
  g_autoptr(GString) rows = g_string_new (NULL);
  const GilkStoredHook *task, *count;

  record_a_run (f->path);
  store = fixture_read (f->path);
  runs = gilk_store_runs (store, &error);
  g_assert_cmpuint (runs->len, ==, 1);
  g_assert_cmpstr (g_array_index (runs, GilkStoredRun, 0).end_reason, ==, "time is up");
  g_assert_cmpstr (g_array_index (runs, GilkStoredRun, 0).started, ==, "2023-11-14T22:13:20Z");
  g_assert_cmpuint (g_array_index (runs, GilkStoredRun, 0).samples, ==, 3);
  g_assert_cmpuint (g_array_index (runs, GilkStoredRun, 0).lost, ==, 1);

  hooks = fixture_hooks (store);
  g_assert_cmpuint (hooks->len, ==, 2);
  task = &g_array_index (hooks, GilkStoredHook, 0);
  count = &g_array_index (hooks, GilkStoredHook, 1);
  g_assert_cmpuint (task->addr, ==, 0xffffffff81234560u);
  g_assert_cmpuint (task->stored, ==, 3);
  g_assert_cmpuint (count->hits, ==, 1234567890123u);

  fields = gilk_store_fields (store, 1, "task", &error);
  g_assert_cmpuint (fields->len, ==, 5);
  g_assert_cmpstr (g_array_index (fields, GilkStoredField, 2).unit, ==, "ns");

  stream = gilk_hook_stream_new (store, task, &(GilkHookAsk) { .field = "big", .from = NAN, .to = NAN }, &error);
  g_assert_true (gilk_hook_stream_next (stream, &block, &error));
  g_assert_cmpuint (block.n, ==, 3);
  g_assert_cmpfloat (block.times[0], ==, 0.001);
  g_assert_cmpfloat_with_epsilon (block.times[2], 0.005, 1e-12);
  g_assert_cmpfloat (block.values[1], ==, 18446744073709551615.0);
  g_assert_false (gilk_hook_stream_next (stream, &block, &error));

  groups = gilk_store_group (store, task, "comm", &error);
  g_assert_cmpuint (groups->len, ==, 2);
  g_assert_cmpstr (g_array_index (groups, GilkStoredGroup, 0).value, ==, "cat");
  g_assert_cmpuint (g_array_index (groups, GilkStoredGroup, 0).count, ==, 2);

  collect_rows (store, task, rows);
  g_assert_cmpstr (rows->str, ==,
                   "hook,cpu,t_ns,pid,comm,delta_ns,addr,big_B\r\n"
                   "sleeps,1,1000000,301,cat,-5,0xffffffff80000000,1\r\n"
                   "sleeps,1,2000000,302,tr,6,0x0000000000000000,18446744073709551615\r\n"
                   "sleeps,1,5000000,301,cat,7,0x0000000000000001,2\r\n");
  g_string_truncate (rows, 0);
  collect_rows (store, count, rows);
  g_assert_cmpstr (rows->str, ==, "hook,t_ns,count\r\ncalls,0,0\r\ncalls,250000000,77\r\n");
}

/* Tests that the graph of a hooked function is read back unchanged. */
static void
test_graph (Fixture *f, gconstpointer unused)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkStore) store = NULL;
  g_autoptr(GArray) functions = NULL, none = NULL, blocks = NULL, edges = NULL;
  const GilkStoredFunction *function;

  record_a_run (f->path);
  store = fixture_read (f->path);
  none = gilk_store_functions (store, 2, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (none->len, ==, 0);
  functions = gilk_store_functions (store, 1, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (functions->len, ==, 1);
  function = &g_array_index (functions, GilkStoredFunction, 0);
  g_assert_cmpstr (function->name, ==, "pipe_write");
  g_assert_cmpstr (function->module, ==, "kernel");
  g_assert_cmpuint (function->entry, ==, 16);
  g_assert_cmpuint (function->n_blocks, ==, 2);

  g_assert_true (gilk_store_function (store, function, &blocks, &edges, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (blocks->len, ==, 2);
  g_assert_cmpstr (g_array_index (blocks, GilkStoredBlock, 0).name, ==, "+0x0");
  g_assert_cmpstr (g_array_index (blocks, GilkStoredBlock, 1).text, ==, "ret");
  g_assert_cmpuint (g_array_index (blocks, GilkStoredBlock, 1).end, ==, 40);
  g_assert_true (g_array_index (blocks, GilkStoredBlock, 1).cold);
  g_assert_cmpuint (edges->len, ==, 2);
  g_assert_cmpuint (g_array_index (edges, GilkStoreEdge, 0).to, ==, 1);
  g_assert_cmpuint (g_array_index (edges, GilkStoreEdge, 1).kind, ==, 3);
  g_assert_true (g_array_index (edges, GilkStoreEdge, 1).back);
}

/* Tests that the session is one plain file that sqlite3 can read, except for the samples. */
static void
test_plain_sqlite (Fixture *f, gconstpointer unused)
{
  g_autofree char *wal = g_strconcat (f->path, "-wal", NULL);
  g_autofree char *lock = g_strconcat (f->path, "-recording", NULL);

  record_a_run (f->path);
  g_assert_false (g_file_test (wal, G_FILE_TEST_EXISTS));
  g_assert_false (g_file_test (lock, G_FILE_TEST_EXISTS));
  g_assert_cmpint (query_samples (f->path, "SELECT count(*) FROM samples_task WHERE hook = 'sleeps' "
                                  "AND function = 'pipe_write' AND comm = 'cat' AND cpu = 1"), ==, 2);
  g_assert_cmpint (query_samples (f->path, "SELECT count(*) FROM samples_task WHERE big = "
                                  "'18446744073709551615' AND t = 0.002 AND addr = "
                                  "'0x0000000000000000'"), ==, 1);
  g_assert_cmpint (fixture_query (f->path, "SELECT hits = stored + lost + 1 FROM hooks"), ==, 1);
  g_assert_cmpint (fixture_query (f->path, "SELECT samples FROM runs"), ==, 3);
  g_assert_cmpint (fixture_query (f->path, "SELECT count(*) FROM patches WHERE before = '4889e54157' AND "
                              "armed = 'e901020304' AND site = '0xffffffff81234560' AND "
                              "spliced_at IS NULL AND restored_at = 4e-7"), ==, 1);
  g_assert_cmpint (fixture_query (f->path, "SELECT count(*) FROM block WHERE cold = 1"), ==, 1);
  g_assert_cmpint (fixture_query (f->path, "PRAGMA application_id"), ==, 0x47696C6B);
}

/* Tests that a second run, in which an instrument's fields have other names, is stored in the same
 * file and the same SQL view. */
static void
test_second_run (Fixture *f, gconstpointer unused)
{
  g_autoptr(GError) error = NULL;
  struct ilk_instrument_desc task = task_desc ();
  GilkStore *store;
  uint8_t cells[64];
  guint stored;
  gint64 run;

  record_a_run (f->path);
  store = fixture_open (f->path);
  run = begin_run (store, 1);
  g_assert_cmpint (run, ==, 2);
  g_strlcpy (task.fields[2].name, "site", sizeof task.fields[2].name);
  g_strlcpy (task.fields[4].name, "hook", sizeof task.fields[4].name);
  g_assert_true (gilk_store_add_instrument (store, run, &task, &error));
  add_hook (store, run, 17, "again", "task");
  put_record (cells, 17, ZERO_TSC, 7, "x", 1, 2, 3);
  g_assert_true (gilk_store_add_records (store, run, 0, cells, 64, &stored, &error));
  fixture_end (store, run, 1);
  g_assert_cmpint (query_samples (f->path, "SELECT count(*) FROM samples_task"), ==, 4);
  g_assert_cmpint (query_samples (f->path, "SELECT hook_ FROM samples_task WHERE run = 2 AND delta "
                                  "IS NULL AND site = 1 AND hook = 'again'"), ==, 3);
}

/* Tests that times of 2^40 and more ticks do not overflow and are not rounded up. */
static void
test_time_conversion (Fixture *f, gconstpointer unused)
{
  static const struct { uint64_t ticks; gint64 ns; } cases[] = {
    { 0, 0 }, { 1, 0 }, { 5, 2 }, { 2500000, 1000000 },
    { (uint64_t) 1 << 62, 1844674407370955161 }, { G_MAXUINT64 - ZERO_TSC, 7378697229483820646 },
  };
  g_autoptr(GError) error = NULL;
  GilkStore *store = fixture_open (f->path);
  struct ilk_instrument_desc stamp = { .id = 1, .name = "stamp" };
  gint64 run = begin_run (store, 1);

  g_assert_true (gilk_store_add_instrument (store, run, &stamp, &error));
  add_hook (store, run, 1, "h", "stamp");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const struct ilk_record r = { .commit = 1, .tsc = ZERO_TSC + cases[i].ticks, .iid = 1 };
      g_autofree char *sql = g_strdup_printf ("SELECT max (t_ns) FROM samples_stamp WHERE t_ns <= "
                                              "%" G_GINT64_FORMAT, cases[i].ns + 1);
      guint stored;

      g_assert_true (gilk_store_add_records (store, run, 0, &r, sizeof r, &stored, &error));
      g_assert_true (gilk_store_flush (store, &error));
      g_assert_cmpint (query_samples (f->path, sql), ==, cases[i].ns);
    }
  gilk_store_free (store);
}

static void
test_bad_records (Fixture *f, gconstpointer unused)
{
  GilkStore *store = gilk_store_open (f->path, NULL);
  struct ilk_instrument_desc task = task_desc (), broken = task_desc ();
  gint64 run = begin_run (store, 1);
  uint8_t cells[64];
  guint stored;
  const struct { guint cpu; gsize bytes; uint32_t len; int code; } cases[] = {
    { 0, 31, 40, GILK_ERROR_PROTOCOL }, { 0, 32, 40, GILK_ERROR_PROTOCOL },
    { 0, 64, 137, GILK_ERROR_PROTOCOL }, { 0, 64, G_MAXUINT32, GILK_ERROR_PROTOCOL },
    { 1, 64, 40, GILK_ERROR_STORE },
  };

  g_assert_true (gilk_store_add_instrument (store, run, &task, NULL));
  add_hook (store, run, 17, "h", "task");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr(GError) error = NULL;

      put_record (cells, 17, ZERO_TSC, 1, "sixteen-letters!!", 1, 2, 3);
      memcpy (cells + 20, &cases[i].len, 4);
      g_assert_false (gilk_store_add_records (store, run, cases[i].cpu, cells, cases[i].bytes,
                                              &stored, &error));
      g_assert_error (error, GILK_ERROR, cases[i].code);
      g_assert_cmpuint (stored, ==, 0);
    }

  for (guint i = 0; i < 4; i++)
    {
      g_autoptr(GError) error = NULL;

      broken = task_desc ();
      strcpy (broken.name, "broken");
      if (i == 0)
        broken.fields[0].offset = 39;
      else if (i == 1)
        broken.sample_bytes = 4096;
      else if (i == 2)
        broken.field_count = 200;
      else
        memset (broken.fields[1].name, 'x', sizeof broken.fields[1].name);
      g_assert_false (gilk_store_add_instrument (store, run, &broken, &error));
      g_assert_error (error, GILK_ERROR, GILK_ERROR_PROTOCOL);
    }
  gilk_store_free (store);
}

/* Tests that names of fields are treated as data, and are not executed as SQL. */
static void
test_hostile_names (Fixture *f, gconstpointer unused)
{
  g_autoptr(GError) error = NULL;
  GilkStore *store = gilk_store_open (f->path, NULL);
  struct ilk_instrument_desc d = task_desc ();
  gint64 run = begin_run (store, 1);

  strcpy (d.name, "a\"; DROP TABLE run;--");
  strcpy (d.fields[0].name, "\"); DROP TABLE run;--");
  strcpy (d.fields[1].name, "");
  strcpy (d.fields[2].name, "hook");
  strcpy (d.fields[3].name, "HOOK");
  strcpy (d.fields[4].name, "9lives");
  g_assert_true (gilk_store_add_instrument (store, run, &d, &error));
  g_assert_no_error (error);
  fixture_end (store, run, 1);
  g_assert_cmpint (fixture_query (f->path, "SELECT count(*) FROM run"), ==, 1);
}

static void
test_readers (Fixture *f, gconstpointer unused)
{
  g_autoptr(GError) error = NULL;
  GilkStore *writer = gilk_store_open (f->path, NULL), *reader, *second;
  gint64 run = begin_run (writer, 1);
  const GilkStoreRun info = { .tsc_khz = 1, .n_cpus = 1 };
  GArray *runs;

  g_assert_true (gilk_store_flush (writer, &error));
  reader = fixture_read (f->path);
  runs = gilk_store_runs (reader, &error);
  g_assert_cmpstr (g_array_index (runs, GilkStoredRun, 0).end_reason, ==, "being recorded");
  g_array_unref (runs);
  g_assert_cmpint (gilk_store_begin_run (reader, &info, &error), ==, 0);
  g_assert_error (error, GILK_ERROR, GILK_ERROR_STORE);
  g_clear_error (&error);
  gilk_store_free (reader);

  second = fixture_open (f->path);
  g_assert_cmpint (gilk_store_begin_run (second, &info, &error), ==, 0);
  g_assert_error (error, GILK_ERROR, GILK_ERROR_STORE);
  g_assert_nonnull (strstr (error->message, "being recorded by another"));
  g_clear_error (&error);
  gilk_store_free (second);

  g_assert_true (gilk_store_end_run (writer, run, 5, "stopped", &error));
  g_assert_cmpint (gilk_store_begin_run (writer, &info, &error), ==, 2);
  g_assert_no_error (error);
  gilk_store_free (writer);
}

static void
test_wrong_questions (Fixture *f, gconstpointer unused)
{
  g_autoptr(GilkStore) store = NULL;
  g_autoptr(GArray) hooks = NULL, none = NULL;
  g_autoptr(GError) error = NULL;
  const GilkStoredHook *task, *count;

  record_a_run (f->path);
  store = gilk_store_open_read (f->path, NULL, NULL);
  hooks = gilk_store_hooks (store, 1, NULL);
  none = gilk_store_hooks (store, 4711, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (none->len, ==, 0);
  task = &g_array_index (hooks, GilkStoredHook, 0);
  count = &g_array_index (hooks, GilkStoredHook, 1);

  g_assert_null (gilk_hook_stream_new (store, task, &(GilkHookAsk) { .field = "comm" }, &error));
  g_assert_error (error, GILK_ERROR, GILK_ERROR_USAGE);
  g_clear_error (&error);
  g_assert_null (gilk_hook_stream_new (store, task, &(GilkHookAsk) { .field = "nope" }, &error));
  g_assert_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND);
  g_clear_error (&error);
  g_assert_null (gilk_hook_stream_new (store, count, &(GilkHookAsk) { .field = "time" }, &error));
  g_assert_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND);
  g_clear_error (&error);
  g_assert_null (gilk_store_group (store, count, "comm", &error));
  g_assert_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND);
}

/* ---- measurement of the insertion rate, with -m perf ---- */

static void
test_rate (Fixture *f, gconstpointer unused)
{
  enum { CHUNK = 8192, CHUNKS = 128 };
  g_autofree uint8_t *cells = g_malloc (CHUNK * 64);
  g_autoptr(GError) error = NULL;
  GilkStore *store;
  struct ilk_instrument_desc task = task_desc ();
  struct ilk_instrument_desc stamp = { .id = 1, .name = "stamp" };
  guint stored, used = 0, rounds = g_test_perf () ? CHUNKS : 4;
  double seconds;
  gint64 run;

  store = gilk_store_open (f->path, NULL);
  run = begin_run (store, 1);
  task.field_count = 2;
  gilk_store_add_instrument (store, run, &task, NULL);
  gilk_store_add_instrument (store, run, &stamp, NULL);
  add_hook (store, run, 17, "t", "task");
  add_hook (store, run, 18, "s", "stamp");
  for (guint i = 0; i < CHUNK; i++)
    used += put_record (cells + used, 17, ZERO_TSC + i, i, "cat", 1, 2, 3);
  g_test_timer_start ();
  for (guint i = 0; i < rounds; i++)
    g_assert_true (gilk_store_add_records (store, run, 0, cells, used, &stored, &error));
  g_assert_true (gilk_store_flush (store, &error));
  seconds = g_test_timer_elapsed ();
  g_test_maximized_result (rounds * CHUNK / seconds, "task samples a second: %.0f",
                           rounds * CHUNK / seconds);

  for (guint i = 0; i < CHUNK; i++)
    {
      const struct ilk_record r = { .commit = 1, .tsc = ZERO_TSC + i * 100, .iid = 18 };

      memcpy (cells + i * sizeof r, &r, sizeof r);
    }
  g_test_timer_start ();
  for (guint i = 0; i < rounds; i++)
    g_assert_true (gilk_store_add_records (store, run, 0, cells, CHUNK * 32, &stored, &error));
  g_assert_true (gilk_store_flush (store, &error));
  seconds = g_test_timer_elapsed ();
  g_test_maximized_result (rounds * CHUNK / seconds, "stamps a second: %.0f",
                           rounds * CHUNK / seconds);
  g_test_timer_start ();
  g_assert_true (gilk_store_end_run (store, run, 1, "stopped", &error));
  g_test_message ("index: %.2f s", g_test_timer_elapsed ());
  g_assert_true (gilk_store_close (store, &error));
  g_test_message ("%.1f bytes a sample", (double) fixture_query (f->path, "SELECT page_count * page_size "
                  "FROM pragma_page_count, pragma_page_size") / (2.0 * rounds * CHUNK));
}

#define ADD(name, func) g_test_add ("/store/" name, Fixture, NULL, fixture_set_up, func, fixture_tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("round-trip", test_round_trip);
  ADD ("graph", test_graph);
  ADD ("plain-sqlite", test_plain_sqlite);
  ADD ("second-run", test_second_run);
  ADD ("time-conversion", test_time_conversion);
  ADD ("bad-records", test_bad_records);
  ADD ("hostile-names", test_hostile_names);
  ADD ("readers", test_readers);
  ADD ("wrong-questions", test_wrong_questions);
  ADD ("rate", test_rate);

  return g_test_run ();
}

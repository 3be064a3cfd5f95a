/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz-session-corrupt.c - makes valid sessions and corrupts them
 */
#include "core/store/gilk-store-names.h"
#include "tests/fuzz/fuzz-session.h"

#include "core/store/gilk-sql.h"

#include <glib/gstdio.h>
#include <sqlite3.h>
#include <string.h>

#include "core/store/gilk-store-clock.h"
#include "core/store/gilk-store-cost.h"
#include "core/store/gilk-store-program.h"
#include "core/store/gilk-store-write.h"

guint
fuzz_draw (Dice *dice,
           guint below)
{
  dice->state ^= dice->state >> 12;
  dice->state ^= dice->state << 25;
  dice->state ^= dice->state >> 27;

  return (guint) ((dice->state * 2685821657736338717ull) >> 32) % below;
}

/* ---- making valid sessions ---- */

static void
check_result (gboolean done, GError *error)
{
  if (!done)
    g_error ("a valid session could not be made: %s", error != NULL ? error->message : "?");
}

static struct ilk_instrument_desc
make_task_desc (void)
{
  struct ilk_instrument_desc d = { .id = 1, .version = 1, .sample_bytes = 32, .field_count = 3,
                                   .name = "task", .help = "who was running" };

  d.fields[0] = (struct ilk_field) { "pid", "", "process", ILK_FIELD_U32, 0, 4, 0 };
  d.fields[1] = (struct ilk_field) { "comm", "", "name", ILK_FIELD_TEXT, 4, 16, 0 };
  d.fields[2] = (struct ilk_field) { "took", "ns", "how long", ILK_FIELD_U64, 24, 8, 0 };

  return d;
}

static struct ilk_instrument_desc
make_span_desc (void)
{
  struct ilk_instrument_desc d = { .id = 2, .version = 1, .sample_bytes = 8, .field_count = 1,
                                   .name = "span", .help = "calls" };

  d.fields[0] = (struct ilk_field) { "frame", "", "which call", ILK_FIELD_HEX64, 0, 8, 0 };

  return d;
}

/* Adds a hook to the session. Returns the id of its row. */
static gint64
add_hook (GilkStore *store, gint64 run, guint iid, const char *label, const char *function,
          const char *where, const char *instrument)
{
  const GilkStoreHook hook = {
    .iid = iid, .label = label, .function = function, .module = "kernel", .block = "+0x10",
    .where = where, .instrument = instrument, .tactic = "splice", .addr = 32, .site = 32,
    .stop_ns = iid == 1 ? 900000000 : 0, .cost = 7, .fingerprint = "0123456789abcdef",
  };
  GError *error = NULL;
  gint64 id = 0;

  check_result (gilk_store_add_hook (store, run, &hook, &id, &error), error);

  return id;
}

/* Adds a program with a map of each kind. */
static void
add_program (GilkStore *store, gint64 hook)
{
  static const GilkProgramMap kept[] = {
    { .name = "total", .kind = GILK_MAP_GLOBAL, .is_signed = TRUE, .initial = 3 },
    { .name = "calls", .kind = GILK_MAP_COUNTER }, { .name = "sizes", .kind = GILK_MAP_HISTOGRAM, .bits = 2 },
    { .name = "by_pid", .kind = GILK_MAP_HASH, .slots = 64, .meaning = GILK_MEANING_STACK }, { .name = "by_pid", .kind = GILK_MAP_MISSED },
    { .name = "bad", .kind = GILK_MAP_BAD },
  };
  GilkStoreValue values[40];
  GError *error = NULL;

  check_result (gilk_store_add_program (store, hook, "sizes", "histogram sizes;\nsizes(count)", kept, G_N_ELEMENTS (kept), &error),
                error);
  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    values[i] = (GilkStoreValue) { i / 2 * 3, i % 2, 1 + i * i };
  check_result (gilk_store_put_map (store, hook, "sizes", GILK_MAP_HISTOGRAM, values, 40, &error) &&
                gilk_store_put_map (store, hook, "by_pid", GILK_MAP_HASH, values, 40, &error) &&
                gilk_store_put_map (store, hook, "calls", GILK_MAP_COUNTER, values, 2, &error) &&
                gilk_store_put_map (store, hook, "by_pid", GILK_MAP_MISSED, values, 1, &error), error);
}

static void
add_names (GilkStore *store, gint64 run)
{
  const uint64_t calls[] = { 16, 32, 48 };
  GError *error = NULL;

  check_result (gilk_store_add_address (store, run, 16, "vfs_write", 0, "kernel", &error) &&
                gilk_store_add_address (store, run, 32, "pipe_write", 9, "kernel", &error) &&
                gilk_store_add_stack (store, run, 0, calls, 3, &error) && gilk_store_add_stack (store, run, 3, calls, 2, &error) &&
                gilk_store_add_value_name (store, run, "enum pid_type", 1, "PIDTYPE_TGID", &error), error);
}

static void
add_samples (GilkStore *store, gint64 run)
{
  static const char *const names[] = { "cat", "tr", "sed", "grep" };
  enum { TASKS = 324, SPANS = 16 };
  g_autofree uint8_t *cells = g_malloc0 (64 * TASKS + 32 * SPANS);
  GError *error = NULL;
  guint used = 0, stored;

  /* The second hook has enough samples for a chunk of its own. */
  for (guint i = 0; i < TASKS; i++)
    {
      struct ilk_record r = { .commit = 1, .tsc = 1000 + i * 1000000 / (i < 24 ? 1 : 20),
                              .iid = i < 24 ? 1 + i % 2 : 2, .len = 32 };
      uint32_t pid = 100 + i % 4;
      uint64_t took = i * i * 1000;

      memcpy (cells + used, &r, 24);
      memcpy (cells + used + 24, &pid, 4);
      memcpy (cells + used + 28, names[i % 4], strlen (names[i % 4]));
      memcpy (cells + used + 48, &took, 8);
      used += 64;
    }
  for (guint i = 0; i < SPANS; i++, used += 32)
    {
      struct ilk_record r = { .commit = 1, .tsc = 1000 + i * 700000, .iid = 3 + i % 2, .len = 8 };
      uint64_t frame = 0xffffc90000000000u + i / 4 * 64;

      memcpy (r.data, &frame, sizeof frame);
      memcpy (cells + used, &r, sizeof r);
    }
  check_result (gilk_store_add_records (store, run, 0, cells, used, &stored, &error), error);
}

static void
add_journal (GilkStore *store, gint64 run)
{
  struct ilk_patch_status patch = {
    .id = 5, .state = ILK_STATE_PREPARED, .tactic = ILK_TACTIC_BOUNCE, .len = 2, .site = 32,
    .slot = 64, .old = { 0x31, 0xc0 }, .new_ = { 0xeb, 9 }, .aux = 43,
    .aux_old = { 0xcc, 0xcc, 0xcc, 0xcc, 0xcc }, .aux_new = { 0xe9, 1, 2, 3, 4 },
  };
  GError *error = NULL;

  check_result (gilk_store_plan_patches (store, run, &patch, 1, &error), error);
  patch.state = ILK_STATE_ARMED;
  patch.armed_mono_ns = patch.spliced_mono_ns = 5;
  check_result (gilk_store_note_patches (store, run, &patch, 1, TRUE, &error), error);
}

static void
add_graph (GilkStore *store, gint64 run)
{
  const GilkStoreBlock blocks[] = {
    { "+0x0", 16, 32, FALSE, "push %rbp\njne 20" }, { "+0x10", 32, 40, FALSE, "nop" },
    { "+0x18", 40, 48, FALSE, "jmp 20" }, { ".cold+0x0", 80, 90, TRUE, "ret" },
  };
  const GilkStoreEdge edges[] = { { 0, 1, 2, FALSE }, { 0, 2, 1, FALSE }, { 1, 2, 0, FALSE },
                                  { 2, 1, 3, TRUE }, { 2, 3, 3, FALSE } };
  GError *error = NULL;

  check_result (gilk_store_add_function (store, run, "pipe_write", "kernel", 16, blocks, 4, edges, 5, &error),
                error);
}

static void
make_study (const char *path, gboolean ends)
{
  const GilkStoreRun about = {
    .target = "lab:6.1", .hostname = "lab", .release = "6.1.0", .build_id = "abcd", .title = "study",
    .plan_text = "[gilk-plan]\n", .zero_tsc = 1000, .zero_mono_ns = 1, .tsc_khz = 1000, .n_cpus = 2,
    .zero_unix_ns = 1700000000000000000u, .boot_id = "0f1e",
  };
  struct ilk_instrument_desc task = make_task_desc (), span = make_span_desc ();
  const GilkTimestampPair moments[] = { { 500, 1, 1 }, { 1000, 501, 1 }, { 9000, 8501, 2 } };
  const GilkCpuOffset offsets[] = { { 0, 0, TRUE }, { 3, 2, TRUE } };
  const GilkStoreCost cost = { "task", "splice", 10, 5.5, 5.0, 6.0, 4.5 };
  struct ilk_counter counter = { .count = 40, .lost = 3, .missed = 1 };
  GError *error = NULL;
  GilkStore *store = gilk_store_open (path, &error);
  gint64 run;

  check_result (store != NULL, error);
  run = gilk_store_begin_run (store, &about, &error);
  check_result (run > 0 && gilk_store_add_instrument (store, run, &task, &error) &&
                gilk_store_add_instrument (store, run, &span, &error), error);
  for (guint i = 0; i < G_N_ELEMENTS (moments); i++)
    check_result (gilk_store_add_timestamp_pair (store, run, (GilkTimestampPosition) i, &moments[i], &error), error);
  check_result (gilk_store_add_offsets (store, run, GILK_TIMESTAMP_ZERO, offsets, 2, &error) &&
                gilk_store_add_offsets (store, run, GILK_TIMESTAMP_END, offsets, 2, &error) &&
                gilk_store_add_cost (store, run, &cost, &error), error);
  add_hook (store, run, 1, "writer", "pipe_write", "pre", "task");
  add_hook (store, run, 2, "reader", "pipe_read", "pre", "task");
  add_hook (store, run, 3, "begin", "vfs_read", "pre", "span");
  add_hook (store, run, 4, "end", "vfs_read", "post", "span");
  add_hook (store, run, 5, "calls", "pipe_write", "pre", "count");
  add_names (store, run);
  add_program (store, add_hook (store, run, 6, "sizes", "vfs_write", "pre", "sizes"));
  add_samples (store, run);
  for (guint iid = 1; iid <= 5; iid++)
    check_result (gilk_store_put_counts (store, run, iid, iid % 2, &counter, 1000, &error), error);
  for (guint i = 0; i < 6; i++)
    check_result (gilk_store_add_count_point (store, run, 5, i * 200000000, i * i * 10, &error), error);
  add_journal (store, run);
  add_graph (store, run);
  check_result (ends ? gilk_store_end_run (store, run, 1200000000, "time is up", &error)
             : gilk_store_flush (store, &error), error);
  gilk_store_close (store, NULL);
}

/* Compresses some of the session's columns. */
static void
compress_session (const char *path)
{
  GError *error = NULL;
  g_autoptr(GilkStore) store = gilk_store_open (path, &error);
  gint64 packed;

  check_result (store != NULL && gilk_store_compress (store, NULL, NULL, &error), error);
  check_result (gilk_sql_value (store, &error, &packed, 0, "SELECT count (*) FROM chunk_column WHERE codec = 1", ""), error);
  g_assert_cmpint (packed, >, 0);
}

/* Rewrites the file with small pages, so that a small file has many pages. */
static GBytes *
shrink_pages (const char *path, guint page_size)
{
  g_autofree char *small = g_strconcat (path, ".small", NULL);
  g_autofree char *sql = sqlite3_mprintf ("PRAGMA page_size = %u; VACUUM INTO %Q", page_size, small);
  char *bytes;
  gsize length;
  sqlite3 *db;

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  if (sqlite3_exec (db, sql, NULL, NULL, NULL) != SQLITE_OK)
    g_error ("%s", sqlite3_errmsg (db));
  sqlite3_close (db);
  g_assert_true (g_file_get_contents (small, &bytes, &length, NULL));
  g_unlink (small);
  g_unlink (path);
  sqlite3_free (g_steal_pointer (&sql));

  return g_bytes_new_take (bytes, length);
}

GPtrArray *
fuzz_make_sessions (const char *folder)
{
  GPtrArray *sessions = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  g_autofree char *path = g_build_filename (folder, "valid.gilk", NULL);

  make_study (path, TRUE);
  g_ptr_array_add (sessions, shrink_pages (path, 512));
  make_study (path, TRUE);
  compress_session (path);
  g_ptr_array_add (sessions, shrink_pages (path, 512));
  make_study (path, TRUE);
  make_study (path, FALSE);
  g_ptr_array_add (sessions, shrink_pages (path, 1024));

  return sessions;
}

/* ---- corrupting the bytes of a session ---- */

static void
corrupt_bytes (Dice *dice, GByteArray *file)
{
  guint at = fuzz_draw (dice, file->len), other = fuzz_draw (dice, file->len);
  guint length = MIN (1 + fuzz_draw (dice, 16), file->len - MAX (at, other));

  switch (fuzz_draw (dice, 5))
    {
    case 0:
      file->data[at] ^= (guint8) (1 << fuzz_draw (dice, 8));
      break;
    case 1:
      file->data[at] = (guint8) fuzz_draw (dice, 256);
      break;
    case 2:
      memset (file->data + at, fuzz_draw (dice, 2) ? 0xff : 0, length);
      break;
    case 3:
      memmove (file->data + at, file->data + other, length);
      break;
    default:
      if (fuzz_draw (dice, 8) == 0)
        g_byte_array_set_size (file, MAX (at, 100));
      break;
    }
}

/* Corrupts a page: its kind, number of cells, cell offsets, or pointers to other pages. */
static void
corrupt_page (Dice *dice, GByteArray *file)
{
  guint size = (guint) file->data[16] << 8 | file->data[17];
  guint n = size >= 512 ? file->len / size : 0;
  guint page, other;

  if (n < 2)
    return;
  page = fuzz_draw (dice, n) * size;
  other = fuzz_draw (dice, n);
  switch (fuzz_draw (dice, 4))
    {
    case 0:
      memmove (file->data + page, file->data + other * size, size);
      break;
    /* Turns the page into an interior page; may create a cycle. */
    case 1:
      file->data[page] = fuzz_draw (dice, 2) ? 5 : 2;
      file->data[page + 11] = (guint8) (other + 1);
      break;
    case 2:
      file->data[page + 3] = 0;
      file->data[page + 4] = (guint8) fuzz_draw (dice, 64);
      break;
    /* Overwrites the offset of a cell of the SQLite page, or the cell itself. */
    default:
      file->data[page + 8 + fuzz_draw (dice, size - 8)] = (guint8) (other + 1);
      break;
    }
}

/* ---- corrupting the rows and the schema of a session ---- */

static const char *const tables[] = {
  "run", "instrument", "field", "hook", "counts", "loss", "count_point", "patch", "function",
  "block", "edge", "note", "chunk", "chunk_column", "chunk_column", "chunk_tiles", "chunk_groups", "chunk_sketch", "timestamp_pair", "cpu_clock", "cost", "interval",
  "program", "map", "map_value", "map_value",
};
static const char *const columns[] = {
  "id", "title", "target", "release", "started", "duration_ns", "end_reason", "boot_id", "run",
  "name", "sample_bytes", "takes_samples", "instrument", "position", "column_name", "unit", "type",
  "iid", "label", "function", "module", "block", "place", "tactic", "addr", "site", "start_ns",
  "stop_ns", "cost", "hook", "cpu", "hits", "stored", "lost", "at_ns", "t_ns", "state", "old_bytes",
  "armed_ns", "batch", "refusal", "start", "end", "cold", "text", "from_block", "to_block", "kind",
  "back", "entry", "pid", "comm", "took", "frame", "n", "first_ns", "last_ns", "data", "data", "codec", "lengths", "bounds", "bounds", "min_value", "tsc_hz", "tsc", "mono_ns", "error", "ahead", "subtracted_offset", "ns", "low_ns", "instructions", "switched", "hooks_on", "complete",
  "to_ns", "author", "code", "map", "key", "key", "value", "value", "bits", "slots", "signed",
};
static const char *const values[] = {
  "NULL", "0", "1", "-1", "9223372036854775807", "-9223372036854775808", "4294967296", "1e308", "0.5",
  "''", "'x'", "x'00ff41'", "zeroblob (20000)", "char (27) || '[2J'", "CAST (x'fffe80' AS TEXT)",
  "CAST (x'610062' AS TEXT)", "printf ('%.4000c', 'a')", "random ()", "rowid", "'span'", "'task'",
  "'count'", "'chunk'", "randomblob (9)", "randomblob (64)", "zeroblob (9)",
  "substr (data, 1, length (data) - 1)", "data || x'00'", "x'40' || substr (data, 2)",
  "x'81' || substr (data, 2)", "n + 1", "n * 128", "1048576", "'sqlite_master'", "'run'", "'hook'", "id * 1000000", "'pipe_read'",
  "'histogram'", "'map'", "'global'", "4", "64", "63", "975", "-key", "key + 1", "printf ('%.17000c', 'a')",
};
static const char *const schemas[] = {
  "DROP TABLE %s", "ALTER TABLE %s RENAME TO gone", "ALTER TABLE %s ADD COLUMN extra",
  "ALTER TABLE %s RENAME COLUMN hook TO hock", "DELETE FROM %s", "CREATE INDEX i_x ON %s (1, 2 + 3)",
  "ALTER TABLE %s RENAME TO gone; CREATE VIEW %s AS SELECT * FROM gone",
  "ALTER TABLE %s RENAME TO gone; CREATE VIEW %s AS SELECT * FROM %s",
  "ALTER TABLE %s RENAME TO gone; CREATE VIEW %s AS WITH RECURSIVE c (id) AS (SELECT 1 UNION ALL "
    "SELECT id + 1 FROM c) SELECT * FROM c",
  "ALTER TABLE %s RENAME TO gone; CREATE TABLE %s (id, run AS (abs (random ())) STORED)",
  "CREATE TRIGGER t AFTER INSERT ON %s BEGIN DELETE FROM run; INSERT INTO %s SELECT * FROM %s; END",
  "PRAGMA writable_schema = 1; UPDATE sqlite_master SET sql = 'CREATE VIRTUAL TABLE %s USING "
    "fts5 (a)' WHERE name = '%s'",
  "PRAGMA writable_schema = 1; UPDATE sqlite_master SET rootpage = 3 WHERE name = '%s'",
  "PRAGMA writable_schema = 1; UPDATE sqlite_master SET rootpage = 1 WHERE name = '%s'",
  "PRAGMA writable_schema = 1; UPDATE sqlite_master SET sql = replace (sql, 'INTEGER', 'TEXT') "
    "WHERE name = '%s'",
  "PRAGMA writable_schema = 1; UPDATE sqlite_master SET sql = NULL, type = 'view' WHERE name = '%s'",
  "PRAGMA writable_schema = 1; INSERT INTO sqlite_master SELECT * FROM sqlite_master WHERE name = '%s'",
  "PRAGMA writable_schema = 1; UPDATE sqlite_master SET name = 'run' WHERE name = '%s'",
  "PRAGMA user_version = 0; SELECT '%s'", "PRAGMA user_version = 2; SELECT '%s'",
  "PRAGMA application_id = 7; SELECT '%s'", "ANALYZE; UPDATE sqlite_stat1 SET stat = 'x 1 %s'",
  "INSERT INTO %s SELECT * FROM %s", "REINDEX %s",
};

static void
corrupt_rows (Dice *dice, sqlite3 *db)
{
  const char *table = tables[fuzz_draw (dice, G_N_ELEMENTS (tables))];
  g_autofree char *sql = NULL;

  if (fuzz_draw (dice, 4) == 0)
    {
      sql = g_strdup (schemas[fuzz_draw (dice, G_N_ELEMENTS (schemas))]);
      for (char *at; (at = strstr (sql, "%s")) != NULL;)
        {
          g_autofree char *before = g_steal_pointer (&sql);

          at = strstr (before, "%s");
          *at = '\0';
          sql = g_strconcat (before, table, at + 2, NULL);
        }
    }
  else
    {
      sql = g_strdup_printf ("UPDATE OR IGNORE %s SET %s = %s WHERE rowid %% %u = 0 OR run = 1", table,
                             columns[fuzz_draw (dice, G_N_ELEMENTS (columns))],
                             values[fuzz_draw (dice, G_N_ELEMENTS (values))], 1 + fuzz_draw (dice, 3));
      if (strchr ("fcpbek", *table) != NULL && strcmp (table, "function") != 0)
        *strstr (sql, " WHERE") = '\0';
    }
  sqlite3_exec (db, sql, NULL, NULL, NULL);
}

/* Aborts slow SQL statements: corrupting a file must not take longer than reading it. */
static int
on_progress (gpointer unused)
{
  return 1;
}

static void
run_corrupting_sql (Dice *dice, GByteArray *file)
{
  sqlite3 *db;
  sqlite3_int64 length = 0;
  guint8 *copy = sqlite3_malloc64 (file->len), *result;

  memcpy (copy, file->data, file->len);
  g_assert_cmpint (sqlite3_open (":memory:", &db), ==, SQLITE_OK);
  if (sqlite3_deserialize (db, "main", copy, file->len, file->len, SQLITE_DESERIALIZE_FREEONCLOSE |
                           SQLITE_DESERIALIZE_RESIZEABLE) == SQLITE_OK)
    {
      sqlite3_exec (db, "PRAGMA journal_mode = OFF; PRAGMA ignore_check_constraints = 1", NULL, NULL,
                    NULL);
      sqlite3_progress_handler (db, 100000, on_progress, NULL);
      for (guint n = 1 + fuzz_draw (dice, 4); n > 0; n--)
        corrupt_rows (dice, db);
      result = sqlite3_serialize (db, "main", &length, SQLITE_SERIALIZE_NOCOPY);
      if (result != NULL && length >= 512)
        {
          g_byte_array_set_size (file, 0);
          g_byte_array_append (file, result, (guint) length);
        }
    }
  sqlite3_close (db);
}

GByteArray *
fuzz_spoil (Dice   *dice,
            GBytes *session)
{
  GByteArray *file = g_byte_array_new ();
  gsize length;
  const void *bytes = g_bytes_get_data (session, &length);
  guint how = fuzz_draw (dice, 8);

  g_byte_array_append (file, bytes, (guint) length);
  if (how >= 3)
    run_corrupting_sql (dice, file);
  if (how < 3 || how == 7)
    for (guint n = 1 + fuzz_draw (dice, 6); n > 0; n--)
      (fuzz_draw (dice, 2) == 0 ? corrupt_page : corrupt_bytes) (dice, file);

  return file;
}

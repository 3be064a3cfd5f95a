/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-store-program.c - stores programs and their maps in a session, and reads them back
 */
#include <glib/gstdio.h>
#include <inttypes.h>
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/store/gilk-store-program.h"
#include "tests/store-fixture.h"

#define CODE "global total = 5; counter calls; histogram sizes(3); map by_pid[64];\n" \
             "if (count > 4096) { calls++; sizes(count); by_pid[pid] += count }"

enum { TOTAL, CALLS, SIZES, BY_PID, MISSED, BAD, N_SHOWN };

/* Maps in the form that gilk_program_maps() returns. */
static const GilkProgramMap things[] = {
  { .name = "total", .kind = GILK_MAP_GLOBAL, .is_signed = TRUE, .initial = 5 },
  { .name = "calls", .kind = GILK_MAP_COUNTER, .unit = "ns" },
  { .name = "", .kind = GILK_MAP_HIDDEN },
  { .name = "sizes", .kind = GILK_MAP_HISTOGRAM, .bits = 3 },
  { .name = "by_pid", .kind = GILK_MAP_HASH, .slots = 64, .meaning = "errno", .unit = "ns" },
  { .name = "by_pid", .kind = GILK_MAP_MISSED },
  { .name = "bad", .kind = GILK_MAP_BAD },
};

typedef struct {
  StoreFixture at;
  GilkStore   *store;
  gint64       run, hook;
} Fixture;

static void
begin_program (Fixture *f)
{
  const GilkStoreRun run = { .target = "lab", .plan_text = "p", .tsc_khz = 1000000, .n_cpus = 4 };
  const struct ilk_instrument_desc program = { .id = 1, .name = "program" };
  const GilkStoreHook hook = {
    .iid = 1, .label = "writes", .function = "vfs_write", .module = "kernel", .block = "+0x0", .where = "pre",
    .instrument = "program", .tactic = "splice",
  };
  g_autoptr(GError) error = NULL;

  f->run = gilk_store_begin_run (f->store, &run, &error);
  g_assert_no_error (error);
  g_assert_true (gilk_store_add_instrument (f->store, f->run, &program, &error) &&
                 gilk_store_add_hook (f->store, f->run, &hook, &f->hook, &error));
  g_assert_true (gilk_store_add_program (f->store, f->hook, NULL, CODE, things, G_N_ELEMENTS (things), &error));
  g_assert_no_error (error);
}

static void
set_up (Fixture *f, gconstpointer unused)
{
  f->at = fixture_new ();
  f->store = fixture_open (f->at.path);
  begin_program (f);
}

static void
tear_down (Fixture *f, gconstpointer unused)
{
  gilk_store_free (f->store);
  fixture_clear (&f->at);
}

static void
put_map (Fixture *f, const char *name, GilkMapKind kind, const GilkStoreValue *values, guint n)
{
  g_autoptr(GError) error = NULL;

  gilk_store_put_map (f->store, f->hook, name, kind, values, n, &error);
  g_assert_no_error (error);
}

/* Stores values for all maps. */
static void
put_all (Fixture *f)
{
  const GilkStoreValue total = { 0, G_MAXUINT, -12 };
  const GilkStoreValue calls[] = { { 0, 0, 10 }, { 0, 3, 7 } };
  const GilkStoreValue sizes[] = { { 495, 2, 1 }, { 9, 0, 4 }, { 9, 1, 5 }, { 0, 0, 2 } };
  const GilkStoreValue by_pid[] = { { -2, 1, 40 }, { 100, 0, 5 }, { 100, 2, 6 }, { 100, 0, 3 }, { 7, 0, 0 } };
  const GilkStoreValue missed = { 0, 1, 2 }, bad = { 0, 0, 1 };

  put_map (f, "total", GILK_MAP_GLOBAL, &total, 1);
  put_map (f, "calls", GILK_MAP_COUNTER, calls, G_N_ELEMENTS (calls));
  put_map (f, "sizes", GILK_MAP_HISTOGRAM, sizes, G_N_ELEMENTS (sizes));
  put_map (f, "by_pid", GILK_MAP_HASH, by_pid, G_N_ELEMENTS (by_pid));
  put_map (f, "by_pid", GILK_MAP_MISSED, &missed, 1);
  put_map (f, "bad", GILK_MAP_BAD, &bad, 1);
}

static void
end_program (Fixture *f)
{
  g_autoptr(GError) error = NULL;

  g_assert_true (gilk_store_end_run (f->store, f->run, 1000, "stopped", &error));
  g_assert_true (gilk_store_close (g_steal_pointer (&f->store), &error));
  g_assert_no_error (error);
}

typedef struct {
  GilkStore         *store;
  GArray            *hooks, *kept;
  GilkStoredProgram *program;
  GError            *error;
} Read;

static Read
read_back (Fixture *f)
{
  Read read = { NULL };

  read.store = gilk_store_open_read (f->at.path, NULL, &read.error);
  g_assert_no_error (read.error);
  read.hooks = gilk_store_hooks (read.store, f->run, &read.error);
  g_assert_no_error (read.error);
  read.program = gilk_store_program (read.store, &g_array_index (read.hooks, GilkStoredHook, 0), &read.error);
  if (read.error == NULL)
    read.kept = gilk_store_maps (read.store, &g_array_index (read.hooks, GilkStoredHook, 0), &read.error);

  return read;
}

static void
clear_read (Read *read)
{
  g_clear_pointer (&read->kept, g_array_unref);
  g_clear_pointer (&read->program, gilk_stored_program_free);
  g_clear_pointer (&read->hooks, g_array_unref);
  g_clear_pointer (&read->store, gilk_store_free);
  g_clear_error (&read->error);
}

/* Compares the values with @wanted, written as "key:cpu=value ", with cpu "*" for all CPUs. */
static void
assert_values (const Read *read, guint which, const char *wanted)
{
  const GArray *values = g_array_index (read->kept, GilkStoredMap, which).values;
  g_autoptr(GString) text = g_string_new (NULL);

  for (guint i = 0; i < values->len; i++)
    {
      const GilkStoreValue *value = &g_array_index (values, GilkStoreValue, i);

      g_string_append_printf (text, "%" PRId64 ":", value->key);
      if (value->cpu == G_MAXUINT)
        g_string_append (text, "*");
      else
        g_string_append_printf (text, "%u", value->cpu);
      g_string_append_printf (text, "=%" PRId64 " ", value->value);
    }
  g_assert_cmpstr (text->str, ==, wanted);
}

/* ---- tests that stored programs and maps are read back ---- */

static void
test_round_trip (Fixture *f, gconstpointer unused)
{
  static const struct { const char *name, *kind; guint bits, slots; gboolean is_signed; const char *meaning, *unit; } wanted[N_SHOWN] = {
    [TOTAL] = { "total", "global", 0, 0, TRUE }, [CALLS] = { "calls", "counter", 0, 0, FALSE, NULL, "ns" },
    [SIZES] = { "sizes", "histogram", 3, 0, FALSE }, [BY_PID] = { "by_pid", "map", 0, 64, FALSE, "errno", "ns" },
    [MISSED] = { "by_pid", "full", 0, 0, FALSE }, [BAD] = { "bad", "failed_reads", 0, 0, FALSE },
  };
  Read read;

  put_all (f);
  end_program (f);
  read = read_back (f);
  g_assert_no_error (read.error);
  g_assert_null (read.program->name);
  g_assert_cmpstr (read.program->code, ==, CODE);
  g_assert_cmpuint (read.kept->len, ==, N_SHOWN);
  for (guint i = 0; i < N_SHOWN; i++)
    {
      const GilkStoredMap *kept = &g_array_index (read.kept, GilkStoredMap, i);

      g_assert_cmpstr (kept->name, ==, wanted[i].name);
      g_assert_cmpstr (gilk_stored_map_kind (kept->kind), ==, wanted[i].kind);
      g_assert_true (kept->bits == wanted[i].bits && kept->slots == wanted[i].slots);
      g_assert_true (kept->is_signed == wanted[i].is_signed);
      g_assert_cmpstr (kept->meaning, ==, wanted[i].meaning);
      g_assert_cmpstr (kept->unit, ==, wanted[i].unit);
    }
  assert_values (&read, TOTAL, "0:*=-12 ");
  assert_values (&read, CALLS, "0:0=10 0:3=7 ");
  assert_values (&read, SIZES, "0:0=2 9:0=4 9:1=5 495:2=1 ");
  assert_values (&read, BY_PID, "-2:1=40 100:0=8 100:2=6 ");
  assert_values (&read, MISSED, "0:1=2 ");
  assert_values (&read, BAD, "0:0=1 ");
  clear_read (&read);
}

/* Tests the list of names of maps, and that maps of an unknown kind are refused. */
static void
test_names (Fixture *f, gconstpointer unused)
{
  static const char *const names[] = { "total", "calls", "sizes", "by_pid", "bad" };
  g_autoptr(GArray) keeps = NULL, none = NULL;
  g_autoptr(GError) error = NULL;
  Read read;

  end_program (f);
  read = read_back (f);
  keeps = gilk_store_map_decls (read.store, f->run, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (keeps->len, ==, G_N_ELEMENTS (names));
  for (guint i = 0; i < keeps->len; i++)
    {
      g_assert_cmpint (g_array_index (keeps, GilkStoredMapDecl, i).hook, ==, f->hook);
      g_assert_cmpstr (g_array_index (keeps, GilkStoredMapDecl, i).name, ==, names[i]);
    }
  g_assert_cmpint (g_array_index (keeps, GilkStoredMapDecl, 2).kind, ==, GILK_MAP_HISTOGRAM);
  none = gilk_store_map_decls (read.store, f->run + 1, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (none->len, ==, 0);
  clear_read (&read);

  fixture_run_sql (f->at.path, "UPDATE map SET kind = 'hidden' WHERE name = 'sizes'");
  read = read_back (f);
  g_assert_null (gilk_store_map_decls (read.store, f->run, &error));
  g_assert_error (error, GILK_ERROR, GILK_ERROR_FORMAT);
  clear_read (&read);
}

/* Tests that a program's global has its initial value until it is read from the driver for the
 * first time; hooks without a program do not have values. */
static void
test_begins (Fixture *f, gconstpointer unused)
{
  const GilkStoreHook plain = {
    .iid = 2, .label = "plain", .function = "f", .block = "+0x0", .where = "pre", .instrument = "count",
    .tactic = "splice",
  };
  g_autoptr(GArray) none = NULL;
  Read read;

  g_assert_true (gilk_store_add_hook (f->store, f->run, &plain, NULL, NULL));
  end_program (f);
  read = read_back (f);
  g_assert_no_error (read.error);
  assert_values (&read, TOTAL, "0:*=5 ");
  assert_values (&read, BY_PID, "");
  g_assert_null (gilk_store_program (read.store, &g_array_index (read.hooks, GilkStoredHook, 1), &read.error));
  none = gilk_store_maps (read.store, &g_array_index (read.hooks, GilkStoredHook, 1), &read.error);
  g_assert_no_error (read.error);
  g_assert_cmpuint (none->len, ==, 0);
  clear_read (&read);
}

/* Tests that each map has the values of its last reading, or, in a session that ended abruptly, of
 * the last committed reading. */
static void
test_latest (Fixture *f, gconstpointer unused)
{
  const GilkStoreValue again[] = { { 12, 1, 3 } }, late = { 0, 0, 999 };
  GilkStore *second;
  Read read;

  put_all (f);
  put_map (f, "sizes", GILK_MAP_HISTOGRAM, again, 1);
  put_map (f, "by_pid", GILK_MAP_MISSED, NULL, 0);
  g_assert_true (gilk_store_flush (f->store, NULL));
  put_map (f, "calls", GILK_MAP_COUNTER, &late, 1);

  read = read_back (f);                 /* opens the session again, as another program would */
  g_assert_no_error (read.error);
  assert_values (&read, CALLS, "0:0=10 0:3=7 ");
  assert_values (&read, SIZES, "12:1=3 ");
  assert_values (&read, BY_PID, "-2:1=40 100:0=8 100:2=6 ");
  assert_values (&read, MISSED, "");
  clear_read (&read);
  second = gilk_store_open (f->at.path, NULL);
  g_assert_nonnull (second);
  gilk_store_free (second);
}

static void
assert_refused (gboolean done, GError **error, const char *says)
{
  g_assert_false (done);
  g_assert_nonnull (*error);
  if ((*error)->domain != GILK_ERROR || strstr ((*error)->message, says) == NULL)
    g_error ("“%s” does not say “%s”", (*error)->message, says);
  g_clear_error (error);
}

static void
test_wrong (Fixture *f, gconstpointer unused)
{
  const GilkStoreValue one = { 0, 0, 1 };
  GError *error = NULL;
  gint64 first = f->hook;

  assert_refused (gilk_store_put_map (f->store, f->hook, "none", GILK_MAP_COUNTER, &one, 1, &error), &error,
                  "has no map “none” (counter)");
  assert_refused (gilk_store_put_map (f->store, f->hook, "sizes", GILK_MAP_HASH, &one, 1, &error), &error,
                  "has no map “sizes” (map)");
  assert_refused (gilk_store_put_map (f->store, f->hook, "", GILK_MAP_HIDDEN, &one, 1, &error), &error,
                  "has no map");
  assert_refused (gilk_store_add_program (f->store, 77, "x", "y", NULL, 0, &error), &error, "not being recorded");
  put_all (f);
  g_assert_true (gilk_store_end_run (f->store, f->run, 1000, "stopped", &error));
  assert_refused (gilk_store_put_map (f->store, f->hook, "calls", GILK_MAP_COUNTER, &one, 1, &error), &error,
                  "not being recorded");
  begin_program (f);
  assert_refused (gilk_store_put_map (f->store, first, "calls", GILK_MAP_COUNTER, &one, 1, &error), &error,
                  "has no map “calls”");
  assert_refused (gilk_store_add_program (f->store, f->hook, "again", "y", NULL, 0, &error), &error, ".");
}

/* ---- tests of the SQL views of maps ---- */

/* Tests that the bounds in the view equal the bounds of the emitter's buckets. */
static void
test_bounds (Fixture *f, gconstpointer unused)
{
  end_program (f);
  for (guint bits = 0; bits <= GILK_OPS_BUCKET_BITS; bits++)
    {
      g_autoptr(GString) sql = g_string_new ("BEGIN; DELETE FROM map_value; ");
      guint n = gilk_ops_buckets (bits);

      g_string_append_printf (sql, "UPDATE map SET bits = %u WHERE kind = 'histogram'; ", bits);
      for (guint i = 0; i < n; i++)
        g_string_append_printf (sql, "INSERT INTO map_value SELECT id, %u, 0, 1 FROM map WHERE kind = "
                                "'histogram'; ", i);
      g_string_append (sql, "COMMIT");
      fixture_run_sql (f->at.path, sql->str);
      g_assert_cmpint (fixture_query (f->at.path, "SELECT count (*) FROM maps WHERE kind = 'histogram'"), ==, n);
      for (guint i = 0; i < n; i += i < 40 || i + 40 > n ? 1 : 7)
        {
          double low = (double) gilk_ops_bucket_least (i, bits);
          double high = i + 1 < n ? (double) gilk_ops_bucket_least (i + 1, bits) : 0x1p64;
          g_autofree char *ask = g_strdup_printf ("SELECT low = %.0f.0 AND high = %.0f.0 FROM maps WHERE kind = "
                                                  "'histogram' AND key = %u", low, high, i);

          g_assert_cmpint (fixture_query (f->at.path, ask), ==, 1);
        }
    }
}

static void
test_plain (Fixture *f, gconstpointer unused)
{
  g_autofree char *out = g_strconcat (f->at.path, ".sqlite", NULL);
  g_autoptr(GError) error = NULL;

  put_all (f);
  end_program (f);
  g_remove (out);
  g_assert_true (gilk_store_export_plain (f->at.path, out, NULL, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpint (fixture_query (out, "SELECT count (*) FROM program"), ==, 1);
  g_assert_cmpint (fixture_query (out, "SELECT count (*) FROM map"), ==, N_SHOWN);
  g_assert_cmpint (fixture_query (out, "SELECT sum (value) FROM maps WHERE hook = 'writes' AND name = 'by_pid' AND kind = 'map'"),
                   ==, 54);
  g_assert_cmpint (fixture_query (out, "SELECT low * 100 + high FROM maps WHERE kind = 'histogram' AND key = 9 LIMIT 1"), ==,
                   910);
  g_assert_cmpint (fixture_query (out, "SELECT key = '18446744073709551614' FROM maps WHERE value = 40"), ==, 1);
  g_remove (out);
}

/* ---- tests of a damaged session file ---- */

/* Tests that impossible values are refused with a message, and reported by "gilk verify". */
static void
test_damaged (Fixture *f, gconstpointer unused)
{
  static const struct { const char *sql, *says; } cases[] = {
    { "UPDATE program SET code = printf ('%.17000c', 'x')", "program of hook writes" },
    { "UPDATE program SET code = x'00ff'", "text" },
    { "UPDATE map SET kind = 'hidden' WHERE name = 'sizes'", "“sizes”" },
    { "UPDATE map SET kind = 7 WHERE name = 'sizes'", "“sizes”" },
    { "UPDATE map SET position = 9 WHERE name = 'calls'", "out of order" },
    { "UPDATE map SET bits = 5 WHERE name = 'sizes'", "an invalid size" },
    { "UPDATE map SET bits = -1 WHERE name = 'sizes'", "a count" },
    { "UPDATE map SET bits = 1 WHERE name = 'calls'", "an invalid size" },
    { "UPDATE map SET slots = 63 WHERE name = 'by_pid' AND kind = 'map'", "an invalid size" },
    { "UPDATE map SET slots = 4 WHERE name = 'by_pid' AND kind = 'map'", "an invalid size" },
    { "UPDATE map_value SET key = 496 WHERE key = 495", "“sizes” with an invalid value (key 496" },
    { "UPDATE map_value SET key = -1 WHERE key = 495", "“sizes” with an invalid value" },
    { "UPDATE map_value SET key = 1 WHERE value = 7", "“calls” with an invalid value" },
    { "UPDATE map_value SET cpu = -2 WHERE value = 7", "“calls” with an invalid value" },
    { "UPDATE map_value SET cpu = 4294967295 WHERE value = 7", "“calls” with an invalid value" },
    { "UPDATE map_value SET value = -1 WHERE key = 495", "“sizes” with an invalid value" },
    { "UPDATE map_value SET value = -1 WHERE value = 2 AND cpu = 1", "“by_pid” with an invalid value" },
    { "UPDATE map_value SET value = 'x' WHERE key = 100", "an integer" },
    { "UPDATE map_value SET value = 0.5 WHERE key = 100", "an integer" },
    { "PRAGMA writable_schema = 1; UPDATE sqlite_master SET sql = replace (replace (sql, 'PRIMARY KEY (kept, key, cpu)', "
      "'CHECK (1)'), 'WITHOUT ROWID', '') WHERE name = 'map_value'", "" },
    { "DROP TABLE map_value; CREATE TABLE map_value (map INTEGER, key INTEGER, cpu INTEGER, value INTEGER); "
      "INSERT INTO map_value VALUES (2, 0, 1, 5), (2, 0, 1, 6)", "“calls” with an invalid value" },
    { "DELETE FROM program", "but not the program" },
    { "UPDATE map SET hook = 99", "belong to no hook" },
    { "INSERT INTO map_value VALUES (99, 0, 0, 1)", "1 rows" },
  };
  g_autofree char *good = NULL;
  gsize length;

  put_all (f);
  end_program (f);
  g_assert_true (g_file_get_contents (f->at.path, &good, &length, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr(GPtrArray) problems = NULL;
      g_autoptr(GError) error = NULL;
      Read read;

      g_assert_true (g_file_set_contents (f->at.path, good, (gssize) length, NULL));
      fixture_run_sql (f->at.path, cases[i].sql);
      read = read_back (f);
      problems = gilk_store_verify (f->at.path, NULL, NULL, &error);
      if (*cases[i].says == '\0')          /* the read must fail */
        g_assert_true (read.error != NULL && read.error->domain == GILK_ERROR);
      else if (problems == NULL || problems->len == 0 ||
               strstr (g_ptr_array_index (problems, 0), cases[i].says) == NULL)
        g_error ("%s: verify says “%s”, not “%s”", cases[i].sql,
                 problems == NULL ? error->message
                 : problems->len > 0 ? (char *) g_ptr_array_index (problems, 0) : "nothing", cases[i].says);
      else if (read.error != NULL)
        g_assert_error (read.error, GILK_ERROR, GILK_ERROR_FORMAT);
      clear_read (&read);
    }
}

#define ADD(name, func) g_test_add ("/store-program/" name, Fixture, NULL, set_up, func, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("round-trip", test_round_trip);
  ADD ("begins", test_begins);
  ADD ("latest", test_latest);
  ADD ("wrong", test_wrong);
  ADD ("bounds", test_bounds);
  ADD ("plain", test_plain);
  ADD ("names", test_names);
  ADD ("damaged", test_damaged);

  return g_test_run ();
}

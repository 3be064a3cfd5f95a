/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-store-names.c - tests that names in the SQL schema equal the names in the code; numbers are
 * mapped to names
 */
#include <string.h>

#include <glib/gstdio.h>

#include "core/base/gilk-error.h"
#include "core/emit/gilk-inline.h"
#include "core/samples/gilk-query.h"
#include "core/store/gilk-sql.h"
#include "core/store/gilk-store-names.h"
#include "tests/store-fixture.h"

/* Checks that the SQL schema and the reader have the same list of names of inline instruments. */
static void
test_inline_names (void)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "../../data/schema.sql", NULL);
  g_autoptr(GString) names = g_string_new ("h.instrument IN (");
  g_autofree char *schema = NULL;
  guint n;
  const GilkInline *all = gilk_inlines (&n);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (names, "%s'%s'", i > 0 ? ", " : "", all[i].name);
  g_string_append_c (names, ')');
  g_assert_true (g_file_get_contents (path, &schema, NULL, NULL));
  g_assert_nonnull (strstr (schema, names->str));
  g_assert_nonnull (strstr (GILK_HITS_KNOWN, names->str));
}

/* Tests that an instrument can have any name; the name of its SQL view has only letters, digits and
 * underscores. */
static void
test_odd_names (void)
{
  static const char *const names[] = { "it's", "say \"x\"", "100%41", "a)b;--", "''" };
  static const char *const tables[] = { "samples_it_s", "samples_say__x_", "samples_f_100_41", "samples_a_b___",
                                        "samples___" };
  g_auto(StoreFixture) at = fixture_new ();
  g_autoptr(GError) error = NULL;
  GilkStore *store = fixture_open (at.path);
  gint64 run = fixture_begin (store, 1);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      struct ilk_instrument_desc desc = { .id = i + 1, .sample_bytes = 0 };

      desc.sample_bytes = 8;
      desc.field_count = 1;
      desc.fields[0] = (struct ilk_field) { "n", "", "", ILK_FIELD_U64, 0, 8, 0 };
      g_strlcpy (desc.name, names[i], sizeof desc.name);
      g_assert_true (gilk_store_add_instrument (store, run, &desc, &error));
      fixture_add_hook (store, run, i + 1, "h", names[i]);
      fixture_add_sample (store, run, 0, i + 1, 5, NULL, 0);
    }
  fixture_end (store, run, 10);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *sql = g_strdup_printf ("SELECT t_ns FROM %s", tables[i]);
      g_autoptr(GilkQuery) query = gilk_query_new (at.path, sql, NULL, &error);

      g_assert_no_error (error);
      g_assert_true (gilk_query_next (query, &error));
      g_assert_false (gilk_query_next (query, &error));
      g_assert_false (gilk_query_next (query, &error));     /* a query that ended stays ended */
      g_assert_no_error (error);
    }
}

/* ---- tests of the names of numeric values ---- */

static void
assert_name (const GilkStoredNames *names, const char *meaning, uint64_t value, const char *expected)
{
  g_autofree char *name = gilk_stored_name (names, meaning, value);

  g_assert_cmpstr (name, ==, expected);
}

#define READ_AT  UINT64_C (0xffffffff81234560)
#define CALL_AT  UINT64_C (0xffffffff81234572)

static GilkStoredNames *
record_names (const char *path)
{
  const uint64_t calls[] = { CALL_AT, READ_AT, 0x10 };
  const GilkStoreLine lines[] = { { "file_inode", "include/linux/fs.h", 12 }, { NULL, "fs/read_write.c", 450 } };
  g_autoptr(GError) error = NULL;
  GilkStoredNames *names;
  GilkStore *store;
  gint64 run;

  g_remove (path);
  store = fixture_open (path);
  run = fixture_begin (store, 1);
  g_assert_true (gilk_store_add_address (store, run, READ_AT, "vfs_read", 0, "kernel", &error) &&
                 gilk_store_add_address (store, run, CALL_AT, "vfs_read", 0x12, "kernel", &error) &&
                 gilk_store_add_address (store, run, CALL_AT, "other", 1, "kernel", &error) &&
                 gilk_store_add_stack (store, run, 7, calls, G_N_ELEMENTS (calls), &error) &&
                 gilk_store_add_stack (store, run, UINT64_MAX, calls, 1, &error) &&
                 gilk_store_add_value_name (store, run, "enum pid_type", -1, "NONE", &error) &&
                 gilk_store_add_lines (store, run, CALL_AT, lines, G_N_ELEMENTS (lines), &error) &&
                 gilk_store_add_lines (store, run, CALL_AT, lines + 1, 1, &error) &&
                 gilk_store_end_run (store, run, 1, "stopped", &error) && gilk_store_close (store, &error));
  g_assert_no_error (error);
  store = fixture_read (path);
  names = gilk_store_names (store, run, &error);
  g_assert_no_error (error);
  gilk_store_free (store);

  return names;
}

static void
test_numbers (void)
{
  g_auto(StoreFixture) at = fixture_new ();
  g_autoptr(GilkStoredNames) names = record_names (at.path);
  g_autoptr(GArray) stacks = gilk_stored_stacks (names);

  assert_name (names, GILK_MEANING_SYMBOL, READ_AT, "vfs_read");
  assert_name (names, GILK_MEANING_SYMBOL, CALL_AT, "vfs_read+0x12");
  assert_name (names, GILK_MEANING_SYMBOL, 5, NULL);
  assert_name (names, GILK_MEANING_STACK, 7, "vfs_read+0x12 < vfs_read < 0x10");
  assert_name (names, GILK_MEANING_STACK, 0, NULL);
  assert_name (names, GILK_MEANING_ERRNO, (uint64_t) -2, "ENOENT");
  assert_name (names, GILK_MEANING_ERRNO, 2, NULL);
  assert_name (names, GILK_MEANING_ERRNO, (uint64_t) -4096, NULL);
  assert_name (names, "enum pid_type", (uint64_t) -1, "NONE");
  assert_name (names, "enum other", (uint64_t) -1, NULL);
  assert_name (names, "", READ_AT, NULL);
  assert_name (names, NULL, READ_AT, NULL);
  {
    g_autofree char *brief = gilk_stored_stack_summary (names, 7, 2), *none = gilk_stored_stack_summary (names, 8, 2);

    g_assert_cmpstr (brief, ==, "vfs_read < vfs_read");
    g_assert_null (none);
  }
  g_assert_cmpstr (gilk_stored_source (names, CALL_AT), ==, "include/linux/fs.h:12, from fs/read_write.c:450");
  g_assert_null (gilk_stored_source (names, READ_AT));
  g_assert_cmpuint (stacks->len, ==, 2);
  g_assert_cmpuint (g_array_index (stacks, uint64_t, 0), ==, 7);
}

/* Tests that impossible values are reported. */
static void
test_damaged (void)
{
  static const char *const changes[] = {
    "DELETE FROM stack WHERE depth = 1", "DELETE FROM stack WHERE id = 7 AND depth = 0", "UPDATE stack SET depth = -1 WHERE depth = 0",
    "DELETE FROM line WHERE depth = 0", "UPDATE line SET line = -1", "UPDATE line SET file = X'00'", "UPDATE line SET depth = depth + 70",
    "UPDATE address SET symbol = X'00'", "UPDATE value_name SET name = X'00'",
  };
  g_auto(StoreFixture) at = fixture_new ();

  for (guint i = 0; i < G_N_ELEMENTS (changes); i++)
    {
      g_autoptr(GError) error = NULL;
      GilkStore *store;

      gilk_stored_names_unref (record_names (at.path));
      fixture_run_sql (at.path, changes[i]);
      store = fixture_read (at.path);
      g_test_message ("%s", changes[i]);
      g_assert_null (gilk_store_names (store, 1, &error));
      g_assert_error (error, GILK_ERROR, GILK_ERROR_FORMAT);
      gilk_store_free (store);
    }
}

static void
test_field_is_name (void)
{
  static const struct { const char *name, *unit, *meaning; guint type; gboolean is_name; } fields[] = {
    { "pid", "", NULL, ILK_FIELD_U32, TRUE }, { "comm", "", NULL, ILK_FIELD_TEXT, TRUE }, { "addr", "", NULL, ILK_FIELD_HEX64, TRUE },
    { "why", NULL, "errno", ILK_FIELD_S64, TRUE }, { "sock_id", NULL, NULL, ILK_FIELD_U64, TRUE },
    { "asleep", "ns", NULL, ILK_FIELD_U64, FALSE }, { "size", "", NULL, ILK_FIELD_U64, FALSE }, { "id", "B", NULL, ILK_FIELD_U64, FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    {
      const GilkStoredField field = { .name = (char *) fields[i].name, .unit = (char *) fields[i].unit,
                                      .meaning = (char *) fields[i].meaning, .type = fields[i].type };

      g_assert_cmpint (gilk_stored_field_is_name (&field), ==, fields[i].is_name);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/store/inline-names", test_inline_names);
  g_test_add_func ("/store/odd-names", test_odd_names);

  g_test_add_func ("/store-names/numbers", test_numbers);
  g_test_add_func ("/store-names/damaged", test_damaged);
  g_test_add_func ("/store-names/field-is-name", test_field_is_name);

  return g_test_run ();
}

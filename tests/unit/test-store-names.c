/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-store-names.c - what is written out in SQL is what the code says
 */
#include <string.h>

#include <glib/gstdio.h>

#include "core/emit/gilk-inline.h"
#include "core/store/gilk-query.h"
#include "core/store/gilk-store-private.h"

/* SQL spells the inline instruments out, and schema and reader alike. */
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

/* An instrument may be called what it likes: SQL sees its samples, by a name of letters. */
static void
test_odd_names (void)
{
  static const char *const names[] = { "it's", "say \"x\"", "100%41", "a)b;--", "''" };
  static const char *const tables[] = { "samples_it_s", "samples_say__x_", "samples_f_100_41", "samples_a_b___",
                                        "samples___" };
  g_autofree char *folder = g_dir_make_tmp ("gilk-names-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "s.gilk", NULL);
  const GilkStoreRun about = { .target = "lab", .plan_text = "", .tsc_khz = 1000000, .n_cpus = 1 };
  g_autoptr(GError) error = NULL;
  GilkStore *store = gilk_store_open (path, &error);
  gint64 run = gilk_store_begin_run (store, &about, &error);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      struct ilk_instrument_desc desc = { .id = i + 1, .sample_bytes = 0 };
      const GilkStoreHook hook = { .iid = i + 1, .label = "h", .function = "f", .block = "+0x0", .where = "pre",
                                   .instrument = names[i], .tactic = "splice" };
      const struct ilk_record record = { .commit = 1, .iid = i + 1, .tsc = 5 };
      guint stored;

      desc.sample_bytes = 8;
      desc.field_count = 1;
      desc.fields[0] = (struct ilk_field) { "n", "", "", ILK_FIELD_U64, 0, 8, 0 };
      g_strlcpy (desc.name, names[i], sizeof desc.name);
      g_assert_true (gilk_store_add_instrument (store, run, &desc, &error));
      g_assert_true (gilk_store_add_hook (store, run, &hook, NULL, &error));
      g_assert_true (gilk_store_add_records (store, run, 0, &record, sizeof record, &stored, &error));
      g_assert_cmpuint (stored, ==, 1);
    }
  g_assert_true (gilk_store_end_run (store, run, 10, "stopped", &error));
  g_assert_true (gilk_store_close (store, &error));
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *sql = g_strdup_printf ("SELECT t_ns FROM %s", tables[i]);
      g_autoptr(GilkQuery) query = gilk_query_new (path, sql, NULL, &error);

      g_assert_no_error (error);
      g_assert_true (gilk_query_next (query, &error));
      g_assert_false (gilk_query_next (query, &error));
      g_assert_false (gilk_query_next (query, &error));     /* and not from the beginning */
      g_assert_no_error (error);
    }
  g_unlink (path);
  g_rmdir (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/store/inline-names", test_inline_names);
  g_test_add_func ("/store/odd-names", test_odd_names);

  return g_test_run ();
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-compress.c - tests that compressing columns during or after recording gives the same result,
 * and invalid frames are rejected
 *
 * test-samples.c checks that compression does not change any sample.
 */

#include <glib/gstdio.h>

#include "core/samples/gilk-query.h"
#include "tests/store-fixture.h"
#include "tests/unit/samples-fixture.h"

/* Returns the only row of the result as text. */
static char *
query_text (const char *path, const char *sql)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkQuery) query = gilk_query_new (path, sql, NULL, &error);
  GString *text = g_string_new (NULL);

  g_assert_no_error (error);
  g_assert_true (gilk_query_next (query, &error));
  for (guint i = 0; i < gilk_query_columns (query); i++)
    {
      g_autofree char *cell = gilk_query_text (query, i);

      g_string_append_printf (text, "%s ", cell);
    }

  return g_string_free (text, FALSE);
}

/* Tests that compressing during recording yields the same file as compressing later. */
static void
test_packed_same (void)
{
  static const char digest[] = "SELECT count (*), sum (codec), sum (length (data)) FROM chunk_column";
  g_auto(StoreFixture) at = fixture_new ();
  const char *session = at.path;
  g_autoptr(GArray) truth = draw_truth (7001);
  g_autofree char *later = NULL, *at_once = NULL;

  record_session (session, truth, 7001, FALSE);
  compress_session (session);
  later = query_text (session, digest);
  g_unlink (session);
  record_session (session, truth, 7001, TRUE);
  at_once = query_text (session, digest);
  g_assert_cmpstr (later, ==, at_once);
  g_assert_null (strstr (later, " 0 "));
}

/* Tests that a frame that is invalid, truncated, copied from another column or states a huge size
 * yields an error, and causes no large allocation. */
static void
test_wrong_frames (void)
{
  static const char *const changes[] = {
    "codec = 2", "data = x'28b52ffd'", "data = substr (data, 1, length (data) - 1)", "data = data || x'00'",
    "data = x'28b52ffda0ffffffff010000'", "data = x'28b52ffd200000000000'", "codec = -1", "data = zeroblob (40)",
    "data = (SELECT data FROM chunk_column WHERE codec = 1 AND id % 16 = 2 LIMIT 1)",
  };
  g_auto(StoreFixture) at = fixture_new ();
  const char *session = at.path;
  g_autoptr(GArray) truth = draw_truth (7001);

  record_session (session, truth, 7001, FALSE);
  compress_session (session);
  for (guint i = 0; i < G_N_ELEMENTS (changes); i++)
    {
      g_autofree char *path = g_strconcat (session, "-spoilt", NULL), *bytes = NULL;
      g_autofree char *sql = g_strdup_printf ("UPDATE chunk_column SET %s WHERE codec = 1 AND id %% 16 = 0", changes[i]);
      g_autoptr(GError) error = NULL;
      g_autoptr(GPtrArray) problems = NULL;
      gsize length;

      g_assert_true (g_file_get_contents (session, &bytes, &length, NULL));
      g_assert_true (g_file_set_contents (path, bytes, (gssize) length, NULL));
      fixture_run_sql (path, sql);
      problems = gilk_store_verify (path, NULL, NULL, &error);
      g_assert_no_error (error);
      if (problems->len == 0)
        g_error ("%s was believed", changes[i]);
      g_unlink (path);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/compress/packed-same", test_packed_same);
  g_test_add_func ("/compress/wrong-frames", test_wrong_frames);

  return g_test_run ();
}

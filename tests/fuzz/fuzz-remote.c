/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz-remote.c - feeds hostile answers of a remote store, and hostile URLs, to the client:
 * fuzz-remote [--seconds S] [--count N] [--seed S]
 *
 * Answers are valid ones with a few bytes changed, duplicated or left out. Accepted answers must
 * contain the requested data; a refusal must have a reason. Built with sanitizers if the library
 * is, in build-sanitize.
 */
/* Promise: no answer of a store harms the client */
#include <glib.h>
#include <stdio.h>
#include <string.h>

#include "core/clickhouse/gilk-remote-rows.h"
#include "core/clickhouse/gilk-remote-url.h"
#include "core/clickhouse/gilk-remote.h"
#include "tests/fuzz/fuzz-turns.h"

static const char *const answers[] = {
  "18446744073709551615\t-12\t1.25\ttext\n3\t4\tnan\ta\\tb\\\\c\\n\n", "0\t0\t-inf\t\n", "gilk\t18.16.1\n", "",
  "1\t2\t1e308\t\xc3\xa4\n", "Code: 60, e.displayText() = DB::Exception: Table x doesn't exist, e.what() = DB::Exception",
  "Code: 516. DB::Exception: default: Authentication failed. (AUTHENTICATION_FAILED) (version 22.8.1)",
};

static const char *const urls[] = {
  "clickhouse://user:pass@host:8123/database?cluster=name", "clickhouses://[::1]:99/x", "clickhouse://h%41/a_b",
};

static const char *const types[] = { "uids", "u", "s", "ss", "uussssssduuu", "d" };

static GString *
corrupt_text (GRand *rand, const char *from)
{
  static const char spice[] = "\t\n\\0123456789-.eE%@:/?#[]'\"\x7f\xff\xc3 ";
  GString *text = g_string_new (from);

  for (int n = g_rand_int_range (rand, 0, 6); n > 0; n--)
    {
      gsize at = (gsize) g_rand_int_range (rand, 0, (gint32) text->len + 1);
      char c = g_rand_boolean (rand) ? spice[g_rand_int_range (rand, 0, sizeof spice)] : (char) g_rand_int (rand);

      switch (g_rand_int_range (rand, 0, 4))
        {
        case 0:
          g_string_insert_c (text, (gssize) at, c);
          break;
        case 1:
          if (at < text->len)
            text->str[at] = c;
          break;
        case 2:
          g_string_truncate (text, at);
          break;
        default:
          if (at < text->len)
            g_string_append (text, text->str + at);
        }
    }

  return text;
}

static void
try_rows (GRand *rand)
{
  GString *text = corrupt_text (rand, answers[g_rand_int_range (rand, 0, G_N_ELEMENTS (answers))]);
  const char *asked = types[g_rand_int_range (rand, 0, G_N_ELEMENTS (types))];
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkRemoteRows) rows = NULL;
  gsize size = text->len;

  rows = gilk_remote_rows_parse (g_string_free (text, FALSE), size, asked, &error);
  g_assert_true ((rows == NULL) == (error != NULL));
  for (guint i = 0; rows != NULL && i < rows->n; i++)
    for (guint j = 0; j < rows->n_columns; j++)
      if (asked[j] == 's')
        g_assert_true (g_utf8_validate (gilk_remote_rows_text (rows, i, j), -1, NULL));
}

static void
try_url (GRand *rand)
{
  GString *text = corrupt_text (rand, urls[g_rand_int_range (rand, 0, G_N_ELEMENTS (urls))]);
  g_auto(GilkRemoteUrl) url = { 0 };
  g_autoptr(GError) error = NULL;
  gboolean taken = gilk_remote_url_parse (text->str, &url, &error);

  g_assert_true (taken == (error == NULL));
  if (taken)
    g_assert_true (*url.host != '\0' && strspn (url.database, "_" G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS) ==
                   strlen (url.database));
  g_string_free (text, TRUE);
}

static void
try_refusal (GRand *rand)
{
  const GilkRemoteUrl url = { .host = (char *) "h", .database = (char *) "gilk", .port = 1 };
  GString *text = corrupt_text (rand, answers[g_rand_int_range (rand, 0, G_N_ELEMENTS (answers))]);
  g_autoptr(GError) error = NULL;

  gilk_remote_refusal (&url, "h:1", (guint) g_rand_int_range (rand, 201, 600), text->str, &error);
  g_assert_nonnull (error);
  g_assert_true (g_utf8_validate (error->message, -1, NULL) && strlen (error->message) < 2000);
  for (const char *at = error->message; *at != '\0'; at++)
    g_assert_false (g_ascii_iscntrl (*at));
  g_string_free (text, TRUE);
}

int
main (int argc, char **argv)
{
  guint64 seed;
  FuzzTurns turns = fuzz_turns_begin (argc, argv, &seed);
  g_autoptr(GRand) rand = g_rand_new_with_seed ((guint32) seed);

  while (fuzz_turns_next (&turns))
    {
      try_rows (rand);
      try_url (rand);
      try_refusal (rand);
    }
  printf ("1..1\nok 1 - %" G_GUINT64_FORMAT " answers, URLs and refusals\n", 3 * turns.done);

  return 0;
}

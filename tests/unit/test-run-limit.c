/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-run-limit.c - parses conditions that stop a run, checks when a condition is true, and
 * refuses invalid conditions with the position of the error
 */
/* Promise: conditions stop a run when they hold, and not before */
#include <string.h>

#include "core/bind/gilk-bound-conditions.h"
#include "core/plan/gilk-stop-condition.h"

static GilkStopCondition *
parse_limit (const char *text, GPtrArray **limits)
{
  g_autoptr(GError) error = NULL;

  *limits = gilk_stop_conditions_parse (text, &error);
  g_assert_no_error (error);
  g_assert_cmpuint ((*limits)->len, ==, 1);

  return g_ptr_array_index (*limits, 0);
}

static void
test_tidy (void)
{
  const struct { const char *text, *tidy; } cases[] = {
    { "", NULL },
    { " ; ", "?" },
    { "samples>=1000000", "samples >= 1000000" },
    { "  hits pipe_write+0x2b1-pre   >500", "hits pipe_write+0x2b1-pre > 500" },
    { "size >= 100 MiB", "size >= 100MiB" },
    { "lost > 1%;lost writer >= 20", "lost > 1%; lost writer >= 20" },
    { "p99 w.r.elapsed>2 ms after 5000", "p99 w.r.elapsed > 2ms after 5000" },
    { "p50 a.x < -3", "median a.x < -3" },
    { "p99.9 a.x <= 3; max a.x > 1; min a.x<1;", "p99.9 a.x <= 3; max a.x > 1; min a.x < 1" },
    { "p100 a.x > 4k", "max a.x > 4k" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *tidy = NULL, *again = NULL;
      gboolean good = gilk_stop_conditions_normalize (cases[i].text, &tidy, NULL);

      g_assert_cmpint (good, ==, g_strcmp0 (cases[i].tidy, "?") != 0);
      if (!good)
        continue;
      g_assert_cmpstr (tidy, ==, cases[i].tidy);
      g_assert_true (gilk_stop_conditions_normalize (tidy, &again, NULL));
      g_assert_cmpstr (again, ==, tidy);
    }
}

static void
test_refused (void)
{
  const struct { const char *text; guint at; const char *says; } cases[] = {
    { "frequency > 3", 1, "starts with samples" },
    { "p101 a.x > 3", 1, "starts with samples" },
    { "samples 1000", 13, "comparison is missing" },
    { "samples < 1000", 9, "from the start" },
    { "samples >= many", 12, "number is missing" },
    { "samples >= 3ms", 12, "is not a number" },
    { "size writer > 3M", 6, "not of a hook" },
    { "size > 3%", 8, "is not a number" },
    { "lost > 101%", 8, "is not a number" },
    { "p99 > 2ms", 5, "value is missing" },
    { "p99 writer > 2ms", 5, "value is missing" },
    { "p99 a.x > 2ms after", 15, "Write a number after it" },
    { "hits > 3 after 7", 10, "only in conditions on a quantile" },
    { "hits > 3 hits > 4", 8, "is not a number" },
    { "hits > 3 >", 10, "should end here" },
    { "samples > 3; size > x", 21, "number is missing" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *place = g_strdup_printf ("at character %u:", cases[i].at);
      g_autoptr(GError) error = NULL;

      g_assert_null (gilk_stop_conditions_parse (cases[i].text, &error));
      g_test_message ("%s", error->message);
      g_assert_nonnull (strstr (error->message, place));
      g_assert_nonnull (strstr (error->message, cases[i].says));
    }
}

static void
test_bounds (void)
{
  const struct { const char *text, *unit; double bound; const char *said; } cases[] = {
    { "samples > 2k", NULL, 2000, "2000" },
    { "size > 3M", NULL, 3 << 20, "3M" },
    { "size > 3kB", NULL, 3000, "2.93K" },
    { "lost > 2.5%", NULL, 0.025, "2.5%" },
    { "p99 a.x > 2ms", "ns", 2e6, "2ms" },
    { "p99 a.x > 4K", "B", 4096, "4K" },
    { "p99 a.x > 12", "", 12, "12" },
    { "p99 a.x > 12pages", "pages", 12, "12pages" },
    { "p99 a.x > 12", "ns", -1, NULL },
    { "p99 a.x > 2ms", "", -1, NULL },
    { "p99 a.x > 2ms", "B", -1, NULL },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr(GPtrArray) limits = NULL;
      const GilkStopCondition *limit = parse_limit (cases[i].text, &limits);
      g_autofree char *said = NULL;
      double bound = -1;

      g_assert_cmpint (gilk_stop_condition_threshold (limit, cases[i].unit, &bound, NULL), ==, cases[i].said != NULL);
      g_assert_cmpfloat_with_epsilon (bound, cases[i].bound, 1e-9);
      said = bound >= 0 ? gilk_stop_condition_format_value (limit, cases[i].unit, bound) : NULL;
      g_assert_cmpstr (said, ==, cases[i].said);
    }
}

static void
test_holds (void)
{
  const struct { const char *text; double bound, value; uint64_t n; gboolean holds; } cases[] = {
    { "samples >= 10", 10, 9, 1, FALSE },
    { "samples >= 10", 10, 10, 1, TRUE },
    { "samples > 10", 10, 10, 1, FALSE },
    /* A condition on a quantile is checked only when at least ten samples are above the
     * quantile. */
    { "p99 a.x > 5", 5, 6, 999, FALSE },
    { "p99 a.x > 5", 5, 6, 1000, TRUE },
    { "p1 a.x < 5", 5, 4, 999, FALSE },
    { "p1 a.x < 5", 5, 4, 1000, TRUE },
    { "median a.x > 5", 5, 6, 19, FALSE },
    { "median a.x > 5", 5, 6, 20, TRUE },
    { "max a.x > 5", 5, 6, 1, TRUE },
    { "max a.x > 5", 5, 0, 0, FALSE },
    { "p99 a.x > 5 after 7", 5, 6, 7, TRUE },
    { "lost > 1%", 0.01, 1, 5, FALSE },
    { "lost > 1%", 0.01, 0.02, 1000, TRUE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr(GPtrArray) limits = NULL;

      g_assert_cmpint (gilk_stop_condition_holds (parse_limit (cases[i].text, &limits), cases[i].bound, cases[i].value, cases[i].n), ==,
                       cases[i].holds);
    }
}

static void
test_plan (void)
{
  static const char text[] =
    "[gilk-plan]\nversion=2\nuntil=samples >= 10 ; p99 a.elapsed>2ms\n"
    "[hook a]\nfunction=f\nanchor=entry\nwhere=pre\ninstrument=stamp\n";
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkPlan) plan = gilk_plan_parse (text, strlen (text), "a.plan", &error), copy = NULL;
  g_autofree char *again = NULL;

  g_assert_no_error (error);
  copy = gilk_plan_copy (plan);
  g_assert_cmpstr (copy->until, ==, "samples >= 10; p99 a.elapsed > 2ms");
  again = gilk_plan_to_text (copy);
  g_assert_nonnull (strstr (again, "until=samples >= 10; p99 a.elapsed > 2ms\n"));
  g_assert_true (gilk_plan_check_until (copy, &error));
  g_free (copy->until);
  copy->until = g_strdup ("hits b > 3");
  g_assert_false (gilk_plan_check_until (copy, &error));
  g_assert_nonnull (strstr (error->message, "names hook b, which the plan does not have"));
}

/* Tests that any text is accepted, or refused with a message. */
static void
test_any_text (void)
{
  static const char *const words[] = {
    "samples", "hits", "size", "lost", "p99", "median", ">", ">=", "<", "1", "1%", "2ms", ";", "a.b", ".", "after", "µ", "-", "",
  };
  g_autoptr(GRand) rand = g_rand_new_with_seed (3);

  for (guint i = 0; i < 20000; i++)
    {
      g_autoptr(GString) text = g_string_new (NULL);
      g_autoptr(GError) error = NULL;
      g_autofree char *tidy = NULL;

      for (int n = g_rand_int_range (rand, 0, 9); n > 0; n--)
        g_string_append_printf (text, "%s%s", words[g_rand_int_range (rand, 0, G_N_ELEMENTS (words))],
                                g_rand_boolean (rand) ? " " : "");
      g_assert_cmpint (gilk_stop_conditions_normalize (text->str, &tidy, &error), ==, error == NULL);
    }
}

static void
test_fields (void)
{
  const struct { uint16_t type; const char *bytes; gsize n; double value; } cases[] = {
    { ILK_FIELD_U32, "\xff\xff\xff\xff", 4, 4294967295.0 },
    { ILK_FIELD_S32, "\xff\xff\xff\xff", 4, -1 },
    { ILK_FIELD_U32, "\xff\xff\xff", 3, 0 },
    { ILK_FIELD_S64, "\xfe\xff\xff\xff\xff\xff\xff\xff", 8, -2 },
    { ILK_FIELD_U64, "\x00\x00\x00\x00\x00\x00\x00\x80", 8, 9223372036854775808.0 },
    { ILK_FIELD_TEXT, "abcdefgh", 8, 0 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const struct ilk_field field = { .type = cases[i].type };
      double value = 0;

      g_assert_cmpint (gilk_bound_field_read (&field, cases[i].bytes, cases[i].n, &value), ==, cases[i].value != 0);
      g_assert_cmpfloat (value, ==, cases[i].value);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run-limit/tidy", test_tidy);
  g_test_add_func ("/run-limit/refused", test_refused);
  g_test_add_func ("/run-limit/bounds", test_bounds);
  g_test_add_func ("/run-limit/holds", test_holds);
  g_test_add_func ("/run-limit/plan", test_plan);
  g_test_add_func ("/run-limit/any-text", test_any_text);
  g_test_add_func ("/run-limit/fields", test_fields);

  return g_test_run ();
}

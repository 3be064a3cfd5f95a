/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-number.c - tests that integers are parsed correctly, whatever other threads do; any other
 * text is rejected
 */
#include <glib.h>

#include "core/base/gilk-strings.h"

#define STARTS 60

static void
test_unsigned (void)
{
  static const char *const bad[] = { "", " 1", "1 ", "+1", "-1", "0x1", "1.0", "1f", "18446744073709551616", "99999999999999999999" };
  guint64 number = 7;

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    g_assert_false (gilk_parse_unsigned (bad[i], 10, 0, G_MAXUINT64, &number));
  g_assert_false (gilk_parse_unsigned ("9", 10, 10, 20, &number));
  g_assert_false (gilk_parse_unsigned ("21", 10, 10, 20, &number));
  g_assert_false (gilk_parse_unsigned ("0x1f", 16, 0, G_MAXUINT64, &number));
  g_assert_cmpuint (number, ==, 7);
  g_assert_true (gilk_parse_unsigned ("20", 10, 10, 20, &number));
  g_assert_cmpuint (number, ==, 20);
  g_assert_true (gilk_parse_unsigned ("1Ff", 16, 0, G_MAXUINT64, &number));
  g_assert_cmphex (number, ==, 0x1ff);
  g_assert_true (gilk_parse_unsigned ("18446744073709551615", 10, 0, G_MAXUINT64, &number));
  g_assert_cmpuint (number, ==, G_MAXUINT64);
}

static void
test_signed (void)
{
  static const char *const bad[] = { "", "-", "--1", "+1", "9223372036854775808", "-9223372036854775809" };
  gint64 number = 7;

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    g_assert_false (gilk_parse_signed (bad[i], &number));
  g_assert_cmpint (number, ==, 7);
  g_assert_true (gilk_parse_signed ("-9223372036854775808", &number));
  g_assert_cmpint (number, ==, G_MININT64);
  g_assert_true (gilk_parse_signed ("9223372036854775807", &number));
  g_assert_cmpint (number, ==, G_MAXINT64);
  g_assert_true (gilk_parse_signed ("-0", &number));
  g_assert_cmpint (number, ==, 0);
}

/* ---- test of parsing while threads start ---- */

static gint begin;

static gpointer
take_locks (gpointer data)
{
  static gsize once[2000];

  while (!g_atomic_int_get (&begin))
    ;
  for (guint i = 0; i < G_N_ELEMENTS (once); i++)
    if (g_once_init_enter (&once[i]))
      g_once_init_leave (&once[i], 1);

  return data;
}

/* Tests the first number that a process parses: only this number can be parsed incorrectly, so each
 * attempt needs a new process. */
static void
test_first (void)
{
  GThread *threads[3];
  guint64 number = 0;

  if (!g_test_subprocess ())
    {
      for (guint i = 0; i < STARTS; i++)
        {
          g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
          g_test_trap_assert_passed ();
        }
      return;
    }
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("locks", take_locks, NULL);
  g_atomic_int_set (&begin, 1);
  g_assert_true (gilk_parse_unsigned ("44", 10, 1, 100, &number));
  g_assert_cmpuint (number, ==, 44);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/number/unsigned", test_unsigned);
  g_test_add_func ("/number/signed", test_signed);
  g_test_add_func ("/number/first", test_first);

  return g_test_run ();
}

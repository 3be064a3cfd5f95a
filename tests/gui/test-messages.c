/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-messages.c - tests which of a window's messages is shown
 */
#include "gui/base/gilk-messages.h"

static const GilkRemedy again = { "Connect again", "win.reconnect" };

static void
assert_shown (GilkMessages *messages, const char *text, guint of, gboolean settled)
{
  gboolean is;
  guint n;
  const GilkMessage *shown = gilk_messages_shown (messages, &n, &is);

  g_assert_cmpstr (shown != NULL ? shown->text : NULL, ==, text);
  g_assert_cmpuint (n, ==, of);
  g_assert_cmpint (is, ==, settled);
}

static void
test_last_then_most_important (void)
{
  g_autoptr(GilkMessages) messages = gilk_messages_new ();

  assert_shown (messages, NULL, 0, TRUE);
  g_assert_true (gilk_messages_add (messages, "target", GILK_GRADE_ERROR, "lost", &again, NULL));
  g_assert_true (gilk_messages_add (messages, NULL, GILK_GRADE_ERROR, "no such file", NULL, NULL));
  assert_shown (messages, "no such file", 2, FALSE);
  gilk_messages_show_first (messages);
  assert_shown (messages, "lost", 2, TRUE);

  /* Of several messages of the same grade, the latest that offers a remedy is shown. */
  gilk_messages_add (messages, "plan", GILK_GRADE_ERROR, "refused", NULL, NULL);
  gilk_messages_add (messages, "modules", GILK_GRADE_WARNING, "gone", &again, NULL);
  gilk_messages_show_first (messages);
  assert_shown (messages, "lost", 4, TRUE);
  gilk_messages_add (messages, "connect", GILK_GRADE_ERROR, "not reached", &again, NULL);
  assert_shown (messages, "not reached", 5, TRUE);
}

static void
test_one_of_an_owner (void)
{
  g_autoptr(GilkMessages) messages = gilk_messages_new ();

  gilk_messages_add (messages, "modules", GILK_GRADE_INFO, "one came", NULL, NULL);
  gilk_messages_add (messages, NULL, GILK_GRADE_WARNING, "none planned", NULL, NULL);

  /* A message that is added again unchanged does not become the latest; a changed message does. */
  gilk_messages_add (messages, NULL, GILK_GRADE_WARNING, "copied", NULL, NULL);
  assert_shown (messages, "copied", 2, FALSE);
  g_assert_false (gilk_messages_add (messages, "modules", GILK_GRADE_INFO, "one came", NULL, NULL));
  assert_shown (messages, "copied", 2, FALSE);
  g_assert_true (gilk_messages_add (messages, "modules", GILK_GRADE_INFO, "two came", NULL, NULL));
  assert_shown (messages, "two came", 2, TRUE);

  g_assert_true (gilk_messages_withdraw (messages, "modules"));
  g_assert_false (gilk_messages_withdraw (messages, "modules"));
  g_assert_false (gilk_messages_has (messages, "modules"));
  assert_shown (messages, "copied", 1, TRUE);
}

static void
test_told (void)
{
  g_autoptr(GilkMessages) messages = gilk_messages_new ();

  gilk_messages_add (messages, NULL, GILK_GRADE_INFO, "saved", NULL, NULL);
  gilk_messages_show_first (messages);
  assert_shown (messages, "saved", 1, TRUE);
  gilk_messages_add (messages, "target", GILK_GRADE_ERROR, "lost", &again, NULL);
  assert_shown (messages, "lost", 1, TRUE);
  gilk_messages_add (messages, NULL, GILK_GRADE_INFO, "saved", NULL, NULL);
  assert_shown (messages, "saved", 2, FALSE);
  gilk_messages_show_first (messages);
  assert_shown (messages, "lost", 1, TRUE);

  /* A message that offers an undo stays in the list. */
  gilk_messages_add (messages, NULL, GILK_GRADE_INFO, "taken out", &again, NULL);
  gilk_messages_show_first (messages);
  assert_shown (messages, "lost", 2, TRUE);
}

static void
test_looked_through_and_closed (void)
{
  g_autoptr(GilkMessages) messages = gilk_messages_new ();

  gilk_messages_show_next (messages);
  gilk_messages_dismiss (messages);
  gilk_messages_add (messages, "target", GILK_GRADE_ERROR, "lost", &again, NULL);
  gilk_messages_add (messages, "plan", GILK_GRADE_WARNING, "moved", NULL, NULL);
  gilk_messages_add (messages, NULL, GILK_GRADE_WARNING, "saved", NULL, NULL);
  gilk_messages_show_first (messages);
  gilk_messages_show_next (messages);
  assert_shown (messages, "moved", 3, FALSE);
  gilk_messages_show_next (messages);
  assert_shown (messages, "saved", 3, FALSE);
  gilk_messages_show_next (messages);
  assert_shown (messages, "lost", 3, TRUE);

  gilk_messages_show_next (messages);
  gilk_messages_dismiss (messages);
  assert_shown (messages, "lost", 2, TRUE);
  gilk_messages_show_next (messages);
  gilk_messages_withdraw (messages, NULL);
  assert_shown (messages, "lost", 1, TRUE);
  gilk_messages_dismiss (messages);
  assert_shown (messages, NULL, 0, TRUE);
}

/* Tests that a message about an event disappears after a while, even if it has a remedy, and
 * other messages stay. */
static void
test_passing (void)
{
  g_autoptr(GilkMessages) messages = gilk_messages_new ();
  const GilkRemedy results = { "Show results", "win.show-results" };
  gboolean settled;
  guint n;

  gilk_messages_add_event (messages, "export", GILK_GRADE_INFO, "Wrote a.svg", NULL, NULL);
  g_assert_true (gilk_messages_shown (messages, &n, &settled)->is_event);
  for (guint i = 0; i < 5; i++)
    gilk_messages_add_event (messages, "export", GILK_GRADE_INFO, "Wrote b.svg", NULL, NULL);
  assert_shown (messages, "Wrote b.svg", 1, TRUE);
  gilk_messages_add_event (messages, "results", GILK_GRADE_INFO, "Run finished", &results, NULL);
  g_assert_true (gilk_messages_shown (messages, &n, &settled)->is_event);
  gilk_messages_add (messages, "results", GILK_GRADE_WARNING, "Run cut short", &results, NULL);
  g_assert_false (gilk_messages_shown (messages, &n, &settled)->is_event);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/messages/last-then-most-important", test_last_then_most_important);
  g_test_add_func ("/messages/one-of-an-owner", test_one_of_an_owner);
  g_test_add_func ("/messages/told", test_told);
  g_test_add_func ("/messages/looked-through-and-closed", test_looked_through_and_closed);

  g_test_add_func ("/messages/passing", test_passing);

  return g_test_run ();
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-phrase.c - finds the format string of a formatted message, and translates the message
 *
 * Without a catalogue, the translation of a format is the format itself. A format that reorders or
 * drops arguments therefore changes each message that matches it.
 */
#include "core/base/gilk-strings.h"

#include "core/link/gilk-answers.h"
#include "core/store/gilk-store.h"

static void
assert_becomes (const char *text, const char *const *formats, const char *wanted)
{
  g_autofree char *got = gilk_phrase_translate (text, formats);

  g_assert_cmpstr (got, ==, wanted);
}

/* Tests that without a catalogue each message is returned unchanged, whether it matches a format or
 * not. */
static void
test_matches (void)
{
  static const char *const whole[] = { "no argument", NULL };
  static const char *const said[] = { "No permission to open %s: %s; the agent must run as root.", "%u of %zu bytes", NULL };
  static const char *const many[] = { "%s%s%s%s%s%s%s%s%s", NULL };

  assert_becomes ("no argument", whole, "no argument");
  assert_becomes ("no argument at all", whole, "no argument at all");
  assert_becomes ("", whole, "");
  assert_becomes ("No permission to open /dev/ilk: Permission denied; the agent must run as root.", said,
                  "No permission to open /dev/ilk: Permission denied; the agent must run as root.");
  assert_becomes ("12 of 9 bytes", said, "12 of 9 bytes");
  assert_becomes ("12 of 9 bytes or so", said, "12 of 9 bytes or so");
  assert_becomes ("%s and %n", many, "%s and %n");
}

/* Tests that a translation can reorder arguments, and can leave some of them out. */
static void
test_order (void)
{
  static const char *const turned[] = { "%2$s before %1$s", NULL };

  assert_becomes ("a before b", turned, "b before a");
}

static void
test_hostile (void)
{
  static const char *const formats[] = { "%s; %s", "x%", "%", "", NULL };

  assert_becomes ("a; b; c; d", formats, "a; b; c; d");
  assert_becomes ("; ", formats, "; ");
  assert_becomes ("%s%s%s", formats, "%s%s%s");
  assert_becomes ("x", formats, "x");
}

static void
test_words (void)
{
  g_autofree char *not_at_all = gilk_store_end_reason_text (NULL);
  g_autofree char *both = gilk_store_end_reason_text ("stopped; hook a; b could not start");
  g_autofree char *other = gilk_store_end_reason_text ("Something else happened; look.");
  g_autofree char *agent = gilk_agent_translate ("register rdi");

  g_assert_cmpstr (not_at_all, ==, "not yet");
  g_assert_cmpstr (both, ==, "stopped; hook a; b could not start");
  g_assert_cmpstr (other, ==, "Something else happened; look.");
  g_assert_cmpstr (agent, ==, "register rdi");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/phrase/matches", test_matches);
  g_test_add_func ("/phrase/order", test_order);
  g_test_add_func ("/phrase/hostile", test_hostile);
  g_test_add_func ("/phrase/words", test_words);

  return g_test_run ();
}

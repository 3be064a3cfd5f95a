/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz-plan.c - reads corrupt plans
 *
 *   fuzz-plan [--seconds S] [--count N] [--seed S]
 *
 * A mutant is the plan SOUND with lines removed, duplicated or exchanged, or with values replaced
 * by values of other lines or by unusual ones. An accepted plan must obey all rules of plans.
 * If it is saved and read again, it must be the same plan. Built with sanitizers if the library is.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/plan/gilk-plan.h"
#include "tests/fuzz/fuzz-turns.h"

static const char SOUND[] =
  "# The pipe, from both ends.\n"
  "[gilk-plan]\n"
  "version=2\n"
  "title=Who sleeps in the pipe\n"
  "kernel=6.1.0-56-amd64\n"
  "build-id=8d3ac9c0e1b1f6c5a8fd0d8e3a3f0c1d2b4a6978\n"
  "changes=yes\n"
  "ring=8M\n"
  "ring-mode=overwrite\n"
  "ring-window=5s\n"
  "until=samples >= 1000000; lost > 1%\n"
  "\n"
  "[hook sleeps]\n"
  "function=pipe_write\n"
  "block=+0x2b1\n"
  "where=pre\n"
  "fingerprint=0c5de2a7718ce301:9f31c02b77d0a4e1\n"
  "instrument=task\n"
  "start=0s\n"
  "stop=15s\n"
  "param.every=1\n"
  "tactic=auto\n"
  "\n"
  "[program large]\n"
  "code=if (count > 4096) sample(pid, count)\n"
  "\n"
  "# Later.\n"
  "[hook writes]\n"
  "function=vfs_write\n"
  "anchor=entry\n"
  "where=post\n"
  "program=large\n"
  "start=after sleeps + 1s\n"
  "stop=+5s\n"
  "\n"
  "[hook third]\n"
  "function=vfs_read\n"
  "anchor=call:schedule#2\n"
  "where=at\n"
  "instrument=count\n"
  "start=after writes\n"
  "stop=+20ms\n"
  "trigger=1s\n"
  "\n"
  "[watchpoint ticks]\n"
  "what=jiffies_64:w\n"
  "start=1s\n";

typedef struct {
  guint64 random;
  guint64 taken, refused;
} Fuzz;

static guint32
draw_below (Fuzz *fuzz, guint32 below)
{
  return fuzz_draw (&fuzz->random, below);
}

static const char *
draw_odd_value (Fuzz *fuzz)
{
  static const char *const values[] = {
    "", "0", "1", "-1", "1s", "+1s", "0s", "+0s", "9223372036s", "9223372037s", "18446744073709551615ns", "1e300s", "nan", "0x7fffffffffffffff",
    "after", "after ", "after sleeps", "after writes + 1s", "after third + 2ms", "after nobody", "after sleeps + 9223372036s", "after  sleeps  +  1s",
    "yes", "no", "without-dump", "overwrite", "stop", "fifo", "64K", "8M", "1T", "entry", "return#0", "call:#1", "call:schedule#99999999999",
    "+0x", "+0xffffffffffffffff", ".cold+0x10", "pre", "at", "clone", "trap", "a:b@+0x10", "jiffies_64:rw", "%n%s", "\\s\\x", "ä → …",
    "0:0", "ffffffffffffffff:ffffffffffffffff", "samples >= 0", "hits nobody > 1; lost > 200%", "p99(count) > 1ms",
  };

  return values[draw_below (fuzz, G_N_ELEMENTS (values))];
}

static void
corrupt_value (Fuzz *fuzz, GPtrArray *lines, guint at)
{
  char *line = g_ptr_array_index (lines, at);
  const char *other = strchr (g_ptr_array_index (lines, draw_below (fuzz, lines->len)), '=');
  const char *sign = strchr (line, '=');
  g_autofree char *key = sign != NULL ? g_strndup (line, (gsize) (sign - line)) : NULL;

  if (sign == NULL)
    return;
  g_ptr_array_index (lines, at) = g_strconcat (key, "=", other != NULL && draw_below (fuzz, 3) == 0 ? other + 1 : draw_odd_value (fuzz), NULL);
  g_free (line);
}

static void
corrupt_byte (Fuzz *fuzz, GPtrArray *lines, guint at)
{
  char *line = g_ptr_array_index (lines, at);
  gsize length = strlen (line);

  if (length > 0)
    line[draw_below (fuzz, (guint32) length)] = (char) (1 + draw_below (fuzz, 255));
}

static void
corrupt_order (Fuzz *fuzz, GPtrArray *lines, guint at)
{
  guint with = draw_below (fuzz, lines->len);
  gpointer line = g_ptr_array_index (lines, at);

  g_ptr_array_index (lines, at) = g_ptr_array_index (lines, with);
  g_ptr_array_index (lines, with) = line;
}

/* Returns: (transfer full): the text of a mutant */
static char *
make_mutant (Fuzz *fuzz)
{
  g_auto(GStrv) sound = g_strsplit (SOUND, "\n", -1);
  g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; sound[i] != NULL; i++)
    g_ptr_array_add (lines, g_strdup (sound[i]));
  for (guint n = draw_below (fuzz, 4); n > 0; n--)
    {
      guint at = draw_below (fuzz, lines->len);

      switch (draw_below (fuzz, 6))
        {
        case 0:
          g_ptr_array_remove_index (lines, at);
          break;
        case 1:
          g_ptr_array_insert (lines, (int) draw_below (fuzz, lines->len), g_strdup (g_ptr_array_index (lines, at)));
          break;
        case 2:
          corrupt_byte (fuzz, lines, at);
          break;
        case 3:
          corrupt_order (fuzz, lines, at);
          break;
        default:
          corrupt_value (fuzz, lines, at);
          break;
        }
    }
  g_ptr_array_add (lines, NULL);

  return g_strjoinv ("\n", (char **) lines->pdata);
}

static const GilkPlanHook *
find_hook (const GilkPlan *plan, const char *label)
{
  for (guint i = 0; i < plan->hooks->len; i++)
    if (strcmp (((const GilkPlanHook *) g_ptr_array_index (plan->hooks, i))->label, label) == 0)
      return g_ptr_array_index (plan->hooks, i);

  return NULL;
}

static void
check_hook (const GilkPlan *plan, const GilkPlanHook *hook)
{
  const GilkPlanHook *leader = hook->leader != NULL ? find_hook (plan, hook->leader) : NULL;

  g_assert_true (find_hook (plan, hook->label) == hook);
  g_assert_nonnull (hook->function);
  g_assert_true (hook->watch != NULL || (hook->block != NULL) != (hook->anchor != NULL));
  g_assert_true (hook->stop_ns == 0 || hook->stop_ns > hook->start_ns);
  g_assert_true (hook->start_ns <= G_MAXINT64 && hook->stop_ns <= G_MAXINT64);
  if (hook->leader == NULL)
    return;
  g_assert_nonnull (leader);
  g_assert_cmpuint (leader->stop_ns, !=, 0);
  g_assert_cmpuint (hook->start_ns, ==, leader->stop_ns + hook->leader_delay_ns);
}

static void
query_plan (Fuzz *fuzz, const char *text)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkPlan) plan = gilk_plan_parse (text, strlen (text), "mutant", &error);
  g_autoptr(GilkPlan) again = NULL, over = NULL;
  g_autofree char *said = NULL, *said_again = NULL, *said_over = NULL, *laid_over = NULL;

  g_assert_true ((plan == NULL) == (error != NULL));
  if (plan == NULL)
    {
      g_assert_true (error->domain == GILK_ERROR);
      fuzz->refused++;
      return;
    }
  fuzz->taken++;
  for (guint i = 0; i < plan->hooks->len; i++)
    check_hook (plan, g_ptr_array_index (plan->hooks, i));

  said = gilk_plan_to_text (plan);
  again = gilk_plan_parse (said, strlen (said), "said", &error);
  g_assert_no_error (error);
  said_again = gilk_plan_to_text (again);
  g_assert_cmpstr (said_again, ==, said);

  laid_over = gilk_plan_to_text_like (plan, text, strlen (text));
  over = gilk_plan_parse (laid_over, strlen (laid_over), "laid over", &error);
  g_assert_no_error (error);
  said_over = gilk_plan_to_text (over);
  if (strcmp (said_over, said) != 0)
    g_error ("laid over another text a plan is another one:\n%s\n---- and was\n%s", said_over, said);
}

int
main (int argc, char **argv)
{
  static Fuzz fuzz;
  FuzzTurns turns = fuzz_turns_begin (argc, argv, &fuzz.random);

  while (fuzz_turns_next (&turns))
    {
      g_autofree char *text = make_mutant (&fuzz);

      query_plan (&fuzz, text);
    }
  printf ("1..1\n%sok 1 - %" G_GUINT64_FORMAT " plans: %" G_GUINT64_FORMAT " taken, %" G_GUINT64_FORMAT " refused\n",
          fuzz.taken > 0 && fuzz.refused > 0 ? "" : "not ", turns.done, fuzz.taken, fuzz.refused);

  return fuzz.taken > 0 && fuzz.refused > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

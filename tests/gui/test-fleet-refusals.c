/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-fleet-refusals.c - tests that refusals of targets are reported in one line per reason
 */
#include "gui/fleet/gilk-fleet-text.h"

#include <string.h>

static void
refusal_free (gpointer data)
{
  GilkFleetRefusal *refusal = data;

  g_free (refusal->label);
  g_free (refusal->point);
  g_free (refusal->text);
  g_free (refusal);
}

static void
add_refusal (GPtrArray *refusals, guint offset, const char *format)
{
  GilkFleetRefusal *refusal = g_new0 (GilkFleetRefusal, 1);

  refusal->label = g_strdup_printf ("pipe_write_0x%x-pre", offset);
  refusal->point = g_strdup_printf ("pipe_write+0x%x:pre", offset);
  refusal->text = g_strdup_printf ("The hook %s (pipe_write+0x%x) %s", refusal->label, offset, format);
  g_ptr_array_add (refusals, refusal);
}

static guint
get_lines (const char *text)
{
  g_auto(GStrv) lines = g_strsplit (text, "\n", -1);

  return g_strv_length (lines);
}

static void
test_equal_refusals (void)
{
  g_autoptr(GPtrArray) refusals = g_ptr_array_new_with_free_func (refusal_free);
  g_autofree char *one = NULL, *all = NULL;

  add_refusal (refusals, 0x41, "does not match this kernel: the function has changed since.");
  one = gilk_fleet_refusals_text ("lab:6.1", refusals);
  g_assert_cmpstr (one, ==, "lab:6.1 refuses pipe_write+0x41:pre: the function has changed since.");
  for (guint i = 1; i < 70; i++)
    add_refusal (refusals, 0x41 + 16 * i, "does not match this kernel: the function has changed since.");
  add_refusal (refusals, 0x1000, "cannot work: another probe is there.");
  all = gilk_fleet_refusals_text ("lab:6.1", refusals);
  g_assert_cmpuint (get_lines (all), ==, 2);
  g_assert_true (g_str_has_prefix (all, "lab:6.1 refuses 70 hooks, pipe_write+0x41:pre, pipe_write+0x51:pre, pipe_write+0x61:pre and "
                                        "67 more: the function has changed since.\n"));
  g_assert_nonnull (strstr (all, "\nlab:6.1 refuses pipe_write+0x1000:pre: another probe is there."));
}

/* Tests that a message that does not name its hook is shown unchanged. */
static void
test_other_words (void)
{
  g_autoptr(GPtrArray) refusals = g_ptr_array_new_with_free_func (refusal_free);
  g_autofree char *text = NULL;

  for (guint i = 0; i < 2; i++)
    {
      add_refusal (refusals, i, "");
      g_free (((GilkFleetRefusal *) refusals->pdata[i])->text);
      ((GilkFleetRefusal *) refusals->pdata[i])->text = g_strdup ("Types: there are none.");
    }
  text = gilk_fleet_refusals_text ("local", refusals);
  g_assert_cmpstr (text, ==, "local refuses 2 hooks, pipe_write+0x0:pre, pipe_write+0x1:pre: Types: there are none.");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/fleet-told/equal-refusals", test_equal_refusals);
  g_test_add_func ("/fleet-told/other-words", test_other_words);

  return g_test_run ();
}

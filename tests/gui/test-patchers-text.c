/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-patchers-text.c - tests descriptions of another client's hooks
 */
#include <string.h>

#include "gui/base/gilk-text.h"

#define OWNER 812
#define ARMED 90000000000ull             /* time of arming: 90 s after the target booted */

static void
test_facts (void)
{
  const struct ilk_patch_status places[] = {
    { .id = 1, .site = 0x1000, .tactic = ILK_TACTIC_SPLICE, .owner_pid = OWNER, .armed_mono_ns = ARMED },
    { .id = 2, .site = 0x2000, .tactic = ILK_TACTIC_TRAP, .owner_pid = OWNER },
    { .id = 3, .site = 0x3000, .tactic = ILK_TACTIC_SPLICE, .owner_pid = OWNER + 1, .armed_mono_ns = ARMED },
  };
  g_autoptr(GArray) others = g_array_new (FALSE, FALSE, sizeof places[0]);
  const int64_t begun_1999 = 915148800000000000;
  g_autofree char *year = NULL, *waiting = NULL, *only = NULL, *whose = NULL;

  g_array_append_vals (others, places, G_N_ELEMENTS (places));
  year = gilk_others_text_facts (others, &places[0], begun_1999);
  g_assert_true (g_str_has_prefix (year, "armed: "));
  g_assert_nonnull (strstr (year, "199"));
  g_assert_true (g_str_has_suffix (year, "one of the client's 2 patches"));
  waiting = gilk_others_text_facts (others, &places[1], begun_1999);
  g_assert_cmpstr (waiting, ==, "not armed yet · trap · one of the client's 2 patches");
  only = gilk_others_text_facts (others, &places[2], 0);
  g_assert_cmpstr (only, ==, "armed · splice · the client's only patch");
  whose = gilk_others_text_describe (others, &places[2], 0);
  g_assert_nonnull (strstr (whose, "gilkd 813"));
  g_assert_true (g_str_has_suffix (whose, only));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/others-words/facts", test_facts);

  return g_test_run ();
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-module-changes.c - finds differences between two states of /proc/modules
 */
#include "core/image/gilk-module-changes.h"

static const char before[] =
  "ilk_task 16384 0 - Live 0xffffffffc0700000 (OE)\n"
  "ilk 200704 1 ilk_task, Live 0xffffffffc0500000 (OE)\n"
  "nfs 16384 0 - Live 0xffffffffc0400000\n"
  "loop 36864 2 - Live 0xffffffffc0300000\n"
  "zram 36864 0 - Live 0xffffffffc0200000\n";

static void
assert_names (GStrv       names,
              const char *wanted)
{
  g_autofree char *all = g_strjoinv (" ", names);

  g_assert_cmpstr (all, ==, wanted);
}

static void
assert_news (const char *now,
             const char *gone,
             const char *anew,
             const char *come)
{
  g_autoptr(GilkModuleChanges) news = gilk_module_changes_new (before, now);

  assert_names (news->unloaded, gone);
  assert_names (news->reloaded, anew);
  assert_names (news->loaded, come);
}

/* Tests that modules are not reported if only their users or use counts have changed, or the order
 * of the lines. */
static void
test_same (void)
{
  g_autoptr(GilkModuleChanges) none = gilk_module_changes_new ("", "");
  g_autoptr(GilkModuleChanges) same = gilk_module_changes_new (before, before);

  g_assert_true (gilk_module_changes_equal (none, same));
  assert_news ("zram 36864 7 - Live 0xffffffffc0200000\n"
               "loop 36864 0 - Live 0xffffffffc0300000\n"
               "nfs 16384 1 zram, Live 0xffffffffc0400000\n", "", "", "");
}

static void
test_changes (void)
{
  g_autoptr(GilkModuleChanges) none = gilk_module_changes_new ("", "");
  g_autoptr(GilkModuleChanges) other = gilk_module_changes_new (before, "");

  g_assert_false (gilk_module_changes_equal (none, other));
  assert_news ("loop 36864 0 - Live 0xffffffffc0900000\n"
               "zram 40960 0 - Live 0xffffffffc0200000\n"
               "dummy 16384 0 - Live 0xffffffffc0800000\n"
               "btrfs 16384 0 - Live 0xffffffffc0810000\n", "nfs", "loop zram", "btrfs dummy");
}

/* Tests modules that are loading or unloading, whose text is still being patched or will be
 * removed. */
static void
test_in_between (void)
{
  assert_news ("nfs 16384 0 - Unloading 0xffffffffc0400000\n"
               "loop 36864 2 - Live 0xffffffffc0300000\n"
               "zram 36864 0 - Live 0xffffffffc0200000\n"
               "dummy 16384 0 - Loading 0xffffffffc0800000\n"
               "torn 16384", "nfs", "", "");
}

/* Tests that modules that gilk itself loads and unloads (driver, arenas, instruments) are not
 * reported. */
static void
test_ours (void)
{
  assert_news ("ilk_stack 16384 0 - Live 0xffffffffc0770000 (OE)\n"
               "ilk_arena_1 4194304 0 - Live 0xffffffffc1000000 (OE)\n"
               "other 16384 0 - Live 0xffffffffc0780000 (OE)\n"
               "ilk 200704 2 other,ilk_stack, Live 0xffffffffc0590000 (OE)\n"
               "nfs 16384 0 - Live 0xffffffffc0400000\n"
               "loop 36864 2 - Live 0xffffffffc0300000\n"
               "zram 36864 0 - Live 0xffffffffc0200000\n", "", "", "");
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/module-news/same", test_same);
  g_test_add_func ("/module-news/changes", test_changes);
  g_test_add_func ("/module-news/in-between", test_in_between);
  g_test_add_func ("/module-news/ours", test_ours);

  return g_test_run ();
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-accesses-table.c - tests that tables of watchpoint accesses, written for other programs,
 * keep each cell in its column, whatever text the cell contains
 */
#include <string.h>

#include "core/samples/gilk-store-accesses.h"

static void
add_process (GilkAccessor *writer, const char *comm, gint64 pid, uint64_t count)
{
  const GilkAccessorProcess process = { (char *) comm, pid, count };

  if (writer->processes == NULL)
    writer->processes = g_array_new (FALSE, TRUE, sizeof (GilkAccessorProcess));
  g_array_append_val (writer->processes, process);
}

static GArray *
make_writers (void)
{
  GArray *writers = g_array_new (FALSE, TRUE, sizeof (GilkAccessor));
  GilkAccessor known = {
    .name = "tick+0x57", .function = "tick", .block = "+0x57", .insn = "add %rdx,\"x\"(%rip)", .count = 3, .last = 0x10,
    .least = 1, .greatest = UINT64_MAX, .first_ns = -5, .last_ns = 99, .contexts = { 1, 0, 2, 0 },
  };
  GilkAccessor unknown = { .name = "0x2000", .count = 1, .contexts = { 1 } };

  add_process (&known, "a,b", 0, 2);
  add_process (&known, "tab\there", 7, 1);
  add_process (&unknown, "sh", 1, 1);
  unknown.others = 4;
  g_array_append_val (writers, known);
  g_array_append_val (writers, unknown);

  return writers;
}

static void
free_writers (GArray *writers)
{
  for (guint i = 0; i < writers->len; i++)
    g_array_unref (g_array_index (writers, GilkAccessor, i).processes);
  g_array_unref (writers);
}

static void
test_words (void)
{
  GArray *writers = make_writers ();
  g_autofree char *contexts = gilk_accessor_contexts_text (&g_array_index (writers, GilkAccessor, 0));
  g_autofree char *only = gilk_accessor_contexts_text (&g_array_index (writers, GilkAccessor, 1));
  g_autofree char *all = gilk_accessor_processes_text (&g_array_index (writers, GilkAccessor, 0), 9);
  g_autofree char *one = gilk_accessor_processes_text (&g_array_index (writers, GilkAccessor, 0), 1);
  g_autofree char *others = gilk_accessor_processes_text (&g_array_index (writers, GilkAccessor, 1), 9);

  g_assert_cmpuint (gilk_accessors_total (writers), ==, 4);
  g_assert_cmpstr (contexts, ==, "hardirq 2, task 1");
  g_assert_cmpstr (only, ==, "task");
  g_assert_cmpstr (all, ==, "a,b (0) 2, tab\there (7) 1");
  g_assert_cmpstr (one, ==, "a,b (0) 2, …");
  g_assert_cmpstr (others, ==, "sh (1) 1, …");
  free_writers (writers);
}

static void
test_csv (void)
{
  GArray *writers = make_writers ();
  g_autofree char *csv = gilk_accessors_to_csv (writers);
  g_auto(GStrv) lines = g_strsplit (csv, "\n", -1);

  g_assert_true (g_str_has_prefix (lines[0], "accessor,function,block,instruction,count,share,last,min,max,first_ns,last_ns,task,"));
  g_assert_true (g_str_has_prefix (lines[1], "tick+0x57,tick,+0x57,\"add %rdx,\"\"x\"\"(%rip)\",3,0.750000,0x10,0x1,"
                                             "0xffffffffffffffff,-5,99,1,0,2,0,\"a,b (0) 2"));
  g_assert_true (g_str_has_prefix (lines[2], "0x2000,,,,1,0.250000,0x0,0x0,0x0,0,0,1,0,0,0,"));
  free_writers (writers);
}

static void
test_tabs (void)
{
  GArray *writers = make_writers ();
  g_autofree char *text = gilk_accessors_to_tabs (writers);
  g_auto(GStrv) lines = g_strsplit (text, "\n", -1);

  g_assert_cmpuint (g_strv_length (lines), ==, 4);
  for (guint i = 0; i < 3; i++)
    {
      g_auto(GStrv) cells = g_strsplit (lines[i], "\t", -1);

      g_assert_cmpuint (g_strv_length (cells), ==, 16);
    }
  g_assert_nonnull (strstr (lines[1], "tab here (7) 1"));
  free_writers (writers);
}

static void
test_none (void)
{
  g_autoptr(GArray) none = g_array_new (FALSE, TRUE, sizeof (GilkAccessor));
  g_autofree char *csv = gilk_accessors_to_csv (none);

  g_assert_cmpuint (gilk_accessors_total (none), ==, 0);
  g_assert_true (g_str_has_prefix (csv, "accessor,") && strchr (csv, '\n')[1] == '\0');
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/accesses-table/words", test_words);
  g_test_add_func ("/accesses-table/csv", test_csv);
  g_test_add_func ("/accesses-table/tabs", test_tabs);
  g_test_add_func ("/accesses-table/none", test_none);

  return g_test_run ();
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * find.c - measures how long a keystroke in the search takes to list all matching functions, best
 * first
 *
 *   find [FILE] [--rounds N]
 *
 * FILE is a /proc/kallsyms or System.map; without FILE, 60,000 names are generated. Names are typed
 * letter by letter. Prints milliseconds of the thread's CPU time, and of wall-clock time, over all
 * keystrokes: median, 99th percentile, maximum.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/cfg/gilk-finder.h"

#define BASE  0xffffffff81000000ull
#define MADE  60000
#define BYTES 64

static const char *const typed[] = {
  "ppwr", "pipe_write", "vfs_read", "tcp_v4_rcv", "schedule", "__x64_sys_openat", "mutex lock", "ext4 write begin", "e", "s", "_", "*lock*",
  "kmem_cache_alloc", "handle_mm_fault", "rcu", "nf_conntrack_in", "try_to_wake_up", "zzz", "aeiou", "sys_",
};

static int rounds = 5;

static const GOptionEntry entries[] = {
  { "rounds", 0, 0, G_OPTION_ARG_INT, &rounds, "How often all is typed", "N" },
  { NULL },
};

static double
get_milliseconds (clockid_t clock)
{
  struct timespec now;

  clock_gettime (clock, &now);

  return (double) now.tv_sec * 1e3 + (double) now.tv_nsec / 1e6;
}

static int
compare_doubles (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

static void
print_times (const char *what, GArray *took)
{
  const double *all = (const double *) (void *) took->data;

  g_array_sort (took, compare_doubles);
  printf ("%s: median %.2f ms, p99 %.2f ms, max %.2f ms of %u keystrokes\n", what, all[took->len / 2],
          all[took->len * 99 / 100], all[took->len - 1], took->len);
}

/* Generates names like a kernel's: two to four words. */
static char *
made_names (void)
{
  static const char *const words[] = {
    "tcp", "udp", "ext4", "xfs", "nfs", "btrfs", "vfs", "pipe", "sched", "rcu", "irq", "timer", "alloc", "free", "get", "put", "lock",
    "unlock", "read", "write", "queue", "page", "inode", "dentry", "skb", "sock", "dev", "pci", "usb", "acpi", "init", "exit", "show",
    "store", "open", "release", "work", "fn", "map", "unmap", "set", "clear", "test", "update", "__x64_sys", "do", "handle", "process",
  };
  GString *text = g_string_new ("ffffffff81000000 T _stext\n");
  g_autoptr(GRand) rand = g_rand_new_with_seed (7);

  for (guint i = 0; i < MADE; i++)
    {
      guint n = (guint) g_rand_int_range (rand, 2, 5);

      g_string_append_printf (text, "%" G_GINT64_MODIFIER "x t ", (guint64) (BASE + i * BYTES));
      for (guint k = 0; k < n; k++)
        g_string_append_printf (text, "%s%s", k > 0 ? "_" : "",
                                words[g_rand_int_range (rand, 0, G_N_ELEMENTS (words))]);
      g_string_append_c (text, '\n');
    }
  g_string_append_printf (text, "%" G_GINT64_MODIFIER "x T _etext\n", (guint64) (BASE + MADE * BYTES));

  return g_string_free (text, FALSE);
}

static GilkFunctions *
make_functions (const char *kallsyms)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkSymbols) symbols = gilk_symbols_new_parse (kallsyms, strlen (kallsyms), &error);
  g_autoptr(GilkImage) image = NULL;
  g_autofree uint8_t *text = NULL;
  uint64_t from, to;

  if (symbols == NULL)
    g_error ("%s", error->message);
  from = gilk_symbols_address (symbols, "_stext");
  to = gilk_symbols_address (symbols, "_etext");
  text = g_malloc0 (to - from);
  image = gilk_image_new_static (symbols, from, text, to - from, NULL, 0);

  return gilk_functions_new (image);
}

static void
type_name (GilkFinder *finder, const char *name, GArray *work, GArray *clock)
{
  for (gsize n = 1; n <= strlen (name); n++)
    {
      g_autofree char *part = g_strndup (name, n);
      const GilkFinderQuery query = { .typed = part, .module = GILK_ANY_MODULE };
      double begun = get_milliseconds (CLOCK_MONOTONIC), begun_work = get_milliseconds (CLOCK_THREAD_CPUTIME_ID), took;

      gilk_found_free (gilk_finder_find (finder, &query));
      took = get_milliseconds (CLOCK_THREAD_CPUTIME_ID) - begun_work;
      g_array_append_val (work, took);
      took = get_milliseconds (CLOCK_MONOTONIC) - begun;
      g_array_append_val (clock, took);
    }
}

int
main (int argc, char **argv)
{
  g_autoptr(GOptionContext) context = g_option_context_new ("[FILE]");
  g_autoptr(GArray) work = g_array_new (FALSE, FALSE, sizeof (double)), clock = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr(GilkFunctions) functions = NULL;
  g_autoptr(GError) error = NULL;
  g_autofree char *kallsyms = NULL;
  double begun;
  guint count;

  g_option_context_add_main_entries (context, entries, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error) ||
      (argc > 1 && !g_file_get_contents (argv[1], &kallsyms, NULL, &error)))
    g_error ("%s", error->message);
  if (kallsyms == NULL)
    kallsyms = made_names ();
  functions = make_functions (kallsyms);
  gilk_functions_all (functions, &count);
  begun = get_milliseconds (CLOCK_THREAD_CPUTIME_ID);
  gilk_functions_finder (functions);
  printf ("%u functions; made ready in %.0f ms, off the main thread\n", count, get_milliseconds (CLOCK_THREAD_CPUTIME_ID) - begun);

  for (int round = 0; round < rounds; round++)
    for (guint i = 0; i < G_N_ELEMENTS (typed); i++)
      type_name (gilk_functions_finder (functions), typed[i], work, clock);
  print_times ("work ", work);
  print_times ("clock", clock);

  return EXIT_SUCCESS;
}

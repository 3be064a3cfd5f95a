/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * export.c - measures time and memory of exporting a session
 *
 *   export GILK SESSION
 *
 * Exports SESSION, a file made by tests/bench/samples, once in each format. Prints rows per second
 * of wall-clock time, and the peak memory. For CSV, also prints the required rate.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "core/export/gilk-export.h"

#define ROWS_A_SECOND 1.5e6
#define MEMORY_MIB    64

static uint64_t
count_rows (const char *path)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkStore) store = gilk_store_open_read (path, NULL, &error);
  g_autoptr(GArray) hooks = store != NULL ? gilk_store_hooks (store, 1, &error) : NULL;
  uint64_t rows = 0;

  if (hooks == NULL)
    g_error ("%s", error->message);
  for (guint i = 0; i < hooks->len; i++)
    rows += g_array_index (hooks, GilkStoredHook, i).stored;

  return rows;
}

static void
remove_folder (const char *path)
{
  g_autoptr(GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *inner = g_build_filename (path, name, NULL);

      g_unlink (inner);
    }
  g_rmdir (path);
}

static gboolean
time_format (const GilkExportFormat *format, const char *gilk, const char *session, uint64_t rows)
{
  gboolean folder = format->flags & GILK_EXPORT_FOLDER;
  g_autofree char *option = g_strconcat ("--", format->name, NULL);
  g_autofree char *out = folder ? g_strconcat (session, ".trace", NULL) : g_strdup ("/dev/null");
  gint64 begun = g_get_monotonic_time ();
  struct rusage usage;
  pid_t child = fork ();
  double seconds, speed;
  int status;

  if (child == 0)
    {
      execl (gilk, gilk, "export", "-q", session, option, "-o", out, NULL);
      _exit (127);
    }
  if (wait4 (child, &status, 0, &usage) != child)
    g_error ("no child");
  seconds = (double) (g_get_monotonic_time () - begun) / 1e6;
  speed = (double) rows / seconds;
  if (folder)
    remove_folder (out);
  if (!WIFEXITED (status) || WEXITSTATUS (status) != 0)
    {
      printf ("%-9s failed\n", format->name);
      return FALSE;
    }
  printf ("%-9s %6.2f million rows/s (%.2f s, %.2f s of CPU), %ld MiB at most", format->name, speed / 1e6, seconds,
          (double) usage.ru_utime.tv_sec + (double) usage.ru_utime.tv_usec / 1e6 + (double) usage.ru_stime.tv_sec +
          (double) usage.ru_stime.tv_usec / 1e6, usage.ru_maxrss / 1024);
  if (g_str_equal (format->name, "csv"))
    printf (": %s (1.5 million rows/s, 64 MiB)",
            speed >= ROWS_A_SECOND && usage.ru_maxrss / 1024 <= MEMORY_MIB ? "reached" : "NOT reached");
  printf ("\n");

  return TRUE;
}

int
main (int argc, char **argv)
{
  gboolean good = TRUE;
  uint64_t rows;

  if (argc != 3)
    {
      fprintf (stderr, "usage: export GILK SESSION\n");
      return 2;
    }
  rows = count_rows (argv[2]);
  printf ("%" G_GUINT64_FORMAT " rows\n", (guint64) rows);
  fflush (stdout);
  for (guint i = 0; i < gilk_export_n_formats (); i++)
    {
      const GilkExportFormat *format = gilk_export_format (i);

      /* Skip export formats that write totals instead of rows. */
      if (format->flags & GILK_EXPORT_CHOOSES)
        good &= time_format (format, argv[1], argv[2], rows);
      fflush (stdout);
    }

  return !good;
}

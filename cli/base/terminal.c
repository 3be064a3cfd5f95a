/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * terminal.c - gets properties of the terminal that a stream writes to, and shows a line of
 * progress
 */
#include "cli/base/terminal.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "core/base/gilk-strings.h"

guint
cli_terminal_width (FILE *stream)
{
  struct winsize size;

  if (!isatty (fileno (stream)))
    return 0;
  if (ioctl (fileno (stream), TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
    return 80;
  return size.ws_col;
}

gboolean
cli_terminal_has_escapes (FILE *stream)
{
  const char *name = g_getenv ("TERM");

  return isatty (fileno (stream)) && name != NULL && *name != '\0' && strcmp (name, "dumb") != 0;
}

/* ---- shows progress in a line of the terminal ---- */

#define PERIOD_US (G_USEC_PER_SEC / 10)
#define BAR_CELLS 24

struct _CliProgress {
  GMutex       lock;
  gboolean     enabled;
  gboolean     shown;
  gint64       last_us;     /* monotonic time at which progress that the library reported was last
                             * shown */
  char        *last_what;
  GilkProgress core;
};

/* Limits the rate of updates, because the library reports often. A new step is shown at once. */
static void
on_core_progress (const char *what, double fraction, gpointer user_data)
{
  CliProgress *progress = user_data;
  gint64 now = g_get_monotonic_time ();
  char bar[BAR_CELLS + 1];
  g_autofree char *line = NULL;
  gboolean due;

  g_mutex_lock (&progress->lock);
  due = now - progress->last_us >= PERIOD_US || g_strcmp0 (what, progress->last_what) != 0;
  if (due)
    {
      progress->last_us = now;
      g_free (progress->last_what);
      progress->last_what = g_strdup (what);
    }
  g_mutex_unlock (&progress->lock);
  if (!due)
    return;

  if (fraction < 0)
    line = g_strdup_printf ("%s…", what);
  else
    {
      guint filled = (guint) (CLAMP (fraction, 0, 1) * BAR_CELLS + 0.5);

      memset (bar, '.', BAR_CELLS);
      memset (bar, '#', filled);
      bar[BAR_CELLS] = '\0';
      line = g_strdup_printf ("[%s] %3.0f %%  %s", bar, CLAMP (fraction, 0, 1) * 100, what);
    }
  cli_progress_show (progress, line);
}

CliProgress *
cli_progress_new (gboolean enabled)
{
  CliProgress *progress = g_new0 (CliProgress, 1);

  g_mutex_init (&progress->lock);
  progress->enabled = enabled;
  progress->core.func = on_core_progress;
  progress->core.user_data = progress;
  return progress;
}

void
cli_progress_free (CliProgress *progress)
{
  if (progress == NULL)
    return;

  cli_progress_clear (progress);
  g_mutex_clear (&progress->lock);
  g_free (progress->last_what);
  g_free (progress);
}

gboolean
cli_progress_enabled (CliProgress *progress)
{
  return progress->enabled;
}

void
cli_progress_show (CliProgress *progress, const char *text)
{
  guint width;
  g_autofree char *line = NULL, *printable = NULL;

  if (!progress->enabled)
    return;

  width = cli_terminal_width (stderr);
  printable = gilk_printable (text, "");
  line = gilk_for_charset (printable);
  if (width > 1 && (gsize) g_utf8_strlen (line, -1) >= width)
    *g_utf8_offset_to_pointer (line, width - 1) = '\0';

  g_mutex_lock (&progress->lock);
  fprintf (stderr, "\r%s\033[K", line);
  fflush (stderr);
  progress->shown = TRUE;
  g_mutex_unlock (&progress->lock);
}

void
cli_progress_clear (CliProgress *progress)
{
  g_mutex_lock (&progress->lock);
  if (progress->shown)
    {
      fputs ("\r\033[K", stderr);
      fflush (stderr);
      progress->shown = FALSE;
    }
  g_mutex_unlock (&progress->lock);
}

const GilkProgress *
cli_progress_for_core (CliProgress *progress)
{
  return progress->enabled ? &progress->core : NULL;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * terminal.c - gets properties of the terminal that a stream writes to
 */
#include "cli/base/terminal.h"

#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

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

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * synced-copies.h - keeps the data that survive a machine crash
 *
 * Only synced data survive. This file replaces fdatasync() and fsync() by functions that copy the
 * file as it is at the call.
 */
#pragma once

#include <glib.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Folder for copies of the synced files, to simulate a crash of the machine; NULL simulates a crash
 * of the program only. */
static const char *survived;

static void
save_copy (int fd)
{
  g_autofree char *link = g_strdup_printf ("/proc/self/fd/%d", fd);
  g_autofree char *path = g_file_read_link (link, NULL);
  g_autofree char *bytes = NULL, *name = NULL, *copy = NULL;
  gsize length;

  if (survived == NULL || path == NULL || !g_file_get_contents (path, &bytes, &length, NULL))
    return;
  name = g_path_get_basename (path);
  copy = g_build_filename (survived, name, NULL);
  g_assert_true (g_file_set_contents_full (copy, bytes, (gssize) length,
                                           G_FILE_SET_CONTENTS_CONSISTENT, 0600, NULL));
}

/* TRUE while save_copy() runs, because its own syncs must not be copied. */
static gboolean copying;

static int
sync_and_keep (int fd, long call)
{
  int result = (int) syscall (call, fd);

  if (result == 0 && !copying)
    {
      copying = TRUE;
      save_copy (fd);
      copying = FALSE;
    }

  return result;
}

int
fdatasync (int fd)
{
  return sync_and_keep (fd, SYS_fdatasync);
}

int
fsync (int fd)
{
  return sync_and_keep (fd, SYS_fsync);
}

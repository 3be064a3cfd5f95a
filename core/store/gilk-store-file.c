/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-file.c - the session's file, and its lock file FILE-recording, which exists while a
 * run is recorded
 *
 * The lock distinguishes a recording in progress from one whose program died. The lock file also
 * reserves disk space, so that the last writes of a run succeed on a full disk.
 */
#include "core/base/gilk-error.h"
#include "core/store/gilk-store-private.h"
#include "core/store/gilk-store-transaction.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define RESERVE_BYTES (4 << 20)

const char *
gilk_store_path (GilkStore *store)
{
  return store->path;
}

GCancellable *
gilk_store_cancellable (GilkStore *store)
{
  return store->cancellable;
}

uint64_t
gilk_store_bytes (GilkStore *store)
{
  g_autofree char *wal = g_strconcat (store->path, "-wal", NULL);
  uint64_t bytes = 0;
  struct stat st;

  if (stat (store->path, &st) == 0)
    bytes += (uint64_t) st.st_size;
  if (stat (wal, &st) == 0)
    bytes += (uint64_t) st.st_size;

  return bytes;
}

/* ---- the lock ---- */

static char *
make_lock_path (GilkStore *store)
{
  return g_strconcat (store->path, "-recording", NULL);
}

/* Opens and locks the file. Tries again if another process removed the file before it was
 * locked. */
static int
take_lock (const char *path, int flags)
{
  for (;;)
    {
      int fd = open (path, O_CLOEXEC | O_NONBLOCK | O_NOCTTY | flags, 0600);
      struct stat st;

      if (fd < 0)
        return -1;
      if (flock (fd, LOCK_EX | LOCK_NB) != 0)
        {
          int saved = errno;

          close (fd);
          errno = saved;
          return -1;
        }
      if (fstat (fd, &st) == 0 && st.st_nlink > 0)
        return fd;
      close (fd);
    }
}

gboolean
gilk_store_lock (GilkStore *store,
                 GError   **error)
{
  g_autofree char *path = make_lock_path (store);
  int problem;

  store->lock_fd = take_lock (path, O_RDWR | O_CREAT);
  if (store->lock_fd < 0)
    return errno == EWOULDBLOCK
           ? gilk_fail (error, GILK_ERROR_STORE,
                                _("%s is being recorded by another program. Wait until that "
                                  "recording ends, or record to another file."), store->path)
           : gilk_unwritable (path, errno, error);

  problem = posix_fallocate (store->lock_fd, 0, RESERVE_BYTES);
  if (problem == ENOSPC || problem == EDQUOT || problem == EFBIG)
    {
      gilk_store_unlock (store);
      return gilk_fail (error, GILK_ERROR_STORE,
          _("The disk is full: cannot create %s. Free some space, or record to another disk."),
          store->path);
    }

  return TRUE;
}

void
gilk_store_release_reserve (GilkStore *store)
{
  if (store->lock_fd >= 0 && ftruncate (store->lock_fd, 0) != 0)
    g_debug ("%s: reserve kept: %s", store->path, g_strerror (errno));
}

/* Unlinks the file before unlocking it, so that no other process locks a file that is being
 * removed. */
void
gilk_store_unlock (GilkStore *store)
{
  g_autofree char *path = make_lock_path (store);

  if (store->lock_fd < 0)
    return;
  unlink (path);
  close (store->lock_fd);
  store->lock_fd = -1;
}

gboolean
gilk_store_is_recording (GilkStore *store)
{
  g_autofree char *path = make_lock_path (store);
  int fd;

  if (store->lock_fd >= 0)
    return TRUE;
  fd = take_lock (path, O_RDONLY);
  if (fd < 0)
    return errno == EWOULDBLOCK;
  close (fd);

  return FALSE;
}

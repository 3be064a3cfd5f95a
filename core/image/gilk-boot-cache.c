/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-boot-cache.c - on-disk cache of kernels' symbols, types, unwind tables and text
 */
#include "core/image/gilk-boot-cache.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "core/base/gilk-memory.h"

#define LEVEL       1

static char *
build_path (const char *key, const char *what)
{
  g_autofree char *name = g_strdup_printf ("%s-%s", key, what);

  return g_build_filename (g_get_user_cache_dir (), "gilk", "boots", name, NULL);
}

/* ---- reading of cached files ---- */

/* Returns whether this user owns the file and no one else may write it. If sudo keeps $HOME, there
 * may be files of another user, which must not be trusted. */
static gboolean
is_own_file (int fd, gsize *size)
{
  struct stat st;

  if (fstat (fd, &st) != 0 || !S_ISREG (st.st_mode) || st.st_uid != geteuid () || (st.st_mode & 022) != 0 ||
      st.st_size <= 0 || st.st_size > GILK_BOOT_CACHE_MAX)
    return FALSE;
  *size = (gsize) st.st_size;

  return TRUE;
}

static gboolean
read_bytes (int fd, char *bytes, gsize size)
{
  gsize got = 0;

  while (got < size)
    {
      ssize_t n = read (fd, bytes + got, size - got);

      if (n <= 0)
        return FALSE;
      got += (gsize) n;
    }

  return TRUE;
}

static char *
decompress_file (const char *packed, gsize size, gsize *length)
{
  unsigned long long content = ZSTD_getFrameContentSize (packed, size);
  g_autofree char *bytes = NULL;

  /* This also rejects ZSTD_CONTENTSIZE_UNKNOWN and ZSTD_CONTENTSIZE_ERROR, which are very large
   * numbers. */
  if (content > GILK_BOOT_CACHE_CONTENT_MAX)
    return NULL;
  bytes = g_try_malloc (content + 1);
  if (bytes == NULL || ZSTD_decompress (bytes, content, packed, size) != content)
    return NULL;
  bytes[content] = '\0';
  *length = content;

  return g_steal_pointer (&bytes);
}

char *
gilk_boot_cache_read (const char *key, const char *what, gsize *length)
{
  g_autofree char *path = build_path (key, what);
  g_autofree char *packed = NULL;
  char *bytes = NULL;
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  gsize size;

  if (fd < 0)
    return NULL;
  if (is_own_file (fd, &size))
    packed = g_try_malloc (size);
  if (packed != NULL && read_bytes (fd, packed, size))
    bytes = decompress_file (packed, size, length);
  /* Set the modification time, which make_room() uses as the time of the last use. */
  if (bytes != NULL)
    futimens (fd, NULL);
  close (fd);

  return bytes;
}

/* ---- writing of cached files ---- */

typedef struct {
  char  *path;
  gint64 used_ns;
  goffset size;
} CachedFile;

GILK_DEFINE_CLEAR (cached_file_free, CachedFile, kept, gilk_free_all (kept->path, kept))

static int
compare_by_use (gconstpointer one, gconstpointer other)
{
  const CachedFile *x = *(CachedFile *const *) one, *y = *(CachedFile *const *) other;

  return (x->used_ns < y->used_ns) - (x->used_ns > y->used_ns);
}

/* Returns whether this user owns @folder or, if it does not exist, its closest existing parent. */
static gboolean
is_own_folder (const char *folder)
{
  g_autofree char *path = g_strdup (folder);
  struct stat st;
  int failed;

  while ((failed = stat (path, &st)) != 0 && errno == ENOENT)
    {
      char *above = g_path_get_dirname (path);

      g_free (path);
      path = above;
    }

  return failed == 0 && st.st_uid == geteuid ();
}

/* Removes the least recently used files until the total size is at most GILK_BOOT_CACHE_MAX. */
static void
make_room (const char *folder)
{
  g_autoptr(GPtrArray) all = g_ptr_array_new_with_free_func (cached_file_free);
  g_autoptr(GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  goffset sum = 0;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      struct stat st;
      CachedFile *kept;

      if (lstat (path, &st) != 0 || !S_ISREG (st.st_mode))
        continue;
      kept = g_new (CachedFile, 1);
      *kept = (CachedFile) { g_steal_pointer (&path), st.st_mtim.tv_sec * G_GINT64_CONSTANT (1000000000) + st.st_mtim.tv_nsec,
                       st.st_size };
      g_ptr_array_add (all, kept);
    }
  g_ptr_array_sort (all, compare_by_use);
  for (guint i = 0; i < all->len; i++)
    {
      const CachedFile *kept = g_ptr_array_index (all, i);

      sum += kept->size;
      if (sum > GILK_BOOT_CACHE_MAX)
        g_unlink (kept->path);
    }
}

static void *
compress_file (const void *bytes, gsize length, gsize *size)
{
  ZSTD_CCtx *context = ZSTD_createCCtx ();
  gsize room = ZSTD_compressBound (length);
  g_autofree char *packed = g_try_malloc (room);

  if (context == NULL || packed == NULL)
    {
      ZSTD_freeCCtx (context);
      return NULL;
    }
  ZSTD_CCtx_setParameter (context, ZSTD_c_compressionLevel, LEVEL);
  ZSTD_CCtx_setParameter (context, ZSTD_c_checksumFlag, 1);
  *size = ZSTD_compress2 (context, packed, room, bytes, length);
  ZSTD_freeCCtx (context);

  return ZSTD_isError (*size) ? NULL : g_steal_pointer (&packed);
}

void
gilk_boot_cache_write (const char *key, const char *what, const void *bytes, gsize length)
{
  g_autofree char *path = build_path (key, what);
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *packed = NULL;
  gsize size;

  if (length > GILK_BOOT_CACHE_CONTENT_MAX || !is_own_folder (folder) || g_mkdir_with_parents (folder, 0700) != 0)
    return;
  packed = compress_file (bytes, length, &size);
  if (packed != NULL && size <= GILK_BOOT_CACHE_MAX &&
      g_file_set_contents_full (path, packed, (gssize) size, G_FILE_SET_CONTENTS_CONSISTENT, 0600, NULL))
    make_room (folder);
}

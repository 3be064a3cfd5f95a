/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-sink.c - buffered output, and files that are written completely or not at all
 */
#include "core/export/gilk-sink.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/gilk-error.h"

#define DRAIN_BYTES (256 << 10)

void
gilk_sink_init (GilkSink     *sink,
                GilkSinkWrite write,
                gpointer      data)
{
  *sink = (GilkSink) { g_string_sized_new (2 * DRAIN_BYTES), write, data };
}

void
gilk_sink_clear (GilkSink *sink)
{
  if (sink->text != NULL)
    g_string_free (sink->text, TRUE);
  sink->text = NULL;
}

gboolean
gilk_sink_finish (GilkSink *sink,
                  GError  **error)
{
  gboolean good = sink->text->len == 0 || sink->write (sink->data, sink->text->str, sink->text->len, error);

  g_string_truncate (sink->text, 0);

  return good;
}

gboolean
gilk_sink_drain (GilkSink *sink,
                 GError  **error)
{
  return sink->text->len < DRAIN_BYTES || gilk_sink_finish (sink, error);
}

/* ---- helpers for output files and folders ---- */

static gboolean
refuse_existing (GError **error, const char *path)
{
  return gilk_fail (error, GILK_ERROR_FAILED,
                    _("%s already exists. Name another file, or use --force to replace it."), path);
}

static gboolean
write_all (int fd, const char *path, const char *bytes, gsize n, GError **error)
{
  while (n > 0)
    {
      ssize_t done = write (fd, bytes, n);

      if (done < 0 && errno == EINTR)
        continue;
      if (done <= 0)
        return gilk_unwritable (path, done < 0 ? errno : ENOSPC, error);
      bytes += done;
      n -= (gsize) done;
    }

  return TRUE;
}

/* Returns the mode that the umask allows for a new file or folder. */
static mode_t
get_usual_mode (mode_t most)
{
  mode_t mask = umask (077);

  umask (mask);

  return most & ~mask;
}

/* ---- an output file ---- */

gboolean
gilk_part_file_open (GilkPartFile *file,
                     const char   *path,
                     gboolean      replace,
                     GError      **error)
{
  struct stat st;
  gboolean there = stat (path, &st) == 0;

  *file = (GilkPartFile) { .fd = -1, .path = g_strdup (path) };
  if (there && S_ISDIR (st.st_mode))
    return gilk_unwritable (path, EISDIR, error);
  if (there && S_ISREG (st.st_mode) && !replace)
    return refuse_existing (error, path);
  if (there && !S_ISREG (st.st_mode))
    {
      file->fd = open (path, O_WRONLY | O_CLOEXEC);
      return file->fd >= 0 || gilk_unwritable (path, errno, error);
    }
  file->part = g_strconcat (path, ".XXXXXX", NULL);
  file->fd = g_mkstemp_full (file->part, O_RDWR | O_CLOEXEC, 0600);
  if (file->fd < 0)
    {
      int why = errno;

      g_clear_pointer (&file->part, g_free);
      return gilk_unwritable (path, why, error);
    }
  if (fchmod (file->fd, there ? st.st_mode & 07777 : get_usual_mode (0666)) != 0)
    return gilk_unwritable (path, errno, error);

  return TRUE;
}

gboolean
gilk_part_file_write (gpointer    data,
                      const char *bytes,
                      gsize       n,
                      GError    **error)
{
  const GilkPartFile *file = data;

  return write_all (file->fd, file->path, bytes, n, error);
}

gboolean
gilk_part_file_done (GilkPartFile *file,
                     GError      **error)
{
  int fd = file->fd;

  file->fd = -1;
  if (close (fd) != 0)
    return gilk_unwritable (file->path, errno, error);
  if (file->part != NULL && g_rename (file->part, file->path) != 0)
    return gilk_unwritable (file->path, errno, error);
  g_clear_pointer (&file->part, g_free);

  return TRUE;
}

void
gilk_part_file_clear (GilkPartFile *file)
{
  if (file->path != NULL && file->fd >= 0)
    close (file->fd);
  if (file->part != NULL)
    g_unlink (file->part);
  g_clear_pointer (&file->part, g_free);
  g_clear_pointer (&file->path, g_free);
  file->fd = -1;
}

/* ---- an output folder ---- */

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
is_ours (const char *const *ours, const char *name)
{
  for (guint i = 0; ours[i] != NULL; i++)
    if (g_pattern_match_simple (ours[i], name))
      return TRUE;

  return FALSE;
}

/* Fails if the folder contains a file whose name does not match @ours. This keeps an export to a
 * mistyped path from replacing a folder of the user's files. */
static gboolean
may_replace (const char *path, const char *const *ours, GError **error)
{
  g_autoptr(GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (!is_ours (ours, name))
      return gilk_fail (error, GILK_ERROR_FAILED,
          _("%s is a folder with other files in it, such as %s. Name another folder."),
          path, name);

  return dir != NULL || gilk_unwritable (path, ENOTDIR, error);
}

gboolean
gilk_part_folder_open (GilkPartFolder    *folder,
                       const char        *path,
                       gboolean           replace,
                       const char *const *ours,
                       GError           **error)
{
  g_autofree char *plain = g_strdup (path);
  gsize length = strlen (plain);

  while (length > 1 && plain[length - 1] == '/')
    plain[--length] = '\0';
  *folder = (GilkPartFolder) { .replace = replace, .path = g_strdup (plain) };
  if (g_file_test (path, G_FILE_TEST_EXISTS))
    {
      if (!replace)
        return refuse_existing (error, path);
      if (!may_replace (path, ours, error))
        return FALSE;
    }
  folder->part = g_strconcat (plain, ".XXXXXX", NULL);
  if (g_mkdtemp_full (folder->part, (int) get_usual_mode (0777) | 0700) == NULL)
    {
      int why = errno;

      g_clear_pointer (&folder->part, g_free);
      return gilk_unwritable (path, why, error);
    }

  return TRUE;
}

gboolean
gilk_part_folder_append (const GilkPartFolder *folder,
                         const char           *name,
                         const void           *bytes,
                         gsize                 n,
                         GError              **error)
{
  g_autofree char *path = g_build_filename (folder->part, name, NULL);
  int fd = open (path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  gboolean good;

  if (fd < 0)
    return gilk_unwritable (folder->path, errno, error);
  good = write_all (fd, folder->path, bytes, n, error);
  if (close (fd) != 0 && good)
    return gilk_unwritable (folder->path, errno, error);

  return good;
}

gboolean
gilk_part_folder_done (GilkPartFolder *folder,
                       GError        **error)
{
  if (folder->replace && g_file_test (folder->path, G_FILE_TEST_IS_DIR))
    remove_folder (folder->path);
  if (g_rename (folder->part, folder->path) != 0)
    return gilk_unwritable (folder->path, errno, error);
  g_clear_pointer (&folder->part, g_free);

  return TRUE;
}

void
gilk_part_folder_clear (GilkPartFolder *folder)
{
  if (folder->part != NULL)
    remove_folder (folder->part);
  g_clear_pointer (&folder->part, g_free);
  g_clear_pointer (&folder->path, g_free);
}

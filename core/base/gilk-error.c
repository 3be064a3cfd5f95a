/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-error.c - the library's error domain, and error messages for files
 *
 * Contains the names and exit codes of the error codes in gilk-error.h. Both are part of the
 * command line's contract, which scripts rely on, so entries are added, but never changed or
 * removed.
 */
#include "core/base/gilk-error.h"

#include <errno.h>
#include <gio/gio.h>
#include <glib/gi18n.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/gilk-array.h"
#include "core/base/gilk-strings.h"

G_DEFINE_QUARK (gilk-error-quark, gilk_error)

gboolean
gilk_fail (GError **error, GilkErrorCode code, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  g_propagate_error (error, g_error_new_valist (GILK_ERROR, (int) code, format, args));
  va_end (args);

  return FALSE;
}

gpointer
gilk_fail_null (GError **error, GilkErrorCode code, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  g_propagate_error (error, g_error_new_valist (GILK_ERROR, (int) code, format, args));
  va_end (args);

  return NULL;
}

gboolean
gilk_check_end (GError **local, GError **error)
{
  if (*local == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (local));

  return FALSE;
}

static const char *const code_names[] = {
  [GILK_ERROR_FAILED]     = "failed",
  [GILK_ERROR_USAGE]      = "usage",
  [GILK_ERROR_NOT_FOUND]  = "not-found",
  [GILK_ERROR_AMBIGUOUS]  = "ambiguous",
  [GILK_ERROR_REFUSED]    = "refused",
  [GILK_ERROR_STALE]      = "stale",
  [GILK_ERROR_OVERLAP]    = "overlap",
  [GILK_ERROR_TARGET]     = "target",
  [GILK_ERROR_PROTOCOL]   = "protocol",
  [GILK_ERROR_PERMISSION] = "permission",
  [GILK_ERROR_DRIVER]     = "driver",
  [GILK_ERROR_FORMAT]     = "format",
  [GILK_ERROR_STORE]      = "store",
  [GILK_ERROR_CANCELLED]  = "cancelled",
  [GILK_ERROR_STILL_OWNED]       = "still-owned",
  [GILK_ERROR_CONSENT]    = "consent",
};

G_STATIC_ASSERT (G_N_ELEMENTS (code_names) == GILK_ERROR_CONSENT + 1);

const char *
gilk_error_code_name (GilkErrorCode code)
{
  if ((guint) code >= G_N_ELEMENTS (code_names))
    return "unknown";

  return code_names[code];
}

int
gilk_error_exit_code (const GError *error)
{
  if (error == NULL)
    return 0;
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) ||
      g_error_matches (error, GILK_ERROR, GILK_ERROR_CANCELLED))
    return 130;
  if (error->domain != GILK_ERROR ||
      error->code < 0 || (guint) error->code >= G_N_ELEMENTS (code_names))
    return 1;

  return 1 + error->code;
}

/* ---- makes error messages for files that cannot be read or written, with the remedy ---- */

enum { NAMES_SEARCHED = 1000 };      /* maximum number of directory entries searched for a
                                      * similar name */

static const struct {
  GFileError file;
  GIOErrorEnum io;
  int        why;
} causes[] = {
  { G_FILE_ERROR_NOENT, G_IO_ERROR_NOT_FOUND, ENOENT },
  { G_FILE_ERROR_NOTDIR, G_IO_ERROR_NOT_DIRECTORY, ENOTDIR },
  { G_FILE_ERROR_ISDIR, G_IO_ERROR_IS_DIRECTORY, EISDIR },
  { G_FILE_ERROR_ACCES, G_IO_ERROR_PERMISSION_DENIED, EACCES },
  { G_FILE_ERROR_PERM, G_IO_ERROR_PERMISSION_DENIED, EACCES },
  { G_FILE_ERROR_ROFS, G_IO_ERROR_READ_ONLY, EROFS },
  { G_FILE_ERROR_NOSPC, G_IO_ERROR_NO_SPACE, ENOSPC },
  { G_FILE_ERROR_NAMETOOLONG, G_IO_ERROR_FILENAME_TOO_LONG, ENAMETOOLONG },
};

/* Returns the nearest existing parent of @path. */
static char *
find_nearest_parent (const char *path)
{
  char *above = g_path_get_dirname (path);
  struct stat st;

  while (stat (above, &st) != 0 && strcmp (above, "/") != 0 && strcmp (above, ".") != 0)
    {
      char *higher = g_path_get_dirname (above);

      g_free (above);
      above = higher;
    }

  return above;
}

static gboolean
set_no_folder (const char *path, const char *folder, GError **error)
{
  g_autofree char *above = find_nearest_parent (folder), *quoted = g_shell_quote (folder);
  const gboolean plain = strcspn (folder, " \t\n\"'\\$`*?[]{}()<>|&;~#!") == strlen (folder);

  if (access (above, W_OK) == 0 && g_file_test (above, G_FILE_TEST_IS_DIR))
    g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                 _("Cannot write %s: the folder %s does not exist. Create it with \"mkdir -p %s\", or name a file in "
                   "another folder."),
                 path, folder, plain ? folder : quoted);
  else
    g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                 _("Cannot write %s: the folder %s does not exist. Name a file in a folder that you may write to."), path, folder);

  return FALSE;
}

/* Sets the error for a path with a parent that is not a directory. */
static gboolean
set_not_a_folder (const char *path, GError **error)
{
  g_autofree char *above = find_nearest_parent (path);

  return gilk_fail (error, GILK_ERROR_FAILED,
      _("Cannot write %s: %s is not a folder. Name a file in a folder."), path, above);
}

static gboolean
set_not_allowed (const char *path, const char *folder, GError **error)
{
  if (access (path, F_OK) == 0 && access (path, W_OK) != 0)
    g_set_error (error, GILK_ERROR, GILK_ERROR_PERMISSION,
                 _("Cannot write %s: permission denied. Change its permissions with chmod, or name another file."), path);
  else
    g_set_error (error, GILK_ERROR, GILK_ERROR_PERMISSION,
                 _("Cannot write %s: you have no permission to create files in the folder %s. Name a file in a folder "
                   "that you may write to."),
                 path, folder);

  return FALSE;
}

gboolean
gilk_unwritable (const char *path, int why, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (path);
  struct stat st;

  if (why == EEXIST)
    g_set_error (error, GILK_ERROR, GILK_ERROR_FAILED, _("%s already exists. Choose another name, or remove it."), path);
  else if (why == EISDIR || (stat (path, &st) == 0 && S_ISDIR (st.st_mode)))
    g_set_error (error, GILK_ERROR, GILK_ERROR_FAILED, _("%s is a folder. Name a file in it."), path);
  else if (why == ENOTDIR)
    return set_not_a_folder (path, error);
  else if (why == ENOENT && stat (folder, &st) != 0)
    return errno == ENOTDIR ? set_not_a_folder (path, error) : set_no_folder (path, folder, error);
  else if (why == EACCES || why == EPERM)
    return set_not_allowed (path, folder, error);
  else if (why == EROFS)
    g_set_error (error, GILK_ERROR, GILK_ERROR_PERMISSION,
                 _("Cannot write %s: its file system is read-only. Name a file in another folder."), path);
  else if (why == ENOSPC || why == EDQUOT)
    g_set_error (error, GILK_ERROR, GILK_ERROR_FAILED,
                 _("Cannot write %s: %s. Free some space, or name a file on another disk."), path, g_strerror (why));
  else
    g_set_error (error, GILK_ERROR, GILK_ERROR_FAILED, _("Cannot write %s: %s. Name another file."), path,
                 why != 0 ? g_strerror (why) : _("unknown error"));

  return FALSE;
}

/* Returns the errno that corresponds to @why, an error of GLib or GIO; 0 if unknown. */
static int
get_errno (const GError *why)
{
  for (guint i = 0; i < G_N_ELEMENTS (causes); i++)
    if (g_error_matches (why, G_FILE_ERROR, causes[i].file) || g_error_matches (why, G_IO_ERROR, causes[i].io))
      return causes[i].why;

  return 0;
}

gboolean
gilk_unwritable_by (const char *path, const GError *why, GError **error)
{
  const int known = g_file_test (path, G_FILE_TEST_IS_DIR) ? EISDIR : get_errno (why);

  if (known != 0)
    return gilk_unwritable (path, known, error);
  return gilk_fail (error, GILK_ERROR_FAILED,
                    _("Cannot write %s: %s. Name another file."), path, why->message);
}

gboolean
gilk_check_writable (const char *path, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (path);
  struct stat st;

  if (stat (folder, &st) != 0)
    return gilk_unwritable (path, errno, error);
  if (!S_ISDIR (st.st_mode))
    return gilk_unwritable (path, ENOTDIR, error);
  if (stat (path, &st) == 0 && S_ISDIR (st.st_mode))
    return gilk_unwritable (path, EISDIR, error);

  return TRUE;
}

/* ---- error messages for files that cannot be read ---- */

/* Returns " Did you mean \"a.plan\"?" with files of @folder whose names resemble @path's name.
 * (transfer full) */
static char *
make_hint (const char *path, const char *folder)
{
  g_autoptr(GDir) dir = g_dir_open (folder, 0, NULL);
  g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *own = g_path_get_basename (path);
  const char *name;

  while (dir != NULL && names->len < NAMES_SEARCHED && (name = g_dir_read_name (dir)) != NULL)
    if (g_utf8_validate (name, -1, NULL))
      g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort (names, gilk_order_text);

  return gilk_nearest_hint (own, (const char *const *) names->pdata, names->len);
}

static gboolean
set_not_found (const char *path, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (path), *hint = NULL;

  if (g_file_test (folder, G_FILE_TEST_IS_DIR))
    {
      hint = make_hint (path, folder);
      g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND, _("%s does not exist.%s"), path,
                   *hint != '\0' ? hint : _(" Name an existing file."));
    }
  else if (g_file_test (folder, G_FILE_TEST_EXISTS))
    g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND, _("%s does not exist: %s is not a folder. Name an existing file."), path,
                 folder);
  else
    g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND, _("%s does not exist, nor does the folder %s. Name an existing "
                                                            "file."), path,
                 folder);

  return FALSE;
}

gboolean
gilk_unreadable (const char *path, int why, GError **error)
{
  if (why == ENOENT || why == ENOTDIR)
    return set_not_found (path, error);
  if (why == EACCES || why == EPERM)
    g_set_error (error, GILK_ERROR, GILK_ERROR_PERMISSION,
                 _("Cannot read %s: permission denied. Change its permissions, or copy it."), path);
  else if (why == EISDIR)
    g_set_error (error, GILK_ERROR, GILK_ERROR_FORMAT, _("%s is a folder. Name a file in it."), path);
  else
    g_set_error (error, GILK_ERROR, GILK_ERROR_FAILED, _("Cannot read %s: %s. Name another file."), path,
                 why != 0 ? g_strerror (why) : _("unknown error"));

  return FALSE;
}

gboolean
gilk_unreadable_by (const char *path, const GError *why, GError **error)
{
  const int known = g_file_test (path, G_FILE_TEST_IS_DIR) ? EISDIR : get_errno (why);

  if (known != 0)
    return gilk_unreadable (path, known, error);
  return gilk_fail (error, GILK_ERROR_FAILED,
                    _("Cannot read %s: %s. Name another file."), path, why->message);
}

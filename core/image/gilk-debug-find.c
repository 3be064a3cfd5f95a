/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-debug-find.c - finds the debug data of a kernel, module or program on this machine
 *
 * File names are only hints: a file is accepted if it has the build id of the running code. For a
 * program without a build id, the file named in .gnu_debuglink must have the checksum stated there.
 */
#include "core/image/gilk-debug.h"

#include <glib/gi18n.h>
#include <lzma.h>
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/debug/gilk-dwarf.h"

#define SYSTEM "/usr/lib/debug"
enum { DEPTH_MAX = 12, ENTRIES_MAX = 400000 };

static gboolean
is_kernel (const GilkDebugWanted *wanted)
{
  return wanted->program == NULL && strcmp (wanted->module, "kernel") == 0;
}

/* Returns whether a file has the checksum stated in .gnu_debuglink: CRC-32 of IEEE 802.3. */
static gboolean
has_checksum (const char *path, uint32_t wanted)
{
  g_autoptr(GMappedFile) file = g_mapped_file_new (path, FALSE, NULL);
  const uint8_t *bytes = file != NULL ? (const uint8_t *) g_mapped_file_get_contents (file) : NULL;
  const gsize length = file != NULL ? g_mapped_file_get_length (file) : 0;

  return length > 0 && lzma_crc32 (bytes, length, 0) == wanted;
}

/* Returns whether the file belongs to the build of the code that runs. @id: build id of the file;
 * @given: the user gave the file, or a folder that contains the file */
static gboolean
is_same_build (const GilkDebugWanted *wanted, const char *path, const char *id, gboolean given)
{
  if (*wanted->build_id != '\0')
    return strcmp (id, wanted->build_id) == 0;

  return wanted->debug_link != NULL ? has_checksum (path, wanted->debug_crc) : given;
}

/* Returns whether a file belongs to the build of the code that runs and, if it is a program, has
 * debug data. A stripped program has the same build id as the separate file with its debug data. */
static gboolean
is_right (const GilkDebugWanted *wanted, const char *path, const char *id, gboolean given)
{
  return is_same_build (wanted, path, id, given) && (wanted->program == NULL || gilk_dwarf_has_data (path));
}

/* Returns @path if is_right() accepts the file at @path; otherwise frees @path and returns NULL. */
static char *
try_path (const GilkDebugWanted *wanted, char *path, gboolean given)
{
  g_autofree char *id = g_file_test (path, G_FILE_TEST_IS_REGULAR) ? gilk_dwarf_build_id (path, NULL) : NULL;

  if (id == NULL || !is_right (wanted, path, id, given))
    g_clear_pointer (&path, g_free);

  return path;
}

/* Tries ".build-id/xx/yyyy.debug" below @folder. */
static char *
try_build_id (const GilkDebugWanted *wanted, const char *folder)
{
  if (strlen (wanted->build_id) < 4)
    return NULL;

  return try_path (wanted, g_strdup_printf ("%s/.build-id/%.2s/%s.debug", folder, wanted->build_id, wanted->build_id + 2),
                   FALSE);
}

static gboolean
is_program_named (const GilkDebugWanted *wanted, const char *file)
{
  g_autofree char *base = g_path_get_basename (wanted->program);

  return g_strcmp0 (file, wanted->debug_link) == 0 ||
         (g_str_has_prefix (file, base) && (file[strlen (base)] == '\0' || strcmp (file + strlen (base), ".debug") == 0));
}

/* Returns whether a file name fits: for a module "NAME.ko" or "NAME.ko.debug", also compressed ('-'
 * and '_' count as equal); for the kernel "vmlinux*"; for a program its name, with or without
 * ".debug", or the name in its debug link. */
static gboolean
is_named (const GilkDebugWanted *wanted, const char *file)
{
  static const char *const ends[] = { "", ".xz", ".zst", ".gz" };
  gsize i;

  if (wanted->program != NULL)
    return is_program_named (wanted, file);
  if (is_kernel (wanted))
    return g_str_has_prefix (file, "vmlinux");
  for (i = 0; wanted->module[i] != '\0'; i++)
    if (file[i] != wanted->module[i] && !(strchr ("-_", file[i]) != NULL && strchr ("-_", wanted->module[i]) != NULL))
      return FALSE;

  if (!g_str_has_prefix (file + i, ".ko"))
    return FALSE;
  i += g_str_has_prefix (file + i, ".ko.debug") ? strlen (".ko.debug") : strlen (".ko");
  for (guint k = 0; k < G_N_ELEMENTS (ends); k++)
    if (strcmp (file + i, ends[k]) == 0)
      return TRUE;

  return FALSE;
}

static char *
search_folder (const GilkDebugWanted *wanted, const char *folder, gboolean given, guint depth, guint *budget)
{
  g_autoptr(GDir) dir = depth < DEPTH_MAX ? g_dir_open (folder, 0, NULL) : NULL;
  char *found = NULL;
  const char *name;

  while (found == NULL && dir != NULL && *budget > 0 && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      --*budget;
      if (is_named (wanted, name))
        found = try_path (wanted, g_strdup (path), given);
      if (found == NULL && !g_file_test (path, G_FILE_TEST_IS_SYMLINK) && g_file_test (path, G_FILE_TEST_IS_DIR))
        found = search_folder (wanted, path, given, depth + 1, budget);
    }

  return found;
}

static char *
search_tree (const GilkDebugWanted *wanted, char *folder, gboolean given)
{
  guint budget = ENTRIES_MAX;
  char *found = search_folder (wanted, folder, given, 0, &budget);

  g_free (folder);

  return found;
}

/* ---- debug data in the file or folder given by the user ---- */

static void
set_other_build (const GilkDebugWanted *wanted, const char *path, const char *id, GError **error)
{
  if (wanted->program != NULL)
    g_set_error (error, GILK_ERROR, GILK_ERROR_FORMAT,
                 _("%s has no debug data of %s: it is of another build, or stripped. Give the file of this very build (build "
                   "id %s)."), path, wanted->program, *wanted->build_id != '\0' ? wanted->build_id : "-");
  else
    g_set_error (error, GILK_ERROR, GILK_ERROR_FORMAT,
                 _("%s belongs to another kernel: its build id is %s, and that of the running kernel is %s. Give the "
                   "file of this very build, such as that of the package linux-image-%s-dbg."), path,
                 *id != '\0' ? id : "-", wanted->build_id, wanted->release);
}

/* Returns whether the user's file, which does not fit this search, may be meant for another search.
 * For example, this search is for the kernel's debug data, but the file belongs to a module. */
static gboolean
is_for_other (const GilkDebugWanted *wanted, const char *path)
{
  g_autofree char *base = g_path_get_basename (path);

  if (is_kernel (wanted))
    return strstr (base, ".ko") != NULL || (!is_named (wanted, base) && gilk_dwarf_is_program (path));

  return !is_named (wanted, base);
}

/* Tries the user's file. Ignores a file that may be meant for another module or program. Returns
 * FALSE with @error if any other file does not match, or if the file cannot be decompressed. */
static gboolean
find_given_file (const GilkDebugWanted *wanted, char **found, GError **error)
{
  const char *path = wanted->user_path;
  g_autoptr(GError) unreadable = NULL;
  g_autofree char *id = gilk_dwarf_build_id (path, &unreadable);

  if (id != NULL && is_right (wanted, path, id, TRUE))
    *found = g_strdup (path);
  else if (unreadable != NULL && !g_error_matches (unreadable, GILK_ERROR, GILK_ERROR_NOT_FOUND))
    g_propagate_error (error, g_steal_pointer (&unreadable));
  else if (is_for_other (wanted, path))
    return TRUE;
  else if (unreadable != NULL)
    g_set_error_literal (error, GILK_ERROR, GILK_ERROR_FORMAT, unreadable->message);
  else
    set_other_build (wanted, path, id, error);

  return *found != NULL;
}

/* Looks for the file or folder at the user's path. Returns FALSE with @error like
 * find_given_file(). */
static gboolean
find_given (const GilkDebugWanted *wanted, char **found, GError **error)
{
  g_autofree char *below = NULL;

  if (wanted->user_path == NULL)
    return TRUE;
  if (!g_file_test (wanted->user_path, G_FILE_TEST_EXISTS))
    return gilk_fail (error, GILK_ERROR_NOT_FOUND,
        _("%s, given for debug data, does not exist. Give a file or a folder."), wanted->user_path);
  if (!g_file_test (wanted->user_path, G_FILE_TEST_IS_DIR))
    return find_given_file (wanted, found, error);
  below = g_strconcat (wanted->user_path, SYSTEM, NULL);
  *found = try_build_id (wanted, wanted->user_path);
  if (*found == NULL)
    *found = try_build_id (wanted, below);
  if (*found == NULL)
    *found = search_tree (wanted, g_strdup (wanted->user_path), TRUE);

  return TRUE;
}

/* ---- debug data in the folders where packages install them ---- */

static char *
find_kernel (const GilkDebugWanted *wanted)
{
  static const char *const places[] = {
    SYSTEM "/boot/vmlinux-%s", SYSTEM "/lib/modules/%s/vmlinux", SYSTEM "/usr/lib/modules/%s/vmlinux",
    "/lib/modules/%s/build/vmlinux", "/boot/vmlinux-%s",
  };
  char *found = NULL;

  for (guint i = 0; found == NULL && i < G_N_ELEMENTS (places); i++)
    {
      g_auto(GStrv) halves = g_strsplit (places[i], "%s", 2);

      found = try_path (wanted, g_strconcat (halves[0], wanted->release, halves[1], NULL), FALSE);
    }

  return found;
}

static char *
find_module (const GilkDebugWanted *wanted)
{
  static const char *const folders[] = { SYSTEM "/lib/modules/", SYSTEM "/usr/lib/modules/", "/lib/modules/" };
  char *found = NULL;

  for (guint i = 0; found == NULL && i < G_N_ELEMENTS (folders); i++)
    found = search_tree (wanted, g_strconcat (folders[i], wanted->release, NULL), FALSE);

  return found;
}

/* Searches for a program's debug data in the same folders as gdb. */
static char *
find_program (const GilkDebugWanted *wanted)
{
  static const char *const folders[] = { "%s", "%s/.debug", SYSTEM "%s" };
  g_autofree char *folder = g_path_get_dirname (wanted->program), *base = g_path_get_basename (wanted->program);
  const char *name = wanted->debug_link != NULL ? wanted->debug_link : base;
  char *found = NULL;

  for (guint i = 0; found == NULL && i < G_N_ELEMENTS (folders); i++)
    {
      g_auto(GStrv) halves = g_strsplit (folders[i], "%s", 2);

      found = try_path (wanted, g_strconcat (halves[0], folder, halves[1], "/", name, NULL), FALSE);
    }

  return found;
}

/* Looks in debuginfod's cache. Must be called before the folders of modules are searched, because
 * stripped modules there have the same build id. */
static char *
find_in_cache (const GilkDebugWanted *wanted)
{
  const char *cache = g_getenv ("DEBUGINFOD_CACHE_PATH");
  g_autofree char *folder = cache != NULL ? g_strdup (cache)
                                          : g_build_filename (g_get_user_cache_dir (), "debuginfod_client", NULL);

  return *wanted->build_id != '\0' ? try_path (wanted, g_build_filename (folder, wanted->build_id, "debuginfo", NULL), FALSE)
                                   : NULL;
}

static gboolean
is_plain_name (const char *release)
{
  return *release != '\0' && strchr (release, '/') == NULL && strcmp (release, "..") != 0;
}

static void
set_not_found (const GilkDebugWanted *wanted, GError **error)
{
  const char *id = *wanted->build_id != '\0' ? wanted->build_id : "-";

  if (is_kernel (wanted))
    g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                 _("No debug data found for this kernel (build id %s). Install the package "
                   "linux-image-%s-dbg, or give the kernel's vmlinux, or the folder with it, "
                   "with --debug."), id, wanted->release);
  else if (wanted->program != NULL)
    g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                 _("No debug data found for %s (build id %s). Build it with -g and do not strip it, install its debug package on "
                   "this machine (Debian: PACKAGE-dbgsym), or give its file of debug data or that file's folder with --debug."),
                 wanted->program, id);
  else
    g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                 _("No debug data found for %s (build id %s). Give its .ko file, built with -g and not stripped, or that "
                   "file's folder with --debug; for the kernel's own modules it is in the package linux-image-%s-dbg."),
                 wanted->module, id, wanted->release);
}

char *
gilk_debug_find (const GilkDebugWanted *wanted,
                 GError               **error)
{
  char *found = NULL;

  if (!find_given (wanted, &found, error))
    return NULL;
  if (found == NULL)
    found = try_build_id (wanted, SYSTEM);
  if (found == NULL && wanted->program != NULL)
    found = find_program (wanted);
  if (found == NULL)
    found = find_in_cache (wanted);
  if (found == NULL && wanted->program == NULL && is_plain_name (wanted->release))
    found = is_kernel (wanted) ? find_kernel (wanted) : find_module (wanted);
  if (found == NULL)
    set_not_found (wanted, error);

  return found;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-recent-files.c - recently opened or saved sessions and plans, most recent first
 */
#include "gui/base/gilk-files.h"

#include <glib/gi18n.h>

#define KEY      "recent-files"
#define FILES_MAX     12
#define CHECK_KEY  "gilk-recent-files"

static void
file_free (gpointer data)
{
  GilkRecentFile *file = data;

  g_free (file->path);
  g_free (file->name);
  g_free (file->folder);
  g_free (file);
}

/* Changes the stored list of recent files: moves the path @first (nullable) to its front, and
 * removes the path @without (nullable). */
static void
change_list (GSettings  *settings,
             const char *first,
             const char *without)
{
  g_auto(GStrv) paths = g_settings_get_strv (settings, KEY);
  g_autoptr(GPtrArray) kept = g_ptr_array_new ();

  if (first != NULL)
    g_ptr_array_add (kept, (gpointer) first);
  for (guint i = 0; paths[i] != NULL && kept->len < FILES_MAX; i++)
    if (g_strcmp0 (paths[i], first) != 0 && g_strcmp0 (paths[i], without) != 0)
      g_ptr_array_add (kept, paths[i]);
  g_ptr_array_add (kept, NULL);
  g_settings_set_strv (settings, KEY, (const char *const *) kept->pdata);
}

void
gilk_recent_files_add (GSettings  *settings,
                       const char *path)
{
  g_autofree char *whole = g_canonicalize_filename (path, NULL);

  if (g_utf8_validate (whole, -1, NULL))
    change_list (settings, whole, NULL);
}

void
gilk_recent_files_remove (GSettings  *settings,
                          const char *path)
{
  change_list (settings, NULL, path);
}

void
gilk_recent_files_clear (GSettings *settings)
{
  g_settings_reset (settings, KEY);
}

/* ---- checking whether the files exist ---- */

/* Returns the folder as it is displayed, such as "~/runs". */
static char *
format_folder (const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);
  const char *home = g_get_home_dir ();
  const gsize length = strlen (home);

  if (length > 1 && strncmp (folder, home, length) == 0 && (folder[length] == '/' || folder[length] == '\0'))
    return g_strconcat ("~", folder + length, NULL);

  return g_steal_pointer (&folder);
}

static void
check_thread (GTask        *task,
              gpointer      source,
              gpointer      task_data,
              GCancellable *cancellable)
{
  GPtrArray *files = g_ptr_array_new_with_free_func (file_free);
  char **paths = task_data;

  for (guint i = 0; paths[i] != NULL; i++)
    {
      GilkRecentFile *file = g_new0 (GilkRecentFile, 1);

      file->path = g_strdup (paths[i]);
      file->name = g_path_get_basename (paths[i]);
      file->folder = format_folder (paths[i]);
      file->missing = !g_file_test (paths[i], G_FILE_TEST_EXISTS);
      g_ptr_array_add (files, file);
    }
  g_task_return_pointer (task, files, (GDestroyNotify) g_ptr_array_unref);
}

static void
checked_cb (GObject      *object,
            GAsyncResult *result,
            gpointer      user_data)
{
  g_autoptr(GPtrArray) files = g_task_propagate_pointer (G_TASK (result), NULL);

  if (files != NULL)
    ((GilkRecentFunc) user_data) (object, files);
}

void
gilk_recent_files_check (GSettings     *settings,
                         GObject       *object,
                         GilkRecentFunc done)
{
  GCancellable *last = g_object_get_data (object, CHECK_KEY);
  g_autoptr(GCancellable) cancellable = g_cancellable_new ();
  g_autoptr(GTask) task = g_task_new (object, cancellable, checked_cb, done);

  g_cancellable_cancel (last);
  g_object_set_data_full (object, CHECK_KEY, g_object_ref (cancellable), g_object_unref);
  g_task_set_task_data (task, g_settings_get_strv (settings, KEY), (GDestroyNotify) g_strfreev);
  g_task_run_in_thread (task, check_thread);
}

/* ---- the menu of recent files ---- */

/* Returns the menu label of @file. Doubles its underscores, which would otherwise mark
 * mnemonics. */
static char *
make_label (const GilkRecentFile *file)
{
  g_autofree char *text = file->missing ? g_strdup_printf (_("%s – missing, remove from list"), file->name)
                                        : g_strdup_printf ("%s – %s", file->name, file->folder);
  g_auto(GStrv) parts = g_strsplit (text, "_", -1);

  return g_strjoinv ("__", parts);
}

void
gilk_recent_files_fill_menu (GMenu           *menu,
                             const GPtrArray *files)
{
  g_autoptr(GMenu) list = g_menu_new ();

  g_menu_remove_all (menu);
  for (guint i = 0; i < files->len; i++)
    {
      const GilkRecentFile *file = files->pdata[i];
      g_autofree char *label = make_label (file);
      g_autoptr(GMenuItem) item = g_menu_item_new (label, NULL);

      g_menu_item_set_action_and_target (item, file->missing ? "win.forget-file" : "win.open-path", "s", file->path);
      g_menu_append_item (list, item);
    }
  g_menu_append_section (menu, NULL, G_MENU_MODEL (list));
  if (files->len > 0)
    {
      g_autoptr(GMenu) rest = g_menu_new ();

      g_menu_append (rest, _("_Clear List"), "win.clear-recent");
      g_menu_append_section (menu, NULL, G_MENU_MODEL (rest));
    }
}

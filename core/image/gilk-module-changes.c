/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-module-changes.c - compares two states of /proc/modules
 *
 * A line is "name size users used,by, Live 0xaddress".
 */
#include "core/image/gilk-module-changes.h"

#include <string.h>

#include "core/base/gilk-array.h"
#include "core/image/gilk-image-private.h"

enum { NAME, SIZE, USERS, USED_BY, STATE, ADDRESS, WORDS };

static gboolean
is_ours (const char *name, GHashTable *instruments)
{
  return g_str_equal (name, "ilk") || g_str_has_prefix (name, "ilk_arena_") || g_hash_table_contains (instruments, name);
}

/* Returns the live modules, without those of ilk, as a table from a module's name to the text "size
 * address". */
static GHashTable *
parse_live_modules (const char *text)
{
  GHashTable *places = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autoptr(GHashTable) instruments = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_auto(GStrv) lines = g_strsplit (text, "\n", -1);
  GHashTableIter iter;
  gpointer name;

  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_auto(GStrv) words = g_strsplit (lines[i], " ", WORDS + 1);
      g_auto(GStrv) users = NULL;

      if (g_strv_length (words) < WORDS)
        continue;
      if (g_str_equal (words[STATE], "Live"))
        g_hash_table_insert (places, g_strdup (words[NAME]), g_strdup_printf ("%s %s", words[SIZE], words[ADDRESS]));
      if (!g_str_equal (words[NAME], "ilk"))
        continue;
      users = g_strsplit (words[USED_BY], ",", -1);
      for (guint k = 0; users[k] != NULL; k++)
        g_hash_table_add (instruments, g_strdup (users[k]));
    }

  g_hash_table_iter_init (&iter, places);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    if (is_ours (name, instruments))
      g_hash_table_iter_remove (&iter);

  return places;
}

/* Returns @names as a sorted array of strings, and frees @names. */
static GStrv
sort_names (GPtrArray *names)
{
  g_ptr_array_sort (names, gilk_order_text);
  g_ptr_array_add (names, NULL);

  return (GStrv) g_ptr_array_free (names, FALSE);
}

GilkModuleChanges *
gilk_module_changes_new (const char *before, const char *now)
{
  g_autoptr(GHashTable) then = parse_live_modules (before), places = parse_live_modules (now);
  GPtrArray *unloaded = g_ptr_array_new (), *reloaded = g_ptr_array_new (), *loaded = g_ptr_array_new ();
  GilkModuleChanges *changes = g_new0 (GilkModuleChanges, 1);
  GHashTableIter iter;
  gpointer name, place;

  g_hash_table_iter_init (&iter, then);
  while (g_hash_table_iter_next (&iter, &name, &place))
    {
      const char *other = g_hash_table_lookup (places, name);

      if (g_strcmp0 (place, other) != 0)
        g_ptr_array_add (other == NULL ? unloaded : reloaded, g_strdup (name));
    }
  g_hash_table_iter_init (&iter, places);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    if (!g_hash_table_contains (then, name))
      g_ptr_array_add (loaded, g_strdup (name));
  changes->unloaded = sort_names (unloaded);
  changes->reloaded = sort_names (reloaded);
  changes->loaded = sort_names (loaded);

  return changes;
}

void
gilk_module_changes_free (GilkModuleChanges *changes)
{
  if (changes == NULL)
    return;
  g_strfreev (changes->unloaded);
  g_strfreev (changes->reloaded);
  g_strfreev (changes->loaded);
  g_free (changes);
}

gboolean
gilk_module_changes_equal (const GilkModuleChanges *a, const GilkModuleChanges *b)
{
  return g_strv_equal ((const char *const *) a->unloaded, (const char *const *) b->unloaded) &&
         g_strv_equal ((const char *const *) a->reloaded, (const char *const *) b->reloaded) &&
         g_strv_equal ((const char *const *) a->loaded, (const char *const *) b->loaded);
}

/* ---- modules that changed since an image was opened ---- */

GilkModuleChanges *
gilk_image_module_changes (GilkImage *image, GCancellable *cancellable, GError **error)
{
  g_autofree char *now = image->target != NULL && image->module_list != NULL
    ? gilk_target_file (image->target, GILK_FILE_MODULES, NULL, cancellable, error) : g_strdup ("");
  g_autoptr(GilkModuleChanges) changes = NULL;

  if (now == NULL)
    return NULL;
  changes = gilk_module_changes_new (image->module_list != NULL ? image->module_list : "", now);
  g_mutex_lock (&image->lock);
  g_hash_table_remove_all (image->modules_lost);
  for (guint i = 0; changes->unloaded[i] != NULL; i++)
    g_hash_table_add (image->modules_lost, g_strdup (changes->unloaded[i]));
  for (guint i = 0; changes->reloaded[i] != NULL; i++)
    g_hash_table_add (image->modules_lost, g_strdup (changes->reloaded[i]));
  g_mutex_unlock (&image->lock);

  return g_steal_pointer (&changes);
}

gboolean
gilk_image_has_module (GilkImage *image, uint32_t module)
{
  gboolean lost;

  g_mutex_lock (&image->lock);
  lost = module != 0 && g_hash_table_contains (image->modules_lost, gilk_symbols_module (image->symbols, module));
  g_mutex_unlock (&image->lock);

  return !lost;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hook-maps.c - reads the maps of a run's programs
 */
#include "cli/base/hook-maps.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/analysis/gilk-map-sums.h"

static void
clear_hook_maps (gpointer data)
{
  CliHookMaps *kept = data;

  gilk_stored_program_free (kept->program);
  g_clear_pointer (&kept->maps, g_array_unref);
  g_clear_pointer (&kept->names, gilk_stored_names_unref);
}

static gboolean
read_hook (const CliSession *session, const GilkStoredHook *hook, GilkStoredNames *names, GArray *all, GError **error)
{
  GError *local = NULL;
  CliHookMaps kept = { hook, gilk_store_program (session->store, hook, &local), NULL, NULL };

  if (local != NULL)
    {
      g_propagate_error (error, local);
      return FALSE;
    }
  if (kept.program == NULL)
    return TRUE;
  kept.maps = gilk_store_maps (session->store, hook, error);
  kept.names = gilk_stored_names_ref (names);
  g_array_append_val (all, kept);
  return kept.maps != NULL;
}

GArray *
cli_maps_read (const CliSession *session, char *const *hooks, GError **error)
{
  g_autoptr(GArray) all = g_array_new (FALSE, TRUE, sizeof (CliHookMaps));
  g_autoptr(GilkStoredNames) names = gilk_store_names (session->store, session->run->id, error);

  g_array_set_clear_func (all, clear_hook_maps);
  if (names == NULL)
    return NULL;
  for (guint i = 0; hooks != NULL && hooks[i] != NULL; i++)
    if (cli_session_pick_hook (session, hooks[i], error) == NULL)
      return NULL;
  for (guint i = 0; i < cli_session_n_hooks (session); i++)
    {
      const GilkStoredHook *hook = cli_session_hook (session, i);

      if ((hooks == NULL || g_strv_contains ((const char *const *) hooks, hook->label)) &&
          !read_hook (session, hook, names, all, error))
        return NULL;
    }
  return g_steal_pointer (&all);
}

const CliHookMaps *
cli_maps_of_hook (const GArray *all, const GilkStoredHook *hook)
{
  guint low = 0, high = all->len;

  /* The elements have the same order as the session's array of hooks, so this binary search can
   * compare pointers to hooks. */
  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      const CliHookMaps *kept = &g_array_index (all, CliHookMaps, middle);

      if (kept->hook == hook)
        return kept;
      if (kept->hook < hook)
        low = middle + 1;
      else
        high = middle;
    }
  return NULL;
}

/* Returns the names of all maps, without duplicates. (transfer full) */
static char *
list_names (const GArray *all)
{
  g_autoptr(GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  GString *names = g_string_new (NULL);

  for (guint i = 0; i < all->len; i++)
    {
      const GArray *kept = g_array_index (all, CliHookMaps, i).maps;

      for (guint k = 0; k < kept->len; k++)
        {
          char *name = g_array_index (kept, GilkStoredMap, k).name;

          if (g_hash_table_add (seen, name))
            g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", name);
        }
    }
  return g_string_free (names, FALSE);
}

GArray *
cli_maps_find (const GArray *all, const char *name, GError **error)
{
  g_autoptr(GArray) maps = g_array_new (FALSE, FALSE, sizeof (CliMap));
  g_autofree char *names = NULL;

  for (guint i = 0; i < all->len; i++)
    {
      const CliHookMaps *hook_maps = &g_array_index (all, CliHookMaps, i);

      for (guint k = 0; k < hook_maps->maps->len; k++)
        {
          const CliMap map = { hook_maps, &g_array_index (hook_maps->maps, GilkStoredMap, k) };

          if (map.stored->kind != GILK_MAP_MISSED && strcmp (map.stored->name, name) == 0)
            g_array_append_val (maps, map);
        }
    }
  if (maps->len > 0)
    return g_steal_pointer (&maps);
  names = list_names (all);
  if (*names == '\0')
    g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                 _("No program of these hooks keeps a counter, histogram, map or global, so \"%s\" "
                   "does not exist. Declare it in a program."), name);
  else
    g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND, _("No program of these hooks keeps \"%s\". Available: %s."),
                 name, names);
  return NULL;
}

static void
add_saturated (uint64_t *sum, const GilkStoredMap *kept)
{
  uint64_t more = (uint64_t) gilk_map_number (kept);

  *sum += MIN (more, G_MAXUINT64 - *sum);
}

gboolean
cli_maps_sum (const CliHookMaps *hook_maps, GilkMapKind kind, uint64_t *count)
{
  gboolean found = FALSE;

  *count = 0;
  for (guint i = 0; hook_maps != NULL && i < hook_maps->maps->len; i++)
    {
      const GilkStoredMap *kept = &g_array_index (hook_maps->maps, GilkStoredMap, i);

      if (kept->kind != kind)
        continue;
      found = TRUE;
      add_saturated (count, kept);
    }
  return found;
}

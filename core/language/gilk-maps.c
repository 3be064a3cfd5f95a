/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-maps.c - the maps of a program, and their layout in its memory areas
 */
#include "core/language/gilk-maps.h"

static void
clear_map (gpointer data)
{
  g_free (((GilkProgramMap *) data)->name);
}

GilkMapList *
gilk_map_list_new (void)
{
  GilkMapList *list = g_new0 (GilkMapList, 1);

  list->maps = g_array_new (FALSE, TRUE, sizeof (GilkProgramMap));
  g_array_set_clear_func (list->maps, clear_map);
  list->areas = g_array_new (FALSE, TRUE, sizeof (GilkOpsArea));
  list->shared = list->own = -1;

  return list;
}

void
gilk_map_list_free (GilkMapList *list)
{
  g_array_unref (list->maps);
  g_array_unref (list->areas);
  g_free (list);
}

GilkProgramMap *
gilk_map_at (const GilkMapList *list,
             guint              index)
{
  return &g_array_index (list->maps, GilkProgramMap, index);
}

guint
gilk_map_mask (guint bits)
{
  guint elements = 1;

  while (elements < gilk_ops_buckets (bits))
    elements *= 2;

  return elements - 1;
}

/* Sets the size of a map's area. If it is too large for a copy per CPU, all CPUs share it. */
static void
size_area (GilkOpsArea *area, guint slots, guint words)
{
  area->map_slots = slots;
  area->map_values = 1 + words;
  area->elements = (3 + words) * slots + 1;
  area->per_cpu = area->per_cpu && 8 * area->elements <= ILK_AREA_CPU_BYTES_MAX;
}

gboolean
gilk_map_set_words (GilkMapList *list,
                    guint        index,
                    guint        words)
{
  GilkProgramMap *map = gilk_map_at (list, index), *missed = gilk_map_at (list, index + 1);
  GilkOpsArea area = g_array_index (list->areas, GilkOpsArea, map->area);

  g_assert (map->kind == GILK_MAP_HASH && missed->kind == GILK_MAP_MISSED);
  size_area (&area, map->slots, words);
  if (area.elements > GILK_OPS_AREA_MAX)
    return FALSE;
  map->words = words;
  missed->element = area.elements - 1;
  g_array_index (list->areas, GilkOpsArea, map->area) = area;

  return TRUE;
}

guint
gilk_map_text_first (const GilkProgramMap *map,
                     guint                 word)
{
  return (3 + word) * map->slots;
}

int64_t
gilk_map_text_key (const uint64_t *words,
                   guint           n)
{
  uint64_t hash = 0;

  for (guint i = 0; i < n; i++)
    {
      hash = (hash ^ words[i]) * GILK_TEXT_FACTOR;
      hash ^= hash >> 32;
    }

  return (int64_t) hash;
}

/* Appends memory area @area to @list. Returns FALSE if @list already has the maximum of
 * GILK_OPS_AREAS areas. */
static gboolean
add_area (GilkMapList *list, GilkOpsArea area, guint *index)
{
  if (list->areas->len == GILK_OPS_AREAS)
    return FALSE;
  *index = list->areas->len;
  g_array_append_val (list->areas, area);

  return TRUE;
}

static gboolean
add_element (GilkMapList *list, gboolean shared, GilkProgramMap *map)
{
  int *which = shared ? &list->shared : &list->own;

  if (map->is_common)
    return add_area (list, (GilkOpsArea) { .elements = 1, .per_cpu = !shared }, &map->area);
  if (*which < 0)
    {
      if (!add_area (list, (GilkOpsArea) { .per_cpu = !shared }, &map->area))
        return FALSE;
      *which = (int) map->area;
    }
  map->area = (guint) *which;
  map->element = g_array_index (list->areas, GilkOpsArea, map->area).elements++;

  return TRUE;
}

static gboolean
allocate_area (GilkMapList *list, gboolean shared, GilkProgramMap *map)
{
  GilkOpsArea area = { .per_cpu = !shared };

  if (map->kind != GILK_MAP_HISTOGRAM && map->kind != GILK_MAP_HASH && map->kind != GILK_MAP_STACKS)
    return add_element (list, shared, map);
  if (map->kind == GILK_MAP_STACKS)
    {
      area.elements = GILK_OPS_AREA_MAX;
      area.is_stacks = TRUE;
    }
  else if (map->kind == GILK_MAP_HISTOGRAM)
    area.elements = gilk_map_mask (map->bits) + 1;
  else
    size_area (&area, map->slots, 0);

  return add_area (list, area, &map->area);
}

gboolean
gilk_map_add (GilkMapList          *list,
              const GilkProgramMap *what,
              const char           *name,
              gboolean              shared,
              guint                *index)
{
  GilkProgramMap map = *what;

  map.is_signed = map.kind == GILK_MAP_GLOBAL || map.kind == GILK_MAP_HASH;
  if (!allocate_area (list, shared, &map))
    return FALSE;
  map.name = g_strdup (name);
  *index = list->maps->len;
  g_array_append_val (list->maps, map);
  if (map.kind == GILK_MAP_HASH || map.kind == GILK_MAP_STACKS)
    {
      const GilkProgramMap missed = {
        .kind = GILK_MAP_MISSED, .name = g_strdup (name), .area = map.area, .element = 3 * map.slots,
        .is_common = map.is_common,
      };

      g_array_append_val (list->maps, missed);
    }

  return TRUE;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-kept.c - the maps of a program, and their places in its memory areas
 */
#include "core/program/gilk-kept.h"

static void
clear_kept (gpointer data)
{
  g_free (((GilkKept *) data)->name);
}

GilkKeptList *
gilk_kept_list_new (void)
{
  GilkKeptList *list = g_new0 (GilkKeptList, 1);

  list->kept = g_array_new (FALSE, TRUE, sizeof (GilkKept));
  g_array_set_clear_func (list->kept, clear_kept);
  list->areas = g_array_new (FALSE, TRUE, sizeof (GilkOpsArea));
  list->shared = list->own = -1;

  return list;
}

void
gilk_kept_list_free (GilkKeptList *list)
{
  g_array_unref (list->kept);
  g_array_unref (list->areas);
  g_free (list);
}

GilkKept *
gilk_kept_at (const GilkKeptList *list,
              guint               index)
{
  return &g_array_index (list->kept, GilkKept, index);
}

guint
gilk_kept_mask (guint bits)
{
  guint elements = 1;

  while (elements < gilk_ops_buckets (bits))
    elements *= 2;

  return elements - 1;
}

/* Returns: FALSE if there are already GILK_OPS_AREAS areas */
static gboolean
add_area (GilkKeptList *list, GilkOpsArea area, guint *index)
{
  if (list->areas->len == GILK_OPS_AREAS)
    return FALSE;
  *index = list->areas->len;
  g_array_append_val (list->areas, area);

  return TRUE;
}

static gboolean
add_element (GilkKeptList *list, gboolean shared, GilkKept *kept)
{
  int *which = shared ? &list->shared : &list->own;

  if (kept->is_common)
    return add_area (list, (GilkOpsArea) { .elements = 1, .per_cpu = !shared }, &kept->area);
  if (*which < 0)
    {
      if (!add_area (list, (GilkOpsArea) { .per_cpu = !shared }, &kept->area))
        return FALSE;
      *which = (int) kept->area;
    }
  kept->area = (guint) *which;
  kept->element = g_array_index (list->areas, GilkOpsArea, kept->area).elements++;

  return TRUE;
}

static gboolean
find_room (GilkKeptList *list, gboolean shared, GilkKept *kept)
{
  GilkOpsArea area = { .per_cpu = !shared };

  if (kept->kind != GILK_KEPT_HISTOGRAM && kept->kind != GILK_KEPT_MAP && kept->kind != GILK_KEPT_STACKS)
    return add_element (list, shared, kept);
  if (kept->kind == GILK_KEPT_STACKS)
    {
      area.elements = GILK_OPS_AREA_MAX;
      area.is_stacks = TRUE;
    }
  else if (kept->kind == GILK_KEPT_HISTOGRAM)
    area.elements = gilk_kept_mask (kept->bits) + 1;
  else
    {
      area.elements = 3 * kept->slots + 1;
      area.map_slots = kept->slots;
      area.map_values = 1;
    }

  return add_area (list, area, &kept->area);
}

gboolean
gilk_kept_add (GilkKeptList   *list,
               const GilkKept *what,
               const char     *name,
               gboolean        shared,
               guint          *index)
{
  GilkKept kept = *what;

  kept.is_signed = kept.kind == GILK_KEPT_GLOBAL || kept.kind == GILK_KEPT_MAP;
  if (!find_room (list, shared, &kept))
    return FALSE;
  kept.name = g_strdup (name);
  *index = list->kept->len;
  g_array_append_val (list->kept, kept);
  if (kept.kind == GILK_KEPT_MAP || kept.kind == GILK_KEPT_STACKS)
    {
      const GilkKept missed = {
        .kind = GILK_KEPT_MISSED, .name = g_strdup (name), .area = kept.area, .element = 3 * kept.slots,
        .is_common = kept.is_common,
      };

      g_array_append_val (list->kept, missed);
    }

  return TRUE;
}

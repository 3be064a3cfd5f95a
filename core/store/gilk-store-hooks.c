/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-hooks.c - maps hook ids to indices in an array of hooks
 *
 * Ids of a run are usually consecutive, so a table needs one access per sample. Other files use a
 * binary search.
 */
#include "core/store/gilk-store-hooks.h"

#include <stdlib.h>

typedef struct {
  gint64 id;
  int    at;
} Entry;

struct _GilkHookIndex {
  gint64  least;
  guint   n_table;                /* 0: use the binary search */
  int    *table;
  guint   n;
  Entry  *entries;                /* sorted by id */
};

static int
compare_entries (const void *a, const void *b)
{
  const Entry *x = a, *y = b;

  return x->id != y->id ? (x->id > y->id) - (x->id < y->id) : x->at - y->at;
}

GilkHookIndex *
gilk_hook_index_new (const GilkStoredHook *hooks,
                     guint                 n_hooks)
{
  GilkHookIndex *index = g_new0 (GilkHookIndex, 1);
  uint64_t span;

  index->n = n_hooks;
  index->entries = g_new0 (Entry, n_hooks + 1);
  for (guint i = 0; i < n_hooks; i++)
    index->entries[i] = (Entry) { hooks[i].id, (int) i };
  if (n_hooks == 0)
    return index;
  qsort (index->entries, n_hooks, sizeof *index->entries, compare_entries);

  index->least = index->entries[0].id;
  span = (uint64_t) index->entries[n_hooks - 1].id - (uint64_t) index->least;
  if (span >= 4 * (uint64_t) n_hooks + 1024)
    return index;
  index->n_table = (guint) span + 1;
  index->table = g_new (int, index->n_table);
  for (guint i = 0; i < index->n_table; i++)
    index->table[i] = -1;
  for (guint i = 0; i < n_hooks; i++)
    index->table[index->entries[i].id - index->least] = index->entries[i].at;

  return index;
}

void
gilk_hook_index_free (GilkHookIndex *index)
{
  if (index == NULL)
    return;
  g_free (index->table);
  g_free (index->entries);
  g_free (index);
}

int
gilk_hook_index_find (const GilkHookIndex *index,
                      gint64               id)
{
  guint low = 0, high = index->n;

  if (index->n_table > 0)
    return id >= index->least && (uint64_t) id - (uint64_t) index->least < index->n_table
           ? index->table[id - index->least] : -1;
  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (index->entries[middle].id == id)
        return index->entries[middle].at;
      if (index->entries[middle].id < id)
        low = middle + 1;
      else
        high = middle;
    }

  return -1;
}

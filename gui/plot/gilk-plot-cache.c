/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plot-cache.c - keeps earlier plots, so that they can be shown again quickly
 */
#include "gui/plot/gilk-plot-cache.h"

#include <string.h>

#define PLOTS_MAX 16

typedef struct {
  char         *key;
  GilkPlotData *data;
  double        from, to;         /* range of the x axis; the compared plot has the same range */
} Item;

struct _GilkPlotCache {
  GQueue items;                   /* element-type Item, most recently used first */
};

static void
item_free (gpointer data)
{
  Item *item = data;

  gilk_plot_data_free (item->data);
  g_free (item->key);
  g_free (item);
}

GilkPlotCache *
gilk_plot_cache_new (void)
{
  return g_new0 (GilkPlotCache, 1);
}

void
gilk_plot_cache_clear (GilkPlotCache *shelf)
{
  g_queue_clear_full (&shelf->items, item_free);
}

void
gilk_plot_cache_free (GilkPlotCache *shelf)
{
  gilk_plot_cache_clear (shelf);
  g_free (shelf);
}

static GList *
find_item (GilkPlotCache *shelf,
           const char    *key)
{
  for (GList *link = shelf->items.head; link != NULL; link = link->next)
    if (strcmp (((Item *) link->data)->key, key) == 0)
      return link;

  return NULL;
}

void
gilk_plot_cache_put (GilkPlotCache *shelf,
                     const char    *key,
                     GilkPlotData  *data)
{
  GList *before = find_item (shelf, key);
  Item *item = g_new0 (Item, 1);

  if (before != NULL)
    {
      item_free (before->data);
      g_queue_delete_link (&shelf->items, before);
    }
  item->key = g_strdup (key);
  item->data = gilk_plot_data_ref (data);
  if (data->figure != NULL)
    {
      item->from = data->figure->x.from;
      item->to = data->figure->x.to;
    }
  g_queue_push_head (&shelf->items, item);
  while (shelf->items.length > PLOTS_MAX)
    item_free (g_queue_pop_tail (&shelf->items));
}

GilkPlotData *
gilk_plot_cache_get (GilkPlotCache *shelf,
                     const char    *key)
{
  GList *link = find_item (shelf, key);
  Item *item;

  if (link == NULL)
    return NULL;
  g_queue_unlink (&shelf->items, link);
  g_queue_push_head_link (&shelf->items, link);
  item = link->data;
  for (GilkPlotData *data = item->data; data != NULL; data = data->comparison)
    if (data->figure != NULL)
      {
        data->figure->x.from = item->from;
        data->figure->x.to = item->to;
      }

  return gilk_plot_data_ref (item->data);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plot-data.c - the content of a plot (a figure, bars, or a message that explains why there
 * is neither), and earlier plots that are kept
 */
#include "gui/plot/gilk-plot-data.h"

#include <string.h>

#include "core/plot/gilk-plot-name.h"

GilkPlotData *
gilk_plot_data_new (void)
{
  GilkPlotData *data = g_atomic_rc_box_new0 (GilkPlotData);

  data->bars = gilk_group_bars_new ();

  return data;
}

static void
data_clear (gpointer user_data)
{
  GilkPlotData *data = user_data;

  g_clear_pointer (&data->figure, gilk_figure_free);
  g_clear_pointer (&data->compared, gilk_figure_compared_free);
  g_clear_pointer (&data->comparison, gilk_plot_data_free);
  g_array_unref (data->bars);
  g_clear_pointer (&data->comparison_bars, g_array_unref);
  g_free (data->title);
  g_free (data->subtitle);
  g_free (data->loss_note);
  g_free (data->message);
}

GilkPlotData *
gilk_plot_data_ref (GilkPlotData *data)
{
  return g_atomic_rc_box_acquire (data);
}

void
gilk_plot_data_free (GilkPlotData *data)
{
  g_atomic_rc_box_release_full (data, data_clear);
}

void
gilk_plot_data_add_bar (GilkPlotData *data,
                        const char   *label,
                        double        value,
                        const char   *note)
{
  GilkBar bar = { .label = g_strdup (label), .value = value, .note = g_strdup (note) };

  g_array_append_val (data->bars, bar);
}

/* ---- keeps earlier plots, so that they can be shown again quickly ---- */

#define PLOTS_MAX 16

typedef struct {
  char         *key;
  GilkPlotData *data;
  double        from, to;         /* range of the x axis of the plot, and of the plot that it is
                                   * compared with */
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

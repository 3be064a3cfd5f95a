/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-dim.c - dimming of irrelevant blocks
 */
#include "gui/gilk-graph-dim.h"

#include <glib/gi18n.h>

#include "core/cfg/gilk-cfg-pick.h"
#include "gui/gilk-graph-accessible.h"
#include "gui/gilk-graph-view-private.h"

void
gilk_graph_dim_clear (GilkGraphView *view)
{
  g_clear_pointer (&view->faint, g_free);
  g_clear_pointer (&view->faint_why, g_free);
  view->dim_ran = FALSE;
  view->look.faint = NULL;
  view->look.faint_why = NULL;
}

/* Takes @faint and @why. Returns FALSE if no block is dimmed. */
static gboolean
take (GilkGraphView *view,
      uint8_t       *faint,
      char          *why)
{
  guint n = 0;

  for (guint i = 0; i < view->data->cfg->n_blocks; i++)
    n += faint[i];
  g_free (view->faint);
  g_free (view->faint_why);
  view->faint = faint;
  view->faint_why = why;
  view->look.faint = faint;
  view->look.faint_why = why;
  gilk_graph_accessible_update (gtk_widget_get_accessible (GTK_WIDGET (view)));
  gtk_widget_queue_draw (GTK_WIDGET (view));

  return n > 0;
}

static gboolean
dim_by_ways (GilkGraphView *view,
             gboolean       from)
{
  const GilkCfg *cfg = view->data->cfg;
  guint block = (guint) view->look.block;
  g_autofree gboolean *picked = g_new0 (gboolean, cfg->n_blocks + 1);
  uint8_t *faint = g_new0 (uint8_t, cfg->n_blocks + 1);
  const char *title = view->data->graph->titles[block];

  gilk_cfg_pick (cfg, from ? GILK_PICK_REACHED : GILK_PICK_REACHING, block, picked);
  for (guint i = 0; i < cfg->n_blocks; i++)
    faint[i] = !picked[i];

  return take (view, faint, from ? g_strdup_printf (_("dimmed: not reachable from %s"), title)
                                 : g_strdup_printf (_("dimmed: does not lead to %s"), title));
}

static gboolean
dim_by_counts (GilkGraphView *view)
{
  const GilkCfg *cfg = view->data->cfg;
  const GilkGraphLook *look = &view->look;
  uint8_t *faint = g_new0 (uint8_t, cfg->n_blocks + 1);

  for (guint i = 0; i < cfg->n_blocks; i++)
    {
      uint64_t hits = look->hits != NULL ? look->hits[i] : GILK_HITS_UNKNOWN;

      if (hits == GILK_HITS_UNKNOWN && look->known != NULL)
        hits = look->known->blocks[i];
      faint[i] = hits == 0;
    }

  return take (view, faint, g_strdup (_("dimmed: never executed")));
}

gboolean
gilk_graph_dim_set (GilkGraphView *view,
                    const char    *word)
{
  gilk_graph_dim_clear (view);
  gilk_graph_accessible_update (gtk_widget_get_accessible (GTK_WIDGET (view)));
  gtk_widget_queue_draw (GTK_WIDGET (view));
  if (view->data == NULL || view->look.block < 0)
    return FALSE;
  view->dim_ran = g_str_equal (word, "ran");
  if (view->dim_ran)
    return dim_by_counts (view);

  return (g_str_equal (word, "from") || g_str_equal (word, "to")) && dim_by_ways (view, g_str_equal (word, "from"));
}

void
gilk_graph_dim_update (GilkGraphView *view)
{
  if (view->dim_ran && view->data != NULL)
    dim_by_counts (view);
}

const char *
gilk_graph_dim_why (GilkGraphView *view,
                    guint          block)
{
  return view->faint != NULL && view->faint[block] ? view->faint_why : NULL;
}

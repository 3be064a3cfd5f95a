/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-dim.c - dimming of irrelevant blocks
 */
#include "gui/graph/gilk-graph-dim.h"

#include <glib/gi18n.h>

#include "core/cfg/gilk-cfg-pick.h"
#include "gui/graph/gilk-graph-accessible.h"
#include "gui/graph/gilk-graph-view-private.h"

void
gilk_graph_dim_clear (GilkGraphView *view)
{
  g_clear_pointer (&view->dimmed, g_free);
  g_clear_pointer (&view->dim_reason, g_free);
  view->dims_by_counts = FALSE;
  view->look.dimmed = NULL;
  view->look.dim_reason = NULL;
}

/* Takes @dimmed and @why. Returns FALSE if no block is dimmed. */
static gboolean
set_dimmed (GilkGraphView *view,
            uint8_t       *dimmed,
            char          *why)
{
  guint n = 0;

  for (guint i = 0; i < view->data->cfg->n_blocks; i++)
    n += dimmed[i];
  g_free (view->dimmed);
  g_free (view->dim_reason);
  view->dimmed = dimmed;
  view->dim_reason = why;
  view->look.dimmed = dimmed;
  view->look.dim_reason = why;
  gilk_graph_accessible_update (gtk_widget_get_accessible (GTK_WIDGET (view)));
  gtk_widget_queue_draw (GTK_WIDGET (view));

  return n > 0;
}

static gboolean
dim_by_reachability (GilkGraphView *view,
                     gboolean       from)
{
  const GilkCfg *cfg = view->data->cfg;
  guint block = (guint) view->look.block;
  g_autofree gboolean *picked = g_new0 (gboolean, cfg->n_blocks + 1);
  uint8_t *dimmed = g_new0 (uint8_t, cfg->n_blocks + 1);
  const char *title = view->data->graph->titles[block];

  gilk_cfg_pick (cfg, from ? GILK_PICK_REACHED : GILK_PICK_REACHING, block, picked);
  for (guint i = 0; i < cfg->n_blocks; i++)
    dimmed[i] = !picked[i];

  return set_dimmed (view, dimmed, from ? g_strdup_printf (_("dimmed: not reachable from %s"), title)
                                 : g_strdup_printf (_("dimmed: does not lead to %s"), title));
}

static gboolean
dim_by_counts (GilkGraphView *view)
{
  const GilkCfg *cfg = view->data->cfg;
  const GilkGraphLook *look = &view->look;
  uint8_t *dimmed = g_new0 (uint8_t, cfg->n_blocks + 1);

  for (guint i = 0; i < cfg->n_blocks; i++)
    {
      uint64_t hits = look->hits != NULL ? look->hits[i] : GILK_HITS_UNKNOWN;

      if (hits == GILK_HITS_UNKNOWN && look->known != NULL)
        hits = look->known->blocks[i];
      dimmed[i] = hits == 0;
    }

  return set_dimmed (view, dimmed, g_strdup (_("dimmed: never executed")));
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
  view->dims_by_counts = g_str_equal (word, "ran");
  if (view->dims_by_counts)
    return dim_by_counts (view);

  return (g_str_equal (word, "from") || g_str_equal (word, "to")) && dim_by_reachability (view, g_str_equal (word, "from"));
}

void
gilk_graph_dim_update (GilkGraphView *view)
{
  if (view->dims_by_counts && view->data != NULL)
    dim_by_counts (view);
}

const char *
gilk_graph_dim_reason (GilkGraphView *view,
                       guint          block)
{
  return view->dimmed != NULL && view->dimmed[block] ? view->dim_reason : NULL;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-counts.c - colour layer of the blocks, and counts inferred from measured ones
 */
#include "gui/graph/gilk-graph-counts.h"

#include "core/emit/gilk-inline.h"
#include "gui/graph/gilk-graph-accessible.h"
#include "gui/graph/gilk-graph-view-private.h"

void
gilk_graph_view_set_known (GilkGraphView   *self,
                           GilkKnownCounts *known)
{
  GilkKnownCounts *before = self->known;

  self->known = known != NULL ? gilk_known_counts_ref (known) : NULL;
  gilk_known_counts_unref (before);
  self->look.known = self->known;
  for (guint i = 0; known != NULL && i < known->n_blocks; i++)
    if (known->inferred[i])
      self->look.hits_max = MAX (self->look.hits_max, known->blocks[i]);
  gilk_graph_accessible_update (gtk_widget_get_accessible (GTK_WIDGET (self)));
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
gilk_graph_view_set_layer (GilkGraphView *self,
                           const char    *layer)
{
  self->layer = g_str_equal (layer, "tactic") ? GILK_LAYER_TACTIC
              : g_str_equal (layer, "cost") ? GILK_LAYER_COST : GILK_LAYER_HEAT;
  self->look.layer = self->layer;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

gboolean
gilk_graph_counts_is_complete (const GilkGraphData *data,
                               const GilkPlanHook  *hook,
                               guint                block)
{
  return gilk_inline_is (hook->instrument, GILK_INLINE_COUNT) && hook->start_ns == 0 && hook->stop_ns == 0 &&
         (hook->where == GILK_WHERE_PRE || gilk_circulation_runs_through (data->cfg, block));
}

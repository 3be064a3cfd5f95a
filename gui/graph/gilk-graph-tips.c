/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-tips.c - tooltips of the graph
 */
#include "gui/graph/gilk-graph-tips.h"

#include <glib/gi18n.h>

#include "core/base/gilk-refusal.h"
#include "gui/graph/gilk-graph-text.h"
#include "gui/base/gilk-text.h"

char *
gilk_graph_tip_point (GilkGraphView *view,
                      int            point)
{
  const GilkGraphData *data = gilk_graph_view_data (view);
  const GilkChoice *choice = &data->choices[point];
  const char *title = data->graph->titles[point / 2];

  if (choice->refusal != 0)
    return g_strdup_printf (_("%s of block %s cannot be hooked.\n%s\n%s"),
                            point % 2 == 0 ? _("Start") : _("End"), title,
                            gilk_refusal_cause (choice->refusal),
                            gilk_refusal_remedy (choice->refusal));

  if (gilk_graph_view_mark (view, point) == GILK_MARK_OTHER)
    return g_strdup_printf (_("%s of block %s\nAnother client has a hook here."),
                            point % 2 == 0 ? _("Pre-hook") : _("Post-hook"), title);

  return g_strdup_printf (_("%s of block %s\n%s, a count costs %u instructions per hit%s%s\nClick to %s"),
                          point % 2 == 0 ? _("Pre-hook") : _("Post-hook"), title,
                          gilk_text_tactic (choice->tactic),
                          choice->cost,
                          choice->why_not_splice != 0 ? _("\nNo splice: ") : "",
                          choice->why_not_splice != 0 ? gilk_refusal_cause (choice->why_not_splice) : "",
                          gilk_graph_view_mark (view, point) == GILK_MARK_FREE ? _("plan it")
                                                                               : _("remove it from the plan"));
}

const char *
gilk_graph_edge_text (const GilkEdge *edge)
{
  switch ((GilkEdgeKind) edge->kind)
    {
    case GILK_EDGE_TAKEN:      return C_("edge", "branch taken");
    case GILK_EDGE_NOT_TAKEN:  return C_("edge", "branch not taken");
    case GILK_EDGE_JUMP:       return C_("edge", "jump");
    case GILK_EDGE_STATIC_KEY: return C_("edge", "if the static key is flipped");
    case GILK_EDGE_FIXUP:      return C_("edge", "after a fault");
    case GILK_EDGE_FALL:       break;
    }

  return C_("edge", "fall-through");
}

static const char *
get_shown_title (const GilkGraph *graph,
                 guint            block)
{
  return graph->titles[graph->fold != NULL ? gilk_cfg_fold_shown (graph->fold, block) : block];
}

char *
gilk_graph_tip_edge (GilkGraphView *view,
                     guint          edge,
                     guint          n_shared)
{
  const GilkGraphData *data = gilk_graph_view_data (view);
  const GilkEdge *e = &data->cfg->edges[edge];
  guint n_joined = gilk_graph_edge_joined (data->graph, edge);
  GString *text = g_string_new (NULL);
  uint64_t count;

  if (n_joined > 1)
    g_string_append_printf (text, "%s → %s", get_shown_title (data->graph, e->from), get_shown_title (data->graph, e->to));
  else
    g_string_append_printf (text, _("%s → %s: %s"), data->graph->titles[e->from], data->graph->titles[e->to],
                            gilk_graph_edge_text (e));
  if (e->back)
    g_string_append (text, _(", closes a loop"));
  if (n_joined > 1)
    g_string_append_printf (text, g_dngettext (NULL, "\n%u edge merged", "\n%u edges merged", n_joined), n_joined);
  if (gilk_graph_edge_hits (data->graph, gilk_graph_view_look (view), edge, &count))
    g_string_append_printf (text, g_dngettext (NULL, "\n%lu time", "\n%lu times", count), count);
  if (n_shared > 1)
    g_string_append_printf (text, g_dngettext (NULL, "\n%u edge shares this line", "\n%u edges share this line", n_shared),
                            n_shared);
  g_string_append (text, _("\nClick: go to the far end · Ctrl: target · Alt: source"));

  return g_string_free (text, FALSE);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-tips.c - what the canvas says of a thing under the pointer
 */
#include "gui/gilk-graph-tips.h"

#include <glib/gi18n.h>

#include "core/base/gilk-refusal.h"
#include "gui/gilk-text.h"

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

  return g_strdup_printf (_("%s of block %s\n%s, a count costs %u instructions a hit%s%s\nClick to %s"),
                          point % 2 == 0 ? _("Pre-hook") : _("Post-hook"), title,
                          gilk_text_tactic (choice->tactic),
                          choice->cost,
                          choice->why_not_splice != 0 ? _("\nNo splice: ") : "",
                          choice->why_not_splice != 0 ? gilk_refusal_cause (choice->why_not_splice) : "",
                          gilk_graph_view_mark (view, point) == GILK_MARK_FREE ? _("plan it")
                                                                               : _("take it out of the plan"));
}

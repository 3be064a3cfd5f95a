/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-text.c - text descriptions of blocks: names, successors, instructions
 */
#include "gui/graph/gilk-graph-text.h"

#include <glib/gi18n.h>

#include "gui/graph/gilk-graph-dim.h"
#include "gui/graph/gilk-graph-tips.h"

static gboolean
get_hits (const GilkGraphLook *look,
          guint                block,
          uint64_t            *hits)
{
  if (look->hits == NULL || look->hits[block] == GILK_HITS_UNKNOWN)
    return FALSE;
  *hits = look->hits[block];

  return TRUE;
}

gboolean
gilk_graph_edge_count (GilkGraphView *view,
                       guint          edge,
                       uint64_t      *count)
{
  const GilkKnownCounts *known = gilk_graph_view_look (view)->known;

  if (known == NULL || known->edges[edge] == GILK_COUNT_UNKNOWN)
    return FALSE;
  *count = known->edges[edge];

  return TRUE;
}

static void
add_successors (GilkGraphView *view,
                guint          block,
                GString       *text)
{
  const GilkGraphData *data = gilk_graph_view_data (view);
  const GilkBlock *b = &data->cfg->blocks[block];
  uint64_t hits = 0, count;

  for (guint i = b->first_out; i < b->first_out + b->n_out; i++)
    {
      const GilkEdge *edge = &data->cfg->edges[i];

      g_string_append_printf (text, _("; %s to %s"), gilk_graph_edge_text (edge), data->graph->titles[edge->to]);
      if (get_hits (gilk_graph_view_look (view), block, &hits) && hits > 0 && gilk_graph_edge_count (view, i, &count))
        g_string_append_printf (text, ", %.0f %%", 100.0 * count / hits);
    }
}

char *
gilk_graph_block_description (GilkGraphView *view,
                              guint          block)
{
  const GilkGraphData *data = gilk_graph_view_data (view);
  const GilkBlock *b = &data->cfg->blocks[block];
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, _("block %u of %u"), block + 1, data->cfg->n_blocks);
  if (b->flags & GILK_BLOCK_ENTRY)
    g_string_append (text, _(", entry"));
  if (b->flags & GILK_BLOCK_LOOP_HEAD)
    g_string_append (text, _(", loop header"));
  if (b->flags & GILK_BLOCK_COLD)
    g_string_append (text, _(", unlikely"));
  if (b->ending == GILK_END_RETURN)
    g_string_append (text, _(", returns"));
  add_successors (view, block, text);

  return g_string_free (text, FALSE);
}

char *
gilk_graph_block_lines (GilkGraphView *view,
                        guint          block)
{
  const GilkGraphData *data = gilk_graph_view_data (view);
  const GilkBlock *b = &data->cfg->blocks[block];
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < b->n_insns; i++)
    {
      const GilkGraphLine *line = &data->graph->lines[b->first_insn + i];

      g_string_append_printf (text, "%s%s %s%s%s", i > 0 ? "\n" : "", line->mnemonic, line->operands,
                              line->note != NULL ? "; " : "", line->note != NULL ? line->note : "");
    }

  return g_string_free (text, FALSE);
}

/* Names a block that is a fold, or that is hidden in one. */
static char *
format_fold_name (GilkGraphView *view,
                  guint          block)
{
  const GilkGraph *graph = gilk_graph_view_data (view)->graph;
  GilkFoldFacts facts;
  g_autofree char *words = NULL;

  if (gilk_graph_is_hidden (graph, block))
    return g_strdup_printf (_("block %s, folded into %s"), graph->titles[block],
                            graph->titles[gilk_cfg_fold_shown (graph->fold, block)]);
  gilk_graph_fold_facts (graph, gilk_graph_view_look (view), block, &facts);
  words = gilk_graph_fold_text (&facts, TRUE);

  return g_strdup_printf (_("region %s, %s"), graph->titles[block], words);
}

static char *
format_plain_name (GilkGraphView *view,
                   guint          block)
{
  const GilkGraphLook *look = gilk_graph_view_look (view);
  const GilkGraphData *data = gilk_graph_view_data (view);
  const char *title = data->graph->titles[block];
  guint n = data->cfg->blocks[block].n_insns;
  g_autofree char *size = g_strdup_printf (g_dngettext (NULL, "%u instruction", "%u instructions", n), n);

  if (look->hits != NULL && look->hits[block] != GILK_HITS_UNKNOWN)
    return g_strdup_printf (_("block %s, %s, %lu hits"), title, size, look->hits[block]);
  if (look->known != NULL && look->known->blocks[block] != GILK_COUNT_UNKNOWN)
    return g_strdup_printf (_("block %s, %s, %lu hits, derived from other counts"), title, size, look->known->blocks[block]);

  return g_strdup_printf (_("block %s, %s"), title, size);
}

char *
gilk_graph_block_name (GilkGraphView *view,
                       guint          block)
{
  const char *faint = gilk_graph_dim_reason (view, block);
  g_autofree char *name = gilk_graph_folded (gilk_graph_view_data (view)->graph, block) > 1 ? format_fold_name (view, block)
                                                                                            : format_plain_name (view, block);

  return faint != NULL ? g_strdup_printf ("%s, %s", name, faint) : g_steal_pointer (&name);
}

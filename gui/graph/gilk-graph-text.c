/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-text.c - text descriptions of blocks, probe points and edges
 */
#include "gui/graph/gilk-graph-text.h"

#include <glib/gi18n.h>

#include "core/base/gilk-refusal.h"
#include "gui/base/gilk-text.h"

/* ---- texts about blocks ---- */

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
gilk_graph_edge_count (const GilkGraphLook *look,
                       guint                edge,
                       uint64_t            *count)
{
  const GilkKnownCounts *known = look->known;

  if (known == NULL || known->edges[edge] == GILK_COUNT_UNKNOWN)
    return FALSE;
  *count = known->edges[edge];

  return TRUE;
}

static void
add_successors (const GilkGraphData *data,
                const GilkGraphLook *look,
                guint                block,
                GString             *text)
{
  const GilkBlock *b = &data->cfg->blocks[block];
  uint64_t hits = 0, count;

  for (guint i = b->first_out; i < b->first_out + b->n_out; i++)
    {
      const GilkEdge *edge = &data->cfg->edges[i];

      g_string_append_printf (text, _("; %s to %s"), gilk_graph_edge_text (edge), data->graph->titles[edge->to]);
      if (get_hits (look, block, &hits) && hits > 0 && gilk_graph_edge_count (look, i, &count))
        g_string_append_printf (text, ", %.0f %%", 100.0 * count / hits);
    }
}

char *
gilk_graph_block_description (const GilkGraphData *data,
                              const GilkGraphLook *look,
                              guint                block)
{
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
  add_successors (data, look, block, text);

  return g_string_free (text, FALSE);
}

char *
gilk_graph_block_lines (const GilkGraphData *data,
                        guint                block)
{
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

/* Returns the name of a block that is a fold (a region drawn as one block) or is hidden in a
 * fold. */
static char *
format_fold_name (const GilkGraph     *graph,
                  const GilkGraphLook *look,
                  guint                block)
{
  GilkFoldFacts facts;
  g_autofree char *words = NULL;

  if (gilk_graph_is_hidden (graph, block))
    return g_strdup_printf (_("block %s, folded into %s"), graph->titles[block],
                            graph->titles[gilk_cfg_fold_shown (graph->fold, block)]);
  gilk_graph_fold_facts (graph, look, block, &facts);
  words = gilk_graph_fold_text (&facts, TRUE);

  return g_strdup_printf (_("region %s, %s"), graph->titles[block], words);
}

static char *
format_plain_name (const GilkGraphData *data,
                   const GilkGraphLook *look,
                   guint                block)
{
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
gilk_graph_block_name (const GilkGraphData *data,
                       const GilkGraphLook *look,
                       guint                block)
{
  gboolean dimmed = look->dimmed != NULL && look->dimmed[block];
  g_autofree char *name = gilk_graph_folded (data->graph, block) > 1 ? format_fold_name (data->graph, look, block)
                                                                      : format_plain_name (data, look, block);

  return dimmed ? g_strdup_printf ("%s, %s", name, look->dim_reason) : g_steal_pointer (&name);
}

/* ---- texts of tooltips ---- */

char *
gilk_graph_tip_point (const GilkGraphData *data,
                      const GilkGraphLook *look,
                      int                  point)
{
  const GilkChoice *choice = &data->choices[point];
  const GilkMark mark = look->marks != NULL ? look->marks[point] : GILK_MARK_FREE;
  const char *title = data->graph->titles[point / 2];

  if (choice->refusal != 0)
    return g_strdup_printf (_("%s of block %s cannot be hooked.\n%s\n%s"),
                            point % 2 == 0 ? _("Start") : _("End"), title,
                            gilk_refusal_cause (choice->refusal),
                            gilk_refusal_remedy (choice->refusal));

  if (mark == GILK_MARK_OTHER)
    return g_strdup_printf (_("%s of block %s\nAnother client has a hook here."),
                            point % 2 == 0 ? _("Pre-hook") : _("Post-hook"), title);

  return g_strdup_printf (_("%s of block %s\n%s, a count costs %u instructions per hit%s%s\nClick to %s"),
                          point % 2 == 0 ? _("Pre-hook") : _("Post-hook"), title,
                          gilk_text_tactic (choice->tactic),
                          choice->cost,
                          choice->why_not_splice != 0 ? _("\nNo splice: ") : "",
                          choice->why_not_splice != 0 ? gilk_refusal_cause (choice->why_not_splice) : "",
                          mark == GILK_MARK_FREE ? _("plan it") : _("remove it from the plan"));
}

static const char *
get_shown_title (const GilkGraph *graph,
                 guint            block)
{
  return graph->titles[graph->fold != NULL ? gilk_cfg_fold_shown (graph->fold, block) : block];
}

char *
gilk_graph_tip_edge (const GilkGraphData *data,
                     const GilkGraphLook *look,
                     guint                edge,
                     guint                n_shared)
{
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
  if (gilk_graph_edge_hits (data->graph, look, edge, &count))
    g_string_append_printf (text, g_dngettext (NULL, "\n%lu time", "\n%lu times", count), count);
  if (n_shared > 1)
    g_string_append_printf (text, g_dngettext (NULL, "\n%u edge shares this line", "\n%u edges share this line", n_shared),
                            n_shared);
  g_string_append (text, _("\nClick: go to the far end · Ctrl: target · Alt: source"));

  return g_string_free (text, FALSE);
}

/* ---- formats a block's instructions: bytes, text, and source lines where known ---- */

#define SHOWN 12

/* Adds the source line of @insn, such as "fs/pipe.c:538", and its inlining location. Adds nothing
 * if the text is equal to @last_line, which is the source line of the previous instruction. */
static void
add_source (const GilkGraphData *data, guint insn, char **last_line, GString *text)
{
  char *line = data->source != NULL ? gilk_cfg_source_text (data->source, insn) : NULL;

  if (line != NULL && g_strcmp0 (line, *last_line) != 0)
    g_string_append_printf (text, "%s\n", line);
  g_free (*last_line);
  *last_line = line;
}

char *
gilk_block_text (const GilkGraphData *data,
                 guint                number)
{
  const GilkCfg *cfg = data->cfg;
  const GilkBlock *block = &cfg->blocks[number];
  g_autoptr(GString) text = g_string_new (NULL);
  g_autofree char *last_line = NULL;

  for (guint i = 0; i < block->n_insns && i < SHOWN; i++)
    {
      const GilkInsn *insn = &cfg->insns[block->first_insn + i];
      const GilkGraphLine *line = &data->graph->lines[block->first_insn + i];
      const uint8_t *bytes = gilk_cfg_bytes (cfg, insn);

      if (i > 0)
        g_string_append_c (text, '\n');
      add_source (data, block->first_insn + i, &last_line, text);
      for (guint b = 0; b < insn->len; b++)
        g_string_append_printf (text, "%02x%s", bytes[b], b + 1 < insn->len ? " " : "");
      g_string_append_printf (text, "\n    %s %s%s%s", line->mnemonic, line->operands, line->note != NULL ? "  ; " : "",
                              line->note != NULL ? line->note : "");
    }
  if (block->n_insns > SHOWN)
    g_string_append (text, "\n…");

  return g_string_free (g_steal_pointer (&text), FALSE);
}

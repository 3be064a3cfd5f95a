/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-fold.c - a graph with folded regions: new layout, contents and painting of a fold
 *
 * Blocks keep their numbers. A hidden block has the box of the block that stands for it, and no
 * lines.
 */
#include <glib/gi18n.h>
#include <string.h>

#include "core/plot/gilk-graph-paint.h"
#include "core/plot/gilk-graph-private.h"

#define FOLD_WIDTH 176
#define LINES      2

/* ---- makes the graph of visible blocks ---- */

typedef struct {
  GilkGraph       *graph;
  GilkLayoutGraph  whole, seen;
  guint           *seen_of;      /* for each visible block of the function: its index among the
                                  * visible blocks */
  guint           *block_of;     /* the inverse */
  guint           *edge_of;      /* for each visible edge: its index among the edges of the
                                  * function */
  GilkBox         *sizes;
} Folding;

static guint
get_seen_block (const Folding *f, guint block)
{
  return f->seen_of[gilk_cfg_fold_shown (f->graph->fold, block)];
}

static void
collect_blocks (Folding *f, const GilkLayout *before)
{
  const GilkGraph *graph = f->graph;

  for (guint b = 0; b < graph->cfg->n_blocks; b++)
    {
      guint at = f->seen.n_blocks;

      if (gilk_graph_is_hidden (graph, b))
        continue;
      f->seen_of[b] = at;
      f->block_of[at] = b;
      f->sizes[at] = before->blocks[b];
      if (gilk_graph_folded (graph, b) > 1)
        {
          f->sizes[at].width = FOLD_WIDTH;
          f->sizes[at].height = GILK_GRAPH_TITLE + 2 * GILK_GRAPH_PAD + LINES * gilk_graph_line_height (&graph->style);
        }
      f->seen.n_blocks++;
    }
}

static int
compare_edges (gconstpointer one, gconstpointer other, gpointer user_data)
{
  const Folding *f = user_data;
  const GilkLayoutEdge *a = &f->whole.edges[*(const guint *) one], *b = &f->whole.edges[*(const guint *) other];
  guint a_from = get_seen_block (f, a->from), b_from = get_seen_block (f, b->from), a_to = get_seen_block (f, a->to), b_to = get_seen_block (f, b->to);

  if (a_from != b_from)
    return a_from < b_from ? -1 : 1;
  if (a_to != b_to)
    return a_to < b_to ? -1 : 1;

  return a->side != b->side ? (a->side < b->side ? -1 : 1) : (a > b) - (a < b);
}

static gboolean
is_of_fold (const Folding *f, guint edge)
{
  const GilkGraph *graph = f->graph;
  const GilkEdge *e = &graph->cfg->edges[edge];

  return gilk_graph_folded (graph, gilk_cfg_fold_shown (graph->fold, e->from)) > 1 ||
         gilk_graph_folded (graph, gilk_cfg_fold_shown (graph->fold, e->to)) > 1;
}

/* Collects the visible edges. All edges between the same two blocks become one edge if one of the
 * blocks is a fold (a block that stands for a folded region). */
static void
collect_edges (Folding *f)
{
  g_autofree guint *order = g_new (guint, f->whole.n_edges + 1);
  guint n = 0;

  for (guint e = 0; e < f->whole.n_edges; e++)
    {
      guint from = get_seen_block (f, f->whole.edges[e].from), to = get_seen_block (f, f->whole.edges[e].to);

      if (from != to || !is_of_fold (f, e))
        order[n++] = e;
    }
  g_qsort_with_data (order, (int) n, sizeof *order, compare_edges, f);
  for (guint i = 0; i < n; i++)
    {
      const GilkLayoutEdge *edge = &f->whole.edges[order[i]];
      guint at = f->seen.n_edges;
      GilkLayoutEdge seen = { get_seen_block (f, edge->from), get_seen_block (f, edge->to), edge->side, edge->back };

      if (at > 0 && f->seen.edges[at - 1].from == seen.from && f->seen.edges[at - 1].to == seen.to && is_of_fold (f, order[i]))
        {
          f->graph->joined[order[i - 1]] = order[i];
          continue;
        }
      f->seen.edges[at] = seen;
      f->edge_of[at] = order[i];
      if (f->seen.blocks[seen.from].n_out++ == 0)
        f->seen.blocks[seen.from].first_out = at;
      f->seen.blocks[seen.to].n_in++;
      f->seen.n_edges++;
    }
}

/* Finds all back edges again: a path that leaves and re-enters a folded region is a cycle of
 * visible blocks, even without a back edge of the function itself. Uses no recursion, because a
 * function may have thousands of blocks. */
static void
find_back_edges (GilkLayoutGraph *seen)
{
  g_autofree uint8_t *state = g_new0 (uint8_t, seen->n_blocks + 1);
  g_autofree guint *next = g_new0 (guint, seen->n_blocks + 1), *stack = g_new (guint, seen->n_blocks + 1);

  for (guint i = 0; i <= seen->n_blocks; i++)
    {
      guint start = i == 0 ? seen->entry : i - 1, depth = 0;

      if (start >= seen->n_blocks || state[start] != 0)
        continue;
      state[start] = 1;
      stack[depth++] = start;
      while (depth > 0)
        {
          guint at = stack[depth - 1], edge = seen->blocks[at].first_out + next[at];

          if (next[at] == seen->blocks[at].n_out)
            {
              state[at] = 2;
              depth--;
              continue;
            }
          next[at]++;
          seen->edges[edge].back = state[seen->edges[edge].to] == 1;
          if (state[seen->edges[edge].to] == 0)
            {
              state[seen->edges[edge].to] = 1;
              stack[depth++] = seen->edges[edge].to;
            }
        }
    }
}

/* ---- lays out the graph of visible blocks ---- */

static GilkLayout *
expand_layout (const Folding *f, GilkLayout *seen)
{
  GilkLayout *layout = g_new0 (GilkLayout, 1);
  const GilkCfg *cfg = f->graph->cfg;

  g_atomic_ref_count_init (&layout->ref_count);
  layout->n_blocks = cfg->n_blocks;
  layout->n_routes = cfg->n_edges;
  layout->blocks = g_new0 (GilkBox, cfg->n_blocks + 1);
  layout->routes = g_new0 (GilkRoute, cfg->n_edges + 1);
  layout->width = seen->width;
  layout->height = seen->height;
  for (guint b = 0; b < cfg->n_blocks; b++)
    layout->blocks[b] = seen->blocks[get_seen_block (f, b)];
  for (guint e = 0; e < cfg->n_edges; e++)
    layout->routes[e].edge = e;
  for (guint i = 0; i < seen->n_routes; i++)
    {
      GilkRoute *route = &layout->routes[f->edge_of[seen->routes[i].edge]];

      route->n_points = seen->routes[i].n_points;
      route->points = g_steal_pointer (&seen->routes[i].points);
      seen->routes[i].n_points = 0;
    }

  return layout;
}

static gboolean
lay_out_fold (Folding *f, const GilkLayout *before, GCancellable *cancellable, GError **error)
{
  g_autoptr(GilkLayout) seen = NULL;

  collect_blocks (f, before);
  f->seen.name = f->whole.name;
  f->seen.entry = get_seen_block (f, f->whole.entry);
  collect_edges (f);
  find_back_edges (&f->seen);
  seen = gilk_layout_new (&f->seen, f->sizes, cancellable, error);
  if (seen != NULL)
    f->graph->layout = expand_layout (f, seen);

  return seen != NULL;
}

GilkGraph *
gilk_graph_fold (GilkGraph         *whole,
                 const GilkCfgFold *fold,
                 GCancellable      *cancellable,
                 GError           **error)
{
  g_autoptr(GilkGraph) graph = g_memdup2 (whole, sizeof *whole);
  g_autofree guint *seen_of = g_new0 (guint, whole->cfg->n_blocks + 1), *block_of = g_new0 (guint, whole->cfg->n_blocks + 1);
  g_autofree guint *edge_of = g_new0 (guint, whole->cfg->n_edges + 1);
  g_autofree GilkBox *sizes = g_new0 (GilkBox, whole->cfg->n_blocks + 1);
  Folding f = { .graph = graph, .seen_of = seen_of, .block_of = block_of, .edge_of = edge_of, .sizes = sizes };
  gboolean done;

  g_atomic_ref_count_init (&graph->ref_count);
  graph->whole = gilk_graph_ref (whole);
  graph->layout = NULL;
  graph->joined = g_new (guint, whole->cfg->n_edges + 1);
  for (guint e = 0; e < whole->cfg->n_edges; e++)
    graph->joined[e] = G_MAXUINT;
  graph->fold = gilk_cfg_fold_copy (fold);
  gilk_graph_shape_init (&f.whole, whole->cfg);
  f.seen.blocks = g_new0 (GilkLayoutBlock, whole->cfg->n_blocks + 1);
  f.seen.edges = g_new0 (GilkLayoutEdge, whole->cfg->n_edges + 1);
  done = lay_out_fold (&f, whole->layout, cancellable, error);
  gilk_graph_shape_clear (&f.whole);
  gilk_graph_shape_clear (&f.seen);

  return done ? g_steal_pointer (&graph) : NULL;
}

/* ---- lines that stand for several edges ---- */

static guint
get_next_joined (const GilkGraph *graph, guint edge)
{
  return graph->joined != NULL ? graph->joined[edge] : G_MAXUINT;
}

guint
gilk_graph_edge_joined (const GilkGraph *graph, guint edge)
{
  guint n = 0;

  for (guint e = edge; e != G_MAXUINT; e = get_next_joined (graph, e))
    n++;

  return n;
}

gboolean
gilk_graph_edge_hits (const GilkGraph *graph, const GilkGraphLook *look, guint edge, uint64_t *hits)
{
  uint64_t sum = 0;

  for (guint e = edge; e != G_MAXUINT; e = get_next_joined (graph, e))
    {
      if (look->known == NULL || look->known->edges[e] == GILK_COUNT_UNKNOWN)
        return FALSE;
      sum += look->known->edges[e];
    }
  *hits = sum;

  return TRUE;
}

gboolean
gilk_graph_edge_is_highlighted (const GilkGraph *graph, const GilkGraphLook *look, guint edge)
{
  for (guint e = edge; e != G_MAXUINT; e = get_next_joined (graph, e))
    if ((look->highlighted != NULL && look->highlighted[e]) || (look->has_edge && look->edge == e))
      return TRUE;

  return FALSE;
}

/* ---- counts and describes the contents of a fold ---- */

static guint
count_found (const GilkGraph *graph, const GilkGraphLook *look, guint block)
{
  const GilkBlock *b = &graph->cfg->blocks[block];
  guint n = 0;

  for (guint i = 0; look->found != NULL && i < b->n_insns; i++)
    n += look->found[b->first_insn + i];

  return n;
}

void
gilk_graph_fold_facts (const GilkGraph *graph, const GilkGraphLook *look, guint head, GilkFoldFacts *facts)
{
  *facts = (GilkFoldFacts) { .hits = GILK_HITS_UNKNOWN };
  for (guint b = 0; b < graph->cfg->n_blocks; b++)
    {
      gboolean inferred;
      uint64_t hits;

      if (gilk_cfg_fold_shown (graph->fold, b) != head)
        continue;
      facts->blocks++;
      facts->found += count_found (graph, look, b);
      for (int post = 0; post < 2 && look->marks != NULL; post++)
        facts->hooks += look->marks[2 * b + post] == GILK_MARK_PLANNED || look->marks[2 * b + post] == GILK_MARK_LIVE;
      if (gilk_graph_block_hits (look, b, &hits, &inferred) && (facts->hits == GILK_HITS_UNKNOWN || hits > facts->hits))
        facts->hits = hits;
    }
}

char *
gilk_graph_fold_text (const GilkFoldFacts *facts, gboolean all)
{
  g_autoptr(GString) text = g_string_new (NULL);
  g_autofree char *hits = facts->hits != GILK_HITS_UNKNOWN ? gilk_format_count ((double) facts->hits) : NULL;

  if (all)
    g_string_append_printf (text, g_dngettext (NULL, "%u block folded", "%u blocks folded", facts->blocks), facts->blocks);
  if (facts->hooks > 0)
    g_string_append_printf (text, g_dngettext (NULL, ", %u hook", ", %u hooks", facts->hooks), facts->hooks);
  if (facts->found > 0)
    g_string_append_printf (text, g_dngettext (NULL, ", %u match", ", %u matches", facts->found), facts->found);
  if (all && hits != NULL)
    g_string_append_printf (text, _(", at most %s hits"), hits);
  if (!all && text->len > 0)
    g_string_erase (text, 0, 2);

  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* ---- paints folds, and the veil over dimmed blocks ---- */

#define BEHIND 4               /* a fold is drawn as two sheets of paper; the lower sheet is offset
                                * from the upper one by this many px */
#define RADIUS 5
#define VEIL   0.72

static void
paint_sheet (cairo_t             *cr,
             const GilkPlotStyle *style,
             const GilkBox       *box,
             double               by)
{
  gilk_graph_rounded_box (cr, box->x + by, box->y + by, box->width, box->height, RADIUS);
  gilk_graph_set_colour (cr, &style->surface);
  cairo_fill_preserve (cr);
  cairo_set_source_rgba (cr, style->dim.r, style->dim.g, style->dim.b, 0.55);
  cairo_set_line_width (cr, 1);
  cairo_stroke (cr);
}

static void
paint_strip (GilkGraphPainter    *painter,
             const GilkBox       *box,
             const GilkFoldFacts *facts,
             guint                block)
{
  gboolean hot = facts->hits != GILK_HITS_UNKNOWN;
  GilkColour strip = hot ? gilk_graph_heat (painter->style, facts->hits, painter->look->hits_max, painter->look->log_heat)
                         : painter->style->grid;
  GilkColour ink = gilk_graph_ink_on (&strip);
  g_autofree char *title = g_strconcat ("▸ ", painter->graph->titles[block], NULL);
  g_autofree char *count = hot ? gilk_format_count ((double) facts->hits) : NULL;
  cairo_t *cr = painter->cr;
  int width;

  cairo_save (cr);
  gilk_graph_rounded_box (cr, box->x, box->y, box->width, box->height, RADIUS);
  cairo_clip (cr);
  cairo_rectangle (cr, box->x, box->y, box->width, GILK_GRAPH_TITLE);
  gilk_graph_set_colour (cr, &strip);
  cairo_fill (cr);
  cairo_restore (cr);
  if (!painter->text)
    return;
  gilk_graph_set_colour (cr, &ink);
  gilk_graph_show_text (cr, painter->bold, title, box->x + GILK_GRAPH_PAD, box->y + GILK_GRAPH_TITLE / 2.0);
  if (count == NULL)
    return;
  pango_layout_set_text (painter->bold, count, -1);
  pango_layout_get_size (painter->bold, &width, NULL);
  gilk_graph_show_text (cr, painter->bold, count, box->x + box->width - GILK_GRAPH_PAD - width / (double) PANGO_SCALE,
                        box->y + GILK_GRAPH_TITLE / 2.0);
}

void
gilk_graph_paint_fold (GilkGraphPainter *painter,
                       guint             block)
{
  const GilkBox *box = &painter->graph->layout->blocks[block];
  double line = gilk_graph_line_height (&painter->graph->style), y = box->y + GILK_GRAPH_TITLE + GILK_GRAPH_PAD + line / 2;
  gboolean current = painter->look->block == (int) block;
  GilkFoldFacts facts;
  g_autofree char *blocks = NULL, *more = NULL;
  cairo_t *cr = painter->cr;

  gilk_graph_fold_facts (painter->graph, painter->look, block, &facts);
  paint_sheet (cr, painter->style, box, BEHIND);
  paint_sheet (cr, painter->style, box, 0);
  paint_strip (painter, box, &facts, block);
  if (painter->text)
    {
      blocks = g_strdup_printf (g_dngettext (NULL, "%u block folded", "%u blocks folded", facts.blocks), facts.blocks);
      more = gilk_graph_fold_text (&facts, FALSE);
      gilk_graph_set_colour (cr, &painter->style->text);
      gilk_graph_show_text (cr, painter->code, blocks, box->x + GILK_GRAPH_PAD, y);
      gilk_graph_set_colour (cr, facts.found > 0 ? &painter->style->warn : &painter->style->dim);
      gilk_graph_show_text (cr, painter->code, more, box->x + GILK_GRAPH_PAD, y + line);
    }
  if (facts.hooks > 0)
    gilk_graph_paint_mark (cr, painter->style, GILK_MARK_PLANNED, box->x + box->width - GILK_GRAPH_PAD, y + line,
                           GILK_GRAPH_NOTCH_R * 0.8);
  if (!current)
    return;
  gilk_graph_rounded_box (cr, box->x, box->y, box->width, box->height, RADIUS);
  gilk_graph_set_colour (cr, &painter->style->accent);
  cairo_set_line_width (cr, painter->look->focus ? 2.6 : 1.8);
  cairo_stroke (cr);
}

/* Returns TRUE if the block is dimmed; a fold is dimmed if all of its blocks are. */
gboolean
gilk_graph_is_dimmed (const GilkGraph     *graph,
                      const GilkGraphLook *look,
                      guint                block)
{
  guint head;

  if (look->dimmed == NULL || graph->fold == NULL || gilk_cfg_fold_size (graph->fold, block) == 1)
    return look->dimmed != NULL && look->dimmed[block];
  head = gilk_cfg_fold_shown (graph->fold, block);
  for (guint b = 0; b < graph->cfg->n_blocks; b++)
    if (gilk_cfg_fold_shown (graph->fold, b) == head && !look->dimmed[b])
      return FALSE;

  return TRUE;
}

void
gilk_graph_paint_dimmed (GilkGraphPainter *painter,
                         guint             block)
{
  const GilkBox *box = &painter->graph->layout->blocks[block];
  const GilkColour *paper = &painter->style->background;

  if (!gilk_graph_is_dimmed (painter->graph, painter->look, block))
    return;
  cairo_rectangle (painter->cr, box->x - 2, box->y - 2, box->width + BEHIND + 4, box->height + BEHIND + 4);
  cairo_set_source_rgba (painter->cr, paper->r, paper->g, paper->b, VEIL);
  cairo_fill (painter->cr);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-highlight.c - finds parts of a drawn graph by position or by text, and paints
 * highlights
 *
 * Highlights are bands or frames, never colour alone.
 */
#include "core/plot/gilk-graph-paint.h"

#include <math.h>
#include <string.h>

#include "core/plot/gilk-graph-private.h"

#define BAND    9.0          /* width of the band that is drawn under a highlighted edge */
#define FRAME   4.0          /* space between a selected block and its frame */

/* ---- finds edges by position ---- */

/* Returns the distance of the point x,y from a piece of a route, which is horizontal or
 * vertical. */
static double
get_piece_distance (const GilkXY *a,
                    const GilkXY *b,
                    double        x,
                    double        y)
{
  double dx = x - CLAMP (x, MIN (a->x, b->x), MAX (a->x, b->x));
  double dy = y - CLAMP (y, MIN (a->y, b->y), MAX (a->y, b->y));

  return hypot (dx, dy);
}

static double
get_route_distance (const GilkRoute *route,
                    double           x,
                    double           y)
{
  double least = G_MAXDOUBLE;

  for (guint i = 0; i + 1 < route->n_points; i++)
    least = MIN (least, get_piece_distance (&route->points[i], &route->points[i + 1], x, y));

  return least;
}

int
gilk_graph_edge_at (const GilkGraph *graph,
                    double           x,
                    double           y,
                    double           within,
                    guint           *n_shared)
{
  const GilkLayout *layout = graph->layout;
  double best = within;
  guint shared = 0;
  int found = -1;

  for (guint i = 0; i < layout->n_routes; i++)
    {
      double distance = get_route_distance (&layout->routes[i], x, y);

      if (distance > within)
        continue;
      if (found < 0 || distance < best - 0.5)
        {
          best = distance;
          found = layout->routes[i].edge;
          shared = 1;
        }
      else if (distance <= best + 0.5)
        shared++;
    }
  if (n_shared != NULL)
    *n_shared = shared;

  return found;
}

/* ---- finds instructions by position ---- */

int
gilk_graph_insn_block (const GilkGraph *graph,
                       guint            insn)
{
  for (guint i = 0; i < graph->cfg->n_blocks; i++)
    if (insn - graph->cfg->blocks[i].first_insn < graph->cfg->blocks[i].n_insns)
      return i;

  return -1;
}

void
gilk_graph_insn_box (const GilkGraph *graph,
                     guint            insn,
                     GilkBox         *box)
{
  const double height = gilk_graph_line_height (&graph->style);
  int block = MAX (gilk_graph_insn_block (graph, insn), 0);
  guint line = insn - graph->cfg->blocks[block].first_insn;

  *box = graph->layout->blocks[block];
  box->y += GILK_GRAPH_TITLE + GILK_GRAPH_PAD + line * height;
  box->height = height;
}

int
gilk_graph_insn_at (const GilkGraph *graph,
                    guint            block,
                    double           y)
{
  const GilkBlock *b = &graph->cfg->blocks[block];
  double line = gilk_graph_folded (graph, block) > 1 ? -1 : (y - graph->layout->blocks[block].y - GILK_GRAPH_TITLE - GILK_GRAPH_PAD) / gilk_graph_line_height (&graph->style);

  return line >= 0 && line < b->n_insns ? (int) (b->first_insn + (guint) line) : -1;
}

/* ---- paints highlights ---- */

static void
set_accent (cairo_t             *cr,
            const GilkPlotStyle *style,
            double               alpha)
{
  cairo_set_source_rgba (cr, style->accent.r, style->accent.g, style->accent.b, alpha);
}

void
gilk_graph_paint_highlighted (cairo_t             *cr,
                              const GilkGraph     *graph,
                              const GilkPlotStyle *style,
                              const GilkGraphLook *look,
                              double               scale)
{
  const GilkLayout *layout = graph->layout;

  if (look->highlighted == NULL && !look->has_edge)
    return;

  cairo_save (cr);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_ROUND);
  cairo_set_line_width (cr, MAX (BAND, 4 / scale));
  set_accent (cr, style, 0.32);
  for (guint i = 0; i < layout->n_routes; i++)
    {
      const GilkRoute *route = &layout->routes[i];

      if (route->n_points < 2 || !gilk_graph_edge_is_highlighted (graph, look, route->edge))
        continue;
      cairo_move_to (cr, route->points[0].x, route->points[0].y);
      for (guint p = 1; p < route->n_points; p++)
        cairo_line_to (cr, route->points[p].x, route->points[p].y);
      cairo_stroke (cr);
    }
  cairo_restore (cr);
}

static gboolean
is_end_of_edge (const GilkGraph     *graph,
                const GilkGraphLook *look,
                guint                block)
{
  return look->has_edge && (graph->cfg->edges[look->edge].from == block || graph->cfg->edges[look->edge].to == block);
}

void
gilk_graph_paint_selected (cairo_t             *cr,
                           const GilkGraph     *graph,
                           const GilkPlotStyle *style,
                           const GilkGraphLook *look,
                           guint                block,
                           double               scale)
{
  const GilkBox *box = &graph->layout->blocks[block];
  gboolean is_selected = look->selected != NULL && look->selected[block];

  if (!is_selected && !is_end_of_edge (graph, look, block))
    return;

  cairo_save (cr);
  cairo_rectangle (cr, box->x - FRAME, box->y - FRAME, box->width + 2 * FRAME, box->height + 2 * FRAME);
  if (is_selected)
    {
      set_accent (cr, style, 0.13);
      cairo_fill_preserve (cr);
    }
  set_accent (cr, style, 0.9);
  cairo_set_line_width (cr, MAX (1.6, 1 / scale));
  if (!is_selected)
    cairo_set_dash (cr, (double[]) { 4 / scale, 3 / scale }, 2, 0);
  cairo_stroke (cr);
  cairo_restore (cr);
}

void
gilk_graph_paint_found (cairo_t             *cr,
                        const GilkPlotStyle *style,
                        const GilkGraphLook *look,
                        guint                insn,
                        double               x,
                        double               middle,
                        double               width)
{
  const double height = gilk_graph_line_height (style);
  gboolean current = (int) insn == look->insn;

  if (!current && (look->found == NULL || !look->found[insn]))
    return;

  cairo_rectangle (cr, x - 4, middle - height / 2, width + 8, height);
  if (look->found != NULL && look->found[insn])
    {
      cairo_set_source_rgba (cr, style->warn.r, style->warn.g, style->warn.b, current ? 0.45 : 0.25);
      cairo_fill_preserve (cr);
    }
  else
    {
      set_accent (cr, style, 0.16);
      cairo_fill_preserve (cr);
    }
  if (current)
    {
      set_accent (cr, style, 0.9);
      cairo_set_line_width (cr, 1);
      cairo_stroke (cr);
    }
  else
    cairo_new_path (cr);
}

/* ---- searches a function's instructions by text ---- */

struct _GilkGraphFinder {
  guint  n_insns;
  char **said;             /* for each instruction: its description, in lower case for the search */
};

static char *
make_search_text (const GilkGraph     *graph,
                  const GilkCfgSource *source,
                  guint                insn,
                  const char          *title)
{
  const GilkGraphLine *line = &graph->lines[insn];
  g_autofree char *from = source != NULL ? gilk_cfg_source_text (source, insn) : NULL;
  g_autofree char *addr = graph->cfg->insns != NULL ? g_strdup_printf ("0x%lx", graph->cfg->insns[insn].addr) : NULL;
  g_autofree char *code = g_strjoin (" ", line->mnemonic, line->operands, NULL);
  g_autofree char *text = g_strjoin ("\n", code, line->note != NULL ? line->note : "",
                                     addr != NULL ? addr : "", title != NULL ? title : "", from != NULL ? from : "", NULL);

  return g_utf8_strdown (text, -1);
}

GilkGraphFinder *
gilk_graph_finder_new (const GilkGraph     *graph,
                       const GilkCfgSource *source)
{
  GilkGraphFinder *finder = g_new0 (GilkGraphFinder, 1);
  const GilkCfg *cfg = graph->cfg;

  finder->n_insns = cfg->n_insns;
  finder->said = g_new0 (char *, cfg->n_insns + 1);
  for (guint b = 0; b < cfg->n_blocks; b++)
    for (guint i = 0; i < cfg->blocks[b].n_insns; i++)
      {
        guint insn = cfg->blocks[b].first_insn + i;

        g_free (finder->said[insn]);
        finder->said[insn] = make_search_text (graph, source, insn, i == 0 ? graph->titles[b] : NULL);
      }
  for (guint i = 0; i < cfg->n_insns; i++)         /* instructions in no block get an empty text */
    if (finder->said[i] == NULL)
      finder->said[i] = g_strdup ("");

  return finder;
}

void
gilk_graph_finder_free (GilkGraphFinder *finder)
{
  g_strfreev (finder->said);
  g_free (finder);
}

static gboolean
has_all_words (const char        *said,
               const char *const *words)
{
  for (guint i = 0; words[i] != NULL; i++)
    if (strstr (said, words[i]) == NULL)
      return FALSE;

  return TRUE;
}

guint
gilk_graph_finder_find (const GilkGraphFinder *finder,
                        const char            *text,
                        uint8_t               *found)
{
  g_autofree char *lower = g_strstrip (g_utf8_strdown (text, -1));
  g_auto(GStrv) words = g_regex_split_simple ("\\s+", lower, 0, 0);
  guint n = 0;

  memset (found, 0, finder->n_insns * sizeof *found);
  if (lower[0] == '\0')
    return 0;
  for (guint i = 0; i < finder->n_insns; i++)
    {
      found[i] = has_all_words (finder->said[i], (const char *const *) words);
      n += found[i];
    }

  return n;
}

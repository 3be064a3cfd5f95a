/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph.c - text, sizes and layout of a drawn control-flow graph
 *
 * All slow work is done here once, on a worker thread; the painter only looks up results. Operands
 * that are addresses become names: "+0x5f" inside the function, the symbol outside it.
 */
#include "core/plot/gilk-graph-paint.h"

#include <gio/gio.h>
#include <math.h>
#include <pango/pangocairo.h>
#include <string.h>

#include "core/base/gilk-memory.h"
#include "core/dataflow/gilk-operand-notes.h"
#include "core/plot/gilk-graph-private.h"

static void
make_line (const GilkCfg          *cfg,
           GilkDecoder            *decoder,
           const GilkOperandNotes *notes,
           guint                   index,
           GilkGraphLine          *line)
{
  const GilkInsn *insn = &cfg->insns[index];
  char mnemonic[32] = "", operands[160] = "";

  gilk_insn_text (decoder, gilk_cfg_bytes (cfg, insn), insn, mnemonic, operands);
  line->mnemonic = g_strdup (mnemonic);
  if (insn->target != 0)
    line->operands = gilk_cfg_target_name (cfg, insn);
  else
    line->operands = g_strdup (operands);
  line->note = g_strdup (gilk_operand_notes_text (notes, index));
}

static glong
get_shown_length (const char *text)
{
  return MIN (g_utf8_strlen (text, -1), GILK_GRAPH_OPERANDS_MAX);
}

static double
measure_advance (const GilkPlotStyle *style)
{
  g_autoptr(PangoFontMap) map = pango_cairo_font_map_new ();
  PangoContext *context = pango_font_map_create_context (map);
  g_autoptr(PangoLayout) layout = pango_layout_new (context);
  g_autoptr(PangoFontDescription) font = gilk_graph_code_font (style, FALSE);
  int width;

  pango_layout_set_font_description (layout, font);
  pango_layout_set_text (layout, "00000000000000000000", 20);
  pango_layout_get_size (layout, &width, NULL);
  g_object_unref (context);

  return width / (20.0 * PANGO_SCALE);
}

static void
size_block (GilkGraph *graph,
            guint      index,
            GilkBox   *size)
{
  const GilkBlock *block = &graph->cfg->blocks[index];
  glong mnemonic = 5, rest = 0, title;

  for (guint i = 0; i < block->n_insns; i++)
    {
      const GilkGraphLine *line = &graph->lines[block->first_insn + i];

      mnemonic = MAX (mnemonic, g_utf8_strlen (line->mnemonic, -1));
      rest = MAX (rest, get_shown_length (line->operands) + gilk_graph_note_length (line));
    }

  graph->columns[index] = mnemonic + 2;
  title = strlen (graph->titles[index]) + 17;      /* title, with room for 17 more characters: the
                                                    * mark and the hits */
  size->width = 2 * GILK_GRAPH_PAD +
                ceil (MAX (mnemonic + 2 + rest, title) * graph->advance);
  size->height = GILK_GRAPH_TITLE + 2 * GILK_GRAPH_PAD +
                 ceil (block->n_insns * gilk_graph_line_height (&graph->style));
}

static gboolean
fill_text (GilkGraph    *graph,
           GilkDecoder  *decoder,
           GCancellable *cancellable,
           GError      **error)
{
  const GilkCfg *cfg = graph->cfg;
  g_autoptr(GilkOperandNotes) notes = gilk_operand_notes_new (cfg, decoder, cancellable, error);

  if (notes == NULL)
    return FALSE;
  for (guint i = 0; i < cfg->n_insns; i++)
    {
      if (i % 1024 == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      make_line (cfg, decoder, notes, i, &graph->lines[i]);
    }
  for (guint i = 0; i < cfg->n_blocks; i++)
    graph->titles[i] = gilk_cfg_offset_name (cfg, cfg->blocks[i].start);

  return TRUE;
}

/* Splits text with a line "mnemonic operands" for each instruction of the block. */
static void
split_text (GilkGraph  *graph,
            guint       index,
            const char *text)
{
  const GilkBlock *block = &graph->cfg->blocks[index];
  g_auto(GStrv) lines = g_strsplit (text, "\n", -1);
  guint n = g_strv_length (lines);

  for (guint i = 0; i < block->n_insns; i++)
    {
      GilkGraphLine *line = &graph->lines[block->first_insn + i];
      const char *whole = i < n ? lines[i] : "";
      const char *space = strchr (whole, ' ');

      line->mnemonic = space != NULL ? g_strndup (whole, space - whole) : g_strdup (whole);
      line->operands = g_strdup (space != NULL ? space + 1 : "");
    }
}

static void
copy_notes (GilkGraph         *graph,
            const char *const *notes)
{
  for (guint i = 0; notes != NULL && i < graph->cfg->n_insns; i++)
    if (notes[i] != NULL)
      {
        g_free (graph->lines[i].note);
        graph->lines[i].note = g_strdup (notes[i]);
      }
}

static GilkGraph *
graph_new (GilkCfg             *cfg,
           const GilkPlotStyle *style)
{
  GilkGraph *graph = g_new0 (GilkGraph, 1);

  g_atomic_ref_count_init (&graph->ref_count);
  graph->cfg = gilk_cfg_ref (cfg);
  graph->style = *style;
  graph->titles = g_new0 (char *, cfg->n_blocks + 1);
  graph->lines = g_new0 (GilkGraphLine, cfg->n_insns);
  graph->columns = g_new0 (guint, cfg->n_blocks);
  graph->advance = measure_advance (style);

  return graph;
}

static gboolean
lay_out_graph (GilkGraph    *graph,
               GCancellable *cancellable,
               GError      **error)
{
  g_autofree GilkBox *sizes = g_new0 (GilkBox, graph->cfg->n_blocks);
  g_auto(GilkLayoutGraph) shape = { NULL };

  for (guint i = 0; i < graph->cfg->n_blocks; i++)
    size_block (graph, i, &sizes[i]);
  gilk_graph_shape_init (&shape, graph->cfg);
  graph->layout = gilk_layout_new (&shape, sizes, cancellable, error);

  return graph->layout != NULL;
}

GilkGraph *
gilk_graph_new (GilkCfg             *cfg,
                GilkDecoder         *decoder,
                const GilkPlotStyle *style,
                const char *const   *notes,
                GCancellable        *cancellable,
                GError             **error)
{
  g_autoptr(GilkGraph) graph = graph_new (cfg, style);

  if (!fill_text (graph, decoder, cancellable, error))
    return NULL;
  copy_notes (graph, notes);
  if (!lay_out_graph (graph, cancellable, error))
    return NULL;

  return g_steal_pointer (&graph);
}

GilkGraph *
gilk_graph_new_recorded (GilkCfg             *cfg,
                         const char *const   *titles,
                         const char *const   *texts,
                         const GilkPlotStyle *style,
                         const char *const   *notes,
                         GCancellable        *cancellable,
                         GError             **error)
{
  g_autoptr(GilkGraph) graph = graph_new (cfg, style);

  for (guint i = 0; i < cfg->n_blocks; i++)
    {
      graph->titles[i] = g_strdup (titles[i]);
      split_text (graph, i, texts[i]);
    }
  copy_notes (graph, notes);

  return lay_out_graph (graph, cancellable, error) ? g_steal_pointer (&graph) : NULL;
}

GILK_DEFINE_REF (GilkGraph, gilk_graph, ref_count)

void
gilk_graph_unref (GilkGraph *graph)
{
  if (!g_atomic_ref_count_dec (&graph->ref_count))
    return;

  gilk_cfg_fold_free (graph->fold);
  if (graph->whole != NULL)            /* a folded graph borrows all texts from @whole */
    {
      g_clear_pointer (&graph->layout, gilk_layout_unref);
      g_free (graph->joined);
      gilk_graph_unref (graph->whole);
      g_free (graph);
      return;
    }
  for (guint i = 0; i < graph->cfg->n_insns; i++)
    {
      gilk_free_all (graph->lines[i].mnemonic, graph->lines[i].operands, graph->lines[i].note);
    }
  g_free (graph->lines);
  g_free (graph->columns);
  g_strfreev (graph->titles);
  g_clear_pointer (&graph->layout, gilk_layout_unref);
  gilk_cfg_unref (graph->cfg);
  g_free (graph);
}

void
gilk_graph_point_xy (const GilkGraph *graph,
                     int              point,
                     double          *x,
                     double          *y)
{
  const GilkBox *box = &graph->layout->blocks[point / 2];

  *x = box->x + box->width / 2;        /* the layout keeps edges away from the middle of the block's
                                        * edge, to leave room for the mark */
  *y = point % 2 == 0 ? box->y : box->y + box->height;
}

int
gilk_graph_block_at (const GilkGraph *graph,
                     double           x,
                     double           y)
{
  for (guint i = 0; i < graph->layout->n_blocks; i++)
    {
      const GilkBox *box = &graph->layout->blocks[i];

      if (!gilk_graph_is_hidden (graph, i) && x >= box->x && x < box->x + box->width &&
          y >= box->y && y < box->y + box->height)
        return i;
    }

  return -1;
}

int
gilk_graph_point_at (const GilkGraph *graph,
                     double           x,
                     double           y,
                     double           within)
{
  double best = within * within;
  int found = -1;

  for (guint i = 0; i < 2 * graph->layout->n_blocks; i++)
    {
      double px, py, distance;

      if (gilk_graph_folded (graph, i / 2) > 1)
        continue;
      gilk_graph_point_xy (graph, i, &px, &py);
      distance = (px - x) * (px - x) + (py - y) * (py - y);
      if (distance <= best)
        {
          best = distance;
          found = i;
        }
    }

  return found;
}

PangoFontDescription *
gilk_graph_code_font (const GilkPlotStyle *style,
                      gboolean             bold)
{
  PangoFontDescription *font = pango_font_description_new ();

  pango_font_description_set_family (font, style->mono);
  pango_font_description_set_absolute_size (font, style->size * PANGO_SCALE);
  if (bold)
    pango_font_description_set_weight (font, PANGO_WEIGHT_BOLD);

  return font;
}

glong
gilk_graph_note_length (const GilkGraphLine *line)
{
  return line->note != NULL ? MIN (g_utf8_strlen (line->note, -1), GILK_GRAPH_NOTE_MAX) + GILK_GRAPH_NOTE_GAP : 0;
}

double
gilk_graph_line_height (const GilkPlotStyle *style)
{
  return ceil (style->size * 1.36);
}

/* ---- converts a function's graph to the form that the layout takes ---- */

static const GilkSide sides[] = {
  [GILK_EDGE_FALL] = GILK_SIDE_LEFT,   [GILK_EDGE_NOT_TAKEN] = GILK_SIDE_LEFT,
  [GILK_EDGE_TAKEN] = GILK_SIDE_RIGHT, [GILK_EDGE_JUMP] = GILK_SIDE_RIGHT,
  [GILK_EDGE_STATIC_KEY] = GILK_SIDE_RARE, [GILK_EDGE_FIXUP] = GILK_SIDE_RAREST,
};

void
gilk_graph_shape_init (GilkLayoutGraph *shape,
                       const GilkCfg   *cfg)
{
  *shape = (GilkLayoutGraph) {
    .name = cfg->function->name,
    .entry = cfg->entry,
    .blocks = g_new (GilkLayoutBlock, cfg->n_blocks + 1),
    .n_blocks = cfg->n_blocks,
    .edges = g_new (GilkLayoutEdge, cfg->n_edges + 1),
    .n_edges = cfg->n_edges,
  };

  for (guint i = 0; i < cfg->n_blocks; i++)
    shape->blocks[i] = (GilkLayoutBlock) {
      cfg->blocks[i].first_out, cfg->blocks[i].n_out, cfg->blocks[i].n_in,
    };
  for (guint i = 0; i < cfg->n_edges; i++)
    shape->edges[i] = (GilkLayoutEdge) {
      cfg->edges[i].from, cfg->edges[i].to, sides[cfg->edges[i].kind], cfg->edges[i].back,
    };
}

void
gilk_graph_shape_clear (GilkLayoutGraph *shape)
{
  g_clear_pointer (&shape->blocks, g_free);
  g_clear_pointer (&shape->edges, g_free);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-colours.c - colours of a graph's parts: text, heat, marks, and blocks by tactic,
 * refusal or cost
 */
#include <glib/gi18n.h>
#include <math.h>

#include "core/plot/gilk-graph-private.h"
#include "ilk/ilk-abi.h"

void
gilk_graph_set_colour (cairo_t          *cr,
                       const GilkColour *colour)
{
  cairo_set_source_rgba (cr, colour->r, colour->g, colour->b, colour->a);
}

void
gilk_graph_rounded_box (cairo_t *cr,
                        double   x,
                        double   y,
                        double   width,
                        double   height,
                        double   radius)
{
  cairo_new_sub_path (cr);
  cairo_arc (cr, x + width - radius, y + radius, radius, -G_PI_2, 0);
  cairo_arc (cr, x + width - radius, y + height - radius, radius, 0, G_PI_2);
  cairo_arc (cr, x + radius, y + height - radius, radius, G_PI_2, G_PI);
  cairo_arc (cr, x + radius, y + radius, radius, G_PI, 1.5 * G_PI);
  cairo_close_path (cr);
}

/* Converts an sRGB channel to linear light. */
static double
linearize_channel (double channel)
{
  return channel <= 0.04045 ? channel / 12.92 : pow ((channel + 0.055) / 1.055, 2.4);
}

/* Returns the relative luminance of a colour, as defined in WCAG 2. */
static double
compute_luminance (const GilkColour *colour)
{
  return 0.2126 * linearize_channel (colour->r) + 0.7152 * linearize_channel (colour->g) + 0.0722 * linearize_channel (colour->b);
}

GilkColour
gilk_graph_ink_on (const GilkColour *fill)
{
  const double light = compute_luminance (fill) + 0.05;

  return light / 0.05 >= 1.05 / light ? (GilkColour) { 0, 0, 0, 1 } : (GilkColour) { 1, 1, 1, 1 };
}

double
gilk_graph_show_text (cairo_t     *cr,
                      PangoLayout *layout,
                      const char  *text,
                      double       x,
                      double       y)
{
  int width, height;

  pango_layout_set_text (layout, text, -1);
  pango_layout_get_size (layout, &width, &height);
  cairo_move_to (cr, x, y - height / (2.0 * PANGO_SCALE));
  pango_cairo_show_layout (cr, layout);

  return width / (double) PANGO_SCALE;
}

GilkColour
gilk_graph_heat (const GilkPlotStyle *style,
                 uint64_t             hits,
                 uint64_t             max,
                 gboolean             log_heat)
{
  double t = 0;

  if (hits > 0 && max > 0)
    {
      if (log_heat)
        t = (1 + log10 (hits)) / (1 + log10 (max));
      else
        t = (double) hits / max;
    }
  t = CLAMP (t, 0, 1);

  return (GilkColour) {
    style->heat_low.r + t * (style->heat_high.r - style->heat_low.r),
    style->heat_low.g + t * (style->heat_high.g - style->heat_low.g),
    style->heat_low.b + t * (style->heat_high.b - style->heat_low.b),
    1,
  };
}

gboolean
gilk_graph_is_hidden (const GilkGraph *graph,
                      guint            block)
{
  return graph->fold != NULL && gilk_cfg_fold_shown (graph->fold, block) != block;
}

guint
gilk_graph_folded (const GilkGraph *graph,
                   guint            block)
{
  return graph->fold != NULL ? gilk_cfg_fold_size (graph->fold, block) : 1;
}

gboolean
gilk_graph_block_hits (const GilkGraphLook *look,
                       guint                block,
                       uint64_t            *hits,
                       gboolean            *inferred)
{
  const GilkKnownCounts *known = look->known;

  *inferred = look->hits == NULL || look->hits[block] == GILK_HITS_UNKNOWN;
  *hits = !*inferred ? look->hits[block] : known != NULL ? known->blocks[block] : GILK_HITS_UNKNOWN;

  return *hits != GILK_HITS_UNKNOWN;
}

double
gilk_graph_legend_text (cairo_t             *cr,
                        const GilkPlotStyle *style,
                        const char          *text,
                        double               x,
                        double               middle)
{
  g_autoptr(PangoLayout) layout = pango_cairo_create_layout (cr);
  g_autoptr(PangoFontDescription) font = pango_font_description_new ();
  int width, height;

  pango_font_description_set_family (font, style->font);
  pango_font_description_set_absolute_size (font, style->size * PANGO_SCALE);
  pango_layout_set_font_description (layout, font);
  pango_layout_set_text (layout, text, -1);
  pango_layout_get_pixel_size (layout, &width, &height);
  gilk_graph_set_colour (cr, &style->text);
  cairo_move_to (cr, x, middle - height / 2.0);
  pango_cairo_show_layout (cr, layout);

  return x + width;
}

static void
trace_diamond (cairo_t *cr,
               double   x,
               double   y,
               double   r)
{
  cairo_move_to (cr, x, y - r);
  cairo_line_to (cr, x + r, y);
  cairo_line_to (cr, x, y + r);
  cairo_line_to (cr, x - r, y);
  cairo_close_path (cr);
}

void
gilk_graph_paint_mark (cairo_t             *cr,
                       const GilkPlotStyle *style,
                       GilkMark             mark,
                       double               x,
                       double               y,
                       double               radius)
{
  cairo_set_line_width (cr, 1.5);
  switch (mark)
    {
    case GILK_MARK_FREE:
    case GILK_MARK_REFUSED:
      cairo_new_sub_path (cr);
      cairo_arc (cr, x, y, radius * 0.85, 0, 2 * G_PI);
      gilk_graph_set_colour (cr, &style->surface);
      cairo_fill_preserve (cr);
      gilk_graph_set_colour (cr, mark == GILK_MARK_FREE ? &style->dim : &style->bad);
      cairo_stroke (cr);
      if (mark == GILK_MARK_REFUSED)
        {
          cairo_move_to (cr, x - radius * 0.55, y - radius * 0.55);
          cairo_line_to (cr, x + radius * 0.55, y + radius * 0.55);
          cairo_stroke (cr);
        }
      break;
    case GILK_MARK_LIVE:
      cairo_new_sub_path (cr);
      cairo_arc (cr, x, y, radius * 1.55, 0, 2 * G_PI);
      gilk_graph_set_colour (cr, &style->surface);
      cairo_fill_preserve (cr);
      gilk_graph_set_colour (cr, &style->accent);
      cairo_stroke (cr);
      trace_diamond (cr, x, y, radius);
      cairo_fill (cr);
      break;
    case GILK_MARK_OTHER:
      cairo_rectangle (cr, x - radius, y - radius, 2 * radius, 2 * radius);
      gilk_graph_set_colour (cr, &style->text);
      cairo_fill_preserve (cr);
      gilk_graph_set_colour (cr, &style->surface);
      cairo_set_line_width (cr, 1);
      cairo_stroke (cr);
      break;
    case GILK_MARK_PLANNED:
      trace_diamond (cr, x, y, radius * 1.35);
      gilk_graph_set_colour (cr, &style->accent);
      cairo_fill_preserve (cr);
      gilk_graph_set_colour (cr, &style->surface);
      cairo_set_line_width (cr, 1);
      cairo_stroke (cr);
      break;
    }
}

/* ---- colours blocks by tactic or refusal, or by the cost of a counter ---- */

#define SWATCH 12

typedef struct {
  guint       tactic;        /* tactic by which hooks reach points (enum ilk_tactic); 0: the point
                              * cannot be hooked */
  guint       series;        /* index into the colours style->series */
  const char *word;
} Tactic;

static const Tactic tactics[] = {
  { ILK_TACTIC_SPLICE, 2, N_("splice") },
  { ILK_TACTIC_BOUNCE, 6, N_("bounce") },
  { ILK_TACTIC_CLONE, 4, N_("clone") },
  { ILK_TACTIC_TRAP, 1, N_("trap") },
  { GILK_TACTIC_KPROBE, 3, "kprobe" },       /* names */
  { GILK_TACTIC_FENTRY, 2, "fentry" },
  { GILK_TACTIC_UPROBE, 3, "uprobe" },
};

static const Tactic *
find_tactic (guint tactic)
{
  for (guint i = 0; i < G_N_ELEMENTS (tactics); i++)
    if (tactics[i].tactic == tactic)
      return &tactics[i];

  return NULL;
}

static gboolean
has_layer (const GilkGraphLook *look)
{
  return look->layer != GILK_LAYER_HEAT && look->tactics != NULL;
}

gboolean
gilk_graph_layer_strip (const GilkPlotStyle *style,
                        const GilkGraphLook *look,
                        guint                block,
                        GilkColour          *strip)
{
  const Tactic *tactic;

  if (!has_layer (look))
    return FALSE;

  tactic = find_tactic (look->tactics[block]);
  if (tactic == NULL)
    *strip = style->dim;
  else if (look->layer == GILK_LAYER_TACTIC)
    *strip = style->series[tactic->series];
  else
    *strip = gilk_graph_heat (style, tactic->tactic == ILK_TACTIC_TRAP ? look->costs_max : look->costs[block],
                              look->costs_max, FALSE);

  return TRUE;
}

char *
gilk_graph_layer_note (const GilkGraphLook *look,
                       guint                block)
{
  const Tactic *tactic;

  if (!has_layer (look))
    return NULL;
  tactic = find_tactic (look->tactics[block]);
  if (tactic == NULL)
    return g_strdup (_("refused"));
  if (look->layer == GILK_LAYER_TACTIC || tactic->tactic == ILK_TACTIC_TRAP)
    return g_strdup (_(tactic->word));

  return g_strdup_printf ("+%u", look->costs[block]);
}

static double
paint_legend_swatch (cairo_t             *cr,
                     const GilkPlotStyle *style,
                     const GilkColour    *colour,
                     const char          *text,
                     double               x,
                     double               middle)
{
  cairo_rectangle (cr, x, middle - SWATCH / 2.0, SWATCH, SWATCH);
  cairo_set_source_rgba (cr, colour->r, colour->g, colour->b, colour->a);
  cairo_fill (cr);

  return gilk_graph_legend_text (cr, style, text, x + SWATCH + 6, middle) + 14;
}

double
gilk_graph_layer_legend (cairo_t             *cr,
                         const GilkPlotStyle *style,
                         const GilkGraphLook *look,
                         double               x,
                         double               middle)
{
  if (!has_layer (look))
    return x;
  if (look->layer == GILK_LAYER_COST)
    {
      g_autofree char *most =
        look->bpf_tactics != 0 ? g_strdup_printf (ngettext ("+%u instruction", "+%u instructions", look->costs_max), look->costs_max)
                              : g_strdup_printf (ngettext ("+%u instruction, or a trap", "+%u instructions, or a trap",
                                                           look->costs_max), look->costs_max);

      x = paint_legend_swatch (cr, style, &style->heat_low, _("count: low cost"), x, middle);
      x = paint_legend_swatch (cr, style, &style->heat_high, most, x, middle);
    }
  else
    for (guint i = 0; i < G_N_ELEMENTS (tactics); i++)
      if (gilk_tactic_is_bpf (tactics[i].tactic) ? look->bpf_tactics >> tactics[i].tactic & 1 : look->bpf_tactics == 0)
        x = paint_legend_swatch (cr, style, &style->series[tactics[i].series], _(tactics[i].word), x, middle);

  return paint_legend_swatch (cr, style, &style->dim, _("refused"), x, middle) + 4;
}

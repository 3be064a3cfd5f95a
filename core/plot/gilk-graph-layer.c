/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-layer.c - colours blocks by tactic or refusal, or by the cost of a counter
 */
#include "core/plot/gilk-graph-private.h"

#include <glib/gi18n.h>

#include "ilk/ilk-abi.h"

#define SWATCH 12

typedef struct {
  guint       tactic;        /* enum ilk_tactic; 0: refused */
  guint       series;        /* index of a colour of the style */
  const char *word;
} Tactic;

static const Tactic tactics[] = {
  { ILK_TACTIC_SPLICE, 2, N_("splice") },
  { ILK_TACTIC_BOUNCE, 6, N_("bounce") },
  { ILK_TACTIC_CLONE, 4, N_("clone") },
  { ILK_TACTIC_TRAP, 1, N_("trap") },
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
      g_autofree char *most = g_strdup_printf (ngettext ("+%u instruction, or a trap", "+%u instructions, or a trap",
                                                         look->costs_max), look->costs_max);

      x = paint_legend_swatch (cr, style, &style->heat_low, _("count: low cost"), x, middle);
      x = paint_legend_swatch (cr, style, &style->heat_high, most, x, middle);
    }
  else
    for (guint i = 0; i < G_N_ELEMENTS (tactics); i++)
      x = paint_legend_swatch (cr, style, &style->series[tactics[i].series], _(tactics[i].word), x, middle);

  return paint_legend_swatch (cr, style, &style->dim, _("refused"), x, middle) + 4;
}

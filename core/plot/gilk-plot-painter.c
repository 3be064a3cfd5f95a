/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plot-painter.c - text, lines and the header of a plot, and the two built-in sets of
 * colours
 *
 * Text is measured without the cairo context and without hinting of metrics, so that screen, SVG,
 * PNG and PDF share one geometry and a cursor can be placed without painting.
 */
#include "core/plot/gilk-plot-private.h"

#include <math.h>

#include "core/plot/gilk-plot.h"

#define MARGIN     1.2            /* margin of a plot, in multiples of the text size */
#define TITLE_SIZE 1.2
#define TEXT_MOST  1000           /* bytes */

void
gilk_painter_init (GilkPainter         *p,
                   cairo_t             *cr,
                   double               width,
                   double               height,
                   const GilkPlotStyle *style)
{
  cairo_font_options_t *options = cairo_font_options_create ();

  cairo_font_options_set_hint_metrics (options, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_hint_style (options, CAIRO_HINT_STYLE_SLIGHT);

  *p = (GilkPainter) { .cr = cr, .style = style, .width = width, .height = height };
  p->context = pango_font_map_create_context (pango_cairo_font_map_get_default ());
  pango_cairo_context_set_font_options (p->context, options);
  pango_context_set_round_glyph_positions (p->context, FALSE);
  cairo_font_options_destroy (options);
}

void
gilk_painter_clear (GilkPainter *p)
{
  g_clear_object (&p->context);
}

void
gilk_painter_colour (GilkPainter      *p,
                     const GilkColour *colour,
                     double            alpha)
{
  cairo_set_source_rgba (p->cr, colour->r, colour->g, colour->b, colour->a * alpha);
}

void
gilk_painter_blend (GilkPainter      *p,
                    const GilkColour *colour,
                    double            share)
{
  const GilkColour *ground = &p->style->background;

  cairo_set_source_rgb (p->cr,
                        ground->r + share * (colour->r - ground->r),
                        ground->g + share * (colour->g - ground->g),
                        ground->b + share * (colour->b - ground->b));
}

/* Adds a line one unit wide; horizontal and vertical lines are on whole pixels. */
void
gilk_painter_line (GilkPainter *p,
                   double       x1,
                   double       y1,
                   double       x2,
                   double       y2)
{
  if (x1 == x2)
    x1 = x2 = floor (x1) + 0.5;
  if (y1 == y2)
    y1 = y2 = floor (y1) + 0.5;
  cairo_move_to (p->cr, x1, y1);
  cairo_line_to (p->cr, x2, y2);
}

/* Returns how many bytes of @text to lay out; -1: all of them. The rest of a longer text would not
 * fit into any picture, and its layout would be slow. */
static int
get_layout_length (const char *text)
{
  return strlen (text) <= TEXT_MOST ? -1 : (int) (g_utf8_find_prev_char (text, text + TEXT_MOST) - text);
}

static PangoLayout *
make_layout (GilkPainter *p, const char *text, double scale, gboolean bold, double max_width)
{
  PangoLayout *layout = pango_layout_new (p->context);
  PangoFontDescription *font = pango_font_description_new ();

  pango_font_description_set_family (font, p->style->font);
  pango_font_description_set_absolute_size (font, p->style->size * scale * PANGO_SCALE);
  if (bold)
    pango_font_description_set_weight (font, PANGO_WEIGHT_BOLD);
  pango_layout_set_font_description (layout, font);
  pango_font_description_free (font);
  pango_layout_set_single_paragraph_mode (layout, TRUE);
  pango_layout_set_text (layout, text, get_layout_length (text));
  if (max_width > 0.0)
    {
      pango_layout_set_width (layout, (int) (max_width * PANGO_SCALE));
      pango_layout_set_ellipsize (layout, p->both_ends ? PANGO_ELLIPSIZE_MIDDLE : PANGO_ELLIPSIZE_END);
    }

  return layout;
}

double
gilk_painter_text_width (GilkPainter *p,
                         const char  *text,
                         double       scale,
                         gboolean     bold)
{
  g_autoptr(PangoLayout) layout = make_layout (p, text, scale, bold, 0.0);
  PangoRectangle logical;

  pango_layout_get_extents (layout, NULL, &logical);

  return (double) logical.width / PANGO_SCALE;
}

void
gilk_painter_text (GilkPainter      *p,
                   double            x,
                   double            y,
                   double            align,
                   const char       *text,
                   double            scale,
                   gboolean          bold,
                   double            max_width,
                   const GilkColour *colour)
{
  g_autoptr(PangoLayout) layout = NULL;
  PangoRectangle logical;

  if (p->cr == NULL || text == NULL || *text == '\0')
    return;

  layout = make_layout (p, text, scale, bold, max_width);
  pango_layout_get_extents (layout, NULL, &logical);
  gilk_painter_colour (p, colour, 1.0);
  cairo_move_to (p->cr,
                 x - align * logical.width / PANGO_SCALE,
                 y - 0.5 * logical.height / PANGO_SCALE);
  pango_cairo_show_layout (p->cr, layout);
}

/* ---- draws title, subtitle and loss note ---- */

double
gilk_painter_header_height (GilkPainter        *p,
                            const GilkPlotText *text,
                            const char         *subtitle)
{
  double size = p->style->size, height = MARGIN * size;

  if (text->title != NULL)
    height += 1.6 * size;
  if (subtitle != NULL)
    height += 1.5 * size;
  if (text->title == NULL && subtitle == NULL && text->loss_note != NULL)
    height += 1.6 * size;

  return height;
}

/* Draws the loss note, a filled label at the top right. It states the loss in words, not only by
 * colour, because loss must be visible wherever data is shown. Returns the label's width. */
static double
draw_loss_note (GilkPainter *p, const char *note, double y)
{
  const GilkPlotStyle *style = p->style;
  double size = style->size, height = 1.7 * size;
  double width = gilk_painter_text_width (p, note, 0.95, TRUE) + 1.4 * size;
  double x = p->width - MARGIN * size - width - style->header_reserve, r = height / 2.0;

  cairo_new_sub_path (p->cr);
  cairo_arc (p->cr, x + r, y, r, G_PI / 2, 3 * G_PI / 2);
  cairo_arc (p->cr, x + width - r, y, r, -G_PI / 2, G_PI / 2);
  cairo_close_path (p->cr);
  gilk_painter_colour (p, &style->warn, 0.16);
  cairo_fill (p->cr);
  gilk_painter_text (p, x + width / 2, y, 0.5, note, 0.95, TRUE, 0.0, &style->warn);

  return width;
}

double
gilk_painter_header (GilkPainter        *p,
                     const GilkPlotText *text,
                     const char         *subtitle)
{
  const GilkPlotStyle *style = p->style;
  double size = style->size, x = MARGIN * size, y = MARGIN * size;
  double room = p->width - 2 * x, title_room = room - style->header_reserve;

  gilk_painter_colour (p, &style->background, 1.0);
  cairo_rectangle (p->cr, 0, 0, p->width, p->height);
  cairo_fill (p->cr);
  if (room <= 0)
    return gilk_painter_header_height (p, text, subtitle);

  if (text->loss_note != NULL)
    title_room -= draw_loss_note (p, text->loss_note, y + 0.8 * size) + size;
  if (text->title != NULL)
    {
      gilk_painter_text (p, x, y + 0.75 * size, 0.0, text->title, TITLE_SIZE, TRUE,
                         MAX (title_room, 1.0), &style->text);
      y += 1.6 * size;
    }
  if (subtitle != NULL)
    gilk_painter_text (p, x, y + 0.75 * size, 0.0, subtitle, 1.0, FALSE,
                       text->title != NULL ? room : MAX (title_room, 1.0), &style->dim);

  return gilk_painter_header_height (p, text, subtitle);
}

void
gilk_painter_empty (GilkPainter *p,
                    double       top,
                    const char  *message)
{
  gilk_painter_text (p, p->width / 2, top + (p->height - top) / 2, 0.5, message, 1.15, FALSE,
                     MAX (1.0, p->width - 2 * MARGIN * p->style->size), &p->style->dim);
}

/*
 * The two built-in sets of colours.
 *
 * Text and dim text keep a contrast of 4.5 : 1 against background and surface. Accent and second
 * accent differ in lightness as well as in hue, so that they can be distinguished with colour
 * blindness and in greyscale.
 */

#define RGB(hex) { (((hex) >> 16) & 0xff) / 255.0, (((hex) >> 8) & 0xff) / 255.0, \
                   ((hex) & 0xff) / 255.0, 1.0 }

#define FONT "Cantarell, Noto Sans, DejaVu Sans, Sans"
#define MONO "Source Code Pro, Noto Sans Mono, DejaVu Sans Mono, Monospace"

const GilkPlotStyle gilk_plot_light = {
  .background = RGB (0xffffff),
  .surface    = RGB (0xf4f4f6),
  .text       = RGB (0x24242c),
  .dim        = RGB (0x6a6a75),
  .grid       = RGB (0xe4e4e9),
  .accent     = RGB (0x1c71d8),
  .accent2    = RGB (0xe66100),
  .warn       = RGB (0x8f5902),
  .good       = RGB (0x1a7f4b),
  .bad        = RGB (0xc01c28),
  .heat_low   = RGB (0xfdf3d3),
  .heat_high  = RGB (0xe0542a),
  /* The palette of Okabe and Ito, without its yellow, which is invisible on paper. */
  .series = { RGB (0x0072b2), RGB (0xd55e00), RGB (0x009e73), RGB (0x24242c), RGB (0xcc79a7),
              RGB (0xe69f00), RGB (0x56b4e9), RGB (0x7a5c00) },
  .ramp = { RGB (0xbfe3b4), RGB (0x7fcdbb), RGB (0x41b6c4), RGB (0x1d91c0), RGB (0x225ea8), RGB (0x0c2c84) },
  .font = FONT, .mono = MONO, .size = 12.0,
};

const GilkPlotStyle gilk_plot_dark = {
  .background = RGB (0x1e1e22),
  .surface    = RGB (0x2a2a30),
  .text       = RGB (0xededf0),
  .dim        = RGB (0xa3a3ae),
  .grid       = RGB (0x37373f),
  .accent     = RGB (0x62a0ea),
  .accent2    = RGB (0xffa348),
  .warn       = RGB (0xf5c211),
  .good       = RGB (0x57e389),
  .bad        = RGB (0xff7b70),
  .heat_low   = RGB (0x453a24),
  .heat_high  = RGB (0xe0542a),
  .series = { RGB (0x56b4e9), RGB (0xe69f00), RGB (0x2fc79b), RGB (0xededf0), RGB (0xe199c4),
              RGB (0xff7f3f), RGB (0x7d9bff), RGB (0xf0e442) },
  .ramp = { RGB (0x433e7e), RGB (0x31688e), RGB (0x21918c), RGB (0x35b779), RGB (0x90d743), RGB (0xfde725) },
  .font = FONT, .mono = MONO, .size = 12.0,
};

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-patch-paint.c - draws a splice: the text before and after, and the patch
 *
 * There are three columns of lines; a line has a sign, an offset, bytes and an instruction. Arrows
 * run in the lane between the second and the third column.
 */
#include "core/plot/gilk-patch-paint.h"

#include <glib/gi18n.h>
#include <math.h>

#include "core/plot/gilk-plot-private.h"

#define ROW       1.75            /* height of a row, in multiples of the text size */
#define MARGIN    1.2
#define GAP       2.2             /* space between columns, in multiples of the text size */
#define LANE      5.0             /* width of the lane for arrows between text and patch, in
                                   * multiples of the text size */
#define SIGN      1.5
#define BYTES_MAX 8               /* maximum number of bytes shown per line */

typedef struct {
  double x, offset, bytes, text, width;   /* x positions of the left edges of a column and its
                                           * parts, and the width of the column */
} Column;

typedef struct {
  GilkPainter   p, mono;
  GilkPlotStyle mono_style;
  const GilkPatchPicture *picture;
  Column        before, after, patch;
  double        row, size, top;
} Drawing;

static const struct {
  const char *sign, *words;
} kinds[] = {
  [GILK_PATCH_LINE_AROUND]    = { "", "" },
  [GILK_PATCH_LINE_FOOTPRINT] = { "▪", N_("footprint: will be overwritten") },
  [GILK_PATCH_LINE_JUMP]      = { "→", N_("jump to the patch") },
  [GILK_PATCH_LINE_FILLER]    = { "×", N_("leftover, never executed") },
  [GILK_PATCH_LINE_HOOK]      = { "●", N_("hook code") },
  [GILK_PATCH_LINE_MOVED]     = { "▪", N_("moved instruction") },
  [GILK_PATCH_LINE_BACK]      = { "←", N_("jump back") },
  [GILK_PATCH_LINE_RARE]      = { "…", N_("executed rarely") },
};

static GilkColour
get_kind_colour (const GilkPlotStyle *style, GilkPatchLineKind kind)
{
  switch (kind)
    {
    case GILK_PATCH_LINE_FOOTPRINT:
    case GILK_PATCH_LINE_MOVED: return style->accent2;
    case GILK_PATCH_LINE_JUMP:
    case GILK_PATCH_LINE_BACK:  return style->accent;
    case GILK_PATCH_LINE_HOOK:  return style->good;
    case GILK_PATCH_LINE_FILLER:
    case GILK_PATCH_LINE_RARE:
    case GILK_PATCH_LINE_AROUND: break;
    }
  return style->dim;
}

/* ---- lays out columns and rows ---- */

static char *
format_bytes (const GilkPatchLine *line)
{
  g_autoptr(GString) text = g_string_new (NULL);

  for (guint i = 0; i < MIN (line->length, BYTES_MAX); i++)
    g_string_append_printf (text, "%s%02x", i > 0 ? " " : "", line->bytes[i]);
  if (line->length > BYTES_MAX)
    g_string_append (text, " …");
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static char *
format_offset (const Drawing *d, const GilkPatchLine *line, gboolean in_patch)
{
  return in_patch ? g_strdup_printf ("+0x%x", (guint) (line->addr - d->picture->listing->slot))
                  : gilk_cfg_offset_name (d->picture->cfg, line->addr);
}

static void
measure_columns (Drawing *d, const GArray *lines, gboolean in_patch, double widest[3])
{
  for (guint i = 0; i < lines->len; i++)
    {
      const GilkPatchLine *line = &g_array_index (lines, GilkPatchLine, i);
      g_autofree char *offset = format_offset (d, line, in_patch), *bytes = format_bytes (line);

      widest[0] = MAX (widest[0], gilk_painter_text_width (&d->mono, offset, 0.9, FALSE));
      widest[1] = MAX (widest[1], gilk_painter_text_width (&d->mono, bytes, 0.9, FALSE));
      widest[2] = MAX (widest[2], gilk_painter_text_width (&d->mono, line->text, 1.0, TRUE));
    }
}

static void
place_column (Drawing *d, Column *column, double x, const GArray *lines, const GArray *more, gboolean in_patch)
{
  double widest[3] = { 0 };

  measure_columns (d, lines, in_patch, widest);
  if (more != NULL)
    measure_columns (d, more, in_patch, widest);
  column->x = x;
  column->offset = x + SIGN * d->size;
  column->bytes = column->offset + widest[0] + d->size;
  column->text = column->bytes + widest[1] + d->size;
  column->width = column->text + widest[2] + 0.6 * d->size - x;
}

static void
drawing_init (Drawing *d, cairo_t *cr, double width, double height, const GilkPatchPicture *picture)
{
  const GilkPatchListing *listing = picture->listing;
  double x;

  *d = (Drawing) { .picture = picture, .size = picture->style->size, .mono_style = *picture->style };
  d->mono_style.font = d->mono_style.mono;
  gilk_painter_init (&d->p, cr, width, height, picture->style);
  gilk_painter_init (&d->mono, cr, width, height, &d->mono_style);
  d->row = ceil (ROW * d->size);
  d->top = MARGIN * d->size + (picture->title != NULL ? 2.0 * d->size : 0.0) + 1.8 * d->size;

  x = MARGIN * d->size;
  place_column (d, &d->before, x, listing->before, NULL, FALSE);
  x += d->before.width + GAP * d->size;
  place_column (d, &d->after, x, listing->after, listing->bounce, FALSE);
  x += d->after.width + LANE * d->size;
  place_column (d, &d->patch, x, listing->patch, NULL, TRUE);
}

static void
drawing_clear (Drawing *d)
{
  gilk_painter_clear (&d->p);
  gilk_painter_clear (&d->mono);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Drawing, drawing_clear)

/* Returns the row that shows the 5-byte jump of a bounce (a 2-byte jump to a nearby 5-byte jump).
 * The row is below the text with the hook armed, after an empty row. */
static guint
get_bounce_row (const GilkPatchListing *listing)
{
  return listing->after->len + 1;
}

static guint
count_rows (const GilkPatchListing *listing)
{
  guint after = listing->bounce->len > 0 ? get_bounce_row (listing) + listing->bounce->len : listing->after->len;

  return MAX (MAX (listing->before->len, after), listing->patch->len);
}

static double
get_row_middle (const Drawing *d, guint row)
{
  return d->top + (row + 0.5) * d->row;
}

void
gilk_patch_picture_size (const GilkPatchPicture *picture,
                         double                 *width,
                         double                 *height)
{
  g_auto(Drawing) d = { 0 };

  drawing_init (&d, NULL, 0, 0, picture);
  *width = ceil (d.patch.x + d.patch.width + MARGIN * d.size);
  *height = ceil (d.top + count_rows (picture->listing) * d.row + (2.4 + MARGIN) * d.size);
}

/* ---- draws lines of a column ---- */

static void
draw_line (Drawing *d, const Column *column, guint row, const GilkPatchLine *line, gboolean in_patch)
{
  const GilkPlotStyle *style = d->picture->style;
  gboolean dim = line->kind == GILK_PATCH_LINE_AROUND || line->kind == GILK_PATCH_LINE_FILLER ||
                 line->kind == GILK_PATCH_LINE_RARE;
  GilkColour colour = get_kind_colour (style, line->kind);
  g_autofree char *offset = format_offset (d, line, in_patch), *bytes = format_bytes (line);
  double y = get_row_middle (d, row);

  if (!dim)
    {
      gilk_painter_colour (&d->p, &colour, 0.13);
      cairo_rectangle (d->p.cr, column->x, d->top + row * d->row, column->width, d->row - 1);
      cairo_fill (d->p.cr);
    }
  gilk_painter_text (&d->p, column->x + 0.75 * d->size, y, 0.5, kinds[line->kind].sign, 1.0, TRUE, 0, &colour);
  gilk_painter_text (&d->mono, column->offset, y, 0.0, offset, 0.9, FALSE, 0, &style->dim);
  gilk_painter_text (&d->mono, column->bytes, y, 0.0, bytes, 0.9, FALSE, 0, &style->dim);
  gilk_painter_text (&d->mono, column->text, y, 0.0, line->text, 1.0, !dim, 0, dim ? &style->dim : &style->text);
}

static void
draw_column (Drawing *d, const Column *column, const char *heading, const GArray *lines, guint row, gboolean in_patch)
{
  if (heading != NULL)
    gilk_painter_text (&d->p, column->x, d->top - 1.0 * d->size, 0.0, heading, 1.0, TRUE, 0, &d->picture->style->text);
  for (guint i = 0; i < lines->len; i++)
    draw_line (d, column, row + i, &g_array_index (lines, GilkPatchLine, i), in_patch);
}

/* ---- draws arrows between lines ---- */

static int
find_kind_row (const GArray *lines, GilkPatchLineKind kind)
{
  for (guint i = 0; i < lines->len; i++)
    if (g_array_index (lines, GilkPatchLine, i).kind == kind)
      return (int) i;

  return -1;
}

static int
find_address_row (const GArray *lines, uint64_t addr)
{
  for (guint i = 0; i < lines->len; i++)
    if (g_array_index (lines, GilkPatchLine, i).addr == addr)
      return (int) i;

  return -1;
}

/* Draws an arrow: sideways, along the lane at @lane, and sideways again to the head. */
static void
draw_arrow (Drawing *d, double x1, double y1, double lane, double x2, double y2)
{
  cairo_t *cr = d->p.cr;
  double head = 0.45 * d->size, from = x2 > lane ? -1.0 : 1.0;

  gilk_painter_colour (&d->p, &d->picture->style->accent, 1.0);
  cairo_set_line_width (cr, 1.5);
  cairo_move_to (cr, x1, y1);
  cairo_line_to (cr, lane, y1);
  cairo_line_to (cr, lane, y2);
  cairo_line_to (cr, x2 + from * head, y2);
  cairo_stroke (cr);
  cairo_move_to (cr, x2, y2);
  cairo_line_to (cr, x2 + from * 1.6 * head, y2 - head);
  cairo_line_to (cr, x2 + from * 1.6 * head, y2 + head);
  cairo_close_path (cr);
  cairo_fill (cr);
}

static void
draw_arrows (Drawing *d)
{
  const GilkPatchListing *listing = d->picture->listing;
  double right = d->after.x + d->after.width, left = d->patch.x - 0.3 * d->size;
  double lane = (left - right) / 4.0;
  int in = find_kind_row (listing->after, GILK_PATCH_LINE_JUMP);
  int back = find_kind_row (listing->patch, GILK_PATCH_LINE_BACK);
  int goes_on = find_address_row (listing->after, listing->site + listing->footprint);

  if (in < 0)
    return;
  if (listing->bounce->len > 0)
    {
      draw_arrow (d, right, get_row_middle (d, (guint) in), right + lane, right, get_row_middle (d, get_bounce_row (listing)));
      in = (int) get_bounce_row (listing);
    }
  draw_arrow (d, right, get_row_middle (d, (guint) in), right + 2 * lane, left, get_row_middle (d, 0));
  if (back >= 0 && goes_on >= 0)
    draw_arrow (d, left, get_row_middle (d, (guint) back), right + 3 * lane, right, get_row_middle (d, (guint) goes_on));
}

/* ---- draws the legend and the whole picture ---- */

static gboolean
has_kind (const GilkPatchListing *listing, GilkPatchLineKind kind)
{
  return find_kind_row (listing->before, kind) >= 0 || find_kind_row (listing->after, kind) >= 0 ||
         find_kind_row (listing->patch, kind) >= 0;
}

static void
draw_legend (Drawing *d)
{
  double x = d->before.x, y = d->p.height - MARGIN * d->size - 0.5 * d->size;

  for (guint i = GILK_PATCH_LINE_FOOTPRINT; i < G_N_ELEMENTS (kinds); i++)
    {
      GilkColour colour = get_kind_colour (d->picture->style, (GilkPatchLineKind) i);

      /* The legend omits moved lines: these are the instructions of the footprint (the overwritten
       * bytes), and share its sign. */
      if (i == GILK_PATCH_LINE_MOVED || !has_kind (d->picture->listing, (GilkPatchLineKind) i))
        continue;
      gilk_painter_text (&d->p, x, y, 0.0, kinds[i].sign, 1.0, TRUE, 0, &colour);
      x += 1.3 * d->size;
      gilk_painter_text (&d->p, x, y, 0.0, _(kinds[i].words), 0.95, FALSE, 0, &d->picture->style->dim);
      x += gilk_painter_text_width (&d->p, _(kinds[i].words), 0.95, FALSE) + 1.6 * d->size;
    }
}

void
gilk_patch_paint (cairo_t *cr,
                  double   width,
                  double   height,
                  gpointer data)
{
  const GilkPatchPicture *picture = data;
  const GilkPatchListing *listing = picture->listing;
  const GilkPlotText head = { .title = picture->title };
  g_auto(Drawing) d = { 0 };

  drawing_init (&d, cr, width, height, picture);
  gilk_painter_header (&d.p, &head, NULL);
  draw_column (&d, &d.before, _("Original text"), listing->before, 0, FALSE);
  draw_column (&d, &d.after, _("Kernel text with the hook"), listing->after, 0, FALSE);
  if (listing->bounce->len > 0)
    draw_column (&d, &d.after, NULL, listing->bounce, get_bounce_row (listing), FALSE);
  draw_column (&d, &d.patch, _("Patch (out of line)"), listing->patch, 0, TRUE);
  if (listing->tactic != ILK_TACTIC_TRAP)
    draw_arrows (&d);
  draw_legend (&d);
}

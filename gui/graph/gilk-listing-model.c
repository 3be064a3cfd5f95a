/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-listing-model.c - tree model over the instructions of a function, with cells computed on
 * demand
 */
#include "gui/graph/gilk-listing-view.h"

#include <glib/gi18n.h>

#include <string.h>

#include "core/plot/gilk-graph-paint.h"
#include "gui/base/gilk-settings.h"

#define BYTES_SHOWN 6

struct _GilkListingModel {
  GilkRowModel   parent_instance;

  GilkGraphView *view;           /* not owned: lives as long as the listing view */
  GilkGraphData *data;
  guint         *blocks;         /* per instruction: index of its block */
  GilkCurrentText   *current;    /* current kernel text of each instruction; NULL: not read */
  GilkDecoder   *decoder;
  uint8_t       *marks;          /* marks last reported, per point */
  uint64_t      *hits;           /* hits last reported, per block */
};

G_DEFINE_FINAL_TYPE (GilkListingModel, gilk_listing_model, GILK_TYPE_ROW_MODEL)

/* ---- targets of branches and calls ---- */

int
gilk_listing_target (const GilkGraphData *data,
                     guint                insn)
{
  const GilkCfg *cfg = data->cfg;

  return cfg->insns != NULL && cfg->insns[insn].target != 0 ? gilk_cfg_block_around (cfg, cfg->insns[insn].target) : -1;
}

char *
gilk_listing_target_function (const GilkGraphData *data,
                              guint                insn)
{
  char *name;

  if (data->cfg->insns == NULL || data->cfg->insns[insn].target == 0 || gilk_listing_target (data, insn) >= 0)
    return NULL;

  name = gilk_cfg_target_name (data->cfg, &data->cfg->insns[insn]);
  if (name[0] != '+' && g_strrstr (name, "+0x") == NULL && !g_str_has_prefix (name, "0x"))
    return name;
  g_free (name);

  return NULL;
}

/* ---- formatting the cells ---- */

static const GilkBlock *
get_block (GilkListingModel *self,
           guint             insn)
{
  return &self->data->cfg->blocks[self->blocks[insn]];
}

static gboolean
is_first_insn (GilkListingModel *self,
               guint             insn)
{
  return get_block (self, insn)->first_insn == insn;
}

static gboolean
is_last_insn (GilkListingModel *self,
              guint             insn)
{
  const GilkBlock *block = get_block (self, insn);

  return block->first_insn + block->n_insns - 1 == insn;
}

static const char *
get_mark_symbol (GilkMark mark)
{
  return mark == GILK_MARK_LIVE ? "◈" : mark == GILK_MARK_PLANNED ? "◆" : mark == GILK_MARK_REFUSED ? "⊘" : "";
}

static char *
format_marks (GilkListingModel *self,
              guint             insn)
{
  int block = self->blocks[insn];
  const char *before = is_first_insn (self, insn) ? get_mark_symbol (gilk_graph_view_mark (self->view, 2 * block)) : "";
  const char *behind = is_last_insn (self, insn) ? get_mark_symbol (gilk_graph_view_mark (self->view, 2 * block + 1)) : "";

  if (before[0] != '\0' && behind[0] != '\0')
    return g_strconcat (before, behind, NULL);

  return before[0] != '\0' ? g_strdup_printf ("%s pre", before) : behind[0] != '\0' ? g_strdup_printf ("%s post", behind) : NULL;
}

static gboolean
get_hits (GilkListingModel *self,
          guint             insn,
          uint64_t         *hits)
{
  const GilkGraphLook *look = gilk_graph_view_look (self->view);

  if (look->hits == NULL || look->hits[self->blocks[insn]] == GILK_HITS_UNKNOWN)
    return FALSE;
  *hits = look->hits[self->blocks[insn]];

  return TRUE;
}

static char *
format_bytes (GilkListingModel *self,
              guint             insn)
{
  const GilkCfg *cfg = self->data->cfg;
  GString *text = g_string_new (NULL);

  if (cfg->insns == NULL)
    return g_string_free (text, FALSE);
  for (guint i = 0; i < cfg->insns[insn].len && i < BYTES_SHOWN; i++)
    g_string_append_printf (text, "%s%02x", i > 0 ? " " : "", gilk_cfg_bytes (cfg, &cfg->insns[insn])[i]);
  if (cfg->insns[insn].len > BYTES_SHOWN)
    g_string_append (text, " …");

  return g_string_free (text, FALSE);
}

static char *
format_offset (GilkListingModel *self,
               guint             insn)
{
  const GilkCfg *cfg = self->data->cfg;
  g_autofree char *offset = cfg->insns != NULL ? gilk_cfg_offset_name (cfg, cfg->insns[insn].addr) : NULL;

  if (is_first_insn (self, insn))
    return g_markup_printf_escaped ("<b>%s</b>", self->data->graph->titles[self->blocks[insn]]);

  return g_markup_printf_escaped ("<span alpha=\"65%%\">%s</span>", offset != NULL ? offset : "");
}

static const char *
get_arrow (GilkListingModel *self,
           guint             insn)
{
  int to = gilk_listing_target (self->data, insn);

  if (self->data->cfg->insns == NULL || self->data->cfg->insns[insn].target == 0)
    return "";

  return to < 0 ? "  →" : self->data->cfg->blocks[to].start <= self->data->cfg->insns[insn].addr ? "  ↑" : "  ↓";
}

static char *
format_insn (GilkListingModel *self,
             guint             insn)
{
  const GilkGraphLine *line = &self->data->graph->lines[insn];
  const char *arrow = get_arrow (self, insn);
  g_autofree char *operands = g_markup_printf_escaped (arrow[0] != '\0' ? "<u>%s</u>" : "%s", line->operands);
  g_autofree char *note = line->note != NULL ? g_markup_printf_escaped ("<span alpha=\"60%%\">  ; %s</span>", line->note) : NULL;
  g_autofree char *mnemonic = g_markup_printf_escaped ("%-7s", line->mnemonic);

  return g_strconcat ("<b>", mnemonic, "</b> ", operands, arrow, note, NULL);
}

static char *
format_source (GilkListingModel *self,
               guint             insn)
{
  g_autofree char *before = NULL;
  char *line;

  if (self->data->source == NULL)
    return NULL;
  line = gilk_cfg_source_text (self->data->source, insn);
  if (insn > 0 && !is_first_insn (self, insn))
    before = gilk_cfg_source_text (self->data->source, insn - 1);
  if (g_strcmp0 (line, before) == 0)
    g_clear_pointer (&line, g_free);

  return line;
}

static char *
format_current (GilkListingModel *self,
                guint             insn)
{
  const GilkCurrentText *now = self->current != NULL ? &self->current[insn] : NULL;
  g_autofree char *text = NULL;

  if (now == NULL || !now->changed)
    return NULL;
  /* A patch may overwrite several instructions. Show its jump only at the first one: the others
   * contain the rest of the jump, or filler bytes. */
  if (insn > 0 && self->current[insn - 1].changed && self->current[insn - 1].owner == now->owner && !is_first_insn (self, insn))
    return g_strdup ("┊");

  text = gilk_current_text_format (self->data->cfg, insn, now, self->decoder);

  return g_steal_pointer (&text);
}

static char *
format_owner (GilkListingModel *self,
              guint             insn)
{
  const GilkCurrentText *now = self->current != NULL ? &self->current[insn] : NULL;

  if (now == NULL || now->owner == GILK_OWNER_NONE)
    return NULL;

  return gilk_current_text_owner_name (now);
}

/* Takes @now, and emits "row-changed" for each row whose current machine code has changed, because
 * screen readers cache the text of rows. */
void
gilk_listing_model_set_current (GilkListingModel *self,
                                GilkCurrentText  *now)
{
  g_autofree GilkCurrentText *before = self->current;

  self->current = now;
  for (guint i = 0; i < self->data->cfg->n_insns; i++)
    if (before == NULL ? now[i].owner != GILK_OWNER_NONE : memcmp (&before[i], &now[i], sizeof now[i]) != 0)
      gilk_row_model_changed (GILK_ROW_MODEL (self), i);
}

void
gilk_listing_model_update (GilkListingModel *self)
{
  const GilkCfg *cfg = self->data->cfg;

  for (guint b = 0; b < cfg->n_blocks; b++)
    {
      const GilkBlock *block = &cfg->blocks[b];
      uint8_t marks[2] = { gilk_graph_view_mark (self->view, 2 * b), gilk_graph_view_mark (self->view, 2 * b + 1) };
      uint64_t hits = GILK_HITS_UNKNOWN;

      if (block->n_insns == 0)
        continue;
      get_hits (self, block->first_insn, &hits);
      if (hits != self->hits[b] || marks[0] != self->marks[2 * b])
        gilk_row_model_changed (GILK_ROW_MODEL (self), block->first_insn);
      if (marks[1] != self->marks[2 * b + 1])
        gilk_row_model_changed (GILK_ROW_MODEL (self), block->first_insn + block->n_insns - 1);
      self->hits[b] = hits;
      memcpy (&self->marks[2 * b], marks, sizeof marks);
    }
}

gboolean
gilk_listing_model_has_changes (GilkListingModel *self)
{
  for (guint i = 0; self->current != NULL && i < self->data->cfg->n_insns; i++)
    if (self->current[i].changed)
      return TRUE;

  return FALSE;
}

static char *
format_tooltip (GilkListingModel *self,
                guint             insn)
{
  const GilkGraphLine *line = &self->data->graph->lines[insn];
  const char *title = self->data->graph->titles[self->blocks[insn]];
  g_autofree char *source = self->data->source != NULL ? gilk_cfg_source_text (self->data->source, insn) : NULL;
  g_autoptr(GString) text = g_string_new (NULL);
  uint64_t hits;

  if (is_first_insn (self, insn))
    g_string_append_printf (text, _("block %s: "), title);
  g_string_append_printf (text, "%s %s", line->mnemonic, line->operands);
  if (line->note != NULL)
    g_string_append_printf (text, "; %s", line->note);
  if (self->data->cfg->insns != NULL)
    g_string_append_printf (text, "\n0x%lx", self->data->cfg->insns[insn].addr);
  if (get_hits (self, insn, &hits))
    g_string_append_printf (text, g_dngettext (NULL, "\n%lu hit", "\n%lu hits", hits), hits);
  if (source != NULL)
    g_string_append_printf (text, "\n%s", source);

  return g_markup_escape_text (text->str, text->len);
}

static void
set_colour (GValue           *value,
            const GilkColour *colour,
            double            alpha)
{
  const GdkRGBA rgba = { colour->r, colour->g, colour->b, alpha };

  g_value_set_boxed (value, &rgba);
}

/* Sets @value to the colour of the heat or, with @ink, to a colour of text readable on that
 * colour. */
static void
set_heat (GilkListingModel *self,
          guint             insn,
          gboolean          ink,
          GValue           *value)
{
  const GilkGraphLook *look = gilk_graph_view_look (self->view);
  GilkPlotStyle style;
  GilkColour heat;
  uint64_t hits;

  if (!get_hits (self, insn, &hits))
    return;
  gilk_style_fill (GTK_WIDGET (self->view), &style);
  heat = gilk_graph_heat (&style, hits, look->hits_max, look->log_heat);
  if (ink)
    heat = gilk_graph_ink_on (&heat);
  set_colour (value, &heat, 1);
}

static void
set_match (GilkListingModel *self,
           guint             insn,
           GValue           *value)
{
  const uint8_t *found = gilk_graph_view_look (self->view)->found;
  GilkPlotStyle style;

  if (found == NULL || !found[insn])
    return;
  gilk_style_fill (GTK_WIDGET (self->view), &style);
  set_colour (value, &style.warn, 0.3);
}

/* ---- GilkRowModel and GObject methods ---- */

static GType
column_type (int column)
{
  return column == GILK_LISTING_HEAT || column == GILK_LISTING_INK || column == GILK_LISTING_FOUND ? GDK_TYPE_RGBA : G_TYPE_STRING;
}

static guint
n_rows (GilkRowModel *model)
{
  return GILK_LISTING_MODEL (model)->data->cfg->n_insns;
}

static char *
format_cell (GilkListingModel *self,
             guint             insn,
             int               column)
{
  uint64_t hits;

  switch (column)
    {
    case GILK_LISTING_MARK:   return format_marks (self, insn);
    case GILK_LISTING_HITS:   return is_first_insn (self, insn) && get_hits (self, insn, &hits) ? gilk_format_count (hits) : NULL;
    case GILK_LISTING_OFFSET:  return format_offset (self, insn);
    case GILK_LISTING_BYTES:  return format_bytes (self, insn);
    case GILK_LISTING_TEXT:   return format_insn (self, insn);
    case GILK_LISTING_CURRENT:    return format_current (self, insn);
    case GILK_LISTING_OWNER:  return format_owner (self, insn);
    case GILK_LISTING_SOURCE: return format_source (self, insn);
    default:                  return format_tooltip (self, insn);
    }
}

static void
get_cell (GilkRowModel *model,
          guint         row,
          int           column,
          GValue       *value)
{
  GilkListingModel *self = GILK_LISTING_MODEL (model);

  if (column == GILK_LISTING_HEAT || column == GILK_LISTING_INK)
    set_heat (self, row, column == GILK_LISTING_INK, value);
  else if (column == GILK_LISTING_FOUND)
    set_match (self, row, value);
  else
    g_value_take_string (value, format_cell (self, row, column));
}

GilkListingModel *
gilk_listing_model_new (GilkGraphView *view)
{
  GilkListingModel *self = g_object_new (GILK_TYPE_LISTING_MODEL, NULL);
  const GilkCfg *cfg;

  self->view = view;
  self->data = gilk_graph_data_ref (gilk_graph_view_data (view));
  cfg = self->data->cfg;
  self->marks = g_new0 (uint8_t, 2 * cfg->n_blocks + 1);
  self->hits = g_new0 (uint64_t, cfg->n_blocks + 1);
  self->blocks = g_new0 (guint, cfg->n_insns + 1);
  for (guint b = 0; b < cfg->n_blocks; b++)
    for (guint i = 0; i < cfg->blocks[b].n_insns; i++)
      self->blocks[cfg->blocks[b].first_insn + i] = b;

  return self;
}

static void
gilk_listing_model_finalize (GObject *object)
{
  GilkListingModel *self = GILK_LISTING_MODEL (object);

  gilk_graph_data_unref (self->data);
  g_free (self->blocks);
  g_free (self->current);
  g_free (self->marks);
  g_free (self->hits);
  gilk_decoder_free (self->decoder);
  G_OBJECT_CLASS (gilk_listing_model_parent_class)->finalize (object);
}

static void
gilk_listing_model_class_init (GilkListingModelClass *klass)
{
  GilkRowModelClass *rows = GILK_ROW_MODEL_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = gilk_listing_model_finalize;
  rows->n_columns = GILK_LISTING_N_COLUMNS;
  rows->column_type = column_type;
  rows->n_rows = n_rows;
  rows->get_cell = get_cell;
}

static void
gilk_listing_model_init (GilkListingModel *self)
{
  self->decoder = gilk_decoder_new ();
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-cfg.c - creates and frees a function's graph, names addresses in it, prints it for Graphviz,
 * and finds the function's exits
 *
 * gilk-cfg-build.c and gilk-cfg-loops.c build it; fingerprints are in gilk-cfg-fingerprint.c.
 */
#include "core/cfg/gilk-cfg.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/base/gilk-memory.h"
#include "core/cfg/gilk-cfg-private.h"
#include "core/cfg/gilk-function-private.h"
#include "core/cfg/gilk-function.h"
#include "core/image/gilk-image-user.h"
#include "core/image/gilk-module-changes.h"

const GilkCfg *
gilk_cfg_whole (const GilkCfg *cfg)
{
  const GilkCfg *whole = ((const GilkCfgFull *) cfg)->whole;

  return whole != NULL ? whole : cfg;
}

GilkCfg *
gilk_cfg_new_cut (const GilkCfg  *cfg,
                  GilkDecoder    *decoder,
                  const uint64_t *at,
                  guint           n)
{
  const GilkCfgFull *whole = (const GilkCfgFull *) gilk_cfg_whole (cfg);
  GilkCfgFull *full = g_new0 (GilkCfgFull, 1);

  g_atomic_ref_count_init (&full->cfg.ref_count);
  full->cfg.functions = gilk_functions_ref (whole->cfg.functions);
  full->cfg.image = gilk_image_ref (whole->cfg.image);
  full->cfg.function = whole->cfg.function;
  full->cfg.refusal = whole->cfg.refusal;
  full->cfg.refusal_addr = whole->cfg.refusal_addr;
  full->whole = gilk_cfg_ref ((GilkCfg *) &whole->cfg);
  for (guint i = 0; i < whole->n_texts; i++)
    full->texts[i] = whole->texts[i];
  full->n_texts = whole->n_texts;

  gilk_cfg_build (full, decoder, at, n);
  gilk_cfg_find_loops (&full->cfg);

  return &full->cfg;
}

int
gilk_cfg_insn_at (const GilkCfg *cfg, uint64_t addr)
{
  int around = gilk_cfg_block_around (cfg, addr);
  const GilkBlock *block;

  if (around < 0 || cfg->insns == NULL)
    return -1;
  block = &cfg->blocks[around];
  for (guint i = block->first_insn; i < block->first_insn + block->n_insns; i++)
    if (cfg->insns[i].addr == addr)
      return (int) i;

  return -1;
}

static gboolean
add_text (GilkCfgFull *full, const GilkRange *range, GError **error)
{
  GilkText *text = &full->texts[full->n_texts];

  if (range->start == 0)
    return TRUE;

  text->start = range->start;
  text->length = range->end - range->start;
  text->bytes = gilk_image_bytes (full->cfg.image, text->start, text->length, error);
  if (text->bytes == NULL)
    return FALSE;

  text->length = gilk_text_without_filler (text->bytes, text->length);
  full->n_texts++;
  return TRUE;
}

GilkCfg *
gilk_cfg_new (GilkFunctions      *list,
              const GilkFunction *function,
              GilkDecoder        *decoder,
              GError            **error)
{
  GilkFunctions *functions = gilk_functions_of (list, function);
  g_autoptr(GilkCfg) cfg = NULL;
  GilkCfgFull *full;

  if (!functions->swept)
    return gilk_fail_null (error, GILK_ERROR_FAILED,
        _("The kernel's text could not be read when its functions were listed, so jumps into %s from "
          "elsewhere are not known; connect again."), function->name);

  full = g_new0 (GilkCfgFull, 1);
  cfg = &full->cfg;
  g_atomic_ref_count_init (&cfg->ref_count);
  cfg->functions = gilk_functions_ref (functions);
  cfg->image = gilk_image_ref (functions->image);
  cfg->function = function;
  cfg->refusal = function->refusal;
  if (cfg->refusal == 0 && !gilk_image_has_module (cfg->image, function->module))
    cfg->refusal = ILK_REFUSAL_MODULE_GONE;
  cfg->refusal_addr = cfg->refusal != 0 ? function->hot.start : 0;

  if (gilk_function_has_text (function) &&
      (!add_text (full, &function->hot, error) ||
       !add_text (full, &function->cold, error)))
    return NULL;

  gilk_cfg_build (full, decoder, NULL, 0);
  gilk_cfg_find_loops (cfg);
  return g_steal_pointer (&cfg);
}

GILK_DEFINE_REF (GilkCfg, gilk_cfg, ref_count)

void
gilk_cfg_unref (GilkCfg *cfg)
{
  if (cfg == NULL || !g_atomic_ref_count_dec (&cfg->ref_count))
    return;

  gilk_free_all (cfg->insns, cfg->blocks, cfg->edges);
  gilk_cfg_unref (((GilkCfgFull *) cfg)->whole);
  gilk_functions_unref (cfg->functions);
  g_clear_pointer (&cfg->image, gilk_image_unref);
  gilk_free_all (((GilkCfgFull *) cfg)->recorded_name, ((GilkCfgFull *) cfg)->fingerprints,
                 (GilkCfgFull *) cfg);
}

const uint8_t *
gilk_cfg_bytes (const GilkCfg *cfg, const GilkInsn *insn)
{
  const GilkCfgFull *full = (const GilkCfgFull *) cfg;

  for (guint i = 0; i < full->n_texts; i++)
    if (insn->addr - full->texts[i].start < full->texts[i].length)
      return full->texts[i].bytes + (insn->addr - full->texts[i].start);

  return NULL;
}

/* ---- names of addresses ---- */

static gboolean
is_in_range (const GilkRange *range, uint64_t addr)
{
  return range->start != 0 && addr >= range->start && addr < range->end;
}

char *
gilk_cfg_offset_name (const GilkCfg *cfg, uint64_t addr)
{
  const GilkFunction *f = cfg->function;

  if (is_in_range (&f->cold, addr))
    return g_strdup_printf (".cold+0x%" G_GINT64_MODIFIER "x", addr - f->cold.start);
  if (is_in_range (&f->hot, addr))
    return g_strdup_printf ("+0x%" G_GINT64_MODIFIER "x", addr - f->hot.start);

  return g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", addr);
}

char *
gilk_cfg_target_name (const GilkCfg *cfg, const GilkInsn *insn)
{
  const GilkFunction *f = cfg->function;
  GilkSymbols *symbols;
  const GilkSymbol *symbol;

  if (is_in_range (&f->hot, insn->target) || is_in_range (&f->cold, insn->target))
    return gilk_cfg_offset_name (cfg, insn->target);

  symbols = gilk_image_symbols (cfg->image);
  symbol = symbols != NULL ? gilk_symbols_at (symbols, insn->target) : NULL;
  if (symbol == NULL)
    return g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", insn->target);
  if (symbol->addr == insn->target)
    return g_strdup (symbol->name);

  return g_strdup_printf ("%s+0x%" G_GINT64_MODIFIER "x", symbol->name,
                          insn->target - symbol->addr);
}

gboolean
gilk_cfg_parse_offset (const GilkCfg *cfg, const char *text, uint64_t *addr)
{
  const GilkFunction *f = cfg->function;
  const GilkRange *range = &f->hot;
  uint64_t value;
  char *end;

  if (g_str_has_prefix (text, ".cold"))
    {
      range = &f->cold;
      text += strlen (".cold");
    }
  if (*text == '+')
    text++;
  if (!g_ascii_isdigit (*text))
    return FALSE;

  value = g_ascii_strtoull (text, &end, 16);
  if (*end != '\0' || range->start == 0)
    return FALSE;
  if (range == &f->hot && (is_in_range (&f->hot, value) || is_in_range (&f->cold, value)))
    {
      *addr = value;
      return TRUE;
    }
  if (value >= range->end - range->start)
    return FALSE;

  *addr = range->start + value;
  return TRUE;
}

/* ---- dot ---- */

static const char *const edge_styles[] = {
  [GILK_EDGE_FALL] = "color=gray40",
  [GILK_EDGE_TAKEN] = "color=darkgreen",
  [GILK_EDGE_NOT_TAKEN] = "color=firebrick,style=dashed",
  [GILK_EDGE_JUMP] = "color=gray40",
  [GILK_EDGE_STATIC_KEY] = "color=steelblue,style=dotted",
  [GILK_EDGE_FIXUP] = "color=darkorange,style=dotted",
};

static void
append_dot_block (const GilkCfg *cfg, guint index, GilkDecoder *decoder, GString *out)
{
  const GilkBlock *block = &cfg->blocks[index];
  g_autofree char *name = gilk_cfg_offset_name (cfg, block->start);
  char mnemonic[32], operands[160];

  g_string_append_printf (out, "  b%u [label=\"%s\\l", index, name);
  for (guint i = 0; i < block->n_insns; i++)
    {
      const GilkInsn *insn = &cfg->insns[block->first_insn + i];

      gilk_insn_text (decoder, gilk_cfg_bytes (cfg, insn), insn, mnemonic, operands);
      g_string_append_printf (out, "%-7s %s\\l", mnemonic, operands);
    }
  g_string_append_printf (out, "\"%s];\n",
                          block->flags & GILK_BLOCK_COLD ? ",style=dashed" : "");
}

char *
gilk_cfg_to_dot (const GilkCfg *cfg)
{
  g_autoptr(GilkDecoder) decoder = gilk_decoder_new ();
  GString *out = g_string_new (NULL);

  g_string_append_printf (out, "digraph \"%s\" {\n"
                          "  node [shape=box,fontname=monospace];\n", cfg->function->name);
  for (guint i = 0; i < cfg->n_blocks; i++)
    append_dot_block (cfg, i, decoder, out);
  for (guint i = 0; i < cfg->n_edges; i++)
    g_string_append_printf (out, "  b%u -> b%u [%s];\n", cfg->edges[i].from,
                            cfg->edges[i].to, edge_styles[cfg->edges[i].kind]);
  g_string_append (out, "}\n");

  return g_string_free (out, FALSE);
}

/* ---- finds the blocks that leave a function: returns and tail calls ---- */

gboolean
gilk_cfg_may_leave_early (const GilkCfg *cfg,
                          guint          block)
{
  const GilkBlock *b = &cfg->blocks[block];

  return (b->flags & GILK_BLOCK_LEAVES) != 0 || (b->ending == GILK_END_JCC && b->n_out < 2);
}

static gboolean
may_be_reached (const GilkCfg *cfg, guint block)
{
  return cfg->blocks[block].n_in > 0 || block == cfg->entry || gilk_image_user_path (cfg->image) != NULL;
}

GArray *
gilk_cfg_exits (const GilkCfg *cfg,
                gboolean      *whole)
{
  GArray *exits = g_array_new (FALSE, FALSE, sizeof (GilkCfgExit));
  gboolean sure = cfg->refusal == 0;
  guint number = 0;

  for (guint cold = 0; cold <= 1; cold++)
    for (guint i = 0; i < cfg->n_blocks; i++)
      {
        const GilkBlock *block = &cfg->blocks[i];
        const gboolean returns = block->ending == GILK_END_RETURN;
        const GilkCfgExit found = { i, returns ? number + 1 : 0 };

        if (((block->flags & GILK_BLOCK_COLD) != 0) != cold)
          continue;
        number += returns;
        if (!may_be_reached (cfg, i))
          continue;
        sure = sure && block->ending != GILK_END_INDIRECT && !gilk_cfg_may_leave_early (cfg, i);
        if (returns || block->ending == GILK_END_TAIL_CALL)
          g_array_append_val (exits, found);
      }
  if (whole != NULL)
    *whole = sure && exits->len > 0;

  return exits;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-block-text.c - formats a block's instructions: bytes, text, and source lines where known
 */
#include "gui/graph/gilk-block-text.h"

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

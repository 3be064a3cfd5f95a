/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-cfg-source.c - looks up source lines and inlined functions of a graph's instructions
 */
#include "core/cfg/gilk-cfg-source.h"

#include <glib/gi18n.h>

struct _GilkCfgSource {
  GPtrArray *lines;          /* for each instruction: its source lines, a GArray of GilkDwarfLine */
};

GilkCfgSource *
gilk_cfg_source_new (GilkCfg       *cfg,
                     GCancellable  *cancellable,
                     GError       **error)
{
  GilkDebug *debug = gilk_image_debug (cfg->image);
  g_autoptr(GilkCfgSource) source = g_new0 (GilkCfgSource, 1);

  source->lines = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  for (guint i = 0; i < cfg->n_insns; i++)
    {
      GArray *lines = gilk_debug_lines (debug, cfg->insns[i].addr, cancellable, error);

      if (lines == NULL)
        return NULL;
      g_ptr_array_add (source->lines, lines);
    }

  return g_steal_pointer (&source);
}

void
gilk_cfg_source_free (GilkCfgSource *source)
{
  g_ptr_array_unref (source->lines);
  g_free (source);
}

const GArray *
gilk_cfg_source_at (const GilkCfgSource *source,
                    guint                insn)
{
  return g_ptr_array_index (source->lines, insn);
}

char *
gilk_cfg_source_text (const GilkCfgSource *source,
                      guint                insn)
{
  const GArray *lines = gilk_cfg_source_at (source, insn);
  g_autoptr(GString) text = g_string_new (NULL);

  for (guint i = 0; i < lines->len; i++)
    {
      const GilkDwarfLine *line = &g_array_index (lines, GilkDwarfLine, i);

      if (i > 0)
        g_string_append (text, _(", from "));
      g_string_append_printf (text, "%s:%u", line->file != NULL ? line->file : "?", line->line);
      if (line->is_inlined && line->function != NULL)
        g_string_append_printf (text, _(" in %s"), line->function);
    }

  return text->len > 0 ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-find.c - searches a function's instructions by text
 */
#include "core/plot/gilk-graph-paint.h"

#include <string.h>

struct _GilkGraphFinder {
  guint  n_insns;
  char **said;             /* description per instruction, in lower case */
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
  for (guint i = 0; i < cfg->n_insns; i++)         /* instructions outside all blocks */
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

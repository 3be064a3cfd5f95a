/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-node-text.c - AtkText of a block: its instructions, with the caret at the current one
 */
#include "gui/graph/gilk-graph-node-text.h"

#include <string.h>

#include "gui/graph/gilk-graph-text.h"

static GilkGraphNodeBlock find_block;

static char *
get_block_text (AtkText *text)
{
  GilkGraphView *view;
  guint block;

  return find_block (ATK_OBJECT (text), &view, &block) ? gilk_graph_block_lines (view, block) : g_strdup ("");
}

static char *
get_text (AtkText *text,
          int      start,
          int      end)
{
  g_autofree char *all = get_block_text (text);
  int n = (int) g_utf8_strlen (all, -1);

  end = end < 0 ? n : MIN (end, n);
  start = CLAMP (start, 0, end);

  return g_utf8_substring (all, start, end);
}

static int
get_character_count (AtkText *text)
{
  g_autofree char *all = get_block_text (text);

  return (int) g_utf8_strlen (all, -1);
}

static gunichar
get_character_at_offset (AtkText *text,
                         int      offset)
{
  g_autofree char *one = get_text (text, offset, offset + 1);

  return g_utf8_get_char (one);
}

/* Returns the line at @offset, with @start at its first character and @end after its last one. */
static char *
get_line (AtkText *text,
          int      offset,
          int     *start,
          int     *end)
{
  g_autofree char *all = get_block_text (text);
  int n = (int) g_utf8_strlen (all, -1);
  const char *at = g_utf8_offset_to_pointer (all, CLAMP (offset, 0, n)), *from = at, *to = strchr (at, '\n');

  while (from > all && from[-1] != '\n')
    from--;
  if (to == NULL)
    to = all + strlen (all);
  *start = (int) g_utf8_pointer_to_offset (all, from);
  *end = (int) g_utf8_pointer_to_offset (all, to);

  return g_strndup (from, to - from);
}

/* Returns the line for words and sentences too: an instruction is the smallest meaningful unit. */
static char *
get_string_at_offset (AtkText           *text,
                      int                offset,
                      AtkTextGranularity granularity,
                      int               *start,
                      int               *end)
{
  if (granularity != ATK_TEXT_GRANULARITY_CHAR)
    return get_line (text, offset, start, end);

  *start = offset;
  *end = offset + 1;

  return get_text (text, offset, offset + 1);
}

static char *
get_text_at_offset (AtkText        *text,
                    int             offset,
                    AtkTextBoundary boundary,
                    int            *start,
                    int            *end)
{
  return get_string_at_offset (text, offset, boundary == ATK_TEXT_BOUNDARY_CHAR ? ATK_TEXT_GRANULARITY_CHAR
                                                                                : ATK_TEXT_GRANULARITY_LINE, start, end);
}

static int
get_caret_offset (AtkText *text)
{
  g_autofree char *all = get_block_text (text);
  const char *at = all;
  GilkGraphView *view;
  guint block, first;
  int insn;

  if (!find_block (ATK_OBJECT (text), &view, &block))
    return 0;
  first = gilk_graph_view_data (view)->cfg->blocks[block].first_insn;
  insn = gilk_graph_view_insn (view);
  for (int i = first; i < insn && at != NULL; i++)
    at = strchr (at, '\n') != NULL ? strchr (at, '\n') + 1 : NULL;

  return at != NULL ? (int) g_utf8_pointer_to_offset (all, at) : 0;
}

static gboolean
set_caret_offset (AtkText *text,
                  int      offset)
{
  g_autofree char *before = get_text (text, 0, offset);
  GilkGraphView *view;
  guint block, insn;

  if (!find_block (ATK_OBJECT (text), &view, &block))
    return FALSE;
  insn = gilk_graph_view_data (view)->cfg->blocks[block].first_insn;
  for (const char *at = before; (at = strchr (at, '\n')) != NULL; at++)
    insn++;
  gilk_graph_view_select_insn (view, insn, TRUE);

  return TRUE;
}

void
gilk_graph_node_text_init (AtkTextIface      *iface,
                           GilkGraphNodeBlock block_of)
{
  find_block = block_of;
  iface->get_text = get_text;
  iface->get_character_count = get_character_count;
  iface->get_character_at_offset = get_character_at_offset;
  iface->get_string_at_offset = get_string_at_offset;
  iface->get_text_at_offset = get_text_at_offset;
  iface->get_caret_offset = get_caret_offset;
  iface->set_caret_offset = set_caret_offset;
}

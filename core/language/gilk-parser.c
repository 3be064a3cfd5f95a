/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-parser.c - primitives of the parser: tokens, nodes, depth
 */
#include "core/language/gilk-syntax-private.h"

#include <glib/gi18n.h>
#include <string.h>

const GilkToken *
gilk_parser_peek (const GilkParser *parser,
                  guint             ahead)
{
  return &g_array_index (parser->tokens, GilkToken, MIN (parser->at + ahead, parser->tokens->len - 1));
}

gboolean
gilk_parser_is_mark (const GilkParser *parser,
                     guint             ahead,
                     guint             mark)
{
  const GilkToken *token = gilk_parser_peek (parser, ahead);

  return token->kind == GILK_TOKEN_MARK && token->mark == mark;
}

gboolean
gilk_parser_is_word (const GilkParser *parser,
                     guint             ahead,
                     const char       *word)
{
  const GilkToken *token = gilk_parser_peek (parser, ahead);

  return token->kind == GILK_TOKEN_NAME && token->part.length == strlen (word) &&
         strncmp (parser->source->text + token->part.offset, word, token->part.length) == 0;
}

gboolean
gilk_parser_take_mark (GilkParser *parser,
                       guint       mark)
{
  if (!gilk_parser_is_mark (parser, 0, mark))
    return FALSE;
  parser->at++;

  return TRUE;
}

gboolean
gilk_parser_fail_expected (GilkParser *parser,
                           const char *what)
{
  const GilkToken *token = gilk_parser_peek (parser, 0);
  g_autofree char *found = gilk_source_quote (parser->source, token->part);

  if (token->kind == GILK_TOKEN_END)
    return gilk_source_fail (parser->source, token->part, _("Unexpected end of program: expected %s."), what);

  return gilk_source_fail (parser->source, token->part, _("Unexpected \"%s\": expected %s."), found, what);
}

gboolean
gilk_parser_expect_mark (GilkParser *parser,
                         guint       mark,
                         const char *what)
{
  return gilk_parser_take_mark (parser, mark) || gilk_parser_fail_expected (parser, what);
}

const char *
gilk_parser_expect_name (GilkParser *parser,
                         const char *what)
{
  const GilkToken *token = gilk_parser_peek (parser, 0);

  if (token->kind != GILK_TOKEN_NAME)
    {
      gilk_parser_fail_expected (parser, what);
      return NULL;
    }
  parser->at++;

  return gilk_parser_text (parser, token->part);
}

gboolean
gilk_parser_enter (GilkParser *parser)
{
  if (parser->nest == GILK_PROGRAM_DEPTH_MAX)
    return gilk_source_fail (parser->source, gilk_parser_peek (parser, 0)->part,
                             _("Nested too deeply: the limit is %d levels. Nest fewer "
                               "statements, or compute part of the expression in a let first."),
                             GILK_PROGRAM_DEPTH_MAX);
  parser->nest++;

  return TRUE;
}

void
gilk_parser_leave (GilkParser *parser)
{
  parser->nest--;
}

GilkNode *
gilk_parser_node (GilkParser  *parser,
                  GilkNodeKind kind)
{
  GilkNode *node = g_new0 (GilkNode, 1);

  node->kind = kind;
  node->part = gilk_parser_peek (parser, 0)->part;
  node->at = node->part;
  node->height = 1;
  g_ptr_array_add (parser->syntax->nodes, node);

  return node;
}

GilkNode *
gilk_parser_end (GilkParser *parser,
                 GilkNode   *node)
{
  if (parser->at > 0)
    node->part = gilk_text_join (node->part, g_array_index (parser->tokens, GilkToken, parser->at - 1).part);

  return node;
}

const char *
gilk_parser_text (GilkParser  *parser,
                  GilkTextPart part)
{
  return g_string_chunk_insert_len (parser->syntax->words, parser->source->text + part.offset, part.length);
}

GilkNode *
gilk_parser_semicolon (GilkParser *parser,
                       GilkNode   *node)
{
  gilk_parser_end (parser, node);
  if (gilk_parser_is_mark (parser, 0, GILK_MARK ('}')) || gilk_parser_peek (parser, 0)->kind == GILK_TOKEN_END)
    return node;

  return gilk_parser_expect_mark (parser, GILK_MARK (';'), "\";\"") ? node : NULL;
}

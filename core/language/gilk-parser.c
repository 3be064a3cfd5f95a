/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-parser.c - primitives of the parser: tokens, nodes, depth, type names
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

/* ---- type names, such as "struct file *" and "unsigned long" ---- */

static const char *const kinds[] = { "struct", "union", "enum", NULL };
/* Words that form an integer type in C, in any order. */
static const char *const words[] = { "unsigned", "signed", "char", "short", "int", "long", NULL };

static const char *
match_word (const GilkParser *parser, guint ahead, const char *const *list)
{
  for (guint i = 0; list[i] != NULL; i++)
    if (gilk_parser_is_word (parser, ahead, list[i]))
      return list[i];

  return NULL;
}

gboolean
gilk_parser_at_type (const GilkParser *parser)
{
  return gilk_parser_is_word (parser, 0, "const") || match_word (parser, 0, kinds) != NULL ||
         match_word (parser, 0, words) != NULL;
}

/* Returns the usual name of a plain type: "unsigned long" for "long unsigned int". */
static const char *
parse_words (GilkParser *parser)
{
  g_autofree char *name = NULL;
  gboolean is_unsigned = FALSE, is_signed = FALSE;
  const char *size = "int", *word;
  guint longs = 0;

  while ((word = match_word (parser, 0, words)) != NULL)
    {
      parser->at++;
      is_unsigned |= strcmp (word, "unsigned") == 0;
      is_signed |= strcmp (word, "signed") == 0;
      longs += strcmp (word, "long") == 0;
      if (strcmp (word, "char") == 0 || strcmp (word, "short") == 0)
        size = word;
    }
  if (longs > 0)
    size = "long";
  is_signed &= strcmp (size, "char") == 0;
  name = g_strconcat (is_unsigned ? "unsigned " : is_signed ? "signed " : "", size, NULL);

  return g_string_chunk_insert (parser->syntax->words, name);
}

static const char *
parse_type_name (GilkParser *parser)
{
  const char *kind = match_word (parser, 0, kinds), *name;
  g_autofree char *whole = NULL;

  if (match_word (parser, 0, words) != NULL)
    return parse_words (parser);
  if (kind != NULL)
    parser->at++;
  name = gilk_parser_expect_name (parser, _("a type name"));
  if (kind == NULL || name == NULL)
    return name;
  whole = g_strconcat (kind, " ", name, NULL);

  return g_string_chunk_insert (parser->syntax->words, whole);
}

gboolean
gilk_parser_type (GilkParser *parser,
                  GilkNode   *node)
{
  const guint begin = parser->at;

  while (gilk_parser_is_word (parser, 0, "const"))
    parser->at++;
  node->name = parse_type_name (parser);
  if (node->name == NULL)
    return FALSE;
  node->at = gilk_text_join (g_array_index (parser->tokens, GilkToken, begin).part,
                             g_array_index (parser->tokens, GilkToken, parser->at - 1).part);
  for (;;)
    {
      if (gilk_parser_is_word (parser, 0, "const"))
        parser->at++;
      else if (gilk_parser_is_mark (parser, 0, GILK_MARK ('*')) && node->stars < GILK_SYNTAX_STARS)
        {
          parser->at++;
          node->stars++;
        }
      else
        return TRUE;
    }
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-syntax-change.c - parser: statements that change the kernel's behaviour
 */
#include "core/language/gilk-syntax-private.h"

#include <glib/gi18n.h>

static gboolean
is_call_of (const GilkParser *parser, const char *word)
{
  return gilk_parser_is_word (parser, 0, word) && gilk_parser_is_mark (parser, 1, GILK_MARK ('('));
}

/* Returns whether the next token is @word, and the statement ends after it. */
static gboolean
is_lone_word (const GilkParser *parser, const char *word)
{
  return gilk_parser_is_word (parser, 0, word) &&
         (gilk_parser_is_mark (parser, 1, GILK_MARK (';')) || gilk_parser_is_mark (parser, 1, GILK_MARK ('}')) ||
          gilk_parser_peek (parser, 1)->kind == GILK_TOKEN_END);
}

static gboolean
is_at_object (const GilkParser *parser)
{
  if (gilk_parser_is_mark (parser, 0, GILK_MARK ('*')) || gilk_parser_is_mark (parser, 0, GILK_MARK ('(')))
    return TRUE;

  return gilk_parser_peek (parser, 0)->kind == GILK_TOKEN_NAME &&
         (gilk_parser_is_mark (parser, 1, GILK_MARKS ('-', '>')) || gilk_parser_is_mark (parser, 1, GILK_MARK ('.')));
}

gboolean
gilk_parser_at_change (const GilkParser *parser)
{
  return is_call_of (parser, "nullify") || is_call_of (parser, "replace") || is_lone_word (parser, "take") ||
         is_lone_word (parser, "pass") || gilk_parser_is_mark (parser, 0, GILK_MARK ('%')) || is_at_object (parser);
}

static gboolean
expect_assignment (GilkParser *parser, GilkNode *node)
{
  const GilkToken *token = gilk_parser_peek (parser, 0);

  if (token->kind != GILK_TOKEN_MARK ||
      (token->mark != GILK_MARK ('=') && token->mark != GILK_MARKS ('+', '=') && token->mark != GILK_MARKS ('-', '=')))
    return gilk_parser_fail_expected (parser, _("\"=\", \"+=\" or \"-=\""));
  node->mark = token->mark;
  parser->at++;

  return TRUE;
}

GilkNode *
gilk_parser_store (GilkParser *parser,
                   GilkNode   *node)
{
  if (!expect_assignment (parser, node))
    return NULL;
  node->second = gilk_parser_expression (parser);

  return node->second != NULL ? gilk_parser_semicolon (parser, node) : NULL;
}

static GilkNode *
parse_store (GilkParser *parser)
{
  GilkNode *node = gilk_parser_node (parser, GILK_NODE_STORE);

  node->first = gilk_parser_object (parser);

  return node->first != NULL ? gilk_parser_store (parser, node) : NULL;
}

static GilkNode *
parse_register_set (GilkParser *parser)
{
  GilkNode *node = gilk_parser_node (parser, GILK_NODE_REGISTER_SET), *reg = gilk_parser_register (parser);

  if (reg == NULL || !expect_assignment (parser, node))
    return NULL;
  node->number = reg->number;
  node->name = reg->name;
  node->first = gilk_parser_expression (parser);

  return node->first != NULL ? gilk_parser_semicolon (parser, node) : NULL;
}

static GilkNode *
parse_nullify (GilkParser *parser)
{
  GilkNode *node = gilk_parser_node (parser, GILK_NODE_NULLIFY);

  parser->at += 2;
  if (!gilk_parser_is_mark (parser, 0, GILK_MARK (')')))
    {
      node->first = gilk_parser_expression (parser);
      if (node->first == NULL)
        return NULL;
    }

  return gilk_parser_expect_mark (parser, GILK_MARK (')'), "\")\"") ? gilk_parser_semicolon (parser, node) : NULL;
}

static GilkNode *
parse_replace (GilkParser *parser)
{
  GilkNode *node = gilk_parser_node (parser, GILK_NODE_REPLACE);

  parser->at += 2;
  node->at = gilk_parser_peek (parser, 0)->part;
  node->name = gilk_parser_expect_name (parser, _("a function name"));
  if (node->name == NULL)
    return NULL;

  return gilk_parser_expect_mark (parser, GILK_MARK (')'), "\")\"") ? gilk_parser_semicolon (parser, node) : NULL;
}

static GilkNode *
parse_branch (GilkParser *parser, GilkNodeKind kind)
{
  GilkNode *node = gilk_parser_node (parser, kind);

  parser->at++;

  return gilk_parser_semicolon (parser, node);
}

GilkNode *
gilk_parser_change (GilkParser *parser)
{
  if (is_call_of (parser, "nullify"))
    return parse_nullify (parser);
  if (is_call_of (parser, "replace"))
    return parse_replace (parser);
  if (is_lone_word (parser, "take"))
    return parse_branch (parser, GILK_NODE_TAKEN);
  if (is_lone_word (parser, "pass"))
    return parse_branch (parser, GILK_NODE_PASSED);
  if (gilk_parser_is_mark (parser, 0, GILK_MARK ('%')))
    return parse_register_set (parser);

  return parse_store (parser);
}

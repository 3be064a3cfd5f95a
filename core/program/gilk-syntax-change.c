/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-syntax-change.c - parser: statements that change what the kernel does
 */
#include "core/program/gilk-syntax-private.h"

#include <glib/gi18n.h>

static gboolean
is_called (const GilkParser *parser, const char *word)
{
  return gilk_parser_is_word (parser, 0, word) && gilk_parser_is_mark (parser, 1, GILK_MARK ('('));
}

/* Returns whether the next word is a statement on its own. */
static gboolean
is_alone (const GilkParser *parser, const char *word)
{
  return gilk_parser_is_word (parser, 0, word) &&
         (gilk_parser_is_mark (parser, 1, GILK_MARK (';')) || gilk_parser_is_mark (parser, 1, GILK_MARK ('}')) ||
          gilk_parser_peek (parser, 1)->kind == GILK_TOKEN_END);
}

static gboolean
is_object (const GilkParser *parser)
{
  if (gilk_parser_is_mark (parser, 0, GILK_MARK ('*')) || gilk_parser_is_mark (parser, 0, GILK_MARK ('(')))
    return TRUE;

  return gilk_parser_peek (parser, 0)->kind == GILK_TOKEN_NAME &&
         (gilk_parser_is_mark (parser, 1, GILK_MARKS ('-', '>')) || gilk_parser_is_mark (parser, 1, GILK_MARK ('.')));
}

gboolean
gilk_parser_at_change (const GilkParser *parser)
{
  return is_called (parser, "nullify") || is_called (parser, "replace") || is_alone (parser, "take") ||
         is_alone (parser, "pass") || gilk_parser_is_mark (parser, 0, GILK_MARK ('%')) || is_object (parser);
}

static gboolean
want_sign (GilkParser *parser, GilkNode *node)
{
  const GilkToken *token = gilk_parser_peek (parser, 0);

  if (token->kind != GILK_TOKEN_MARK ||
      (token->mark != GILK_MARK ('=') && token->mark != GILK_MARKS ('+', '=') && token->mark != GILK_MARKS ('-', '=')))
    return gilk_parser_wants (parser, _("\"=\", \"+=\" or \"-=\""));
  node->mark = token->mark;
  parser->at++;

  return TRUE;
}

GilkNode *
gilk_parser_store (GilkParser *parser,
                   GilkNode   *node)
{
  if (!want_sign (parser, node))
    return NULL;
  node->second = gilk_parser_expression (parser);

  return node->second != NULL ? gilk_parser_ended (parser, node) : NULL;
}

static GilkNode *
store (GilkParser *parser)
{
  GilkNode *node = gilk_parser_node (parser, GILK_NODE_STORE);

  node->first = gilk_parser_object (parser);

  return node->first != NULL ? gilk_parser_store (parser, node) : NULL;
}

static GilkNode *
set_register (GilkParser *parser)
{
  GilkNode *node = gilk_parser_node (parser, GILK_NODE_REGISTER_SET), *reg = gilk_parser_register (parser);

  if (reg == NULL || !want_sign (parser, node))
    return NULL;
  node->number = reg->number;
  node->name = reg->name;
  node->first = gilk_parser_expression (parser);

  return node->first != NULL ? gilk_parser_ended (parser, node) : NULL;
}

static GilkNode *
nullify (GilkParser *parser)
{
  GilkNode *node = gilk_parser_node (parser, GILK_NODE_NULLIFY);

  parser->at += 2;
  if (!gilk_parser_is_mark (parser, 0, GILK_MARK (')')))
    {
      node->first = gilk_parser_expression (parser);
      if (node->first == NULL)
        return NULL;
    }

  return gilk_parser_want_mark (parser, GILK_MARK (')'), "\")\"") ? gilk_parser_ended (parser, node) : NULL;
}

static GilkNode *
replace (GilkParser *parser)
{
  GilkNode *node = gilk_parser_node (parser, GILK_NODE_REPLACE);

  parser->at += 2;
  node->at = gilk_parser_peek (parser, 0)->part;
  node->name = gilk_parser_want_name (parser, _("a function name"));
  if (node->name == NULL)
    return NULL;

  return gilk_parser_want_mark (parser, GILK_MARK (')'), "\")\"") ? gilk_parser_ended (parser, node) : NULL;
}

static GilkNode *
branch (GilkParser *parser, GilkNodeKind kind)
{
  GilkNode *node = gilk_parser_node (parser, kind);

  parser->at++;

  return gilk_parser_ended (parser, node);
}

GilkNode *
gilk_parser_change (GilkParser *parser)
{
  if (is_called (parser, "nullify"))
    return nullify (parser);
  if (is_called (parser, "replace"))
    return replace (parser);
  if (is_alone (parser, "take"))
    return branch (parser, GILK_NODE_TAKEN);
  if (is_alone (parser, "pass"))
    return branch (parser, GILK_NODE_PASSED);
  if (gilk_parser_is_mark (parser, 0, GILK_MARK ('%')))
    return set_register (parser);

  return store (parser);
}

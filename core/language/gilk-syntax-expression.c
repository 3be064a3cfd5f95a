/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-syntax-expression.c - parser: expressions, with C's precedence
 */
#include "core/language/gilk-syntax-private.h"

#include <glib/gi18n.h>
#include <string.h>

static GilkNode *parse_unary (GilkParser *parser);

/* Returns the precedence of a binary operator; 0 if @token is not a binary operator. */
static guint
get_precedence (const GilkToken *token)
{
  static const struct { guint mark, level; } levels[] = {
    { GILK_MARKS ('|', '|'), 1 }, { GILK_MARKS ('&', '&'), 2 }, { GILK_MARK ('|'), 3 }, { GILK_MARK ('^'), 4 },
    { GILK_MARK ('&'), 5 }, { GILK_MARKS ('=', '='), 6 }, { GILK_MARKS ('!', '='), 6 }, { GILK_MARK ('<'), 7 },
    { GILK_MARKS ('<', '='), 7 }, { GILK_MARK ('>'), 7 }, { GILK_MARKS ('>', '='), 7 },
    { GILK_MARKS ('<', '<'), 8 }, { GILK_MARKS ('>', '>'), 8 }, { GILK_MARK ('+'), 9 }, { GILK_MARK ('-'), 9 },
    { GILK_MARK ('*'), 10 }, { GILK_MARK ('/'), 10 }, { GILK_MARK ('%'), 10 },
  };

  for (guint i = 0; token->kind == GILK_TOKEN_MARK && i < G_N_ELEMENTS (levels); i++)
    if (levels[i].mark == token->mark)
      return levels[i].level;

  return 0;
}

/* Makes @node the parent of @first and @second; both may be NULL. */
static GilkNode *
make_parent (GilkParser *parser, GilkNode *node, GilkNode *first, GilkNode *second)
{
  node->first = first;
  node->second = second;
  node->height = 1 + MAX (first != NULL ? first->height : 0, second != NULL ? second->height : 0);
  if (node->height > GILK_SYNTAX_HEIGHT)
    {
      gilk_source_fail (parser->source, node->at,
                        _("Too many operators in one expression: the limit is %d. Compute part of the "
                          "expression in a let first."), GILK_SYNTAX_HEIGHT);
      return NULL;
    }

  return gilk_parser_end (parser, node);
}

/* ---- primary expressions, such as names, numbers and calls ---- */

GilkNode *
gilk_parser_register (GilkParser *parser)
{
  static const char *const names[] = {
    "rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi",
    "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15",
  };
  GilkNode *node = gilk_parser_node (parser, GILK_NODE_REGISTER);

  parser->at++;
  node->at = gilk_parser_peek (parser, 0)->part;
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (gilk_parser_is_word (parser, 0, names[i]))
      {
        parser->at++;
        node->number = i;
        node->name = names[i];
        return gilk_parser_end (parser, node);
      }
  gilk_parser_fail_expected (parser, _("a 64-bit register such as %rdi"));

  return NULL;
}

static GilkNode *
parse_number_argument (GilkParser *parser, GilkNode *node)
{
  const GilkToken *number;

  parser->at += 2;
  number = gilk_parser_peek (parser, 0);
  if (number->kind != GILK_TOKEN_NUMBER)
    {
      gilk_parser_fail_expected (parser, _("a number"));
      return NULL;
    }
  parser->at++;
  node->number = number->number;
  node->at = number->part;
  if (!gilk_parser_expect_mark (parser, GILK_MARK (')'), "\")\""))
    return NULL;

  return gilk_parser_end (parser, node);
}

static GilkNode *
parse_sizeof (GilkParser *parser)
{
  GilkNode *node = gilk_parser_node (parser, GILK_NODE_SIZEOF);

  parser->at += 2;
  if (!gilk_parser_type (parser, node) || !gilk_parser_expect_mark (parser, GILK_MARK (')'), "\")\""))
    return NULL;

  return gilk_parser_end (parser, node);
}

/* Parses a function's argument up to the ")", and makes @node its parent. */
static GilkNode *
parse_argument (GilkParser *parser, GilkNode *node)
{
  GilkNode *operand = gilk_parser_expression (parser);

  if (operand == NULL || !gilk_parser_expect_mark (parser, GILK_MARK (')'), "\")\""))
    return NULL;

  return make_parent (parser, node, operand, NULL);
}

static GilkNode *
parse_take (GilkParser *parser)
{
  GilkNode *node = gilk_parser_node (parser, GILK_NODE_TAKE);

  parser->at += 2;
  node->at = gilk_parser_peek (parser, 0)->part;
  node->name = gilk_parser_expect_name (parser, _("a table name"));
  if (node->name == NULL || !gilk_parser_expect_mark (parser, GILK_MARK (','), "\",\""))
    return NULL;

  return parse_argument (parser, node);
}

static GilkNode *
parse_ns (GilkParser *parser)
{
  GilkNode *node = gilk_parser_node (parser, GILK_NODE_NS);

  parser->at += 2;

  return parse_argument (parser, node);
}

static GilkNode *
parse_stack (GilkParser *parser)
{
  GilkNode *node = gilk_parser_node (parser, GILK_NODE_STACK);

  parser->at += 2;

  return gilk_parser_expect_mark (parser, GILK_MARK (')'), "\")\"") ? gilk_parser_end (parser, node) : NULL;
}

/* Parses the word "cgroup". Returns the expression for the id of the current task's cgroup, which
 * is the inode number of its directory. */
static GilkNode *
parse_cgroup (GilkParser *parser)
{
  static const char *const members[] = { "cgroups", "dfl_cgrp", "kn", "id" };
  GilkNode *node = gilk_parser_node (parser, GILK_NODE_NAME);

  node->name = "task";
  for (guint i = 0; i < G_N_ELEMENTS (members); i++)
    {
      GilkNode *member = gilk_parser_node (parser, GILK_NODE_MEMBER);

      member->mark = GILK_MARKS ('-', '>');
      member->name = members[i];
      member->first = node;
      member->height = node->height + 1;
      node = member;
    }

  return node;
}

static GilkNode *
parse_symbol (GilkParser *parser)
{
  GilkNode *node = gilk_parser_node (parser, GILK_NODE_SYMBOL);

  parser->at += 2;

  return parse_argument (parser, node);
}

static GilkNode *
parse_user (GilkParser *parser)
{
  GilkNode *node = gilk_parser_node (parser, GILK_NODE_USER);

  parser->at += 2;

  return parse_argument (parser, node);
}

/* Parses a call of string(). Its second argument, the number of bytes, is optional. */
static GilkNode *
parse_string (GilkParser *parser)
{
  GilkNode *node = gilk_parser_node (parser, GILK_NODE_STRING);

  parser->at += 2;
  node->number = 32;
  node->first = gilk_parser_expression (parser);
  if (node->first == NULL)
    return NULL;
  node->height = node->first->height + 1;
  if (gilk_parser_take_mark (parser, GILK_MARK (',')))
    {
      const GilkToken *token = gilk_parser_peek (parser, 0);

      if (token->kind != GILK_TOKEN_NUMBER)
        {
          gilk_parser_fail_expected (parser, _("a number of bytes"));
          return NULL;
        }
      node->at = token->part;
      node->number = token->number;
      parser->at++;
    }

  return gilk_parser_expect_mark (parser, GILK_MARK (')'), _("\",\" or \")\"")) ? gilk_parser_end (parser, node) : NULL;
}

static GilkNode *
parse_variable (GilkParser *parser)
{
  GilkNode *node = gilk_parser_node (parser, GILK_NODE_VARIABLE);

  parser->at += 2;
  node->at = gilk_parser_peek (parser, 0)->part;
  node->name = gilk_parser_expect_name (parser, _("the name of a kernel variable"));
  if (node->name == NULL || !gilk_parser_expect_mark (parser, GILK_MARK (')'), "\")\""))
    return NULL;

  return gilk_parser_end (parser, node);
}

/* Parses a call of event(). Its argument is the name of an event counter, or the CPU's own number
 * for the event. */
static GilkNode *
parse_event (GilkParser *parser)
{
  GilkNode *node = gilk_parser_node (parser, GILK_NODE_EVENT);

  if (gilk_parser_peek (parser, 2)->kind == GILK_TOKEN_NUMBER)
    return parse_number_argument (parser, node);
  parser->at += 2;
  node->at = gilk_parser_peek (parser, 0)->part;
  node->name = gilk_parser_expect_name (parser, _("a counter name such as instructions"));
  if (node->name == NULL || !gilk_parser_expect_mark (parser, GILK_MARK (')'), "\")\""))
    return NULL;

  return gilk_parser_end (parser, node);
}

static GilkNode *
parse_name (GilkParser *parser)
{
  GilkNode *node;

  if (gilk_parser_is_mark (parser, 1, GILK_MARK ('(')))
    {
      if (gilk_parser_is_word (parser, 0, "every"))
        return parse_number_argument (parser, gilk_parser_node (parser, GILK_NODE_EVERY));
      if (gilk_parser_is_word (parser, 0, "limit"))
        return parse_number_argument (parser, gilk_parser_node (parser, GILK_NODE_LIMIT));
      if (gilk_parser_is_word (parser, 0, "chance"))
        return parse_number_argument (parser, gilk_parser_node (parser, GILK_NODE_CHANCE));
      if (gilk_parser_is_word (parser, 0, "variable"))
        return parse_variable (parser);
      if (gilk_parser_is_word (parser, 0, "sizeof"))
        return parse_sizeof (parser);
      if (gilk_parser_is_word (parser, 0, "take"))
        return parse_take (parser);
      if (gilk_parser_is_word (parser, 0, "ns"))
        return parse_ns (parser);
      if (gilk_parser_is_word (parser, 0, "stack"))
        return parse_stack (parser);
      if (gilk_parser_is_word (parser, 0, "symbol"))
        return parse_symbol (parser);
      if (gilk_parser_is_word (parser, 0, "event"))
        return parse_event (parser);
      if (gilk_parser_is_word (parser, 0, "string"))
        return parse_string (parser);
      if (gilk_parser_is_word (parser, 0, "user"))
        return parse_user (parser);
      gilk_source_fail (parser->source, gilk_parser_peek (parser, 0)->part,
                        _("Unknown function. There are every(NUMBER), limit(NUMBER), chance(PERCENT), ns(TICKS), "
                          "sizeof(TYPE), stack(), symbol(ADDRESS), string(ADDRESS), user(POINTER), event(NAME), variable(NAME) "
                          "and take(TABLE, KEY)."));
      return NULL;
    }
  node = gilk_parser_node (parser, GILK_NODE_NAME);
  if (gilk_parser_is_word (parser, 0, "cgroup"))
    node->first = parse_cgroup (parser);
  node->name = gilk_parser_expect_name (parser, _("a name"));

  return gilk_parser_end (parser, node);
}

static GilkNode *
parse_primary (GilkParser *parser)
{
  const GilkToken *token = gilk_parser_peek (parser, 0);
  GilkNode *node;

  if (token->kind == GILK_TOKEN_NUMBER)
    {
      node = gilk_parser_node (parser, GILK_NODE_NUMBER);
      node->number = token->number;
      node->is_unsigned = token->is_unsigned;
      parser->at++;
      return node;
    }
  if (token->kind == GILK_TOKEN_NAME)
    return parse_name (parser);
  if (token->kind == GILK_TOKEN_STRING)
    {
      node = gilk_parser_node (parser, GILK_NODE_TEXT);
      node->name = gilk_parser_text (parser, token->part);
      parser->at++;
      return node;
    }
  if (gilk_parser_is_mark (parser, 0, GILK_MARK ('%')))
    return gilk_parser_register (parser);
  if (gilk_parser_take_mark (parser, GILK_MARK ('(')))
    {
      const GilkTextPart bracket = token->part;

      node = gilk_parser_expression (parser);
      if (node == NULL || !gilk_parser_expect_mark (parser, GILK_MARK (')'), "\")\""))
        return NULL;
      node->part = gilk_text_join (bracket, node->part);
      return gilk_parser_end (parser, node);
    }
  gilk_parser_fail_expected (parser, _("a value"));

  return NULL;
}

/* ---- postfix and unary operators ---- */

static GilkNode *
parse_member (GilkParser *parser, GilkNode *object)
{
  GilkNode *node = gilk_parser_node (parser, GILK_NODE_MEMBER);

  node->part = object->part;
  node->mark = gilk_parser_peek (parser, 0)->mark;
  parser->at++;
  node->at = gilk_parser_peek (parser, 0)->part;
  node->name = gilk_parser_expect_name (parser, _("a member name"));

  return node->name != NULL ? make_parent (parser, node, object, NULL) : NULL;
}

static GilkNode *
parse_element (GilkParser *parser, GilkNode *array)
{
  const GilkTextPart at = gilk_parser_peek (parser, 0)->part;
  GilkNode *index, *node;

  parser->at++;
  index = gilk_parser_expression (parser);
  if (index == NULL || !gilk_parser_expect_mark (parser, GILK_MARK (']'), "\"]\""))
    return NULL;
  node = gilk_parser_element (parser, array, index);
  if (node != NULL)
    node->at = at;

  return node;
}

GilkNode *
gilk_parser_element (GilkParser *parser,
                     GilkNode   *array,
                     GilkNode   *index)
{
  GilkNode *node = gilk_parser_node (parser, GILK_NODE_INDEX);

  node->part = node->at = array->part;

  return make_parent (parser, node, array, index);
}

GilkNode *
gilk_parser_postfix (GilkParser *parser,
                     GilkNode   *node)
{
  while (node != NULL)
    {
      if (gilk_parser_is_mark (parser, 0, GILK_MARKS ('-', '>')) || gilk_parser_is_mark (parser, 0, GILK_MARK ('.')))
        node = parse_member (parser, node);
      else if (gilk_parser_is_mark (parser, 0, GILK_MARK ('[')))
        node = parse_element (parser, node);
      else
        break;
    }

  return node;
}

static GilkNode *
parse_postfix (GilkParser *parser)
{
  GilkNode *node = parse_primary (parser);

  return node != NULL ? gilk_parser_postfix (parser, node) : NULL;
}

static gboolean
starts_value (const GilkParser *parser, guint ahead)
{
  const GilkToken *token = gilk_parser_peek (parser, ahead);

  return token->kind == GILK_TOKEN_NAME || token->kind == GILK_TOKEN_NUMBER ||
         gilk_parser_is_mark (parser, ahead, GILK_MARK ('(')) ||
         gilk_parser_is_mark (parser, ahead, GILK_MARK ('~')) || gilk_parser_is_mark (parser, ahead, GILK_MARK ('!'));
}

/* Returns whether a type, not a value in parentheses, follows the "(". */
static gboolean
is_at_cast (GilkParser *parser)
{
  const GilkToken *token = gilk_parser_peek (parser, 0);
  guint ahead = 1;

  if (gilk_parser_at_type (parser))
    return TRUE;
  if (token->kind != GILK_TOKEN_NAME)
    return FALSE;
  while (gilk_parser_is_mark (parser, ahead, GILK_MARK ('*')))
    ahead++;
  if (!gilk_parser_is_mark (parser, ahead, GILK_MARK (')')))
    return FALSE;
  if (ahead > 1 || starts_value (parser, ahead + 1))
    return TRUE;

  /* "(a) - 1", "(a) * b" and "(a) & b" are casts if "a" is a type, and binary operators if not, as
   * in C. */
  {
    const char *word = gilk_parser_text (parser, token->part);

    return !g_hash_table_contains (parser->declared, word) && parser->is_type (word, parser->data);
  }
}

static GilkNode *
parse_cast (GilkParser *parser)
{
  GilkNode *node = gilk_parser_node (parser, GILK_NODE_CAST), *value;

  parser->at++;
  if (!gilk_parser_type (parser, node) || !gilk_parser_expect_mark (parser, GILK_MARK (')'), "\")\""))
    return NULL;
  value = parse_unary (parser);

  return value != NULL ? make_parent (parser, node, value, NULL) : NULL;
}

static gboolean
is_sign (const GilkToken *token)
{
  return token->kind == GILK_TOKEN_MARK && token->mark < 0x100 && strchr ("-~!*&", (int) token->mark) != NULL;
}

static GilkNode *
parse_sign (GilkParser *parser)
{
  GilkNode *node = gilk_parser_node (parser, GILK_NODE_UNARY), *value;

  node->mark = gilk_parser_peek (parser, 0)->mark;
  parser->at++;
  value = parse_unary (parser);

  return value != NULL ? make_parent (parser, node, value, NULL) : NULL;
}

static GilkNode *
parse_nested_unary (GilkParser *parser)
{
  gboolean is_cast = FALSE;

  if (is_sign (gilk_parser_peek (parser, 0)))
    return parse_sign (parser);
  if (gilk_parser_is_mark (parser, 0, GILK_MARK ('(')))
    {
      parser->at++;
      is_cast = is_at_cast (parser);
      parser->at--;
    }

  return is_cast ? parse_cast (parser) : parse_postfix (parser);
}

static GilkNode *
parse_unary (GilkParser *parser)
{
  GilkNode *node;

  if (!gilk_parser_enter (parser))
    return NULL;
  node = parse_nested_unary (parser);
  gilk_parser_leave (parser);

  return node;
}

GilkNode *
gilk_parser_object (GilkParser *parser)
{
  return parse_unary (parser);
}

/* ---- binary operators ---- */

/* Parses an expression whose binary operators have precedence @level or higher. */
static GilkNode *
parse_binary (GilkParser *parser, guint level)
{
  GilkNode *left = parse_unary (parser);

  while (left != NULL && get_precedence (gilk_parser_peek (parser, 0)) >= level)
    {
      GilkNode *node = gilk_parser_node (parser, GILK_NODE_BINARY), *right;
      const guint above = get_precedence (gilk_parser_peek (parser, 0)) + 1;

      node->part = left->part;
      node->mark = gilk_parser_peek (parser, 0)->mark;
      parser->at++;
      right = parse_binary (parser, above);
      left = right != NULL ? make_parent (parser, node, left, right) : NULL;
    }

  return left;
}

GilkNode *
gilk_parser_expression (GilkParser *parser)
{
  return parse_binary (parser, 1);
}

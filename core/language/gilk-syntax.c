/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-syntax.c - parser: statements and declarations
 */
#include "core/language/gilk-syntax.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-format.h"
#include "core/language/gilk-syntax-private.h"

static GilkNode *parse_statement (GilkParser *parser);

static gboolean
expect_number (GilkParser *parser, GilkNode *node)
{
  const gboolean negative = gilk_parser_take_mark (parser, GILK_MARK ('-'));
  const GilkToken *token = gilk_parser_peek (parser, 0);

  if (token->kind != GILK_TOKEN_NUMBER)
    return gilk_parser_fail_expected (parser, _("a number"));
  node->number = negative ? -token->number : token->number;
  node->at = token->part;
  parser->at++;

  return TRUE;
}

/* ---- declarations ---- */

static const struct {
  const char  *word;
  GilkNodeKind kind;
} declarations[] = {
  { "global", GILK_NODE_GLOBAL }, { "counter", GILK_NODE_COUNTER }, { "histogram", GILK_NODE_HISTOGRAM },
  { "map", GILK_NODE_MAP }, { "table", GILK_NODE_TABLE },
};

/*
 * Returns the kind of declaration whose keyword is @ahead tokens past the next token, if a name
 * follows the keyword; else -1.
 */
static int
find_declaration (const GilkParser *parser, guint ahead)
{
  for (guint i = 0; i < G_N_ELEMENTS (declarations); i++)
    if (gilk_parser_is_word (parser, ahead, declarations[i].word) &&
        gilk_parser_peek (parser, ahead + 1)->kind == GILK_TOKEN_NAME)
      return (int) declarations[i].kind;

  return -1;
}

static gboolean
is_at_common (const GilkParser *parser)
{
  return gilk_parser_is_word (parser, 0, "common") && find_declaration (parser, 1) >= 0;
}

static gboolean
is_at_declaration (const GilkParser *parser)
{
  return find_declaration (parser, 0) >= 0 || is_at_common (parser);
}

/* Parses the optional meaning of keys, such as "of stack", after a map's declaration. */
static gboolean
parse_key_meaning (GilkParser *parser, GilkNode *node)
{
  static const char *const meanings[] = { GILK_MEANING_STACK, GILK_MEANING_SYMBOL, GILK_MEANING_ERRNO };

  if (!gilk_parser_is_word (parser, 0, "of"))
    return TRUE;
  parser->at++;
  for (guint i = 0; i < G_N_ELEMENTS (meanings); i++)
    if (gilk_parser_is_word (parser, 0, meanings[i]))
      {
        node->shows = g_intern_static_string (meanings[i]);
        parser->at++;
        return TRUE;
      }

  return gilk_parser_fail_expected (parser, _("the meaning of keys: stack, symbol or errno"));
}

/* Parses the part of a declaration after the declared name. */
static gboolean
parse_declared_number (GilkParser *parser, GilkNode *node)
{
  switch (node->kind)
    {
    case GILK_NODE_GLOBAL:
      return !gilk_parser_take_mark (parser, GILK_MARK ('=')) || expect_number (parser, node);
    case GILK_NODE_HISTOGRAM:
      node->number = 2;
      return !gilk_parser_take_mark (parser, GILK_MARK ('(')) ||
             (expect_number (parser, node) && gilk_parser_expect_mark (parser, GILK_MARK (')'), "\")\""));
    case GILK_NODE_MAP:
    case GILK_NODE_TABLE:
      return gilk_parser_expect_mark (parser, GILK_MARK ('['), _("\"[\" with the number of keys")) &&
             expect_number (parser, node) && gilk_parser_expect_mark (parser, GILK_MARK (']'), "\"]\"") &&
             parse_key_meaning (parser, node);
    default:
      return TRUE;
    }
}

static GilkNode *
parse_declaration (GilkParser *parser)
{
  const guint words = is_at_common (parser) ? 2 : 1;
  GilkNode *node = gilk_parser_node (parser, (GilkNodeKind) find_declaration (parser, words - 1));

  if (parser->nest > (parser->in_braces ? 1 : 0))
    {
      gilk_source_fail (parser->source, node->part,
                        _("Maps, counters, histograms and tables must be declared at the top of the program, not within "
                          "a block."));
      return NULL;
    }
  parser->at += words;
  node->is_common = words == 2;
  node->at = gilk_parser_peek (parser, 0)->part;
  node->name = gilk_parser_expect_name (parser, _("a name"));
  if (node->name == NULL || !parse_declared_number (parser, node))
    return NULL;
  g_hash_table_add (parser->declared, (gpointer) node->name);

  return gilk_parser_semicolon (parser, node);
}

/* ---- statements that start with a keyword ---- */

static GilkNode *
parse_if (GilkParser *parser)
{
  GilkNode *node = gilk_parser_node (parser, GILK_NODE_IF);

  parser->at++;
  if (!gilk_parser_expect_mark (parser, GILK_MARK ('('), "\"(\""))
    return NULL;
  node->first = gilk_parser_expression (parser);
  if (node->first == NULL || !gilk_parser_expect_mark (parser, GILK_MARK (')'), "\")\""))
    return NULL;
  node->second = parse_statement (parser);
  if (node->second == NULL)
    return NULL;
  if (!gilk_parser_is_word (parser, 0, "else"))
    return gilk_parser_end (parser, node);
  parser->at++;
  node->third = parse_statement (parser);

  return node->third != NULL ? gilk_parser_end (parser, node) : NULL;
}

static GilkNode *
parse_let (GilkParser *parser)
{
  GilkNode *node = gilk_parser_node (parser, GILK_NODE_LET);

  parser->at++;
  node->at = gilk_parser_peek (parser, 0)->part;
  node->name = gilk_parser_expect_name (parser, _("a name"));
  if (node->name == NULL || !gilk_parser_expect_mark (parser, GILK_MARK ('='), "\"=\""))
    return NULL;
  node->first = gilk_parser_expression (parser);
  if (node->first == NULL)
    return NULL;
  g_hash_table_add (parser->declared, (gpointer) node->name);

  return gilk_parser_semicolon (parser, node);
}

static GilkNode *
parse_field (GilkParser *parser)
{
  GilkNode *node = gilk_parser_node (parser, GILK_NODE_FIELD);

  if (gilk_parser_peek (parser, 0)->kind == GILK_TOKEN_NAME && gilk_parser_is_mark (parser, 1, GILK_MARK ('=')))
    {
      node->name = gilk_parser_expect_name (parser, _("a name"));
      parser->at++;
    }
  node->first = gilk_parser_expression (parser);

  return node->first != NULL ? gilk_parser_end (parser, node) : NULL;
}

static GilkNode *
parse_sample (GilkParser *parser)
{
  GilkNode *node = gilk_parser_node (parser, GILK_NODE_SAMPLE);
  GilkNode **tail = &node->first;

  parser->at += 2;
  if (!gilk_parser_take_mark (parser, GILK_MARK (')')))
    {
      do
        {
          *tail = parse_field (parser);
          if (*tail == NULL)
            return NULL;
          tail = &(*tail)->next;
        }
      while (gilk_parser_take_mark (parser, GILK_MARK (',')));
      if (!gilk_parser_expect_mark (parser, GILK_MARK (')'), _("\",\" or \")\"")))
        return NULL;
    }

  return gilk_parser_semicolon (parser, node);
}

/* Parses a hook's label, and stores it as @node's name. */
static gboolean
expect_label (GilkParser *parser, GilkNode *node)
{
  const GilkToken *label = gilk_parser_peek (parser, 0);

  if (label->kind != GILK_TOKEN_NAME && label->kind != GILK_TOKEN_STRING)
    return gilk_parser_fail_expected (parser, _("a hook's label, as a name or in quotes"));
  node->at = label->part;
  node->name = gilk_parser_text (parser, label->part);
  parser->at++;

  return TRUE;
}

static GilkNode *
parse_gate (GilkParser *parser, GilkNodeKind kind)
{
  GilkNode *node = gilk_parser_node (parser, kind);

  parser->at += 2;

  return expect_label (parser, node) && gilk_parser_expect_mark (parser, GILK_MARK (')'), "\")\"") ? gilk_parser_semicolon (parser, node)
                                                                                             : NULL;
}

static GilkNode *
parse_watch (GilkParser *parser)
{
  GilkNode *node = gilk_parser_node (parser, GILK_NODE_WATCH);

  parser->at += 2;
  if (!expect_label (parser, node) || !gilk_parser_expect_mark (parser, GILK_MARK (','), "\",\""))
    return NULL;
  node->first = gilk_parser_expression (parser);

  return node->first != NULL && gilk_parser_expect_mark (parser, GILK_MARK (')'), "\")\"") ? gilk_parser_semicolon (parser, node)
                                                                                       : NULL;
}

/* Parses a string in quotes, and stores it as @node's name. */
static gboolean
expect_text (GilkParser *parser, GilkNode *node)
{
  const GilkToken *token = gilk_parser_peek (parser, 0);

  if (token->kind != GILK_TOKEN_STRING)
    return gilk_parser_fail_expected (parser, _("a string in quotes"));
  node->at = token->part;
  node->name = gilk_parser_text (parser, token->part);
  parser->at++;

  return TRUE;
}

/* Parses a statement with a string as its only argument. */
static GilkNode *
parse_text_statement (GilkParser *parser, GilkNodeKind kind)
{
  GilkNode *node = gilk_parser_node (parser, kind);

  parser->at += 2;

  return expect_text (parser, node) && gilk_parser_expect_mark (parser, GILK_MARK (')'), "\")\"") ? gilk_parser_semicolon (parser, node)
                                                                                         : NULL;
}

static GilkNode *
parse_marker (GilkParser *parser)
{
  GilkNode *node = gilk_parser_node (parser, GILK_NODE_MARKER);

  parser->at += 2;
  if (!expect_text (parser, node))
    return NULL;
  if (gilk_parser_take_mark (parser, GILK_MARK (',')))
    {
      node->first = gilk_parser_expression (parser);
      if (node->first == NULL)
        return NULL;
    }

  return gilk_parser_expect_mark (parser, GILK_MARK (')'), _("\",\" or \")\"")) ? gilk_parser_semicolon (parser, node) : NULL;
}

/* Parses a statement that consists of @words keywords; the caller has already checked which
 * ones. */
static GilkNode *
parse_words (GilkParser *parser, GilkNodeKind kind, guint words)
{
  GilkNode *node = gilk_parser_node (parser, kind);

  parser->at += words;

  return gilk_parser_semicolon (parser, node);
}

static GilkNode *
parse_count (GilkParser *parser)
{
  GilkNode *node = gilk_parser_node (parser, GILK_NODE_COUNT);

  parser->at += 2;

  return gilk_parser_expect_mark (parser, GILK_MARK (')'), "\")\"") ? gilk_parser_semicolon (parser, node) : NULL;
}

/* ---- statements that start with a name ---- */

static GilkNode *
make_one (GilkParser *parser)
{
  GilkNode *node = gilk_parser_node (parser, GILK_NODE_NUMBER);

  node->number = 1;

  return node;
}

static GilkNode *
parse_added (GilkParser *parser)
{
  if (gilk_parser_is_mark (parser, 0, GILK_MARKS ('+', '+')))
    {
      GilkNode *node = make_one (parser);

      parser->at++;
      return node;
    }
  if (!gilk_parser_expect_mark (parser, GILK_MARKS ('+', '='), _("\"+=\", \"++\" or, for a table, \"=\"")))
    return NULL;

  return gilk_parser_expression (parser);
}

/*
 * Returns whether "NAME[...]", which has just been parsed, is an object in memory and not an
 * element of a map. It is one if a member or another element follows, or if "-=" follows and the
 * program did not declare the name.
 */
static gboolean
is_object_part (const GilkParser *parser, const char *name)
{
  return gilk_parser_is_mark (parser, 0, GILK_MARKS ('-', '>')) || gilk_parser_is_mark (parser, 0, GILK_MARK ('.')) ||
         gilk_parser_is_mark (parser, 0, GILK_MARK ('[')) ||
         (gilk_parser_is_mark (parser, 0, GILK_MARKS ('-', '=')) && !g_hash_table_contains (parser->declared, name));
}

static GilkNode *
parse_map_set (GilkParser *parser)
{
  GilkNode *node = gilk_parser_node (parser, GILK_NODE_MAP_SET), *name;

  name = gilk_parser_node (parser, GILK_NODE_NAME);
  name->name = node->name = gilk_parser_expect_name (parser, _("a name"));
  parser->at++;
  node->first = gilk_parser_expression (parser);
  if (node->first == NULL || !gilk_parser_expect_mark (parser, GILK_MARK (']'), "\"]\""))
    return NULL;
  node->third = gilk_parser_element (parser, name, node->first);
  if (node->third == NULL)
    return NULL;
  if (is_object_part (parser, node->name))
    {
      node->kind = GILK_NODE_STORE;
      node->first = gilk_parser_postfix (parser, node->third);
      node->third = NULL;
      return node->first != NULL ? gilk_parser_store (parser, node) : NULL;
    }
  node->mark = gilk_parser_take_mark (parser, GILK_MARK ('=')) ? GILK_MARK ('=') : GILK_MARKS ('+', '=');
  node->second = node->mark == GILK_MARK ('=') ? gilk_parser_expression (parser) : parse_added (parser);

  return node->second != NULL ? gilk_parser_semicolon (parser, node) : NULL;
}

static GilkNode *
parse_histogram_add (GilkParser *parser)
{
  GilkNode *node = gilk_parser_node (parser, GILK_NODE_HISTOGRAM_ADD);

  node->name = gilk_parser_expect_name (parser, _("a name"));
  parser->at++;
  node->first = gilk_parser_expression (parser);
  if (node->first == NULL || !gilk_parser_expect_mark (parser, GILK_MARK (')'), "\")\""))
    return NULL;

  return gilk_parser_semicolon (parser, node);
}

static GilkNode *
parse_set (GilkParser *parser)
{
  GilkNode *node = gilk_parser_node (parser, GILK_NODE_SET);
  const GilkToken *token;

  node->name = gilk_parser_expect_name (parser, _("a statement"));
  if (node->name == NULL)
    return NULL;
  token = gilk_parser_peek (parser, 0);
  node->mark = token->mark;
  if (token->kind == GILK_TOKEN_MARK && token->mark == GILK_MARKS ('+', '+'))
    {
      node->mark = GILK_MARKS ('+', '=');
      node->first = parse_added (parser);
      return gilk_parser_semicolon (parser, node);
    }
  if (token->kind != GILK_TOKEN_MARK ||
      (token->mark != GILK_MARK ('=') && token->mark != GILK_MARKS ('+', '=') &&
       token->mark != GILK_MARKS ('-', '=')))
    {
      gilk_parser_fail_expected (parser, _("\"=\", \"+=\", \"-=\", \"++\", \"[\" or \"(\""));
      return NULL;
    }
  parser->at++;
  node->first = gilk_parser_expression (parser);

  return node->first != NULL ? gilk_parser_semicolon (parser, node) : NULL;
}

/* ---- blocks, and statements of any kind ---- */

static GilkNode *
parse_block (GilkParser *parser)
{
  GilkNode *node = gilk_parser_node (parser, GILK_NODE_BLOCK);
  GilkNode **tail = &node->first;

  parser->at++;
  while (!gilk_parser_take_mark (parser, GILK_MARK ('}')))
    {
      if (gilk_parser_peek (parser, 0)->kind == GILK_TOKEN_END)
        {
          gilk_parser_fail_expected (parser, "\"}\"");
          return NULL;
        }
      *tail = parse_statement (parser);
      if (*tail == NULL)
        return NULL;
      tail = &(*tail)->next;
    }

  return gilk_parser_end (parser, node);
}

static GilkNode *
parse_call (GilkParser *parser)
{
  if (gilk_parser_is_word (parser, 0, "sample"))
    return parse_sample (parser);
  if (gilk_parser_is_word (parser, 0, "count"))
    return parse_count (parser);
  if (gilk_parser_is_word (parser, 0, "start"))
    return parse_gate (parser, GILK_NODE_START);
  if (gilk_parser_is_word (parser, 0, "stop"))
    return parse_gate (parser, GILK_NODE_STOP);
  if (gilk_parser_is_word (parser, 0, "notify"))
    return parse_text_statement (parser, GILK_NODE_NOTIFY);
  if (gilk_parser_is_word (parser, 0, "crash"))
    return parse_text_statement (parser, GILK_NODE_CRASH);
  if (gilk_parser_is_word (parser, 0, "marker"))
    return parse_marker (parser);
  if (gilk_parser_is_word (parser, 0, "watch") && !g_hash_table_contains (parser->declared, "watch"))
    return parse_watch (parser);

  return parse_histogram_add (parser);
}

static GilkNode *
parse_nested_statement (GilkParser *parser)
{
  if (gilk_parser_is_mark (parser, 0, GILK_MARK ('{')))
    return parse_block (parser);
  if (gilk_parser_is_word (parser, 0, "if"))
    return parse_if (parser);
  if (gilk_parser_is_word (parser, 0, "let") && gilk_parser_peek (parser, 1)->kind == GILK_TOKEN_NAME)
    return parse_let (parser);
  if (gilk_parser_is_word (parser, 0, "return"))
    return parse_words (parser, GILK_NODE_RETURN, 1);
  if (gilk_parser_is_word (parser, 0, "stop") && gilk_parser_is_word (parser, 1, "run"))
    return parse_words (parser, GILK_NODE_STOP_RUN, 2);
  if (gilk_parser_is_word (parser, 0, "freeze") && gilk_parser_peek (parser, 1)->kind != GILK_TOKEN_NAME &&
      !gilk_parser_is_mark (parser, 1, GILK_MARK ('=')))
    return parse_words (parser, GILK_NODE_FREEZE, 1);
  if (gilk_parser_at_change (parser))
    return gilk_parser_change (parser);
  if (gilk_parser_peek (parser, 0)->kind == GILK_TOKEN_NAME && gilk_parser_is_mark (parser, 1, GILK_MARK ('(')))
    return parse_call (parser);
  if (gilk_parser_peek (parser, 0)->kind == GILK_TOKEN_NAME && gilk_parser_is_mark (parser, 1, GILK_MARK ('[')))
    return parse_map_set (parser);

  return parse_set (parser);
}

static GilkNode *
parse_statement (GilkParser *parser)
{
  GilkNode *node;

  if (is_at_declaration (parser))
    return parse_declaration (parser);
  if (!gilk_parser_enter (parser))
    return NULL;
  node = parse_nested_statement (parser);
  gilk_parser_leave (parser);

  return node;
}

/* ---- the whole program ---- */

static gboolean
parse_program (GilkParser *parser)
{
  GilkNode *node = gilk_parser_node (parser, GILK_NODE_BLOCK);
  GilkNode **tail = &node->first;

  parser->in_braces = gilk_parser_is_mark (parser, 0, GILK_MARK ('{'));
  while (gilk_parser_peek (parser, 0)->kind != GILK_TOKEN_END)
    {
      *tail = parse_statement (parser);
      if (*tail == NULL)
        return FALSE;
      tail = &(*tail)->next;
    }
  parser->syntax->program = gilk_parser_end (parser, node);

  return TRUE;
}

GilkSyntax *
gilk_syntax_new (GilkSource *source,
                 gboolean  (*is_type) (const char *name, gpointer data),
                 gpointer    data)
{
  g_autoptr(GilkSyntax) syntax = g_new0 (GilkSyntax, 1);
  g_autoptr(GArray) tokens = gilk_tokens_new (source);
  g_autoptr(GHashTable) declared = g_hash_table_new (g_str_hash, g_str_equal);
  GilkParser parser = {
    .source = source, .syntax = syntax, .tokens = tokens, .declared = declared,
    .is_type = is_type, .data = data,
  };

  syntax->nodes = g_ptr_array_new_with_free_func (g_free);
  syntax->words = g_string_chunk_new (1024);
  if (tokens == NULL || !parse_program (&parser))
    return NULL;

  return g_steal_pointer (&syntax);
}

void
gilk_syntax_free (GilkSyntax *syntax)
{
  g_ptr_array_unref (syntax->nodes);
  g_string_chunk_free (syntax->words);
  g_free (syntax);
}

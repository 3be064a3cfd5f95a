/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-syntax-private.h - interface between the parser's files
 */
#pragma once

#include "core/language/gilk-syntax.h"

G_BEGIN_DECLS

typedef struct {
  GilkSource *source;
  GilkSyntax *syntax;
  GArray     *tokens;
  guint       at;
  guint       nest;          /* current depth of nested blocks, ifs, parentheses and unary
                              * operators */
  gboolean    in_braces;     /* the whole program text is in braces */
  GHashTable *declared;      /* names that the program has declared so far, which therefore are not
                              * names of types */
  gboolean  (*is_type) (const char *name, gpointer data);
  gpointer    data;
} GilkParser;

/* Returns the token that is @ahead tokens after the next token, or the last token if there are
 * fewer tokens. */
const GilkToken *gilk_parser_peek          (const GilkParser *parser, guint ahead);
gboolean         gilk_parser_is_mark       (const GilkParser *parser, guint ahead, guint mark);
gboolean         gilk_parser_is_word       (const GilkParser *parser, guint ahead, const char *word);
/* Consumes the next token if it is @mark; else returns FALSE. */
gboolean         gilk_parser_take_mark     (GilkParser *parser, guint mark);
/* Consumes the next token, which must be @mark; else fails with an error. @what: name of the mark
 * in the message, such as "\")\"" */
gboolean         gilk_parser_expect_mark   (GilkParser *parser, guint mark, const char *what);
/* Consumes a name. NULL with the error set if the next token is not a name. */
const char      *gilk_parser_expect_name   (GilkParser *parser, const char *what);
/* Fails with the error that @what is expected in place of the next token. */
gboolean         gilk_parser_fail_expected (GilkParser *parser, const char *what);
/*
 * Enters a level of nesting, to be left by gilk_parser_leave(). FALSE with the error set if the
 * nesting is too deep.
 */
gboolean         gilk_parser_enter         (GilkParser *parser);
void             gilk_parser_leave         (GilkParser *parser);
/* Returns a new node that starts at the next token. */
GilkNode        *gilk_parser_node          (GilkParser *parser, GilkNodeKind kind);
/* Ends @node in front of the next token. Returns: @node */
GilkNode        *gilk_parser_end           (GilkParser *parser, GilkNode *node);
const char      *gilk_parser_text          (GilkParser *parser, GilkTextPart part);

/* Returns whether the next token certainly starts a type; does not look up names. */
gboolean gilk_parser_at_type (const GilkParser *parser);
/* Parses a type, and stores it in the name, stars (pointer levels) and part (range of text) of
 * @node. */
gboolean gilk_parser_type    (GilkParser *parser, GilkNode *node);

/* Parses an expression. NULL: failed. */
GilkNode *gilk_parser_expression (GilkParser *parser);
/* Parses an operand that may be an lvalue, with its unary operators and members. */
GilkNode *gilk_parser_object     (GilkParser *parser);
/* Parses the members (".a", "->a") and elements ("[i]") that follow @node. */
GilkNode *gilk_parser_postfix    (GilkParser *parser, GilkNode *node);
/* Returns the node for NAME [ @index ]; the name and the index have already been parsed. */
GilkNode *gilk_parser_element    (GilkParser *parser, GilkNode *name, GilkNode *index);
/* Parses "%" and a register's name. */
GilkNode *gilk_parser_register   (GilkParser *parser);
/* Consumes a ";", which is optional in front of "}" and at the end of the program. Returns: @node,
 * or NULL on failure */
GilkNode *gilk_parser_semicolon  (GilkParser *parser, GilkNode *node);

/* Returns whether the next token starts a statement that changes the kernel's behaviour. In
 * gilk-syntax-change.c. */
gboolean  gilk_parser_at_change (const GilkParser *parser);
GilkNode *gilk_parser_change    (GilkParser *parser);
/* Parses "=", "+=" or "-=" and its right side into @node, a GILK_NODE_STORE whose @first is set. */
GilkNode *gilk_parser_store     (GilkParser *parser, GilkNode *node);

G_END_DECLS

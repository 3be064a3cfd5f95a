/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-syntax-private.h - between the parser's files
 */
#pragma once

#include "core/program/gilk-syntax.h"

G_BEGIN_DECLS

typedef struct {
  GilkSource *source;
  GilkSyntax *syntax;
  GArray     *tokens;
  guint       at;
  guint       nest;          /* of blocks, ifs, brackets and signs */
  gboolean    in_braces;     /* the whole program is */
  GHashTable *declared;      /* names: none of these is a type */
  gboolean  (*is_type) (const char *name, gpointer data);
  gpointer    data;
} GilkParser;

/* The token @ahead of the next; the last one for ever. */
const GilkToken *gilk_parser_peek      (const GilkParser *parser, guint ahead);
gboolean         gilk_parser_is_mark   (const GilkParser *parser, guint ahead, guint mark);
gboolean         gilk_parser_is_word   (const GilkParser *parser, guint ahead, const char *word);
/* Takes the mark if it is the next token. */
gboolean         gilk_parser_take_mark (GilkParser *parser, guint mark);
/* The same; FALSE, failed, if it is not. @what: "\")\"" */
gboolean         gilk_parser_want_mark (GilkParser *parser, guint mark, const char *what);
/* NULL, failed: the next token is no name. */
const char      *gilk_parser_want_name (GilkParser *parser, const char *what);
/* Fails at the next token: @what is wanted there. */
gboolean         gilk_parser_wants     (GilkParser *parser, const char *what);
/* FALSE, failed, if that is too deep; else gilk_parser_leave() follows. */
gboolean         gilk_parser_enter     (GilkParser *parser);
void             gilk_parser_leave     (GilkParser *parser);
/* A node that begins at the next token. */
GilkNode        *gilk_parser_node      (GilkParser *parser, GilkNodeKind kind);
/* It ends before the next token. Returns: @node */
GilkNode        *gilk_parser_end       (GilkParser *parser, GilkNode *node);
const char      *gilk_parser_text      (GilkParser *parser, GilkTextPart part);

/* Does a type begin here, beyond doubt? */
gboolean         gilk_parser_at_type   (const GilkParser *parser);
/* Reads one into @node's name, stars and place. */
gboolean         gilk_parser_type      (GilkParser *parser, GilkNode *node);

/* Expressions. NULL: failed. */
GilkNode        *gilk_parser_expression (GilkParser *parser);
/* One that may stand left of "=": with signs before it and members behind it. */
GilkNode        *gilk_parser_object     (GilkParser *parser);
/* What stands behind @node: members and elements of it. */
GilkNode        *gilk_parser_behind     (GilkParser *parser, GilkNode *node);
/* NAME [ @index ], which was read from @begin on. */
GilkNode        *gilk_parser_element    (GilkParser *parser, GilkNode *name, GilkNode *index);
/* "%" and the name of a register. */
GilkNode        *gilk_parser_register   (GilkParser *parser);
/* ";", which may be left out before a "}" and at the end. Returns: @node, or NULL */
GilkNode        *gilk_parser_ended      (GilkParser *parser, GilkNode *node);

/* Statements of an experiment: gilk-syntax-change.c. Does one begin here? */
gboolean         gilk_parser_at_change  (const GilkParser *parser);
GilkNode        *gilk_parser_change     (GilkParser *parser);
/* "=", "+=" or "-=" and what stands behind it: the rest of @node, a GILK_NODE_STORE with its first. */
GilkNode        *gilk_parser_store      (GilkParser *parser, GilkNode *node);

G_END_DECLS

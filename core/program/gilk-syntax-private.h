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

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-syntax.h - a program as a tree
 *
 * The parser fills what a node is; what it means is found out later (gilk-typing.h), and kept in it as well.
 *
 * Threads: any; what is returned is the caller's.
 */
#pragma once

#include "core/program/gilk-ctype.h"
#include "core/program/gilk-token.h"

G_BEGIN_DECLS

enum {
  GILK_SYNTAX_HEIGHT = 256,      /* of an expression's tree: a chain of as many operators */
  GILK_SYNTAX_STARS  = 8,
};

typedef enum {
  /* expressions */
  GILK_NODE_NUMBER,
  GILK_NODE_NAME,            /* @first: what it stands for if nothing is called so, or NULL */
  GILK_NODE_REGISTER,        /* @number is the machine's */
  GILK_NODE_UNARY,           /* @mark @first */
  GILK_NODE_BINARY,          /* @first @mark @second */
  GILK_NODE_CAST,            /* (@name @stars) @first */
  GILK_NODE_SIZEOF,          /* (@name @stars) */
  GILK_NODE_MEMBER,          /* @first @mark @name: "." or "->" */
  GILK_NODE_INDEX,           /* @first [ @second ] */
  GILK_NODE_EVERY,           /* @number */
  GILK_NODE_LIMIT,
  GILK_NODE_GET,             /* @name [ @first ]; by typing, of a GILK_NODE_INDEX */
  GILK_NODE_TAKE,            /* take ( @name, @first ) */
  GILK_NODE_NS,              /* ns ( @first ) */
  GILK_NODE_STACK,           /* stack ( ) */
  GILK_NODE_SYMBOL,          /* symbol ( @first ): the same, shown by name */
  GILK_NODE_STRING,          /* string ( @first, @number ): bytes */
  GILK_NODE_CHANCE,          /* chance ( @number ) */
  GILK_NODE_VARIABLE,        /* variable ( @name ) */
  GILK_NODE_TEXT,            /* "@name" */
  GILK_NODE_COMM_IS,         /* comm @mark "@name": "==" or "!="; by typing, of a GILK_NODE_BINARY */
  GILK_NODE_EVENT,           /* event ( @name, or NULL and @number ); by typing @number is an ILK_EVENT() */

  /* statements; those of a block, and fields, are in a row by @next */
  GILK_NODE_BLOCK,           /* @first .. */
  GILK_NODE_IF,              /* @first, then @second, else @third or NULL */
  GILK_NODE_LET,             /* @name = @first */
  GILK_NODE_SET,             /* @name @mark @first: = += -= */
  GILK_NODE_MAP_SET,         /* @name [ @first ] @mark @second: = += */
  GILK_NODE_HISTOGRAM_ADD,   /* @name ( @first ) */
  GILK_NODE_SAMPLE,          /* @first ..: fields */
  GILK_NODE_FIELD,           /* @name or NULL: @first */
  GILK_NODE_COUNT,
  GILK_NODE_START,           /* @name: a label */
  GILK_NODE_STOP,
  GILK_NODE_STOP_RUN,        /* stop run */
  GILK_NODE_NOTIFY,          /* notify ( @name ) */
  GILK_NODE_MARKER,          /* marker ( @name, @first or NULL ) */
  GILK_NODE_WATCH,           /* watch ( @name, @first ) */
  GILK_NODE_FREEZE,
  GILK_NODE_CRASH,           /* crash ( @name ) */
  GILK_NODE_RETURN,
  /* of an experiment */
  GILK_NODE_NULLIFY,         /* nullify ( @first or NULL ) */
  GILK_NODE_REPLACE,         /* replace ( @name ) */
  GILK_NODE_TAKEN,           /* take */
  GILK_NODE_PASSED,          /* pass */
  GILK_NODE_REGISTER_SET,    /* %@number @mark @first */
  GILK_NODE_STORE,           /* @first @mark @second; by typing, of a GILK_NODE_MAP_SET whose @third is that first */

  /* declarations; @is_common: of all hooks that declare it */
  GILK_NODE_GLOBAL,          /* @name = @number */
  GILK_NODE_COUNTER,
  GILK_NODE_HISTOGRAM,       /* @name (@number) */
  GILK_NODE_MAP,             /* @name [@number] of @shows */
  GILK_NODE_TABLE,           /* likewise */
} GilkNodeKind;

typedef struct _GilkNode GilkNode;
typedef struct _GilkMeaning GilkMeaning;

/* What an expression needs where it is evaluated. */
enum {
  GILK_NEEDS_STRETCH = 1,    /* of GILK_OP_ENTER */
  GILK_NEEDS_LOADS   = 2,    /* a guarded one */
  GILK_NEEDS_VALID   = 4,    /* it can be bad */
};

struct _GilkNode {
  GilkNodeKind kind;
  GilkTextPart part;         /* all of it */
  GilkTextPart at;           /* of its operator or name */
  guint        mark;         /* of GilkToken */
  const char  *name;
  guint        stars;
  uint64_t     number;
  gboolean     is_unsigned, is_common;
  guint        height;
  GilkNode    *first, *second, *third, *next;

  /* by gilk-typing.h */
  GilkCType    type;
  guint        needs;        /* of all that is below, too */
  gboolean     is_object;    /* in the kernel's memory: its address is what can be computed */
  gboolean     is_loaded;    /* an object whose value is wanted */
  gboolean     is_constant;
  int64_t      value;        /* of a constant */
  GilkMember   member;
  uint64_t     scale;        /* bytes of what is pointed to: of an index, and + or - with a pointer */
  GilkMeaning  *meaning;
  const char   *shows;       /* what the number is, interned: gilk-meaning.h; NULL: nothing beside. Of a declared map by the parser */
  guint        index;        /* of what is kept, a gate, or a field */
};

typedef struct {
  GPtrArray    *nodes;       /* owns them */
  GStringChunk *words;
  GilkNode     *program;     /* a GILK_NODE_BLOCK */
} GilkSyntax;

/**
 * gilk_syntax_new:
 * @is_type: is the name in "(NAME) - 1" one of a type?
 * Returns: NULL: @source says what is wrong
 */
GilkSyntax *gilk_syntax_new  (GilkSource *source, gboolean (*is_type) (const char *name, gpointer data),
                              gpointer data);
void        gilk_syntax_free (GilkSyntax *syntax);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkSyntax, gilk_syntax_free)

G_END_DECLS

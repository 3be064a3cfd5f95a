/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-syntax.h - the syntax tree of a program
 *
 * The parser sets the kind and contents of a node. The next step, typing (gilk-typing.h), adds its
 * type and meaning.
 *
 * Threads: any; results belong to the caller.
 */
#pragma once

#include "core/language/gilk-ctype.h"
#include "core/language/gilk-source.h"

G_BEGIN_DECLS

enum {
  GILK_SYNTAX_HEIGHT = 256,      /* maximum height of an expression's tree */
  GILK_SYNTAX_STARS  = 8,
};

typedef enum {
  /* expressions */
  GILK_NODE_NUMBER,
  GILK_NODE_NAME,            /* a name; @first: (nullable): the value if the program does not
                              * declare the name */
  GILK_NODE_REGISTER,        /* a register; @number: its number in machine code */
  GILK_NODE_UNARY,           /* a unary operator: @mark @first */
  GILK_NODE_BINARY,          /* a binary operator: @first @mark @second */
  GILK_NODE_CAST,            /* a cast: (@name @stars) @first; @stars is the number of "*" */
  GILK_NODE_SIZEOF,          /* sizeof (@name @stars) */
  GILK_NODE_MEMBER,          /* a member: @first @mark @name; @mark is "." or "->" */
  GILK_NODE_INDEX,           /* an element: @first [ @second ] */
  GILK_NODE_EVERY,           /* condition every ( @number ) */
  GILK_NODE_LIMIT,
  GILK_NODE_GET,             /* an element of a table: @name [ @first ]; typing makes this kind from
                              * a GILK_NODE_INDEX */
  GILK_NODE_TAKE,            /* built-in take ( @name, @first ) */
  GILK_NODE_NS,              /* built-in ns ( @first ) */
  GILK_NODE_STACK,           /* built-in stack ( ) */
  GILK_NODE_USER,            /* user ( @first ): @first as a pointer into the memory of the current
                              * task */
  GILK_NODE_SYMBOL,          /* symbol ( @first ): the value @first, displayed as a symbol name */
  GILK_NODE_STRING,          /* string ( @first, @number of bytes ) */
  GILK_NODE_CHANCE,          /* built-in chance ( @number ) */
  GILK_NODE_VARIABLE,        /* built-in variable ( @name ) */
  GILK_NODE_TEXT,            /* a string: "@name" */
  GILK_NODE_COMM_IS,         /* comm @mark "@name"; @mark is "==" or "!="; typing makes this kind
                              * from a GILK_NODE_BINARY */
  GILK_NODE_EVENT,           /* built-in event ( @name or @number ); typing sets @number to a
                              * GILK_EVENT_KEY() */

  /* statements; the statements of a block, and the fields of a sample, are linked by @next */
  GILK_NODE_BLOCK,           /* a block; @first: the first of its statements */
  GILK_NODE_IF,              /* if ( @first ) @second else @third, where @third may be NULL */
  GILK_NODE_LET,             /* statement let @name = @first */
  GILK_NODE_SET,             /* an assignment: @name @mark @first; @mark is "=", "+=" or "-=" */
  GILK_NODE_MAP_SET,         /* an assignment to an element of a map: @name [ @first ] @mark
                              * @second; @mark is "=" or "+=" */
  GILK_NODE_HISTOGRAM_ADD,   /* addition of a value to a histogram: @name ( @first ) */
  GILK_NODE_SAMPLE,          /* sample; @first: the first of its fields */
  GILK_NODE_FIELD,           /* a field of a sample: @name = @first, where @name may be NULL */
  GILK_NODE_COUNT,
  GILK_NODE_START,           /* start of a hook; @name: the hook's label */
  GILK_NODE_STOP,
  GILK_NODE_STOP_RUN,        /* statement stop run */
  GILK_NODE_NOTIFY,          /* statement notify ( @name ) */
  GILK_NODE_MARKER,          /* statement marker ( @name, @first or NULL ) */
  GILK_NODE_WATCH,           /* statement watch ( @name, @first ) */
  GILK_NODE_FREEZE,
  GILK_NODE_CRASH,           /* statement crash ( @name ) */
  GILK_NODE_RETURN,
  /* statements that change the kernel's behaviour */
  GILK_NODE_NULLIFY,         /* statement nullify ( @first or NULL ) */
  GILK_NODE_REPLACE,         /* statement replace ( @name ) */
  GILK_NODE_TAKEN,           /* statement take */
  GILK_NODE_PASSED,          /* statement pass */
  GILK_NODE_REGISTER_SET,    /* an assignment to a register: %@number @mark @first */
  GILK_NODE_STORE,           /* an assignment to memory: @first @mark @second; typing makes this
                              * kind from a GILK_NODE_MAP_SET with @third */

  /* declarations; with @is_common, all hooks that declare the name share one map */
  GILK_NODE_GLOBAL,          /* declaration of a global: @name = @number */
  GILK_NODE_COUNTER,
  GILK_NODE_HISTOGRAM,       /* declaration of a histogram: @name (@number) */
  GILK_NODE_MAP,             /* declaration of a map: @name [@number] of @shows */
  GILK_NODE_TABLE,           /* declaration of a table; uses the same members as GILK_NODE_MAP */
} GilkNodeKind;

typedef struct _GilkNode GilkNode;
typedef struct _GilkMeaning GilkMeaning;

/* Requirements that must be met where an expression is evaluated. */
enum {
  GILK_NEEDS_CRITICAL = 1,   /* the expression must be evaluated in a critical section
                              * (GILK_OP_ENTER) */
  GILK_NEEDS_GUARD   = 2,    /* the critical section must also be guarded against recursive hits */
  GILK_NEEDS_CHECK   = 4,    /* the value must be checked, because it may be bad (not computable: a
                              * load faulted, a divisor was 0) */
};

struct _GilkNode {
  GilkNodeKind kind;
  GilkTextPart part;         /* text of the whole node */
  GilkTextPart at;           /* text of the node's operator or name */
  guint        mark;         /* the operator, encoded as in the mark of a GilkToken */
  const char  *name;
  guint        stars;
  uint64_t     number;
  gboolean     is_unsigned, is_common;
  guint        height;
  GilkNode    *first, *second, *third, *next;

  /* The members below are set by typing. */
  GilkCType    type;
  guint        needs;        /* GILK_NEEDS_*, including those of all child nodes */
  /* the node is an object in memory, such as a variable or member: evaluating it yields its
   * address, not its value */
  gboolean     is_object;
  gboolean     is_user;      /* the object is in the memory of the current task, not in the kernel's */
  gboolean     is_loaded;    /* the node is an object whose value is loaded */
  gboolean     is_constant;
  int64_t      value;        /* value of a constant */
  GilkMember   member;
  uint64_t     scale;        /* for [], + and - with a pointer: size in bytes of the type it points
                              * to */
  GilkMeaning  *meaning;
  const char   *shows;       /* (nullable), interned: meaning of the number, see gilk-format.h; the
                              * parser sets it for a declared map */
  guint        index;        /* index of the node's map, of the hook that it starts or stops, or of
                              * the sample's field */
};

typedef struct {
  GPtrArray    *nodes;       /* owns the nodes */
  GStringChunk *words;
  GilkNode     *program;     /* a GILK_NODE_BLOCK */
} GilkSyntax;

/**
 * gilk_syntax_new:
 * @is_type: returns whether @name, as in "(NAME) - 1", is a type
 * Returns: NULL with the error in @source
 */
GilkSyntax *gilk_syntax_new  (GilkSource *source, gboolean (*is_type) (const char *name, gpointer data),
                              gpointer data);
void        gilk_syntax_free (GilkSyntax *syntax);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkSyntax, gilk_syntax_free)

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-names.h - finds the meaning of names in a program
 *
 * Threads: a GilkNames belongs to one thread at a time.
 */
#pragma once

#include "core/language/gilk-program-place.h"
#include "core/language/gilk-syntax.h"

G_BEGIN_DECLS

typedef enum {
  GILK_MEANS_LET,
  GILK_MEANS_GLOBAL,
  GILK_MEANS_COUNTER,
  GILK_MEANS_HISTOGRAM,
  GILK_MEANS_MAP,
  GILK_MEANS_TABLE,
  GILK_MEANS_REGISTER,      /* an argument, or the return value; @number is a register number */
  GILK_MEANS_CPU_NUMBER,    /* the number of the current CPU; @number is the offset of the per-CPU
                             * variable that holds it */
  GILK_MEANS_TASK,
  GILK_MEANS_TASK_MEMBER,   /* an int member of struct task_struct, at offset @number */
  GILK_MEANS_COMM,          /* the task's name, at offset @number in struct task_struct */
  GILK_MEANS_NOW,
  GILK_MEANS_FACT,          /* a property of the access that hit a watchpoint; @number is a
                             * GilkWatchFact */
  GILK_MEANS_CONTEXT,       /* argument of a tracepoint, or "ip" at a timer; @number is the index of
                             * its 8-byte word in the context that BPF passes (GILK_OP_CONTEXT) */
  GILK_MEANS_ONCE,
  GILK_MEANS_CONSTANT,      /* a constant with the value @number */
  GILK_MEANS_LOCAL,         /* the local variable @local of the hooked function */
} GilkMeaningKind;

struct _GilkMeaning {
  GilkMeaningKind kind;
  const char    *name;
  GilkCType      type;
  int64_t        number;     /* depends on the kind, see GilkMeaningKind; for a map or table: index
                              * of its counter of lost updates (GILK_MAP_MISSED) */
  guint          map;        /* for a map: its index in the list of maps */
  guint          value;      /* for a "let" (variable): number of the value that holds it in the
                              * program's operations */
  const char    *shows;      /* meaning of the value of a "let" or of a table's values, as in
                              * GilkNode.shows */
  gboolean       is_time;    /* whether the value of a "let" is in nanoseconds, from ns() */
  const GilkDwarfVariable *local;
};

typedef struct {
  /* the probe point; types from debug data are added to it on demand */
  GilkProgramPlace       *place;
  GilkSource             *source;
  /* prototype of the function at the probe point; if it is unknown: void, with no arguments */
  GilkPrototype           prototype;
  gboolean                has_prototype;
  gboolean                types_loaded;  /* whether the types that debug data have at the probe
                                          * point were added to @place */
  gboolean                types_searched;  /* whether the debug data of other compilation units were
                                            * searched for a type */
  GError                 *no_types;      /* why types could not be read from debug data; NULL: they
                                          * were not requested, or were read */
  GPtrArray              *visible;       /* names that are declared and in scope, in the order of
                                          * declaration */
  GPtrArray              *all;           /* owns all meanings, and the syntax nodes that are not
                                          * part of the syntax tree */
} GilkNames;

GilkNames *gilk_names_new  (GilkProgramPlace *place, GilkSource *source);
void       gilk_names_free (GilkNames *names);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkNames, gilk_names_free)

/*
 * If BTF lacks the types of the probe point's module, reads them from debug data; only the first
 * call does so. Must be called before each lookup of a type or function that may be found only in
 * debug data. Returns FALSE, with an error at @at, if the request to the target failed; missing
 * types are not a failure.
 */
gboolean     gilk_names_load_types (GilkNames *names, GilkTextPart at);
/*
 * Adds the types that debug data have at the probe point. If @name is not NULL, also looks for type
 * @name in other compilation units, but only in the first such call. Returns FALSE in the same
 * cases as gilk_names_load_types().
 */
gboolean     gilk_names_load_more  (GilkNames *names, const char *name, GilkTextPart at);
/* Finds type @name in BTF or debug data. Returns FALSE if it does not exist; on failure, returns
 * FALSE with an error set. */
gboolean     gilk_names_find_type  (GilkNames *names, const char *name, GilkTextPart at, GilkCType *type);
/* Declares a "let" (variable) or a map. Returns NULL with an error set if the name is already in
 * use. */
GilkMeaning *gilk_names_declare (GilkNames *names, const GilkNode *node, GilkMeaningKind kind);
/* Returns the program's declaration of @name, or NULL. */
GilkMeaning *gilk_names_find_declared (const GilkNames *names, const char *name);
/* Returns whether @name is declared by the program or is an argument. */
gboolean    gilk_names_is_taken (GilkNames *names, const char *name);
/* Calls @visit for each name that is defined at the probe point, except constants and names that
 * the program declares. */
void        gilk_names_foreach   (GilkNames *names, void (*visit) (const char *name, const GilkCType *type, gpointer data),
                                  gpointer data);
gboolean     gilk_names_is_argument (GilkNames *names, const char *name);
/* Returns the meaning of @name. NULL with an error at @at if @name is undefined, or is not
 * available at this probe point. */
GilkMeaning *gilk_names_find    (GilkNames *names, const char *name, GilkTextPart at);
/* Fails with the error that @name is unknown, suggesting a similar name. Returns: FALSE */
gboolean    gilk_names_fail_unknown (GilkNames *names, const char *name, GilkTextPart at);

G_END_DECLS

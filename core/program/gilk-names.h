/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-names.h - what the names in a program mean
 *
 * Threads: that of the one who reads the program.
 */
#pragma once

#include "core/program/gilk-syntax.h"

G_BEGIN_DECLS

typedef enum {
  GILK_MEANS_LET,
  GILK_MEANS_GLOBAL,
  GILK_MEANS_COUNTER,
  GILK_MEANS_HISTOGRAM,
  GILK_MEANS_MAP,
  GILK_MEANS_TABLE,
  GILK_MEANS_REGISTER,      /* an argument, or the value returned: @number is the machine's register */
  GILK_MEANS_CPU_NUMBER,    /* per-CPU variables of the kernel, at @number */
  GILK_MEANS_TASK,
  GILK_MEANS_OF_TASK,       /* a number at @number of the task */
  GILK_MEANS_COMM,          /* text, likewise */
  GILK_MEANS_NOW,
  GILK_MEANS_FACT,          /* of a watch: @number is a GilkWatchFact */
  GILK_MEANS_ONCE,
  GILK_MEANS_CONSTANT,      /* @number */
  GILK_MEANS_LOCAL,         /* @local */
} GilkMeaningKind;

struct _GilkMeaning {
  GilkMeaningKind kind;
  const char    *name;
  GilkCType      type;
  int64_t        number;     /* of a map or table: the counter of what it misses, kept likewise */
  guint          kept;       /* of what the program keeps */
  guint          value;      /* of a let: of its operations */
  const char    *shows;      /* of a let, or of what a table has: as a node's */
  gboolean       is_time;    /* of a let: nanoseconds, by ns() */
  const GilkDwarfVariable *local;
};

typedef struct {
  GilkProgramPlace       *place;         /* its types become those of the module when something asks for them */
  GilkSource             *source;
  GilkPrototype           prototype;     /* no arguments and void if it is not known */
  gboolean                has_prototype;
  gboolean                asked_types;
  GError                 *no_types;      /* why the module has none */
  GPtrArray              *visible;       /* what was declared, in its order */
  GPtrArray              *all;           /* owns them, and nodes that are not the syntax's */
} GilkNames;

GilkNames  *gilk_names_new     (GilkProgramPlace *place, GilkSource *source);
void        gilk_names_free    (GilkNames *names);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkNames, gilk_names_free)

/*
 * Before types or functions are looked for that may be a module's: has it tell them, if it has not. FALSE, failed at @at:
 * nobody could be asked. That there are none is no failure.
 */
gboolean     gilk_names_ask_types (GilkNames *names, GilkTextPart at);
/* Of a let or what is kept; NULL, failed: the name is taken. */
GilkMeaning *gilk_names_declare (GilkNames *names, const GilkNode *node, GilkMeaningKind kind);
/* What the program declared; NULL: nothing of that name. */
GilkMeaning *gilk_names_visible (const GilkNames *names, const char *name);
/* Has the program declared it, or is it an argument? */
gboolean    gilk_names_is_taken (GilkNames *names, const char *name);
/* Calls @visit for each name that means something here, but for those of constants, and what @program declares. */
void        gilk_names_offer   (GilkNames *names, void (*visit) (const char *name, const GilkCType *type, gpointer data),
                                gpointer data);
gboolean     gilk_names_is_argument (GilkNames *names, const char *name);
/* What @name means; NULL, failed at @at: nothing, or not here. */
GilkMeaning *gilk_names_find    (GilkNames *names, const char *name, GilkTextPart at);
/* Fails: there is no @name; what it may have been meant to be is told. Returns: FALSE */
gboolean    gilk_names_unknown (GilkNames *names, const char *name, GilkTextPart at);

G_END_DECLS

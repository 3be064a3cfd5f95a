/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-typing.h - typing: finds the meaning of each node of a program, or fails with an error
 *
 * Threads: one thread at a time for each program.
 */
#pragma once

#include "core/language/gilk-changes.h"
#include "core/language/gilk-maps.h"
#include "core/language/gilk-names.h"
#include "core/language/gilk-sample-layout.h"

G_BEGIN_DECLS

#define GILK_NO_MAP G_MAXUINT

typedef struct {
  GilkSource             *source;
  const GilkProgramPlace *place;
  GilkNames              *names;
  GilkMapList           *maps;
  GArray                 *gates;        /* (element-type int): indices of the hooks that the program
                                         * starts or stops */
  GArray                 *calls;        /* GilkProgramCall */
  guint                   changes;      /* GilkChange bits */
  GArray                 *acts;         /* GilkProgramAct */
  GilkSampleLayout               layout;
  guint                   needs;        /* GILK_NEEDS_* of the whole program */
  /* whether the program computes a value that may be bad (a load may fault, a divisor may be 0), so
   * that bad values must be counted */
  gboolean                bad;
  guint                   bad_map;      /* index of the counter of bad values, or GILK_NO_MAP */
  guint                   stacks;       /* index of the map of stack traces, or GILK_NO_MAP */
  const GilkNode         *last_sample;
} GilkTyping;

/* Sets the types of all nodes of @program, and the remaining members of @typing. Returns FALSE on
 * failure. */
gboolean gilk_typing_program    (GilkTyping *typing, GilkNode *program);

/* Sets the type of @node, which must be a value: a number or a pointer. The functions from here on
 * are called only by gilk-typing*.c. */
gboolean gilk_typing_value    (GilkTyping *typing, GilkNode *node);
/*
 * Finds the declaration of @node's name, which must be of kind @kind. @what: how to declare a name
 * of that kind, shown in the error message. Returns FALSE on failure.
 */
gboolean gilk_typing_declared (GilkTyping *typing, GilkNode *node, GilkMeaningKind kind, const char *what);
/* Works like gilk_typing_value(), but also accepts text: comm or string(). */
gboolean gilk_typing_field    (GilkTyping *typing, GilkNode *node);
/* Returns the length in words of the text that @node, which is typed, is; 0: it is a value. */
guint    gilk_typing_words    (const GilkNode *node);
/* Records, in the map or table that @node accesses, whether its keys are signed and what they mean,
 * from the key @node->first. Fails if the map has other keys elsewhere. */
gboolean gilk_typing_key      (GilkTyping *typing, const GilkNode *node);
/* Works like gilk_typing_value(), but accepts a value that may be bad (not computable). At a hit, a
 * bad value is counted, and then ends the "if" or the program. */
gboolean gilk_typing_counted  (GilkTyping *typing, GilkNode *node);
/* Sets the type of @node, which must be an object in kernel memory that is a number or a
 * pointer. */
gboolean gilk_typing_object   (GilkTyping *typing, GilkNode *node);

/* Sets the type of @node, which is the name of a local variable. In gilk-typing-local.c. */
gboolean gilk_typing_local      (GilkTyping *typing, GilkNode *node);

/* The next functions are in gilk-typing-change.c. They check statements that change the kernel. */
gboolean gilk_typing_nullify    (GilkTyping *typing, GilkNode *node);
gboolean gilk_typing_replace    (GilkTyping *typing, GilkNode *node);
gboolean gilk_typing_branch     (GilkTyping *typing, GilkNode *node);
gboolean gilk_typing_register   (GilkTyping *typing, GilkNode *node);
gboolean gilk_typing_store      (GilkTyping *typing, GilkNode *node);
/*
 * Returns whether @node, a GILK_NODE_SET, sets an argument or a variable held in a register. If so,
 * @node becomes a GILK_NODE_REGISTER_SET.
 */
gboolean gilk_typing_is_register_set (GilkTyping *typing, GilkNode *node);

/* The next functions are in gilk-typing-service.c. */
gboolean gilk_typing_event (GilkTyping *typing, GilkNode *node);
gboolean gilk_typing_crash (GilkTyping *typing, GilkNode *node);

/* The next functions are in gilk-typing-text.c. */
gboolean gilk_typing_string (GilkTyping *typing, GilkNode *node);   /* its pointer is typed */
gboolean gilk_typing_comm  (GilkTyping *typing, GilkNode *node);
/* Fails with the error that a string is not allowed at @node. Returns: FALSE */
gboolean gilk_typing_text  (GilkTyping *typing, const GilkNode *node);

/* Works like gilk_typing_declared() for a table. */
gboolean gilk_typing_table (GilkTyping *typing, GilkNode *node);

/* Records that statement @node changes the kernel by @change. */
static inline void
gilk_typing_add_act (GilkTyping *typing, const GilkNode *node, GilkChange change)
{
  const GilkProgramAct act = { change, node->part.offset, node->part.length };

  g_array_append_val (typing->acts, act);
}

G_END_DECLS

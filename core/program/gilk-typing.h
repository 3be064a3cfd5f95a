/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-typing.h - finds out what each node of a program means, and refuses what means nothing
 *
 * Threads: that of the one who reads the program.
 */
#pragma once

#include "core/program/gilk-kept.h"
#include "core/program/gilk-names.h"
#include "core/program/gilk-shape.h"

G_BEGIN_DECLS

#define GILK_NOT_KEPT G_MAXUINT

typedef struct {
  GilkSource             *source;
  const GilkProgramPlace *place;
  GilkNames              *names;
  GilkKeptList           *kept;
  GArray                 *gates;         /* int: of hooks */
  GArray                 *calls;         /* GilkProgramCall */
  guint                   changes;       /* GilkChange bits */
  GArray                 *acts;          /* GilkProgramAct */
  GilkShape               shape;
  guint                   needs;         /* GILK_NEEDS_*, of the whole */
  gboolean                bad;           /* something may be, and is to be counted */
  guint                   bad_kept;      /* that counter, or GILK_NOT_KEPT */
  guint                   stacks;        /* where stacks are kept, or that */
  const GilkNode         *last_sample;
} GilkTyping;

/* Fills what @program's nodes have, and @typing. FALSE, failed. */
gboolean gilk_typing_program    (GilkTyping *typing, GilkNode *program);

/* For its other files: @node as a value that is a number or a pointer. */
gboolean gilk_typing_value      (GilkTyping *typing, GilkNode *node);
/* Fills the meaning of @node by its name, which is to be of @kind; @what: how that is declared. FALSE, failed. */
gboolean gilk_typing_declared   (GilkTyping *typing, GilkNode *node, GilkMeaningKind kind, const char *what);
/* The key of @node, a map or table: what it is known to be. */
void     gilk_typing_key        (GilkTyping *typing, const GilkNode *node);
/* A value that, if it is bad, ends the hit or passes an "if" over. */
gboolean gilk_typing_counted    (GilkTyping *typing, GilkNode *node);
/* @node as a place in the kernel's memory that a number or a pointer lies in, on its own. */
gboolean gilk_typing_object     (GilkTyping *typing, GilkNode *node);

/* gilk-typing-local.c: @node is a name that means a local. */
gboolean gilk_typing_local      (GilkTyping *typing, GilkNode *node);

/* gilk-typing-change.c */
gboolean gilk_typing_nullify    (GilkTyping *typing, GilkNode *node);
gboolean gilk_typing_replace    (GilkTyping *typing, GilkNode *node);
gboolean gilk_typing_branch     (GilkTyping *typing, GilkNode *node);
gboolean gilk_typing_register   (GilkTyping *typing, GilkNode *node);
gboolean gilk_typing_store      (GilkTyping *typing, GilkNode *node);
/* Is @node, a GILK_NODE_SET, of what a register holds by that name? Then it is a GILK_NODE_REGISTER_SET by now. */
gboolean gilk_typing_is_register_set (GilkTyping *typing, GilkNode *node);

/* gilk-typing-service.c */
gboolean gilk_typing_event      (GilkTyping *typing, GilkNode *node);
gboolean gilk_typing_crash      (GilkTyping *typing, GilkNode *node);
gboolean gilk_typing_comm       (GilkTyping *typing, GilkNode *node);
/* Where it stands by itself it is refused. */
gboolean gilk_typing_text       (GilkTyping *typing, const GilkNode *node);

/* The same of a table. */
gboolean gilk_typing_table      (GilkTyping *typing, GilkNode *node);
/* Notes what the keys are of the map or table that @node means, of which @node->first is one. */
void     gilk_typing_key        (GilkTyping *typing, const GilkNode *node);

/* Notes that the statement @node makes @change. */
static inline void
gilk_typing_add_act (GilkTyping *typing, const GilkNode *node, GilkChange change)
{
  const GilkProgramAct act = { change, node->part.offset, node->part.length };

  g_array_append_val (typing->acts, act);
}

G_END_DECLS

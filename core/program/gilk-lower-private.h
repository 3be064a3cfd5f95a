/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-lower-private.h - between the files that make operations of a program
 */
#pragma once

#include "core/program/gilk-lower.h"

G_BEGIN_DECLS

/* A place ahead that ways lead to; it gets a label with the first that does. */
typedef struct {
  gboolean is_used;
  guint    label;
} GilkSpot;

/* What an expression came to. */
typedef struct {
  gboolean is_constant;
  int64_t  constant;
  guint    value;
} GilkOperand;

typedef struct {
  const GilkTyping *typing;
  GilkOps          *ops;
  uint32_t          place;         /* in the text, of what is made now */
  gboolean          inside;        /* a stretch, at the next operation */
  gboolean          dead;          /* no way leads to it */
  GilkSpot         *bad;           /* where what is bad leads to */
  GilkSpot          end_inside, end_outside, bad_inside, bad_outside;
  guint             task;          /* the value that holds the current task, or GILK_NO_VALUE */
  gboolean          is_let[GILK_OPS_VALUES];
  GArray           *temporary;     /* guint: values of this statement */
  GArray           *spare;         /* those of statements that are over */
} GilkLower;

/* ---- operations ---- */

GilkOp      gilk_lower_op       (GilkOpKind kind);
void        gilk_lower_add      (GilkLower *lower, GilkOp op);
guint       gilk_lower_value    (GilkLower *lower);
guint       gilk_lower_let      (GilkLower *lower);
/* The values of this statement are not needed any more. */
void        gilk_lower_over     (GilkLower *lower);
guint       gilk_lower_label    (GilkLower *lower, GilkSpot *spot);
void        gilk_lower_place    (GilkLower *lower, GilkSpot *spot);
void        gilk_lower_jump     (GilkLower *lower, GilkSpot *spot);
void        gilk_lower_branch   (GilkLower *lower, GilkCompare compare, GilkOperand a, GilkOperand b, GilkSpot *spot);
GilkOperand gilk_lower_constant (int64_t constant);
GilkOperand gilk_lower_in       (guint value);
/* The operand as a value; as one that may be written. */
guint       gilk_lower_as_value (GilkLower *lower, GilkOperand operand);
void        gilk_lower_move     (GilkLower *lower, guint to, GilkOperand from);
GilkOperand gilk_lower_compute  (GilkLower *lower, GilkOpKind kind, GilkOperand a, GilkOperand b);
/* A quotient or rest; @sure: it cannot be bad. */
GilkOperand gilk_lower_divide   (GilkLower *lower, GilkOpKind kind, GilkOperand a, GilkOperand b, gboolean is_signed,
                                 gboolean sure);
/* @from of type @was as a @type. */
GilkOperand gilk_lower_narrow   (GilkLower *lower, GilkOperand from, const GilkCType *was, const GilkCType *type);
/* The element of what is kept += @amount. */
void        gilk_lower_area_add (GilkLower *lower, guint kept, GilkOperand amount);
GilkOperand gilk_lower_area_load (GilkLower *lower, guint kept);
void        gilk_lower_area_store (GilkLower *lower, guint kept, GilkOperand from);
/* What a table has at @key, which @take gives up; 0: it has not. */
GilkOperand gilk_lower_of_table (GilkLower *lower, guint kept, GilkOperand key, gboolean take);
/* The number of this hit's stack. */
GilkOperand gilk_lower_stack    (GilkLower *lower, const GilkNode *node);
/* What a counter of events holds, which is not ILK_EVENT_BAD. */
GilkOperand gilk_lower_event    (GilkLower *lower, const GilkNode *node);
GilkOperand gilk_lower_nanoseconds (GilkLower *lower, GilkOperand ticks);
/* A comparison of the thread's name with a text, as gilk_lower_condition(). */
void        gilk_lower_comm     (GilkLower *lower, const GilkNode *node, GilkSpot *spot, gboolean jump_if);
/* every, limit, chance, once: to @spot if that does not hold. */
void        gilk_lower_often    (GilkLower *lower, const GilkNode *node, GilkSpot *spot);
/* @size bytes of the current task, which can always be read. */
GilkOperand gilk_lower_of_task  (GilkLower *lower, int64_t offset, guint size, gboolean is_signed);
GilkOperand gilk_lower_task     (GilkLower *lower, int64_t current_task);

/* ---- expressions ---- */

GilkOperand gilk_lower_expression (GilkLower *lower, const GilkNode *node);
/* The same, as a @type. */
GilkOperand gilk_lower_converted  (GilkLower *lower, const GilkNode *node, const GilkCType *type);
/* To @spot if @node is true or not, as @jump_if says; else on. */
void        gilk_lower_condition  (GilkLower *lower, const GilkNode *node, GilkSpot *spot, gboolean jump_if);

/* For statements: what @node's object holds, of which @at is to be the address as a value; and what it gets. */
GilkOperand gilk_lower_load_at    (GilkLower *lower, guint at, int64_t offset, const GilkCType *type);
void        gilk_lower_address    (GilkLower *lower, const GilkNode *node, guint *at, int64_t *offset);
GilkOperand gilk_lower_register   (GilkLower *lower, int64_t number);
GilkOperand gilk_lower_clock      (GilkLower *lower);

/* ---- what changes what the kernel does ---- */

void        gilk_lower_exit         (GilkLower *lower, const GilkNode *node);
void        gilk_lower_register_set (GilkLower *lower, const GilkNode *node);
/* Within a stretch. */
void        gilk_lower_store        (GilkLower *lower, const GilkNode *node);

/* ---- samples; within a stretch ---- */

/* Puts what is up to the first 0 at @node's address into @n words, and leaves the others as they are. */
void        gilk_lower_string     (GilkLower *lower, const GilkNode *node, const guint *words, guint n);
void        gilk_lower_sample     (GilkLower *lower, const GilkNode *node);

G_END_DECLS

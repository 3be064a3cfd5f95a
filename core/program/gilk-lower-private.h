/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-lower-private.h - interface between the files that turn a program into operations
 *
 * A value is bad if it could not be computed: memory could not be read, or a divisor was 0.
 */
#pragma once

#include "core/program/gilk-lower.h"

G_BEGIN_DECLS

/* The target of forward branches. It is assigned a label when the first branch to it is emitted. */
typedef struct {
  gboolean is_used;
  guint    label;
} GilkOpTarget;

/* The result of an expression. */
typedef struct {
  gboolean is_constant;
  int64_t  constant;
  guint    value;
} GilkOperand;

typedef struct {
  const GilkTyping *typing;
  GilkOps          *ops;
  uint32_t          place;         /* position, in the program's text, of the statement that is
                                    * being converted */
  gboolean          inside;        /* the next operation is in a critical section */
  gboolean          dead;          /* the next operation is unreachable */
  GilkOpTarget         *bad;       /* branch target for bad values */
  GilkOpTarget          end_inside, end_outside, bad_inside, bad_outside;
  guint             task;  /* number of the value that holds the pointer to the current task, or
                            * GILK_NO_VALUE */
  gboolean          is_let[GILK_OPS_VALUES];
  GArray           *temporary;     /* (element-type guint): numbers of this statement's temporary
                                    * values */
  GArray           *spare;         /* (element-type guint): numbers of earlier statements' temporary
                                    * values, free for reuse */
} GilkLower;

/* ---- operations ---- */

GilkOp      gilk_lower_op       (GilkOpKind kind);
void        gilk_lower_add      (GilkLower *lower, GilkOp op);
guint       gilk_lower_value    (GilkLower *lower);
guint       gilk_lower_let      (GilkLower *lower);
/* Ends a statement: makes its temporary values available for reuse. */
void        gilk_lower_end_statement     (GilkLower *lower);
guint       gilk_lower_label    (GilkLower *lower, GilkOpTarget *target);
void        gilk_lower_place_target    (GilkLower *lower, GilkOpTarget *target);
void        gilk_lower_jump     (GilkLower *lower, GilkOpTarget *target);
void        gilk_lower_branch   (GilkLower *lower, GilkCompare compare, GilkOperand a, GilkOperand b, GilkOpTarget *target);
GilkOperand gilk_lower_constant (int64_t constant);
GilkOperand gilk_lower_operand       (guint value);
/* Returns the number of the value that holds the operand; first loads a constant into a new
 * value. */
guint       gilk_lower_as_value (GilkLower *lower, GilkOperand operand);
void        gilk_lower_move     (GilkLower *lower, guint to, GilkOperand from);
GilkOperand gilk_lower_compute  (GilkLower *lower, GilkOpKind kind, GilkOperand a, GilkOperand b);
/* Returns the quotient or remainder of two operands. @sure: @b is a constant by which a division
 * cannot fail */
GilkOperand gilk_lower_divide   (GilkLower *lower, GilkOpKind kind, GilkOperand a, GilkOperand b, gboolean is_signed,
                                 gboolean sure);
/* Converts @from from type @was to @type. */
GilkOperand gilk_lower_narrow   (GilkLower *lower, GilkOperand from, const GilkCType *was, const GilkCType *type);
/* Adds @amount to the value of map @map, which has a single value, such as a counter. */
void        gilk_lower_area_add (GilkLower *lower, guint map, GilkOperand amount);
GilkOperand gilk_lower_area_load (GilkLower *lower, guint map);
void        gilk_lower_area_store (GilkLower *lower, guint map, GilkOperand from);
/* Returns the value of table @map for @key; 0 if the table lacks @key. If @take is set, removes
 * @key. */
GilkOperand gilk_lower_table_get (GilkLower *lower, guint map, GilkOperand key, gboolean take);
/* Returns the id under which the driver has stored the hit's stack trace. */
GilkOperand gilk_lower_stack    (GilkLower *lower, const GilkNode *node);
/* Returns the value of an event counter. If the counter returns GILK_EVENT_BAD, the value is bad:
 * branches to lower->bad. */
GilkOperand gilk_lower_event    (GilkLower *lower, const GilkNode *node);
GilkOperand gilk_lower_nanoseconds (GilkLower *lower, GilkOperand ticks);
/* Lowers a comparison of the thread's name with a string. Branches like gilk_lower_condition(). */
void        gilk_lower_comm     (GilkLower *lower, const GilkNode *node, GilkOpTarget *target, gboolean jump_if);
/* Emits the test of a condition "every", "limit", "chance" or "once": branches to @target if it is
 * false. */
void        gilk_lower_limiter    (GilkLower *lower, const GilkNode *node, GilkOpTarget *target);
/* Loads @size bytes at @offset in the current task's task_struct. This load cannot fail. */
GilkOperand gilk_lower_task_load  (GilkLower *lower, int64_t offset, guint size, gboolean is_signed);
GilkOperand gilk_lower_task     (GilkLower *lower, int64_t current_task);

/* ---- expressions ---- */

GilkOperand gilk_lower_expression (GilkLower *lower, const GilkNode *node);
/* Works like gilk_lower_expression(), but converts the result to @type. */
GilkOperand gilk_lower_converted  (GilkLower *lower, const GilkNode *node, const GilkCType *type);
/* Emits a branch to @target that is taken if the truth value of @node equals @jump_if. */
void        gilk_lower_condition  (GilkLower *lower, const GilkNode *node, GilkOpTarget *target, gboolean jump_if);

/* For assignments: gilk_lower_load_at() loads an object from the address in value @at plus @offset;
 * gilk_lower_address() computes the address of @node. */
GilkOperand gilk_lower_load_at  (GilkLower *lower, guint at, int64_t offset, const GilkCType *type);
void        gilk_lower_address  (GilkLower *lower, const GilkNode *node, guint *at, int64_t *offset);
GilkOperand gilk_lower_register (GilkLower *lower, int64_t number);
GilkOperand gilk_lower_clock    (GilkLower *lower);

/* ---- text: @node is a string or the thread's name ---- */

/* Returns the value that holds the address of a string; GILK_NO_VALUE for the thread's name. */
guint       gilk_lower_text_address (GilkLower *lower, const GilkNode *node);
/* Loads text from the address in value @at into the values @words, up to its terminating 0. The words after it are left
 * unchanged. */
void        gilk_lower_text     (GilkLower *lower, const GilkNode *node, guint at, const guint *words);
/* Like gilk_lower_text(), but creates @words, of which there are up to GILK_TEXT_WORDS. Returns the text's hash. */
GilkOperand gilk_lower_text_key (GilkLower *lower, const GilkNode *node, guint at, guint *words);
/* Returns the key of a map: a number, or the hash of a text, as gilk_lower_text_key() does. */
GilkOperand gilk_lower_key      (GilkLower *lower, const GilkNode *node, guint *words);
/* Stores the text of a key in the map's slot. The current operation must be in a critical section. */
void        gilk_lower_key_text (GilkLower *lower, const GilkProgramMap *map, guint slot, const guint *words);

/* ---- lowers changes to the kernel's behaviour ---- */

void gilk_lower_exit         (GilkLower *lower, const GilkNode *node);
void gilk_lower_register_set (GilkLower *lower, const GilkNode *node);
/* Emits a store to memory. The current operation must be in a critical section. */
void gilk_lower_store        (GilkLower *lower, const GilkNode *node);

/* ---- samples; the operations must be in a critical section ---- */

void gilk_lower_sample (GilkLower *lower, const GilkNode *node);

G_END_DECLS

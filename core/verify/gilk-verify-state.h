/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-verify-state.h - verifier: known state before an instruction, on all paths to it
 *
 * Threads: one at a time for each state.
 */
#pragma once

#include <glib.h>

#include "core/verify/gilk-verify-value.h"
#include "ilk/ilk-abi.h"

G_BEGIN_DECLS

enum {
  GILK_STATE_SLOTS = 320,            /* maximum number of words that a hook may have on the stack */
  GILK_STATE_FLAGS = 0x3f,           /* mask of GILK_FLAG_*: the arithmetic flags */
  GILK_STATE_DIRECTION = 0x40,       /* bit for the direction flag */
  GILK_STATE_CARRY = 1,
  GILK_STATE_RAX = 0, GILK_STATE_RCX = 1, GILK_STATE_RDX = 2, GILK_STATE_RSP = 4,
  GILK_STATE_CELLS = ILK_RECORD_CELLS (ILK_SAMPLE_MAX),
  GILK_STATE_NAME = 16,              /* offset of the words iid and len in a record */
};

/* Values that a divisor or dividend is known not to have. A GilkValue is a range, which cannot
 * exclude a single value. */
typedef enum { GILK_NEVER_0, GILK_NEVER_MINUS_1, GILK_NEVER_LEAST, GILK_NEVERS } GilkNever;

/* Meaning of the flags, valid until a flag, or an operand of the comparison, is written. */
typedef enum {
  GILK_FACT_NONE,
  GILK_FACT_NUMBER,                  /* @where was compared with @number */
  GILK_FACT_ROOM,                    /* the ring's head was compared with the ring's limit */
  GILK_FACT_CONTEXT,                 /* the context was compared with the re-entry guard */
  GILK_FACT_NEGATED,                 /* a copy of @where was negated; an overflow means that @where
                                      * is INT64_MIN */
} GilkFlagsFactKind;

typedef struct {
  uint8_t  kind;                     /* GilkFlagsFactKind */
  uint8_t  size;
  gboolean swapped;                  /* the value at @where was the right operand of the
                                      * comparison */
  guint    where;                    /* location of the operand: number of a register, or 16 plus a
                                      * stack slot */
  uint64_t number;
} GilkFlagsFact;

typedef struct {
  GilkValue regs[16];
  guint     depth;                   /* number of stack slots in use */
  guint     flags;                   /* flags that still have their initial values;
                                      * GILK_STATE_DIRECTION may be one of them */
  guint     longest;                 /* number of instructions on the longest path to here */
  guint     preempt;                 /* amount by which the preempt count was raised */
  gboolean  guarded;
  gboolean  guard_free;              /* no other hook of this context (task, softirq, ...) is
                                      * active */
  gboolean  forward;                 /* the direction flag is clear, whatever it was initially */
  gboolean  room;                    /* the ring has space for the record */
  gboolean  extended;                /* rdx holds the sign extension of rax */
  int       copy, copied;            /* two registers known to hold the same value; -1: none */
  uint16_t  never[GILK_NEVERS];      /* for each GilkNever: mask of registers known not to have that
                                      * value */
  uint16_t  fits[16];                /* for each dividend register: mask of divisor registers for
                                      * which the signed quotient fits */
  guint     cells;                   /* number of cells of the open record; 0: none is open */
  uint32_t  written[GILK_STATE_CELLS];       /* for each cell, a bit per byte; 1: the byte was
                                              * written */
  uint8_t   name[8], name_known;     /* bytes of the record's iid and len; mask of those bytes that
                                      * are known */
  GilkFlagsFact  fact;
  GilkValue slots[GILK_STATE_SLOTS]; /* slot 0 is just below the initial stack pointer */
} GilkState;

GilkState *gilk_state_new  (void);
GilkState *gilk_state_copy (const GilkState *state);
void       gilk_state_free (GilkState *state);

/*
 * Joins @other into @state, keeping only what is known in both. Returns: NULL, or the rule that is
 * broken if the two differ in what must be equal (untranslated)
 */
const char *gilk_state_join   (GilkState *state, const GilkState *other);

/* Set the value of a register or of a stack slot, and remove everything known about its old
 * value. */
void     gilk_state_set_reg  (GilkState *state, guint reg, GilkValue value);
void     gilk_state_set_slot (GilkState *state, guint slot, GilkValue value);
/* Sets the number of slots in use. New slots have unknown values. */
void     gilk_state_set_depth (GilkState *state, guint depth);
/* Records that some flags no longer have their initial values. */
void     gilk_state_clobber_flags (GilkState *state, guint flags);
/* Removes the tags from @first to @last from all values in the state. */
void     gilk_state_drop_tags  (GilkState *state, GilkValueTag first, GilkValueTag last);
/* Restricts the state to values that meet condition @cc or, if @holds is FALSE, do not meet it.
 * Returns FALSE if no such value exists. */
gboolean gilk_state_assume  (GilkState *state, guint cc, gboolean holds);
gboolean gilk_state_is_never (const GilkState *state, guint reg, GilkNever never);
/* Returns whether the signed quotient of two registers fits into 64 bits. */
gboolean gilk_state_quotient_fits (const GilkState *state, guint dividend, guint divisor);

G_END_DECLS

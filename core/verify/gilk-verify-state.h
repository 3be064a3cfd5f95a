/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-verify-state.h - verifier: what is known before an instruction, whichever path leads to it
 *
 * Threads: one at a time for each state.
 */
#pragma once

#include <glib.h>

#include "core/verify/gilk-verify-value.h"
#include "ilk/ilk-abi.h"

G_BEGIN_DECLS

enum {
  GILK_STATE_SLOTS = 320,            /* maximum number of 8-byte words that a hook may have on the
                                      * stack */
  GILK_STATE_FLAGS = 0x3f,           /* mask of GILK_FLAG_*: the arithmetic flags */
  GILK_STATE_DIRECTION = 0x40,       /* bit for the direction flag */
  GILK_STATE_CARRY = 1,
  GILK_STATE_RAX = 0, GILK_STATE_RCX = 1, GILK_STATE_RDX = 2, GILK_STATE_RSP = 4,
  GILK_STATE_CELLS = ILK_RECORD_CELLS (ILK_SAMPLE_MAX),
  GILK_STATE_NAME = 16,              /* offset in a record of the words iid (the hook's id) and
                                      * len */
};

/*
 * Single values (0, -1, INT64_MIN) that a register is known not to have, which decides whether a
 * division is safe. They are tracked separately, because a GilkValue is a range, which cannot
 * exclude a single value.
 */
typedef enum { GILK_NEVER_0, GILK_NEVER_MINUS_1, GILK_NEVER_LEAST, GILK_NEVERS } GilkNever;

/* The comparison that the flags are the result of. It is valid until a flag or an operand of the
 * comparison is overwritten. */
typedef enum {
  GILK_FLAGS_FACT_NONE,
  GILK_FLAGS_FACT_NUMBER,            /* @where was compared with @number */
  GILK_FLAGS_FACT_ROOM,              /* the ring's head was compared with the ring's limit */
  GILK_FLAGS_FACT_CONTEXT,           /* the context was compared with the re-entry guard */
  GILK_FLAGS_FACT_NEGATED,           /* the flags are from negating a copy of @where; the overflow
                                      * flag means that @where is INT64_MIN */
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
  guint     flags;                   /* mask of flags that still have their values from the start of
                                      * the hook; may include GILK_STATE_DIRECTION */
  guint     longest;                 /* number of instructions on the longest path to this
                                      * instruction */
  guint     preempt;                 /* amount by which the preempt count was raised */
  gboolean  guarded;
  gboolean  guard_free;              /* a comparison has shown that no hook is active yet in this
                                      * context (task, softirq, hardirq or NMI) */
  gboolean  forward;                 /* the hook has cleared the direction flag */
  gboolean  room;                    /* a comparison has shown that the ring has space for the
                                      * record */
  gboolean  extended;                /* rdx holds the sign extension of rax (0 or -1) */
  int       copy, copied;            /* two registers known to hold the same value; -1: none */
  uint16_t  never[GILK_NEVERS];      /* for each value of GilkNever: mask of the registers that
                                      * cannot have it */
  uint16_t  fits[16];                /* for each register as dividend: mask of the divisor registers
                                      * with which the signed quotient fits 64 bits */
  guint     cells;                   /* number of cells of the open record; 0: none is open */
  uint32_t  written[GILK_STATE_CELLS];       /* for each cell of the open record: mask of the bytes
                                              * that were written */
  uint8_t   name[8], name_known;     /* bytes of the record's iid and len; mask of those bytes that
                                      * are known */
  GilkFlagsFact  fact;
  GilkValue slots[GILK_STATE_SLOTS]; /* slot 0 is just below the initial stack pointer */
} GilkState;

GilkState *gilk_state_new  (void);
GilkState *gilk_state_copy (const GilkState *state);
void       gilk_state_free (GilkState *state);

/*
 * Joins the states of two paths that meet: keeps in @state only what @other knows as well. Some
 * properties, such as the stack depth, must be equal in both. Returns: NULL, or the broken rule if
 * they are not (untranslated)
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
/* Removes all tags from @first to @last (in the order of the enum) from the values in the state. */
void     gilk_state_drop_tags  (GilkState *state, GilkValueTag first, GilkValueTag last);
/* Narrows the state to what is true if condition @cc holds for the flags or, if @holds is FALSE,
 * does not hold. Returns FALSE if that is impossible. */
gboolean gilk_state_assume  (GilkState *state, guint cc, gboolean holds);
gboolean gilk_state_is_never (const GilkState *state, guint reg, GilkNever never);
/* Returns whether the signed quotient of two registers fits into 64 bits. */
gboolean gilk_state_quotient_fits (const GilkState *state, guint dividend, guint divisor);

G_END_DECLS

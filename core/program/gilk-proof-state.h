/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-proof-state.h - what is known before one instruction, on all ways that lead to it
 *
 * Threads: one at a time for each state.
 */
#pragma once

#include <glib.h>

#include "core/program/gilk-proof-value.h"
#include "ilk/ilk-abi.h"

G_BEGIN_DECLS

enum {
  GILK_STATE_SLOTS = 320,            /* words that a hook may have on the stack */
  GILK_STATE_FLAGS = 0x3f,           /* GILK_FLAG_* of arithmetic, as in gilk-insn.h */
  GILK_STATE_DIRECTION = 0x40,       /* of copies */
  GILK_STATE_CARRY = 1,
  GILK_STATE_RAX = 0, GILK_STATE_RCX = 1, GILK_STATE_RDX = 2, GILK_STATE_RSP = 4,
  GILK_STATE_CELLS = ILK_RECORD_CELLS (ILK_SAMPLE_MAX),
  GILK_STATE_NAME = 16,              /* where a record's iid and len are */
};

/* What a divisor or a dividend must not be; a GilkValue has no holes. */
typedef enum { GILK_NEVER_0, GILK_NEVER_MINUS_1, GILK_NEVER_LEAST, GILK_NEVERS } GilkNever;

/* What the flags say, until one of them is written, or what they speak of. */
typedef enum {
  GILK_FACT_NONE,
  GILK_FACT_NUMBER,                  /* @where was compared with @number */
  GILK_FACT_ROOM,                    /* the ring's head with its limit */
  GILK_FACT_CONTEXT,                 /* the context with the guard */
  GILK_FACT_NEGATED,                 /* what @where holds was negated elsewhere: overflow tells the least number */
} GilkFactKind;

typedef struct {
  uint8_t  kind;                     /* GilkFactKind */
  uint8_t  size;
  gboolean turned;                   /* what is told stands on the right */
  guint    where;                    /* a register, or 16 and a stack slot */
  uint64_t number;
} GilkWatchFact;

typedef struct {
  GilkValue regs[16];
  guint     depth;                   /* stack slots in use */
  guint     flags;                   /* those that are as at the begin, and GILK_STATE_DIRECTION if that is */
  guint     longest;                 /* instructions of the longest way here */
  guint     preempt;                 /* what the count was raised by */
  gboolean  guarded;
  gboolean  guard_free;              /* it is known that no hook of this context is under way */
  gboolean  forward;                 /* it is known that copies go forward, whatever they did at the begin */
  gboolean  room;                    /* it is known that the ring has room */
  gboolean  extended;                /* rdx is the sign of rax */
  int       copy, copied;            /* these registers hold the same; -1: not known */
  uint16_t  never[GILK_NEVERS];      /* registers that are not that number */
  uint16_t  fits[16];                /* by register: those by which it can be divided, with their signs */
  guint     cells;                   /* of the record that is open; 0: none is */
  uint32_t  written[GILK_STATE_CELLS];       /* a bit for each byte */
  uint8_t   name[8], name_known;     /* iid and len as far as they are numbers: a bit for each byte */
  GilkWatchFact  fact;
  GilkValue slots[GILK_STATE_SLOTS]; /* the first is that below the stack pointer of the begin */
} GilkState;

GilkState *gilk_state_begin   (void);
GilkState *gilk_state_copy    (const GilkState *state);
void       gilk_state_free    (GilkState *state);

/* Makes @state what is known if @other may be, too. Returns: NULL, or what may not differ (untranslated) */
const char *gilk_state_join   (GilkState *state, const GilkState *other);

/* They forget what was known by the old value. */
void       gilk_state_set_reg  (GilkState *state, guint reg, GilkValue value);
void       gilk_state_set_slot (GilkState *state, guint slot, GilkValue value);
/* Slots in use from now on; new ones hold anything. */
void       gilk_state_set_depth (GilkState *state, guint depth);
/* Some flags do not hold what they did at the begin. */
void       gilk_state_lose_flags (GilkState *state, guint flags);
/* No value is known any more by a name from @first to @last. */
void       gilk_state_forget  (GilkState *state, GilkValueTag first, GilkValueTag last);
/* Condition @cc holds, or does not: what the fact of the flags says of it. FALSE: that cannot be */
gboolean   gilk_state_assume  (GilkState *state, guint cc, gboolean holds);
gboolean   gilk_state_is_never (const GilkState *state, guint reg, GilkNever never);
/* Does the quotient of two registers, as signed numbers, fit? */
gboolean   gilk_state_divides (const GilkState *state, guint dividend, guint divisor);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-ops-private.h - what the parts of the operations' emitter share
 *
 * Operations are looked at in four steps, each a file: where values live (gilk-ops-lives.c), in what
 * registers and words of the stack, and where these are saved (gilk-ops-regs.c), what each operation is in
 * instructions (gilk-ops-steps.c, -areas.c, -sample.c, -call.c), and how they lie behind each other (gilk-ops-code.c).
 *
 * Control goes forward, so that all can be told by an operation's place in their order: where a value
 * is, what is on the stack. Nothing has to be moved where ways meet.
 *
 * Threads: that of the plan.
 */
#pragma once

#include "core/emit/gilk-ops-code.h"

G_BEGIN_DECLS

/* Values that operations have beside those of the program. */
enum {
  GILK_OPS_OLD_GUARD = GILK_OPS_VALUES,   /* what the guard was, from ENTER to LEAVE */
  GILK_OPS_HEAD,                          /* what RESERVE got */
  GILK_OPS_CELL,                          /* the record's first cell */
  GILK_OPS_FURTHER,                       /* another one of it */
  GILK_OPS_ALL_VALUES,
};

enum { GILK_OPS_TEMPS = 9, GILK_OPS_NONE = -1 };

/*
 * A stretch of operations in which one register, or one word of the stack, is somebody's. Times: operation
 * i reads at 2i and writes at 2i + 1. Both ends are within.
 */
typedef struct {
  guint    value;      /* GILK_NO_VALUE: a temporary */
  guint    begin, end;
  uint16_t forbidden;  /* registers that it may not have */
  int8_t   fixed;      /* the one that it must have */
  int8_t   reg;
  int16_t  slot;
  gboolean held;       /* what the machine's register held at the point: it is not written */
  gboolean unheld;     /* it was not to be: registers were short */
  gboolean constant;   /* a number, that is written where it is wanted */
} GilkOpsLife;

/* Where registers are on the stack: before operation @first, and behind @last they are popped. */
typedef struct {
  guint    first, last;
  uint16_t saved;
  guint    slots;
} GilkOpsRegion;

/* What one operation has: lives by their index, or GILK_OPS_NONE. */
typedef struct {
  int a, b, index, to;           /* of its values */
  int in_a, in_b, in_index, out; /* registers for those that are in none */
  int temp[GILK_OPS_TEMPS];
} GilkOpsHas;

typedef struct {
  const GilkOps      *ops;
  const GilkOpsPlace *place;
  guint               n;
  guint               defs[GILK_OPS_VALUES];      /* how often it is written */
  guint               written_by[GILK_OPS_VALUES];/* the operation that did last */
  int                *label_at;  /* operation that places it, -1 */
  gboolean           *guarded;   /* by operation: is it in a guarded stretch? */
  gboolean           *given;     /* by operation: gilk_ops_given(); NULL: of a hook of the kernel */
  int8_t             *further;   /* by operation: which cell GILK_OPS_FURTHER is before it; -1: not known */
  uint64_t          (*covered)[5];                /* by time: values that must be kept */
  GArray             *lives;     /* GilkOpsLife */
  GilkOpsHas         *has;       /* by operation */
  guint               sets;      /* registers that are set: nobody reads one where it is */
  guint               keep;      /* registers that are needed as they were behind what changes them */
  GArray             *regions;   /* GilkOpsRegion, in order */
} GilkOpsFrame;

static inline const GilkOp *
gilk_ops_op (const GilkOpsFrame *frame, guint i)
{
  return &g_array_index (frame->ops->ops, GilkOp, i);
}

static inline GilkOpsLife *
gilk_ops_life (const GilkOpsFrame *frame, int life)
{
  return &g_array_index (frame->lives, GilkOpsLife, life);
}

static inline gboolean
gilk_ops_is_near (uint64_t offset)
{
  return (int64_t) offset == (int32_t) offset;
}

/* ---- lives ---- */

gboolean gilk_ops_makes_value (const GilkOp *op);
gboolean gilk_ops_has_label   (const GilkOp *op);
/* A way that is seldom taken. */
gboolean gilk_ops_is_rare     (const GilkOp *op);
/* Does nothing go on behind it? */
gboolean gilk_ops_ends        (const GilkOp *op);
/* Cell of the record that @op, a FIELD, is in. */
guint    gilk_ops_cell        (const GilkOp *op);
/* Fills all of @frame but registers and regions. */
void     gilk_ops_frame_init  (GilkOpsFrame *frame, const GilkOps *ops, const GilkOpsPlace *place);
void     gilk_ops_frame_clear (GilkOpsFrame *frame);

/* From @begin to @end; returns its index. */
int      gilk_ops_add_life    (GilkOpsFrame *frame, guint value, guint begin, guint end);

/* ---- registers ---- */

void     gilk_ops_assign      (GilkOpsFrame *frame);
/* Bytes that the region of operation @i has on the stack. */
guint    gilk_ops_depth       (const GilkOpsFrame *frame, guint i);
/* Index of the region that operation @i is in, -1: of none. */
int      gilk_ops_region_of   (const GilkOpsFrame *frame, guint i);

/* ---- steps ---- */

/* A branch whose target is not written yet. */
typedef struct {
  gsize    branch;     /* G_MAXSIZE: the fixup of a fault */
  guint    fault;
  guint    label;
  guint    from;       /* the operation it is of */
} GilkOpsBranch;

/* What operation @op does seldom, out of the way: it counts, or looks at further slots of a map. */
typedef struct {
  guint    op;
  gsize    branch[2];  /* that lead there; the second may be 0 */
  gsize    back;       /* where a map goes on */
} GilkOpsAside;

/* A pointer that was compared with what is bad: it is below @bound, or for @is_process in the process's half. */
typedef struct {
  guint    value;
  gboolean is_process;
  int64_t  bound;
} GilkOpsKnown;

typedef struct {
  GilkAsm            *as;
  GilkOpsFrame       *frame;
  guint               i;         /* the operation that is written */
  const GilkOp       *op;
  const GilkOpsHas   *has;
  guint               outer;     /* bytes on the stack beside those of regions */
  GArray             *branches, *asides, *known;
} GilkOpsWriter;

/* Where on the stack a value is that has a slot there. */
GilkMem  gilk_ops_slot     (const GilkOpsLife *life);
/* Registers with the operation's values in them, and where its result is to be. */
guint    gilk_ops_in_a     (GilkOpsWriter *w);
guint    gilk_ops_in_b     (GilkOpsWriter *w);
guint    gilk_ops_in_index (GilkOpsWriter *w);
guint    gilk_ops_out      (GilkOpsWriter *w);
guint    gilk_ops_temp     (const GilkOpsWriter *w, guint number);
/* The register of a value that operations have beside the program's. */
guint    gilk_ops_hidden   (const GilkOpsWriter *w, guint value);
/* Is @a, or what stands for it, a number of 32 bits? */
gboolean gilk_ops_constant (const GilkOpsWriter *w, int life, int64_t *number);
/* %gs:@offset, by way of register @temp if it is far. */
GilkMem  gilk_ops_mem_gs   (GilkOpsWriter *w, uint64_t offset, guint temp);
void     gilk_ops_goto     (GilkOpsWriter *w, gsize branch);
void     gilk_ops_aside    (GilkOpsWriter *w, gsize branch, gsize second, gsize back);
/* @w is at operation @i from here on, with its stack. */
void     gilk_ops_at       (GilkOpsWriter *w, guint i);
/* Where a register is on the stack that the region of the operation saved; FALSE: it did not. */
gboolean gilk_ops_saved_at (const GilkOpsWriter *w, guint reg, GilkMem *mem);

void     gilk_ops_step        (GilkOpsWriter *w);
void     gilk_ops_step_area   (GilkOpsWriter *w);
void     gilk_ops_step_map    (GilkOpsWriter *w);
void     gilk_ops_step_sample (GilkOpsWriter *w);
void     gilk_ops_step_stretch (GilkOpsWriter *w);
void     gilk_ops_step_call   (GilkOpsWriter *w);
/* What an operation left for out of the way; @w is at it. */
void     gilk_ops_aside_map    (GilkOpsWriter *w, const GilkOpsAside *aside);
void     gilk_ops_aside_sample (GilkOpsWriter *w);
void     gilk_ops_aside_enter  (GilkOpsWriter *w);

G_END_DECLS

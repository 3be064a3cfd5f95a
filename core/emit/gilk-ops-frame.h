/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-ops-frame.h - assigns registers and stack slots to the values of operations
 *
 * Private to core/emit. Code is generated in four steps: live ranges of values
 * (gilk-ops-live-ranges.c); their registers and stack slots, and where registers are saved
 * (gilk-ops-regs.c); the instructions of each operation (gilk-ops-writer.h); and their order
 * (gilk-ops-code.c).
 *
 * Control only goes forward, so the location of a value and the contents of the stack depend only
 * on the operation's index. Nothing has to be moved where paths join.
 *
 * Threads: only the plan's thread.
 */
#pragma once

#include "core/emit/gilk-ops-code.h"

G_BEGIN_DECLS

/* Internal values, which code generation adds to the program's own values; they are numbered after
 * those. */
enum {
  GILK_OPS_OLD_GUARD = GILK_OPS_VALUES,   /* the value of the recursion guard before ENTER took the
                                           * guard; LEAVE restores it */
  GILK_OPS_HEAD,                          /* the ring's head before RESERVE reserved cells for a
                                           * record */
  GILK_OPS_CELL,                          /* the address of the reserved record's first cell */
  GILK_OPS_OTHER_CELL,                    /* the address of another cell of the reserved record */
  GILK_OPS_ALL_VALUES,
};

enum { GILK_OPS_TEMPS = 9, GILK_OPS_NONE = -1 };

/*
 * A live range: a period in which a value owns one register or one stack slot. Operation i reads at
 * time 2i and writes at time 2i + 1. Both ends of the period are included.
 */
typedef struct {
  guint    value;      /* index of the value; GILK_NO_VALUE: a temporary */
  guint    begin, end;
  uint16_t forbidden;  /* registers that the live range must not use */
  int8_t   fixed;      /* register that the live range must use; GILK_OPS_NONE: any register */
  int8_t   reg;
  int16_t  slot;
  gboolean held;       /* the value is read in place: it is in the register that had it at the probe
                        * point */
  gboolean evicted;    /* the value was read in place until its register was needed for another
                        * value */
  gboolean constant;   /* the value is a constant: it is used as an immediate, or loaded at each
                        * use */
} GilkLiveRange;

/* A region: operations @first to @last, before which the registers in @saved are pushed, and after
 * which they are popped. These operations may use the pushed registers, and @slots words of the
 * stack. */
typedef struct {
  guint    first, last;
  uint16_t saved;
  guint    slots;
} GilkOpsRegion;

/* The indices of an operation's live ranges in GilkOpsFrame.ranges; GILK_OPS_NONE: none. */
typedef struct {
  int a, b, index, to;           /* live ranges of operands @a, @b and @index, and of the result */
  int in_a, in_b, in_index, out; /* live ranges of the temporaries that replace operands and results
                                  * without a register */
  int temp[GILK_OPS_TEMPS];
} GilkOpsOperands;

typedef struct {
  const GilkOps      *ops;
  const GilkOpsPlace *place;
  guint               n;
  guint               defs[GILK_OPS_VALUES];      /* for each value: number of operations that write
                                                   * it */
  guint               written_by[GILK_OPS_VALUES];/* for each value: the last operation that writes
                                                   * it */
  int                *label_at;  /* for each label: the operation that places it; -1: none */
  gboolean           *guarded;   /* for each operation: whether the operation is in a guarded
                                  * critical section */
  int8_t             *cell_in_use;   /* for each operation: the cell of the record whose address
                                      * GILK_OPS_OTHER_CELL holds; -1: unknown */
  uint64_t          (*covered)[5];     /* for each time (2i and 2i + 1 for operation i): set of the
                                        * values that must be preserved, one bit per value */
  GArray             *ranges;     /* GilkLiveRange */
  GilkOpsOperands         *has;       /* for each operation: its live ranges */
  guint               sets;      /* registers that the program sets; they are never read in place */
  guint               keep;      /* registers that must be saved, because their value at the probe
                                  * point is needed after code that changes them */
  GArray             *regions;   /* GilkOpsRegion, in order */
} GilkOpsFrame;

static inline const GilkOp *
gilk_ops_op (const GilkOpsFrame *frame, guint i)
{
  return &g_array_index (frame->ops->ops, GilkOp, i);
}

static inline GilkLiveRange *
gilk_ops_range (const GilkOpsFrame *frame, int range)
{
  return &g_array_index (frame->ranges, GilkLiveRange, range);
}

static inline gboolean
gilk_ops_is_near (uint64_t offset)
{
  return (int64_t) offset == (int32_t) offset;
}

/* ---- live ranges ---- */

/* Returns the index of the cell that contains the field of @op, a FIELD operation, in its
 * record. */
guint    gilk_ops_cell        (const GilkOp *op);
/* Fills in all of @frame except @regions, and except the registers and slots of the live ranges. */
void     gilk_ops_frame_init  (GilkOpsFrame *frame, const GilkOps *ops, const GilkOpsPlace *place);
void     gilk_ops_frame_clear (GilkOpsFrame *frame);

/* Adds a live range from @first to @end. Returns its index. */
int      gilk_ops_add_range    (GilkOpsFrame *frame, guint value, guint first, guint end);

/* ---- assignment of registers and stack slots ---- */

void  gilk_ops_assign    (GilkOpsFrame *frame);
/* Returns how many bytes of pushed registers and stack slots are on the stack at operation @i. */
guint gilk_ops_depth     (const GilkOpsFrame *frame, guint i);
/* Returns the index in @frame->regions of the region of saved registers that contains operation @i;
 * -1: none. */
int   gilk_ops_region_of (const GilkOpsFrame *frame, guint i);

G_END_DECLS

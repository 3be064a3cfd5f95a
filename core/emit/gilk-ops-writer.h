/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-ops-writer.h - writes the instructions of operations: gilk-ops-steps.c, -areas.c, -sample.c,
 * -call.c
 *
 * Private to core/emit.
 *
 * Threads: only the plan's thread.
 */
#pragma once

#include "core/emit/gilk-ops-frame.h"

G_BEGIN_DECLS

/* A branch whose target is not written yet. */
typedef struct {
  gsize    branch;     /* offset of the branch; G_MAXSIZE: this is a load, whose fixup leads to the
                        * label */
  guint    fault;
  guint    label;
  guint    from;       /* operation that branches */
} GilkOpsBranch;

/* Code of operation @op that is rarely executed and written out of line, for example to probe
 * further slots of a map. */
typedef struct {
  guint    op;
  gsize    branch[2];  /* offsets of the branches to the out-of-line code; the second is 0 if there
                        * is only one */
  gsize    back;       /* offset in the main path to which the out-of-line code returns */
} GilkOpsColdPath;

/* A pointer value that earlier code has checked to be below @bound. */
typedef struct {
  guint   value;
  int64_t bound;
} GilkOpsKnown;

typedef struct {
  GilkAsm            *as;
  GilkOpsFrame       *frame;
  guint               i;         /* the current operation */
  const GilkOp       *op;
  const GilkOpsOperands   *has;
  guint               outer;     /* number of bytes on the stack at an operation that is in no
                                  * region of saved registers */
  GArray             *branches, *cold_paths, *known;
} GilkOpsWriter;

/* Returns a memory operand for the stack slot of a value with live range @range. */
GilkMem  gilk_ops_slot          (const GilkLiveRange *range);
/* Return the registers of the operation's values, and the register for its result. */
guint    gilk_ops_in_a          (GilkOpsWriter *w);
guint    gilk_ops_in_b          (GilkOpsWriter *w);
guint    gilk_ops_in_index      (GilkOpsWriter *w);
guint    gilk_ops_out           (GilkOpsWriter *w);
guint    gilk_ops_temp          (const GilkOpsWriter *w, guint number);
/* Returns the register of an internal value, which is GILK_OPS_OLD_GUARD or one of those after
 * it. */
guint    gilk_ops_hidden        (const GilkOpsWriter *w, guint value);
/* Returns whether the value with live range @range is a constant of 32 bits, and sets *@number to
 * it. */
gboolean gilk_ops_constant      (const GilkOpsWriter *w, int range, int64_t *number);
/* Returns a memory operand for %gs:@offset. Writes code that loads an offset of more than 32 bits
 * into register @temp. */
GilkMem  gilk_ops_mem_gs        (GilkOpsWriter *w, uint64_t offset, guint temp);
void     gilk_ops_goto          (GilkOpsWriter *w, gsize branch);
void     gilk_ops_add_cold_path (GilkOpsWriter *w, gsize branch, gsize second, gsize back);
/* Moves @w to operation @i, and updates the depth of the stack. */
void     gilk_ops_seek          (GilkOpsWriter *w, guint i);
/* Sets @mem to the place on the stack to which the current region has saved @reg. Returns FALSE if
 * it has not saved @reg. */
gboolean gilk_ops_saved_at      (const GilkOpsWriter *w, guint reg, GilkMem *mem);

void gilk_ops_step        (GilkOpsWriter *w);
void gilk_ops_step_area   (GilkOpsWriter *w);
void gilk_ops_step_map    (GilkOpsWriter *w);
void gilk_ops_step_sample (GilkOpsWriter *w);
void gilk_ops_step_critical (GilkOpsWriter *w);
void gilk_ops_step_call   (GilkOpsWriter *w);
void gilk_ops_step_user_load (GilkOpsWriter *w);
/* Write the rarely executed, out-of-line part of the code of the current operation of @w. */
void gilk_ops_cold_map    (GilkOpsWriter *w, const GilkOpsColdPath *aside);
void gilk_ops_cold_sample (GilkOpsWriter *w);
void gilk_ops_cold_enter  (GilkOpsWriter *w);

G_END_DECLS

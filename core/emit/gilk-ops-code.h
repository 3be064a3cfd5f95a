/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-ops-code.h - turns operations into the code of one hook
 *
 * Values are kept in registers that are dead at the point, then in registers that are saved for
 * this purpose, then on the stack. A register of the hooked function that the program reads is used
 * in place until it is needed for another value. Registers and flags are saved as late as possible:
 * a condition on register values is evaluated before any register is saved, unless the evaluation
 * needs a register and no register is dead. On every path the stack, and all live registers and
 * flags, are restored at the end.
 *
 * Threads: only the plan's thread.
 */
#pragma once

#include "core/dataflow/gilk-liveness.h"
#include "core/emit/gilk-asm.h"
#include "core/emit/gilk-ops.h"

G_BEGIN_DECLS

/*
 * Loads must use addresses below this address, compared as signed numbers. That excludes the user
 * half, the vsyscall page, whose faults the kernel does not fix up (kernel commit 32019c659ecf),
 * and all addresses above that page.
 */
#define GILK_OPS_KERNEL_END (-0xa00000)

/* Addresses of a program's memory and counters, and iids of the hooks that it starts or stops. */
typedef struct {
  uint64_t        counter, lost, missed;   /* per-CPU offsets of the counters of hits, lost samples,
                                            * and hits that occurred within another hit */
  uint32_t        iid;
  const uint64_t *areas;        /* for each area: its address, or its per-CPU offset */
  const uint32_t *gates;        /* iids of the hooks that the program starts or stops */
  int32_t         kernel_end;   /* addresses of loads must be below this one: GILK_OPS_KERNEL_END,
                                 * or another bound in tests that run in user space */
} GilkOpsBinding;

/* A callback that writes the code for an EXIT operation, which leaves the hook. When that code
 * runs, stack and registers are as at the probe point. */
typedef struct {
  void   (*leave) (GilkAsm *as, GilkExit where, gpointer data);
  gpointer data;
} GilkOpsExits;

typedef struct {
  GilkLive               live;         /* live registers and flags at the probe point */
  const struct ilk_info *info;
  const GilkOpsBinding  *binding;
  uint64_t               point;        /* address of the probe point in the original function */
  gboolean               backward;     /* the direction flag may be set in the function; the caller
                                        * saves it */
  const GilkOpsExits     *exits;       /* (nullable): callback for EXIT operations; may be NULL if
                                        * the program has none */
  gboolean               pushed;       /* the flags were pushed before the program, so the code of
                                        * an EXIT operation must pop them */
} GilkOpsPlace;

/**
 * gilk_ops_code:
 * @as: may record a fault entry for each load, and unwind entries for pushes
 * @ops: must pass gilk_ops_check()
 * Writes the whole hook, including its rarely taken paths; control continues after the hook. Flags
 * are saved if the code changes a live flag. Cannot fail, but @as may have too_far set.
 * Returns: number of instructions on the shortest path, for example if a condition is false
 */
guint gilk_ops_code       (GilkAsm *as, const GilkOps *ops, const GilkOpsPlace *place);

/* Returns the flags that the code of the operations changes: all arithmetic flags, if it branches
 * or computes. */
guint gilk_ops_flags      (const GilkOps *ops);

/* Returns an upper bound of the bytes that gilk_ops_code() writes, whatever the GilkOpsPlace is. */
guint gilk_ops_code_bound (const GilkOps *ops);

G_END_DECLS

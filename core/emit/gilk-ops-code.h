/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-ops-code.h - operations as the code of one hook
 *
 * Values live in registers that are dead at the point, then in such as are saved for it, then on
 * the stack. What the machine's registers held at the point is used where it is as long as it is there.
 * Registers and flags are saved no sooner than they are needed: a condition on what registers hold
 * is decided before any is, if one is dead or none is wanted. On every way out the stack, and each
 * register and flag that is live, is as at the point.
 *
 * Threads: that of the plan.
 */
#pragma once

#include "core/dataflow/gilk-liveness.h"
#include "core/emit/gilk-asm.h"
#include "core/emit/gilk-ops.h"

G_BEGIN_DECLS

/*
 * Addresses from here on are no good to a load, as signed numbers: the user's half, the page of
 * vsyscalls, for which the kernel has no fix-up (kernel commit 32019c659ecf), and what is behind it.
 */
#define GILK_OPS_KERNEL_END (-0xa00000)

/* Where a program's memory is, and whose counters and gates are its. */
typedef struct {
  uint64_t        counter, lost, dropped;   /* per-CPU offsets */
  uint32_t        iid;
  const uint64_t *areas;        /* one for each area: a per-CPU offset, or an address */
  const uint32_t *gates;        /* iids of the hooks it starts or stops */
  int32_t         kernel_end;   /* GILK_OPS_KERNEL_END, but for tests in user space */
} GilkOpsBinding;

/* Writes the way that an EXIT goes on by, with the stack and all else as at the point. */
typedef struct {
  void   (*leave) (GilkAsm *as, GilkExit where, gpointer data);
  gpointer data;
} GilkOpsWays;

typedef struct {
  GilkLive               live;         /* at the point */
  const struct ilk_info *info;
  const GilkOpsBinding  *binding;
  uint64_t               point;        /* its address in the function as it was */
  gboolean               backward;     /* the direction flag may be set; whoever has the code written keeps it */
  gboolean               is_user;      /* of a program's: what it loads is the process's, or what the kernel gave the address of */
  guint                  called;       /* as a function, and so much is on the stack: gilk_called_depth(); 0: it is not */
  const GilkOpsWays     *ways;         /* (nullable): it has no EXIT */
  gboolean               pushed;       /* flags are on the stack, to be popped by whoever leaves */
} GilkOpsPlace;

/**
 * gilk_ops_code:
 * @as: with a fault for each load, and unwind data for what is pushed, where it wants them
 * @ops: gilk_ops_check() is content with it
 * Writes all of the hook; control goes on behind it, what is rare is within. Flags are saved if the code changes
 * one that is live. Cannot fail; @as may say too_far.
 * Returns: instructions of its shortest way, which is that of a condition that does not hold
 */
guint gilk_ops_code       (GilkAsm *as, const GilkOps *ops, const GilkOpsPlace *place);

/* Flags that the code changes: all arithmetic ones, unless it branches nowhere and computes nothing. */
guint gilk_ops_flags      (const GilkOps *ops);

/* Bytes that gilk_ops_code() may write at most, wherever it is. */
guint gilk_ops_code_bound (const GilkOps *ops);

G_END_DECLS

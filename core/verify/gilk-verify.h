/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-verify.h - the verifier: an independent check of the code of a hook, before it is prepared
 *
 * Reads bytes, and shares nothing with the code that wrote them: it has a decoder of its own for
 * the forms that hooks use (anything else is refused). One pass covers all paths, which are
 * finite because loops are refused. For each path it proves:
 *
 *   control:     each instruction starts where another ends; paths end at the end of the code, or
 *                continue at the fixup of a faulting load, which is within the code.
 *   stack:       pushes are popped in order by the end; no access outside of the words that the
 *                hook pushed, 2,560 bytes at most; rsp moves by push, pop, pushf, popf and lea.
 *   registers:   each register not in @may_change, and each flag not in @flags_dead, has its
 *                initial value at the end: either it was not written, or it was restored from a
 *                saved copy (flags by popf).
 *   memory:      a write goes to stack words of the hook; to a per-CPU offset or address of @own,
 *                at a multiple of its size (base plus an index that is bounded on that path by an
 *                and, an extension or a comparison); into the cells of a record that is open on
 *                that path (ilk-abi-ring.h); or to a gate of @gates. Memory shared by all CPUs is
 *                changed atomically.
 *   records:     a record is reserved with as many cells as @payload takes, after a check of the
 *                limit, and committed once, at its own position, with the hook's @iid and every
 *                byte of the payload.
 *   loads:       a load from a computed address follows a signed comparison with @kernel_end (on
 *                that path, of that register, unchanged since; displacement and size included), is
 *                in a critical section, and has an entry in @faults whose fixup is in the code.
 *                Every other read is from the stack, @own, a cell of the record, the hook's own
 *                gate, a gate of @gates, or @readable.
 *   CPU:         accesses to a CPU's memory that take more than one step, which include a plain
 *                load or store of @own, are in a region with a raised preempt count, which is
 *                balanced at the end. The guard is set to the context, unless it already is the
 *                context, and then restored.
 *   divisions:   the divisor is not 0 and the quotient fits.
 *   time:        no path is longer than @longest instructions.
 *   programs:    a hook in a program loads from the process's half, after a check that the address
 *                is not negative. It loads below @kernel_end from an address that the kernel
 *                provided: one computed from numbers in the code, from @readable, and from values
 *                loaded at such addresses.
 *
 *   reschedule:  is called only with the preempt count at 0, no guard and no open record.
 *   calls:       go only to driver services that @info names, in a critical section, outside of
 *                records, and with the direction flag clear. A stack trace is written to an area of
 *                @own, any other call passes @iid. Caller-saved registers are unknown
 *                afterwards.
 *
 * A hook may change exactly what it declares:
 *
 *   @sets:       registers that need not be restored.
 *   @exits:      a jump, or with @may_return a plain return, leaves the code with nothing on the
 *                stack, the preempt count balanced, no guard and no open record. If the exit leads
 *                to the function's caller or past a call, callee-saved registers are restored; at
 *                any other exit, everything is restored that must be at the end.
 *   @calls:      a call to one of these has the requirements of an exit, and callee-saved and
 *                argument registers must have been restored.
 *   @store_sizes: a store of one of these sizes, with the same address checks and fault entry as a
 *                load; at most @stores of them, and none to stack words of the hook.
 *
 * No other calls are allowed: hooks that call a module's function are not verified.
 *
 * Threads: any. Reads only its arguments.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

#include "ilk/ilk-abi.h"

G_BEGIN_DECLS

/* A range of memory from @begin to @end; @end is excluded. */
typedef struct {
  uint64_t begin, end;       /* per-CPU offsets, as signed numbers, or addresses */
  gboolean per_cpu;
} GilkVerifyRange;

typedef enum {
  GILK_VERIFY_RETURNS,       /* an exit to the function's caller, or past a call that is skipped */
  GILK_VERIFY_CONTINUES,     /* an exit to code that needs the same registers and flags as at the
                              * point */
} GilkVerifyExitKind;

typedef struct {
  uint64_t address;
  guint    how;              /* GilkVerifyExitKind */
} GilkVerifyExit;

typedef struct {
  uint64_t               address;     /* address of the code's first byte */
  const uint8_t         *code;
  gsize                  length;
  const struct ilk_fault *faults;     /* exception table entries, with offsets from @code */
  guint                  n_faults;
  uint16_t               may_change;  /* registers that are dead at the point: GILK_REG_BIT mask */
  uint16_t               flags_dead;  /* GILK_FLAG_* mask: flags that need not be restored */
  const struct ilk_info *info;        /* locations of ring, guard, preempt count and gates */
  const GilkVerifyRange  *own;         guint n_own;       /* memory that the code may read and
                                                           * write: areas and counters */
  const GilkVerifyRange  *readable;    guint n_readable;  /* kernel variables that may be read */
  const uint32_t        *gates;       guint n_gates;     /* ids of the hooks that the program starts or stops */
  uint32_t               iid;         /* iid that the hook writes into its samples */
  gboolean               backward;    /* the direction flag may be set at the point */
  guint                  payload;     /* size of a sample in bytes; 0: the hook does not sample */
  int32_t                kernel_end;  /* loads must be from below this address, as a signed number:
                                       * GILK_OPS_KERNEL_END */
  guint                  longest;
  const GilkVerifyExit   *exits;       guint n_exits;
  const uint64_t        *calls;       guint n_calls;
  gboolean               may_return;
  uint16_t               sets;        /* registers that the program sets and that need not be
                                       * restored: GILK_REG_BIT mask */
  guint                  stores;      /* maximum number of stores that the hook may make */
  guint                  store_sizes; /* mask of the allowed store sizes: 1, 2, 4, 8 */
} GilkVerifyInput;

/**
 * gilk_verify:
 * Returns: FALSE with GILK_ERROR_FAILED if a rule is broken; the message names the rule and the
 * offset. A broken rule is a bug in Gilk: the plan must not be prepared
 */
gboolean gilk_verify (const GilkVerifyInput *what, GError **error);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-verify.h - the verifier: an independent check of the code of a hook, before it is prepared
 *
 * The verifier reads the hook's bytes, and shares nothing with the code that wrote them: it has a
 * decoder of its own for the instruction forms that hooks use, and refuses all others. One pass
 * covers all paths, whose number is finite because loops are refused. For each path it proves:
 *
 *   control:     each instruction starts where another ends; paths end at the end of the code, or
 *                continue at the fixup of a faulting load, which is within the code.
 *   stack:       everything pushed is popped in order by the end; the hook accesses only words
 *                that it pushed, 2,560 bytes at most; only push, pop, pushf, popf and lea move rsp.
 *   registers:   each register not in @may_change, and each flag not in @flags_dead, has its
 *                initial value at the end: either it was not written, or it was restored from a
 *                saved copy (flags by popf).
 *   memory:      a write goes to stack words of the hook; to memory in @own, aligned to the size
 *                of the write (an index must be bounded on that path by an and, an extension or a
 *                comparison); into the cells of a record that is open on that path
 *                (ilk-abi-ring.h); or to a gate of @gates, which switches a hook on or off. Memory
 *                shared by all CPUs is changed atomically.
 *   records:     space for a sample's record is reserved after a check that the ring has room,
 *                with as many cells as @payload takes. The record is committed once, at its own
 *                position, with the hook's @iid and every byte of the payload.
 *   loads:       before a load from a computed address, a signed comparison on that path shows that
 *                all its bytes are below @kernel_end. The load is in a critical section, and has an
 *                entry in @faults whose fixup is in the code. Every other read is from the stack,
 *                @own, a cell of the record, the hook's own gate, a gate of @gates, or @readable.
 *   CPU:         where per-CPU memory is accessed in more than one step (a plain load or store of
 *                @own counts as such), the preempt count is raised, and it is balanced at the end.
 *                The re-entry guard is set to the current context (task, softirq, hardirq, NMI),
 *                unless it already has that value, and restored afterwards.
 *   divisions:   the divisor is not 0 and the quotient fits 64 bits.
 *   time:        no path is longer than @longest instructions.
 *   programs:    a hook in a user-space program loads user memory after a check that the address
 *                is not negative as a signed number. It loads kernel memory only at addresses that
 *                the kernel provided: those computed from numbers in the code, from @readable, and
 *                from values loaded at such addresses.
 *
 *   reschedule:  is called only with the preempt count at 0, the guard unset and no open record.
 *   calls:       only driver services that @info names are called, in a critical section, while no
 *                record is open, and with the direction flag clear. A stack trace is written to an
 *                area of @own; any other call passes @iid. Caller-saved registers are unknown
 *                afterwards.
 *
 * A hook may change exactly what it declares:
 *
 *   @sets:       registers that need not be restored.
 *   @exits:      a jump (or with @may_return a plain return) leaves the code with nothing pushed,
 *                the preempt count balanced, the guard restored and no open record. If the exit
 *                leads to the function's caller or past a call, callee-saved registers are
 *                restored; at any other exit, the same must be restored as at the end.
 *   @calls:      functions that may be called in place of the original one. A call has the
 *                requirements of an exit, and needs callee-saved and argument registers restored.
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

/* A range of memory: the bytes from @begin up to, but not including, @end. */
typedef struct {
  uint64_t begin, end;       /* per-CPU offsets, as signed numbers, or addresses */
  gboolean per_cpu;
} GilkVerifyRange;

typedef enum {
  GILK_VERIFY_RETURNS,       /* an exit to the hooked function's caller, or past a call that the
                              * hook skips */
  GILK_VERIFY_CONTINUES,     /* an exit to code that relies on the same registers and flags as the
                              * code after the probe point */
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
  uint16_t               may_change;  /* registers that are dead at the probe point: GILK_REG_BIT
                                       * mask */
  uint16_t               flags_dead;  /* flags that are dead at the probe point: GILK_FLAG_* mask */
  const struct ilk_info *info;        /* locations of ring, guard, preempt count and gates */
  const GilkVerifyRange  *own;         guint n_own;       /* the hook's own memory, which the code
                                                           * may read and write: map areas and
                                                           * counters */
  const GilkVerifyRange  *readable;    guint n_readable;  /* kernel variables that the code may
                                                           * read */
  const uint32_t        *gates;       guint n_gates;     /* ids of the hooks that the program starts or stops */
  uint32_t               iid;         /* iid that the hook writes into its samples */
  gboolean               backward;    /* the direction flag may be set when the hook starts */
  guint                  payload;     /* size of a sample in bytes; 0: the hook does not sample */
  int32_t                kernel_end;  /* kernel memory may be loaded only below this address, as a
                                       * signed number: GILK_OPS_KERNEL_END */
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

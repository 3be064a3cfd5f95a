/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-bpf-code.h - turns operations into a BPF program
 *
 * This is the second back end of the probe language, beside gilk-ops-code.h, and operations mean
 * the same in both. The program gets struct pt_regs, or the arguments of a tracepoint or of the
 * function at whose entry it runs. It counts, keeps its maps and writes its samples in maps that
 * the agent shares with it (agent/gilk-wire-bpf.h), so it calls helpers of the kernel only for the
 * clock, the CPU's number, the current task, arguments, reads of memory, and services
 * (gilk-bpf-service.h).
 *
 * A program stays on its CPU, but may be interrupted there by another one, in an interrupt or in a
 * task that preempts the first one. So each change of memory is one atomic instruction: an
 * addition, or the claim of a slot or of cells in the ring. A program that loads from a memory area
 * and then stores to it holds the CPU's recursion guard from start to end; a hit that finds the
 * guard taken counts as missed. So no code is written for critical sections (ENTER, LEAVE).
 *
 * Values live in the callee-saved registers that are free, or on the stack. A register of the probe
 * point is read from pt_regs at each use, and a constant is an immediate.
 *
 * Threads: any.
 */
#pragma once

#include <linux/bpf.h>

#include "core/emit/gilk-ops.h"

G_BEGIN_DECLS

/* Stand-ins for the driver's per-CPU variables: in a program for BPF, an operation that loads the
 * current task or the CPU's number names one of these offsets. */
enum {
  GILK_BPF_GS_CURRENT = 0x7fff0000,
  GILK_BPF_GS_CPU = 0x7fff0008,
};

typedef struct {
  uint32_t        iid;
  guint           n_cpus;        /* one more than the highest number of a possible CPU */
  uint64_t        ring_bytes;    /* size of one CPU's ring, a power of two */
  const uint64_t *areas;         /* for each area: the id that the agent gave it */
  const uint32_t *gates;         /* iids of the hooks that the program starts or stops */
  gboolean        is_shared;     /* several hooks run this program (GILK_PATCH_JOINS), and each has
                                  * its own gate. Their iids are in one block of iids with @iid
                                  * (gilk_bpf_block()) */
  uint32_t        gate;          /* iid of the hook whose gate must be open for the program to run;
                                  * 0: no gate is tested */
  const guint    *slots;         /* for each hook in @gates: the slot of its watchpoint */
  GilkOpsWatch    watch;         /* the watchpoint whose hits run the program */
  uint64_t        point;         /* address of the probe point; 0: none */
  uint64_t        function;      /* address of the function; 0: none. In a program that hooks share,
                                  * a constant with this value is the address of the function that
                                  * is hit */
  gboolean        is_user;       /* the hook is in a user program: loads are restricted, see
                                  * gilk-ops.h */
  gboolean        is_entry;      /* the program is attached to a function's entry (GILK_TACTIC_FENTRY),
                                  * and gilk_bpf_reads_arguments() returned TRUE for its operations */
  gboolean        returns;       /* the hook runs after the function has returned, but the program
                                  * must see the stack pointer that the function had at its entry */
} GilkBpfPlace;

/* Returns the refusal of the first operation that BPF cannot do; 0 if BPF can do all of them. */
guint gilk_bpf_refusal (const GilkOps *ops);

/* Returns whether the operations read nothing of their context except arguments of the function at
 * whose entry they run. Sets @arguments to the set of these arguments: bit i for argument i. */
gboolean gilk_bpf_reads_arguments (const GilkOps *ops, guint *arguments);

/**
 * gilk_bpf_code:
 * @ops: must pass gilk_ops_check(); gilk_bpf_refusal() must return 0 for it
 * @insns: (out) (element-type struct bpf_insn): the program is appended; maps are named by
 *   GILK_BPF_HANDLE()
 * Returns: FALSE with GILK_ERROR_FAILED if the program needs more stack or longer jumps than BPF has
 */
gboolean gilk_bpf_code (const GilkOps *ops, const GilkBpfPlace *place, GArray *insns, GError **error);

G_END_DECLS

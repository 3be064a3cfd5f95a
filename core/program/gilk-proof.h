/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-proof.h - a second opinion on the code of a hook, before it is prepared
 *
 * Reads bytes, and shares nothing with what wrote them: a decoder of its own for the forms that hooks
 * may have (anything else is refused), and one walk over all ways through them, which are finite for no way
 * comes to an instruction twice. For each way it proves:
 *
 *   control      each instruction begins where another ends; the ways end at the end of the code, or at
 *                where the fault of a load leads, which is within it
 *   stack        what is pushed is popped, in turn, by the end; no access beyond what the hook pushed, which is
 *                2,560 bytes at most; rsp moves by push, pop, pushf, popf and lea
 *   registers    each that is not in @may_change, and each flag, holds at the end what it held at the begin: it was
 *                not written, or has it back from where it was kept; flags from where pushf put them
 *   memory       a write goes to the stack's own words; to a per-CPU offset or address of @own, at a multiple of its
 *                size (base, plus an index whose bound is known from an and, an extension or a comparison on that
 *                way); into the cells of a record that was reserved on that way and not committed (ilk-abi-ring.h); or
 *                to a gate of @gates. What all CPUs have is changed in one step
 *   records      reserved with as many cells as @payload has, behind a look at the limit; committed once, as what was
 *                reserved, with the hook's @iid and no byte of the payload left out
 *   loads        at an address that was computed: only behind the comparison that keeps it below @kernel_end as a
 *                signed number (on that way, of that register, unchanged since; displacement and size considered), in
 *                a guarded stretch, and with an entry in @faults, whose fixup is in the code; every other read
 *                is of the stack, of @own, of a record's cell, of a gate of its own or of @gates, or of @readable
 *   CPU          the preempt count goes up before, and down behind, whatever takes more than one
 *                step on a CPU's memory (so a plain load or store of @own, too), and is balanced at the end; the
 *                guard likewise: it becomes the context where that differs from it, and what it was
 *   divisions    by what is not 0, with a quotient that fits
 *   time         no way is longer than @longest instructions
 *   called       of a hook that is called as a function the @above words above what it pushed may be read: a stack pointer,
 *                and what it is told
 *   programs     of a hook in a program loads go to the process's half: behind the comparison that the address is not
 *                negative; and, as elsewhere, below @kernel_end to an address that the kernel gave, which is computed of
 *                numbers of the code, of @readable and of what was loaded from such an address
 *
 *   reschedule   is called with the preempt count at 0 alone, where no guard is and no record
 *   calls        of the driver's services that @info names, in a guarded stretch and outside of records, with copies
 *                going forward; of stacks with an area of @own, of watches with one of @gates, of others with @iid. What they may change is not
 *                what it was
 *
 * What a hook changes is what it says that it does, and nothing else:
 *
 *   @sets        these registers need not hold what they held
 *   @exits       a jump, or where it @may_return a bare return, leaves the code with nothing on the stack, the preempt
 *                count balanced, and no guard and no record; to the function's caller, or behind a call, with what
 *                callees keep, else with all that the end asks for
 *   @calls       a call of one of these leaves likewise, with arguments and what callees keep
 *   @store_sizes a store of one of these sizes, at an address and with an entry as a load has them; @stores of them,
 *                and none into the words that the hook has on the stack
 *
 * Other calls are no form of a hook: what calls a module's function is not proven.
 *
 * Threads: any. Reads only what it is given.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

#include "ilk/ilk-abi.h"

G_BEGIN_DECLS

/* Memory: [begin, end). */
typedef struct {
  uint64_t begin, end;       /* of per-CPU offsets, which are signed numbers, or addresses */
  gboolean per_cpu;
} GilkProofRange;

typedef enum {
  GILK_PROOF_RETURNS,        /* to the function's caller, or behind a call that is not made */
  GILK_PROOF_GOES_ON,        /* all that is needed at the point is needed there */
} GilkProofLeaves;

typedef struct {
  uint64_t address;
  guint    how;              /* GilkProofLeaves */
} GilkProofExit;

typedef struct {
  uint64_t               address;     /* of the first byte */
  const uint8_t         *code;
  gsize                  length;
  const struct ilk_fault *faults;     /* offsets from @code */
  guint                  n_faults;
  uint16_t               may_change;  /* registers that are dead at the point: GILK_REG_BIT mask */
  uint16_t               flags_dead;  /* GILK_FLAG_* that need not be kept */
  const struct ilk_info *info;        /* where ring, guard, preempt count and gates are */
  const GilkProofRange  *own;         guint n_own;       /* areas and counters: read and written */
  const GilkProofRange  *readable;    guint n_readable;  /* variables of the kernel that may be read */
  const uint32_t        *gates;       guint n_gates;     /* iids of hooks it may start or stop */
  uint32_t               iid;         /* what its samples say */
  gboolean               backward;    /* copies may go backward at the point: the direction flag is set */
  guint                  payload;     /* bytes of one; 0: it has none */
  int32_t                kernel_end;  /* as in gilk-ops-code.h */
  gboolean               is_user;     /* of a program's */
  guint                  above;       /* words above its stack that it may read */
  guint                  longest;
  const GilkProofExit   *exits;       guint n_exits;
  const uint64_t        *calls;       guint n_calls;
  gboolean               may_return;
  uint16_t               sets;        /* registers: GILK_REG_BIT mask */
  guint                  stores;      /* how many there are at most */
  guint                  store_sizes; /* the sum of those that they may have: 1, 2, 4, 8 */
} GilkProofCase;

/**
 * gilk_proof:
 * Returns: FALSE, with GILK_ERROR_FAILED, if a rule is broken: which, at which offset. A bug of ours: nothing
 *   of the plan is prepared
 */
gboolean gilk_proof (const GilkProofCase *what, GError **error);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-verify-step.h - verifier: applies the effect of one instruction, and finds which memory its
 * operand refers to
 *
 * Threads: one at a time for each context; otherwise any.
 */
#pragma once

#include "core/verify/gilk-verify-decode.h"
#include "core/verify/gilk-verify-state.h"
#include "core/verify/gilk-verify.h"

G_BEGIN_DECLS

/* ---- the memory that an operand refers to ---- */

typedef enum {
  GILK_MEM_REF_STACK,      /* the stack, at offset @n from the initial stack pointer */
  GILK_MEM_REF_CELL,       /* the open record in the ring, at offset @n in its cell @cell */
  GILK_MEM_REF_OWN,
  GILK_MEM_REF_READABLE,
  GILK_MEM_REF_GATE,
  GILK_MEM_REF_PREEMPT,    /* the whole preempt count; this and the next six kinds are per-CPU
                            * variables, accessed as a whole */
  GILK_MEM_REF_GUARD,
  GILK_MEM_REF_HEAD,
  GILK_MEM_REF_LIMIT,
  GILK_MEM_REF_BASE,
  GILK_MEM_REF_MASK,
  GILK_MEM_REF_LOST,
  GILK_MEM_REF_SPLIT,      /* only some bytes of one of the per-CPU variables above */
  GILK_MEM_REF_OTHER,      /* any other memory */
} GilkMemRefKind;

typedef struct {
  uint8_t   kind;          /* GilkMemRefKind */
  uint8_t   size;
  gboolean  per_cpu;
  int32_t   n;
  guint     cell;
  GilkValue address;
} GilkMemRef;

/*
 * Returns the address of a memory operand, as lea would compute it. If the base register's value
 * has a tag, such as the stack pointer's, the address has one as well. @next: address of the next
 * instruction
 */
GilkValue  gilk_mem_ref_address (const GilkState *state, const GilkStepMem *mem, uint64_t next);
GilkMemRef gilk_mem_ref_classify      (const GilkVerifyInput *what, const GilkState *state, const GilkStepMem *mem,
                                       uint64_t next, guint size);
/* Returns whether the address of @ref is a multiple of its size. */
gboolean   gilk_mem_ref_is_aligned (const GilkMemRef *ref);

/* ---- applies the effect of one instruction, and checks whether it is allowed ---- */

typedef struct {
  const GilkVerifyInput *what;
  const GilkStep      *step;
  uint64_t             next;       /* address of the next instruction */
  GilkState           *state;      /* the state before the instruction, which gilk_verify_step()
                                    * changes into the state after it */
  gboolean             has_fault;  /* the instruction has an exception-table entry, so it must be a
                                    * load or a store */
  gboolean             may_load;   /* instructions of this form are allowed to access kernel
                                    * memory */
  gboolean             loads;      /* the instruction reads kernel memory, and may fault */
  gboolean             replaces;   /* the instruction calls a function that the hook may call in
                                    * place of the original one */
  gboolean             stores;     /* the instruction writes kernel memory, and may fault */
  const char          *broken;     /* name of the first rule that was broken, untranslated; NULL:
                                    * none */
} GilkVerifyContext;

/* Applies the effect of the instruction to the state, except for branches and faults. Returns
 * FALSE, with the broken rule in @broken, if the instruction is not allowed. */
gboolean gilk_verify_step    (GilkVerifyContext *context);
/* Checks the state at the end of a hook's code. In gilk-verify-end.c. */
gboolean gilk_verify_finish  (GilkVerifyContext *context);
/*
 * gilk_verify_leave() checks the state where the hook leaves its code by an exit.
 * gilk_verify_replace() checks the state where the hook calls a replacement function; after that,
 * caller-saved registers are unknown.
 */
gboolean gilk_verify_leave   (GilkVerifyContext *context, GilkVerifyExitKind how);
gboolean gilk_verify_replace (GilkVerifyContext *context);

/* ---- functions for the files of the verifier ---- */

/* Records that @rule is broken, unless a rule was broken before. Returns: FALSE */
gboolean   gilk_verify_refuse  (GilkVerifyContext *context, const char *rule);
GilkMemRef gilk_verify_mem_ref (const GilkVerifyContext *context, guint size);

/*
 * Check an access to memory, and read or write what is known about the value there. A value that is
 * read has a tag (is a known quantity) only if the access has the size of the tagged variable. In
 * gilk-verify-memory.c.
 */
gboolean gilk_verify_read   (GilkVerifyContext *context, const GilkMemRef *ref, GilkValue *value);
gboolean gilk_verify_write  (GilkVerifyContext *context, const GilkMemRef *ref, GilkValue value);
/* Checks an instruction that both reads and writes memory. */
gboolean gilk_verify_change (GilkVerifyContext *context, const GilkMemRef *ref);

/* Checks a call instruction: gilk-verify-end.c. */
gboolean  gilk_verify_call    (GilkVerifyContext *context);

/* Returns the value of the lowest @size bytes of @value, with its tag if they alone have one. */
GilkValue gilk_verify_narrow  (GilkValue value, guint size);

G_END_DECLS

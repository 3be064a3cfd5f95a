/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-verify-mem-ref.h - verifier: the memory that an operand refers to
 *
 * Threads: any. Reads only its arguments.
 */
#pragma once

#include "core/verify/gilk-verify-decode.h"
#include "core/verify/gilk-verify-state.h"
#include "core/verify/gilk-verify.h"

G_BEGIN_DECLS

typedef enum {
  GILK_MEM_REF_STACK,      /* the stack, at offset @n from the initial stack pointer */
  GILK_MEM_REF_CELL,       /* the ring, at offset @n in cell @cell of the open record */
  GILK_MEM_REF_OWN,
  GILK_MEM_REF_READABLE,
  GILK_MEM_REF_GATE,
  GILK_MEM_REF_PREEMPT,    /* this and the next six kinds: one whole per-CPU variable */
  GILK_MEM_REF_GUARD,
  GILK_MEM_REF_HEAD,
  GILK_MEM_REF_LIMIT,
  GILK_MEM_REF_BASE,
  GILK_MEM_REF_MASK,
  GILK_MEM_REF_LOST,
  GILK_MEM_REF_SPLIT,      /* some bytes, but not all, of one of the per-CPU variables */
  GILK_MEM_REF_OTHER,      /* none of the above */
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
 * Returns the address, as lea would compute it; tagged if the base register is tagged. @next:
 * address of the next instruction
 */
GilkValue  gilk_mem_ref_address (const GilkState *state, const GilkStepMem *mem, uint64_t next);
GilkMemRef gilk_mem_ref_classify      (const GilkVerifyInput *what, const GilkState *state, const GilkStepMem *mem,
                                       uint64_t next, guint size);
/* Returns whether the address of @ref is a multiple of its size. */
gboolean   gilk_mem_ref_is_aligned (const GilkMemRef *ref);

G_END_DECLS

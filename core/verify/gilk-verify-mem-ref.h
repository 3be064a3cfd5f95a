/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-verify-mem-ref.h - verifier: the memory that an operand refers to
 *
 * Threads: any. Reads only what it is given.
 */
#pragma once

#include "core/verify/gilk-verify-decode.h"
#include "core/verify/gilk-verify-state.h"
#include "core/verify/gilk-verify.h"

G_BEGIN_DECLS

typedef enum {
  GILK_MEM_REF_STACK,      /* at @n from the initial stack pointer */
  GILK_MEM_REF_CELL,       /* at @n in cell @cell of the open record */
  GILK_MEM_REF_OWN,
  GILK_MEM_REF_READABLE,
  GILK_MEM_REF_GATE,
  GILK_MEM_REF_PREEMPT,    /* variables of the driver, whole */
  GILK_MEM_REF_GUARD,
  GILK_MEM_REF_HEAD,
  GILK_MEM_REF_LIMIT,
  GILK_MEM_REF_BASE,
  GILK_MEM_REF_MASK,
  GILK_MEM_REF_LOST,
  GILK_MEM_REF_SPLIT,      /* only some bytes of one of them */
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
 * Returns the address, as lea would compute it; tagged if its base is. @next: address of the next
 * instruction
 */
GilkValue  gilk_mem_ref_address (const GilkState *state, const GilkStepMem *mem, uint64_t next);
GilkMemRef gilk_mem_ref_classify      (const GilkVerifyInput *what, const GilkState *state, const GilkStepMem *mem,
                                       uint64_t next, guint size);
/* Returns whether its address is a multiple of its size. */
gboolean   gilk_mem_ref_is_aligned (const GilkMemRef *ref);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-proof-spot.h - verifier: the memory that an operand refers to
 *
 * Threads: any. Reads only what it is given.
 */
#pragma once

#include "core/program/gilk-proof-decode.h"
#include "core/program/gilk-proof-state.h"
#include "core/program/gilk-proof.h"

G_BEGIN_DECLS

typedef enum {
  GILK_SPOT_STACK,         /* at @n from the initial stack pointer */
  GILK_SPOT_CELL,          /* at @n in cell @cell of the open record */
  GILK_SPOT_OWN,
  GILK_SPOT_READABLE,
  GILK_SPOT_GATE,
  GILK_SPOT_PREEMPT,       /* variables of the driver, whole */
  GILK_SPOT_GUARD,
  GILK_SPOT_HEAD,
  GILK_SPOT_LIMIT,
  GILK_SPOT_BASE,
  GILK_SPOT_MASK,
  GILK_SPOT_LOST,
  GILK_SPOT_SPLIT,         /* only some bytes of one of them */
  GILK_SPOT_OTHER,         /* none of the above */
} GilkSpotKind;

typedef struct {
  uint8_t   kind;          /* GilkSpotKind */
  uint8_t   size;
  gboolean  per_cpu;
  int32_t   n;
  guint     cell;
  GilkValue address;
} GilkSpot;

/*
 * Returns the address, as lea would compute it; tagged if its base is. @next: address of the next
 * instruction
 */
GilkValue gilk_spot_address (const GilkState *state, const GilkStepMem *mem, uint64_t next);
GilkSpot  gilk_spot_of      (const GilkProofCase *what, const GilkState *state, const GilkStepMem *mem,
                             uint64_t next, guint size);
/* Returns whether its address is a multiple of its size. */
gboolean  gilk_spot_is_aligned (const GilkSpot *spot);

G_END_DECLS

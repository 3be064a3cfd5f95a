/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-proof-decode.h - the second opinion's own decoder: the forms that hooks have, and no others
 *
 * Shares no table with core/decode or core/emit, so that a mistake in one is not made twice.
 *
 * Threads: any. Reads only what it is given.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

typedef enum {
  GILK_STEP_ALU,       /* @op: add or adc sbb and sub xor cmp */
  GILK_STEP_TEST,
  GILK_STEP_MOV,
  GILK_STEP_MOVZX,     /* from @from bytes */
  GILK_STEP_MOVSX,
  GILK_STEP_LEA,
  GILK_STEP_PUSH,
  GILK_STEP_POP,
  GILK_STEP_PUSHF,
  GILK_STEP_POPF,
  GILK_STEP_INC,
  GILK_STEP_DEC,
  GILK_STEP_NOT,
  GILK_STEP_NEG,
  GILK_STEP_MUL,       /* rdx:rax = rax * operand, of either sign */
  GILK_STEP_DIV,
  GILK_STEP_IDIV,
  GILK_STEP_IMUL,      /* @reg = operand * (@reg, or the immediate) */
  GILK_STEP_SHIFT,     /* @op: rol ror rcl rcr shl shr - sar */
  GILK_STEP_CONVERT,   /* rdx = sign of rax */
  GILK_STEP_WIDEN,     /* rax = its lower half */
  GILK_STEP_XCHG,
  GILK_STEP_XADD,
  GILK_STEP_CMPXCHG,
  GILK_STEP_SCAN,      /* bsf, bsr: @op 0, 1 */
  GILK_STEP_SETCC,     /* @op: condition */
  GILK_STEP_CMOV,
  GILK_STEP_JCC,
  GILK_STEP_JMP,
  GILK_STEP_CLOCK,     /* rdtsc */
  GILK_STEP_NOP,
  GILK_STEP_CALL,      /* as branches */
  GILK_STEP_FORWARD,   /* cld */
  GILK_STEP_RETURN,
  GILK_STEP_FILL,      /* int3: no way may lead there */
} GilkStepKind;

enum { GILK_STEP_ADD, GILK_STEP_OR, GILK_STEP_AND = 4, GILK_STEP_SUB, GILK_STEP_XOR, GILK_STEP_CMP };
enum { GILK_STEP_SHL = 4, GILK_STEP_SHR = 5, GILK_STEP_SAR = 7 };

#define GILK_STEP_NONE (-1)

typedef struct {
  int8_t   base, index;    /* GILK_STEP_NONE: none */
  uint8_t  scale;          /* of @index: 1 << scale */
  gboolean gs;
  gboolean relative;       /* to the next instruction's address */
  int32_t  disp;
} GilkStepMem;

typedef struct {
  uint8_t     kind;        /* GilkStepKind */
  uint8_t     op;
  uint8_t     size;        /* bytes of the operands */
  uint8_t     from;
  uint8_t     length;
  gboolean    locked;
  gboolean    has_mem;     /* else @rm is a register */
  gboolean    to_reg;      /* @reg is what changes, the other is read */
  gboolean    has_imm;     /* which takes @reg's place, or a shift's count */
  int8_t      reg, rm;
  GilkStepMem mem;
  int64_t     imm;         /* of a branch: its distance from the next instruction */
} GilkStep;

/* Returns: NULL, or why this is no instruction of a hook: untranslated, marked with N_() */
const char *gilk_step_decode (const uint8_t *code, gsize length, GilkStep *step);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-verify-decode.h - the verifier's own decoder, limited to the instruction forms that hooks use
 *
 * The decoder shares no table with core/decode or core/emit, so that a mistake in either is not
 * repeated here.
 *
 * Threads: any. Reads only its arguments.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

typedef enum {
  GILK_STEP_ALU,       /* @op, 0 to 7: ADD, OR, ADC, SBB, AND, SUB, XOR, CMP */
  GILK_STEP_TEST,
  GILK_STEP_MOV,
  GILK_STEP_MOVZX,     /* zero-extends a source of @from bytes */
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
  GILK_STEP_MUL,       /* rdx:rax = rax * operand, unsigned or signed */
  GILK_STEP_DIV,
  GILK_STEP_IDIV,
  GILK_STEP_IMUL,      /* @reg = operand * (@reg, or the immediate) */
  GILK_STEP_SHIFT,     /* @op, 0 to 7: rol, ror, rcl, rcr, shl, shr, unused, sar */
  GILK_STEP_CONVERT,   /* cqo: rdx = 0 or -1, the sign of rax */
  GILK_STEP_WIDEN,     /* cdqe: rax = eax, sign-extended */
  GILK_STEP_XCHG,
  GILK_STEP_XADD,
  GILK_STEP_CMPXCHG,
  GILK_STEP_SCAN,      /* bsf (@op is 0) or bsr (@op is 1) */
  GILK_STEP_SETCC,     /* @op: condition code, as in GILK_STEP_JCC */
  GILK_STEP_CMOV,
  GILK_STEP_JCC,
  GILK_STEP_JMP,
  GILK_STEP_CLOCK,     /* rdtsc */
  GILK_STEP_NOP,
  GILK_STEP_CALL,      /* call; @imm is the distance of the target, as in a branch */
  GILK_STEP_FORWARD,   /* cld: clears the direction flag */
  GILK_STEP_RETURN,
  GILK_STEP_FILL,      /* int3, used as filler: no path may reach it */
} GilkStepKind;

enum { GILK_STEP_ADD, GILK_STEP_OR, GILK_STEP_AND = 4, GILK_STEP_SUB, GILK_STEP_XOR, GILK_STEP_CMP };
enum { GILK_STEP_SHL = 4, GILK_STEP_SHR = 5, GILK_STEP_SAR = 7 };

#define GILK_STEP_NONE (-1)

typedef struct {
  int8_t   base, index;    /* register numbers; GILK_STEP_NONE: not part of the address */
  uint8_t  scale;          /* @index is multiplied by 1 << scale */
  gboolean gs;
  gboolean relative;       /* @disp is relative to the address of the next instruction */
  int32_t  disp;
} GilkStepMem;

typedef struct {
  uint8_t     kind;        /* GilkStepKind */
  uint8_t     op;
  uint8_t     size;        /* size of the operands in bytes */
  uint8_t     from;
  uint8_t     length;
  gboolean    locked;
  gboolean    has_mem;     /* an operand is in memory; otherwise @rm is a register */
  gboolean    to_reg;      /* @reg is the destination and the other operand is the source */
  gboolean    has_imm;     /* there is an immediate operand, in place of @reg or of a shift's count
                            * in cl */
  int8_t      reg, rm;
  GilkStepMem mem;
  int64_t     imm;         /* for a branch: the distance of the target from the next instruction */
} GilkStep;

/* Decodes the instruction at @code. Returns NULL if a hook may contain it, else the reason why not
 * (untranslated, marked with N_()) */
const char *gilk_step_decode (const uint8_t *code, gsize length, GilkStep *step);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-asm.h - writes x86-64 instructions for one address
 *
 * Just the forms that patches need. Each call writes one instruction, counts it
 * and, where the stack's shape changed since the last one, notes an ORC entry.
 * Registers go by the machine's numbers, as in gilk-insn.h.
 *
 * Threads: one at a time. Nothing fails at once: @too_far is looked at in the end, and then
 * none of it may be used.
 */
#pragma once

#include "core/emit/gilk-orc.h"

G_BEGIN_DECLS

enum { GILK_RAX, GILK_RCX, GILK_RDX, GILK_RBX, GILK_RSP, GILK_RBP, GILK_RSI, GILK_RDI };

enum {
  GILK_CC_O = 0, GILK_CC_B = 2, GILK_CC_AE, GILK_CC_E, GILK_CC_NE, GILK_CC_BE, GILK_CC_A,
  GILK_CC_L = 12, GILK_CC_GE, GILK_CC_LE, GILK_CC_G,
};

/* What /digit selects, in opcodes 81, c1 and f7; and one-byte opcodes of the same to a register. */
enum { GILK_ADD, GILK_OR, GILK_AND = 4, GILK_SUB, GILK_XOR, GILK_CMP };
enum { GILK_SHL = 4, GILK_SHR, GILK_SAR = 7 };
enum { GILK_NEG = 3, GILK_DIV = 6, GILK_IDIV };

/* What a piece of a patch is for. */
typedef enum {
  GILK_PART_MOVED,         /* instructions of the footprint */
  GILK_PART_HOOK,
  GILK_PART_BACK,          /* the way back */
  GILK_PART_RARE,          /* out of line: ring full, re-entry */
} GilkPart;

typedef struct {
  guint    offset;         /* where it begins; it ends where the next one does */
  GilkPart part;
} GilkCodePart;

/* A block of a clone. */
typedef struct {
  guint    block;          /* of the graph */
  guint    offset, length;
  guint    insns;          /* hooks' too */
} GilkCodeBlock;

/* Code of a hook's program, which is closed: all ways of it end right behind it. */
typedef struct {
  guint    want;           /* of the plan */
  guint    index;          /* of the instruction before which it is; may be one past the want's block */
  guint    offset, length;
  uint64_t exits[3];       /* where its GILK_OP_EXITs lead, by GilkExit; 0: none does, or by a bare return */
} GilkCodeProgram;

typedef struct {
  uint64_t    base;        /* address of the first byte at run time */
  GByteArray *code;
  GArray     *orc;         /* struct ilk_orc; NULL: none wanted */
  GArray     *faults;      /* struct ilk_fault; NULL: none wanted */
  GArray     *parts;       /* GilkCodePart; NULL: none wanted */
  GArray     *programs;    /* GilkCodeProgram; NULL: none wanted */
  GArray     *blocks;      /* GilkCodeBlock, of a clone; NULL: none wanted */
  GilkImage  *image;
  gboolean    widest;      /* displacements and immediates take as many bytes as they ever may: for a bound */
  gboolean    no_hops;     /* branches are near, also where they could be short: likewise */
  guint       insns;       /* written so far, of what a hit runs */
  guint       depth;       /* bytes pushed by the patch and not yet popped */
  uint64_t    unwind_as;   /* original address whose ORC entry is in force */
  gboolean    too_far;     /* some operand did not fit its 32 bits */
} GilkAsm;

/* Memory operand: [base + 8 * index + disp], without @base if that is GILK_NO_BASE. */
#define GILK_NO_BASE (-1)
typedef struct {
  int      base;
  int32_t  disp;
  gboolean gs;
  gboolean indexed;
  guint    index;          /* a register, not rsp */
  gboolean locked;
} GilkMem;

static inline GilkMem
gilk_mem (int base, int32_t disp)
{
  return (GilkMem) { .base = base, .disp = disp };
}

static inline GilkMem
gilk_mem_gs (int base, int32_t disp)
{
  return (GilkMem) { .base = base, .disp = disp, .gs = TRUE };
}

uint64_t gilk_asm_here      (const GilkAsm *as);
/* What is written from here on is for @part. */
void     gilk_asm_part      (GilkAsm *as, GilkPart part);
/* Bytes of one instruction as they are. */
void     gilk_asm_raw       (GilkAsm *as, const uint8_t *bytes, gsize length);
/* Bytes that are never run. */
void     gilk_asm_filler    (GilkAsm *as, guint length);

void     gilk_asm_push      (GilkAsm *as, guint reg);
void     gilk_asm_pop       (GilkAsm *as, guint reg);
void     gilk_asm_pushf     (GilkAsm *as);
void     gilk_asm_popf      (GilkAsm *as);
void     gilk_asm_push_mem  (GilkAsm *as, GilkMem mem);
void     gilk_asm_pop_mem   (GilkAsm *as, GilkMem mem);
void     gilk_asm_push_addr (GilkAsm *as, uint64_t addr);   /* sign-extended imm32 */
void     gilk_asm_drop      (GilkAsm *as, guint bytes);     /* off the stack, flags kept */
void     gilk_asm_room      (GilkAsm *as, guint bytes);     /* onto the stack, likewise */

/* One- or two-byte opcode (0x0fxx), /@reg, memory operand; @wide: 64 bits. */
void     gilk_asm_mem       (GilkAsm *as, gboolean wide, guint opcode, guint reg, GilkMem mem);
/* c7 /0: mov $imm32 (sign-extended if wide) to memory */
void     gilk_asm_store_imm (GilkAsm *as, gboolean wide, int32_t imm, GilkMem mem);
/* One-byte opcode, register to register, 32 bits. */
void     gilk_asm_reg32     (GilkAsm *as, guint opcode, guint reg, guint rm);
/* 81 /@digit: and, or, .. $imm32, 32 bits */
void     gilk_asm_imm32     (GilkAsm *as, guint digit, guint rm, uint32_t imm);
/* One- or two-byte opcode, register to register. */
void     gilk_asm_reg       (GilkAsm *as, gboolean wide, guint opcode, guint reg, guint rm);
void     gilk_asm_mov       (GilkAsm *as, guint to, guint from);
/* 83 or 81 /@digit: add, or, .. cmp of @imm, sign-extended if wide, to a register or memory */
void     gilk_asm_imm       (GilkAsm *as, gboolean wide, guint digit, guint rm, int32_t imm);
void     gilk_asm_imm_mem   (GilkAsm *as, gboolean wide, guint digit, GilkMem mem, int32_t imm);
/* f7 /0: test $@imm */
void     gilk_asm_test_imm  (GilkAsm *as, gboolean wide, guint rm, int32_t imm);
/* @to = @from * @imm */
void     gilk_asm_imul_imm  (GilkAsm *as, guint to, guint from, int32_t imm);
/* c1 /@digit: by @count; d3: by cl */
void     gilk_asm_shift     (GilkAsm *as, gboolean wide, guint digit, guint rm, guint count);
void     gilk_asm_shift_cl  (GilkAsm *as, guint digit, guint rm);
/* f7 /@digit: neg, div, idiv */
void     gilk_asm_unary     (GilkAsm *as, guint digit, guint rm);
/* The low @size bytes of register or memory, extended to 64 bits. */
void     gilk_asm_extend    (GilkAsm *as, guint size, gboolean is_signed, guint to, guint from);
void     gilk_asm_load      (GilkAsm *as, guint size, gboolean is_signed, guint to, GilkMem mem);
void     gilk_asm_store     (GilkAsm *as, guint size, guint from, GilkMem mem);
/* Any value, in the shortest form that keeps the flags. */
void     gilk_asm_mov_imm   (GilkAsm *as, guint reg, uint64_t imm);
void     gilk_asm_mov_imm32 (GilkAsm *as, guint reg, uint32_t imm);
void     gilk_asm_mov_imm64 (GilkAsm *as, guint reg, uint64_t imm);
/* cmpb $0, @addr */
void     gilk_asm_test_byte (GilkAsm *as, uint64_t addr);
/* testb $@bits, @addr */
void     gilk_asm_test_bits (GilkAsm *as, uint64_t addr, uint8_t bits);
/* movb $@value, @addr */
void     gilk_asm_set_byte  (GilkAsm *as, uint64_t addr, uint8_t value);

void     gilk_asm_jmp       (GilkAsm *as, uint64_t target);
void     gilk_asm_jcc       (GilkAsm *as, guint cc, uint64_t target);
void     gilk_asm_call      (GilkAsm *as, uint64_t target);
/* A short jump, of that opcode, whose displacement is to be filled in. */
void     gilk_asm_hop       (GilkAsm *as, guint opcode);
/* A branch forward: gilk_asm_land() makes it lead here. */
gsize    gilk_asm_jcc_ahead (GilkAsm *as, guint cc);
gsize    gilk_asm_jmp_ahead (GilkAsm *as);
void     gilk_asm_land      (GilkAsm *as, gsize branch);
/* Makes it lead to @offset of the code, which may lie before it. */
void     gilk_asm_land_at   (GilkAsm *as, gsize branch, gsize offset);

G_END_DECLS

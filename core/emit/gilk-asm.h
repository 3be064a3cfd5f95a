/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-asm.h - assembler: writes x86-64 instructions that run at a given address
 *
 * It has only the instructions that patches need. Each call writes one instruction, counts it and,
 * if the stack's layout has changed since the last instruction, adds an ORC entry. Registers have
 * the machine's numbers, as in gilk-insn.h.
 *
 * Threads: one at a time. Errors are checked at the end only: if @too_far is set, none of the code
 * may be used.
 */
#pragma once

#include "core/emit/gilk-orc.h"

G_BEGIN_DECLS

enum { GILK_RAX, GILK_RCX, GILK_RDX, GILK_RBX, GILK_RSP, GILK_RBP, GILK_RSI, GILK_RDI, GILK_R8, GILK_R9 };

/* Returns the offset of the machine's register @reg in the kernel's struct pt_regs: r15 r14 r13 r12 rbp
 * rbx r11 r10 r9 r8 rax rcx rdx rsi rdi, then the exception frame: orig_rax rip cs flags rsp ss. */
static inline int
gilk_pt_regs_offset (guint reg)
{
  static const uint8_t offsets[16] = { 80, 88, 96, 40, 152, 32, 104, 112, 72, 64, 56, 48, 24, 16, 8, 0 };

  return offsets[reg & 15];
}

enum {
  GILK_CC_O = 0, GILK_CC_B = 2, GILK_CC_AE, GILK_CC_E, GILK_CC_NE, GILK_CC_BE, GILK_CC_A,
  GILK_CC_L = 12, GILK_CC_GE, GILK_CC_LE, GILK_CC_G,
};

/* Values of "/digit", the reg field of ModRM that selects the instruction, for opcodes 81, c1 and
 * f7. Opcodes add, or, ... with a register use the same numbers in bits 3 to 5. */
enum { GILK_ADD, GILK_OR, GILK_AND = 4, GILK_SUB, GILK_XOR, GILK_CMP };
enum { GILK_SHL = 4, GILK_SHR, GILK_SAR = 7 };
enum { GILK_NEG = 3, GILK_DIV = 6, GILK_IDIV };

/* The purpose of a part of a patch's code. */
typedef enum {
  GILK_PART_MOVED,         /* relocated instructions of the footprint, the bytes that the patch
                            * replaces */
  GILK_PART_HOOK,
  GILK_PART_BACK,          /* the jump from the patch back to the original code */
  GILK_PART_RARE,          /* rarely executed code at the end of the patch, which handles a full
                            * ring and recursion */
} GilkPart;

typedef struct {
  guint    offset;         /* offset of the part's start; the part ends where the next one starts */
  GilkPart part;
} GilkCodePart;

/* Location of a basic block's copy in a clone. */
typedef struct {
  guint    block;          /* index of the block in the control-flow graph */
  guint    offset, length;
  guint    insns;          /* number of instructions of the copy, including the code of hooks */
} GilkCodeBlock;

/* Location of the code of a hook's program. Unless the program leaves the hook by an exit, control
 * continues after the code's last byte. */
typedef struct {
  guint    want;           /* index of the hook in GilkSplicePlan.wants */
  guint    index;          /* index of the instruction in front of which the code is; may be one
                            * past the hook's block */
  guint    offset, length;
  uint64_t exits[3];       /* for each GilkExit: address to which the program jumps; 0 if the
                            * program does not use this exit, or if the exit is a plain return */
} GilkCodeProgram;

typedef struct {
  uint64_t    base;        /* address of the first byte at run time */
  GByteArray *code;
  GArray     *orc;         /* unwind entries, struct ilk_orc; NULL: not recorded */
  GArray     *faults;      /* exception-table entries, struct ilk_fault; NULL: not recorded */
  GArray     *parts;       /* (element-type GilkCodePart); NULL: not recorded */
  GArray     *programs;    /* (element-type GilkCodeProgram); NULL: not recorded */
  GArray     *blocks;      /* (element-type GilkCodeBlock), only for clones; NULL: not recorded */
  GilkImage  *image;
  gboolean    bound_only;  /* always use the longest displacements and immediates, to get an upper
                            * bound of the code's size */
  gboolean    only_near;   /* always use the near form of branches, with 32-bit displacements, to
                            * get an upper bound of the code's size */
  guint       insns;       /* number of instructions written so far that a hit executes */
  guint       depth;       /* number of bytes pushed by the patch and not yet popped */
  uint64_t    unwind_as;   /* address in the original code whose ORC entry applies to the
                            * instruction written next */
  gboolean    too_far;     /* an operand did not fit into 32 bits */
} GilkAsm;

/* Memory operand: [base + 8 * index + disp]. @base is GILK_NO_BASE if no base register is used. */
#define GILK_NO_BASE (-1)
typedef struct {
  int      base;
  int32_t  disp;
  gboolean gs;
  gboolean indexed;
  guint    index;          /* index register; must not be rsp */
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

uint64_t gilk_asm_here   (const GilkAsm *as);
/* Starts a part of the patch: the code written next belongs to @part. */
void     gilk_asm_part   (GilkAsm *as, GilkPart part);
/* Writes the bytes of one instruction unchanged. */
void     gilk_asm_raw    (GilkAsm *as, const uint8_t *bytes, gsize length);
/* Writes @length bytes that are never executed. */
void     gilk_asm_filler (GilkAsm *as, guint length);

void gilk_asm_push      (GilkAsm *as, guint reg);
void gilk_asm_pop       (GilkAsm *as, guint reg);
void gilk_asm_pushf     (GilkAsm *as);
void gilk_asm_popf      (GilkAsm *as);
void gilk_asm_push_mem  (GilkAsm *as, GilkMem mem);
void gilk_asm_pop_mem   (GilkAsm *as, GilkMem mem);
void gilk_asm_push_addr (GilkAsm *as, uint64_t addr);   /* pushes @addr as a sign-extended imm32 */
void gilk_asm_drop      (GilkAsm *as, guint bytes);     /* writes code that frees @bytes of stack;
                                                         * preserves flags */
void gilk_asm_room      (GilkAsm *as, guint bytes);     /* writes code that reserves @bytes of
                                                         * stack; preserves flags */

/*
 * Writes an instruction with a one- or two-byte opcode (0x0fxx), register @reg and a memory
 * operand. @wide: the operands have 64 bits
 */
void gilk_asm_mem       (GilkAsm *as, gboolean wide, guint opcode, guint reg, GilkMem mem);
/* Writes opcode c7 /0: mov of $@imm, sign-extended if @wide, to memory. */
void gilk_asm_store_imm (GilkAsm *as, gboolean wide, int32_t imm, GilkMem mem);
/* Writes an instruction with a one-byte opcode and two 32-bit registers. */
void gilk_asm_reg32     (GilkAsm *as, guint opcode, guint reg, guint rm);
/* Writes opcode 81 /@digit: add, or, and, ... $@imm to a 32-bit register. */
void gilk_asm_imm32     (GilkAsm *as, guint digit, guint rm, uint32_t imm);
/* Writes an instruction with a one- or two-byte opcode (0x0fxx) and two registers. */
void gilk_asm_reg       (GilkAsm *as, gboolean wide, guint opcode, guint reg, guint rm);
void gilk_asm_mov       (GilkAsm *as, guint to, guint from);
/*
 * Write opcode 83 or 81 /@digit (add, or, ... cmp) with $@imm, sign-extended if @wide, and a
 * register or memory operand.
 */
void gilk_asm_imm       (GilkAsm *as, gboolean wide, guint digit, guint rm, int32_t imm);
void gilk_asm_imm_mem   (GilkAsm *as, gboolean wide, guint digit, GilkMem mem, int32_t imm);
/* Writes opcode f7 /0: test of @rm with $@imm. */
void gilk_asm_test_imm  (GilkAsm *as, gboolean wide, guint rm, int32_t imm);
/* Writes code that sets register @to to register @from times @imm. */
void gilk_asm_imul_imm  (GilkAsm *as, guint to, guint from, int32_t imm);
/* Write a shift of register @rm: opcode c1 /@digit by @count, or opcode d3 /@digit by cl. */
void gilk_asm_shift     (GilkAsm *as, gboolean wide, guint digit, guint rm, guint count);
void gilk_asm_shift_cl  (GilkAsm *as, guint digit, guint rm);
/* Writes opcode f7 /@digit: neg, div or idiv. */
void gilk_asm_unary     (GilkAsm *as, guint digit, guint rm);
/* Write code that extends the low @size bytes of a register, or of memory, to 64 bits in @to. */
void gilk_asm_extend    (GilkAsm *as, guint size, gboolean is_signed, guint to, guint from);
void gilk_asm_load      (GilkAsm *as, guint size, gboolean is_signed, guint to, GilkMem mem);
void gilk_asm_store     (GilkAsm *as, guint size, guint from, GilkMem mem);
/* Writes code that loads constant @imm into @reg, in the shortest form that preserves flags. */
void gilk_asm_mov_imm   (GilkAsm *as, guint reg, uint64_t imm);
void gilk_asm_mov_imm32 (GilkAsm *as, guint reg, uint32_t imm);
void gilk_asm_mov_imm64 (GilkAsm *as, guint reg, uint64_t imm);
/* Writes cmpb $0, @addr. */
void gilk_asm_test_byte (GilkAsm *as, uint64_t addr);
/* Writes testb $@bits, @addr. */
void gilk_asm_test_bits (GilkAsm *as, uint64_t addr, uint8_t bits);
/* Writes movb $@value, @addr. */
void gilk_asm_set_byte  (GilkAsm *as, uint64_t addr, uint8_t value);

void  gilk_asm_jmp       (GilkAsm *as, uint64_t target);
void  gilk_asm_jcc       (GilkAsm *as, guint cc, uint64_t target);
void  gilk_asm_call      (GilkAsm *as, uint64_t target);
/* Writes a short jump with @opcode. The caller must fill in its displacement later. */
void  gilk_asm_hop       (GilkAsm *as, guint opcode);
/* Write a forward branch, and return its position; gilk_asm_land() then sets its target to the
 * current end of the code. */
gsize gilk_asm_jcc_ahead (GilkAsm *as, guint cc);
gsize gilk_asm_jmp_ahead (GilkAsm *as);
void  gilk_asm_land      (GilkAsm *as, gsize branch);
/* Sets the branch's target to @offset in the code. The target may be before the branch. */
void  gilk_asm_land_at   (GilkAsm *as, gsize branch, gsize offset);

G_END_DECLS

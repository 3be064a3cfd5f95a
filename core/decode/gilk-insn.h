/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-insn.h - one decoded instruction, in a compact form
 *
 * gilk-insn.c is the only file that includes Capstone, and corrects known errors of Capstone 4.0.2.
 *
 * There are two levels of detail: gilk_insn_decode() finds length and branch and is fast enough for
 * a whole kernel; gilk_insn_effects() finds the registers and flags that are read and written.
 *
 * Threads: a decoder belongs to one thread at a time; decoded instructions belong to the caller. On
 * failure @insn is undefined.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

typedef enum {
  GILK_BRANCH_NONE,          /* not a branch: continues with the next instruction */
  GILK_BRANCH_JUMP,          /* jmp rel8/rel32 */
  GILK_BRANCH_JCC,           /* conditional, including loop and jcxz */
  GILK_BRANCH_CALL,          /* call rel32 */
  GILK_BRANCH_CALL_INDIRECT,
  GILK_BRANCH_JUMP_INDIRECT,
  GILK_BRANCH_RET,           /* ret, iret, sysret */
  GILK_BRANCH_UD,            /* ud0, ud1, ud2, udb */
  GILK_BRANCH_INT3,
  GILK_BRANCH_HLT,
} GilkBranch;

enum {                      /* GilkInsn.flags */
  GILK_INSN_RIP_RELATIVE = 1 << 0,   /* has a memory operand [rip + disp32] */
  GILK_INSN_SHORT        = 1 << 1,   /* rel8 branch */
  GILK_INSN_LOOP         = 1 << 2,   /* loop*, jcxz: rel8 only */
  GILK_INSN_PINNED       = 1 << 3,   /* must not run out of line: far branch, privileged
                                      * instruction, mov to ss, iret */
  GILK_INSN_ENDBR        = 1 << 4,
  GILK_INSN_NOP          = 1 << 5,
  GILK_INSN_STAC         = 1 << 6,
  GILK_INSN_CLAC         = 1 << 7,
  GILK_INSN_STD          = 1 << 8,
  GILK_INSN_UD2          = 1 << 9,
  GILK_INSN_PADDING      = 1 << 10,  /* int3 or nop filler that is never reached */
  GILK_INSN_WARN         = 1 << 11,  /* ud1 (%edx),%rdi: WARN with a message; execution continues
                                      * after it */
};

typedef struct {
  uint64_t addr;
  uint64_t target;         /* target of a direct branch or call; else 0 */
  uint16_t flags;
  uint8_t  len;
  uint8_t  branch;           /* GilkBranch */
  int8_t   disp_offset;    /* offset of the rip-relative disp32 in the instruction; -1: none */
  int8_t   rel_offset;     /* offset of the branch displacement in the instruction; -1: none */
  uint8_t  opcode_hint;    /* condition code of a jcc (0 to 15); else 0 */
  uint8_t  reserved;
} GilkInsn;

/* Bits of register masks are numbered like registers: rax=0 rcx=1 rdx=2 rbx=3 rsp=4 rbp=5 rsi=6
 * rdi=7 r8..r15. */
#define GILK_REGS_ALL     0xffffu
#define GILK_REG_BIT(n)   (1u << (n))

enum {                      /* flag masks */
  GILK_FLAG_CF = 1, GILK_FLAG_PF = 2, GILK_FLAG_AF = 4, GILK_FLAG_ZF = 8,
  GILK_FLAG_SF = 16, GILK_FLAG_OF = 32, GILK_FLAG_DF = 64, GILK_FLAG_IF = 128,
  GILK_FLAG_AC = 256,
  GILK_FLAGS_ARITH = 63, GILK_FLAGS_ALL = 511,
};

typedef struct {
  uint16_t regs_read;      /* registers that are read in whole or in part, also for addresses */
  uint16_t regs_written;   /* registers whose 64 bits are all overwritten, for certain (a 32-bit
                            * write clears the upper half) */
  uint16_t regs_touched;   /* registers that may be changed, in whole or in part */
  uint16_t flags_read;
  uint16_t flags_written;  /* flags that are certainly overwritten or undefined */
  uint16_t flags_touched;
} GilkEffects;

typedef struct _GilkDecoder GilkDecoder;

GilkDecoder *gilk_decoder_new  (void);
void         gilk_decoder_free (GilkDecoder *decoder);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkDecoder, gilk_decoder_free)

/* Returns FALSE if the bytes are not a known instruction, or if the instruction is longer than
 * @avail. */
gboolean gilk_insn_decode  (GilkDecoder *decoder, const uint8_t *bytes, gsize avail,
                            uint64_t addr, GilkInsn *insn);
/* Finds the registers and flags that an instruction reads and writes. Unknown instructions are
 * assumed to read everything and write nothing for certain, which is safe for liveness. */
void     gilk_insn_effects (GilkDecoder *decoder, const uint8_t *bytes, const GilkInsn *insn,
                            GilkEffects *effects);
/* Prints AT&T syntax, "mov %rdi,%r14", into @mnemonic and @operands. */
void     gilk_insn_text    (GilkDecoder *decoder, const uint8_t *bytes, const GilkInsn *insn,
                            char mnemonic[32], char operands[160]);

G_END_DECLS

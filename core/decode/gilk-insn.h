/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-insn.h - decodes instructions: effects and operands in a compact form, and the parts of
 * an encoding
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

enum {                      /* bits of GilkInsn.flags */
  GILK_INSN_RIP_RELATIVE = 1 << 0,   /* has a memory operand [rip + disp32] */
  GILK_INSN_SHORT        = 1 << 1,   /* branch with an 8-bit displacement */
  GILK_INSN_LOOP         = 1 << 2,  /* loop* or jcxz, which exist only with an 8-bit displacement */
  GILK_INSN_PINNED       = 1 << 3,   /* must not run out of line: far branch, privileged
                                      * instruction, mov to ss, iret */
  GILK_INSN_ENDBR        = 1 << 4,
  GILK_INSN_NOP          = 1 << 5,
  GILK_INSN_STAC         = 1 << 6,
  GILK_INSN_CLAC         = 1 << 7,
  GILK_INSN_STD          = 1 << 8,
  GILK_INSN_UD2          = 1 << 9,
  GILK_INSN_PADDING      = 1 << 10,  /* int3 or nop that only fills space and is never executed */
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

enum {                      /* masks of the bits of RFLAGS, in this file's own numbering */
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

/* Decodes the instruction at @bytes. Returns FALSE if it is unknown or longer than @avail bytes. */
gboolean gilk_insn_decode  (GilkDecoder *decoder, const uint8_t *bytes, gsize avail,
                            uint64_t addr, GilkInsn *insn);
/* Finds the registers and flags that an instruction reads and writes. Unknown instructions are
 * assumed to read everything and write nothing for certain, which is safe for liveness. */
void     gilk_insn_effects (GilkDecoder *decoder, const uint8_t *bytes, const GilkInsn *insn,
                            GilkEffects *effects);
/* Prints AT&T syntax, "mov %rdi,%r14", into @mnemonic and @operands. */
void     gilk_insn_text    (GilkDecoder *decoder, const uint8_t *bytes, const GilkInsn *insn,
                            char mnemonic[32], char operands[160]);

/*
 * Splits an x86-64 instruction into its parts.
 *
 * Determines an instruction's length from prefixes, opcode maps and ModRM, but not its meaning.
 * Fast enough to scan a whole kernel: no state, no text, no allocation. Unlisted encodings are
 * refused.
 *
 * Threads: any. On failure @op is undefined.
 */

typedef enum {
  GILK_MAP_1,              /* one-byte opcodes */
  GILK_MAP_0F,
  GILK_MAP_0F38,
  GILK_MAP_0F3A,
} GilkMap;

enum {                      /* bits of GilkOpcode.prefixes */
  GILK_PREFIX_66   = 1 << 0,
  GILK_PREFIX_F2   = 1 << 1,
  GILK_PREFIX_F3   = 1 << 2,
  GILK_PREFIX_LOCK = 1 << 3,
  GILK_PREFIX_67   = 1 << 4,
  GILK_PREFIX_GS   = 1 << 5,    /* gs or fs */
  GILK_PREFIX_VEX  = 1 << 6,    /* VEX or EVEX */
  GILK_PREFIX_SEG  = 1 << 7,    /* cs, ds, es, ss: ignored in 64-bit mode */
};

enum {                      /* bits of GilkOpcode.rex */
  GILK_REX_B = 1, GILK_REX_X = 2, GILK_REX_R = 4, GILK_REX_W = 8,
  GILK_REX_PRESENT = 0x40,
};

typedef struct {
  uint8_t len;
  uint8_t map;             /* GilkMap */
  uint8_t opcode;
  uint8_t prefixes;
  uint8_t rex;             /* REX prefix, or the same bits from a VEX prefix */
  uint8_t has_modrm;
  uint8_t modrm, sib;
  int8_t  disp_offset, imm_offset;    /* -1 none */
  uint8_t disp_size, imm_size;        /* sizes in bytes; imm_size is also the size of a branch
                                       * displacement */
  uint8_t rip_relative;
} GilkOpcode;

#define GILK_MODRM_MOD(op)  ((op)->modrm >> 6)
#define GILK_MODRM_REG(op)  (((op)->modrm >> 3) & 7)
#define GILK_MODRM_RM(op)   ((op)->modrm & 7)

/* Splits the instruction at @bytes into its parts. Returns FALSE if the encoding is unknown or
 * longer than @avail bytes. */
gboolean gilk_opcode_parse (const uint8_t *bytes, gsize avail, GilkOpcode *op);

/* Returns the immediate or displacement at @offset, sign-extended. */
int64_t  gilk_opcode_value (const uint8_t *bytes, int offset, guint size);

G_END_DECLS

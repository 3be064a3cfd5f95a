/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-bpf-insns.h - appends BPF instructions to an array
 *
 * Private to the files that write BPF programs.
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>
#include <linux/bpf.h>
#include <stdint.h>

static inline void
gilk_bpf_put (GArray *insns, guint code, guint dst, guint src, int off, int32_t imm)
{
  struct bpf_insn insn = { .code = (uint8_t) code, .off = (int16_t) off, .imm = imm };

  insn.dst_reg = dst & 15;
  insn.src_reg = src & 15;
  g_array_append_val (insns, insn);
}

static inline void
gilk_bpf_put_move (GArray *insns, guint to, guint from)
{
  if (to != from)
    gilk_bpf_put (insns, BPF_ALU64 | BPF_MOV | BPF_X, to, from, 0, 0);
}

static inline void
gilk_bpf_put_wide (GArray *insns, guint to, guint kind, uint32_t low, uint32_t high)
{
  gilk_bpf_put (insns, BPF_LD | BPF_DW | BPF_IMM, to, kind, 0, (int32_t) low);
  gilk_bpf_put (insns, 0, 0, 0, 0, (int32_t) high);
}

static inline void
gilk_bpf_put_constant (GArray *insns, guint to, int64_t number)
{
  if (number == (int32_t) number)
    gilk_bpf_put (insns, BPF_ALU64 | BPF_MOV | BPF_K, to, 0, 0, (int32_t) number);
  else
    gilk_bpf_put_wide (insns, to, 0, (uint32_t) number, (uint32_t) ((uint64_t) number >> 32));
}

static inline void
gilk_bpf_put_map (GArray *insns, guint to, uint32_t handle, uint64_t offset)
{
  gilk_bpf_put_wide (insns, to, BPF_PSEUDO_MAP_VALUE, handle, (uint32_t) offset);
}

static inline void
gilk_bpf_put_alu (GArray *insns, guint op, guint to, guint with)
{
  gilk_bpf_put (insns, BPF_ALU64 | op | BPF_X, to, with, 0, 0);
}

static inline void
gilk_bpf_put_alu_imm (GArray *insns, guint op, guint to, int32_t imm)
{
  gilk_bpf_put (insns, BPF_ALU64 | op | BPF_K, to, 0, 0, imm);
}

static inline guint
gilk_bpf_size (guint bytes)
{
  return bytes == 1 ? BPF_B : bytes == 2 ? BPF_H : bytes == 4 ? BPF_W : BPF_DW;
}

/* Appends a load from memory. @size: size of the access in bytes: 1, 2, 4 or 8 */
static inline void
gilk_bpf_put_load (GArray *insns, guint size, guint to, guint from, int off)
{
  gilk_bpf_put (insns, BPF_LDX | BPF_MEM | gilk_bpf_size (size), to, from, off, 0);
}

static inline void
gilk_bpf_put_store (GArray *insns, guint size, guint to, int off, guint from)
{
  gilk_bpf_put (insns, BPF_STX | BPF_MEM | gilk_bpf_size (size), to, from, off, 0);
}

static inline void
gilk_bpf_put_store_imm (GArray *insns, guint size, guint to, int off, int32_t imm)
{
  gilk_bpf_put (insns, BPF_ST | BPF_MEM | gilk_bpf_size (size), to, 0, off, imm);
}

static inline void
gilk_bpf_put_atomic (GArray *insns, guint kind, guint to, int off, guint with)
{
  gilk_bpf_put (insns, BPF_STX | BPF_ATOMIC | BPF_DW, to, with, off, (int32_t) kind);
}

static inline void
gilk_bpf_put_call (GArray *insns, int helper)
{
  gilk_bpf_put (insns, BPF_JMP | BPF_CALL, 0, 0, 0, helper);
}

/* Appends a jump, whose target gilk_bpf_land() sets. Returns its index. */
static inline guint
gilk_bpf_put_jump (GArray *insns, guint code, guint a, guint b, int32_t imm)
{
  gilk_bpf_put (insns, BPF_JMP | code, a, b, 0, imm);

  return insns->len - 1;
}

static inline void
gilk_bpf_land (GArray *insns, guint jump)
{
  g_array_index (insns, struct bpf_insn, jump).off = (int16_t) (insns->len - jump - 1);
}

/* Appends the end of a loop: code that decrements register @counter, and jumps to @begin if the
 * result is not 0. */
static inline void
gilk_bpf_put_loop (GArray *insns, guint counter, guint begin)
{
  gilk_bpf_put_alu_imm (insns, BPF_SUB, counter, 1);
  gilk_bpf_put (insns, BPF_JMP | BPF_JNE | BPF_K, counter, 0, (int) begin - (int) insns->len - 1, 0);
}

/* Appends code for a map that has one copy per CPU, @stride bytes apart. The code adds the offset
 * of this CPU's copy to the address in @to. Expects the CPU's number in r7. Changes @scratch. */
static inline void
gilk_bpf_add_cpu (GArray *insns, guint n_cpus, guint to, guint scratch, uint64_t stride)
{
  if (n_cpus < 2)
    return;
  gilk_bpf_put_move (insns, scratch, BPF_REG_7);
  gilk_bpf_put_alu_imm (insns, BPF_MUL, scratch, (int32_t) stride);
  gilk_bpf_put_alu (insns, BPF_ADD, to, scratch);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz-verifier-machine.h - declares a simulated CPU, which is independent of the verifier: its
 * registers and memory, the checks of each access, and the functions that run code on it
 */
#pragma once

#include <capstone/capstone.h>

#include "core/verify/gilk-verify.h"

enum {
  FLAG_C = 1, FLAG_P = 4, FLAG_A = 16, FLAG_Z = 64, FLAG_S = 128, FLAG_O = 2048,
  FLAG_D = 1024,           /* direction flag: string instructions run backward */
  FLAGS_ALL = FLAG_C | FLAG_P | FLAG_A | FLAG_Z | FLAG_S | FLAG_O,
  MACHINE_WORDS = 8192,
};

typedef struct {
  uint64_t address;        /* address of the 8-byte word, 8-byte aligned */
  gboolean per_cpu;
  /* Number of the run that wrote this entry. The entry is free unless it is the number of the
   * current run. */
  guint    run;
  uint64_t value;
} MachineWord;

typedef struct {
  const GilkVerifyInput *what;
  GRand               *rand;
  uint64_t             regs[16], flags, rip;
  uint64_t             begin_regs[16], begin_flags;
  const char          *broken;
  gboolean             faulted;
  uint64_t             fixup;
  uint64_t             ring_base, ring_mask, head, limit, record;
  gboolean             open;
  uint8_t              written[ILK_CELL * 5];
  uint32_t             preempt, begin_preempt;
  uint64_t             guard, begin_guard;
  gboolean             left;
  guint                run;
  MachineWord          words[MACHINE_WORDS];
} Machine;

typedef struct {
  uint64_t address;
  guint    size;
  gboolean per_cpu, locked;
  guint    insn;           /* Capstone's id of the instruction */
  guint    offset;         /* offset of the instruction in the hook's code */
} Access;

void     machine_begin  (Machine *m, const GilkVerifyInput *what, GRand *rand);
void     machine_end    (Machine *m);
/* Checks the state when the code exits; @how: kind of exit. */
void     machine_leave  (Machine *m, GilkVerifyExitKind how);
/* Simulates a call of a function, up to its return. */
void     machine_call   (Machine *m);
/* Simulates an instruction by which execution leaves the hook's code or returns to it. Returns
 * FALSE for any other instruction. */
gboolean machine_ways   (Machine *m, const cs_insn *insn, uint64_t *next);
/* Records @rule as broken, unless another rule was broken before. */
void     machine_break  (Machine *m, const char *rule);
uint64_t machine_random (Machine *m);
uint64_t machine_read   (Machine *m, const Access *access);
void     machine_write  (Machine *m, const Access *access, uint64_t value);

/* ---- defined in fuzz-verifier-interpret.c ---- */

/* Runs the code of @what once with random registers, flags and memory; loads may fault. Returns:
 * (nullable): the rule that the code broke */
const char *fuzz_verifier_interpret (const GilkVerifyInput *what, GRand *rand);

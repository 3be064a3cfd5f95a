/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * splice-run.h - runs kernel-style code in this process and captures all registers
 *
 * Code is at low addresses, which push can take as a sign-extended 32-bit immediate.
 * The code can access one small piece of memory between unmapped pages. It exits through the stub
 * at RUN_EXIT or by a fault; RunState then holds the final registers.
 */
#pragma once

#include <glib.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#ifndef RUN_CODE
#define RUN_CODE    0x20000000ull      /* address of the original code */
#define RUN_EXIT    0x24000000ull
#define RUN_SLOT    0x60000000ull      /* address of the moved or emitted code */
#endif
#define RUN_MEMORY  0x30000000ull
#define RUN_BYTES   8192
#define RUN_STACK   (RUN_MEMORY + 6144)

typedef struct {
  uint64_t regs[16];                   /* indexed by the machine's register number */
  uint64_t flags, target, host_sp, fault;
} RunState;

RunState run_state;
static sigjmp_buf run_out_of_fault;
static uint64_t run_fault_rip;         /* rip at the fault, if the code faulted */
static volatile sig_atomic_t run_inside;
static uint8_t *run_memory;

void run_enter (void);
void run_leave (void);

#define RUN_SAVE(n, name) "mov %" name ", run_state+8*" #n "(%rip)\n"
#define RUN_LOAD(n, name) "mov run_state+8*" #n "(%rip), %" name "\n"
#define RUN_ALL(X) \
  X (0, "rax") X (1, "rcx") X (2, "rdx") X (3, "rbx") X (4, "rsp") X (5, "rbp") X (6, "rsi") \
  X (7, "rdi") X (8, "r8") X (9, "r9") X (10, "r10") X (11, "r11") X (12, "r12") \
  X (13, "r13") X (14, "r14") X (15, "r15")

__asm__ (
  ".text\n"
  ".globl run_enter\n"
  "run_enter:\n"
  "push %rbx\n push %rbp\n push %r12\n push %r13\n push %r14\n push %r15\n"
  "mov %rsp, run_state+8*18(%rip)\n"
  "push run_state+8*16(%rip)\n popf\n"
  RUN_ALL (RUN_LOAD)
  "jmp *run_state+8*17(%rip)\n"
  ".globl run_leave\n"
  "run_leave:\n"
  RUN_ALL (RUN_SAVE)
  "mov run_state+8*18(%rip), %rsp\n"
  "pushf\n pop run_state+8*16(%rip)\n cld\n"
  "pop %r15\n pop %r14\n pop %r13\n pop %r12\n pop %rbp\n pop %rbx\n"
  "ret\n"
);

static void
run_on_fault (int number, siginfo_t *info, void *context)
{
  static const int order[16] = {
    REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
    REG_R8, REG_R9, REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15,
  };
  const ucontext_t *uc = context;

  /* A fault outside the tested code must end the test program. */
  if (!run_inside)
    {
      signal (number, SIG_DFL);
      raise (number);
      return;
    }

  for (int i = 0; i < 16; i++)
    run_state.regs[i] = (uint64_t) uc->uc_mcontext.gregs[order[i]];
  run_state.flags = (uint64_t) uc->uc_mcontext.gregs[REG_EFL];
  run_state.fault = (uint64_t) number;
  run_fault_rip = (uint64_t) uc->uc_mcontext.gregs[REG_RIP];
  siglongjmp (run_out_of_fault, 1);
}

static inline void
run_catch_faults (void)
{
  static const int signals[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP };
  static uint8_t stack[65536];
  const stack_t alternative = { .ss_sp = stack, .ss_size = sizeof stack };
  const struct sigaction action = {
    .sa_sigaction = run_on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER,
  };

  g_assert_cmpint (sigaltstack (&alternative, NULL), ==, 0);
  for (gsize i = 0; i < G_N_ELEMENTS (signals); i++)
    g_assert_cmpint (sigaction (signals[i], &action, NULL), ==, 0);
}

static inline void *
run_map (uint64_t addr, gsize length, int protection)
{
  void *got = mmap ((void *) addr, length, protection,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

  g_assert_true (got == (void *) addr);

  return got;
}

/* Writes to @addr a jump to @function, which may be at any address. */
static inline void
run_put_stub (uint64_t addr, void (*function) (void))
{
  static const uint8_t jump[] = { 0xff, 0x25, 0, 0, 0, 0 };    /* jmp *0(%rip) */
  const uint64_t target = (uint64_t) (uintptr_t) function;

  memcpy ((void *) addr, jump, sizeof jump);
  memcpy ((void *) (addr + sizeof jump), &target, sizeof target);
}

/* Maps all memory; returns a writable pointer to RUN_CODE, filled with int3. */
static inline uint8_t *
run_map_all (gsize code_bytes)
{
  uint8_t *code;

  run_map (RUN_EXIT, 4096, PROT_READ | PROT_WRITE | PROT_EXEC);
  run_put_stub (RUN_EXIT, run_leave);
  code = run_map (RUN_CODE, code_bytes, PROT_READ | PROT_WRITE | PROT_EXEC);
  memset (code, 0xcc, code_bytes);
  run_map (RUN_SLOT, 4096, PROT_READ | PROT_WRITE | PROT_EXEC);
  run_memory = run_map (RUN_MEMORY, RUN_BYTES, PROT_READ | PROT_WRITE);

  return code;
}

/* Draws random registers, flags and memory. Most of the registers point into the memory. */
static inline void
run_random (GRand *rand, RunState *state, uint8_t *memory)
{
  for (int i = 0; i < 16; i++)
    {
      state->regs[i] = (uint64_t) g_rand_int (rand) << 32 | g_rand_int (rand);
      if (g_rand_int_range (rand, 0, 4) != 0)
        state->regs[i] = RUN_MEMORY + 8 * (guint) g_rand_int_range (rand, 200, 800);
      else if (g_rand_boolean (rand))
        state->regs[i] &= 0xff;
    }
  state->regs[4] = RUN_STACK;
  state->flags = 0x202 | (g_rand_int (rand) & 0xcd5);
  state->fault = 0;
  for (gsize i = 0; i < RUN_BYTES; i += 4)
    *(uint32_t *) (memory + i) = g_rand_int (rand);
}

/* Runs @target from the state @from and the memory @before; stores the final state and memory
 * (RUN_BYTES) in @result and @after. */
static inline void
run_code (const RunState *from, const uint8_t *before, uint64_t target,
          RunState *result, uint8_t *after)
{
  memcpy (run_memory, before, RUN_BYTES);
  run_state = *from;
  run_state.target = target;
  run_inside = TRUE;
  if (sigsetjmp (run_out_of_fault, 0) == 0)
    run_enter ();
  run_inside = FALSE;

  *result = run_state;
  result->target = result->host_sp = 0;
  result->flags &= ~(uint64_t) 0x10000;       /* clear RF, which is set only after a fault */
  memcpy (after, run_memory, RUN_BYTES);
}

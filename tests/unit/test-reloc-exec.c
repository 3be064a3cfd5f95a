/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-reloc-exec.c - moved code does what the original did, by running both
 *
 * Each case is one instruction at its "original" place, low in the address
 * space, and its moved form 1 GiB further on. Both run on the same random
 * registers, flags and memory; what they leave behind must be equal: registers,
 * flags, memory, stack, the way they left, and whether they faulted. The cases are the
 * integer instructions found in this machine's C library, plus branches and
 * calls made up here, since those of the library lead elsewhere.
 *
 * Every way out of the original code is a call of the exit stub, so that the
 * return address on the stack tells which way was taken.
 */
#include <link.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>

#include "core/cfg/gilk-cfg.h"
#include "core/splice/gilk-reloc.h"

#define CODE     0x20000000ull      /* originals, one per STRIDE */
#define SLOT     0x60000000ull      /* the moved form */
#define EXIT     0x24000000ull      /* within reach of both */
#define SANDBOX  0x30000000ull      /* the only memory there is, guard pages around */
#define STRIDE   64
#define MEMORY   8192
#define CASES    24000
#define ROUNDS   3

typedef struct {
  uint64_t regs[16];
  uint64_t flags, target, host_sp, fault;
} State;

State gilk_test_state;

void gilk_test_enter (void);
void gilk_test_leave (void);

#define REG(n, name) "mov %" name ", gilk_test_state+8*" #n "(%rip)\n"
#define SET(n, name) "mov gilk_test_state+8*" #n "(%rip), %" name "\n"

__asm__ (
  ".text\n"
  ".globl gilk_test_enter\n"
  "gilk_test_enter:\n"
  "push %rbx\n push %rbp\n push %r12\n push %r13\n push %r14\n push %r15\n"
  "mov %rsp, gilk_test_state+8*18(%rip)\n"
  "push gilk_test_state+8*16(%rip)\n popf\n"
  SET (0, "rax") SET (1, "rcx") SET (2, "rdx") SET (3, "rbx") SET (4, "rsp") SET (5, "rbp")
  SET (6, "rsi") SET (7, "rdi") SET (8, "r8") SET (9, "r9") SET (10, "r10") SET (11, "r11")
  SET (12, "r12") SET (13, "r13") SET (14, "r14") SET (15, "r15")
  "jmp *gilk_test_state+8*17(%rip)\n"
  ".globl gilk_test_leave\n"
  "gilk_test_leave:\n"
  REG (0, "rax") REG (1, "rcx") REG (2, "rdx") REG (3, "rbx") REG (4, "rsp") REG (5, "rbp")
  REG (6, "rsi") REG (7, "rdi") REG (8, "r8") REG (9, "r9") REG (10, "r10") REG (11, "r11")
  REG (12, "r12") REG (13, "r13") REG (14, "r14") REG (15, "r15")
  "mov gilk_test_state+8*18(%rip), %rsp\n"
  "pushf\n pop gilk_test_state+8*16(%rip)\n cld\n"
  "pop %r15\n pop %r14\n pop %r13\n pop %r12\n pop %rbp\n pop %rbx\n"
  "ret\n"
);

static sigjmp_buf out_of_fault;
static uint8_t *memory, *memory_before, *code;

static void
on_fault (int number, siginfo_t *info, void *context)
{
  static const int order[16] = {
    REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
    REG_R8, REG_R9, REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15,
  };
  ucontext_t *uc = context;

  for (int i = 0; i < 16; i++)
    gilk_test_state.regs[i] = (uint64_t) uc->uc_mcontext.gregs[order[i]];
  gilk_test_state.flags = (uint64_t) uc->uc_mcontext.gregs[REG_EFL];
  gilk_test_state.fault = (uint64_t) number;
  siglongjmp (out_of_fault, 1);
}

static void
catch_faults (void)
{
  static uint8_t stack[65536];
  const stack_t alternative = { .ss_sp = stack, .ss_size = sizeof stack };
  struct sigaction action = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK };

  g_assert_cmpint (sigaltstack (&alternative, NULL), ==, 0);
  for (gsize i = 0; i < 5; i++)
    g_assert_cmpint (sigaction ((const int[]) { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP }[i],
                                &action, NULL), ==, 0);
}

static void *
map_at (uint64_t addr, gsize length, int protection)
{
  void *got = mmap ((void *) addr, length, protection,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

  g_assert_true (got == (void *) addr);

  return got;
}

static void
map_all (void)
{
  static const uint8_t jump[] = { 0xff, 0x25, 0, 0, 0, 0 };    /* jmp *0(%rip) */
  const uint64_t leave = (uint64_t) (uintptr_t) gilk_test_leave;
  uint8_t *stub = map_at (EXIT, 4096, PROT_READ | PROT_WRITE | PROT_EXEC);

  memcpy (stub, jump, sizeof jump);
  memcpy (stub + sizeof jump, &leave, sizeof leave);
  code = map_at (CODE, CASES * STRIDE, PROT_READ | PROT_WRITE | PROT_EXEC);
  memset (code, 0xcc, CASES * STRIDE);
  map_at (SLOT, 4096, PROT_READ | PROT_WRITE | PROT_EXEC);
  memory = map_at (SANDBOX, MEMORY, PROT_READ | PROT_WRITE);
  memory_before = g_malloc (MEMORY);
}

/* ---- cases ---- */

static guint n_cases, n_library;

static guint
put_exit (guint at)
{
  const int32_t distance = (int32_t) (EXIT - (CODE + at + 5));

  code[at] = 0xe8;
  memcpy (code + at + 1, &distance, sizeof distance);

  return at + 5;
}

/* Two ways out follow: @bytes may branch over the first, that is five bytes on. */
static void
add_case (const uint8_t *bytes, guint length)
{
  guint at = n_cases * STRIDE;

  if (n_cases == CASES)
    return;
  memcpy (code + at, bytes, length);
  put_exit (put_exit (at + length));
  n_cases++;
}

static void
add_branches (void)
{
  for (guint cc = 0; cc < 16; cc++)
    {
      add_case ((const uint8_t[]) { 0x70 | cc, 5 }, 2);
      add_case ((const uint8_t[]) { 0x0f, 0x80 | cc, 5, 0, 0, 0 }, 6);
    }
  for (guint opcode = 0xe0; opcode <= 0xe3; opcode++)          /* loopne, loope, loop, jrcxz */
    {
      add_case ((const uint8_t[]) { opcode, 5 }, 2);
      add_case ((const uint8_t[]) { 0x67, opcode, 5 }, 3);
    }
  add_case ((const uint8_t[]) { 0xeb, 5 }, 2);
  add_case ((const uint8_t[]) { 0xe9, 5, 0, 0, 0 }, 5);
  add_case ((const uint8_t[]) { 0xe8, 5, 0, 0, 0 }, 5);
}

/* Prefixes and opcodes that would harm the test itself or give random results. */
static gboolean
harmless (const uint8_t *bytes, guint length)
{
  guint i = 0;

  while (i < length && (bytes[i] == 0x66 || bytes[i] == 0xf2 || bytes[i] == 0xf3 ||
                        bytes[i] == 0xf0 || (bytes[i] & 0xf0) == 0x40))
    i++;
  if (i + 1 >= length)
    return i < length && ((bytes[i] & 0xf0) == 0x50 || bytes[i] == 0x98 || bytes[i] == 0x99 ||
                          bytes[i] == 0xc9 || (bytes[i] & 0xf4) == 0xa4);
  if (bytes[i] == 0x0f)
    {
      guint op = bytes[i + 1];

      return (op & 0xf0) == 0x40 || (op & 0xf0) == 0x90 || (op & 0xf8) == 0xc8 ||
             op == 0xa3 || op == 0xa4 || op == 0xa5 || op == 0xab || op == 0xac || op == 0xad ||
             op == 0xaf || (op >= 0xb0 && op <= 0xb7 && op != 0xb2 && op != 0xb4 && op != 0xb5) ||
             (op >= 0xba && op <= 0xc1);
    }
  if (bytes[i] < 0x40)
    return (bytes[i] & 7) < 6;

  return bytes[i] == 0x63 || (bytes[i] >= 0x68 && bytes[i] <= 0x6b) ||
         (bytes[i] >= 0x80 && bytes[i] <= 0x8d && bytes[i] != 0x8c) ||
         (bytes[i] >= 0xa4 && bytes[i] <= 0xaf) || (bytes[i] >= 0xb0 && bytes[i] <= 0xc1) ||
         bytes[i] == 0xc6 || bytes[i] == 0xc7 || (bytes[i] >= 0xd0 && bytes[i] <= 0xd3) ||
         bytes[i] >= 0xf6;
}

static int
add_from_library (struct dl_phdr_info *info, size_t size, void *data)
{
  g_autoptr(GilkDecoder) decoder = gilk_decoder_new ();

  if (strstr (info->dlpi_name, "libc.so") == NULL)
    return 0;

  for (int i = 0; i < info->dlpi_phnum; i++)
    {
      const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
      const uint8_t *text = (const uint8_t *) (info->dlpi_addr + segment->p_vaddr);
      GilkInsn insn = { .len = 1 };

      if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X))
        continue;
      /* A fifth of the way in: past the start-up code, into strings and stdio. */
      for (gsize at = segment->p_memsz / 5; at + 16 < segment->p_memsz && n_cases < CASES;
           at += insn.len)
        {
          uint8_t bytes[16];

          if (!gilk_insn_decode (decoder, text + at, 16, (uint64_t) (uintptr_t) text + at, &insn))
            {
              insn.len = 1;
              continue;
            }
          if (insn.flow != GILK_FLOW_NEXT || insn.flags & GILK_INSN_PINNED ||
              !harmless (text + at, insn.len))
            continue;

          memcpy (bytes, text + at, insn.len);
          if (insn.flags & GILK_INSN_RIP_RELATIVE)
            {
              int32_t disp = (int32_t) (SANDBOX + MEMORY / 2 -
                                        (CODE + n_cases * STRIDE + insn.len));

              memcpy (bytes + insn.disp_offset, &disp, sizeof disp);
            }
          add_case (bytes, insn.len);
          n_library++;
        }
    }

  return 1;
}

/* ---- running ---- */

static void
random_state (GRand *rand, State *state)
{
  for (int i = 0; i < 16; i++)
    {
      state->regs[i] = (uint64_t) g_rand_int (rand) << 32 | g_rand_int (rand);
      if (g_rand_int_range (rand, 0, 4) != 0)
        state->regs[i] = SANDBOX + 8 * (guint) g_rand_int_range (rand, 200, 800);
      else if (g_rand_boolean (rand))
        state->regs[i] &= 0xff;
    }
  state->regs[4] = SANDBOX + 6144;
  state->flags = 0x202 | (g_rand_int (rand) & 0xcd5);
  state->fault = 0;
  for (gsize i = 0; i < MEMORY; i += 4)
    *(uint32_t *) (memory_before + i) = g_rand_int (rand);
}

static void
run (const State *from, uint64_t target, State *result, uint8_t *left)
{
  memcpy (memory, memory_before, MEMORY);
  gilk_test_state = *from;
  gilk_test_state.target = target;
  if (sigsetjmp (out_of_fault, 1) == 0)
    gilk_test_enter ();
  *result = gilk_test_state;
  result->target = result->host_sp = 0;
  /* What is kept only for a fault's sake: resume flag. */
  result->flags &= ~(uint64_t) 0x10000;
  memcpy (left, memory, MEMORY);
}

static void
run_case (GilkFunctions *functions, GilkDecoder *decoder, guint number, GRand *rand)
{
  static uint8_t left[2][MEMORY];
  const uint64_t addr = CODE + number * STRIDE;
  g_autoptr(GError) error = NULL;
  g_autoptr(GByteArray) moved = g_byte_array_new ();
  g_autoptr(GilkCfg) cfg = gilk_cfg_new (functions, gilk_functions_at (functions, addr),
                                         decoder, &error);
  GilkAsm as = { .base = SLOT, .code = moved };

  g_assert_no_error (error);
  g_assert_cmpuint (cfg->insns[0].addr, ==, addr);
  g_assert_cmpuint (gilk_reloc_check (cfg, 0, 1), ==, 0);
  as.image = cfg->image;
  if (gilk_reloc_emit (&as, cfg, 0))
    gilk_asm_jmp (&as, addr + cfg->insns[0].len);
  g_assert_false (as.too_far);
  memcpy ((void *) SLOT, moved->data, moved->len);

  for (int round = 0; round < ROUNDS; round++)
    {
      State from = { { 0 } }, was, is;

      random_state (rand, &from);
      run (&from, addr, &was, left[0]);
      run (&from, SLOT, &is, left[1]);
      if (memcmp (&was, &is, sizeof was) != 0 || memcmp (left[0], left[1], MEMORY) != 0)
        {
          char mnemonic[32], operands[160];

          gilk_insn_text (decoder, code + number * STRIDE, &cfg->insns[0], mnemonic, operands);
          g_error ("case %u differs when moved: %s %s", number, mnemonic, operands);
        }
    }
}

static void
test_same_effect (void)
{
  g_autoptr(GString) kallsyms = g_string_new (NULL);
  g_autoptr(GError) error = NULL;
  g_autoptr(GRand) rand = g_rand_new_with_seed (2002);
  g_autoptr(GilkDecoder) decoder = gilk_decoder_new ();

  map_all ();
  add_branches ();
  dl_iterate_phdr (add_from_library, NULL);

  for (guint i = 0; i < n_cases; i++)
    g_string_append_printf (kallsyms, "%016llx t case_%u\n", CODE + i * STRIDE, i);
  g_string_append_printf (kallsyms, "%016llx T _etext\n", CODE + n_cases * STRIDE);
  g_autoptr(GilkSymbols) symbols = gilk_symbols_new_parse (kallsyms->str, kallsyms->len, &error);
  g_assert_no_error (error);
  g_autoptr(GilkImage) image = gilk_image_new_static (symbols, CODE, code, n_cases * STRIDE,
                                                      NULL, 0);
  g_autoptr(GilkFunctions) functions = gilk_functions_new (image);

  catch_faults ();
  for (guint i = 0; i < n_cases; i++)
    run_case (functions, decoder, i, rand);

  g_test_message ("%u instructions, %u of them from the C library, %u states each",
                  n_cases, n_library, ROUNDS);
  g_assert_cmpuint (n_library, >, 20000);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/reloc-exec/same-effect", test_same_effect);

  return g_test_run ();
}

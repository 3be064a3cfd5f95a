/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-reloc-exec.c - runs original and moved code and compares their effects
 *
 * Each case is one instruction at its "original" low address, and its moved
 * form 1 GiB further on. Both run on the same random registers, flags and memory, and must leave
 * the same state: registers, flags, memory, stack, the exit taken, and whether a fault occurred.
 * The cases are the integer instructions of this machine's C library, plus branches and calls made
 * by this test, because the targets of the library's branches are elsewhere.
 *
 * Every exit of the original code calls the exit stub, so that the return address on the stack
 * identifies the exit.
 */
#include <link.h>

#include "core/cfg/gilk-cfg.h"
#include "core/emit/gilk-reloc.h"

#include "splice-run.h"

#define STRIDE 64          /* distance between the code of successive cases, in bytes */
#define CASES  24000
#define ROUNDS 3

static uint8_t *code;

/* ---- making the cases ---- */

static guint n_cases, n_library;

static guint
put_exit (guint at)
{
  const int32_t distance = (int32_t) (RUN_EXIT - (RUN_CODE + at + 5));

  code[at] = 0xe8;
  memcpy (code + at + 1, &distance, sizeof distance);

  return at + 5;
}

/* Adds a case with two exits: @bytes can end with a branch over the first exit, which is five
 * bytes long. */
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

/* Returns FALSE for prefixes and opcodes that would harm the test itself or give random results. */
static gboolean
is_harmless (const uint8_t *bytes, guint length)
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
      /* Start at a fifth of the segment: after the start-up code, in string and stdio functions. */
      for (gsize at = segment->p_memsz / 5; at + 16 < segment->p_memsz && n_cases < CASES;
           at += insn.len)
        {
          uint8_t bytes[16];

          if (!gilk_insn_decode (decoder, text + at, 16, (uint64_t) (uintptr_t) text + at, &insn))
            {
              insn.len = 1;
              continue;
            }
          if (insn.branch != GILK_BRANCH_NONE || insn.flags & GILK_INSN_PINNED ||
              !is_harmless (text + at, insn.len))
            continue;

          memcpy (bytes, text + at, insn.len);
          if (insn.flags & GILK_INSN_RIP_RELATIVE)
            {
              int32_t disp = (int32_t) (RUN_MEMORY + RUN_BYTES / 2 -
                                        (RUN_CODE + n_cases * STRIDE + insn.len));

              memcpy (bytes + insn.disp_offset, &disp, sizeof disp);
            }
          add_case (bytes, insn.len);
          n_library++;
        }
    }

  return 1;
}

/* ---- execution of the cases ---- */

static void
run_case (GilkFunctions *functions, GilkDecoder *decoder, guint number, GRand *rand)
{
  static uint8_t before[RUN_BYTES], left[2][RUN_BYTES];
  const uint64_t addr = RUN_CODE + number * STRIDE;
  g_autoptr(GError) error = NULL;
  g_autoptr(GByteArray) moved = g_byte_array_new ();
  g_autoptr(GilkCfg) cfg = gilk_cfg_new (functions, gilk_functions_at (functions, addr),
                                         decoder, &error);
  GilkAsm as = { .base = RUN_SLOT, .code = moved };

  g_assert_no_error (error);
  g_assert_cmpuint (cfg->insns[0].addr, ==, addr);
  g_assert_cmpuint (gilk_reloc_check (cfg, 0, 1), ==, 0);
  as.image = cfg->image;
  if (gilk_reloc_emit (&as, cfg, 0))
    gilk_asm_jmp (&as, addr + cfg->insns[0].len);
  g_assert_false (as.too_far);
  memcpy ((void *) RUN_SLOT, moved->data, moved->len);

  for (int round = 0; round < ROUNDS; round++)
    {
      RunState from = { { 0 } }, was, is;

      run_random (rand, &from, before);
      run_code (&from, before, addr, &was, left[0]);
      run_code (&from, before, RUN_SLOT, &is, left[1]);
      if (memcmp (&was, &is, sizeof was) != 0 || memcmp (left[0], left[1], RUN_BYTES) != 0)
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

  code = run_map_all (CASES * STRIDE);
  add_branches ();
  dl_iterate_phdr (add_from_library, NULL);

  for (guint i = 0; i < n_cases; i++)
    g_string_append_printf (kallsyms, "%016llx t case_%u\n", RUN_CODE + i * STRIDE, i);
  g_string_append_printf (kallsyms, "%016llx T _etext\n", RUN_CODE + n_cases * STRIDE);
  g_autoptr(GilkSymbols) symbols = gilk_symbols_new_parse (kallsyms->str, kallsyms->len, &error);
  g_assert_no_error (error);
  g_autoptr(GilkImage) image = gilk_image_new_static (symbols, RUN_CODE, code, n_cases * STRIDE,
                                                      NULL, 0);
  g_autoptr(GilkFunctions) functions = gilk_functions_new (image);

  run_catch_faults ();
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

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-indirect.c - finds indirect calls and describes them in terms that a program can use
 */
#include "core/dataflow/gilk-operand.h"
#include "core/program/gilk-program.h"

#include <string.h>

#define BASE 0xffffffff81000000ull

static const uint8_t bytes[] = {
  0xff, 0xd0,                               /* 0: call *%rax */
  0x41, 0xff, 0xd3,                         /* 2: call *%r11 */
  0xff, 0x53, 0x18,                         /* 5: call *0x18(%rbx) */
  0xff, 0x50, 0xf8,                         /* 8: call *-8(%rax) */
  0xff, 0x14, 0xc8,                         /* b: call *(%rax,%rcx,8) */
  0xff, 0x15, 0x00, 0x01, 0x00, 0x00,       /* e: call *0x100(%rip) */
  0x65, 0xff, 0x15, 0x00, 0x01, 0x00, 0x00, /* 14: call *%gs:0x100(%rip) */
  0x0f, 0xae, 0xe8, 0xff, 0xd2,             /* 1b: lfence; call *%rdx */
  0xe8, 0x3b, 0x00, 0x00, 0x00,             /* 20: call the thunk at 60 */
  0xe8, 0x46, 0x00, 0x00, 0x00,             /* 25: call 70 */
  0x75, 0x34,                               /* 2a: jne to the thunk */
  0x3e, 0xff, 0xe1,                         /* 2c: notrack jmp *%rcx */
};

static void
test_said (void)
{
  static const struct { guint offset; gboolean leaves; const char *target; } expected[] = {
    { 0x0, FALSE, "%rax" }, { 0x2, FALSE, "%r11" }, { 0x5, FALSE, "*(u64 *) (%rbx + 0x18)" },
    { 0x8, FALSE, "*(u64 *) (%rax - 0x8)" }, { 0xb, FALSE, "*(u64 *) (%rax + %rcx * 8)" }, { 0xe, FALSE, NULL },
    { 0x14, FALSE, NULL }, { 0x1e, FALSE, "%rdx" }, { 0x20, FALSE, "%r14" }, { 0x2a, TRUE, NULL }, { 0x2c, TRUE, "%rcx" },
  };
  g_autoptr(GError) error = NULL;
  g_autofree char *kallsyms = g_strdup_printf (
    "%016llx T _stext\n%016llx t subject\n%016llx T __x86_indirect_thunk_array\n%016llx T __x86_indirect_thunk_r14\n"
    "%016llx t callee\n%016llx T _etext\n", BASE, BASE, BASE + 0x60, BASE + 0x60, BASE + 0x70, BASE + 0x80);
  g_autoptr(GilkSymbols) symbols = gilk_symbols_new_parse (kallsyms, strlen (kallsyms), &error);
  g_autoptr(GilkDecoder) decoder = gilk_decoder_new ();
  g_autoptr(GilkFunctions) functions = NULL;
  g_autoptr(GilkCfg) cfg = NULL;
  g_autoptr(GArray) all = NULL;
  uint8_t text[0x80];
  GilkImage *image;

  g_assert_no_error (error);
  memset (text, 0xcc, sizeof text);
  memcpy (text, bytes, sizeof bytes);
  text[0x60] = text[0x70] = 0xc3;
  image = gilk_image_new_static (symbols, BASE, text, sizeof text, NULL, 0);
  functions = gilk_functions_new (image);
  cfg = gilk_cfg_new (functions, gilk_functions_at (functions, BASE), decoder, &error);
  g_assert_no_error (error);
  all = gilk_indirect_in (cfg);
  for (guint i = 0; i < MIN (all->len, G_N_ELEMENTS (expected)); i++)
    {
      const GilkIndirect *found = &g_array_index (all, GilkIndirect, i);

      g_assert_cmphex (cfg->insns[found->insn].addr, ==, BASE + expected[i].offset);
      g_assert_cmpstr (found->target, ==, expected[i].target);
      g_assert_cmpint (found->leaves, ==, expected[i].leaves);
      if (found->target != NULL)
        {
          const GilkProgramPlace place = { .function = "subject" };
          g_autofree char *code = g_strdup_printf ("map target[64]; target[symbol(%s)]++", found->target);
          g_autoptr(GilkProgram) program = gilk_program_new (code, &place, NULL, &error);
          guint n_kept;

          g_assert_no_error (error);
          g_assert_cmpstr (gilk_program_maps (program, &n_kept)[0].meaning, ==, "symbol");
        }
    }
  g_assert_cmpuint (all->len, ==, G_N_ELEMENTS (expected));
  gilk_image_unref (image);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/indirect/said", test_said);

  return g_test_run ();
}

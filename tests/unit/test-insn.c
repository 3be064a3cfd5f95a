/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-insn.c - checks the lengths, branches, offsets and text of instructions, and compares
 * their effects with the processor's
 *
 * Register instructions are executed on the processor that runs the test: registers not reported
 * as read must not affect the result, registers not reported as touched must stay unchanged, and
 * registers reported as overwritten must not keep their old values.
 */
/* Promise: lengths, branches and effects of instructions are those of the processor */
#include <string.h>
#include <sys/mman.h>

#include "core/decode/gilk-insn.h"

static guint
from_hex (const char *hex, uint8_t bytes[16])
{
  guint n = 0;

  memset (bytes, 0, 16);
  for (; hex[0] && hex[1]; hex += 2)
    {
      while (*hex == ' ')
        hex++;
      bytes[n++] = (uint8_t) (g_ascii_xdigit_value (hex[0]) << 4 | g_ascii_xdigit_value (hex[1]));
    }

  return n;
}

/* ---- tests of lengths, branches and offsets of instructions ---- */

typedef struct {
  const char *hex;
  guint       branch, flags;
  int         disp, rel;
  const char *text;
} Case;

#define PIN GILK_INSN_PINNED
#define RIP GILK_INSN_RIP_RELATIVE

static const Case cases[] = {
  { "48 89 fb",                GILK_BRANCH_NONE, 0, -1, -1, "mov %rdi,%rbx" },
  { "48 8b 05 10 00 00 00",    GILK_BRANCH_NONE, RIP, 3, -1, "mov 0x10(%rip),%rax" },
  { "65 48 ff 05 11 22 33 44", GILK_BRANCH_NONE, RIP, 4, -1, "incq %gs:0x44332211(%rip)" },
  { "48 c7 05 01 00 00 00 02 00 00 00", GILK_BRANCH_NONE, RIP, 3, -1, "movq $2,1(%rip)" },
  { "48 c7 c7 68 3c 53 c0",    GILK_BRANCH_NONE, 0, -1, -1, "mov $0xffffffffc0533c68,%rdi" },
  { "48 b8 01 02 03 04 05 06 07 08", GILK_BRANCH_NONE, 0, -1, -1,
    "movabsq $0x807060504030201,%rax" },
  { "66 b8 34 12",             GILK_BRANCH_NONE, 0, -1, -1, "mov $0x1234,%ax" },
  { "f6 47 10 01",             GILK_BRANCH_NONE, 0, -1, -1, "testb $1,0x10(%rdi)" },
  { "f7 d8",                   GILK_BRANCH_NONE, 0, -1, -1, "neg %eax" },
  { "66 f7 07 34 12",          GILK_BRANCH_NONE, 0, -1, -1, "testw $0x1234,(%rdi)" },
  { "eb fe",                   GILK_BRANCH_JUMP, GILK_INSN_SHORT, -1, 1, NULL },
  { "e9 00 01 00 00",          GILK_BRANCH_JUMP, 0, -1, 1, NULL },
  { "2e e9 00 01 00 00",       GILK_BRANCH_JUMP, 0, -1, 2, NULL },
  { "75 10",                   GILK_BRANCH_JCC, GILK_INSN_SHORT, -1, 1, NULL },
  { "0f 84 00 01 00 00",       GILK_BRANCH_JCC, 0, -1, 2, NULL },
  { "e3 02",                   GILK_BRANCH_JCC, GILK_INSN_SHORT | GILK_INSN_LOOP, -1, 1, NULL },
  { "e8 00 00 00 00",          GILK_BRANCH_CALL, 0, -1, 1, NULL },
  { "ff d0",                   GILK_BRANCH_CALL_INDIRECT, 0, -1, -1, "call *%rax" },
  { "ff 15 00 01 00 00",       GILK_BRANCH_CALL_INDIRECT, RIP, 2, -1, NULL },
  { "ff e0",                   GILK_BRANCH_JUMP_INDIRECT, 0, -1, -1, "jmp *%rax" },
  { "ff 68 24",                GILK_BRANCH_JUMP_INDIRECT, PIN, -1, -1, NULL },
  { "c3",                      GILK_BRANCH_RET, 0, -1, -1, "ret " },
  { "48 cf",                   GILK_BRANCH_RET, PIN, -1, -1, NULL },
  { "0f 0b",                   GILK_BRANCH_UD, GILK_INSN_UD2 | PIN, -1, -1, NULL },
  { "0f b9 cc",                GILK_BRANCH_UD, PIN, -1, -1, "ud1 %esp,%ecx" },
  { "67 48 0f b9 3a",          GILK_BRANCH_UD, PIN | GILK_INSN_WARN, -1, -1, NULL },
  { "67 48 0f b9 3b",          GILK_BRANCH_UD, PIN, -1, -1, NULL },
  { "d6",                      GILK_BRANCH_UD, PIN, -1, -1, NULL },
  { "0f ff c1",                GILK_BRANCH_UD, PIN, -1, -1, "ud0 %ecx,%eax" },
  { "cc",                      GILK_BRANCH_INT3, PIN, -1, -1, NULL },
  { "f4",                      GILK_BRANCH_HLT, PIN, -1, -1, NULL },
  { "f3 0f 1e fa",             GILK_BRANCH_NONE, GILK_INSN_ENDBR, -1, -1, "endbr64 " },
  { "0f 1f 44 00 00",          GILK_BRANCH_NONE, GILK_INSN_NOP, -1, -1, NULL },
  { "66 66 2e 0f 1f 84 00 00 00 00 00", GILK_BRANCH_NONE, GILK_INSN_NOP, -1, -1, NULL },
  { "90",                      GILK_BRANCH_NONE, GILK_INSN_NOP, -1, -1, NULL },
  { "f3 90",                   GILK_BRANCH_NONE, 0, -1, -1, "pause " },
  { "41 90",                   GILK_BRANCH_NONE, 0, -1, -1, NULL },
  { "0f 01 cb",                GILK_BRANCH_NONE, GILK_INSN_STAC, -1, -1, "stac " },
  { "0f 01 ca",                GILK_BRANCH_NONE, GILK_INSN_CLAC, -1, -1, "clac " },
  { "fd",                      GILK_BRANCH_NONE, GILK_INSN_STD, -1, -1, NULL },
  { "8e d8",                   GILK_BRANCH_NONE, PIN, -1, -1, NULL },
  { "0f 22 d8",                GILK_BRANCH_NONE, PIN, -1, -1, NULL },
  { "f3 0f a6 d0",             GILK_BRANCH_NONE, 0, -1, -1, NULL },
  /* Capstone 4.0.2 does not decode these instructions, and version 5 decodes only some of them. */
  { "0f 01 ee",                GILK_BRANCH_NONE, 0, -1, -1, "rdpkru " },
  { "0f 01 ef",                GILK_BRANCH_NONE, 0, -1, -1, "wrpkru " },
  { "0f 01 e8",                GILK_BRANCH_NONE, 0, -1, -1, "serialize " },
  { "0f 01 fa",                GILK_BRANCH_NONE, PIN, -1, -1, "monitorx " },
  { "0f 01 fb",                GILK_BRANCH_NONE, PIN, -1, -1, "mwaitx " },
  { "f3 0f 01 fe",             GILK_BRANCH_NONE, PIN, -1, -1, "rmpadjust " },
  { "f2 0f 01 ff",             GILK_BRANCH_NONE, PIN, -1, -1, "pvalidate " },
  { "f3 0f 01 ff",             GILK_BRANCH_NONE, PIN, -1, -1, "psmash " },
  { "f2 0f 01 fe",             GILK_BRANCH_NONE, PIN, -1, -1, "rmpupdate " },
  { "f2 0f 00 f7",             GILK_BRANCH_NONE, PIN, -1, -1, "lkgs %edi" },
  { "f2 0f 01 ca",             GILK_BRANCH_RET, PIN, -1, -1, "eretu " },
  { "f3 0f 01 ca",             GILK_BRANCH_RET, PIN, -1, -1, "erets " },
  { "66 0f 01 cc",             GILK_BRANCH_NONE, PIN, -1, -1, "tdcall " },
  { "66 0f ae f1",             GILK_BRANCH_NONE, 0, -1, -1, "tpause %ecx" },
  { "66 48 0f 38 f5 45 f8",    GILK_BRANCH_NONE, 0, -1, -1, "wrussq %rax,-0x8(%rbp)" },
  { "c4 e2 78 49 c0",          GILK_BRANCH_NONE, 0, -1, -1, "tilerelease " },
  { "62 f1 65 08 72 c3 10",    GILK_BRANCH_NONE, 0, -1, -1, "vprord |vprord $0x10,%xmm3,%xmm3" },
  { "62 f2 55 28 76 c3",       GILK_BRANCH_NONE, 0, -1, -1, "vpermi2d |vpermi2d %ymm3,%ymm5,%ymm0" },
};

static void
test_decode (void)
{
  g_autoptr(GilkDecoder) decoder = gilk_decoder_new ();

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      uint8_t bytes[16];
      guint length = from_hex (cases[i].hex, bytes);
      char mnemonic[32], operands[160];
      GilkInsn insn;

      g_test_message ("%s", cases[i].hex);
      g_assert_true (gilk_insn_decode (decoder, bytes, 16, 0x1000, &insn));
      g_assert_cmpuint (insn.len, ==, length);
      g_assert_cmpuint (insn.branch, ==, cases[i].branch);
      g_assert_cmphex (insn.flags, ==, cases[i].flags);
      g_assert_cmpint (insn.disp_offset, ==, cases[i].disp);
      g_assert_cmpint (insn.rel_offset, ==, cases[i].rel);

      for (guint cut = 0; cut < length; cut++)
        g_assert_false (gilk_insn_decode (decoder, bytes, cut, 0x1000, &insn));

      g_assert_true (gilk_insn_decode (decoder, bytes, length, 0x1000, &insn));
      gilk_insn_text (decoder, bytes, &insn, mnemonic, operands);
      if (cases[i].text != NULL)
        {
          g_autofree char *text = g_strdup_printf ("%s %s", mnemonic, operands);
          g_auto(GStrv) texts = g_strsplit (cases[i].text, "|", -1);

          if (!g_strv_contains ((const char *const *) texts, text))
            g_assert_cmpstr (text, ==, cases[i].text);
        }
    }
}

static void
test_targets (void)
{
  static const uint8_t jump[] = { 0xeb, 0xfe }, call[] = { 0xe8, 0xfb, 0xff, 0xff, 0xff };
  static const uint8_t jcc[] = { 0x0f, 0x8d, 0x00, 0x01, 0x00, 0x00 };
  GilkInsn insn;

  g_assert_true (gilk_insn_decode (NULL, jump, sizeof jump, 0xffffffff81000000, &insn));
  g_assert_cmphex (insn.target, ==, 0xffffffff81000000);
  g_assert_true (gilk_insn_decode (NULL, call, sizeof call, 0xffffffff81000000, &insn));
  g_assert_cmphex (insn.target, ==, 0xffffffff81000000);
  g_assert_true (gilk_insn_decode (NULL, jcc, sizeof jcc, 0xffffffff81000000, &insn));
  g_assert_cmphex (insn.target, ==, 0xffffffff81000106);
  g_assert_cmpuint (insn.opcode_hint, ==, 0xd);
}

static void
test_refused (void)
{
  static const char *const unknown[] = {
    "06", "0f 04", "0f 0a", "62 f8 00 00 00 00", "ea 00 00 00 00 00 00", "0f 0f c0 00",
    "66 e9 00 00 00 00", "8d c0", "ff f8", "48 66 90", "0f 38 ff c0", "c6 c8 00", "f3 0f a6 10", "0f a6 d8", "0f a7 f0",
    "66 66 66 66 66 66 66 66 66 66 66 66 66 66 66 90",
  };

  for (guint i = 0; i < G_N_ELEMENTS (unknown); i++)
    {
      uint8_t bytes[16];
      GilkInsn insn;

      from_hex (unknown[i], bytes);
      g_test_message ("%s", unknown[i]);
      g_assert_false (gilk_insn_decode (NULL, bytes, 16, 0, &insn));
    }
}

/* Tests that for random bytes, no length exceeds the input, and decoding exactly these bytes gives
 * the same result. */
static void
test_random (void)
{
  g_autoptr(GilkDecoder) decoder = gilk_decoder_new ();

  for (guint i = 0; i < 200000; i++)
    {
      uint32_t words[4];
      GilkInsn insn, again;
      GilkEffects effects;
      char mnemonic[32], operands[160];

      for (guint k = 0; k < 4; k++)
        words[k] = (uint32_t) g_test_rand_int ();
      if (!gilk_insn_decode (decoder, (uint8_t *) words, 16, 0x1000, &insn))
        continue;
      g_assert_cmpuint (insn.len, <=, 15);
      g_assert_true (gilk_insn_decode (decoder, (uint8_t *) words, insn.len, 0x1000, &again));
      g_assert_cmpmem (&insn, sizeof insn, &again, sizeof again);
      gilk_insn_effects (decoder, (uint8_t *) words, &insn, &effects);
      g_assert_cmphex (effects.regs_written & ~effects.regs_touched, ==, 0);
      g_assert_cmphex (effects.flags_written & ~effects.flags_touched, ==, 0);
      if (i % 16 == 0)
        gilk_insn_text (decoder, (uint8_t *) words, &insn, mnemonic, operands);
    }
}

/* ---- tests of the reported effects of instructions ---- */

typedef struct {
  const char *hex;
  guint       read, written, touched, flags_read, flags_written, flags_touched;
} Said;

#define R(n) GILK_REG_BIT (n)
#define ARITH GILK_FLAGS_ARITH

static const Said said[] = {
  { "50",             R (0) | R (4), R (4), R (4), 0, 0, 0 },                /* push %rax */
  { "41 5c",          R (4), R (4) | R (12), R (4) | R (12), 0, 0, 0 },      /* pop %r12 */
  { "48 8b 44 8b 08", R (3) | R (1), R (0), R (0), 0, 0, 0 },                /* mov 8(%rbx,%rcx,4),%rax */
  { "88 23",          R (0) | R (3), 0, 0, 0, 0, 0 },                        /* mov %ah,(%rbx) */
  { "f3 48 ab",       R (0) | R (1) | R (7), 0, R (1) | R (7), GILK_FLAG_DF, 0, 0 },
  { "f3 a6",          R (1) | R (6) | R (7), 0, R (1) | R (6) | R (7), GILK_FLAG_DF, 0, ARITH },
  { "48 0f c7 0e",    0x4f, 0, 5, 0, GILK_FLAG_ZF, GILK_FLAG_ZF },           /* cmpxchg16b (%rsi) */
  { "f0 48 0f b1 0f", R (0) | R (1) | R (7), 0, R (0), 0, ARITH, ARITH },    /* cmpxchg %rcx,(%rdi) */
  { "0f 30",          7, 0, 0, 0, 0, 0 },                                    /* wrmsr */
  { "0f 32",          2, 5, 5, 0, 0, 0 },                                    /* rdmsr */
  { "9c",             R (4), R (4), R (4), GILK_FLAGS_ALL, 0, 0 },
  { "9d",             R (4), R (4), R (4), 0, GILK_FLAGS_ALL, GILK_FLAGS_ALL },
  { "fa",             0, 0, 0, 0, GILK_FLAG_IF, GILK_FLAG_IF },
  { "0f 1f 44 00 00", 0, 0, 0, 0, 0, 0 },
  { "0f 0b",          0, 0, 0, 0, 0, 0 },
  { "0f b9 cc",       R (1) | R (4), 0, 0, 0, 0, 0 },
  { "c9",             R (5), R (4) | R (5), R (4) | R (5), 0, 0, 0 },
  { "65 48 ff 05 00 00 00 00", 0, 0, 0, 0, ARITH & ~GILK_FLAG_CF, ARITH & ~GILK_FLAG_CF },
  { "0f 28 c1",       GILK_REGS_ALL, 0, GILK_REGS_ALL, GILK_FLAGS_ALL, 0, GILK_FLAGS_ALL },
};

static void
test_effects_said (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (said); i++)
    {
      uint8_t bytes[16];
      GilkInsn insn;
      GilkEffects fx;

      from_hex (said[i].hex, bytes);
      g_test_message ("%s", said[i].hex);
      g_assert_true (gilk_insn_decode (NULL, bytes, 16, 0, &insn));
      gilk_insn_effects (NULL, bytes, &insn, &fx);
      g_assert_cmphex (fx.regs_read, ==, said[i].read);
      g_assert_cmphex (fx.regs_written, ==, said[i].written);
      g_assert_cmphex (fx.regs_touched, ==, said[i].touched);
      g_assert_cmphex (fx.flags_read, ==, said[i].flags_read);
      g_assert_cmphex (fx.flags_written, ==, said[i].flags_written);
      g_assert_cmphex (fx.flags_touched, ==, said[i].flags_touched);
    }
}

/* ---- effects of instructions, measured on the processor ---- */

typedef struct {
  uint64_t regs[16];
  uint64_t flags;
} State;

/* A page of code and a page of data. The data page holds the input State and the output State. */
typedef struct {
  uint8_t *page;
  gsize    used;
} Runner;

#define IN_AT  4096
#define OUT_AT (4096 + sizeof (State))

static void
emit_bytes (Runner *r, const void *bytes, gsize n)
{
  memcpy (r->page + r->used, bytes, n);
  r->used += n;
}

/* Emits a mov between a register and page + @at. The page is addressed relative to rip. */
static void
emit_move (Runner *r, guint reg, gsize at, gboolean load)
{
  uint8_t code[7] = { (uint8_t) (0x48 | (reg >= 8 ? 4 : 0)), load ? 0x8b : 0x89,
                      (uint8_t) (5 | (reg & 7) << 3) };
  int32_t disp = (int32_t) (at - r->used - 7);

  memcpy (code + 3, &disp, 4);
  emit_bytes (r, code, 7);
}

/* Emits a push or pop of the eight bytes at page + @at. */
static void
emit_stack (Runner *r, gsize at, gboolean push)
{
  uint8_t code[6] = { push ? 0xff : 0x8f, push ? 0x35 : 0x05 };
  int32_t disp = (int32_t) (at - r->used - 6);

  memcpy (code + 2, &disp, 4);
  emit_bytes (r, code, 6);
}

static void
build_runner (Runner *r, const uint8_t *insn, guint length)
{
  static const uint8_t save[] = { 0x53, 0x55, 0x41, 0x54, 0x41, 0x55, 0x41, 0x56, 0x41, 0x57 };
  static const uint8_t restore[] = { 0x41, 0x5f, 0x41, 0x5e, 0x41, 0x5d, 0x41, 0x5c,
                                     0x5d, 0x5b, 0xc3 };

  r->used = 0;
  emit_bytes (r, save, sizeof save);
  for (guint i = 0; i < 16; i++)
    if (i != 4)
      emit_move (r, i, IN_AT + 8 * i, TRUE);
  emit_stack (r, IN_AT + G_STRUCT_OFFSET (State, flags), TRUE);
  emit_bytes (r, "\x9d", 1);
  emit_bytes (r, insn, length);
  emit_bytes (r, "\x9c", 1);
  emit_stack (r, OUT_AT + G_STRUCT_OFFSET (State, flags), FALSE);
  for (guint i = 0; i < 16; i++)
    if (i != 4)
      emit_move (r, i, OUT_AT + 8 * i, FALSE);
  emit_bytes (r, restore, sizeof restore);
}

/* Flags of the processor that a program may set freely, in the order of the GILK_FLAG_
 * constants. */
static const uint64_t machine_flags[] = { 1, 4, 16, 64, 128, 2048 };

static void
run_insn (Runner *r, const State *in, State *out)
{
  memcpy (r->page + IN_AT, in, sizeof *in);
  ((void (*) (void)) (void *) r->page) ();
  memcpy (out, r->page + OUT_AT, sizeof *out);
}

static uint64_t
random_value (void)
{
  uint64_t value = (uint64_t) (uint32_t) g_test_rand_int () << 32 | (uint32_t) g_test_rand_int ();

  /* Use small values and zero often, because they cause special cases. */
  switch (g_test_rand_int_range (0, 5))
    {
    case 0:  return 0;
    case 1:  return value & 31;
    case 2:  return value & 0xffffffff;
    default: return value;
    }
}

/* Compares the results of two runs. @spare_reg, @spare_flags: register and flags that were changed
 * for the second run and may differ */
static void
compare_states (const State *a, const State *b, guint spare_reg, uint64_t spare_flags)
{
  for (guint i = 0; i < 16; i++)
    if (i != 4 && i != spare_reg)
      g_assert_cmphex (a->regs[i], ==, b->regs[i]);
  g_assert_cmphex (a->flags & 0x8d5 & ~spare_flags, ==, b->flags & 0x8d5 & ~spare_flags);
}

static void
try_registers (Runner *r, const GilkEffects *fx, const State *in, const State *out,
               uint64_t undefined)
{
  for (guint i = 0; i < 16; i++)
    {
      State other = *in, result;

      if (i == 4)
        continue;
      if (!(fx->regs_touched & R (i)))
        g_assert_cmphex (in->regs[i], ==, out->regs[i]);
      if (fx->regs_read & R (i))
        continue;
      other.regs[i] = ~other.regs[i];
      run_insn (r, &other, &result);
      compare_states (out, &result, i, undefined);
      if (fx->regs_written & R (i))
        g_assert_cmphex (out->regs[i], ==, result.regs[i]);
      else if (!(fx->regs_touched & R (i)))
        g_assert_cmphex (result.regs[i], ==, other.regs[i]);
    }
}

static void
try_flags (Runner *r, const GilkEffects *fx, const State *in, const State *out,
           uint64_t undefined)
{
  for (guint i = 0; i < G_N_ELEMENTS (machine_flags); i++)
    {
      uint64_t bit = machine_flags[i];
      State other = *in, result;

      if (!(fx->flags_touched & 1 << i))
        g_assert_cmphex (in->flags & bit, ==, out->flags & bit);
      if (fx->flags_read & 1 << i)
        continue;
      other.flags ^= bit;
      run_insn (r, &other, &result);
      compare_states (out, &result, 4, undefined | bit);
      if (fx->flags_written & 1 << i && !(undefined & bit))
        g_assert_cmphex (out->flags & bit, ==, result.flags & bit);
    }
}

/* Instructions that use only registers and flags, each with a mask of the processor flags that it
 * leaves undefined. */
static const struct { const char *hex; uint64_t undefined; } tried[] = {
  { "48 89 d8", 0 }, { "89 d8", 0 }, { "66 89 d8", 0 }, { "88 d8", 0 }, { "88 dc", 0 },
  { "40 88 f7", 0 }, { "b0 05", 0 }, { "b8 05 00 00 00", 0 }, { "41 b4 07", 0 },
  { "48 c7 c0 ff ff ff ff", 0 }, { "c6 c4 07", 0 }, { "66 c7 c1 01 02", 0 },
  { "48 01 d8", 0 }, { "00 e0", 0 }, { "66 03 c3", 0 }, { "83 c0 01", 0 }, { "2c 05", 0 },
  { "48 11 d8", 0 }, { "19 c0", 0 }, { "1b c3", 0 }, { "48 39 d8", 0 }, { "3c 05", 0 },
  { "31 c0", 16 }, { "30 c0", 16 }, { "66 31 c0", 16 }, { "4d 31 c0", 16 }, { "4c 31 c0", 16 },
  { "29 db", 0 }, { "48 31 d8", 16 }, { "21 d8", 16 }, { "09 d8", 16 }, { "85 c0", 16 },
  { "a8 01", 16 }, { "48 ff c0", 0 }, { "fe cc", 0 }, { "f7 d8", 0 }, { "f6 d4", 0 },
  { "48 f7 e3", 0x8d5 }, { "f6 e3", 0x8d5 }, { "f7 eb", 0x8d5 }, { "48 0f af c3", 0x8d5 },
  { "6b c3 05", 0x8d5 }, { "66 69 c3 05 00", 0x8d5 },
  { "48 8d 44 8b 08", 0 }, { "8d 43 01", 0 }, { "66 8d 43 01", 0 },
  { "c1 e0 00", 0 }, { "c1 e0 03", 0x810 }, { "d1 e0", 16 }, { "48 d3 e0", 0x810 },
  { "d3 f8", 0x810 }, { "66 d3 e8", 0x815 }, { "c1 c0 03", 0x800 }, { "d1 d0", 0 },
  { "48 d3 c8", 0x800 }, { "48 d3 d0", 0x800 }, { "c0 c0 08", 0x800 }, { "c1 e8 20", 0x810 },
  { "0f a4 d8 03", 0x810 }, { "0f a5 d8", 0x810 }, { "48 0f ad d8", 0x810 },
  { "0f a4 d8 20", 0 }, { "48 0f a3 d8", 0x894 }, { "0f ba e0 03", 0x894 },
  { "48 0f ab d8", 0x894 }, { "0f b3 d8", 0x894 }, { "0f ba f8 07", 0x894 },
  { "48 0f bc c3", 0x895 }, { "0f bd c3", 0x895 }, { "48 0f c8", 0 }, { "0f cb", 0 },
  { "48 0f 44 c3", 0 }, { "0f 4c c3", 0 }, { "0f 47 c3", 0 }, { "66 0f 4a c3", 0 },
  { "0f 94 c0", 0 }, { "0f 9f c4", 0 }, { "0f 92 c0", 0 }, { "0f 98 c7", 0 },
  { "0f b6 c3", 0 }, { "0f b6 c7", 0 }, { "48 0f be c3", 0 }, { "66 0f b6 c3", 0 },
  { "0f b7 c3", 0 }, { "48 63 c3", 0 }, { "98", 0 }, { "48 98", 0 }, { "66 98", 0 },
  { "99", 0 }, { "48 99", 0 }, { "66 99", 0 }, { "93", 0 }, { "48 87 d8", 0 }, { "86 c4", 0 },
  { "48 0f c1 d8", 0 }, { "0f c0 e0", 0 }, { "48 0f b1 d9", 0 }, { "0f b0 d9", 0 },
  { "9e", 0 }, { "9f", 0 }, { "f8", 0 }, { "f9", 0 }, { "f5", 0 }, { "fc", 0 },
  { "90", 0 }, { "f3 90", 0 }, { "0f 1f c0", 0 }, { "f3 0f 1e fa", 0 },
};

static void
test_effects_tried (void)
{
  Runner r = { mmap (NULL, 8192, PROT_READ | PROT_WRITE | PROT_EXEC,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), 0 };

  if (r.page == MAP_FAILED)
    {
      g_test_skip ("this system does not allow pages that are writable and executable");
      return;
    }

  for (guint i = 0; i < G_N_ELEMENTS (tried); i++)
    {
      uint8_t bytes[16];
      guint length = from_hex (tried[i].hex, bytes);
      GilkInsn insn;
      GilkEffects fx;

      g_test_message ("%s", tried[i].hex);
      g_assert_true (gilk_insn_decode (NULL, bytes, length, 0, &insn));
      gilk_insn_effects (NULL, bytes, &insn, &fx);
      g_assert_cmphex (fx.flags_read, !=, GILK_FLAGS_ALL);
      build_runner (&r, bytes, length);

      for (guint round = 0; round < 100; round++)
        {
          State in = { .flags = 0x202 }, out;

          for (guint k = 0; k < 16; k++)
            in.regs[k] = random_value ();
          in.flags |= (uint64_t) g_test_rand_int () & 0x8d5;
          run_insn (&r, &in, &out);
          try_registers (&r, &fx, &in, &out, tried[i].undefined);
          try_flags (&r, &fx, &in, &out, tried[i].undefined);
        }
    }

  munmap (r.page, 8192);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/insn/decode", test_decode);
  g_test_add_func ("/insn/targets", test_targets);
  g_test_add_func ("/insn/refused", test_refused);
  g_test_add_func ("/insn/random", test_random);
  g_test_add_func ("/insn/effects-said", test_effects_said);
  g_test_add_func ("/insn/effects-tried", test_effects_tried);

  return g_test_run ();
}

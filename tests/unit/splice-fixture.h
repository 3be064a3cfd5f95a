/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * splice-fixture.h - makes control-flow graphs of functions given as bytes, for the tests of
 * core/splice
 *
 * A function is an array of bytes, hex on the left, assembly on the right. The function is placed
 * at FIXTURE_BASE; sites are given as offsets. FIXTURE_C is a site that marks the function as
 * compiled C (see gilk-liveness.c): the bytes then start with the ftrace site, FENTRY.
 */
#pragma once

#include <string.h>

#include "core/base/gilk-error.h"
#include "core/base/gilk-refusal.h"
#include "core/emit/gilk-emit.h"
#include "core/splice/gilk-splice.h"

#define FIXTURE_BASE 0xffffffff81000000ull
#define FIXTURE_SLOT 0xffffffffa0000000ull
#define FENTRY       0x0f, 0x1f, 0x44, 0x00, 0x00
#define FIXTURE_C    { FIXTURE_BASE, 0, GILK_SITE_FENTRY }

/* A function with blocks that have space for a splice (one after the ftrace site, one after a
 * branch) and a block without space. */
static const uint8_t fixture_typical[] = {
  FENTRY,                             /* 0 */
  0x48, 0x89, 0xf8,                   /* 5: mov %rdi,%rax */
  0x48, 0x85, 0xff,                   /* 8: test %rdi,%rdi */
  0x74, 0x0b,                         /* b: je 18 */
  0x48, 0x8b, 0x07,                   /* d: mov (%rdi),%rax */
  0x48, 0x83, 0xc0, 0x10,             /* 10: add $0x10,%rax */
  0xc3,                               /* 14: ret */
  0xcc, 0xcc, 0xcc,
  0xc3,                               /* 18: ret */
};

typedef struct {
  GilkImage     *image;
  GilkFunctions *functions;
  GilkDecoder   *decoder;
  GilkCfg       *cfg;
} Fixture;

/* Sets up @fixture. @name: name of the function; @more: additional lines of the symbol table */
static inline void
fixture_init_named (Fixture *fixture, const char *name, uint64_t base, const uint8_t *bytes,
                    gsize length, const char *more, const GilkSite *sites, guint n_sites)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *kallsyms =
    g_strdup_printf ("%016llx T _stext\n%016llx t %s\n%016llx T _etext\n%s",
                     (unsigned long long) base, (unsigned long long) base, name,
                     (unsigned long long) base + length, more);
  g_autoptr(GilkSymbols) symbols = gilk_symbols_new_parse (kallsyms, strlen (kallsyms), &error);

  g_assert_no_error (error);
  fixture->image = gilk_image_new_static (symbols, base, bytes, length, sites, n_sites);
  fixture->functions = gilk_functions_new (fixture->image);
  fixture->decoder = gilk_decoder_new ();
  fixture->cfg = gilk_cfg_new (fixture->functions,
                               gilk_functions_at (fixture->functions, base),
                               fixture->decoder, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (fixture->cfg->refusal, ==, 0);
}

static inline void
fixture_init_at (Fixture *fixture, uint64_t base, const uint8_t *bytes, gsize length,
                 const GilkSite *sites, guint n_sites)
{
  fixture_init_named (fixture, "fixture", base, bytes, length, "", sites, n_sites);
}

static inline Fixture
fixture_make (const uint8_t *bytes, gsize length, const GilkSite *sites, guint n_sites)
{
  Fixture fixture;

  fixture_init_at (&fixture, FIXTURE_BASE, bytes, length, sites, n_sites);

  return fixture;
}

/* Makes a fixture with the graph of the function @bytes, an array. The other arguments are its
 * sites, at least one. */
#define FIXTURE(bytes, ...) \
  fixture_make (bytes, sizeof bytes, (const GilkSite[]) { __VA_ARGS__ }, \
                G_N_ELEMENTS (((const GilkSite[]) { __VA_ARGS__ })))

#define FIXTURE_BARE(bytes) \
  fixture_make (bytes, sizeof bytes, NULL, 0)

static inline void
fixture_clear (Fixture *fixture)
{
  gilk_cfg_unref (fixture->cfg);
  gilk_decoder_free (fixture->decoder);
  gilk_functions_unref (fixture->functions);
  gilk_image_unref (fixture->image);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Fixture, fixture_clear)

/* An unwind entry, which states that from @offset on, the caller's stack pointer is @sp_offset
 * bytes above rsp. If @sp_offset is 0, that stack pointer is unknown. */
typedef struct {
  guint   offset;
  int16_t sp_offset;
} FixtureFrame;

static inline void
fixture_set_frames (Fixture *fixture, const FixtureFrame *frames, guint n)
{
  g_autoptr(GByteArray) ips = g_byte_array_new (), entries = g_byte_array_new ();
  g_autoptr(GBytes) ip_bytes = NULL, entry_bytes = NULL;

  for (guint i = 0; i < n; i++)
    {
      const int32_t ip = (int32_t) (frames[i].offset - i * sizeof (int32_t));
      uint8_t entry[6] = { 0 };

      memcpy (entry, &frames[i].sp_offset, sizeof frames[i].sp_offset);
      entry[4] = frames[i].sp_offset != 0 ? 5 : 0;
      g_byte_array_append (ips, (const uint8_t *) &ip, sizeof ip);
      g_byte_array_append (entries, entry, sizeof entry);
    }
  ip_bytes = g_byte_array_free_to_bytes (g_steal_pointer (&ips));
  entry_bytes = g_byte_array_free_to_bytes (g_steal_pointer (&entries));
  gilk_image_set_static_orc (fixture->image, ip_bytes, FIXTURE_BASE, entry_bytes);
}

/* Returns the index of the instruction at @offset. */
static inline guint
fixture_insn (const Fixture *fixture, guint offset)
{
  for (guint i = 0; i < fixture->cfg->n_insns; i++)
    if (fixture->cfg->insns[i].addr == FIXTURE_BASE + offset)
      return i;

  g_assert_not_reached ();
}

static inline guint
fixture_block (const Fixture *fixture, guint offset)
{
  int block = gilk_cfg_block_at (fixture->cfg, FIXTURE_BASE + offset);

  g_assert_cmpint (block, >=, 0);

  return (guint) block;
}

/* Returns: (transfer full): @bytes disassembled for @addr, one instruction per line, for
 * messages */
static inline char *
fixture_text (GilkDecoder *decoder, const uint8_t *bytes, gsize length, uint64_t addr)
{
  GString *text = g_string_new (NULL);
  GilkInsn insn;

  for (gsize at = 0; at < length; at += insn.len)
    {
      char mnemonic[32], operands[160];

      if (!gilk_insn_decode (decoder, bytes + at, length - at, addr + at, &insn))
        {
          g_string_append_printf (text, "? %02x\n", bytes[at]);
          break;
        }
      gilk_insn_text (decoder, bytes + at, &insn, mnemonic, operands);
      g_string_append_printf (text, "%s%s%s\n", mnemonic, *operands ? " " : "", operands);
    }

  return g_string_free (text, FALSE);
}

/* Compares @actual with @expected and shows both as assembly if they differ. */
static inline void
fixture_assert_bytes (GilkDecoder *decoder, uint64_t addr,
                      const uint8_t *actual, gsize actual_length,
                      const uint8_t *expected, gsize expected_length)
{
  if (actual_length == expected_length &&
      (actual_length == 0 || memcmp (actual, expected, actual_length) == 0))
    return;

  g_autofree char *got = fixture_text (decoder, actual, actual_length, addr);
  g_autofree char *want = fixture_text (decoder, expected, expected_length, addr);

  g_test_message ("expected\n%s\ngot\n%s", want, got);
  g_assert_cmpmem (actual, actual_length, expected, expected_length);
}

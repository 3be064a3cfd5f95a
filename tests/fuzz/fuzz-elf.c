/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz-elf.c - reads corrupt program files
 *
 *   fuzz-elf [--seconds S] [--count N] [--seed S]
 *
 * A mutant is the program of tests/unit/false-program.h with a few words changed or the end cut
 * off. No byte may be read past the end of the mutant, whatever its tables state; accepted ranges
 * must be within the file. Built with sanitizers if the library is.
 */
#include <stdio.h>
#include <stdlib.h>

#include "core/base/gilk-error.h"
#include "core/image/gilk-elf.h"
#include "tests/fuzz/fuzz-turns.h"
#include "tests/unit/false-program.h"

typedef struct {
  guint64 random;
  guint8  bytes[FALSE_PROGRAM_SIZE];
  gsize   length;
  guint64 taken, refused;
} Fuzz;

static guint32
draw_below (Fuzz *fuzz, guint32 below)
{
  return fuzz_draw (&fuzz->random, below);
}

static guint64
draw_interesting (Fuzz *fuzz)
{
  static const guint64 values[] = {
    0, 1, 2, 3, 8, 16, 24, 56, 63, 64, 0xff, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xffffffff, 0x100000000ull,
    FALSE_PROGRAM_SIZE, FALSE_PROGRAM_CODE, FALSE_PROGRAM_BASE, FALSE_PROGRAM_NAMES, FALSE_PROGRAM_SYMBOLS,
    64ull << 20, 0x7ffffffff000ull, 0x7fffffffffffffffull, 0x8000000000000000ull, 0xfffffffffffff000ull,
    0xffffffffffffffffull,
  };

  return values[draw_below (fuzz, G_N_ELEMENTS (values))] + draw_below (fuzz, 5) - 2;
}

static void
mutate_file (Fuzz *fuzz)
{
  static const struct { guint at, bytes; } places[] = {
    { 0, 64 }, { 64, 168 }, { FALSE_PROGRAM_SECTIONS, 320 }, { FALSE_PROGRAM_SYMBOLS, 216 },
    { FALSE_PROGRAM_NAMES, 100 }, { FALSE_PROGRAM_LINK, 16 }, { FALSE_PROGRAM_NOTE, 24 },
  };

  for (guint n = 1 + draw_below (fuzz, 3); n > 0; n--)
    {
      guint place = draw_below (fuzz, G_N_ELEMENTS (places)), size = 1u << draw_below (fuzz, 4);
      guint at = places[place].at + draw_below (fuzz, places[place].bytes / size) * size;
      guint64 value = draw_below (fuzz, 3) ? draw_interesting (fuzz) : draw_below (fuzz, 256);

      memcpy (fuzz->bytes + at, &value, size);
    }
  if (draw_below (fuzz, 20) == 0)
    fuzz->length = draw_below (fuzz, FALSE_PROGRAM_SIZE);
}

static gboolean
read_mutant (gpointer data, uint64_t offset, gsize length, uint8_t *out, GError **error)
{
  const Fuzz *fuzz = data;

  g_assert_cmpuint (offset, <=, fuzz->length);
  g_assert_cmpuint (length, <=, fuzz->length - offset);
  memcpy (out, fuzz->bytes + offset, length);

  return TRUE;
}

static void
query_file (Fuzz *fuzz)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkElf) elf = gilk_elf_new (read_mutant, fuzz, fuzz->length, "mutant", &error);

  g_assert_true ((elf == NULL) == (error != NULL));
  if (elf == NULL)
    {
      g_assert_error (error, GILK_ERROR, GILK_ERROR_FORMAT);
      fuzz->refused++;
      return;
    }
  fuzz->taken++;
  g_assert_cmpuint (strspn (elf->build_id, "0123456789abcdef"), ==, strlen (elf->build_id));
  g_assert_true (elf->debug_link == NULL || (*elf->debug_link != '\0' && strchr (elf->debug_link, '/') == NULL));
  gilk_elf_add_symbols (elf, read_mutant, fuzz, fuzz->length, "mutant", NULL);
  for (guint i = 0; i < elf->segments->len; i++)
    {
      const GilkElfSegment *code = &g_array_index (elf->segments, GilkElfSegment, i);

      g_assert_cmpuint (code->offset, <=, fuzz->length);
      g_assert_cmpuint (code->length, <=, fuzz->length - code->offset);
    }
  for (guint i = 0; i < elf->symbols->len; i++)
    {
      const GilkElfSymbol *symbol = &g_array_index (elf->symbols, GilkElfSymbol, i);

      const GilkElfSegment *code = gilk_elf_segment_at (elf->segments, symbol->addr);

      g_assert_nonnull (code);
      g_assert_cmpuint (symbol->size, <=, code->addr + code->length - symbol->addr);
      g_assert_cmpuint (strlen (symbol->name), <=, GILK_ELF_NAME_MAX);
    }
}

int
main (int argc, char **argv)
{
  g_autoptr(GBytes) whole = false_program_new ();
  static Fuzz fuzz;
  FuzzTurns turns = fuzz_turns_begin (argc, argv, &fuzz.random);

  while (fuzz_turns_next (&turns))
    {
      memcpy (fuzz.bytes, g_bytes_get_data (whole, NULL), FALSE_PROGRAM_SIZE);
      fuzz.length = FALSE_PROGRAM_SIZE;
      mutate_file (&fuzz);
      query_file (&fuzz);
    }
  printf ("1..1\n%sok 1 - %" G_GUINT64_FORMAT " programs: %" G_GUINT64_FORMAT " taken, %" G_GUINT64_FORMAT " refused\n",
          fuzz.taken > 0 && fuzz.refused > 0 ? "" : "not ", turns.done, fuzz.taken, fuzz.refused);

  return fuzz.taken > 0 && fuzz.refused > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

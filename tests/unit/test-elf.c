/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-elf.c - reads a program's file, and rejects invalid files
 */
#include "core/base/gilk-error.h"
#include "core/image/gilk-elf.h"
#include "tests/unit/false-program.h"

typedef struct {
  const guint8 *bytes;
  gsize         length;
} Memory;

static gboolean
read_memory (gpointer data, uint64_t offset, gsize length, uint8_t *out, GError **error)
{
  const Memory *memory = data;

  g_assert_cmpuint (offset, <=, memory->length);
  g_assert_cmpuint (length, <=, memory->length - offset);
  memcpy (out, memory->bytes + offset, length);

  return TRUE;
}

static GilkElf *
parse_elf (GBytes *file, GError **error)
{
  Memory memory;

  memory.bytes = g_bytes_get_data (file, &memory.length);

  return gilk_elf_new (read_memory, &memory, memory.length, "a program", error);
}

static const GilkElfSymbol *
find_symbol (const GilkElf *elf, const char *name, guint *n)
{
  const GilkElfSymbol *found = NULL;

  *n = 0;
  for (guint i = 0; i < elf->symbols->len; i++)
    if (strcmp (g_array_index (elf->symbols, GilkElfSymbol, i).name, name) == 0)
      {
        found = &g_array_index (elf->symbols, GilkElfSymbol, i);
        ++*n;
      }

  return found;
}

static void
test_whole (void)
{
  g_autoptr(GBytes) file = false_program_new ();
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkElf) elf = parse_elf (file, &error);
  const GilkElfSegment *code;
  const GilkElfSymbol *symbol;
  guint n;

  g_assert_no_error (error);
  g_assert_cmpuint (elf->segments->len, ==, 1);
  code = &g_array_index (elf->segments, GilkElfSegment, 0);
  g_assert_cmphex (code->addr, ==, FALSE_PROGRAM_BASE);
  g_assert_cmphex (code->offset, ==, FALSE_PROGRAM_CODE);
  g_assert_cmphex (code->length, ==, FALSE_PROGRAM_BYTES);
  g_assert_cmpint (elf->runtime, ==, GILK_ELF_RETURNS);
  g_assert_cmphex (elf->entry, ==, FALSE_PROGRAM_BASE + 0x120);
  g_assert_cmpuint (elf->symbols->len, ==, G_N_ELEMENTS (false_functions) - 1);
  symbol = find_symbol (elf, "branch", &n);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmphex (symbol->addr, ==, FALSE_PROGRAM_BASE + 0x20);
  g_assert_cmpuint (symbol->size, ==, 13);
  g_assert_true (find_symbol (elf, "chosen", &n)->is_ifunc);
  g_assert_nonnull (find_symbol (elf, "versioned", &n));
  g_assert_null (find_symbol (elf, "data", &n));
  find_symbol (elf, "twice", &n);
  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpstr (elf->build_id, ==, FALSE_PROGRAM_ID);
  g_assert_cmpstr (elf->debug_link, ==, "false.debug");
  g_assert_cmphex (elf->debug_crc, ==, FALSE_PROGRAM_CRC);
  g_assert_false (elf->has_debug);
  g_assert_false (elf->is_stripped);
}

/* Tests that a debug link that leads to another folder or lacks a checksum, and a build id that
 * extends past the end of its note, are ignored. */
static void
test_untrusted_link (void)
{
  static const struct { guint at; guint8 value; } bad[] = {
    { FALSE_PROGRAM_LINK + 2, '/' }, { FALSE_PROGRAM_LINK, 0 }, { FALSE_PROGRAM_LINK + 3, 0xff },
    { FALSE_PROGRAM_SECTIONS + 4 * 64 + 32, 12 }, { FALSE_PROGRAM_NOTE + 4, 9 }, { FALSE_PROGRAM_NOTE, 5 },
  };
  g_autoptr(GBytes) whole = false_program_new ();

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autofree guint8 *bytes = g_memdup2 (g_bytes_get_data (whole, NULL), FALSE_PROGRAM_SIZE);
      g_autoptr(GBytes) file = NULL;
      g_autoptr(GError) error = NULL;
      g_autoptr(GilkElf) elf = NULL;

      bytes[bad[i].at] = bad[i].value;
      file = g_bytes_new (bytes, FALSE_PROGRAM_SIZE);
      elf = parse_elf (file, &error);
      g_assert_no_error (error);
      g_assert_true (elf->debug_link == NULL || *elf->build_id == '\0');
      g_assert_true (elf->debug_link != NULL || *elf->build_id != '\0');
    }
}

/* Tests that symbols from debug data add a function only if no known function starts at its
 * address. */
static void
test_more_symbols (void)
{
  g_autoptr(GBytes) whole = false_program_new ();
  g_autofree guint8 *bytes = g_memdup2 (g_bytes_get_data (whole, NULL), FALSE_PROGRAM_SIZE);
  Elf64_Shdr *table = (Elf64_Shdr *) (gpointer) (bytes + FALSE_PROGRAM_SECTIONS) + 1;
  const Memory memory = { g_bytes_get_data (whole, NULL), FALSE_PROGRAM_SIZE };
  g_autoptr(GBytes) file = NULL;
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkElf) elf = NULL;
  guint n;

  table->sh_type = SHT_DYNSYM;
  table->sh_size = 3 * sizeof (Elf64_Sym);
  file = g_bytes_new (bytes, FALSE_PROGRAM_SIZE);
  elf = parse_elf (file, &error);
  g_assert_no_error (error);
  g_assert_true (elf->is_stripped);
  g_assert_cmpuint (elf->symbols->len, ==, 3);
  g_assert_true (gilk_elf_add_symbols (elf, read_memory, (gpointer) &memory, FALSE_PROGRAM_SIZE, "its debug data", &error));
  g_assert_cmpuint (elf->symbols->len, ==, G_N_ELEMENTS (false_functions) - 1);
  find_symbol (elf, "branch", &n);
  g_assert_cmpuint (n, ==, 1);
}

/* Corruptions of the file: the word of @size bytes at @at is set to @value. @words: part of the
 * expected message */
static const struct {
  guint       at, size;
  guint64     value;
  const char *words;
} spoilt[] = {
  { 0, 1, 'F', "not an ELF file" },
  { EI_CLASS, 1, ELFCLASS32, "not for x86-64" },
  { EI_DATA, 1, ELFDATA2MSB, "not for x86-64" },
  { 16, 2, ET_REL, "neither a program" },
  { 16, 2, ET_CORE, "neither a program" },
  { 18, 2, EM_AARCH64, "not for x86-64" },
  { 32, 8, G_MAXUINT64, "program headers" },
  { 32, 8, FALSE_PROGRAM_SIZE - 8, "program headers" },
  { 54, 2, 8, "program headers" },
  { 56, 2, 0, "program headers" },
  { 56, 2, 0xffff, "program headers" },
  { 40, 8, FALSE_PROGRAM_SIZE - 100, "section headers" },
  { 58, 2, 63, "section headers" },
  /* the code */
  { 64 + 56 + 4, 4, PF_R, "no code" },
  { 64 + 56 + 8, 8, FALSE_PROGRAM_SIZE, "outside of the file" },
  { 64 + 56 + 8, 8, G_MAXUINT64 - 8, "outside of the file" },
  { 64 + 56 + 16, 8, G_GUINT64_CONSTANT (0xffffffff81000000), "outside of the file" },
  { 64 + 56 + 32, 8, G_MAXUINT64, "outside of the file" },
  { 64 + 56 + 32, 8, FALSE_PROGRAM_BYTES + 1, "outside of the file" },
  { 64 + 56 + 40, 8, G_MAXUINT64, "outside of the file" },
  /* corruptions of the symbol table's section header */
  { FALSE_PROGRAM_SECTIONS + 64 + 24, 8, FALSE_PROGRAM_SIZE - 8, "symbol table" },
  { FALSE_PROGRAM_SECTIONS + 64 + 32, 8, G_MAXUINT64 / 2, "symbol" },
  { FALSE_PROGRAM_SECTIONS + 64 + 40, 4, 5, "symbol table" },
  { FALSE_PROGRAM_SECTIONS + 64 + 40, 4, 1, "symbol table" },
  { FALSE_PROGRAM_SECTIONS + 64 + 56, 8, 16, "symbol table" },
  { FALSE_PROGRAM_SECTIONS + 128 + 24, 8, G_MAXUINT64, "symbol table" },
};

static void
test_spoilt (void)
{
  g_autoptr(GBytes) whole = false_program_new ();

  for (guint i = 0; i < G_N_ELEMENTS (spoilt); i++)
    {
      g_autofree guint8 *bytes = g_memdup2 (g_bytes_get_data (whole, NULL), FALSE_PROGRAM_SIZE);
      g_autoptr(GError) error = NULL;
      g_autoptr(GilkElf) elf = NULL;
      g_autoptr(GBytes) file = NULL;

      memcpy (bytes + spoilt[i].at, &spoilt[i].value, spoilt[i].size);
      file = g_bytes_new (bytes, FALSE_PROGRAM_SIZE);
      elf = parse_elf (file, &error);
      g_assert_null (elf);
      g_assert_error (error, GILK_ERROR, GILK_ERROR_FORMAT);
      if (strstr (error->message, spoilt[i].words) == NULL)
        g_error ("case %u: \"%s\" does not say \"%s\"", i, error->message, spoilt[i].words);
    }
}

/* Tests that a truncated file is refused, or its contents match its tables. */
static void
test_cut (void)
{
  g_autoptr(GBytes) whole = false_program_new ();

  for (gsize length = 0; length <= FALSE_PROGRAM_SIZE; length += 7)
    {
      g_autoptr(GBytes) file = g_bytes_new_from_bytes (whole, 0, length);
      g_autoptr(GError) error = NULL;
      g_autoptr(GilkElf) elf = parse_elf (file, &error);

      g_assert_true ((elf == NULL) == (error != NULL));
      for (guint i = 0; elf != NULL && i < elf->segments->len; i++)
        {
          const GilkElfSegment *code = &g_array_index (elf->segments, GilkElfSegment, i);

          g_assert_cmpuint (code->offset + code->length, <=, length);
        }
    }
}

/* Tests that symbol names that cannot be written in a plan, or are outside their table, are left
 * out. */
static void
test_names (void)
{
  static const char *const names[] = { "a b", "\xc3\xa4", "a:b", "a{", "" };
  g_autoptr(GBytes) whole = false_program_new ();

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree guint8 *bytes = g_memdup2 (g_bytes_get_data (whole, NULL), FALSE_PROGRAM_SIZE);
      g_autoptr(GilkElf) elf = NULL;
      g_autoptr(GBytes) file = NULL;

      memcpy (bytes + FALSE_PROGRAM_NAMES + 1, names[i], strlen (names[i]) + 1);
      file = g_bytes_new (bytes, FALSE_PROGRAM_SIZE);
      elf = parse_elf (file, NULL);
      g_assert_nonnull (elf);
      g_assert_cmpuint (elf->symbols->len, ==, G_N_ELEMENTS (false_functions) - 2);
    }
}

/* ---- tests of the segments and the language runtime of a program ---- */

enum { SEGMENT_0 = sizeof (Elf64_Ehdr), SYMBOL_0 = FALSE_PROGRAM_SYMBOLS, UNUSED = 0x300 };

static GilkElf *
parse_changed (void (*change) (guint8 *bytes))
{
  g_autoptr(GBytes) whole = false_program_new (), file = NULL;
  g_autofree guint8 *bytes = g_memdup2 (g_bytes_get_data (whole, NULL), FALSE_PROGRAM_SIZE);
  g_autoptr(GError) error = NULL;
  GilkElf *elf;

  change (bytes);
  file = g_bytes_new (bytes, FALSE_PROGRAM_SIZE);
  elf = parse_elf (file, &error);
  g_assert_no_error (error);

  return elf;
}

/* Moves functions to a segment of their own, as the optimizer BOLT does. */
static void
add_segment (guint8 *bytes)
{
  Elf64_Phdr *segment = (Elf64_Phdr *) (gpointer) (bytes + SEGMENT_0);
  Elf64_Sym *symbol = (Elf64_Sym *) (gpointer) (bytes + SYMBOL_0);

  segment->p_flags |= PF_X;
  symbol->st_value = 0x4001f0;
  symbol->st_size = 0x100;
}

static void
test_segments (void)
{
  g_autoptr(GilkElf) elf = parse_changed (add_segment);
  const GilkElfSymbol *moved;
  guint n;

  g_assert_cmpuint (elf->segments->len, ==, 2);
  g_assert_cmphex (g_array_index (elf->segments, GilkElfSegment, 0).addr, ==, 0x400000);
  moved = find_symbol (elf, "plain", &n);
  g_assert_nonnull (moved);
  g_assert_cmphex (moved->addr, ==, 0x4001f0);
  g_assert_cmphex (moved->size, ==, 0x10);
  g_assert_nonnull (find_symbol (elf, "branch", &n));
  g_assert_null (gilk_elf_segment_at (elf->segments, 0x400200));
}

static void
add_note (guint8 *bytes)
{
  static const guint8 note[] = { 4, 0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0, 'G', 'o', 0, 0, 'i', 'd', 0, 0 };
  Elf64_Phdr *segment = (Elf64_Phdr *) (gpointer) (bytes + SEGMENT_0);

  segment->p_type = PT_NOTE;
  segment->p_offset = UNUSED;
  segment->p_filesz = sizeof note;
  memcpy (bytes + UNUSED, note, sizeof note);
}

/* Gives a section the name of Go's function table. The file does not contain Go's note yet. */
static void
name_section (guint8 *bytes)
{
  static const char names[] = "\0.gopclntab";
  Elf64_Ehdr *head = (Elf64_Ehdr *) (gpointer) bytes;
  Elf64_Shdr *sections = (Elf64_Shdr *) (gpointer) (bytes + FALSE_PROGRAM_SECTIONS);

  head->e_shstrndx = 0;
  sections[0] = (Elf64_Shdr) { .sh_type = SHT_STRTAB, .sh_offset = UNUSED, .sh_size = sizeof names, .sh_name = 1 };
  memcpy (bytes + UNUSED, names, sizeof names);
}

/* Turns a symbol into an import of a function with which C++ programs throw exceptions. */
static void
import_throw (guint8 *bytes)
{
  Elf64_Sym *symbol = (Elf64_Sym *) (gpointer) (bytes + SYMBOL_0);

  symbol->st_shndx = SHN_UNDEF;
  symbol->st_value = 0;
  memcpy (bytes + FALSE_PROGRAM_NAMES + 0x200, "__cxa_throw@CXXABI_1.3", 23);
  symbol->st_name = 0x200;
}

static void
name_generic (guint8 *bytes)
{
  memcpy (bytes + FALSE_PROGRAM_NAMES + 0x200, "main.Sum[go.shape.int_0]", 25);
  ((Elf64_Sym *) (gpointer) (bytes + SYMBOL_0))->st_name = 0x200;
}

static void
test_runtime (void)
{
  g_autoptr(GilkElf) note = parse_changed (add_note), section = parse_changed (name_section);
  g_autoptr(GilkElf) throws = parse_changed (import_throw), generic = parse_changed (name_generic);
  guint n;

  g_assert_cmpint (note->runtime, ==, GILK_ELF_GO);
  g_assert_cmpint (section->runtime, ==, GILK_ELF_GO);
  g_assert_cmpint (throws->runtime, ==, GILK_ELF_UNWINDS);
  g_assert_nonnull (find_symbol (generic, "main.Sum[go.shape.int_0]", &n));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/elf/whole", test_whole);
  g_test_add_func ("/elf/untrusted-link", test_untrusted_link);
  g_test_add_func ("/elf/more-symbols", test_more_symbols);
  g_test_add_func ("/elf/spoilt", test_spoilt);
  g_test_add_func ("/elf/cut", test_cut);
  g_test_add_func ("/elf/names", test_names);
  g_test_add_func ("/elf/segments", test_segments);
  g_test_add_func ("/elf/runtime", test_runtime);

  return g_test_run ();
}

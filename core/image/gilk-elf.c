/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-elf.c - code and functions of a user program or library, from its ELF file
 */
#include "core/image/gilk-elf.h"

#include <elf.h>
#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-array.h"
#include "core/base/gilk-error.h"

enum {
  SEGMENTS_MAX = 1024, SECTIONS_MAX = 65535, TABLES_MAX = 8, NOTES_MAX = 1 << 16,
  LINK_MAX = 256,              /* size limit of .gnu_debuglink: file name, zeros, 4-byte checksum */
};

#define USER_END UINT64_C (0x00007ffffffff000)

typedef struct {
  GilkElfRead  read;
  gpointer     data;
  uint64_t     size;
  const char  *name;
  Elf64_Ehdr   head;
  GilkElf     *elf;
  /* (nullable): addresses of known functions; only functions at other addresses are added */
  GHashTable  *starts;
} Reader;

static gboolean
set_unreadable (const Reader *r, const char *what, GError **error)
{
  return gilk_fail (error, GILK_ERROR_FORMAT,
      _("Cannot read %s as a program: %s. Name an intact program or library of this machine."),
      r->name, what);
}

/* Returns whether a range of bytes is within the file. */
static gboolean
is_inside (const Reader *r, uint64_t offset, uint64_t length)
{
  return offset <= r->size && length <= r->size - offset;
}

/* ---- the ELF header ---- */

static gboolean
read_head (Reader *r, GError **error)
{
  if (r->size < sizeof r->head)
    return set_unreadable (r, _("the file is too short"), error);
  if (!r->read (r->data, 0, sizeof r->head, (uint8_t *) &r->head, error))
    return FALSE;
  if (memcmp (r->head.e_ident, ELFMAG, SELFMAG) != 0)
    return set_unreadable (r, _("the file is not an ELF file"), error);
  if (r->head.e_ident[EI_CLASS] != ELFCLASS64 || r->head.e_ident[EI_DATA] != ELFDATA2LSB ||
      r->head.e_machine != EM_X86_64)
    return set_unreadable (r, _("the file is not for x86-64"), error);
  if (r->head.e_type != ET_EXEC && r->head.e_type != ET_DYN)
    return set_unreadable (r, _("the file is neither a program nor a shared library"), error);

  return TRUE;
}

/* ---- segments, and notes about their code ---- */

const GilkElfSegment *
gilk_elf_segment_at (const GArray *segments,
                     uint64_t      addr)
{
  for (guint i = 0; i < segments->len; i++)
    {
      const GilkElfSegment *segment = &g_array_index (segments, GilkElfSegment, i);

      if (addr - segment->addr < segment->length)
        return segment;
    }

  return NULL;
}

GILK_DEFINE_ORDER (compare_segments, GilkElfSegment, addr)

static gboolean
add_segment (Reader *r, const Elf64_Phdr *segment, GError **error)
{
  const GilkElfSegment code = { segment->p_vaddr, segment->p_offset, segment->p_filesz };

  if (!is_inside (r, segment->p_offset, segment->p_filesz) || segment->p_filesz > segment->p_memsz ||
      segment->p_vaddr >= USER_END || segment->p_memsz > USER_END - segment->p_vaddr)
    return set_unreadable (r, _("the code lies outside of the file"), error);
  g_array_append_val (r->elf->segments, code);

  return TRUE;
}

/* Copies the build id from a note segment. Notes are aligned to 4 bytes. */
static void
find_build_id (GilkElf *elf, const uint8_t *notes, gsize length)
{
  Elf64_Nhdr head;

  for (gsize at = 0; length - at >= sizeof head && *elf->build_id == '\0';)
    {
      gsize name, value;

      memcpy (&head, notes + at, sizeof head);
      name = at + sizeof head;
      value = name + (((gsize) head.n_namesz + 3) & ~(gsize) 3);
      at = value + (((gsize) head.n_descsz + 3) & ~(gsize) 3);
      if (value > length || head.n_descsz > length - value)
        return;
      if (head.n_type == NT_GNU_BUILD_ID && head.n_namesz == sizeof ELF_NOTE_GNU && head.n_descsz <= GILK_ELF_ID_MAX &&
          memcmp (notes + name, ELF_NOTE_GNU, sizeof ELF_NOTE_GNU) == 0)
        for (guint i = 0; i < head.n_descsz; i++)
          g_snprintf (elf->build_id + 2 * i, 3, "%02x", notes[value + i]);
      at = MIN (at, length);
    }
}

/* Reads the build id, and detects Go: the Go toolchain adds a note with a build id of its own. */
static gboolean
read_notes (Reader *r, const Elf64_Phdr *segment, GError **error)
{
  static const uint8_t name[] = { 4, 0, 0, 0, 'G', 'o', 0, 0 };        /* the start of a note of
                                                                        * type 4 whose owner is
                                                                        * "Go" */
  g_autofree uint8_t *notes = NULL;

  if (segment->p_filesz > NOTES_MAX || !is_inside (r, segment->p_offset, segment->p_filesz))
    return TRUE;
  notes = g_malloc (segment->p_filesz + 1);
  if (!r->read (r->data, segment->p_offset, segment->p_filesz, notes, error))
    return FALSE;
  if (memmem (notes, segment->p_filesz, name, sizeof name) != NULL)
    r->elf->runtime = GILK_ELF_GO;
  find_build_id (r->elf, notes, segment->p_filesz);

  return TRUE;
}

static gboolean
add_segments (Reader *r, const Elf64_Phdr *segments, guint n, GError **error)
{
  for (guint i = 0; i < n; i++)
    {
      if (segments[i].p_type == PT_LOAD && (segments[i].p_flags & PF_X) != 0 && segments[i].p_filesz > 0 &&
          !add_segment (r, &segments[i], error))
        return FALSE;
      if (segments[i].p_type == PT_NOTE && !read_notes (r, &segments[i], error))
        return FALSE;
    }

  return TRUE;
}

static gboolean
read_segments (Reader *r, GError **error)
{
  g_autofree Elf64_Phdr *segments = NULL;
  guint n = r->head.e_phnum;

  if (n == 0 || n > SEGMENTS_MAX || r->head.e_phentsize != sizeof *segments ||
      !is_inside (r, r->head.e_phoff, n * sizeof *segments))
    return set_unreadable (r, _("the program headers are damaged"), error);
  segments = g_new (Elf64_Phdr, n);
  if (!r->read (r->data, r->head.e_phoff, n * sizeof *segments, (uint8_t *) segments, error) ||
      !add_segments (r, segments, n, error))
    return FALSE;
  if (r->elf->segments->len == 0)
    return set_unreadable (r, _("the file has no code"), error);
  g_array_sort (r->elf->segments, compare_segments);
  for (guint i = 1; i < r->elf->segments->len; i++)
    {
      const GilkElfSegment *before = &g_array_index (r->elf->segments, GilkElfSegment, i - 1);

      if (before[1].addr - before->addr < before->length)
        return set_unreadable (r, _("the code segments overlap"), error);
    }
  if (gilk_elf_segment_at (r->elf->segments, r->head.e_entry) != NULL)
    r->elf->entry = r->head.e_entry;

  return TRUE;
}

/* ---- tables of symbols ---- */

/* Returns the contents of a section, with a NUL after them; NULL with @error. */
static uint8_t *
read_table (Reader *r, const Elf64_Shdr *section, GError **error)
{
  uint8_t *table;

  if (!is_inside (r, section->sh_offset, section->sh_size) || section->sh_size > GILK_ELF_TABLE_MAX ||
      r->elf->tables->len >= TABLES_MAX)
    {
      set_unreadable (r, _("a symbol table lies outside of the file, or is too large"), error);
      return NULL;
    }
  table = g_malloc (section->sh_size + 1);
  table[section->sh_size] = '\0';
  g_ptr_array_add (r->elf->tables, table);

  return r->read (r->data, section->sh_offset, section->sh_size, table, error) ? table : NULL;
}

/* Cuts off the symbol version, which starts with '@'. Returns whether the name can be written in a
 * plan, the text file that lists hooks. */
static gboolean
is_name (char *name)
{
  gsize length = strcspn (name, "@");

  name[length] = '\0';
  if (length == 0 || length > GILK_ELF_NAME_MAX)
    return FALSE;
  for (const char *c = name; *c != '\0'; c++)
    if (!g_ascii_isgraph (*c) || strchr ("|{}:+", *c) != NULL)
      return FALSE;

  return TRUE;
}

/* Returns whether @name is a function that only programs with C++ exceptions or Rust panics use. */
static gboolean
is_unwinder (const char *name)
{
  static const char *const names[] = { "__gxx_personality_v0", "__cxa_throw", "rust_eh_personality" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_str_has_prefix (name, names[i]) && strchr ("@", name[strlen (names[i])]) != NULL)
      return TRUE;

  return FALSE;
}

static void
add_symbol (Reader *r, const Elf64_Sym *symbol, char *names, uint64_t names_size)
{
  guint type = ELF64_ST_TYPE (symbol->st_info);
  GilkElfSymbol taken = {
    .addr = symbol->st_value, .size = symbol->st_size, .is_local = ELF64_ST_BIND (symbol->st_info) == STB_LOCAL,
    .is_ifunc = type == STT_GNU_IFUNC,
  };

  const GilkElfSegment *code;

  if (symbol->st_name >= names_size)
    return;
  if (r->elf->runtime == GILK_ELF_RETURNS && is_unwinder (names + symbol->st_name))
    r->elf->runtime = GILK_ELF_UNWINDS;
  code = gilk_elf_segment_at (r->elf->segments, symbol->st_value);
  if ((type != STT_FUNC && type != STT_GNU_IFUNC) || symbol->st_shndx == SHN_UNDEF || code == NULL)
    return;
  if (!is_name (names + symbol->st_name) || (r->starts != NULL && g_hash_table_contains (r->starts, &symbol->st_value)))
    return;
  taken.name = names + symbol->st_name;
  taken.size = MIN (taken.size, code->addr + code->length - taken.addr);
  g_array_append_val (r->elf->symbols, taken);
}

static gboolean
read_symbols (Reader *r, const Elf64_Shdr *table, const Elf64_Shdr *strings, GError **error)
{
  uint64_t n = table->sh_size / sizeof (Elf64_Sym);
  uint8_t *symbols, *names;

  if (table->sh_entsize != sizeof (Elf64_Sym) || strings->sh_type != SHT_STRTAB)
    return set_unreadable (r, _("a symbol table is damaged"), error);
  if (n + r->elf->symbols->len > GILK_ELF_SYMBOLS_MAX)
    return set_unreadable (r, _("the file has more symbols than the limit of 4 million"), error);
  symbols = read_table (r, table, error);
  names = symbols != NULL ? read_table (r, strings, error) : NULL;
  if (names == NULL)
    return FALSE;
  for (uint64_t i = 0; i < n; i++)
    {
      Elf64_Sym symbol;

      memcpy (&symbol, symbols + i * sizeof symbol, sizeof symbol);
      add_symbol (r, &symbol, (char *) names, strings->sh_size);
    }

  return TRUE;
}

/* ---- properties of a file that its sections reveal ---- */

/* Reads the name in .gnu_debuglink. Accepts only a plain file name, because it is untrusted. */
static gboolean
read_debug_link (Reader *r, const Elf64_Shdr *section, GError **error)
{
  char link[LINK_MAX + 1] = "";
  gsize length = 0, at;

  if (section->sh_type != SHT_PROGBITS || section->sh_size > LINK_MAX || !is_inside (r, section->sh_offset, section->sh_size))
    return TRUE;
  if (!r->read (r->data, section->sh_offset, section->sh_size, (uint8_t *) link, error))
    return FALSE;
  length = strlen (link);
  at = (length + 4) & ~(gsize) 3;
  if (length == 0 || strchr (link, '/') != NULL || strcmp (link, "..") == 0 || !g_utf8_validate (link, -1, NULL) ||
      at + sizeof r->elf->debug_crc > section->sh_size)
    return TRUE;
  g_free (r->elf->debug_link);
  r->elf->debug_link = g_strdup (link);
  memcpy (&r->elf->debug_crc, link + at, sizeof r->elf->debug_crc);

  return TRUE;
}

/* Sets properties of the file that the name of this section reveals. Detects Go by the section of
 * Go's function table, because the Go note may be missing. */
static gboolean
note_section (Reader *r, const Elf64_Shdr *section, const char *name, GError **error)
{
  if (strcmp (name, ".gopclntab") == 0 || strcmp (name, ".data.rel.ro.gopclntab") == 0)
    r->elf->runtime = GILK_ELF_GO;
  if ((strcmp (name, ".debug_info") == 0 || strcmp (name, ".zdebug_info") == 0) && section->sh_type != SHT_NOBITS)
    r->elf->has_debug = TRUE;

  return strcmp (name, ".gnu_debuglink") != 0 || read_debug_link (r, section, error);
}

static gboolean
note_sections (Reader *r, const Elf64_Shdr *sections, guint n, GError **error)
{
  const Elf64_Shdr *strings = r->head.e_shstrndx < n ? &sections[r->head.e_shstrndx] : NULL;
  g_autofree char *names = NULL;

  if (strings == NULL || strings->sh_type != SHT_STRTAB || strings->sh_size > NOTES_MAX ||
      !is_inside (r, strings->sh_offset, strings->sh_size))
    return TRUE;
  names = g_malloc0 (strings->sh_size + 1);
  if (!r->read (r->data, strings->sh_offset, strings->sh_size, (uint8_t *) names, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    if (sections[i].sh_name < strings->sh_size && !note_section (r, &sections[i], names + sections[i].sh_name, error))
      return FALSE;

  return TRUE;
}

/* Reads symbols from the sections. A file without a section table yields none. */
static gboolean
read_sections (Reader *r, GError **error)
{
  g_autofree Elf64_Shdr *sections = NULL;
  guint n = r->head.e_shnum;

  if (n == 0)
    return TRUE;
  if (r->head.e_shentsize != sizeof *sections || n > SECTIONS_MAX ||
      !is_inside (r, r->head.e_shoff, n * sizeof *sections))
    return set_unreadable (r, _("the section headers are damaged"), error);
  sections = g_new (Elf64_Shdr, n);
  if (!r->read (r->data, r->head.e_shoff, n * sizeof *sections, (uint8_t *) sections, error) ||
      (r->starts == NULL && !note_sections (r, sections, n, error)))
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      if ((sections[i].sh_type != SHT_SYMTAB && sections[i].sh_type != SHT_DYNSYM) || sections[i].sh_size == 0)
        continue;
      r->elf->is_stripped = r->elf->is_stripped && sections[i].sh_type != SHT_SYMTAB;
      if (sections[i].sh_link >= n)
        return set_unreadable (r, _("a symbol table is damaged"), error);
      if (!read_symbols (r, &sections[i], &sections[sections[i].sh_link], error))
        return FALSE;
    }

  return TRUE;
}

/* ---- opening of the file ---- */

GilkElf *
gilk_elf_new (GilkElfRead read,
              gpointer    data,
              uint64_t    size,
              const char *name,
              GError    **error)
{
  g_autoptr(GilkElf) elf = g_new0 (GilkElf, 1);
  Reader r = { .read = read, .data = data, .size = size, .name = name, .elf = elf };

  elf->segments = g_array_new (FALSE, FALSE, sizeof (GilkElfSegment));
  elf->symbols = g_array_new (FALSE, FALSE, sizeof (GilkElfSymbol));
  elf->tables = g_ptr_array_new_with_free_func (g_free);
  elf->is_stripped = TRUE;
  if (!read_head (&r, error) || !read_segments (&r, error) || !read_sections (&r, error))
    return NULL;

  return g_steal_pointer (&elf);
}

gboolean
gilk_elf_add_symbols (GilkElf    *elf,
                      GilkElfRead read,
                      gpointer    data,
                      uint64_t    size,
                      const char *name,
                      GError    **error)
{
  g_autoptr(GHashTable) starts = g_hash_table_new (g_int64_hash, g_int64_equal);
  g_autoptr(GArray) own = g_array_copy (elf->symbols);
  Reader r = { .read = read, .data = data, .size = size, .name = name, .elf = elf, .starts = starts };

  for (guint i = 0; i < own->len; i++)
    g_hash_table_add (starts, &g_array_index (own, GilkElfSymbol, i).addr);

  return read_head (&r, error) && read_sections (&r, error);
}

void
gilk_elf_free (GilkElf *elf)
{
  if (elf == NULL)
    return;
  g_array_unref (elf->segments);
  g_array_unref (elf->symbols);
  g_ptr_array_unref (elf->tables);
  g_free (elf->debug_link);
  g_free (elf);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * false-program.h - builds the ELF file of a program: a few functions whose bytes are known, a
 * build id and a link to debug data
 */
#pragma once

#include <elf.h>
#include <glib.h>
#include <string.h>

#define FALSE_PROGRAM_PATH "/bin/false-program"

enum {
  FALSE_PROGRAM_BASE = 0x401000, FALSE_PROGRAM_CODE = 0x1000, FALSE_PROGRAM_BYTES = 0x200,
  FALSE_PROGRAM_NAMES = 0x1200, FALSE_PROGRAM_SYMBOLS = 0x1600, FALSE_PROGRAM_SECTIONS = 0x1900,
  FALSE_PROGRAM_TITLES = 0x1a40, FALSE_PROGRAM_LINK = 0x1a80, FALSE_PROGRAM_NOTE = 0x1ac0,
  FALSE_PROGRAM_SIZE = 0x1b00,
};

#define FALSE_PROGRAM_ID "0102030405060708"
#define FALSE_PROGRAM_CRC 0x44332211u

typedef struct {
  const char *name;
  guint       at, size;          /* the function's offset and size in .text */
  guint8      type;
  guint8      code[32];
} FalseFunction;

static const FalseFunction false_functions[] = {
  /* lea (%rdi,%rdi,1),%eax; ret */
  { "plain", 0x00, 4, STT_FUNC, { 0x8d, 0x04, 0x3f, 0xc3 } },
  /* test %edi,%edi; je +7; mov $1,%eax; add $2,%eax; ret: two paths lead to the addition */
  { "branch", 0x20, 13, STT_FUNC, { 0x85, 0xff, 0x74, 0x05, 0xb8, 1, 0, 0, 0, 0x83, 0xc0, 0x02, 0xc3 } },
  /* jmp *%rdi; mov $2,%eax; ret */
  { "computed", 0x40, 8, STT_FUNC, { 0xff, 0xe7, 0xb8, 2, 0, 0, 0, 0xc3 } },
  /* an instruction that jumps into the middle of itself */
  { "crooked", 0x60, 3, STT_FUNC, { 0xeb, 0xff, 0xc0 } },
  { "chosen", 0x80, 4, STT_GNU_IFUNC, { 0x8d, 0x04, 0x3f, 0xc3 } },
  { "twice", 0xa0, 1, STT_FUNC, { 0xc3 } },
  { "twice", 0xc0, 1, STT_FUNC, { 0xc3 } },
  { "versioned@@V_1", 0xe0, 1, STT_FUNC, { 0xc3 } },
  { "data", 0x100, 8, STT_OBJECT, { 0 } },
  /* shop::Basket::add(int), shop::Basket::sum() const, both forms of its constructor, and two shop::open() */
  { "_ZN4shop6Basket3addEi", 0x140, 4, STT_FUNC, { 0x8d, 0x04, 0x3f, 0xc3 } },
  { "_ZNK4shop6Basket3sumEv", 0x150, 1, STT_FUNC, { 0xc3 } },
  { "_ZN4shop6BasketC1Ev", 0x160, 1, STT_FUNC, { 0xc3 } },
  { "_ZN4shop6BasketC2Ev", 0x160, 1, STT_FUNC, { 0xc3 } },
  { "_ZN4shop4openEi", 0x170, 1, STT_FUNC, { 0xc3 } },
  { "_ZN4shop4openEPKc", 0x180, 1, STT_FUNC, { 0xc3 } },
  { "_Z5totalv", 0x190, 1, STT_FUNC, { 0xc3 } },
  { "_ZN3app4work17h0123456789abcdefE", 0x1a0, 1, STT_FUNC, { 0xc3 } },
  { "main.Sum[go.shape.int_0]", 0x1b0, 1, STT_FUNC, { 0xc3 } },
};

static inline void
false_program_head (GByteArray *file)
{
  const Elf64_Ehdr head = {
    .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
    .e_type = ET_EXEC, .e_machine = EM_X86_64, .e_version = EV_CURRENT, .e_entry = FALSE_PROGRAM_BASE + 0x120,
    .e_phoff = sizeof head, .e_shoff = FALSE_PROGRAM_SECTIONS, .e_ehsize = sizeof head,
    .e_phentsize = sizeof (Elf64_Phdr), .e_phnum = 3, .e_shentsize = sizeof (Elf64_Shdr), .e_shnum = 5, .e_shstrndx = 3,
  };
  static const char titles[] = "\0.gnu_debuglink", link[] = "false.debug\0\x11\x22\x33\x44";
  static const guint8 note[] = { 4, 0, 0, 0, 8, 0, 0, 0, 3, 0, 0, 0, 'G', 'N', 'U', 0, 1, 2, 3, 4, 5, 6, 7, 8 };
  const Elf64_Phdr segments[] = {
    { .p_type = PT_LOAD, .p_flags = PF_R, .p_vaddr = 0x400000, .p_filesz = 0x200, .p_memsz = 0x200 },
    { .p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_offset = FALSE_PROGRAM_CODE, .p_vaddr = FALSE_PROGRAM_BASE,
      .p_filesz = FALSE_PROGRAM_BYTES, .p_memsz = FALSE_PROGRAM_BYTES },
    { .p_type = PT_NOTE, .p_flags = PF_R, .p_offset = FALSE_PROGRAM_NOTE, .p_filesz = sizeof note },
  };
  const Elf64_Shdr sections[] = {
    { .sh_type = SHT_NULL },
    { .sh_type = SHT_SYMTAB, .sh_offset = FALSE_PROGRAM_SYMBOLS, .sh_entsize = sizeof (Elf64_Sym), .sh_link = 2,
      .sh_size = G_N_ELEMENTS (false_functions) * sizeof (Elf64_Sym) },
    { .sh_type = SHT_STRTAB, .sh_offset = FALSE_PROGRAM_NAMES,
      .sh_size = FALSE_PROGRAM_SYMBOLS - FALSE_PROGRAM_NAMES },
    { .sh_type = SHT_STRTAB, .sh_offset = FALSE_PROGRAM_TITLES, .sh_size = sizeof titles },
    { .sh_name = 1, .sh_type = SHT_PROGBITS, .sh_offset = FALSE_PROGRAM_LINK, .sh_size = sizeof link - 1 },
  };

  memcpy (file->data, &head, sizeof head);
  memcpy (file->data + sizeof head, segments, sizeof segments);
  memcpy (file->data + FALSE_PROGRAM_SECTIONS, sections, sizeof sections);
  memcpy (file->data + FALSE_PROGRAM_TITLES, titles, sizeof titles);
  memcpy (file->data + FALSE_PROGRAM_LINK, link, sizeof link);
  memcpy (file->data + FALSE_PROGRAM_NOTE, note, sizeof note);
}

static inline GBytes *
false_program_new (void)
{
  GByteArray *file = g_byte_array_new ();
  guint name = 1;

  g_byte_array_set_size (file, FALSE_PROGRAM_SIZE);
  memset (file->data, 0, FALSE_PROGRAM_SIZE);
  false_program_head (file);
  memset (file->data + FALSE_PROGRAM_CODE, 0xcc, FALSE_PROGRAM_BYTES);
  for (guint i = 0; i < G_N_ELEMENTS (false_functions); i++)
    {
      const FalseFunction *f = &false_functions[i];
      const Elf64_Sym symbol = {
        .st_name = name, .st_info = ELF64_ST_INFO (STB_GLOBAL, f->type), .st_shndx = 1,
        .st_value = FALSE_PROGRAM_BASE + f->at, .st_size = f->size,
      };

      memcpy (file->data + FALSE_PROGRAM_CODE + f->at, f->code, f->size);
      memcpy (file->data + FALSE_PROGRAM_SYMBOLS + i * sizeof symbol, &symbol, sizeof symbol);
      memcpy (file->data + FALSE_PROGRAM_NAMES + name, f->name, strlen (f->name));
      name += (guint) strlen (f->name) + 1;
    }

  return g_byte_array_free_to_bytes (file);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-dwarf.c - opens a file of debug data, sets its address bias, and finds units in it
 */
#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <glib/gi18n.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/gilk-array.h"
#include "core/base/gilk-error.h"
#include "core/debug/gilk-dwarf-private.h"

enum { SYMBOLS_MAX = 1 << 23 };

/* ---- modules: libdwfl relocates their sections ---- */

static int
provide_file (Dwfl_Module *module, void **userdata, const char *name, Dwarf_Addr base, char **path, Elf **elf)
{
  GilkDwarf *dwarf = *userdata;

  *path = strdup (dwarf->path);

  return dup (dwarf->fd);
}

/* Disables libdwfl's search for other files in directories or on servers. */
static int
find_no_file (Dwfl_Module *module, void **userdata, const char *name, Dwarf_Addr base, const char *path,
              const char *link, GElf_Word crc, char **debug_path)
{
  return -1;
}

static int
place_section (Dwfl_Module *module, void **userdata, const char *name, Dwarf_Addr base, const char *section,
               GElf_Word index, const GElf_Shdr *head, Dwarf_Addr *addr)
{
  const GilkDwarf *dwarf = *userdata;
  uint64_t at;

  *addr = (Dwarf_Addr) -1;
  if (dwarf->section != NULL && dwarf->section (section, &at, dwarf->section_data))
    *addr = at;

  return 0;
}

static const Dwfl_Callbacks callbacks = {
  .find_elf = provide_file, .find_debuginfo = find_no_file, .section_address = place_section,
};

static gboolean
open_module (GilkDwarf *dwarf, GError **error)
{
  Dwarf_Addr bias = 0;
  Dwfl_Module *module;
  void **userdata;

  dwarf->dwfl = dwfl_begin (&callbacks);
  if (dwarf->dwfl == NULL)
    return gilk_dwarf_set_damaged (dwarf->path, dwfl_errmsg (-1), error);
  dwfl_report_begin (dwarf->dwfl);
  module = dwfl_report_module (dwarf->dwfl, "module", 0, G_MAXUINT64 - 1);
  if (module == NULL)
    return gilk_dwarf_set_damaged (dwarf->path, dwfl_errmsg (-1), error);
  dwfl_module_info (module, &userdata, NULL, NULL, NULL, NULL, NULL, NULL);
  *userdata = dwarf;
  dwfl_report_end (dwarf->dwfl, NULL, NULL);
  dwarf->dwarf = dwfl_module_getdwarf (module, &bias);
  if (dwarf->dwarf == NULL)
    return gilk_dwarf_set_damaged (dwarf->path, dwfl_errmsg (-1), error);
  dwarf->bias = bias;
  dwarf->cfi = dwfl_module_dwarf_cfi (module, &bias);
  dwarf->cfi_bias = bias;
  dwarf->eh_cfi = dwfl_module_eh_cfi (module, &bias);
  dwarf->eh_bias = bias;

  return TRUE;
}

static gboolean
open_with_addresses (GilkDwarf *dwarf, GError **error)
{
  dwarf->dwarf = dwarf_begin_elf (dwarf->elf, DWARF_C_READ, NULL);
  if (dwarf->dwarf == NULL)
    return gilk_dwarf_set_damaged (dwarf->path, dwarf_errmsg (-1), error);
  dwarf->cfi = dwarf_getcfi (dwarf->dwarf);
  dwarf->eh_cfi = dwarf_getcfi_elf (dwarf->elf);

  return TRUE;
}

/* ---- opens a file ---- */

static gboolean
open_elf (GilkDwarf *dwarf, GElf_Ehdr *head, GError **error)
{
  elf_version (EV_CURRENT);
  dwarf->elf = elf_begin (dwarf->fd, ELF_C_READ_MMAP, NULL);
  if (dwarf->elf == NULL || elf_kind (dwarf->elf) != ELF_K_ELF || gelf_getehdr (dwarf->elf, head) == NULL ||
      head->e_machine != EM_X86_64 || head->e_ident[EI_CLASS] != ELFCLASS64 || head->e_ident[EI_DATA] != ELFDATA2LSB)
    return gilk_dwarf_set_damaged (dwarf->path, _("the file is not an ELF file of this architecture"), error);

  return TRUE;
}

static gboolean
open_file (GilkDwarf *dwarf, GError **error)
{
  int unpacked = -1;
  GElf_Ehdr head;

  dwarf->fd = gilk_dwarf_open_plain (dwarf->path, error);
  if (dwarf->fd < 0 || !open_elf (dwarf, &head, error) ||
      !gilk_dwarf_unpack_sections (dwarf->path, dwarf->fd, dwarf->elf, &unpacked, error))
    return FALSE;
  if (unpacked >= 0)
    {
      g_clear_pointer (&dwarf->elf, elf_end);
      close (dwarf->fd);
      dwarf->fd = unpacked;
      if (!open_elf (dwarf, &head, error))
        return FALSE;
    }

  return head.e_type == ET_REL ? open_module (dwarf, error) : open_with_addresses (dwarf, error);
}

GilkDwarf *
gilk_dwarf_open (const char      *path,
                 GilkDwarfSection section,
                 gpointer         data,
                 GError         **error)
{
  GilkDwarf *dwarf = g_new0 (GilkDwarf, 1);

  dwarf->path = g_strdup (path);
  dwarf->section = section;
  dwarf->section_data = data;
  if (!open_file (dwarf, error))
    g_clear_pointer (&dwarf, gilk_dwarf_free);
  else
    dwarf->section = NULL;

  return dwarf;
}

void
gilk_dwarf_free (GilkDwarf *dwarf)
{
  if (dwarf->dwfl == NULL && dwarf->eh_cfi != NULL)
    dwarf_cfi_end (dwarf->eh_cfi);
  if (dwarf->dwfl != NULL)
    dwfl_end (dwarf->dwfl);
  else if (dwarf->dwarf != NULL)
    dwarf_end (dwarf->dwarf);
  if (dwarf->elf != NULL)
    elf_end (dwarf->elf);
  if (dwarf->fd >= 0)
    close (dwarf->fd);
  g_clear_pointer (&dwarf->units, g_array_unref);
  g_clear_pointer (&dwarf->ranges, g_array_unref);
  g_free (dwarf->path);
  g_free (dwarf);
}

const char *
gilk_dwarf_path (const GilkDwarf *dwarf)
{
  return dwarf->path;
}

/* ---- queries about a file without opening it for lookups ---- */

/* Calls @look with the ELF file at @path. Returns FALSE with GILK_ERROR_NOT_FOUND if the file is
 * not an ELF file, or with GILK_ERROR_FORMAT if its compressed data are damaged. */
static gboolean
look_at_file (const char *path, void (*look) (Elf *elf, gpointer data), gpointer data, GError **error)
{
  const int fd = gilk_dwarf_open_plain (path, error);
  gboolean is_elf;
  Elf *elf;

  if (fd < 0)
    return FALSE;
  elf_version (EV_CURRENT);
  elf = elf_begin (fd, ELF_C_READ_MMAP, NULL);
  is_elf = elf != NULL && elf_kind (elf) == ELF_K_ELF;
  if (is_elf)
    look (elf, data);
  else
    g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                 _("%s has no debug data: it is not an ELF file. Give a vmlinux with debug data, or a folder."), path);
  if (elf != NULL)
    elf_end (elf);
  close (fd);

  return is_elf;
}

static void
append_build_id (Elf *elf, gpointer data)
{
  const void *id = NULL;
  const ssize_t length = dwelf_elf_gnu_build_id (elf, &id);

  for (ssize_t i = 0; i < MIN (length, 64); i++)
    g_string_append_printf (data, "%02x", ((const guint8 *) id)[i]);
}

char *
gilk_dwarf_build_id (const char *path,
                     GError    **error)
{
  g_autoptr(GString) hex = g_string_new (NULL);

  return look_at_file (path, append_build_id, hex, error) ? g_strdup (hex->str) : NULL;
}

static void
find_data (Elf *elf, gpointer data)
{
  gboolean packed_otherwise = FALSE;

  *(gboolean *) data = gilk_dwarf_check_sections ("", elf, &packed_otherwise, NULL);
}

gboolean
gilk_dwarf_has_data (const char *path)
{
  gboolean has = FALSE;

  return look_at_file (path, find_data, &has, NULL) && has;
}

/* Detects a program or library. Unlike these, a kernel has a section of exported symbols, even if
 * it is stripped. */
static void
detect_program (Elf *elf, gpointer data)
{
  gboolean *is_program = data;
  Elf_Scn *section = NULL;
  GElf_Ehdr head;
  size_t names;

  *is_program = gelf_getehdr (elf, &head) != NULL && (head.e_type == ET_EXEC || head.e_type == ET_DYN) &&
                elf_getshdrstrndx (elf, &names) == 0;
  while (*is_program && (section = elf_nextscn (elf, section)) != NULL)
    {
      GElf_Shdr about;

      if (gelf_getshdr (section, &about) != NULL && g_strcmp0 (elf_strptr (elf, names, about.sh_name), "__ksymtab") == 0)
        *is_program = FALSE;
    }
}

gboolean
gilk_dwarf_is_program (const char *path)
{
  gboolean is_program = FALSE;

  return look_at_file (path, detect_program, &is_program, NULL) && is_program;
}

gboolean
gilk_dwarf_set_bias (GilkDwarf  *dwarf,
                     const char *symbol,
                     uint64_t    addr)
{
  Elf_Scn *section = NULL;

  while ((section = elf_nextscn (dwarf->elf, section)) != NULL)
    {
      GElf_Shdr head;
      Elf_Data *data;

      if (gelf_getshdr (section, &head) == NULL || head.sh_type != SHT_SYMTAB || head.sh_entsize == 0 ||
          (data = elf_getdata (section, NULL)) == NULL)
        continue;
      for (guint64 i = 0; i < MIN (head.sh_size / head.sh_entsize, SYMBOLS_MAX); i++)
        {
          GElf_Sym each;
          const char *name = gelf_getsym (data, (int) i, &each) != NULL
                             ? elf_strptr (dwarf->elf, head.sh_link, each.st_name) : NULL;

          if (name == NULL || strcmp (name, symbol) != 0)
            continue;
          dwarf->bias = dwarf->cfi_bias = dwarf->eh_bias = addr - each.st_value;
          return TRUE;
        }
    }

  return FALSE;
}

/* ---- units ---- */

GILK_DEFINE_ORDER (compare_ranges, GilkDwarfRange, start)

void
gilk_dwarf_index (GilkDwarf *dwarf)
{
  Dwarf_CU *cu = NULL;
  Dwarf_Die die;

  if (dwarf->units != NULL)
    return;
  dwarf->units = g_array_new (FALSE, FALSE, sizeof (Dwarf_Off));
  dwarf->ranges = g_array_new (FALSE, FALSE, sizeof (GilkDwarfRange));
  while (dwarf->units->len < GILK_DWARF_UNITS_MAX &&
         dwarf_get_units (dwarf->dwarf, cu, &cu, NULL, NULL, &die, NULL) == 0)
    {
      const Dwarf_Off offset = dwarf_dieoffset (&die);
      GilkDwarfRange range = { .unit = dwarf->units->len };
      Dwarf_Addr base;
      ptrdiff_t at = 0;

      g_array_append_val (dwarf->units, offset);
      while (dwarf->ranges->len < GILK_DWARF_RANGES_MAX &&
             (at = dwarf_ranges (&die, at, &base, &range.start, &range.end)) > 0)
        if (range.start < range.end)
          g_array_append_val (dwarf->ranges, range);
    }
  g_array_sort (dwarf->ranges, compare_ranges);
}

gboolean
gilk_dwarf_unit_at (GilkDwarf *dwarf,
                    uint64_t   addr,
                    Dwarf_Die *unit)
{
  guint low;

  gilk_dwarf_index (dwarf);
  low = GILK_BISECT (dwarf->ranges->len, i,
                     g_array_index (dwarf->ranges, GilkDwarfRange, i).start <= addr);
  /* Address ranges of a valid file do not overlap. In case the file is malformed, also try some
   * ranges that start earlier. */
  for (guint i = low; i-- > 0 && low - i < 16;)
    {
      const GilkDwarfRange *range = &g_array_index (dwarf->ranges, GilkDwarfRange, i);

      if (addr < range->end)
        return dwarf_offdie (dwarf->dwarf, g_array_index (dwarf->units, Dwarf_Off, range->unit), unit) != NULL;
    }

  return FALSE;
}

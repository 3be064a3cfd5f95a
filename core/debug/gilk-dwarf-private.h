/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-dwarf-private.h - contents of a debug data file, shared by the source files that read it
 */
#pragma once

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

#include "core/debug/gilk-dwarf.h"

G_BEGIN_DECLS

typedef struct {
  uint64_t start, end;         /* addresses in the file */
  guint    unit;
} GilkDwarfRange;

struct _GilkDwarf {
  char      *path;
  int        fd;
  Elf       *elf;              /* libelf's handle, used for a file with final addresses */
  Dwfl      *dwfl;             /* libdwfl's handle, used for a module */
  Dwarf     *dwarf;
  /* (nullable): unwind entries of .debug_frame, which kernels have, and of .eh_frame */
  Dwarf_CFI *cfi, *eh_cfi;
  uint64_t   bias;             /* run-time address minus address in the file */
  uint64_t   cfi_bias, eh_bias;
  GilkDwarfSection section;    /* only set while the file is being opened */
  gpointer   section_data;

  GArray    *units;            /* offsets (Dwarf_Off) of the units' DIEs; NULL: not indexed yet */
  GArray    *ranges;  /* (element-type GilkDwarfRange): address ranges of units, sorted by start */
  Dwarf_Die  last_unit, last_function;   /* result of the last lookup, tried first because the next
                                          * address is often close */
  gboolean   has_last;
};

/* Scopes around an address, outermost first; [0] is the unit. */
typedef struct {
  Dwarf_Die dies[GILK_DWARF_DEPTH];
  guint     n;
} GilkDwarfScopes;

/* Limits for reading, because a damaged file may contain any count. */
enum {
  GILK_DWARF_UNITS_MAX   = 1 << 17,
  GILK_DWARF_RANGES_MAX  = 1 << 22,
  GILK_DWARF_ENTRIES_MAX = 1 << 20,      /* maximum number of DIEs of one unit in one lookup */
};

/* Sets @error to GILK_ERROR_FORMAT: the file is damaged. Returns FALSE. */
gboolean gilk_dwarf_set_damaged     (const char *path, const char *what, GError **error);
/* Opens a regular file. If the file is compressed, decompresses it into a temporary file, and opens
 * the temporary file. Returns -1 on error. */
int      gilk_dwarf_open_plain      (const char *path, GError **error);
/* Returns TRUE if @elf has debug data of a bounded size, else FALSE with @error. Sets
 * @packed_otherwise if a section is compressed, but not with zlib. */
gboolean gilk_dwarf_check_sections  (const char *path, Elf *elf, gboolean *packed_otherwise, GError **error);
/**
 * gilk_dwarf_unpack_sections:
 * @unpacked: (out): copy of the file, in which a section is decompressed if libelf may be
 *   unable to decompress it; -1: no copy is needed
 * Checks that the file has debug data of a bounded size.
 */
gboolean gilk_dwarf_unpack_sections (const char *path, int fd, Elf *elf, int *unpacked, GError **error);

/* Finds the unit that contains @addr, an address of the file. */
gboolean gilk_dwarf_unit_at    (GilkDwarf *dwarf, uint64_t addr, Dwarf_Die *unit);
/* Finds the scopes around @addr. Returns FALSE if there are none, or only the unit. */
gboolean gilk_dwarf_scopes     (GilkDwarf *dwarf, uint64_t addr, GilkDwarfScopes *scopes);
gboolean gilk_dwarf_is_function (Dwarf_Die *die);
/* Returns @path relative to the top of the source tree. (transfer full) */
char    *gilk_dwarf_file       (Dwarf_Die *unit, const char *path);
/* Creates the lists of units and of their address ranges when it is called for the first time. */
void     gilk_dwarf_index      (GilkDwarf *dwarf);
/* Returns an empty array of GilkDwarfLocation that frees the names in its elements. */
GArray  *gilk_dwarf_locations_new  (void);
/* Sorts @locations by address. */
void     gilk_dwarf_locations_sort (GArray *locations);

/* Finds where the variable @die, declared in scope number @scope, is at instruction @addr, and
 * stores this location in @variable. */
void     gilk_dwarf_locate   (GilkDwarf *dwarf, const GilkDwarfScopes *scopes, guint scope, Dwarf_Die *die,
                              uint64_t addr, GilkDwarfVariable *variable);
void     gilk_dwarf_type_of  (Dwarf_Die *die, GilkDwarfType *type);

G_END_DECLS

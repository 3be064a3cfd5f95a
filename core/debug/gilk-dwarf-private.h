/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-dwarf-private.h - insides of a file of debug data, shared by the files that read it
 */
#pragma once

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

#include "core/debug/gilk-dwarf.h"

G_BEGIN_DECLS

typedef struct {
  uint64_t start, end;         /* as the file has it */
  guint    unit;
} GilkDwarfRange;

struct _GilkDwarf {
  char      *path;
  int        fd;
  Elf       *elf;              /* of a file whose addresses are final */
  Dwfl      *dwfl;             /* of a module */
  Dwarf     *dwarf;
  Dwarf_CFI *cfi, *eh_cfi;     /* (nullable): of .debug_frame, as kernels have it, and of .eh_frame */
  uint64_t   bias;             /* of the running kernel's addresses over the file's */
  uint64_t   cfi_bias, eh_bias;
  GilkDwarfSection section;    /* while it is opened */
  gpointer   section_data;

  GArray    *units;            /* Dwarf_Off of their entries; NULL: not looked yet */
  GArray    *ranges;           /* GilkDwarfRange, by start */
  Dwarf_Die  last_unit, last_function;   /* of the last question: neighbours are asked next */
  gboolean   has_last;
};

/* Scopes around an address, outermost first: [0] is the unit. */
typedef struct {
  Dwarf_Die dies[GILK_DWARF_DEPTH];
  guint     n;
} GilkDwarfScopes;

/* Files and their lines are read up to this much: damaged ones may say anything. */
enum {
  GILK_DWARF_UNITS_MAX   = 1 << 17,
  GILK_DWARF_RANGES_MAX  = 1 << 22,
  GILK_DWARF_ENTRIES_MAX = 1 << 20,      /* of one unit, looked at for one question */
};

/* The unit that has @addr, as the file has it. */
gboolean    gilk_dwarf_unit_at    (GilkDwarf *dwarf, uint64_t addr, Dwarf_Die *unit);
/* FALSE: nothing is told of @addr but perhaps its unit. */
gboolean    gilk_dwarf_scopes     (GilkDwarf *dwarf, uint64_t addr, GilkDwarfScopes *scopes);
gboolean    gilk_dwarf_is_function (Dwarf_Die *die);
/* A path as the source tree has it. Free it. */
char       *gilk_dwarf_file       (Dwarf_Die *unit, const char *path);
/* Makes the list of units and that of their ranges, once. */
void        gilk_dwarf_index      (GilkDwarf *dwarf);
/* An empty list of GilkDwarfSpot, which frees their names. */
GArray     *gilk_dwarf_spots_new  (void);
/* By address. */
void        gilk_dwarf_spots_sort (GArray *spots);

/* Where a variable of @scopes is at @addr. */
void        gilk_dwarf_locate     (GilkDwarf *dwarf, const GilkDwarfScopes *scopes, guint scope, Dwarf_Die *die,
                                   uint64_t addr, GilkDwarfVariable *variable);
void        gilk_dwarf_type_of    (Dwarf_Die *die, GilkDwarfType *type);
/* The number that instructions have of DWARF's register; FALSE: none of the sixteen. */
gboolean    gilk_dwarf_register   (guint64 number, int *reg);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-dwarf.h - what one file of debug data says of addresses: lines, inlined functions, variables
 *
 * The one place that uses libdw. A file may be anybody's, or damaged: what is read of it is bounded, and what breaks a
 * rule is an error or left out. Nothing is asked of the network. Units are found by an index of their ranges that is
 * made at the first question; a unit's entries and lines are read when one of its addresses is asked for.
 *
 * Threads: one at a time; what is returned is the caller's. Addresses are those of the running kernel, once the file
 * has been placed. On failure outputs are untouched.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

enum {
  GILK_DWARF_DEPTH  = 64,      /* of scopes, and of types */
  GILK_DWARF_PLACES = 256,     /* of one line, and of one variable */
};

typedef struct _GilkDwarf GilkDwarf;

/* Where the kernel has put a section of a module. FALSE: it is not there. */
typedef gboolean (*GilkDwarfSection) (const char *section, uint64_t *addr, gpointer data);

/**
 * gilk_dwarf_open:
 * @section: (nullable): where sections of a module are, for a file whose addresses are not final (.ko); it is called
 *   until this returns only
 * Returns: NULL, with GILK_ERROR_NOT_FOUND: no such file, or without debug data; GILK_ERROR_FORMAT: it is damaged
 */
GilkDwarf  *gilk_dwarf_open     (const char *path, GilkDwarfSection section, gpointer data, GError **error);
void        gilk_dwarf_free     (GilkDwarf *dwarf);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkDwarf, gilk_dwarf_free)

const char *gilk_dwarf_path     (const GilkDwarf *dwarf);
/* Is the file packed as a whole, by xz, zstd or gzip? TRUE with @error, which tells how to unpack it. */
gboolean    gilk_dwarf_is_packed (const char *path, GError **error);
/* Lower-case hex, of the file's head alone: "" if it has none, NULL if it is no ELF file. Free it. */
char       *gilk_dwarf_build_id (const char *path);
/* Moves a file whose addresses are final so that its @symbol is at @addr. FALSE: it has no such symbol. */
gboolean    gilk_dwarf_place    (GilkDwarf *dwarf, const char *symbol, uint64_t addr);

/* ---- lines ---- */

typedef struct {
  char    *function;           /* (nullable): whose code this is */
  char    *file;               /* as the source tree has it: "fs/pipe.c"; (nullable) */
  guint    line, column;       /* 0: not known */
  gboolean is_inlined;         /* into the next */
} GilkDwarfLine;

/* Innermost first: what the address is of, then from where that was inlined. (transfer full) (element-type GilkDwarfLine):
 * none where nothing is told. Never NULL. */
GArray     *gilk_dwarf_lines    (GilkDwarf *dwarf, uint64_t addr);

typedef struct {
  uint64_t addr;
  char    *function;           /* whose code it is; inlined into @into if that is not the same */
  char    *into;
} GilkDwarfSpot;

/**
 * gilk_dwarf_spots:
 * The first address of @file:@line in each function that has it, inlined ones in each place they were put to.
 * @file: the end of a path, whole names: "pipe.c", "fs/pipe.c"
 * @nearest: (out): where there are none, the closest line behind it that has code; 0: none
 * Returns: (transfer full) (element-type GilkDwarfSpot), by address
 */
GArray     *gilk_dwarf_spots    (GilkDwarf *dwarf, const char *file, guint line, guint *nearest);

/**
 * gilk_dwarf_inlined:
 * Where the compiler put the code of the function @name instead of a call, each place at its first instruction.
 * @more: (out): there are more than GILK_DWARF_PLACES, and these are some of them
 * Returns: (transfer full) (element-type GilkDwarfSpot), by address
 */
GArray     *gilk_dwarf_inlined (GilkDwarf *dwarf, const char *name, gboolean *more);

/* ---- variables ---- */

typedef enum {
  GILK_DWARF_VALUE,            /* it is @reg + @offset */
  GILK_DWARF_MEMORY,           /* it lies at @reg + @offset */
  GILK_DWARF_GONE,             /* optimized out at this address */
  GILK_DWARF_PARTS,            /* in several places, or a part is gone */
  GILK_DWARF_COMPUTED,         /* by more than a sum */
} GilkDwarfKind;

#define GILK_DWARF_NO_REG (-1)

typedef enum {
  GILK_DWARF_TYPE_OTHER, GILK_DWARF_TYPE_VOID, GILK_DWARF_TYPE_INT, GILK_DWARF_TYPE_ENUM, GILK_DWARF_TYPE_STRUCT,
  GILK_DWARF_TYPE_FUNCTION,
} GilkDwarfTypeKind;

/* A base with pointers to it; an array is of what its @stars and base tell. */
typedef struct {
  GilkDwarfTypeKind kind;
  char    *name;               /* of the base, as BTF has it: "struct file", "u32", "atomic_t"; (nullable) */
  guint    stars;
  gboolean is_array, is_signed, is_bool;
  uint64_t size;               /* of the base, bytes; 0: not known */
} GilkDwarfType;

typedef struct {
  char         *name;
  char         *function;      /* the innermost function that it is of */
  GilkDwarfType type;
  gboolean      is_argument;
  guint         depth;         /* 0: of the innermost scope */
  GilkDwarfKind kind;
  int           reg;           /* the machine's number, or GILK_DWARF_NO_REG: @offset is all of it */
  int64_t       offset;
  uint64_t      known[2];      /* where it is gone: the closest addresses before and behind at which it is not; 0: none */
} GilkDwarfVariable;

/* Of all scopes around @addr, innermost first, one that is hidden by another left out. (transfer full)
 * (element-type GilkDwarfVariable). Never NULL. */
GArray     *gilk_dwarf_variables (GilkDwarf *dwarf, uint64_t addr);
/* The type as C writes it. Free it. */
char       *gilk_dwarf_type_text (const GilkDwarfType *type);

/* ---- all types, as BTF ---- */

/*
 * What somebody may know already. Of a struct or union, @layout has a line for each member that has a name, of those
 * without one their own: "NAME BITS-FROM-THE-BEGIN BITS-OF-A-BIT-FIELD TYPE". A type there is: "*" of a pointer, "[N]" of
 * arrays (all N of arrays of arrays, multiplied), and then "v" (void), "t" and the name of a typedef, "s", "u", "e" and
 * the name of a struct, union, enum, "p" of a function, "f" and the bytes of a float, "i" and those of a number with "s",
 * "u" or "b" (signed, unsigned, bool). Qualifiers do not count. Of an enum it has lines "NAME VALUE".
 */
typedef struct {
  guint       kind;            /* BTF_KIND_INT, _FLOAT, _STRUCT, _UNION, _ENUM, _TYPEDEF; _FWD with @is_union */
  const char *name;
  uint64_t    size;
  gboolean    is_union, is_signed, is_bool;
  guint       target;          /* of a typedef; 0: of void, or of a struct or union without a name, which has @layout */
  const char *layout;
} GilkDwarfKnown;

typedef struct {
  guint    first;              /* number of the first type that is made; 1 without a base */
  uint32_t first_string;       /* offset of the first name; 0 without a base */
  guint  (*find) (const GilkDwarfKnown *known, gpointer data);      /* (nullable): its number in the base; 0: none */
  gpointer data;
} GilkDwarfBase;

/**
 * gilk_dwarf_btf:
 * @base: numbers and names are to go on behind those of it
 * Types of the file and prototypes of its functions. What C does not have is left out, and so is a function whose
 * arguments are not where the ABI has them. May take seconds: all units are read.
 * Returns: (transfer full): as gilk_btf_new() takes it. NULL, with GILK_ERROR_NOT_FOUND: it has no types;
 *   GILK_ERROR_FORMAT: they are too many
 */
GBytes     *gilk_dwarf_btf (GilkDwarf *dwarf, const GilkDwarfBase *base, GError **error);

G_END_DECLS

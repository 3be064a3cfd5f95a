/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-dwarf.h - lookups in one file of debug data by address: lines, inlined functions, variables
 *
 * No other file uses libdw. A file may be untrusted or damaged: the amount of data read is bounded,
 * and malformed data are an error or skipped. A compressed file, or one with compressed sections,
 * is decompressed into a temporary file in $TMPDIR or /var/tmp. The network is not used.
 * Compilation units are found through an index of their address ranges, which is created on the
 * first lookup; DIEs and lines of a unit are read when an address of the unit is looked up.
 *
 * Threads: one thread at a time; results belong to the caller. Addresses are those of the running
 * kernel, once the bias of the file is set. On failure outputs are untouched.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

enum {
  GILK_DWARF_DEPTH  = 64,         /* maximum depth of scopes and types */
  GILK_DWARF_LOCATIONS_MAX = 256, /* maximum number of locations in one lookup */
};

typedef struct _GilkDwarf GilkDwarf;

/* Finds the address of a module's section in the kernel. Returns FALSE if the module is not
 * loaded. */
typedef gboolean (*GilkDwarfSection) (const char *section, uint64_t *addr, gpointer data);

/**
 * gilk_dwarf_open:
 * @section: (nullable): finds the run-time addresses of a module's sections, because a .ko file has
 *   no final addresses; not called after this function has returned
 * Returns: NULL with GILK_ERROR_NOT_FOUND if the file does not exist or has no debug data, with
 * GILK_ERROR_FORMAT if it is damaged
 */
GilkDwarf *gilk_dwarf_open (const char *path, GilkDwarfSection section, gpointer data, GError **error);
void       gilk_dwarf_free (GilkDwarf *dwarf);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkDwarf, gilk_dwarf_free)

const char *gilk_dwarf_path     (const GilkDwarf *dwarf);
/* Returns the build id of the file at @path in lower-case hex, "" if the file has none; NULL with
 * GILK_ERROR_NOT_FOUND if the file is not an ELF file, with GILK_ERROR_FORMAT if its compressed
 * data are damaged. (transfer full) */
char       *gilk_dwarf_build_id (const char *path, GError **error);
/* Returns whether the file at @path is an ELF file with debug data. */
gboolean    gilk_dwarf_has_data   (const char *path);
/* Returns whether the file is a program or library, or has the debug data of a program or library;
 * FALSE for a kernel. */
gboolean    gilk_dwarf_is_program (const char *path);
/* Sets the bias (run-time address minus address in the file) of a file with final addresses, so
 * that @symbol is at run-time address @addr. Returns FALSE if the symbol does not exist. */
gboolean    gilk_dwarf_set_bias    (GilkDwarf *dwarf, const char *symbol, uint64_t addr);

/* ---- lines ---- */

typedef struct {
  char    *function;           /* (nullable): function that contains the code */
  char    *file;               /* (nullable): path in the source tree, "fs/pipe.c" */
  guint    line, column;       /* 0: unknown */
  gboolean is_inlined;  /* this code was inlined into the function of the next element of the
                         * array */
} GilkDwarfLine;

/* Returns the lines of @addr: the instruction's own line first, then the lines into which it was
 * inlined. Empty if the lines are unknown, never NULL. (transfer full) (element-type
 * GilkDwarfLine) */
GArray     *gilk_dwarf_lines    (GilkDwarf *dwarf, uint64_t addr);

typedef struct {
  uint64_t addr;
  /* the function whose source contains the line, and the function whose code contains @addr; they
   * differ if the first was inlined into the second */
  char    *function;
  char    *into;
} GilkDwarfLocation;

/**
 * gilk_dwarf_locations:
 * @file: the last components of a path, such as "pipe.c" or "fs/pipe.c"
 * @nearest: (out): if nothing is found, the closest later line that has code; 0: none
 * Finds the first address of @file:@line in each function that contains it, and in each inlined
 * copy of such a function.
 * Returns: (transfer full) (element-type GilkDwarfLocation): sorted by address
 */
GArray     *gilk_dwarf_locations    (GilkDwarf *dwarf, const char *file, guint line, guint *nearest);

typedef struct {
  const char *name;            /* name in the source, or a linkage name such as "_ZN4shop3addEi" */
  /* (nullable): returns whether a function with linkage name @linkage matches as well */
  gboolean  (*is_linkage) (const char *linkage, gpointer data);
  gpointer    data;
} GilkDwarfMatch;

/**
 * gilk_dwarf_inlined:
 * @more: (out): whether there are more locations; at most GILK_DWARF_LOCATIONS_MAX are returned
 * Finds the first instruction of each inlined copy of the functions that match.
 * Returns: (transfer full) (element-type GilkDwarfLocation): sorted by address
 */
GArray     *gilk_dwarf_inlined (GilkDwarf *dwarf, const GilkDwarfMatch *match, gboolean *more);

/* ---- variables ---- */

typedef enum {
  GILK_DWARF_VALUE,            /* the variable's value is register @reg plus @offset */
  GILK_DWARF_MEMORY,           /* the variable is in memory, at address @reg + @offset */
  GILK_DWARF_OPTIMIZED_OUT,    /* the variable is optimized out at this address */
  GILK_DWARF_PARTS,  /* the value is spread over several locations, or partly optimized out */
  GILK_DWARF_COMPUTED,         /* the location is computed by an expression other than register plus
                                * number */
} GilkDwarfKind;

#define GILK_DWARF_NO_REG (-1)

typedef enum {
  GILK_DWARF_TYPE_OTHER, GILK_DWARF_TYPE_VOID, GILK_DWARF_TYPE_INT, GILK_DWARF_TYPE_ENUM, GILK_DWARF_TYPE_STRUCT,
  GILK_DWARF_TYPE_FUNCTION,
} GilkDwarfTypeKind;

/* A type: a base type, or @stars levels of pointers to that base type. For an array, the type of
 * its elements. */
typedef struct {
  GilkDwarfTypeKind kind;
  char    *name;               /* (nullable): base type's name in BTF: "struct file", "atomic_t" */
  guint    stars;
  gboolean is_array, is_signed, is_bool;
  uint64_t size;               /* size of the base type in bytes; 0: unknown */
} GilkDwarfType;

typedef struct {
  char         *name;
  char         *function;      /* innermost function that contains the variable */
  GilkDwarfType type;
  gboolean      is_argument;
  /* number of scopes around the code address that are nested inside the variable's scope; 0: the
   * variable is in the innermost scope */
  guint         depth;
  GilkDwarfKind kind;
  int           reg;           /* register number; GILK_DWARF_NO_REG: the value is @offset */
  int64_t       offset;
  uint64_t      known[2];      /* for a variable that is optimized out here: nearest addresses,
                                * before and after, at which it has a value; 0: none */
} GilkDwarfVariable;

/* Returns the variables of all scopes around @addr, innermost scope first, except those hidden by a
 * variable of the same name. Never NULL. (transfer full) (element-type GilkDwarfVariable) */
GArray *gilk_dwarf_variables (GilkDwarf *dwarf, uint64_t addr);
/* Returns the type in C syntax. (transfer full) */
char   *gilk_dwarf_type_text (const GilkDwarfType *type);

/* ---- all types, as BTF ---- */

/*
 * Describes a type that may exist already in the base, the BTF to which new types are added. For a
 * struct or union @layout has one line per named member, where members of nameless structs and
 * unions count as its own: "NAME OFFSET-IN-BITS WIDTH-OF-BIT-FIELD TYPE". TYPE is any number of "*"
 * for pointers and "[N]" for arrays (N is the product of all dimensions), followed by "v" (void),
 * "t" and the name of a typedef, "s", "u" or "e" and the name of a struct, union or enum, "p"
 * (function), "f" and the size of a float in bytes, or "i" and the size of an integer and "s", "u"
 * or "b" (signed, unsigned, bool). Qualifiers are ignored. For an enum @layout has lines "NAME
 * VALUE".
 */
typedef struct {
  guint       kind;            /* BTF_KIND_INT, _FLOAT, _STRUCT, _UNION, _ENUM, _TYPEDEF, or _FWD
                                * with @is_union */
  const char *name;
  uint64_t    size;
  gboolean    is_union, is_signed, is_bool;
  guint       target;          /* for a typedef, id of its target type; 0: the target is void, or
                                * the nameless type that @layout describes */
  const char *layout;
} GilkDwarfKnown;

typedef struct {
  guint    first;              /* id of the first new type; 1 without a base BTF */
  uint32_t first_string;       /* offset of the first new name in the BTF's strings; 0 without a
                                * base BTF */
  /* (nullable): returns the id of the type in the base; 0: the base does not have it */
  guint  (*find) (const GilkDwarfKnown *known, gpointer data);
  gpointer data;
} GilkDwarfBase;

/* A place where types are used. The first member that is set, and for which a compilation unit is
 * found, selects that unit. */
typedef struct {
  uint64_t    code;            /* address of an instruction; 0: none */
  uint64_t    data;            /* address of a variable; 0: none */
  const char *type;            /* (nullable): name of a type, such as "struct file" */
} GilkDwarfScope;

#define GILK_DWARF_ALL_UNITS G_MAXUINT64

/* Finds the compilation unit that @scope selects, to be passed to gilk_dwarf_btf(). Returns FALSE
 * if there is none. */
gboolean    gilk_dwarf_find_unit (GilkDwarf *dwarf, const GilkDwarfScope *scope, uint64_t *unit);

/**
 * gilk_dwarf_btf:
 * @base: BTF to which the new types are added: their ids and name offsets follow those of the base
 * @unit: from gilk_dwarf_find_unit(), or GILK_DWARF_ALL_UNITS
 * Converts the types of one unit or of all units, the prototypes of functions, and the types of
 * variables. Leaves out types that C does not have, types that are local to a function, and
 * functions whose arguments are not passed according to the ABI. Converting all units of a module
 * may take seconds.
 * Returns: (transfer full): data for gilk_btf_new(). NULL with GILK_ERROR_NOT_FOUND if no types
 * were found, with GILK_ERROR_FORMAT if there are too many
 */
GBytes     *gilk_dwarf_btf       (GilkDwarf *dwarf, const GilkDwarfBase *base, uint64_t unit, GError **error);
/* Works like gilk_dwarf_btf(), but converts the types that are declared in the functions and blocks
 * around the instruction at @addr. If several types have the same name, the innermost one comes
 * first. */
GBytes     *gilk_dwarf_local_btf (GilkDwarf *dwarf, const GilkDwarfBase *base, uint64_t addr, GError **error);

G_END_DECLS

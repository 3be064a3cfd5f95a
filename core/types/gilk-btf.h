/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-btf.h - reads the types of the kernel from BTF (Documentation/bpf/btf.rst)
 *
 * BTF is untrusted input: sizes, ids and references are checked once, on construction
 * (gilk-btf-check.c). The length of chains of typedefs and qualifiers and the depth of members are
 * bounded.
 *
 * The records are read here, not by libbpf. The libbpf of Debian 12 rejects a file with an unknown
 * kind and has 16 bits for the number of members; files of kernels from 7.x on may have 24 bits,
 * and new kinds, whose length the file states. libbpf also prints messages of its own. A test
 * compares the results with libbpf's.
 *
 * A type is identified by its id in the BTF. Ids of a module's types start after the kernel's.
 * Lookups by name prefer a module's types to the kernel's.
 *
 * Threads: any; a GilkBtf is immutable. Strings belong to the GilkBtf. Outputs are undefined if
 * FALSE or 0 is returned.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

#include "core/debug/gilk-dwarf.h"

G_BEGIN_DECLS

enum { GILK_BTF_MAX = 64 << 20, GILK_BTF_ARGUMENTS = 12 };

typedef struct _GilkBtf GilkBtf;

/**
 * gilk_btf_new:
 * @data: contents of /sys/kernel/btf/vmlinux or of a module's file; copied
 * @base: (nullable): the kernel's BTF, which a module's BTF needs; takes a reference
 * Returns: NULL with GILK_ERROR_FORMAT if @data is malformed or has another byte order than this
 *   machine
 */
GilkBtf *gilk_btf_new   (GBytes *data, GilkBtf *base, GError **error);
/**
 * gilk_btf_new_debug:
 * @base: (nullable): the kernel's or a module's BTF; types of @dwarf that are also in @base get the
 *   ids of @base
 * @unit: as in gilk_dwarf_btf()
 * Returns: NULL with the errors of gilk_dwarf_btf(), or GILK_ERROR_FORMAT if the types are invalid
 */
GilkBtf *gilk_btf_new_debug       (GilkDwarf *dwarf, GilkBtf *base, uint64_t unit, GError **error);
/* Works like gilk_btf_new_debug(), but for gilk_dwarf_local_btf(). */
GilkBtf *gilk_btf_new_debug_local (GilkDwarf *dwarf, GilkBtf *base, uint64_t addr, GError **error);
GilkBtf *gilk_btf_ref   (GilkBtf *btf);
void     gilk_btf_unref (GilkBtf *btf);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkBtf, gilk_btf_unref)

typedef enum {
  GILK_TYPE_VOID,
  GILK_TYPE_INT,         /* integers, bool, char; not enums */
  GILK_TYPE_ENUM,
  GILK_TYPE_POINTER,
  GILK_TYPE_STRUCT,      /* structs and unions */
  GILK_TYPE_ARRAY,
  GILK_TYPE_FUNCTION,
  GILK_TYPE_OTHER,       /* floats, declarations, kinds unknown to this release */
} GilkTypeKind;

typedef struct {
  guint        id;           /* id of the type without typedefs and qualifiers */
  GilkTypeKind kind;
  const char  *name;  /* name of the outermost typedef or, without a typedef, of the type itself; ""
                       * if nameless */
  gboolean     is_union;
  gboolean     is_signed;
  gboolean     is_bool;
  uint32_t     size;         /* size in bytes; 8 for pointers, 0 for void */
  guint        target;       /* id of the type that a pointer points to, or of the elements of an
                              * array */
  gboolean     to_user;      /* the pointer has the attribute __user, which only some compilers
                              * store in BTF (as a type tag) */
  uint32_t     count;        /* number of elements of an array */
} GilkType;

typedef struct {
  guint    type;
  uint32_t offset;  /* offset in bits from the start of the struct or union that was searched */
  uint32_t bits;             /* width of a bit field; 0: not a bit field */
} GilkMember;

typedef struct {
  guint       n_arguments;  /* number of arguments, at most GILK_BTF_ARGUMENTS */
  guint       arguments[GILK_BTF_ARGUMENTS];     /* ids of the types of the arguments */
  const char *names[GILK_BTF_ARGUMENTS];         /* names of the arguments; "": nameless */
  guint       returns;
  gboolean    variadic;
} GilkPrototype;

/* Describes type @id. Returns FALSE if @id does not exist, or is a function, a variable or a
 * section. */
gboolean gilk_btf_type      (const GilkBtf *btf, guint id, GilkType *type);
/* Returns the id of a type such as "struct file", "union u", "enum e", "u32" or "int"; 0: none. A
 * type that is defined is preferred to one that is only declared. */
guint    gilk_btf_find      (const GilkBtf *btf, const char *name);
/* Finds a member of struct or union @id, including members of its nameless members. */
gboolean gilk_btf_member    (const GilkBtf *btf, guint id, const char *name, GilkMember *member);
/*
 * Returns the path of the member of @size bytes (0: any) at byte @offset of type @id, such as
 * "f_path.dentry". Paths lead into structs and arrays ("items[2].x"), including a flexible array
 * member at the end. In a union, the path leads to the first member of that size, but to a member
 * whose name starts with "__" only if no other member has that size.
 *
 * If no member has that size, returns the member that contains the bytes ("flags" or "flags+2"), or
 * the only bit field in them. NULL: none, or several. (transfer full)
 */
char    *gilk_btf_path_at   (const GilkBtf *btf, guint id, uint32_t offset, uint32_t size);
/* Finds the type of the member of exactly @size bytes at @offset. Returns FALSE if no such member
 * exists, or if it is in a union, because its type is ambiguous; a union that only pads one member
 * with bytes is allowed. */
gboolean gilk_btf_type_at   (const GilkBtf *btf, guint id, uint32_t offset, uint32_t size, guint *type);
/* Finds function @name. Returns FALSE if it does not exist, or if several functions of that name
 * have different prototypes. */
gboolean gilk_btf_function  (const GilkBtf *btf, const char *name, GilkPrototype *prototype);
/* Returns the id of function @name, which must be the only one of that name; 0: none, or several. Does
 * not search the base of @btf. */
guint    gilk_btf_function_id (const GilkBtf *btf, const char *name);
/* Works like gilk_btf_function(), but does not search the base of @btf. */
gboolean gilk_btf_own_function (const GilkBtf *btf, const char *name, GilkPrototype *prototype);
/* Finds the arguments of tracepoint @name. Returns FALSE if it is unknown. Names are "" if the BTF has
 * none. */
gboolean gilk_btf_tracepoint (const GilkBtf *btf, const char *name, GilkPrototype *prototype);
/* Finds the type of a global variable. Returns FALSE if the variable does not exist, or if several
 * variables of that name have different types. */
gboolean gilk_btf_variable  (const GilkBtf *btf, const char *name, guint *type);
/* Returns the name of @value in enum @id; NULL: none. Finds negative values in unsigned enums,
 * too. */
const char *gilk_btf_enumerator (const GilkBtf *btf, guint id, int64_t value);
/* Works like gilk_btf_enumerator(), but if the enum consists of flags, names all bits of @value,
 * such as "A|B" or "A|0x40". NULL: no bit has a name. (transfer full) */
char    *gilk_btf_constant_name (const GilkBtf *btf, guint id, int64_t value);
/* Finds the value of constant @name of any enum. Returns FALSE if it does not exist, or if several
 * constants of that name have different values. */
gboolean gilk_btf_constant  (const GilkBtf *btf, const char *name, int64_t *value);
/* Returns the type in C syntax, such as "struct file *"; NULL if @id is not a type.
 * (transfer full) */
char    *gilk_btf_type_name (const GilkBtf *btf, guint id);
/* Calls @visit for each member of @id whose name starts with @prefix, for completion. */
void     gilk_btf_members   (const GilkBtf *btf, guint id, const char *prefix,
                             void (*visit) (const char *name, guint type, gpointer data), gpointer data);
/*
 * Calls @visit for each type that gilk_btf_find() finds and whose name starts with @prefix, such as
 * "struct fi" or "u3". Names are passed without "struct", "union" and "enum"; some names are passed
 * twice.
 */
void     gilk_btf_names_with_prefix     (const GilkBtf *btf, const char *prefix,
                                         void (*visit) (const char *name, gpointer data), gpointer data);
/* Works like gilk_btf_names_with_prefix(), but for the constants of enums. */
void     gilk_btf_constants_with_prefix (const GilkBtf *btf, const char *prefix,
                                         void (*visit) (const char *name, gpointer data), gpointer data);

G_END_DECLS

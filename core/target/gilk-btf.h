/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-btf.h - types of the kernel, as BTF tells them (Documentation/bpf/btf.rst)
 *
 * What comes in is a stranger's: sizes, ids and references are checked once, when it is made
 * (gilk-btf-check.c); chains of typedefs and qualifiers, and of members, are bounded.
 * The records are read here, and not by libbpf: that of Debian 12 refuses a file with a kind that it does
 * not know, and has 16 bits for the number of members, where kernels from 7.x on may have other kinds,
 * which they tell how to pass over, and 24 bits; and what it has to say it prints, a whole program's way.
 * A test has libbpf as its second opinion.
 *
 * A type is a number, of its BTF; that of a module goes on behind the kernel's own. By name, what
 * a module has is found before what the kernel has.
 *
 * Threads: any; immutable once made. Strings belong to it. Where FALSE or 0 is returned outputs are undefined.
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
 * @data: as in /sys/kernel/btf/vmlinux, or of a module; copied
 * @base: (nullable): the kernel's own, for a module's, not a module's; a reference is taken
 * Returns: NULL, with GILK_ERROR_FORMAT, if it is no BTF of this machine's byte order, or spoilt
 */
GilkBtf *gilk_btf_new   (GBytes *data, GilkBtf *base, GError **error);
/**
 * gilk_btf_new_debug:
 * @dwarf: of a module that tells no types itself
 * @base: (nullable): the kernel's own; types of @dwarf that are as there are those
 * Returns: NULL, with the errors of gilk_dwarf_btf(); with GILK_ERROR_FORMAT if they break a rule
 */
GilkBtf *gilk_btf_new_debug (GilkDwarf *dwarf, GilkBtf *base, GError **error);
GilkBtf *gilk_btf_ref   (GilkBtf *btf);
void     gilk_btf_unref (GilkBtf *btf);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkBtf, gilk_btf_unref)

typedef enum {
  GILK_TYPE_VOID,
  GILK_TYPE_INT,         /* integers, bool, char; enums say GILK_TYPE_ENUM */
  GILK_TYPE_ENUM,
  GILK_TYPE_POINTER,
  GILK_TYPE_STRUCT,      /* and unions */
  GILK_TYPE_ARRAY,
  GILK_TYPE_FUNCTION,
  GILK_TYPE_OTHER,       /* floats; declared and not defined; what is younger than this program */
} GilkTypeKind;

typedef struct {
  guint        id;           /* with typedefs and qualifiers taken off */
  GilkTypeKind kind;
  const char  *name;         /* "" if it has none; of the outermost typedef if there is one */
  gboolean     is_union;
  gboolean     is_signed;
  gboolean     is_bool;
  uint32_t     size;         /* bytes; of a pointer 8; of void 0 */
  guint        target;       /* what it points to, or is an array of */
  uint32_t     count;        /* elements of an array */
} GilkType;

typedef struct {
  guint    type;
  uint32_t offset;           /* bits from the begin of the struct that was asked */
  uint32_t bits;             /* of a bit field; 0: it is none */
} GilkMember;

typedef struct {
  guint       n_arguments;                       /* that are told here: no more than have room */
  guint       arguments[GILK_BTF_ARGUMENTS];     /* types */
  const char *names[GILK_BTF_ARGUMENTS];         /* "" if it has none */
  guint       returns;
  gboolean    variadic;
} GilkPrototype;

/* What type @id is. FALSE: there is none, or it is a function, a variable, a section. */
gboolean gilk_btf_type      (const GilkBtf *btf, guint id, GilkType *type);
/* By name: "struct file", "union u", "enum e", "u32", "int"; 0: none. Of several, the first that is defined. */
guint    gilk_btf_find      (const GilkBtf *btf, const char *name);
/* A member of struct or union @id, looked for in those without a name, too. */
gboolean gilk_btf_member    (const GilkBtf *btf, guint id, const char *name, GilkMember *member);
/*
 * The member at byte @offset of @id of @size bytes (0: any), as a path "f_path.dentry": into structs and
 * arrays, "items[2].x", that without a length at the end, too. Of several in a union the first of that size, of
 * those that begin with "__" only if there is no other.
 * If there is none of that size, that which the bytes are a part of, "flags" or "flags+2"; or the one bit field in
 * them. NULL: none, or several. Free it.
 */
char    *gilk_btf_path_at   (const GilkBtf *btf, guint id, uint32_t offset, uint32_t size);
/* Type of the whole member of @size bytes there. FALSE: there is none, or a union is on the way, which is no proof; but
 * one that only bytes fill up is none. */
gboolean gilk_btf_type_at   (const GilkBtf *btf, guint id, uint32_t offset, uint32_t size, guint *type);
/* A function of that name. FALSE too if several differ. */
gboolean gilk_btf_function  (const GilkBtf *btf, const char *name, GilkPrototype *prototype);
/* The same of @btf itself: not the kernel's function of that name for a module's. */
gboolean gilk_btf_own_function (const GilkBtf *btf, const char *name, GilkPrototype *prototype);
/* A variable (of DATASEC). */
gboolean gilk_btf_variable  (const GilkBtf *btf, const char *name, guint *type);
/* Name of @value in enum @id; NULL: none. Negative ones are found in enums that do not say they have some. */
const char *gilk_btf_enumerator (const GilkBtf *btf, guint id, int64_t value);
/* The same, or of an enum whose constants have a bit each all bits of @value: "A|B", "A|0x40". NULL: none has a name. Free
 * it. */
char    *gilk_btf_constant_name (const GilkBtf *btf, guint id, int64_t value);
/* Value of a name in any enum; FALSE: there is none, or several differ. */
gboolean gilk_btf_constant  (const GilkBtf *btf, const char *name, int64_t *value);
/* The type as C writes it: "struct file *". NULL: @id is no type. Free it. */
char    *gilk_btf_type_name (const GilkBtf *btf, guint id);
/* Calls @visit for each name that begins with @prefix of the members of @id, for completion. */
void     gilk_btf_members   (const GilkBtf *btf, guint id, const char *prefix,
                             void (*visit) (const char *name, guint type, gpointer data), gpointer data);
/*
 * Calls @visit for each name that gilk_btf_find() knows and that begins with @begun: "struct fi", "u3"; without its first
 * word. A name may come twice.
 */
void     gilk_btf_names_begun     (const GilkBtf *btf, const char *begun,
                                   void (*visit) (const char *name, gpointer data), gpointer data);
/* The same of the constants of enums. */
void     gilk_btf_constants_begun (const GilkBtf *btf, const char *begun,
                                   void (*visit) (const char *name, gpointer data), gpointer data);

G_END_DECLS

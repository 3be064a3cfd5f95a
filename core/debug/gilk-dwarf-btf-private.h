/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-dwarf-btf-private.h - state of the conversion of DWARF types to BTF
 *
 * A type is created when it is first referenced. A struct gets its id at once and its members
 * later, because structs may refer to each other in cycles; all other types are created after the
 * types that they refer to. Equal types are merged, even from different units.
 */
#pragma once

#include <linux/btf.h>

#include "core/debug/gilk-dwarf-private.h"

G_BEGIN_DECLS

typedef struct {
  GilkDwarf           *dwarf;
  const GilkDwarfBase *base;
  GPtrArray  *records;       /* GByteArray for each new type: struct btf_type and its data */
  GString    *strings;
  GHashTable *offsets;       /* table from a name to its offset in @strings, plus 1 */
  GHashTable *interned;      /* table from the bytes of a record (GByteArray) to the type's id */
  GHashTable *entries;       /* table from the address of a DIE in this unit to the type's id plus
                              * 1, or to UNREADABLE, or to BUSY */
  GHashTable *sources;       /* table from the source location of a declaration to the id of the
                              * struct or enum */
  GHashTable *layouts;       /* table from a struct's layout, as text, to the struct's id */
  GHashTable *complete;      /* table from "s" or "u" and the name of a struct or union with members
                              * to its id */
  GHashTable *declared;      /* table from "s" or "u" and the name of a struct or union that was
                              * only declared to its id */
  GArray     *pending;       /* (element-type GilkDwarfPending): structs and unions that still lack
                              * their members */
  gsize       bytes;         /* total size of records and strings in bytes */
  guint       left;          /* number of DIEs that may still be read before the limit */
  gboolean    over_limit;    /* whether a limit was exceeded */
} GilkDwarfBtf;

typedef struct {
  guint     id;
  Dwarf_Die die;
} GilkDwarfPending;

typedef struct {
  const char *name;          /* "" if the member is nameless */
  Dwarf_Die   type;
  uint64_t    offset;        /* in bits */
  uint32_t    bits;          /* width of a bit field, else 0 */
} GilkDwarfMember;

/* ---- functions in gilk-dwarf-btf-records.c ---- */

/* Counts one DIE that was read. Returns FALSE if the limit is exceeded. */
gboolean    gilk_dwarf_btf_count  (GilkDwarfBtf *btf);
/* Returns the name of @die, "" if it is nameless. */
const char *gilk_dwarf_btf_name   (Dwarf_Die *die);
/* Returns a new record, to which further data can be appended. */
GByteArray *gilk_dwarf_btf_record (GilkDwarfBtf *btf, guint kind, const char *name, uint32_t size_or_type);
void        gilk_dwarf_btf_words  (GByteArray *record, guint n, const uint32_t *words);
/* Appends an entry of @n words, such as a member, to the record's list of entries. */
void        gilk_dwarf_btf_append (GByteArray *record, guint n, const uint32_t *words);
/* Returns the offset of @name in the strings, for use in records. */
uint32_t    gilk_dwarf_btf_string (GilkDwarfBtf *btf, const char *name);
/* Returns the id of an earlier record that is equal to @record, or else adds @record and returns
 * its id. Consumes @record. */
guint       gilk_dwarf_btf_intern (GilkDwarfBtf *btf, GByteArray *record);
/* The hash function and the equality function of a GHashTable whose keys are records. */
guint       gilk_dwarf_btf_hash   (gconstpointer data);
gboolean    gilk_dwarf_btf_equal  (gconstpointer a, gconstpointer b);
/* Adds @record without looking for an equal one, so that the record can still be changed through
 * its id. Returns the id. Consumes @record. */
guint       gilk_dwarf_btf_add    (GilkDwarfBtf *btf, GByteArray *record);

/* ---- gilk-dwarf-btf-types.c: types ---- */

/* Converts a type. Returns FALSE if it is malformed, or of a kind that BTF lacks. */
gboolean gilk_dwarf_btf_type    (GilkDwarfBtf *btf, Dwarf_Die *die, guint depth, guint *id);
/* Converts the type of @die; void if @die has no type. */
gboolean gilk_dwarf_btf_type_of (GilkDwarfBtf *btf, Dwarf_Die *die, guint depth, guint *id);
/* Converts the parameters and the return type of @die. */
gboolean gilk_dwarf_btf_prototype (GilkDwarfBtf *btf, Dwarf_Die *die, guint depth, guint *id);
/* Adds the members of all pending structs, and of the structs that become pending because a member
 * refers to them. */
void     gilk_dwarf_btf_fill    (GilkDwarfBtf *btf);
/* Replaces each type that was only declared with the complete type of the same name, if there is
 * one. */
void     gilk_dwarf_btf_resolve (GilkDwarfBtf *btf);

/* ---- gilk-dwarf-btf-layout.c: layouts ---- */

/* Fills in @member. Returns FALSE unless @die is a member with an offset. */
gboolean gilk_dwarf_btf_member  (Dwarf_Die *die, GilkDwarfMember *member);
/* Finds the type that @die refers to. Returns FALSE if @die refers to no type. */
gboolean gilk_dwarf_btf_target  (Dwarf_Die *die, Dwarf_Die *target);
/* Returns the number of elements of an array dimension, whose DIE is @die; 0 if unknown. */
uint32_t gilk_dwarf_btf_elements (Dwarf_Die *die);
/*
 * Appends the layout of a struct or union to @text, as described at GilkDwarfKnown. @nameless:
 * receives the addresses of the DIEs of nameless types, because @text does not distinguish these
 * types
 */
gboolean gilk_dwarf_btf_layout  (GilkDwarfBtf *btf, Dwarf_Die *die, GString *text, GString *nameless);

G_END_DECLS

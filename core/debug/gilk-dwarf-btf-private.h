/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-dwarf-btf-private.h - what the files share that turn the types of debug data into BTF
 *
 * A type is made at its first mention. A struct has its number at once and its members later, so that the members of
 * types that lead to each other end somewhere; all other types are made from inside out. Types that are alike are one,
 * of whichever unit they are.
 */
#pragma once

#include <linux/btf.h>

#include "core/debug/gilk-dwarf-private.h"

G_BEGIN_DECLS

typedef struct {
  GilkDwarf           *dwarf;
  const GilkDwarfBase *base;
  GPtrArray  *records;       /* GByteArray: struct btf_type and what follows it, of each type that is not the base's */
  GString    *strings;
  GHashTable *offsets;       /* a name: its offset in strings + 1 */
  GHashTable *interned;      /* GByteArray of records: its number */
  GHashTable *entries;       /* address of an entry of the unit in hand: its type + 1, or one of the two below */
  GHashTable *sources;       /* where a struct or enum is declared: its number */
  GHashTable *layouts;       /* what a struct is made of: its number */
  GHashTable *complete;      /* "s" or "u" and the name of a struct or union that has members: its number */
  GHashTable *declared;      /* the same of one without: its number */
  GArray     *pending;       /* GilkDwarfPending: structs whose members are missing */
  gsize       bytes;         /* of records and strings */
  guint       left;          /* entries that may still be looked at */
  gboolean    too_much;      /* more than is read */
} GilkDwarfBtf;

typedef struct {
  guint     id;
  Dwarf_Die die;
} GilkDwarfPending;

typedef struct {
  const char *name;          /* "" if it has none */
  Dwarf_Die   type;
  uint64_t    offset;        /* bits */
  uint32_t    bits;          /* of a bit field, or 0 */
} GilkDwarfMember;

/* ---- gilk-dwarf-btf-records.c ---- */

/* Counts one entry. FALSE: it is one too many. */
gboolean    gilk_dwarf_btf_count  (GilkDwarfBtf *btf);
/* The entry's name, "" if it has none. */
const char *gilk_dwarf_btf_name   (Dwarf_Die *die);
/* A record with room for what follows its head. */
GByteArray *gilk_dwarf_btf_record (GilkDwarfBtf *btf, guint kind, const char *name, uint32_t size_or_type);
void        gilk_dwarf_btf_words  (GByteArray *record, guint n, const uint32_t *words);
/* One more of its list: @words for it. */
void        gilk_dwarf_btf_append (GByteArray *record, guint n, const uint32_t *words);
/* Offset of @name, as records have it. */
uint32_t    gilk_dwarf_btf_string (GilkDwarfBtf *btf, const char *name);
/* The number of @record, which is taken, or of one that is the same. */
guint       gilk_dwarf_btf_intern (GilkDwarfBtf *btf, GByteArray *record);
/* For a table of records. */
guint       gilk_dwarf_btf_hash   (gconstpointer data);
gboolean    gilk_dwarf_btf_equal  (gconstpointer a, gconstpointer b);
/* The number of @record, which is taken, and may still change. */
guint       gilk_dwarf_btf_add    (GilkDwarfBtf *btf, GByteArray *record);

/* ---- gilk-dwarf-btf-types.c: types ---- */

/* FALSE: it is of a kind that BTF has not, or cannot be read. */
gboolean    gilk_dwarf_btf_type    (GilkDwarfBtf *btf, Dwarf_Die *die, guint depth, guint *id);
/* The type that @die says it has; void if it says none. */
gboolean    gilk_dwarf_btf_type_of (GilkDwarfBtf *btf, Dwarf_Die *die, guint depth, guint *id);
/* Parameters of @die, and what it returns. */
gboolean    gilk_dwarf_btf_prototype (GilkDwarfBtf *btf, Dwarf_Die *die, guint depth, guint *id);
/* Gives structs their members, and those of their members, until none is missing. */
void        gilk_dwarf_btf_fill    (GilkDwarfBtf *btf);
/* What was only declared becomes what has its name and members. */
void        gilk_dwarf_btf_resolve (GilkDwarfBtf *btf);

/* ---- gilk-dwarf-btf-layout.c: what types are made of ---- */

/* FALSE: @die is no member that has a place in its struct. */
gboolean    gilk_dwarf_btf_member  (Dwarf_Die *die, GilkDwarfMember *member);
/* The type that @die names. FALSE: it names none. */
gboolean    gilk_dwarf_btf_target  (Dwarf_Die *die, Dwarf_Die *target);
/* Elements of the dimension @die of an array, 0 if it does not say. */
uint32_t    gilk_dwarf_btf_elements (Dwarf_Die *die);
/*
 * The layout of a struct or union, as GilkDwarfBase has it. @nameless: the text is followed by where types lie that the
 * text does not tell apart.
 */
gboolean    gilk_dwarf_btf_layout  (GilkDwarfBtf *btf, Dwarf_Die *die, GString *text, GString *nameless);

G_END_DECLS

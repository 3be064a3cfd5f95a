/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-btf-private.h - declarations that the files that implement gilk-btf.h share
 *
 * Records are used in place. gilk-btf-check.c validates them before any other file
 * reads a record, so the other files rely on the following:
 *
 * Each record is within the types section, each id exists, each name is terminated. A chain of
 * typedefs and qualifiers has at most GILK_BTF_CHAIN links. Types are nested at most GILK_BTF_DEPTH
 * deep, so no type contains itself. A type has at most GILK_BTF_PARTS members, including members of
 * its members. Sizes and offsets fit in 32 bits, and members are within their structs.
 *
 * Threads: as in gilk-btf.h.
 */
#pragma once

#include <linux/btf.h>

#include "core/types/gilk-btf.h"

G_BEGIN_DECLS

enum {
  GILK_BTF_CHAIN = 32,
  GILK_BTF_DEPTH = 32,
  GILK_BTF_PARTS = 1 << 20,
};

/* Decode the word info of struct btf_type. The fields are wider than in older kernel headers, where
 * the additional bits were 0. */
#define GILK_BTF_INFO_KIND(info) ((info) >> 24 & 0x7f)
#define GILK_BTF_INFO_VLEN(info) ((info) & 0xffffff)
#define GILK_BTF_INFO_FLAG(info) ((info) >> 31 != 0)

/* Classes of names: a lookup searches one of them. An enumerator is a constant, not a type. */
typedef enum {
  GILK_BTF_NAME_PLAIN,         /* names of integers, floats and typedefs */
  GILK_BTF_NAME_STRUCT,
  GILK_BTF_NAME_UNION,
  GILK_BTF_NAME_ENUM,
  GILK_BTF_NAME_FUNCTION,
  GILK_BTF_NAME_VARIABLE,
  GILK_BTF_NAME_CONSTANT,
  GILK_BTF_NAME_NONE,
} GilkBtfNameClass;

typedef struct {
  guint    id;
  uint32_t value;              /* for a constant: index of the enumerator in its enum */
  uint32_t next;  /* index of the next entry in the same hash bucket, plus 1; 0: none */
} GilkBtfName;

struct _GilkBtf {
  gatomicrefcount refs;
  GilkBtf        *base;
  uint8_t        *data;           /* contents of the whole file, aligned */
  const uint8_t  *types;
  uint32_t        types_length;
  /* string section of this file; its first byte has the offset string_first, after the base's
   * strings */
  const char     *strings;
  uint32_t        strings_length;
  uint32_t        string_first;
  const uint8_t  *layout;         /* a struct btf_layout for each kind; NULL: the file has none */
  uint32_t        n_layout;
  guint           first;          /* lowest id of a type in this file; 1 if this BTF does not extend
                                   * a base */
  guint           n;              /* number of types in this file */
  uint32_t       *offsets;        /* for each type in this file: offset of its record in @types */
  GilkBtfName    *names;
  uint32_t       *buckets;        /* hash table: for each bucket, the index in @names of its first
                                   * entry, plus 1; 0: the bucket is empty */
  uint32_t        bucket_mask;
};

/* Returns the record of @id, which must be above 0 and below gilk_btf_end(). */
const struct btf_type *gilk_btf_record (const GilkBtf *btf, guint id);
/* Returns the string at @offset; "" for offset 0. Never NULL. */
const char            *gilk_btf_string (const GilkBtf *btf, uint32_t offset);
/* Returns the highest id of a type plus one. */
guint                  gilk_btf_end    (const GilkBtf *btf);
/* Returns the id of the type that remains when typedefs, qualifiers and tags are removed from type
 * @id. */
guint                  gilk_btf_strip  (const GilkBtf *btf, guint id);
/* Returns the size in bytes of a value of type @id, after gilk_btf_strip(); 0 for a type without a
 * size. */
uint32_t               gilk_btf_size   (const GilkBtf *btf, guint id);
/* Gets member @index of struct or union @record. */
void                   gilk_btf_nth_member (const GilkBtf *btf, const struct btf_type *record, guint index,
                                            GilkMember *member, const char **name);
int64_t                gilk_btf_nth_value  (const struct btf_type *record, guint index, uint32_t *name);

/* Validates the file and sets types, strings, layout, n and offsets. Returns FALSE with @error if
 * it is malformed. */
gboolean gilk_btf_check (GilkBtf *btf, gsize length, GError **error);
/* Builds the hash table of names; the BTF must have been validated. */
void     gilk_btf_index (GilkBtf *btf);

static inline guint
gilk_btf_kind (const struct btf_type *record)
{
  return GILK_BTF_INFO_KIND (record->info);
}

static inline guint
gilk_btf_vlen (const struct btf_type *record)
{
  return GILK_BTF_INFO_VLEN (record->info);
}

/* Returns the data that follow struct btf_type in a record, such as members. */
static inline gconstpointer
gilk_btf_rest (const struct btf_type *record)
{
  return record + 1;
}

static inline gboolean
gilk_btf_is_composite (const struct btf_type *record)
{
  return gilk_btf_kind (record) == BTF_KIND_STRUCT || gilk_btf_kind (record) == BTF_KIND_UNION;
}

static inline gboolean
gilk_btf_is_link (const struct btf_type *record)
{
  const guint kind = gilk_btf_kind (record);

  return kind == BTF_KIND_TYPEDEF || kind == BTF_KIND_VOLATILE || kind == BTF_KIND_CONST ||
         kind == BTF_KIND_RESTRICT || kind == BTF_KIND_TYPE_TAG;
}

G_END_DECLS

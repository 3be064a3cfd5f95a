/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-btf-private.h - what the files of gilk-btf.h share: records, names, walks
 *
 * The records lie as they came; gilk-btf-check.c has looked at each before any other of these
 * files does, which therefore take for granted what "Checked" lists below.
 *
 * Checked: each record lies within the types; each id names one; each name ends. A chain of
 * typedefs and qualifiers has at most GILK_BTF_CHAIN links. Types contain each other at most
 * GILK_BTF_DEPTH deep, so never themselves, and one has at most GILK_BTF_PARTS members, those of its
 * members included. Sizes and offsets fit in 32 bits, and members in their structs.
 *
 * Threads: as in gilk-btf.h.
 */
#pragma once

#include <linux/btf.h>

#include "core/target/gilk-btf.h"

G_BEGIN_DECLS

enum {
  GILK_BTF_CHAIN = 32,
  GILK_BTF_DEPTH = 32,
  GILK_BTF_PARTS = 1 << 20,
};

/* Wider than in older headers, where the bits between were 0. */
#define GILK_BTF_INFO_KIND(info) ((info) >> 24 & 0x7f)
#define GILK_BTF_INFO_VLEN(info) ((info) & 0xffffff)
#define GILK_BTF_INFO_FLAG(info) ((info) >> 31 != 0)

/* How names are told apart; a value of an enum is no type. */
typedef enum {
  GILK_BTF_NAME_PLAIN,         /* int, float, typedef */
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
  uint32_t value;              /* which of its values, of an enum */
  uint32_t next;               /* 1 + that of the next entry of the same bucket; 0: none */
} GilkBtfName;

struct _GilkBtf {
  gatomicrefcount refs;
  GilkBtf        *base;
  uint8_t        *data;           /* the whole file, aligned */
  const uint8_t  *types;
  uint32_t        types_length;
  const char     *strings;        /* its own: that at string_first of names */
  uint32_t        strings_length;
  uint32_t        string_first;
  const uint8_t  *layout;         /* struct btf_layout of each kind; NULL: the file has none */
  uint32_t        n_layout;
  guint           first;          /* its own lowest id; 1 if it has no base */
  guint           n;              /* own types */
  uint32_t       *offsets;        /* of their records in types */
  GilkBtfName    *names;
  uint32_t       *buckets;        /* 1 + an entry of names; 0: empty */
  uint32_t        bucket_mask;
};

/* Record of @id, which is neither 0 nor beyond the last. */
const struct btf_type *gilk_btf_record (const GilkBtf *btf, guint id);
/* Never NULL; "" for 0. */
const char            *gilk_btf_string (const GilkBtf *btf, uint32_t offset);
/* One more than the highest id. */
guint                  gilk_btf_end    (const GilkBtf *btf);
/* @id without typedefs, qualifiers and tags. */
guint                  gilk_btf_strip  (const GilkBtf *btf, guint id);
/* Bytes a value of @id takes, which is stripped here; 0 if nobody knows. */
uint32_t               gilk_btf_size   (const GilkBtf *btf, guint id);
/* Member @index of the struct or union @record. */
void                   gilk_btf_nth_member (const GilkBtf *btf, const struct btf_type *record, guint index,
                                            GilkMember *member, const char **name);
int64_t                gilk_btf_nth_value  (const struct btf_type *record, guint index, uint32_t *name);

/* FALSE, with an error, if the file is spoilt. Sets types, strings, layout, n and offsets. */
gboolean gilk_btf_check (GilkBtf *btf, gsize length, GError **error);
/* Makes names and buckets of what is checked. */
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

/* What follows the record's head. */
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

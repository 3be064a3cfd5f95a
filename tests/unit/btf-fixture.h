/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * btf-fixture.h - builds BTF by hand, one type at a time, and builds the types of a small kernel
 *
 * Each call adds a type and returns its id. It can also build invalid BTF, which the reader has to
 * reject.
 */
#pragma once

#include <glib.h>
#include <linux/btf.h>
#include <string.h>

#include "core/types/gilk-btf.h"

/* Like BTF_INFO_ENC, but with the extra bits of @vlen that newer kernels may set. */
#define BTF_INFO(kind, flag, vlen) ((guint32) (flag) << 31 | (guint32) (kind) << 24 | (guint32) (vlen))

typedef struct {
  struct btf_header head;
  GByteArray *types;
  GByteArray *strings;
  GByteArray *layout;          /* section that describes the layout of types; written if not
                                  empty */
  guint       next;            /* id of the next type */
  guint       first_string;    /* offset of this file's first string; smaller offsets are in the
                                  base BTF's strings */
} BtfFile;

typedef struct {
  const char *name;
  guint       type;
  guint       bit;             /* offset of the member in bits */
  guint       bits;            /* width of a bit field */
} BtfMember;

typedef struct {
  const char *name;
  gint64      value;
} BtfValue;

static inline BtfFile *
btf_file_new (void)
{
  BtfFile *file = g_new0 (BtfFile, 1);

  file->head = (struct btf_header) { .magic = BTF_MAGIC, .version = BTF_VERSION, .hdr_len = sizeof file->head };
  file->types = g_byte_array_new ();
  file->strings = g_byte_array_new ();
  file->layout = g_byte_array_new ();
  file->next = 1;
  g_byte_array_append (file->strings, (const guint8 *) "", 1);

  return file;
}

/* Starts the BTF of a module: its ids and strings follow those of @base. */
static inline BtfFile *
btf_file_new_split (const BtfFile *base)
{
  BtfFile *file = btf_file_new ();

  g_byte_array_set_size (file->strings, 0);
  file->next = base->next;
  file->first_string = base->strings->len;

  return file;
}

static inline void
btf_file_free (BtfFile *file)
{
  g_byte_array_unref (file->types);
  g_byte_array_unref (file->strings);
  g_byte_array_unref (file->layout);
  g_free (file);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BtfFile, btf_file_free)

static inline guint32
btf_string (BtfFile *file, const char *string)
{
  const guint32 at = file->first_string + file->strings->len;

  if (string == NULL)
    return 0;
  g_byte_array_append (file->strings, (const guint8 *) string, (guint) strlen (string) + 1);
  return at;
}

static inline void
btf_words (BtfFile *file, guint n, const guint32 *words)
{
  g_byte_array_append (file->types, (const guint8 *) words, n * 4);
}

/* Adds the header of a type; the caller adds the words that follow. @rest: the type's size, or the
 * id of the type to which it refers. */
static inline guint
btf_type (BtfFile *file, guint32 info, const char *name, guint32 rest)
{
  const guint32 words[] = { btf_string (file, name), info, rest };

  btf_words (file, G_N_ELEMENTS (words), words);
  return file->next++;
}

static inline guint
btf_int (BtfFile *file, const char *name, guint size, guint encoding)
{
  const guint id = btf_type (file, BTF_INFO (BTF_KIND_INT, 0, 0), name, size);
  const guint32 word = encoding << 24 | size * 8;

  btf_words (file, 1, &word);
  return id;
}

/* Adds a type that refers to one other type: a pointer, typedef, qualifier, function, .. */
static inline guint
btf_to (BtfFile *file, guint kind, const char *name, guint type)
{
  return btf_type (file, BTF_INFO (kind, 0, 0), name, type);
}

static inline guint
btf_array (BtfFile *file, guint type, guint count)
{
  const guint id = btf_type (file, BTF_INFO (BTF_KIND_ARRAY, 0, 0), NULL, 0);
  const guint32 words[] = { type, type, count };

  btf_words (file, G_N_ELEMENTS (words), words);
  return id;
}

/* Adds a struct or union; @members end with a member of type 0. */
static inline guint
btf_composite (BtfFile *file, guint kind, const char *name, guint size, const BtfMember *members)
{
  gboolean flag = FALSE;
  guint n = 0, id;

  for (; members[n].type != 0; n++)
    flag |= members[n].bits != 0;
  id = btf_type (file, BTF_INFO (kind, flag, n), name, size);
  for (guint i = 0; i < n; i++)
    {
      const guint32 words[] = {
        btf_string (file, members[i].name), members[i].type, members[i].bits << 24 | members[i].bit,
      };

      btf_words (file, G_N_ELEMENTS (words), words);
    }

  return id;
}

#define btf_struct(file, name, size, ...) \
  btf_composite (file, BTF_KIND_STRUCT, name, size, (const BtfMember[]) { __VA_ARGS__, { NULL, 0, 0, 0 } })
#define btf_union(file, name, size, ...) \
  btf_composite (file, BTF_KIND_UNION, name, size, (const BtfMember[]) { __VA_ARGS__, { NULL, 0, 0, 0 } })

/* Adds an enum; @values end with a value without a name. */
static inline guint
btf_values (BtfFile *file, guint kind, gboolean is_signed, const char *name, const BtfValue *values)
{
  guint n = 0, id;

  while (values[n].name != NULL)
    n++;
  id = btf_type (file, BTF_INFO (kind, is_signed, n), name, kind == BTF_KIND_ENUM ? 4 : 8);
  for (guint i = 0; i < n; i++)
    {
      const guint32 words[] = {
        btf_string (file, values[i].name), (guint32) values[i].value, (guint32) ((guint64) values[i].value >> 32),
      };

      btf_words (file, kind == BTF_KIND_ENUM ? 2 : 3, words);
    }

  return id;
}

#define btf_enum(file, is_signed, name, ...) \
  btf_values (file, BTF_KIND_ENUM, is_signed, name, (const BtfValue[]) { __VA_ARGS__, { NULL, 0 } })
#define btf_enum64(file, is_signed, name, ...) \
  btf_values (file, BTF_KIND_ENUM64, is_signed, name, (const BtfValue[]) { __VA_ARGS__, { NULL, 0 } })

/* Adds a prototype; @params end with { NULL, 0, 1 }; a parameter without name and type is "...". */
static inline guint
btf_params (BtfFile *file, guint returns, const BtfMember *params)
{
  guint n = 0, id;

  while (params[n].bit == 0)
    n++;
  id = btf_type (file, BTF_INFO (BTF_KIND_FUNC_PROTO, 0, n), NULL, returns);
  for (guint i = 0; i < n; i++)
    {
      const guint32 words[] = { btf_string (file, params[i].name), params[i].type };

      btf_words (file, G_N_ELEMENTS (words), words);
    }

  return id;
}

#define btf_proto(file, returns, ...) \
  btf_params (file, returns, (const BtfMember[]) { __VA_ARGS__, { NULL, 0, 1, 0 } })
#define btf_proto_void(file, returns) btf_params (file, returns, (const BtfMember[]) { { NULL, 0, 1, 0 } })

static inline guint
btf_variable (BtfFile *file, const char *name, guint type)
{
  const guint id = btf_to (file, BTF_KIND_VAR, name, type);
  const guint32 linkage = BTF_VAR_GLOBAL_ALLOCATED;

  btf_words (file, 1, &linkage);
  return id;
}

static inline GBytes *
btf_bytes (BtfFile *file)
{
  GByteArray *all = g_byte_array_new ();
  struct btf_header head = file->head;
  guint32 layout[2] = { 0, file->layout->len };

  if (file->layout->len > 0)
    head.hdr_len = sizeof head + sizeof layout;
  head.type_len = file->types->len;
  layout[0] = head.type_len;
  head.str_off = head.type_len + file->layout->len;
  head.str_len = file->strings->len;
  g_byte_array_append (all, (const guint8 *) &head, sizeof head);
  if (file->layout->len > 0)
    g_byte_array_append (all, (const guint8 *) layout, sizeof layout);
  g_byte_array_append (all, file->types->data, file->types->len);
  g_byte_array_append (all, file->layout->data, file->layout->len);
  g_byte_array_append (all, file->strings->data, file->strings->len);

  return g_byte_array_free_to_bytes (all);
}

/* ---- the types of a small kernel ---- */

/*
 * Adds these types; the number after a member is its offset in bytes:
 *   struct list_head { struct list_head *next, *prev; };
 *   struct item { u32 a; char tag[4]; };
 *   struct file {
 *     const struct path { void *mnt; struct dentry *dentry; } f_path;      0
 *     union { u64 id; struct { u32 low, high; }; };                      16
 *     u32 f_flags;                                                       24
 *     u32 lone : 3;                                                      28
 *     u32 first : 1, second : 7;                                         32
 *     struct item items[3];                                              36
 *     char name[2][4];                                                   60
 *     int (*done) (struct file *, fmode_t, ...);                         72
 *     struct list_head list;                                             80
 *     struct item more[];                                                96
 *   };
 */
static inline void
btf_small_kernel (BtfFile *file)
{
  const guint i32 = btf_int (file, "int", 4, BTF_INT_SIGNED);
  const guint character = btf_int (file, "char", 1, BTF_INT_SIGNED | BTF_INT_CHAR);
  const guint uint = btf_int (file, "unsigned int", 4, 0), ulong = btf_int (file, "long unsigned int", 8, 0);
  const guint u32 = btf_to (file, BTF_KIND_TYPEDEF, "u32", uint), u64 = btf_to (file, BTF_KIND_TYPEDEF, "u64", ulong);
  const guint boolean = btf_int (file, "_Bool", 1, BTF_INT_BOOL);
  const guint pointer = btf_to (file, BTF_KIND_PTR, NULL, 0), list_pointer = pointer + 1, list = pointer + 2;
  const guint dentry = list + 1, dentry_pointer = list + 2, item = list + 5;
  guint path, halves, either, items, tag4, names, more, file_pointer, mode, proto;

  g_assert_cmpuint (btf_to (file, BTF_KIND_PTR, NULL, list), ==, list_pointer);
  g_assert_cmpuint (btf_struct (file, "list_head", 16, { "next", list_pointer }, { "prev", list_pointer, 64 }), ==,
                    list);
  g_assert_cmpuint (btf_to (file, BTF_KIND_FWD, "dentry", 0), ==, dentry);
  g_assert_cmpuint (btf_to (file, BTF_KIND_PTR, NULL, dentry), ==, dentry_pointer);
  path = btf_struct (file, "path", 16, { "mnt", pointer }, { "dentry", dentry_pointer, 64 });
  tag4 = btf_array (file, character, 4);
  g_assert_cmpuint (btf_struct (file, "item", 8, { "a", u32 }, { "tag", tag4, 32 }), ==, item);
  path = btf_to (file, BTF_KIND_CONST, NULL, path);
  halves = btf_struct (file, NULL, 8, { "low", u32 }, { "high", u32, 32 });
  either = btf_union (file, NULL, 8, { "id", u64 }, { NULL, halves });
  items = btf_array (file, item, 3);
  names = btf_array (file, tag4, 2);
  more = btf_array (file, item, 0);
  mode = btf_to (file, BTF_KIND_TYPEDEF, "fmode_t", uint);
  file_pointer = file->next;
  btf_to (file, BTF_KIND_PTR, NULL, file_pointer + 3);
  proto = btf_proto (file, i32, { "file", file_pointer }, { "mode", mode }, { NULL, 0 });
  btf_to (file, BTF_KIND_PTR, NULL, proto);
  btf_struct (file, "file", 96, { "f_path", path }, { NULL, either, 128 }, { "f_flags", u32, 192 },
              { "lone", u32, 224, 3 }, { "first", u32, 256, 1 }, { "second", u32, 257, 7 }, { "items", items, 288 },
              { "name", names, 480 }, { "done", proto + 1, 576 }, { "list", list, 640 }, { "more", more, 768 });
  btf_to (file, BTF_KIND_FUNC, "done", proto);
  btf_to (file, BTF_KIND_FUNC, "twice", proto);
  btf_to (file, BTF_KIND_FUNC, "twice", btf_proto (file, i32, { "file", file_pointer }));
  btf_to (file, BTF_KIND_FUNC, "alike", btf_proto (file, i32, { "a", u32 }));
  btf_to (file, BTF_KIND_FUNC, "alike", btf_proto (file, i32, { "a", u32 }));
  btf_to (file, BTF_KIND_FUNC, "yes", btf_proto (file, boolean, { "a", u64 }));
  btf_enum (file, TRUE, "order", { "LAST", -1 }, { "FIRST", 1 }, { "SAME", 7 });
  btf_enum (file, FALSE, NULL, { "BIG", 0xffffffff }, { "SAME", 7 }, { "FIRST", 2 });
  btf_enum64 (file, FALSE, "wide", { "WIDE", (gint64) 0x8000000000000001ull }, { "NARROW", 3 });
  btf_variable (file, "runqueue", list);
  btf_variable (file, "counts", u32);
  btf_variable (file, "counts", u64);
}

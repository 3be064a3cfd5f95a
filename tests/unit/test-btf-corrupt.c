/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-btf-corrupt.c - tests that each kind of corrupt BTF is detected and reported by name
 */
#include "btf-fixture.h"

#include "core/base/gilk-error.h"

static void
assert_refused (GBytes *bytes, GilkBtf *base, const char *words)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (gilk_btf_new (bytes, base, &error));
  g_assert_error (error, GILK_ERROR, GILK_ERROR_FORMAT);
  if (strstr (error->message, words) == NULL)
    g_error ("\"%s\" does not say \"%s\"", error->message, words);
}

static void
assert_file_refused (BtfFile *file, const char *words)
{
  g_autoptr (GBytes) bytes = btf_bytes (file);

  assert_refused (bytes, NULL, words);
}

/* ---- tests of corrupt headers and sections ---- */

/* Checks that the small kernel's BTF is refused after @word was written at @offset of its
 * header. */
static void
assert_head_refused (gsize offset, guint32 word, const char *words)
{
  g_autoptr (BtfFile) file = btf_file_new ();
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GBytes) spoilt = NULL;
  guint8 *copy;
  gsize length;

  btf_small_kernel (file);
  bytes = btf_bytes (file);
  length = g_bytes_get_size (bytes);
  copy = g_memdup2 (g_bytes_get_data (bytes, NULL), length);
  memcpy (copy + offset, &word, sizeof word);
  spoilt = g_bytes_new_take (copy, length);
  assert_refused (spoilt, NULL, words);
}

static void
test_head (void)
{
  static const gsize type_off = 8, type_len = 12, str_off = 16, str_len = 20;

  assert_head_refused (0, 0x00019feb, "not BTF type information");                 /* byte order */
  assert_head_refused (0, 0x0002eb9f, "not BTF type information");                 /* version */
  assert_head_refused (4, 20, "not BTF type information");
  assert_head_refused (4, 0xfffffffc, "sections");
  assert_head_refused (4, 32, "sections");
  assert_head_refused (type_off, 2, "sections");
  assert_head_refused (type_off, 0xfffffff0, "sections");
  assert_head_refused (type_len, 0xfffffff0, "sections");
  assert_head_refused (str_off, 0xfffffff0, "sections");
  assert_head_refused (str_len, 0xfffffff0, "sections");
  assert_head_refused (str_len, 0, "sections");
  /* The string section ends within a name. */
  assert_head_refused (str_len, 6, "sections");
  /* The first string is not empty. */
  assert_head_refused (str_off, 0, "sections");
}

static void
test_lengths (void)
{
  g_autoptr (GBytes) nothing = g_bytes_new (NULL, 0);
  g_autoptr (BtfFile) file = btf_file_new ();
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GBytes) vast = g_bytes_new_take (g_malloc0 (GILK_BTF_MAX + 1), GILK_BTF_MAX + 1);

  assert_refused (nothing, NULL, "not BTF type information");
  assert_refused (vast, NULL, "64 MiB");
  btf_small_kernel (file);
  bytes = btf_bytes (file);
  for (gsize length = 0; length < g_bytes_get_size (bytes); length++)
    {
      g_autoptr (GBytes) cut = g_bytes_new_from_bytes (bytes, 0, length);

      assert_refused (cut, NULL, length < sizeof (struct btf_header) ? "not BTF type information" : "sections");
    }
}

/* ---- tests of corrupt type records ---- */

static void
test_cut (void)
{
  g_autoptr (BtfFile) file = btf_file_new ();

  btf_int (file, "int", 4, 0);
  g_byte_array_set_size (file->types, file->types->len - 4);
  assert_file_refused (file, "type 1. It is truncated");
  g_byte_array_set_size (file->types, 8);
  assert_file_refused (file, "type 1. It is truncated");
}

/* Tests BTF whose string section comes first, and whose last type record is cut off by the end of
 * the file. */
static void
test_cut_end (void)
{
  const guint32 words[] = { 0x0001eb9f, 24, 4, 8, 0, 4, 0, 0, BTF_INFO (BTF_KIND_PTR, 0, 0) };
  g_autoptr (GBytes) bytes = g_bytes_new (words, sizeof words);

  assert_refused (bytes, NULL, "type 1. It is truncated");
}

static void
test_too_many (void)
{
  g_autoptr (BtfFile) file = btf_file_new ();

  btf_type (file, BTF_INFO (BTF_KIND_STRUCT, 0, 0xffffff), "s", 4);
  assert_file_refused (file, "type 1. It is truncated");
}

static void
test_kinds (void)
{
  g_autoptr (BtfFile) zero = btf_file_new ();
  g_autoptr (BtfFile) young = btf_file_new ();
  g_autoptr (BtfFile) odd = btf_file_new ();
  guint8 layout[4 * 128] = { 0 };

  btf_type (zero, BTF_INFO (0, 0, 0), NULL, 0);
  assert_file_refused (zero, "kind");
  btf_type (young, BTF_INFO (127, 0, 0), NULL, 0);
  assert_file_refused (young, "kind");
  g_byte_array_append (young->layout, layout, sizeof layout - 4);
  assert_file_refused (young, "kind");
  btf_type (odd, BTF_INFO (127, 0, 0), NULL, 0);
  layout[4 * 127] = 2;
  btf_words (odd, 5, (const guint32[]) { 0, 0, 0, 0, 0 });
  g_byte_array_append (odd->layout, layout, sizeof layout);
  assert_file_refused (odd, "type 1. It is truncated");
}

/* Checks that BTF is refused if its type 1 is an int and its type 2 is the given record. */
static void
assert_record_refused (guint32 info, guint32 name, guint32 rest, guint n, const guint32 *words, const char *said)
{
  g_autoptr (BtfFile) file = btf_file_new ();
  const guint32 record[] = { name, info, rest };

  btf_int (file, "int", 4, 0);
  btf_words (file, G_N_ELEMENTS (record), record);
  btf_words (file, n, words);
  assert_file_refused (file, said);
}

#define RECORD(kind, vlen, name, rest, said, ...) \
  do { \
    const guint32 words_[] = { __VA_ARGS__ }; \
    assert_record_refused (BTF_INFO (BTF_KIND_ ## kind, 0, vlen), name, rest, G_N_ELEMENTS (words_), words_, said); \
  } while (0)

static void
test_names (void)
{
  RECORD (INT, 0, 6, 4, "type 2. The type's name", 32);
  RECORD (INT, 0, 0xffffffff, 4, "name", 32);
  RECORD (STRUCT, 1, 0, 4, "name", 99, 1, 0);
  RECORD (ENUM, 1, 0, 4, "name", 99, 1);
  RECORD (ENUM64, 1, 0, 8, "name", 99, 1, 0);
  RECORD (FUNC_PROTO, 1, 0, 0, "name", 99, 1);
}

static void
test_ids (void)
{
  static const guint kinds[] = {
    BTF_KIND_PTR, BTF_KIND_TYPEDEF, BTF_KIND_VOLATILE, BTF_KIND_CONST, BTF_KIND_RESTRICT, BTF_KIND_TYPE_TAG,
    BTF_KIND_FUNC,
  };

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    assert_record_refused (BTF_INFO (kinds[i], 0, 0), 0, 3, 0, NULL, "refers to a type that does not exist");
  RECORD (VAR, 0, 0, 3, "does not exist", 0);
  RECORD (DECL_TAG, 0, 0, 3, "does not exist", 0);
  RECORD (ARRAY, 0, 0, 0, "does not exist", 3, 1, 1);
  RECORD (ARRAY, 0, 0, 0, "does not exist", 1, 3, 1);
  RECORD (STRUCT, 1, 0, 4, "does not exist", 0, 3, 0);
  RECORD (UNION, 1, 0, 4, "does not exist", 0, 0xffffffff, 0);
  RECORD (FUNC_PROTO, 1, 0, 0, "does not exist", 0, 3);
  assert_record_refused (BTF_INFO (BTF_KIND_FUNC_PROTO, 0, 0), 0, 3, 0, NULL, "does not exist");
  RECORD (DATASEC, 1, 0, 0, "does not exist", 3, 0, 0);
}

static void
test_no_types (void)
{
  g_autoptr (BtfFile) file = btf_file_new ();
  const guint proto = btf_proto_void (file, 0);
  const guint function = btf_to (file, BTF_KIND_FUNC, "f", proto);

  btf_to (file, BTF_KIND_PTR, NULL, function);
  assert_file_refused (file, "type 3. The type refers to something that is not a type");
  RECORD (PTR, 0, 0, 3, "refers to something that is not a type", 0, BTF_INFO (BTF_KIND_VAR, 0, 0), 1, 0);
  RECORD (PTR, 0, 0, 3, "refers to something that is not a type", 0, BTF_INFO (BTF_KIND_DATASEC, 0, 0), 0);
  RECORD (PTR, 0, 0, 3, "refers to something that is not a type", 0, BTF_INFO (BTF_KIND_DECL_TAG, 0, 0), 1, 0);
  RECORD (FUNC, 0, 0, 1, "is a function", 0, BTF_INFO (BTF_KIND_CONST, 0, 0), 1);
  assert_record_refused (BTF_INFO (BTF_KIND_FUNC, 0, 0), 0, 0, 0, NULL, "is a function");
}

static void
test_numbers (void)
{
  RECORD (INT, 0, 0, 0, "bits", 8);
  RECORD (INT, 0, 0, 17, "bits", 8);
  RECORD (INT, 0, 0, 4, "bits", 0);
  RECORD (INT, 0, 0, 4, "bits", 33);
  RECORD (INT, 0, 0, 4, "bits", 1 << 16 | 32);
  assert_record_refused (BTF_INFO (BTF_KIND_FLOAT, 0, 0), 0, 0, 0, NULL, "size");
  assert_record_refused (BTF_INFO (BTF_KIND_ENUM, 0, 0), 0, 0, 0, NULL, "size");
  assert_record_refused (BTF_INFO (BTF_KIND_ENUM64, 0, 0), 0, 17, 0, NULL, "size");
}

/* ---- tests of cyclic, deeply nested and huge types ---- */

static void
test_chains (void)
{
  g_autoptr (BtfFile) own = btf_file_new ();
  g_autoptr (BtfFile) pair = btf_file_new ();
  g_autoptr (BtfFile) along = btf_file_new ();

  btf_to (own, BTF_KIND_TYPEDEF, "t", 1);
  assert_file_refused (own, "type 1. Typedefs");
  btf_to (pair, BTF_KIND_CONST, NULL, 2);
  btf_to (pair, BTF_KIND_TYPE_TAG, "tag", 1);
  assert_file_refused (pair, "Typedefs");
  for (guint i = 0; i < 33; i++)
    btf_to (along, BTF_KIND_TYPEDEF, "t", i);
  assert_file_refused (along, "type 33. Typedefs");
}

static void
test_contained (void)
{
  g_autoptr (BtfFile) own = btf_file_new ();
  g_autoptr (BtfFile) array = btf_file_new ();
  g_autoptr (BtfFile) element = btf_file_new ();

  btf_struct (own, "s", 8, { "s", 1 });
  assert_file_refused (own, "contains itself");
  btf_array (array, 1, 1);
  assert_file_refused (array, "contains itself");
  btf_struct (element, "s", 8, { "s", 2 });
  btf_array (element, 3, 1);
  btf_to (element, BTF_KIND_TYPEDEF, "t", 1);
  assert_file_refused (element, "contains itself");
}

/* Tests that the type of a struct can be before or after the types of its members. */
static void
test_depth (void)
{
  for (guint reverse = 0; reverse < 2; reverse++)
    for (guint depth = 31; depth < 33; depth++)
      {
        g_autoptr (BtfFile) file = btf_file_new ();

        btf_int (file, "int", 4, 0);
        for (guint i = 0; i < depth; i++)
          btf_struct (file, "s", 4, { "m", reverse ? (i + 1 == depth ? 1 : i + 3) : i + 1 });
        if (depth == 32)
          assert_file_refused (file, "too deep");
        else
          {
            g_autoptr (GBytes) bytes = btf_bytes (file);
            g_autoptr (GilkBtf) btf = gilk_btf_new (bytes, NULL, NULL);

            g_assert_nonnull (btf);
          }
      }
}

/* Tests a chain of types so long that unlimited recursion on it would overflow a thread's stack. */
static void
test_abyss (void)
{
  enum { DEEP = 500000 };
  g_autoptr (BtfFile) file = btf_file_new ();

  for (guint i = 1; i < DEEP; i++)
    btf_struct (file, NULL, 4, { NULL, i + 1 });
  btf_int (file, "int", 4, 0);
  assert_file_refused (file, "type 1. The type contains itself, or is nested too deep");
}

/* Tests nested unions: at each level the number of members doubles, so 31 levels have too many
 * members to visit. */
static void
test_parts (void)
{
  g_autoptr (BtfFile) file = btf_file_new ();

  btf_int (file, "int", 4, 0);
  for (guint i = 1; i < 31; i++)
    btf_union (file, NULL, 4, { NULL, i }, { NULL, i });
  assert_file_refused (file, "too many members");
}

static void
test_places (void)
{
  RECORD (STRUCT, 1, 0, 4, "outside", 0, 1, 8);
  RECORD (STRUCT, 1, 0, 4, "outside", 0, 1, 0xfffffff8);
  RECORD (STRUCT, 1, 0, 3, "outside", 0, 1, 0);
  RECORD (STRUCT, 1, 0, 8, "outside", 0, 1, 4);
  RECORD (STRUCT, 0, 0, 0x10000001, "larger than 256 MiB", 0, BTF_INFO (BTF_KIND_CONST, 0, 0), 1);
}

static void
test_bits (void)
{
  static const struct { guint type, bit, bits; const char *said; } cases[] = {
    { 1, 0, 33, "bit field" }, { 1, 30, 3, "outside" }, { 2, 0, 1, "bit field" }, { 3, 0, 65, "bit field" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (BtfFile) file = btf_file_new ();

      btf_int (file, "int", 4, 0);
      btf_to (file, BTF_KIND_PTR, NULL, 0);
      btf_int (file, "__int128", 16, 0);
      btf_struct (file, "s", cases[i].type == 1 ? 4 : 16, { "b", cases[i].type, cases[i].bit, cases[i].bits });
      assert_file_refused (file, cases[i].said);
    }
}

static void
test_arrays (void)
{
  g_autoptr (BtfFile) wide = btf_file_new ();
  g_autoptr (BtfFile) nested = btf_file_new ();

  btf_int (wide, "int", 4, 0);
  btf_array (wide, 1, 0x40000000);
  assert_file_refused (wide, "type 2. The type is 4 GiB or larger");
  btf_int (nested, "char", 1, 0);
  btf_array (nested, 1, 0x10000);
  btf_array (nested, 2, 0x10000);
  assert_file_refused (nested, "type 3. The type is 4 GiB or larger");
}

/* ---- test of the BTF of a module ---- */

static void
test_module (void)
{
  g_autoptr (BtfFile) kernel = btf_file_new ();
  g_autoptr (BtfFile) module = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GBytes) own = NULL;
  g_autoptr (GilkBtf) base = NULL;

  btf_small_kernel (kernel);
  bytes = btf_bytes (kernel);
  base = gilk_btf_new (bytes, NULL, NULL);
  module = btf_file_new_split (kernel);
  btf_to (module, BTF_KIND_TYPEDEF, "t", kernel->next + 1);
  own = btf_bytes (module);
  assert_refused (own, base, "does not exist");
  /* The module's BTF is refused without the kernel's BTF. */
  assert_refused (own, NULL, "sections");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/btf-spoilt/head", test_head);
  g_test_add_func ("/btf-spoilt/lengths", test_lengths);
  g_test_add_func ("/btf-spoilt/cut", test_cut);
  g_test_add_func ("/btf-spoilt/cut-end", test_cut_end);
  g_test_add_func ("/btf-spoilt/too-many", test_too_many);
  g_test_add_func ("/btf-spoilt/kinds", test_kinds);
  g_test_add_func ("/btf-spoilt/names", test_names);
  g_test_add_func ("/btf-spoilt/ids", test_ids);
  g_test_add_func ("/btf-spoilt/no-types", test_no_types);
  g_test_add_func ("/btf-spoilt/numbers", test_numbers);
  g_test_add_func ("/btf-spoilt/chains", test_chains);
  g_test_add_func ("/btf-spoilt/contained", test_contained);
  g_test_add_func ("/btf-spoilt/depth", test_depth);
  g_test_add_func ("/btf-spoilt/abyss", test_abyss);
  g_test_add_func ("/btf-spoilt/parts", test_parts);
  g_test_add_func ("/btf-spoilt/places", test_places);
  g_test_add_func ("/btf-spoilt/bits", test_bits);
  g_test_add_func ("/btf-spoilt/arrays", test_arrays);
  g_test_add_func ("/btf-spoilt/module", test_module);

  return g_test_run ();
}

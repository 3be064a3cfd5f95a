/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-btf.c - tests that the kernel's types are read correctly
 */
#include "btf-fixture.h"

static GilkBtf *
read_file (BtfFile *file, GilkBtf *base)
{
  g_autoptr (GBytes) bytes = btf_bytes (file);
  g_autoptr (GError) error = NULL;
  GilkBtf *btf = gilk_btf_new (bytes, base, &error);

  g_assert_no_error (error);
  g_assert_nonnull (btf);

  return btf;
}

static GilkBtf *
small_kernel (void)
{
  g_autoptr (BtfFile) file = btf_file_new ();

  btf_small_kernel (file);
  return read_file (file, NULL);
}

static GilkType
type_of (const GilkBtf *btf, guint id)
{
  GilkType type;

  g_assert_true (gilk_btf_type (btf, id, &type));
  return type;
}

static void
assert_name (const GilkBtf *btf, guint id, const char *expected)
{
  g_autofree char *name = gilk_btf_type_name (btf, id);

  g_assert_cmpstr (name, ==, expected);
}

static void
assert_path (const GilkBtf *btf, const char *type, guint offset, guint size, const char *expected)
{
  g_autofree char *path = gilk_btf_path_at (btf, gilk_btf_find (btf, type), offset, size);

  g_assert_cmpstr (path, ==, expected);
}

/* ---- tests of types, and of finding types by name ---- */

static void
test_types (void)
{
  g_autoptr (GilkBtf) btf = small_kernel ();
  GilkType type = type_of (btf, 0);

  g_assert_cmpint (type.kind, ==, GILK_TYPE_VOID);
  g_assert_cmpuint (type.size, ==, 0);
  type = type_of (btf, gilk_btf_find (btf, "int"));
  g_assert_cmpint (type.kind, ==, GILK_TYPE_INT);
  g_assert_true (type.is_signed);
  g_assert_cmpuint (type.size, ==, 4);
  type = type_of (btf, gilk_btf_find (btf, "u64"));
  g_assert_cmpuint (type.id, ==, gilk_btf_find (btf, "long unsigned int"));
  g_assert_cmpstr (type.name, ==, "u64");
  g_assert_false (type.is_signed);
  g_assert_true (type_of (btf, gilk_btf_find (btf, "_Bool")).is_bool);
  type = type_of (btf, gilk_btf_find (btf, "struct file"));
  g_assert_cmpint (type.kind, ==, GILK_TYPE_STRUCT);
  g_assert_false (type.is_union);
  g_assert_cmpuint (type.size, ==, 96);
  g_assert_cmpint (type_of (btf, gilk_btf_find (btf, "struct dentry")).kind, ==, GILK_TYPE_OTHER);
  type = type_of (btf, gilk_btf_find (btf, "enum order"));
  g_assert_cmpint (type.kind, ==, GILK_TYPE_ENUM);
  g_assert_true (type.is_signed);
  g_assert_false (gilk_btf_type (btf, 10000, &type));
}

static void
test_find (void)
{
  g_autoptr (GilkBtf) btf = small_kernel ();

  g_assert_cmpuint (gilk_btf_find (btf, "file"), ==, 0);
  g_assert_cmpuint (gilk_btf_find (btf, "union file"), ==, 0);
  g_assert_cmpuint (gilk_btf_find (btf, "struct done"), ==, 0);
  g_assert_cmpuint (gilk_btf_find (btf, "enum wide"), !=, 0);
  g_assert_cmpuint (gilk_btf_find (btf, "WIDE"), ==, 0);
  g_assert_cmpuint (gilk_btf_find (btf, ""), ==, 0);
  g_assert_cmpuint (gilk_btf_find (btf, "struct "), ==, 0);
}

static void
test_links (void)
{
  g_autoptr (BtfFile) file = btf_file_new ();
  const guint number = btf_int (file, "int", 4, BTF_INT_SIGNED);
  guint id = btf_to (file, BTF_KIND_TYPEDEF, "inner_t", number);
  g_autoptr (GilkBtf) btf = NULL;
  GilkType type;

  id = btf_to (file, BTF_KIND_VOLATILE, NULL, id);
  id = btf_to (file, BTF_KIND_TYPE_TAG, "user", id);
  id = btf_to (file, BTF_KIND_TYPEDEF, "outer_t", id);
  id = btf_to (file, BTF_KIND_CONST, NULL, id);
  btf = read_file (file, NULL);
  type = type_of (btf, id);
  g_assert_cmpuint (type.id, ==, number);
  g_assert_cmpstr (type.name, ==, "outer_t");
  g_assert_cmpuint (type.size, ==, 4);
  assert_name (btf, id, "const outer_t");
}

/* Tests BTF in which a struct is forward-declared once and defined twice. */
static void
test_several (void)
{
  g_autoptr (BtfFile) file = btf_file_new ();
  const guint number = btf_int (file, "int", 4, BTF_INT_SIGNED);
  g_autoptr (GilkBtf) btf = NULL;
  guint first;

  btf_to (file, BTF_KIND_FWD, "s", 0);
  first = btf_struct (file, "s", 4, { "a", number });
  btf_struct (file, "s", 8, { "b", number, 32 });
  btf = read_file (file, NULL);
  g_assert_cmpuint (gilk_btf_find (btf, "struct s"), ==, first);
}

static void
test_type_names (void)
{
  g_autoptr (BtfFile) file = btf_file_new ();
  const guint character = btf_int (file, "char", 1, BTF_INT_SIGNED);
  const guint constant = btf_to (file, BTF_KIND_CONST, NULL, character);
  const guint pointer = btf_to (file, BTF_KIND_PTR, NULL, constant);
  const guint fixed = btf_to (file, BTF_KIND_CONST, NULL, pointer);
  const guint sixteen = btf_array (file, btf_array (file, character, 16), 2);
  const guint to_array = btf_to (file, BTF_KIND_PTR, NULL, sixteen);
  const guint proto = btf_proto (file, pointer, { "a", fixed }, { NULL, 0 });
  const guint to_proto = btf_to (file, BTF_KIND_PTR, NULL, proto);
  const guint table = btf_array (file, to_proto, 3);
  const guint nothing = btf_proto_void (file, 0);
  const guint name = btf_to (file, BTF_KIND_TYPEDEF, "fn_t", nothing);
  const guint to_name = btf_to (file, BTF_KIND_PTR, NULL, name);
  const guint anonymous = btf_union (file, NULL, 1, { "c", character });
  const guint circle = file->next;
  g_autoptr (GilkBtf) btf = NULL;

  btf_to (file, BTF_KIND_PTR, NULL, circle + 1);
  btf_proto (file, circle, { "a", circle }, { "b", circle });
  btf_to (file, BTF_KIND_FUNC, "f", proto);
  btf = read_file (file, NULL);
  assert_name (btf, 0, "void");
  assert_name (btf, pointer, "const char *");
  assert_name (btf, fixed, "const char *const");
  assert_name (btf, sixteen, "char[2][16]");
  assert_name (btf, to_array, "char (*)[2][16]");
  assert_name (btf, to_proto, "const char *(*)(const char *const, ...)");
  assert_name (btf, table, "const char *(*[3])(const char *const, ...)");
  assert_name (btf, nothing, "void (void)");
  assert_name (btf, to_name, "fn_t *");
  assert_name (btf, anonymous, "union {...}");
  assert_name (btf, file->next - 1, NULL);
  g_free (gilk_btf_type_name (btf, circle));
}

/* ---- tests of the members of structs and unions ---- */

static void
test_members (void)
{
  g_autoptr (GilkBtf) btf = small_kernel ();
  const guint file = gilk_btf_find (btf, "struct file");
  GilkMember member;

  g_assert_true (gilk_btf_member (btf, file, "f_flags", &member));
  g_assert_cmpuint (member.offset, ==, 192);
  g_assert_cmpuint (member.bits, ==, 0);
  g_assert_cmpstr (type_of (btf, member.type).name, ==, "u32");
  g_assert_true (gilk_btf_member (btf, file, "high", &member));
  g_assert_cmpuint (member.offset, ==, 160);
  g_assert_true (gilk_btf_member (btf, file, "second", &member));
  g_assert_cmpuint (member.offset, ==, 257);
  g_assert_cmpuint (member.bits, ==, 7);
  g_assert_true (gilk_btf_member (btf, file, "items", &member));
  g_assert_cmpint (type_of (btf, member.type).kind, ==, GILK_TYPE_ARRAY);
  g_assert_cmpuint (type_of (btf, member.type).count, ==, 3);
  g_assert_cmpuint (type_of (btf, member.type).size, ==, 24);
  g_assert_false (gilk_btf_member (btf, file, "dentry", &member));
  g_assert_false (gilk_btf_member (btf, file, "", &member));
  g_assert_false (gilk_btf_member (btf, gilk_btf_find (btf, "int"), "a", &member));
  g_assert_false (gilk_btf_member (btf, 0, "a", &member));
  g_assert_false (gilk_btf_member (btf, 10000, "a", &member));
}

/* Tests bit fields as old compilers describe them: the bit field's type contains the width. */
static void
test_old_bits (void)
{
  g_autoptr (BtfFile) file = btf_file_new ();
  const guint number = btf_type (file, BTF_INFO (BTF_KIND_INT, 0, 0), "unsigned int", 4);
  const guint32 word = 2 << 16 | 5;
  g_autoptr (GilkBtf) btf = NULL;
  GilkMember member;
  guint id;

  btf_words (file, 1, &word);
  id = btf_struct (file, "s", 8, { "a", number, 32 });
  btf = read_file (file, NULL);
  g_assert_true (gilk_btf_member (btf, id, "a", &member));
  g_assert_cmpuint (member.offset, ==, 34);
  g_assert_cmpuint (member.bits, ==, 5);
}

static void
test_path (void)
{
  g_autoptr (GilkBtf) btf = small_kernel ();
  static const struct { guint offset, size; const char *path; } cases[] = {
    { 0, 8, "f_path.mnt" }, { 8, 8, "f_path.dentry" }, { 8, 0, "f_path.dentry" },
    { 16, 8, "id" }, { 16, 4, "low" }, { 20, 4, "high" }, { 16, 0, "id" }, { 18, 1, "id+2" },
    { 24, 4, "f_flags" }, { 24, 1, "f_flags" }, { 26, 1, "f_flags+2" }, { 24, 8, NULL },
    { 28, 1, "lone" }, { 28, 4, "lone" }, { 32, 1, NULL }, { 32, 4, NULL }, { 29, 1, NULL },
    { 36, 4, "items[0].a" }, { 57, 1, "items[2].tag[1]" }, { 56, 4, NULL },
    { 53, 1, "items[2].a+1" }, { 65, 1, "name[1][1]" },
    { 68, 4, NULL }, { 72, 8, "done" }, { 80, 8, "list.next" }, { 88, 8, "list.prev" },
    { 96, 4, "more[0].a" }, { 116, 1, "more[2].tag[0]" }, { 0xfffffffc, 4, NULL },
  };

  for (guint i = 0; i + 1 < G_N_ELEMENTS (cases); i++)
    assert_path (btf, "struct file", cases[i].offset, cases[i].size, cases[i].path);
  assert_path (btf, "struct item", 8, 4, NULL);
  assert_path (btf, "int", 0, 4, NULL);
  g_assert_null (gilk_btf_path_at (btf, 10000, 0, 4));
}

static void
test_type_at (void)
{
  g_autoptr (GilkBtf) btf = small_kernel ();
  const guint file = gilk_btf_find (btf, "struct file");
  guint type;

  g_assert_true (gilk_btf_type_at (btf, file, 8, 8, &type));
  assert_name (btf, type, "struct dentry *");
  g_assert_true (gilk_btf_type_at (btf, file, 24, 4, &type));
  assert_name (btf, type, "u32");
  g_assert_false (gilk_btf_type_at (btf, file, 24, 1, &type));
  /* The type at this offset is a union, of which u64 id is only one member. */
  g_assert_false (gilk_btf_type_at (btf, file, 16, 8, &type));
  g_assert_false (gilk_btf_type_at (btf, file, 28, 4, &type));     /* bit fields */
  g_assert_false (gilk_btf_type_at (btf, 0, 0, 8, &type));
  g_assert_false (gilk_btf_type_at (btf, 10000, 0, 8, &type));
}

/* Tests that empty structs and zero-length arrays between members do not hide the members at their
 * offset. */
static void
test_path_empty (void)
{
  g_autoptr (BtfFile) file = btf_file_new ();
  const guint number = btf_int (file, "int", 4, BTF_INT_SIGNED), marker = btf_array (file, number, 0);
  const guint none = btf_composite (file, BTF_KIND_STRUCT, NULL, 0, (const BtfMember[]) { { NULL, 0 } });
  const guint open = btf_struct (file, NULL, 0, { "__empty", none }, { "data", marker });
  const guint either = btf_union (file, NULL, 4, { "one", number }, { NULL, open });
  g_autoptr (GilkBtf) btf = NULL;

  btf_struct (file, "s", 12, { "begin", marker }, { "a", number }, { "end", marker, 32 }, { "b", number, 32 },
              { NULL, either, 64 });
  btf = read_file (file, NULL);
  assert_path (btf, "struct s", 0, 4, "a");
  assert_path (btf, "struct s", 4, 4, "b");
  assert_path (btf, "struct s", 8, 4, "one");
  assert_path (btf, "struct s", 16, 4, "data[2]");
}

/* Tests a struct that a union pads to a cache line, like struct pcpu_hot of Linux 6.2. */
static void
test_type_filled_up (void)
{
  g_autoptr (BtfFile) file = btf_file_new ();
  const guint number = btf_int (file, "int", 4, BTF_INT_SIGNED), byte = btf_int (file, "u8", 1, 0);
  const guint pointer = btf_to (file, BTF_KIND_PTR, NULL, number), bytes = btf_array (file, byte, 64);
  const guint own = btf_struct (file, NULL, 16, { "task", pointer }, { "count", number, 64 });
  const guint filled = btf_union (file, NULL, 64, { NULL, own }, { "pad", bytes });
  const guint either = btf_union (file, NULL, 64, { NULL, own }, { "pad", bytes }, { "other", pointer });
  g_autoptr (GilkBtf) btf = NULL;
  guint type;

  btf_struct (file, "hot", 64, { NULL, filled });
  btf_struct (file, "cold", 64, { NULL, either });
  btf = read_file (file, NULL);
  g_assert_true (gilk_btf_type_at (btf, gilk_btf_find (btf, "struct hot"), 0, 8, &type));
  assert_name (btf, type, "int *");
  g_assert_false (gilk_btf_type_at (btf, gilk_btf_find (btf, "struct hot"), 32, 8, &type));
  g_assert_false (gilk_btf_type_at (btf, gilk_btf_find (btf, "struct cold"), 0, 8, &type));
}

/* Tests a struct whose members are nested like those of struct iov_iter since Linux 6.4. */
static void
test_path_inner (void)
{
  g_autoptr (BtfFile) file = btf_file_new ();
  const guint number = btf_int (file, "long unsigned int", 8, 0), byte = btf_int (file, "char", 1, 0);
  const guint pair = btf_struct (file, "iovec", 16, { "base", number }, { "length", number, 64 });
  const guint both = btf_struct (file, NULL, 16, { "ubuf", number }, { "count", number, 64 });
  const guint either = btf_union (file, NULL, 16, { "__ubuf", pair }, { NULL, both }, { "later", pair });
  g_autoptr (GilkBtf) btf = NULL;

  btf_struct (file, "iter", 24, { "__kind", byte }, { NULL, either, 64 });
  btf = read_file (file, NULL);
  assert_path (btf, "struct iter", 0, 1, "__kind");
  assert_path (btf, "struct iter", 8, 8, "ubuf");
  assert_path (btf, "struct iter", 16, 8, "count");
}

static void
note_name (const char *name, guint type, gpointer data)
{
  g_string_append_printf (data, "%s ", name);
}

static void
test_completion (void)
{
  g_autoptr (GilkBtf) btf = small_kernel ();
  const guint file = gilk_btf_find (btf, "struct file");
  g_autoptr (GString) names = g_string_new (NULL);

  gilk_btf_members (btf, file, "", note_name, names);
  g_assert_cmpstr (names->str, ==, "f_path id low high f_flags lone first second items name done list more ");
  g_string_truncate (names, 0);
  gilk_btf_members (btf, file, "f_", note_name, names);
  g_assert_cmpstr (names->str, ==, "f_path f_flags ");
  gilk_btf_members (btf, 0, "", note_name, names);
  gilk_btf_members (btf, 10000, "", note_name, names);
  g_assert_cmpstr (names->str, ==, "f_path f_flags ");
}

/* ---- tests of functions, variables and constants ---- */

static void
test_functions (void)
{
  g_autoptr (GilkBtf) btf = small_kernel ();
  GilkPrototype prototype;

  g_assert_true (gilk_btf_function (btf, "done", &prototype));
  g_assert_cmpuint (prototype.n_arguments, ==, 2);
  g_assert_true (prototype.variadic);
  g_assert_cmpstr (prototype.names[0], ==, "file");
  assert_name (btf, prototype.arguments[0], "struct file *");
  assert_name (btf, prototype.arguments[1], "fmode_t");
  assert_name (btf, prototype.returns, "int");
  g_assert_true (gilk_btf_function (btf, "yes", &prototype));
  g_assert_false (prototype.variadic);
  g_assert_true (gilk_btf_function (btf, "alike", &prototype));
  g_assert_false (gilk_btf_function (btf, "twice", &prototype));
  g_assert_false (gilk_btf_function (btf, "file", &prototype));
}

/* Tests a function with more arguments than a GilkPrototype can hold: only the first ones are
 * reported. */
static void
test_many_arguments (void)
{
  g_autoptr (BtfFile) file = btf_file_new ();
  const guint number = btf_int (file, "int", 4, BTF_INT_SIGNED);
  BtfMember params[20] = { { NULL } };
  g_autoptr (GilkBtf) btf = NULL;
  GilkPrototype prototype;

  for (guint i = 0; i < 19; i++)
    params[i] = (BtfMember) { "a", number };
  params[19].bit = 1;
  btf_to (file, BTF_KIND_FUNC, "f", btf_params (file, 0, params));
  btf = read_file (file, NULL);
  g_assert_true (gilk_btf_function (btf, "f", &prototype));
  g_assert_cmpuint (prototype.n_arguments, ==, GILK_BTF_ARGUMENTS);
}

static void
test_variables (void)
{
  g_autoptr (GilkBtf) btf = small_kernel ();
  guint type;

  g_assert_true (gilk_btf_variable (btf, "runqueue", &type));
  g_assert_cmpuint (type, ==, gilk_btf_find (btf, "struct list_head"));
  g_assert_false (gilk_btf_variable (btf, "counts", &type));
  g_assert_false (gilk_btf_variable (btf, "done", &type));
}

static void
test_enums (void)
{
  g_autoptr (GilkBtf) btf = small_kernel ();
  const guint order = gilk_btf_find (btf, "enum order"), wide = gilk_btf_find (btf, "enum wide");
  int64_t value;

  g_assert_cmpstr (gilk_btf_enumerator (btf, order, -1), ==, "LAST");
  g_assert_cmpstr (gilk_btf_enumerator (btf, order, 7), ==, "SAME");
  g_assert_null (gilk_btf_enumerator (btf, order, 0xffffffff));
  g_assert_null (gilk_btf_enumerator (btf, gilk_btf_find (btf, "int"), 1));
  g_assert_cmpstr (gilk_btf_enumerator (btf, order + 1, 0xffffffff), ==, "BIG");
  g_assert_cmpstr (gilk_btf_enumerator (btf, order + 1, -1), ==, "BIG");
  g_assert_cmpstr (gilk_btf_enumerator (btf, wide, (int64_t) 0x8000000000000001ull), ==, "WIDE");
  g_assert_true (gilk_btf_constant (btf, "LAST", &value));
  g_assert_cmpint (value, ==, -1);
  g_assert_true (gilk_btf_constant (btf, "BIG", &value));
  g_assert_cmpint (value, ==, 0xffffffff);
  g_assert_true (gilk_btf_constant (btf, "SAME", &value));
  g_assert_cmpint (value, ==, 7);
  g_assert_true (gilk_btf_constant (btf, "WIDE", &value));
  g_assert_cmpuint ((guint64) value, ==, 0x8000000000000001ull);
  g_assert_false (gilk_btf_constant (btf, "FIRST", &value));
  g_assert_false (gilk_btf_constant (btf, "order", &value));
}

/* ---- tests of the BTF of modules and of future kernels ---- */

static void
test_module (void)
{
  g_autoptr (BtfFile) kernel = btf_file_new ();
  g_autoptr (BtfFile) module = NULL;
  g_autoptr (GilkBtf) base = NULL;
  g_autoptr (GilkBtf) btf = NULL;
  GilkPrototype prototype;
  GilkMember member;
  int64_t value;
  guint own;

  btf_small_kernel (kernel);
  base = read_file (kernel, NULL);
  module = btf_file_new_split (kernel);
  own = btf_struct (module, "own", 112, { "file", gilk_btf_find (base, "struct file") },
                    { "n", gilk_btf_find (base, "u64"), 768 });
  btf_to (module, BTF_KIND_FUNC, "twice", btf_proto_void (module, own));
  btf_enum (module, FALSE, "order", { "FIRST", 9 });
  btf = read_file (module, base);
  gilk_btf_unref (g_steal_pointer (&base));

  g_assert_cmpuint (own, ==, kernel->next);
  g_assert_cmpuint (gilk_btf_find (btf, "struct own"), ==, own);
  assert_path (btf, "struct own", 24, 4, "file.f_flags");
  assert_path (btf, "struct own", 96, 8, "n");
  g_assert_true (gilk_btf_member (btf, gilk_btf_find (btf, "struct file"), "f_flags", &member));
  assert_name (btf, own, "struct own");
  g_assert_true (gilk_btf_function (btf, "done", &prototype));
  g_assert_true (gilk_btf_function (btf, "twice", &prototype));
  g_assert_cmpuint (prototype.returns, ==, own);
  g_assert_true (gilk_btf_constant (btf, "FIRST", &value));
  g_assert_cmpint (value, ==, 9);
  g_assert_true (gilk_btf_constant (btf, "BIG", &value));
}

/* Tests that a type of unknown kind is skipped with the help of the layout section, but can be
 * found by name. */
static void
test_new_kind (void)
{
  enum { NEW = 21 };
  g_autoptr (BtfFile) file = btf_file_new ();
  guint8 layout[4 * (NEW + 1)] = { 0 };
  const guint32 words[] = { 1, 2, 3, 4, 5 };
  g_autoptr (GilkBtf) btf = NULL;
  GilkMember member;
  guint young, id;

  layout[4 * NEW] = 8;
  layout[4 * NEW + 1] = 4;
  g_byte_array_append (file->layout, layout, sizeof layout);
  btf_int (file, "int", 4, BTF_INT_SIGNED);
  young = btf_type (file, BTF_INFO (NEW, 0, 3), "young", 0);
  btf_words (file, G_N_ELEMENTS (words), words);
  id = btf_struct (file, "s", 8, { "a", 1 }, { "b", young, 64 });
  btf = read_file (file, NULL);
  g_assert_cmpint (type_of (btf, young).kind, ==, GILK_TYPE_OTHER);
  g_assert_cmpstr (type_of (btf, young).name, ==, "young");
  g_assert_true (gilk_btf_member (btf, id, "a", &member));
  assert_path (btf, "struct s", 0, 4, "a");
}

/* Tests a struct with more members than a 16-bit number can count. */
static void
test_many_members (void)
{
  enum { MANY = 70000 };
  g_autoptr (BtfFile) file = btf_file_new ();
  g_autofree BtfMember *members = g_new0 (BtfMember, MANY + 1);
  const guint number = btf_int (file, "int", 4, BTF_INT_SIGNED);
  g_autoptr (GilkBtf) btf = NULL;
  GilkMember member;
  guint id;

  for (guint i = 0; i < MANY; i++)
    members[i] = (BtfMember) { i + 1 == MANY ? "last" : "m", number, i * 32 };
  id = btf_composite (file, BTF_KIND_STRUCT, "s", MANY * 4, members);
  btf = read_file (file, NULL);
  g_assert_true (gilk_btf_member (btf, id, "last", &member));
  g_assert_cmpuint (member.offset, ==, (MANY - 1) * 32);
}

/* Tests that control characters in names are replaced. */
static void
test_printable (void)
{
  g_autoptr (BtfFile) file = btf_file_new ();
  const guint id = btf_int (file, "a\n\x1b\xff", 4, 0);
  g_autoptr (GilkBtf) btf = read_file (file, NULL);

  g_assert_cmpstr (type_of (btf, id).name, ==, "a???");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/btf/types", test_types);
  g_test_add_func ("/btf/find", test_find);
  g_test_add_func ("/btf/links", test_links);
  g_test_add_func ("/btf/several", test_several);
  g_test_add_func ("/btf/type-names", test_type_names);
  g_test_add_func ("/btf/members", test_members);
  g_test_add_func ("/btf/old-bits", test_old_bits);
  g_test_add_func ("/btf/path", test_path);
  g_test_add_func ("/btf/type-at", test_type_at);
  g_test_add_func ("/btf/path-empty", test_path_empty);
  g_test_add_func ("/btf/path-inner", test_path_inner);
  g_test_add_func ("/btf/type-filled-up", test_type_filled_up);
  g_test_add_func ("/btf/completion", test_completion);
  g_test_add_func ("/btf/functions", test_functions);
  g_test_add_func ("/btf/many-arguments", test_many_arguments);
  g_test_add_func ("/btf/variables", test_variables);
  g_test_add_func ("/btf/enums", test_enums);
  g_test_add_func ("/btf/module", test_module);
  g_test_add_func ("/btf/new-kind", test_new_kind);
  g_test_add_func ("/btf/many-members", test_many_members);
  g_test_add_func ("/btf/printable", test_printable);

  return g_test_run ();
}

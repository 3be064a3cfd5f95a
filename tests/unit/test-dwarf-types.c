/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-dwarf-types.c - tests that types converted from debug data equal the compiler's types
 *
 * The reference is the compiler of this test, for which the same header is included.
 */
/* Promise: types converted from debug data equal those of the compiler */
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/types/gilk-btf.h"
#include "tests/unit/debug-types.h"

static GilkDwarf *
open_types (const char *name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_BUILT, name, NULL);
  g_autoptr(GError) error = NULL;
  GilkDwarf *dwarf = gilk_dwarf_open (path, NULL, NULL, &error);

  g_assert_no_error (error);

  return dwarf;
}

static GilkBtf *
types_of (const char *name, GilkBtf *base)
{
  g_autoptr(GilkDwarf) dwarf = open_types (name);
  g_autoptr(GError) error = NULL;
  GilkBtf *btf = gilk_btf_new_debug (dwarf, base, GILK_DWARF_ALL_UNITS, &error);

  g_assert_no_error (error);

  return btf;
}

static void
assert_type (const GilkBtf *btf, guint id, const char *wanted)
{
  g_autofree char *text = gilk_btf_type_name (btf, id);

  g_assert_cmpstr (text, ==, wanted);
}

static GilkMember
member_of (const GilkBtf *btf, const char *of, const char *name)
{
  GilkMember member = { 0 };

  if (!gilk_btf_member (btf, gilk_btf_find (btf, of), name, &member))
    g_error ("%s has no member %s", of, name);

  return member;
}

/* ---- checks of the members of converted types ---- */

#define CHECK(NAME, TYPE) \
  check_member (btf, #NAME, offsetof (struct debug_thing, NAME), sizeof ((struct debug_thing *) NULL)->NAME, TYPE)

static void
check_member (const GilkBtf *btf, const char *name, gsize offset, gsize size, const char *text)
{
  const GilkMember member = member_of (btf, "struct debug_thing", name);
  GilkType type;

  g_assert_cmpuint (member.offset, ==, 8 * offset);
  g_assert_cmpuint (member.bits, ==, 0);
  g_assert_true (gilk_btf_type (btf, member.type, &type));
  g_assert_cmpuint (type.size, ==, size);
  assert_type (btf, member.type, text);
}

/* Checks the position and width of the member @name. @thing: the bytes of a struct in which exactly
 * the bits of this member are set */
static void
check_bits (const GilkBtf *btf, const char *name, const struct debug_thing *thing, gboolean is_signed)
{
  const GilkMember member = member_of (btf, "struct debug_thing", name);
  const uint8_t *bytes = (const uint8_t *) thing;
  guint first = G_MAXUINT, n = 0;
  GilkType type;

  for (guint bit = 0; bit < 8 * sizeof *thing; bit++)
    if ((bytes[bit / 8] >> bit % 8 & 1) != 0)
      {
        first = MIN (first, bit);
        n++;
      }
  g_assert_cmpuint (member.offset, ==, first);
  g_assert_cmpuint (member.bits, ==, n);
  g_assert_true (gilk_btf_type (btf, member.type, &type));
  g_assert_cmpint (type.is_signed, ==, is_signed);
}

static void
check_thing (const GilkBtf *btf)
{
  struct debug_thing first = { .first = 7 }, second = { .second = -1 };
  const guint id = gilk_btf_find (btf, "struct debug_thing");
  g_autofree char *path = gilk_btf_path_at (btf, id, (uint32_t) offsetof (struct debug_thing, wide[1][2]), 1);
  GilkType type;

  g_assert_true (gilk_btf_type (btf, id, &type));
  g_assert_cmpuint (type.size, ==, sizeof (struct debug_thing));
  CHECK (next, "struct debug_thing *");
  CHECK (pair, "const struct debug_pair *");
  CHECK (whole, "uint64_t");
  CHECK (high, "uint32_t");
  CHECK (wide, "unsigned char[3][5]");
  CHECK (port, "debug_port_t");
  CHECK (colour, "enum debug_colour");
  CHECK (call, "int (*)(struct debug_thing *, int)");
  CHECK (inner, "struct {...}");
  CHECK (is_last, "_Bool");
  CHECK (rate, "double");
  CHECK (count, "debug_count_t");
  check_bits (btf, "first", &first, FALSE);
  check_bits (btf, "second", &second, TRUE);
  g_assert_cmpstr (path, ==, "wide[1][2]");
  g_assert_true (gilk_btf_type (btf, member_of (btf, "struct debug_thing", "tail").type, &type));
  g_assert_cmpint (type.kind, ==, GILK_TYPE_ARRAY);
  g_assert_cmpuint (type.count, ==, 0);
}

/* ---- tests of pointers to a type of another unit and to an undefined type ---- */

static void
check_elsewhere (const GilkBtf *btf)
{
  const GilkMember elsewhere = member_of (btf, "struct debug_thing", "elsewhere");
  const GilkMember nowhere = member_of (btf, "struct debug_thing", "nowhere");
  GilkMember number;
  GilkType type, target;

  assert_type (btf, elsewhere.type, "struct debug_elsewhere *");
  g_assert_true (gilk_btf_type (btf, elsewhere.type, &type) && gilk_btf_type (btf, type.target, &target));
  g_assert_cmpuint (target.id, ==, gilk_btf_find (btf, "struct debug_elsewhere"));
  g_assert_true (gilk_btf_member (btf, target.id, "number", &number));
  assert_type (btf, nowhere.type, "struct debug_nowhere *");
  g_assert_true (gilk_btf_type (btf, nowhere.type, &type) && gilk_btf_type (btf, type.target, &target));
  g_assert_cmpint (target.kind, ==, GILK_TYPE_OTHER);
}

static void
check_constants (const GilkBtf *btf)
{
  int64_t value;

  g_assert_true (gilk_btf_constant (btf, "DEBUG_GREEN", &value));
  g_assert_cmpint (value, ==, DEBUG_GREEN);
  g_assert_true (gilk_btf_constant (btf, "DEBUG_BLUE", &value));
  g_assert_cmpint (value, ==, DEBUG_BLUE);
  g_assert_true (gilk_btf_constant (btf, "DEBUG_NAMELESS", &value));
  g_assert_cmpint (value, ==, DEBUG_NAMELESS);
  g_assert_cmpstr (gilk_btf_enumerator (btf, gilk_btf_find (btf, "enum debug_colour"), 3), ==, "DEBUG_RED");
}

/* ---- checks of converted function types ---- */

static void
check_functions (const GilkBtf *btf)
{
  GilkPrototype prototype;

  g_assert_true (gilk_btf_own_function (btf, "debug_call", &prototype));
  g_assert_cmpuint (prototype.n_arguments, ==, 3);
  g_assert_true (prototype.variadic);
  g_assert_cmpstr (prototype.names[0], ==, "thing");
  g_assert_cmpstr (prototype.names[1], ==, "port");
  assert_type (btf, prototype.arguments[0], "struct debug_thing *");
  assert_type (btf, prototype.arguments[1], "debug_port_t");
  assert_type (btf, prototype.arguments[2], "const char *");
  assert_type (btf, prototype.returns, "int");
  g_assert_true (gilk_btf_own_function (btf, "debug_quiet", &prototype));
  assert_type (btf, prototype.arguments[0], "const struct debug_pair *");
  g_assert_true (gilk_btf_own_function (btf, "debug_by_value", &prototype));
  g_assert_cmpuint (prototype.n_arguments, ==, 2);
  g_assert_false (gilk_btf_own_function (btf, "debug_elsewise", &prototype));
  g_assert_false (gilk_btf_own_function (btf, "debug_nothing", &prototype));
}

static void
test_types (gconstpointer name)
{
  g_autoptr(GilkBtf) btf = types_of (name, NULL);

  check_thing (btf);
  check_elsewhere (btf);
  check_constants (btf);
  check_functions (btf);
}

/* ---- tests of a module's types, which are based on a kernel's types ---- */

static void
test_base (gconstpointer name)
{
  static const char *const same[] = { "struct debug_thing", "struct debug_pair", "struct debug_elsewhere", "enum debug_colour",
                                      "debug_port_t", "debug_count_t", "uint64_t", "int" };
  g_autoptr(GilkBtf) base = types_of ("debug-types-4.o", NULL);
  g_autoptr(GilkBtf) btf = types_of (name, base);

  for (guint i = 0; i < G_N_ELEMENTS (same); i++)
    {
      g_assert_cmpuint (gilk_btf_find (base, same[i]), !=, 0);
      g_assert_cmpuint (gilk_btf_find (btf, same[i]), ==, gilk_btf_find (base, same[i]));
    }
  check_thing (btf);
  check_elsewhere (btf);
  check_constants (btf);
  check_functions (btf);
}

/* Tests that if a module's struct has the same name and size as a kernel's struct but other
 * members, it becomes a type of its own in the module. */
static void
test_variant (void)
{
  g_autoptr(GilkBtf) base = types_of ("debug-types-5.o", NULL);
  g_autoptr(GilkBtf) btf = types_of ("debug-types-variant.o", base);
  GilkPrototype prototype;
  GilkType type;

  g_assert_cmpuint (gilk_btf_find (btf, "struct debug_pair"), !=, gilk_btf_find (base, "struct debug_pair"));
  g_assert_cmpuint (member_of (btf, "struct debug_pair", "left").offset, ==, 64);
  g_assert_cmpuint (member_of (base, "struct debug_pair", "left").offset, ==, 0);
  g_assert_true (gilk_btf_own_function (btf, "debug_quiet", &prototype));
  g_assert_true (gilk_btf_type (btf, prototype.arguments[0], &type) && gilk_btf_type (btf, type.target, &type));
  g_assert_cmpuint (type.id, ==, gilk_btf_find (btf, "struct debug_pair"));
}

/* Tests that a module's types include a function of the kernel, but not as one of the module's own
 * functions. */
static void
test_own (void)
{
  g_autoptr(GilkBtf) base = types_of ("debug-types-5.o", NULL);
  g_autoptr(GilkBtf) btf = types_of ("debug-work-5.o", base);
  GilkPrototype prototype;

  g_assert_true (gilk_btf_function (btf, "debug_call", &prototype));
  g_assert_false (gilk_btf_own_function (btf, "debug_call", &prototype));
  g_assert_true (gilk_btf_own_function (btf, "debug_work_5", &prototype));
  g_assert_cmpstr (prototype.names[0], ==, "first");
}

/* ---- tests of variables, units, and types local to a function ---- */

#define TEXT_AT 0xffffffff81000000u
#define DATA_AT 0xffffffff82000000u

static gboolean
place_section (const char *section, uint64_t *addr, gpointer data)
{
  *addr = strcmp (section, ".text") == 0 ? TEXT_AT : strcmp (section, ".bss") == 0 ? DATA_AT : 0;

  return *addr != 0;
}

static GilkDwarf *
open_placed (const char *name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_BUILT, name, NULL);
  g_autoptr(GError) error = NULL;
  GilkDwarf *dwarf = gilk_dwarf_open (path, place_section, NULL, &error);

  g_assert_no_error (error);

  return dwarf;
}

/* Returns the address of the code for the source line that has the comment @mark. */
static uint64_t
find_mark (GilkDwarf *dwarf, const char *mark)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "debug-types.c", NULL), *source = NULL;
  g_autoptr(GArray) locations = NULL;
  guint line = 1, nearest;

  g_assert_true (g_file_get_contents (path, &source, NULL, NULL));
  for (const char *at = source; at < strstr (source, mark); at++)
    line += *at == '\n';
  locations = gilk_dwarf_locations (dwarf, "unit/debug-types.c", line, &nearest);
  g_assert_cmpuint (locations->len, >, 0);

  return g_array_index (locations, GilkDwarfLocation, 0).addr;
}

static void
test_variable (gconstpointer name)
{
  g_autoptr(GilkBtf) btf = types_of (name, NULL);
  guint id;

  g_assert_true (gilk_btf_variable (btf, "debug_variable", &id));
  assert_type (btf, id, "struct debug_thing");
  g_assert_false (gilk_btf_variable (btf, "debug_call", &id));
}

/* Tests that a compilation unit has only its own types and functions. */
static void
test_unit (gconstpointer name)
{
  const GilkDwarfScope scopes[] = {
    { .code = TEXT_AT + 1 }, { .data = DATA_AT }, { .type = "struct debug_thing" }, { .type = "struct debug_elsewhere" },
    { .code = 1, .type = "enum debug_colour" },
  };
  g_autoptr(GilkDwarf) dwarf = open_placed (name);
  uint64_t units[G_N_ELEMENTS (scopes)], none;
  g_autoptr(GilkBtf) first = NULL, second = NULL;
  GilkPrototype prototype;
  GilkType type;

  for (guint i = 0; i < G_N_ELEMENTS (scopes); i++)
    g_assert_true (gilk_dwarf_find_unit (dwarf, &scopes[i], &units[i]));
  g_assert_cmpuint (units[0], ==, units[1]);
  g_assert_cmpuint (units[0], ==, units[2]);
  g_assert_cmpuint (units[0], !=, units[3]);
  g_assert_false (gilk_dwarf_find_unit (dwarf, &(GilkDwarfScope) { .code = 1, .data = 1, .type = "struct debug_nowhere" }, &none));
  first = gilk_btf_new_debug (dwarf, NULL, units[0], NULL);
  second = gilk_btf_new_debug (dwarf, first, units[3], NULL);
  g_assert_true (gilk_btf_function (first, "debug_call", &prototype));
  g_assert_false (gilk_btf_function (first, "debug_other", &prototype));
  g_assert_true (gilk_btf_type (first, gilk_btf_find (first, "struct debug_elsewhere"), &type));
  g_assert_cmpint (type.kind, ==, GILK_TYPE_OTHER);
  g_assert_true (gilk_btf_type (second, gilk_btf_find (second, "struct debug_elsewhere"), &type));
  g_assert_cmpint (type.kind, ==, GILK_TYPE_STRUCT);
  g_assert_cmpuint (gilk_btf_find (first, "struct debug_inside"), ==, 0);
}

/* Tests that if two types local to a function have the same name, the innermost is used, and that
 * other types of the file are not local. */
static void
test_local (gconstpointer name)
{
  g_autoptr(GilkDwarf) dwarf = open_placed (name);
  g_autoptr(GilkBtf) base = gilk_btf_new_debug (dwarf, NULL, GILK_DWARF_ALL_UNITS, NULL);
  g_autoptr(GilkBtf) outside = NULL, inside = NULL;
  g_autoptr(GError) error = NULL;
  GilkMember member;

  outside = gilk_btf_new_debug_local (dwarf, base, find_mark (dwarf, "/* OUTSIDE */"), &error);
  g_assert_no_error (error);
  inside = gilk_btf_new_debug_local (dwarf, base, find_mark (dwarf, "/* INSIDE */"), &error);
  g_assert_no_error (error);
  member = member_of (outside, "struct debug_inside", "pair");
  g_assert_cmpuint (member.offset, ==, 64);
  g_assert_cmpuint (member.type, ==, gilk_btf_find (base, "struct debug_pair"));
  member_of (inside, "struct debug_inside", "shallow");
  g_assert_false (gilk_btf_member (inside, gilk_btf_find (inside, "struct debug_inside"), "deep", &member));
  g_assert_null (gilk_btf_new_debug_local (dwarf, base, TEXT_AT - 64, &error));
  g_assert_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND);
}

static void
test_none (void)
{
  g_autoptr(GilkDwarf) dwarf = open_types ("debug-types-none.o");
  g_autoptr(GError) error = NULL;

  g_assert_null (gilk_btf_new_debug (dwarf, NULL, GILK_DWARF_ALL_UNITS, &error));
  g_assert_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND);
  g_assert_nonnull (strstr (error->message, "-g1"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/dwarf-types/types-4", "debug-types-4.o", test_types);
  g_test_add_data_func ("/dwarf-types/types-5", "debug-types-5.o", test_types);
  g_test_add_data_func ("/dwarf-types/base-4", "debug-types-4.o", test_base);
  g_test_add_data_func ("/dwarf-types/base-5", "debug-types-5.o", test_base);
  for (guint i = 4; i <= 5; i++)
    {
      g_autofree char *name = g_strdup_printf ("debug-types-%u.o", i);
      g_autofree char *variable = g_strdup_printf ("/dwarf-types/variable-%u", i), *unit = g_strdup_printf ("/dwarf-types/unit-%u", i);
      g_autofree char *local = g_strdup_printf ("/dwarf-types/local-%u", i);

      g_test_add_data_func_full (variable, g_strdup (name), test_variable, g_free);
      g_test_add_data_func_full (unit, g_strdup (name), test_unit, g_free);
      g_test_add_data_func_full (local, g_strdup (name), test_local, g_free);
    }
  g_test_add_func ("/dwarf-types/variant", test_variant);
  g_test_add_func ("/dwarf-types/own", test_own);
  g_test_add_func ("/dwarf-types/none", test_none);

  return g_test_run ();
}

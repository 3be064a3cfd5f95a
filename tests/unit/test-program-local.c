/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-program-local.c - runs programs that read local variables, located by debug data, on a
 * simulated machine
 */
#include "tests/unit/program-hit.h"

#define STACK_AT (MODEL_BASE + 0x600)

#define INT(SIZE, SIGNED) { .kind = GILK_DWARF_TYPE_INT, .name = (char *) "int", .size = SIZE, .is_signed = SIGNED }
#define FILE_POINTER { .kind = GILK_DWARF_TYPE_STRUCT, .name = (char *) "struct file", .stars = 1, .size = 176 }

static GArray *
make_locals (void)
{
  static const GilkDwarfVariable all[] = {
    { .name = (char *) "narrow", .type = INT (4, TRUE), .kind = GILK_DWARF_VALUE, .reg = 3 },
    { .name = (char *) "byte", .type = INT (1, FALSE), .kind = GILK_DWARF_VALUE, .reg = 3 },
    { .name = (char *) "sum", .type = INT (8, TRUE), .kind = GILK_DWARF_VALUE, .reg = 3, .offset = -5 },
    { .name = (char *) "fixed", .type = INT (4, TRUE), .kind = GILK_DWARF_VALUE, .reg = GILK_DWARF_NO_REG, .offset = -1 },
    { .name = (char *) "kept", .type = INT (4, TRUE), .kind = GILK_DWARF_MEMORY, .reg = 5, .offset = 8 },
    { .name = (char *) "thing", .type = FILE_POINTER, .kind = GILK_DWARF_VALUE, .reg = 12 },
    { .name = (char *) "whole", .type = { .kind = GILK_DWARF_TYPE_STRUCT, .name = (char *) "struct file", .size = 176 },
      .kind = GILK_DWARF_MEMORY, .reg = 12 },
    { .name = (char *) "other", .type = { .kind = GILK_DWARF_TYPE_STRUCT, .name = (char *) "struct file", .size = 8 },
      .kind = GILK_DWARF_MEMORY, .reg = 12 },
    { .name = (char *) "words", .type = { .kind = GILK_DWARF_TYPE_INT, .name = (char *) "int", .size = 4, .is_signed = TRUE,
      .is_array = TRUE }, .kind = GILK_DWARF_MEMORY, .reg = 5, .offset = 16 },
    { .name = (char *) "static_one", .type = INT (4, TRUE), .kind = GILK_DWARF_MEMORY, .reg = GILK_DWARF_NO_REG,
      .offset = (int64_t) (STACK_AT + 8) },
    { .name = (char *) "yes", .type = { .kind = GILK_DWARF_TYPE_INT, .size = 1, .is_bool = TRUE }, .kind = GILK_DWARF_VALUE,
      .reg = 13 },
    { .name = (char *) "lost", .type = INT (4, TRUE), .kind = GILK_DWARF_OPTIMIZED_OUT, .known = { 0x1000, 0x2000 } },
    { .name = (char *) "never", .type = INT (4, TRUE), .kind = GILK_DWARF_OPTIMIZED_OUT },
    { .name = (char *) "inner", .type = INT (4, TRUE), .kind = GILK_DWARF_OPTIMIZED_OUT, .function = (char *) "put_page" },
    { .name = (char *) "parts", .type = INT (8, TRUE), .kind = GILK_DWARF_PARTS },
    { .name = (char *) "computed", .type = INT (8, TRUE), .kind = GILK_DWARF_COMPUTED },
    { .name = (char *) "in_one", .type = { .kind = GILK_DWARF_TYPE_STRUCT, .name = (char *) "struct file", .size = 176 },
      .kind = GILK_DWARF_VALUE, .reg = 3 },
    { .name = (char *) "count", .type = INT (8, FALSE), .kind = GILK_DWARF_VALUE, .reg = 3 },
    { .name = (char *) "MODE_ON", .type = INT (8, FALSE), .kind = GILK_DWARF_VALUE, .reg = 3 },
  };
  GArray *locals = g_array_new (FALSE, FALSE, sizeof (GilkDwarfVariable));

  return g_array_append_vals (locals, all, G_N_ELEMENTS (all));
}

static const GArray *
find_locals (gpointer data, GError **error)
{
  return data;
}

static char *
name_spot (uint64_t addr, gpointer data)
{
  return g_strdup_printf ("vfs_write+0x%x", (guint) addr);
}

/* Returns a description of a point inside the function, where arguments are no longer in their
 * registers. */
static GilkProgramPlace
place_within (GilkBtf *btf, GArray *locals)
{
  GilkProgramPlace place = program_place (btf);

  place.at_entry = FALSE;
  place.locals = find_locals;
  place.address_name = name_spot;
  place.data = locals;
  place.hook = NULL;

  return place;
}

static void
test_values (void)
{
  static const struct { const char *text; int64_t value; } cases[] = {
    { "narrow", -2 }, { "byte", 254 }, { "sum", (int64_t) 0xdeadbeeffffffff9 }, { "fixed", -1 }, { "kept", -77 },
    { "kept + 1", -76 }, { "*&kept", -77 }, { "words[1]", 12 }, { "*words", 11 }, { "static_one", -77 }, { "yes", 1 }, { "yes == 1", 1 },
    { "count", (int64_t) 0xdeadbeeffffffffe }, { "MODE_ON", (int64_t) 0xdeadbeeffffffffe }, { "thing == (struct file *) %r12", 1 },
    { "&whole == thing", 1 }, { "kept < 0 && narrow < 0", 1 }, { "sizeof (struct file)", 176 },
  };
  g_autoptr(GArray) locals = make_locals ();

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = g_strdup_printf ("sample (x = %s)", cases[i].text);
      GilkBtf *btf = program_btf ();
      const GilkProgramPlace place = place_within (btf, locals);
      g_autoptr(Hit) hit = hit_new_at (text, &place, btf);

      hit->machine.registers[3] = UINT64_C (0xdeadbeeffffffffe);
      hit->machine.registers[5] = STACK_AT;
      hit->machine.registers[12] = FILE_AT;
      hit->machine.registers[13] = UINT64_C (0xdeadbeef00000001);
      hit_poke (hit, STACK_AT + 8, 4, (uint32_t) -77);
      hit_poke (hit, STACK_AT + 16, 4, 11);
      hit_poke (hit, STACK_AT + 20, 4, 12);
      hit_it (hit);
      if (hit_sampled (hit, "x") != cases[i].value)
        g_error ("%s is %" G_GINT64_FORMAT ", not %" G_GINT64_FORMAT, text, hit_sampled (hit, "x"), cases[i].value);
    }
}

/* Tests that the fields of a sample are named after the local variables that it contains. */
static void
test_names (void)
{
  g_autoptr(GArray) locals = make_locals ();
  g_autoptr(GilkBtf) btf = program_btf ();
  const GilkProgramPlace place = place_within (btf, locals);
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkProgram) program = gilk_program_new ("sample (kept, sum, fixed, kept + 1)", &place, NULL, &error);
  const struct ilk_field *fields;
  guint n;

  g_assert_no_error (error);
  fields = gilk_program_fields (program, &n);
  g_assert_cmpuint (n, >=, 4);
  g_assert_cmpstr (fields[0].name, ==, "kept");
  g_assert_cmpint (fields[0].type, ==, ILK_FIELD_S32);
  g_assert_cmpstr (fields[1].name, ==, "sum");
  g_assert_cmpstr (fields[2].name, ==, "fixed");
}

static void
test_refused (void)
{
  static const struct { const char *text, *says; } cases[] = {
    { "sample (lost)", "vfs_write+0x1000 and vfs_write+0x2000" }, { "sample (never)", "by the compiler" },
    { "sample (inner)", "of put_page, inlined here" }, { "sample (parts)", "several locations" },
    { "sample (computed)", "has no location" }, { "sample (in_one)", "in a register" },
    { "sample (other)", "which programs cannot read" }, { "sample (whole)", "is not a number or a pointer" }, { "sample (narro)", "Did you mean narrow?" },
    { "kept = 5", "cannot be set" }, { "sample (whole.no_such)", "no member" }, { "sample (file)", "at the function's entry" },
  };
  g_autoptr(GArray) locals = make_locals ();
  g_autoptr(GilkBtf) btf = program_btf ();
  const GilkProgramPlace place = place_within (btf, locals);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr(GError) error = NULL;

      g_assert_null (gilk_program_new (cases[i].text, &place, NULL, &error));
      g_assert_error (error, GILK_ERROR, GILK_ERROR_USAGE);
      if (strstr (error->message, cases[i].says) == NULL)
        g_error ("%s: %s", cases[i].text, error->message);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/program-local/values", test_values);
  g_test_add_func ("/program-local/names", test_names);
  g_test_add_func ("/program-local/refused", test_refused);

  return g_test_run ();
}

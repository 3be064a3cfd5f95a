/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-program-module.c - tests that programs in a module without BTF load the types of its debug
 * data on demand
 *
 * Kernel and module are compiled from tests/unit/debug-types.h: each has its own struct debug_pair.
 */
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/program/gilk-program.h"

typedef struct {
  GilkBtf *kernel, *module;
  guint    asked;
  int      fails;              /* error code that the lookup of types returns; 0: it succeeds */
} Fixture;

static GilkBtf *
types_of (const char *name, GilkBtf *base)
{
  g_autofree char *path = g_test_build_filename (G_TEST_BUILT, name, NULL);
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkDwarf) dwarf = gilk_dwarf_open (path, NULL, NULL, &error);
  GilkBtf *btf = dwarf != NULL ? gilk_btf_new_debug (dwarf, base, GILK_DWARF_ALL_UNITS, &error) : NULL;

  g_assert_no_error (error);

  return btf;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->kernel = types_of ("debug-types-5.o", NULL);
  fixture->module = types_of ("debug-types-variant.o", fixture->kernel);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  gilk_btf_unref (fixture->kernel);
  gilk_btf_unref (fixture->module);
}

static GilkBtf *
tell_types (const char *name, gpointer data, GError **error)
{
  Fixture *fixture = data;

  fixture->asked++;
  if (fixture->fails == 0)
    return fixture->module;
  g_set_error (error, GILK_ERROR, fixture->fails, "There is nothing to be had. Give it with --debug.");

  return NULL;
}

static GilkProgramPlace
place_of (Fixture *fixture)
{
  return (GilkProgramPlace) {
    .btf = fixture->kernel, .function = "debug_quiet", .types_alone = TRUE, .at_entry = TRUE, .debug_types = tell_types,
    .current_task = 8, .cpu_number = 8, .task_tgid = 8, .data = fixture,
  };
}

/* Compiles the program. Returns NULL if it is refused. */
static GilkProgram *
read_program (Fixture *fixture, const char *text, GError **error)
{
  const GilkProgramPlace place = place_of (fixture);

  fixture->asked = 0;

  return gilk_program_new (text, &place, NULL, error);
}

static void
assert_taken (Fixture *fixture, const char *text, guint asked)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkProgram) program = read_program (fixture, text, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (fixture->asked, ==, asked);
}

static void
assert_refused (Fixture *fixture, const char *text, int code, const char *words)
{
  g_autoptr(GError) error = NULL;

  g_assert_null (read_program (fixture, text, &error));
  g_assert_true (code == 0 || g_error_matches (error, GILK_ERROR, code));
  if (strstr (error->message, words) == NULL)
    g_error ("%s: %s", text, error->message);
  g_assert_cmpuint (fixture->asked, ==, 1);
}

/* ---- tests of programs that need types ---- */

static void
test_asked (Fixture *fixture, gconstpointer data)
{
  assert_taken (fixture, "counter c; c++; sample(%rdi, *(u32 *) (%rdi + 8))", 0);
  assert_taken (fixture, "sample(pair->left, pair->right)", 1);
  assert_taken (fixture, "sample(((struct debug_pair *) arg0)->left, sizeof(struct debug_thing), pid)", 1);
  assert_taken (fixture, "sample(((struct debug_thing *) arg0)->next->elsewhere->number == DEBUG_NAMELESS)", 1);
  assert_taken (fixture, "let port = (debug_port_t) %rsi; sample(port)", 1);
}

/* Tests that the module's struct is found, and not the kernel's struct of the same name. */
static void
test_own (Fixture *fixture, gconstpointer data)
{
  g_autoptr(GilkProgram) program = read_program (fixture, "sample(pair->left)", NULL);
  const GArray *ops = gilk_program_ops (program)->ops;
  gboolean loads = FALSE;

  for (guint i = 0; i < ops->len; i++)
    loads |= g_array_index (ops, GilkOp, i).kind == GILK_OP_LOAD && g_array_index (ops, GilkOp, i).imm == 8;
  g_assert_true (loads);
}

/* ---- tests of unknown names and types ---- */

static void
test_unknown (Fixture *fixture, gconstpointer data)
{
  assert_refused (fixture, "sample(pair->lefd)", 0, "struct debug_pair has no member lefd. Did you mean left?");
  assert_refused (fixture, "sample(((struct debug_no *) arg0)->left)", 0, "Unknown type struct debug_no");
  fixture->fails = GILK_ERROR_NOT_FOUND;
  assert_refused (fixture, "sample(whatever->left)", 0, "Unknown name whatever. The module has no BTF types of its own");
  assert_refused (fixture, "sample(((struct debug_no *) arg0)->left)", 0, "Give it with --debug.");
  assert_taken (fixture, "sample(((struct debug_thing *) arg0)->port, pid)", 1);
  fixture->fails = GILK_ERROR_FORMAT;
  assert_refused (fixture, "sample(whatever->left)", 0, "Give it with --debug.");
}

/* Tests a failed lookup of types. Programs that need types are refused, because the module may have
 * them; others are accepted. */
static void
test_lost (Fixture *fixture, gconstpointer data)
{
  fixture->fails = GILK_ERROR_TARGET;
  assert_refused (fixture, "sample(pid)", 0, "There is nothing to be had.");
  assert_refused (fixture, "sample((foo) + 1)", 0, "There is nothing to be had.");
  assert_taken (fixture, "counter c; c++", 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/program-module/asked", Fixture, NULL, set_up, test_asked, tear_down);
  g_test_add ("/program-module/own", Fixture, NULL, set_up, test_own, tear_down);
  g_test_add ("/program-module/unknown", Fixture, NULL, set_up, test_unknown, tear_down);
  g_test_add ("/program-module/lost", Fixture, NULL, set_up, test_lost, tear_down);

  return g_test_run ();
}

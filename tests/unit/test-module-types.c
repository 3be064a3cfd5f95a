/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-module-types.c - tests that hooks, watchpoints and completions in a module or kernel without
 * BTF use the types of its debug data
 *
 * The module consists of a function debug_quiet() of a few bytes and a variable. Its debug data
 * come from tests/unit/debug-types.c.
 */
#include "core/base/gilk-error.h"
#include "core/bind/gilk-bound-private.h"
#include "core/bind/gilk-bound-watchpoint.h"
#include "core/bind/gilk-point-complete.h"
#include "core/image/gilk-type-scope.h"
#include "core/run/gilk-run.h"
#include "program-kernel.h"
#include "splice-fixture.h"

static const uint8_t text[] = {
  FENTRY,                             /* 0: a function of the kernel */
  0x48, 0x89, 0xf8,                   /* 5: mov %rdi,%rax */
  0x48, 0x83, 0xc0, 0x10,             /* 8: add $0x10,%rax */
  0xc3,                               /* c: ret */
  0xcc, 0xcc, 0xcc,
  FENTRY,                             /* 10: debug_quiet() */
  0x48, 0x89, 0xf8,                   /* 15: mov %rdi,%rax */
  0x48, 0x83, 0xc0, 0x10,             /* 18: add $0x10,%rax */
  0xc3,                               /* 1c: ret */
};

static void
open_kernel (Fixture *fixture, const char *debug)
{
  const GilkSite sites[] = { { FIXTURE_BASE, 0, GILK_SITE_FENTRY }, { FIXTURE_BASE + 0x10, 0, GILK_SITE_FENTRY } };
  g_autofree char *path = debug != NULL ? g_test_build_filename (G_TEST_BUILT, debug, NULL) : NULL;
  g_autoptr(GilkBtf) btf = program_btf ();
  g_autoptr(GError) error = NULL;

  fixture_init_named (fixture, "vfs_write", FIXTURE_BASE, text, sizeof text, "ffffffff81000010 t debug_quiet\t[thing]\nffffffff8100001d t thing_end\t[thing]\n"
                      "ffffffff82000000 B debug_variable\t[thing]\n", sites, G_N_ELEMENTS (sites));
  gilk_types_set_for_tests (gilk_image_types (fixture->image), NULL, btf);
  if (path == NULL)
    return;
  gilk_debug_set_for_tests (gilk_image_debug (fixture->image), "thing", gilk_dwarf_open (path, NULL, NULL, &error));
  g_assert_no_error (error);
}

static GilkBoundPlan *
bind_program (const Fixture *fixture, const char *code)
{
  g_autofree char *words = g_strdup_printf ("[gilk-plan]\nversion=2\n[program p]\ncode=%s\n[hook a]\nfunction=debug_quiet\n"
                                            "anchor=entry\nwhere=pre\nprogram=p\n", code);
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkPlan) plan = gilk_plan_parse (words, strlen (words), "t.plan", &error);
  GilkBoundPlan *bound;

  g_assert_no_error (error);
  bound = gilk_bound_plan_new (plan, fixture->functions, fixture->image, NULL, NULL, &error);
  g_assert_no_error (error);

  return bound;
}

static void
test_hook (void)
{
  Fixture fixture;
  GilkBoundPlan *bound;
  const GilkBoundHook *hook;

  open_kernel (&fixture, "debug-types-5.o");
  bound = bind_program (&fixture, "sample(pair->right, ((struct debug_thing *) arg0)->port, ((struct file *) arg0)->f_flags)");
  hook = &g_array_index (bound->hooks, GilkBoundHook, 0);
  g_assert_no_error (hook->error);
  g_assert_nonnull (hook->program);
  gilk_bound_plan_free (bound);
  fixture_clear (&fixture);
}

/* Tests that without debug data, the error names the missing file and the remedy. */
static void
test_refused (void)
{
  Fixture fixture;
  GilkBoundPlan *bound;
  const GilkBoundHook *hook;

  open_kernel (&fixture, NULL);
  bound = bind_program (&fixture, "sample(((struct debug_thing *) arg0)->port)");
  hook = &g_array_index (bound->hooks, GilkBoundHook, 0);
  g_assert_nonnull (hook->error);
  g_assert_nonnull (strstr (hook->error->message, "Unknown type struct debug_thing. The module has no BTF types of its own"));
  gilk_bound_plan_free (bound);
  fixture_clear (&fixture);
}

/* Tests that types are converted once, until other debug data are given. */
static void
test_once (void)
{
  g_autoptr(GilkBtf) first = NULL, again = NULL, none = NULL;
  g_autoptr(GError) error = NULL;
  Fixture fixture;
  GilkTypeScope scope = { .module = 0 };

  open_kernel (&fixture, "debug-types-4.o");
  scope.module = gilk_functions_at (fixture.functions, FIXTURE_BASE + 0x10)->module;
  g_assert_cmpuint (scope.module, !=, 0);
  first = gilk_scope_debug_types (fixture.image, &scope, NULL, &error);
  g_assert_no_error (error);
  again = gilk_scope_debug_types (fixture.image, &scope, NULL, &error);
  g_assert_true (first == again);
  gilk_debug_use (gilk_image_debug (fixture.image), NULL);
  none = gilk_scope_debug_types (fixture.image, &scope, NULL, &error);
  g_assert_null (none);
  g_assert_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND);
  fixture_clear (&fixture);
}

/* ---- test of watchpoints on variables of the module ---- */

static void
assert_watched (const Fixture *fixture, const char *what, const char *wanted)
{
  guint type = 0;
  g_autoptr(GilkBtf) btf = gilk_watchpoint_type (fixture->image, what, &type, NULL);
  g_autofree char *name = btf != NULL ? gilk_btf_type_name (btf, type) : NULL;

  g_assert_cmpstr (name, ==, wanted);
}

/* Tests that a variable of a module has the type stated in the debug data, and a cast can name a
 * type of the module. */
static void
test_watchpoint (void)
{
  Fixture fixture;

  open_kernel (&fixture, "debug-types-5.o");
  assert_watched (&fixture, "debug_variable.port", "short unsigned int");
  assert_watched (&fixture, "debug_variable [thing].wide[1][2]", "unsigned char");
  assert_watched (&fixture, "(struct debug_pair) debug_variable.right", "int");
  assert_watched (&fixture, "(struct file) debug_variable.f_flags", "unsigned int");
  assert_watched (&fixture, "(struct debug_absent) debug_variable.right", NULL);
  assert_watched (&fixture, "debug_variable.absent", NULL);
  fixture_clear (&fixture);
  open_kernel (&fixture, NULL);
  assert_watched (&fixture, "debug_variable.port", NULL);
  fixture_clear (&fixture);
}

/* ---- tests of a kernel without BTF ---- */

static gboolean
place_section (const char *section, uint64_t *addr, gpointer data)
{
  *addr = strcmp (section, ".text") == 0 ? FIXTURE_BASE : strcmp (section, ".bss") == 0 ? FIXTURE_BASE + 0x1000000 : 0;

  return *addr != 0;
}

static void
open_bare_kernel (Fixture *fixture)
{
  const GilkSite sites[] = { { FIXTURE_BASE, 0, GILK_SITE_FENTRY }, { FIXTURE_BASE + 0x10, 0, GILK_SITE_FENTRY } };
  g_autofree char *path = g_test_build_filename (G_TEST_BUILT, "debug-types-5.o", NULL);
  g_autoptr(GError) error = NULL;

  fixture_init_named (fixture, "debug_quiet", FIXTURE_BASE, text, sizeof text, "ffffffff82000000 B debug_variable\n", sites,
                      G_N_ELEMENTS (sites));
  gilk_debug_set_for_tests (gilk_image_debug (fixture->image), "kernel", gilk_dwarf_open (path, place_section, NULL, &error));
  g_assert_no_error (error);
}

/* Tests that types of the function's unit are found, and types of another unit if a cast names
 * them. */
static void
test_kernel (void)
{
  static const char *const programs[] = {
    "sample(pair->right)", "sample(((struct debug_thing *) arg0)->port)", "sample(((struct debug_elsewhere *) arg0)->number)",
    "if (arg1 == DEBUG_GREEN) sample(pair->left)",
  };
  GilkBoundPlan *bound;
  Fixture fixture;

  open_bare_kernel (&fixture);
  for (guint i = 0; i < G_N_ELEMENTS (programs); i++)
    {
      bound = bind_program (&fixture, programs[i]);
      g_assert_no_error (gilk_bound_hook (bound, 0)->error);
      gilk_bound_plan_free (bound);
    }
  bound = bind_program (&fixture, "sample(((struct debug_absent *) arg0)->port)");
  g_assert_nonnull (gilk_bound_hook (bound, 0)->error);
  gilk_bound_plan_free (bound);
  assert_watched (&fixture, "debug_variable.port", "short unsigned int");
  assert_watched (&fixture, "(struct debug_elsewhere) debug_variable.number", "int");
  fixture_clear (&fixture);
}

static gboolean
completes_to (const GilkCfg *cfg, const char *code, const char *wanted)
{
  g_autoptr(GError) error = NULL;
  GilkTextPart part;
  g_autoptr(GPtrArray) found = gilk_point_complete (cfg, cfg->entry, GILK_WHERE_PRE, FALSE, NULL, code, strlen (code), NULL,
                                                    &part, &error);
  gboolean has = FALSE;

  g_assert_no_error (error);
  for (guint i = 0; i < found->len; i++)
    has |= strcmp (((const GilkCompletion *) g_ptr_array_index (found, i))->text, wanted) == 0;

  return has;
}

static void
test_complete (void)
{
  g_autoptr(GilkCfg) cfg = NULL;
  g_autoptr(GError) error = NULL;
  Fixture fixture;

  open_kernel (&fixture, "debug-types-5.o");
  cfg = gilk_cfg_new (fixture.functions, gilk_functions_at (fixture.functions, FIXTURE_BASE + 0x10), fixture.decoder, &error);
  g_assert_no_error (error);
  g_assert_true (completes_to (cfg, "sample(pai", "pair"));
  g_assert_true (completes_to (cfg, "sample(pair->", "left"));
  g_assert_true (completes_to (cfg, "sample(((struct debug_th", "debug_thing"));
  g_assert_true (completes_to (cfg, "sample(((struct debug_thing *) arg0)->next->in", "inner"));
  g_assert_true (completes_to (cfg, "sample(((struct file *) arg0)->f_fl", "f_flags"));
  fixture_clear (&fixture);
}

int
main (int argc, char **argv)
{
  g_unsetenv ("GILK_DEBUG");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/module-types/hook", test_hook);
  g_test_add_func ("/module-types/refused", test_refused);
  g_test_add_func ("/module-types/once", test_once);
  g_test_add_func ("/module-types/watchpoint", test_watchpoint);
  g_test_add_func ("/module-types/kernel", test_kernel);
  g_test_add_func ("/module-types/complete", test_complete);

  return g_test_run ();
}

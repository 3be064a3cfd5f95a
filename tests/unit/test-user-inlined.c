/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-user-inlined.c - tests that inlined functions of programs and libraries are found by their
 * debug data
 *
 * The reference is the code itself: each inlined copy starts with an instruction that occurs
 * nowhere else. A false agent serves the programs, so that Gilk does not take them for files of
 * this machine.
 */
/* Promise: an inlined function of a program is found wherever its debug data are, or the missing file is named */
#include <glib/gstdio.h>

#include "core/base/gilk-error.h"
#include "core/bind/gilk-bound-plan.h"
#include "core/cfg/gilk-function.h"
#include "core/cfg/gilk-locate.h"
#include "tests/unit/false-agent-socket.h"

#define PATH   "/elsewhere/"
#define COPIES 3             /* number of copies of the marked function in user-inlined.c */
#define NEAR   24            /* maximum number of bytes from the start of a copy to its mark */

static const uint8_t mark[] = { 0x66, 0x0f, 0x1f, 0x80, 0x11, 0x7a, 0, 0 };

typedef struct {
  FalseSocket    socket;
  char          *folder;       /* (nullable): the test's files, removed at the end */
  GilkTarget    *target;
  GilkImage     *image;
  GilkFunctions *functions;
} Fixture;

static void
open_target (Fixture *f, const char *files)
{
  g_autoptr(GError) error = NULL;

  false_socket_start (&f->socket, 2, NULL, NULL);
  f->socket.agent->files = files;
  f->target = gilk_target_open (f->socket.spec, NULL, NULL, &error);
  g_assert_no_error (error);
  f->image = gilk_image_open (f->target, NULL, NULL, &error);
  g_assert_no_error (error);
  f->functions = gilk_functions_new (f->image);
}

static void
close_target (Fixture *f)
{
  gilk_functions_unref (f->functions);
  gilk_image_unref (f->image);
  gilk_target_unref (f->target);
  false_socket_stop (&f->socket);
}

static void
remove_folder (const char *folder)
{
  g_autoptr(GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      g_unlink (path);
    }
  g_rmdir (folder);
}

/* ---- comparing the copies found with the marks in the code ---- */

/* Returns whether a mark is at most NEAR bytes after @addr. */
static gboolean
has_mark (GilkFunctions *program, uint64_t addr)
{
  const GilkFunction *function = gilk_functions_at (program, addr);
  g_autoptr(GilkDecoder) decoder = gilk_decoder_new ();
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkCfg) cfg = NULL;
  gboolean starts = FALSE, marked = FALSE;

  g_assert_nonnull (function);
  cfg = gilk_cfg_new (program, function, decoder, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < cfg->n_insns; i++)
    {
      const uint8_t *bytes = gilk_image_bytes (cfg->image, cfg->insns[i].addr, cfg->insns[i].len, NULL);

      starts |= cfg->insns[i].addr == addr;
      marked |= cfg->insns[i].addr - addr <= NEAR && cfg->insns[i].len == sizeof mark && memcmp (bytes, mark, sizeof mark) == 0;
    }
  g_assert_true (starts);

  return marked;
}

static void
assert_located (Fixture *f, const char *name, guint count)
{
  g_autoptr(GError) error = NULL;
  gboolean more = TRUE;
  g_autoptr(GArray) locations = gilk_locate_inlined (f->functions, name, &more, NULL, &error);
  GilkFunctions *program = gilk_locate_functions (f->functions, name, NULL);

  g_assert_no_error (error);
  g_assert_false (more);
  g_assert_cmpuint (locations->len, ==, count);
  for (guint i = 0; i < count; i++)
    g_assert_true (has_mark (program, g_array_index (locations, GilkDwarfLocation, i).addr));
}

/* ---- tests of programs that contain their debug data ---- */

static gboolean
is_built (const char *name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_BUILT, name, NULL);

  return g_file_test (path, G_FILE_TEST_EXISTS);
}

/* Checks that the hook is bound once at each copy. */
static void
assert_hooked (Fixture *f, const char *name)
{
  GilkFunctions *program = gilk_locate_functions (f->functions, name, NULL);
  g_autoptr(GArray) locations = NULL;
  gboolean more;

  locations = gilk_locate_inlined (f->functions, name, &more, NULL, NULL);
  for (guint i = 0; i < locations->len; i++)
    {
      const uint64_t addr = g_array_index (locations, GilkDwarfLocation, i).addr;
      const GilkFunction *function = gilk_functions_at (program, addr);
      g_autofree char *of = gilk_functions_name (program, function), *offset = gilk_locate_offset_text (function, addr);
      g_autofree char *text = g_strdup_printf ("[gilk-plan]\nversion=2\n[hook a]\nfunction=%s\n%s%s\nwhere=%s\ninstrument=count\n", of,
                                               addr == function->hot.start ? "anchor=entry" : "block=",
                                               addr == function->hot.start ? "" : offset,
                                               addr == function->hot.start ? "pre" : "at");
      g_autoptr(GError) error = NULL;
      g_autoptr(GilkPlan) plan = gilk_plan_parse (text, strlen (text), "t.plan", &error);
      g_autoptr(GilkBoundPlan) bound = NULL;

      g_assert_no_error (error);
      bound = gilk_bound_plan_new (plan, f->functions, f->image, NULL, NULL, &error);
      g_assert_no_error (error);
      g_assert_no_error (gilk_bound_hook (bound, 0)->error);
      g_assert_cmphex (gilk_bound_hook (bound, 0)->addr, ==, addr);
    }
}

static void
test_own (gconstpointer name)
{
  g_autofree char *built = g_test_build_filename (G_TEST_BUILT, ".", NULL);
  g_autofree char *asked = g_strdup_printf ("user:" PATH "%s:inlined_square", (const char *) name);
  g_autofree char *apart = g_strdup_printf ("user:" PATH "%s:user_first", (const char *) name);
  Fixture f = { 0 };

  open_target (&f, built);
  assert_located (&f, asked, COPIES);
  assert_hooked (&f, asked);
  assert_located (&f, apart, 0);
  close_target (&f);
}

/* Tests that methods of the same name are distinguished by their classes. */
static void
test_cxx (void)
{
  g_autofree char *built = g_test_build_filename (G_TEST_BUILT, ".", NULL);
  g_autoptr(GArray) all = NULL, other = NULL;
  gboolean more;
  Fixture f = { 0 };

  if (!is_built ("user-inlined-cxx"))
    {
      g_test_skip ("there is no C++ compiler");
      return;
    }
  open_target (&f, built);
  assert_located (&f, "user:" PATH "user-inlined-cxx:shop::Basket::add", 2);
  assert_located (&f, "user:" PATH "user-inlined-cxx:_ZN4shop6Basket3addEl", 2);
  assert_hooked (&f, "user:" PATH "user-inlined-cxx:shop::Basket::add");
  other = gilk_locate_inlined (f.functions, "user:" PATH "user-inlined-cxx:other::Basket::add", &more, NULL, NULL);
  g_assert_cmpuint (other->len, ==, 1);
  all = gilk_locate_inlined (f.functions, "user:" PATH "user-inlined-cxx:add", &more, NULL, NULL);
  g_assert_cmpuint (all->len, ==, 3);
  assert_located (&f, "user:" PATH "user-inlined-cxx:shop::Basket::twice", 0);
  close_target (&f);
}

/* ---- tests of debug data in separate files ---- */

static gboolean
run_objcopy (const char *option, const char *from, const char *to)
{
  const char *argv[] = { "objcopy", option, from, to, NULL };
  int status = 0;

  return g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, &status, NULL) && status == 0;
}

/* Makes the stripped "program" and its "program.debug" from a built program. Returns FALSE if
 * objcopy is missing. */
static gboolean
separate_program (Fixture *f, const char *name)
{
  g_autofree char *built = g_test_build_filename (G_TEST_BUILT, name, NULL), *link = NULL;
  g_autofree char *program = NULL, *debug = NULL, *bare = NULL;
  gboolean done;

  f->folder = g_dir_make_tmp ("gilk-inlined-XXXXXX", NULL);
  program = g_build_filename (f->folder, "program", NULL);
  debug = g_build_filename (f->folder, "program.debug", NULL);
  bare = g_build_filename (f->folder, "bare", NULL);
  link = g_strconcat ("--add-gnu-debuglink=", debug, NULL);
  done = run_objcopy ("--only-keep-debug", built, debug) && run_objcopy ("--strip-all", built, bare) &&
         run_objcopy (link, bare, program);
  g_unlink (bare);
  if (!done)
    {
      g_test_skip ("there is no objcopy");
      remove_folder (f->folder);
      g_clear_pointer (&f->folder, g_free);
    }

  return done;
}

static void
clear_separate (Fixture *f)
{
  close_target (f);
  remove_folder (f->folder);
  g_free (f->folder);
}

/* Tests that debug data are found by build id or, without a build id, by the checksum in the debug
 * link. The stripped program gets its functions from this debug data file, too. */
static void
test_separate (gconstpointer name)
{
  g_autoptr(GError) error = NULL;
  Fixture f = { 0 };

  if (!separate_program (&f, name))
    return;
  open_target (&f, f.folder);
  gilk_debug_use (gilk_image_debug (f.image), f.folder);
  assert_located (&f, "user:" PATH "program:inlined_square", COPIES);
  assert_hooked (&f, "user:" PATH "program:inlined_square");
  g_assert_nonnull (gilk_functions_lookup (f.functions, "user:" PATH "program:user_hidden", &error));
  g_assert_no_error (error);
  clear_separate (&f);
}

static void
assert_missing (Fixture *f, const char *name, int code, const char *words)
{
  g_autoptr(GError) error = NULL;
  gboolean more;

  g_assert_null (gilk_locate_inlined (f->functions, name, &more, NULL, &error));
  g_assert_error (error, GILK_ERROR, code);
  if (strstr (error->message, words) == NULL)
    g_error ("\"%s\" does not say \"%s\"", error->message, words);
}

/* Tests that a debug data file of another build, by build id or checksum, is not used. */
static void
test_other_build (gconstpointer name)
{
  Fixture f = { 0 };
  g_autofree char *debug = NULL;
  FILE *file;

  if (!separate_program (&f, name))
    return;
  debug = g_build_filename (f.folder, "program.debug", NULL);
  if (g_str_has_suffix (name, "noid"))
    {
      file = fopen (debug, "a");
      g_assert_cmpint (fputc ('x', file), ==, 'x');
      fclose (file);
    }
  else
    {
      g_autofree char *other = g_test_build_filename (G_TEST_BUILT, "user-inlined-old", NULL);

      g_assert_true (run_objcopy ("--only-keep-debug", other, debug));
    }
  open_target (&f, f.folder);
  gilk_debug_use (gilk_image_debug (f.image), f.folder);
  assert_missing (&f, "user:" PATH "program:inlined_square", GILK_ERROR_NOT_FOUND, "--debug");
  close_target (&f);

  /* If the file was named explicitly, the message is about that file. */
  open_target (&f, f.folder);
  gilk_debug_use (gilk_image_debug (f.image), debug);
  assert_missing (&f, "user:" PATH "program:inlined_square", GILK_ERROR_FORMAT, "is of another build");
  clear_separate (&f);
}

/* Tests that without debug data the refusal states the remedy. */
static void
test_none (void)
{
  g_autofree char *built = g_test_build_filename (G_TEST_BUILT, ".", NULL);
  Fixture f = { 0 };

  open_target (&f, built);
  assert_missing (&f, "user:" PATH "user-inlined-plain:inlined_square", GILK_ERROR_NOT_FOUND, "Build it with -g");
  assert_missing (&f, "user:nothing", GILK_ERROR_USAGE, "user:PATH:FUNCTION");
  close_target (&f);
}

/* Tests that damaged debug data give an error or wrong locations, but no crash. */
static void
test_hostile (void)
{
  g_autofree char *built = g_test_build_filename (G_TEST_BUILT, "user-inlined-pie", NULL), *bytes = NULL, *path = NULL;
  Fixture f = { .folder = g_dir_make_tmp ("gilk-inlined-XXXXXX", NULL) };
  g_autoptr(GRand) random = g_rand_new_with_seed (7);
  gsize length;

  g_assert_true (g_file_get_contents (built, &bytes, &length, NULL));
  path = g_build_filename (f.folder, "program", NULL);
  open_target (&f, f.folder);
  for (guint turn = 0; turn < 64; turn++)
    {
      g_autofree char *mutant = g_memdup2 (bytes, length);
      g_autoptr(GArray) locations = NULL;
      g_autoptr(GError) error = NULL;
      gboolean more;

      for (guint i = 0; i < 200; i++)
        mutant[g_rand_int_range (random, 4096, (gint32) length)] ^= (char) g_rand_int_range (random, 1, 256);
      g_assert_true (g_file_set_contents (path, mutant, (gssize) length - (gssize) (turn % 5), NULL));
      locations = gilk_locate_inlined (f.functions, "user:" PATH "program:inlined_square", &more, NULL, &error);
      g_assert_true ((locations == NULL) == (error != NULL));
    }
  clear_separate (&f);
}

int
main (int argc, char **argv)
{
  static const char *const built[] = { "pie", "old", "static", "shared.so", "noid" };
  static const char *const separate[] = { "pie", "static", "shared.so", "noid" };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (built); i++)
    {
      g_autofree char *test = g_strconcat ("/user-inlined/own/", built[i], NULL);

      g_test_add_data_func_full (test, g_strconcat ("user-inlined-", built[i], NULL), test_own, g_free);
    }
  for (guint i = 0; i < G_N_ELEMENTS (separate); i++)
    {
      g_autofree char *test = g_strconcat ("/user-inlined/separate/", separate[i], NULL);
      g_autofree char *wrong = g_strconcat ("/user-inlined/other-build/", separate[i], NULL);

      g_test_add_data_func_full (test, g_strconcat ("user-inlined-", separate[i], NULL), test_separate, g_free);
      g_test_add_data_func_full (wrong, g_strconcat ("user-inlined-", separate[i], NULL), test_other_build, g_free);
    }
  g_test_add_func ("/user-inlined/cxx", test_cxx);
  g_test_add_func ("/user-inlined/none", test_none);
  g_test_add_func ("/user-inlined/hostile", test_hostile);

  return g_test_run ();
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-dwarf.c - tests that debug data about an address describe the program's state at this
 * address
 *
 * The reference is the code itself: it traps, and the registers and memory at the trap must give
 * the values that the code states for its variables. Covers DWARF 4 and 5, a program, and an object
 * file whose sections have been given addresses.
 */
/* Promise: debug data about an address describe the program's state at this address */
#include <elf.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <ucontext.h>

#include "core/base/gilk-error.h"
#include "core/debug/gilk-dwarf.h"
#include "core/image/gilk-debug.h"
#include "tests/unit/debug-work.h"
#include "tests/unit/packing.h"

volatile DebugTruth debug_truth;

static GilkDwarf *dwarf;
static guint traps;

/* ---- tests of registers and memory at a trap ---- */

static uint64_t
register_of (const ucontext_t *context, int reg)
{
  static const int of[16] = { REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                              REG_R8, REG_R9, REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15 };

  return reg == GILK_DWARF_NO_REG ? 0 : (uint64_t) context->uc_mcontext.gregs[of[reg]];
}

static const GilkDwarfVariable *
find_variable (const GArray *variables, const char *name)
{
  for (guint i = 0; i < variables->len; i++)
    if (strcmp (g_array_index (variables, GilkDwarfVariable, i).name, name) == 0)
      return &g_array_index (variables, GilkDwarfVariable, i);

  return NULL;
}

static int64_t
narrow_value (int64_t value, const GilkDwarfType *type)
{
  const guint shift = type->stars > 0 || type->size >= 8 ? 0 : 64 - 8 * (guint) type->size;

  const uint64_t raised = (uint64_t) value << shift;

  return type->is_signed ? (int64_t) raised >> shift : (int64_t) (raised >> shift);
}

static int64_t
value_of (const GilkDwarfVariable *variable, const ucontext_t *context, gsize offset)
{
  const uint64_t sum = register_of (context, variable->reg) + (uint64_t) variable->offset;
  int64_t value = 0;

  if (variable->kind == GILK_DWARF_VALUE)
    return narrow_value ((int64_t) sum, &variable->type);
  if (variable->kind != GILK_DWARF_MEMORY)
    g_error ("%s has no place: kind %d", variable->name, variable->kind);
  if (variable->type.kind == GILK_DWARF_TYPE_STRUCT)
    {
      /* Offsets of members come from BTF in probe programs. This test needs only two members: a
       * long at offset 0, and an int. */
      if (offset == 0)
        return *(long *) (sum);
      return *(int *) (sum + offset);
    }
  memcpy (&value, (void *) sum, variable->type.stars > 0 ? 8 : variable->type.size);

  return narrow_value (value, &variable->type);
}

static void
check_lines (uint64_t addr)
{
  g_autoptr(GArray) lines = gilk_dwarf_lines (dwarf, addr);
  const GilkDwarfLine *line = &g_array_index (lines, GilkDwarfLine, 0);
  const gboolean is_inlined = *debug_truth.function != '\0';

  g_assert_cmpuint (lines->len, ==, is_inlined ? 2 : 1);
  g_assert_cmpuint (line->line, ==, debug_truth.line);
  g_assert_true (g_str_has_suffix (line->file, "tests/unit/debug-work.c"));
  g_assert_cmpint (line->is_inlined, ==, is_inlined);
  if (is_inlined)
    {
      g_assert_cmpstr (line->function, ==, debug_truth.function);
      g_assert_cmpuint (line[1].line, ==, debug_truth.caller_line);
    }
  g_assert_true (g_str_has_prefix (line[is_inlined].function, "debug_work_"));
}

static void
on_trap (int number, siginfo_t *info, void *data)
{
  const ucontext_t *context = data;
  /* Address of the nop after the int3. */
  const uint64_t addr = (uint64_t) context->uc_mcontext.gregs[REG_RIP];
  g_autoptr(GArray) variables = gilk_dwarf_variables (dwarf, addr);

  traps++;
  check_lines (addr);
  for (guint i = 0; i < debug_truth.n; i++)
    {
      g_auto(GStrv) parts = g_strsplit (debug_truth.names[i], ".", 2);
      const GilkDwarfVariable *variable = find_variable (variables, parts[0]);

      g_assert_nonnull (variable);
      if (value_of (variable, context, g_strcmp0 (parts[1], "right") == 0 ? 8 : 0) != debug_truth.values[i])
        g_error ("%s is not %" G_GINT64_FORMAT, debug_truth.names[i], debug_truth.values[i]);
    }
  g_assert_null (find_variable (variables, "nothing"));
}

static void
test_values (void)
{
  struct sigaction action = { .sa_sigaction = on_trap, .sa_flags = SA_SIGINFO }, before;
  struct debug_pair pair = { 5, 6 };
  g_autoptr(GError) error = NULL;

  dwarf = gilk_dwarf_open ("/proc/self/exe", NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_false (gilk_dwarf_set_bias (dwarf, "no_such_symbol", 1));
  g_assert_true (gilk_dwarf_set_bias (dwarf, "debug_work_5", (uint64_t) debug_work_5));
  sigaction (SIGTRAP, &action, &before);
  debug_work_4 (70000, 7, &pair);
  debug_work_5 (-3, 1 << 20, &pair);
  sigaction (SIGTRAP, &before, NULL);
  g_assert_cmpuint (traps, ==, 6);
  g_clear_pointer (&dwarf, gilk_dwarf_free);
}

/* ---- test of the text that describes a type ---- */

static void
test_types (void)
{
  static const struct { GilkDwarfType type; const char *text; } cases[] = {
    { { .kind = GILK_DWARF_TYPE_INT, .name = (char *) "int", .size = 4 }, "int" },
    { { .kind = GILK_DWARF_TYPE_STRUCT, .name = (char *) "struct file", .stars = 2 }, "struct file **" },
    { { .kind = GILK_DWARF_TYPE_VOID, .stars = 1 }, "void *" },
    { { .kind = GILK_DWARF_TYPE_INT, .name = (char *) "char", .is_array = TRUE }, "char []" },
    { { .kind = GILK_DWARF_TYPE_OTHER }, "?" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = gilk_dwarf_type_text (&cases[i].type);

      g_assert_cmpstr (text, ==, cases[i].text);
    }
}

/* ---- tests of an object file whose sections have addresses ---- */

#define TEXT_AT UINT64_C (0xffffffffc0123000)

static gboolean
place_section (const char *section, uint64_t *addr, gpointer data)
{
  *addr = TEXT_AT;

  return strcmp (section, ".text") == 0;
}

/* Returns the source line of the inlined function's trap. */
static guint
line_of (const char *what)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "debug-work.c", NULL);
  g_autofree char *text = NULL;
  const char *at;
  guint line = 1;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  at = strstr (text, what);
  g_assert_nonnull (at);
  for (const char *c = text; c < at; c++)
    line += *c == '\n';

  return line;
}

static void
check_object (const char *path)
{
  const guint wanted = line_of ("BEGIN (\"inlined\"");
  g_autoptr(GArray) spots = NULL, none = NULL, lines = NULL;
  g_autoptr(GError) error = NULL;
  const GilkDwarfLocation *spot;
  guint nearest;

  dwarf = gilk_dwarf_open (path, place_section, NULL, &error);
  g_assert_no_error (error);
  spots = gilk_dwarf_locations (dwarf, "unit/debug-work.c", wanted, &nearest);
  g_assert_cmpuint (spots->len, >=, 1);
  spot = &g_array_index (spots, GilkDwarfLocation, 0);
  g_assert_cmpuint (spot->addr, >, TEXT_AT);
  g_assert_cmpuint (spot->addr, <, TEXT_AT + 4096);
  g_assert_true (g_str_has_prefix (spot->into, "debug_work_"));
  lines = gilk_dwarf_lines (dwarf, spot->addr);
  g_assert_cmpuint (g_array_index (lines, GilkDwarfLine, 0).line, ==, wanted);
  none = gilk_dwarf_locations (dwarf, "unit/debug-work.c", wanted + 1, &nearest);
  g_assert_cmpuint (none->len, ==, 0);
  g_assert_cmpuint (nearest, >, wanted);
  g_clear_pointer (&none, g_array_unref);
  none = gilk_dwarf_locations (dwarf, "bug-work.c", wanted, &nearest);
  g_assert_cmpuint (none->len, ==, 0);
  g_assert_cmpuint (nearest, ==, 0);
  g_clear_pointer (&lines, g_array_unref);
  lines = gilk_dwarf_lines (dwarf, TEXT_AT - 64);
  g_assert_cmpuint (lines->len, ==, 0);
  g_clear_pointer (&dwarf, gilk_dwarf_free);
}

static void
test_object (gconstpointer name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_BUILT, name, NULL);

  check_object (path);
}

static void
test_inlined (gconstpointer name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_BUILT, name, NULL);
  g_autoptr(GArray) spots = NULL, none = NULL, lines = NULL;
  g_autoptr(GError) error = NULL;
  const GilkDwarfLocation *spot;
  gboolean more = TRUE;

  dwarf = gilk_dwarf_open (path, place_section, NULL, &error);
  g_assert_no_error (error);
  spots = gilk_dwarf_inlined (dwarf, &(GilkDwarfMatch) { .name = "inlined" }, &more);
  g_assert_cmpuint (spots->len, ==, 1);
  g_assert_false (more);
  spot = &g_array_index (spots, GilkDwarfLocation, 0);
  g_assert_cmpstr (spot->function, ==, "inlined");
  g_assert_true (g_str_has_prefix (spot->into, "debug_work_"));
  lines = gilk_dwarf_lines (dwarf, spot->addr);
  g_assert_cmpstr (g_array_index (lines, GilkDwarfLine, 0).function, ==, "inlined");
  g_assert_true (g_array_index (lines, GilkDwarfLine, 0).is_inlined);
  /* A lookup of inlined copies finds none for a function that is not inlined, or that does not
   * exist. */
  for (guint i = 0; i < 2; i++)
    {
      none = gilk_dwarf_inlined (dwarf, &(GilkDwarfMatch) { .name = i == 0 ? spot->into : "inline" }, &more);
      g_assert_cmpuint (none->len, ==, 0);
      g_clear_pointer (&none, g_array_unref);
    }
  g_clear_pointer (&dwarf, gilk_dwarf_free);
}

/* ---- tests of finding and reading debug data files ---- */

static void
assert_refused (const char *path, int code)
{
  g_autoptr(GError) error = NULL;

  g_assert_null (gilk_dwarf_open (path, NULL, NULL, &error));
  g_assert_error (error, GILK_ERROR, code);
}

static void
test_files (void)
{
  g_autofree char *source = g_test_build_filename (G_TEST_DIST, "debug-work.c", NULL);
  g_autofree char *id = gilk_dwarf_build_id (source, NULL);

  g_assert_null (id);
  assert_refused ("/nonexistent/vmlinux", GILK_ERROR_NOT_FOUND);
  assert_refused ("/dev/null", GILK_ERROR_NOT_FOUND);
  assert_refused (g_get_tmp_dir (), GILK_ERROR_NOT_FOUND);
  assert_refused (source, GILK_ERROR_FORMAT);
}

/* Creates @folder/@name as a link to this program, which has debug data. */
static void
link_program (const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL), *program = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *around = g_path_get_dirname (path);

  g_mkdir_with_parents (around, 0700);
  g_assert_cmpint (symlink (program, path), ==, 0);
}

static void
remove_all (const char *path)
{
  g_autoptr(GDir) dir = g_file_test (path, G_FILE_TEST_IS_SYMLINK) ? NULL : g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *below = g_build_filename (path, name, NULL);

      remove_all (below);
    }
  g_remove (path);
}

static void
test_find (void)
{
  g_autofree char *folder = g_dir_make_tmp ("gilk-debug-XXXXXX", NULL);
  g_autofree char *id = gilk_dwarf_build_id ("/proc/self/exe", NULL);
  g_autofree char *by_id = g_strdup_printf (".build-id/%.2s/%s.debug", id, id + 2);
  g_autofree char *vmlinux = g_build_filename (folder, "sub/vmlinux", NULL), *found = NULL;
  GilkDebugWanted wanted = { .user_path = folder, .release = "0.0-none", .module = "kernel", .build_id = id };
  g_autoptr(GError) error = NULL;

  if (*id == '\0')
    {
      g_test_skip ("this program has no build id");
      return;
    }
  g_assert_null (gilk_debug_find (&wanted, &error));
  g_assert_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND);
  g_clear_error (&error);
  link_program (folder, "sub/vmlinux");
  link_program (folder, "sub/net-thing.ko.debug");
  found = gilk_debug_find (&wanted, &error);
  g_assert_cmpstr (found, ==, vmlinux);
  g_clear_pointer (&found, g_free);
  wanted.module = "net_thing";
  found = gilk_debug_find (&wanted, &error);
  g_assert_true (g_str_has_suffix (found, "net-thing.ko.debug"));
  g_clear_pointer (&found, g_free);

  /* A file for another kernel is refused if it is named explicitly, and skipped if it is found in a
   * folder. */
  wanted.module = "kernel";
  wanted.build_id = "0123456789";
  g_assert_null (gilk_debug_find (&wanted, &error));
  g_assert_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND);
  g_clear_error (&error);
  wanted.user_path = vmlinux;
  g_assert_null (gilk_debug_find (&wanted, &error));
  g_assert_error (error, GILK_ERROR, GILK_ERROR_FORMAT);
  g_assert_nonnull (strstr (error->message, id));
  g_clear_error (&error);
  wanted.user_path = "/nonexistent/vmlinux";
  g_assert_null (gilk_debug_find (&wanted, &error));
  g_assert_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND);
  g_clear_error (&error);

  link_program (folder, by_id);
  wanted.user_path = folder;
  wanted.build_id = id;
  wanted.module = "elsewhere";
  found = gilk_debug_find (&wanted, &error);
  g_assert_true (g_str_has_suffix (found, by_id));
  remove_all (folder);
}

/* Compresses the file @path and writes the result to the file @to, without the last @cut bytes. */
static void
write_packed (const char *path, guint packing, gsize cut, const char *to)
{
  g_autoptr(GByteArray) bytes = g_byte_array_new (), packed = NULL;
  g_autofree char *contents = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (path, &contents, &length, NULL));
  g_byte_array_append (bytes, (const guint8 *) contents, (guint) length);
  packed = packings[packing].pack (bytes);
  g_assert_true (g_file_set_contents (to, (const char *) packed->data, (gssize) (packed->len - cut), NULL));
}

/* Tests that a debug data file that is compressed as a whole yields the same data, and that a
 * truncated one yields an error that says so. */
static void
test_packed (void)
{
  g_autofree char *object = g_test_build_filename (G_TEST_BUILT, "debug-work-5.o", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (packings); i++)
    {
      g_autofree char *folder = g_dir_make_tmp ("gilk-debug-XXXXXX", NULL);
      g_autofree char *name = g_strconcat ("thing.ko.", packings[i].suffix, NULL), *path = g_build_filename (folder, name, NULL);
      const GilkDebugWanted wanted = { .user_path = path, .release = "0.0-none", .module = "thing", .build_id = "00" };
      g_autoptr(GError) error = NULL, named = NULL;

      write_packed (object, i, 0, path);
      check_object (path);
      write_packed (object, i, 9, path);
      g_assert_null (gilk_dwarf_open (path, NULL, NULL, &error));
      g_assert_error (error, GILK_ERROR, GILK_ERROR_FORMAT);
      g_assert_true (g_str_has_suffix (error->message, "the compressed data are cut off."));
      g_assert_null (gilk_debug_find (&wanted, &named));
      g_assert_cmpstr (named->message, ==, error->message);
      remove_all (folder);
    }
}

/* Tests a compressed module, as distributions install them. */
static void
test_packed_modules (void)
{
  g_autofree char *id = gilk_dwarf_build_id ("/proc/self/exe", NULL);

  if (*id == '\0')
    {
      g_test_skip ("the linker writes no build id");
      return;
    }
  for (guint i = 0; i < 2 * G_N_ELEMENTS (packings); i++)
    {
      const guint packing = i / 2;
      g_autofree char *folder = g_dir_make_tmp ("gilk-debug-XXXXXX", NULL), *found = NULL;
      g_autofree char *name = g_strdup_printf ("net-thing.ko%s.%s", i % 2 == 0 ? "" : ".debug", packings[packing].suffix);
      g_autofree char *path = g_build_filename (folder, name, NULL);
      const GilkDebugWanted wanted = { .user_path = folder, .release = "0.0-none", .module = "net_thing", .build_id = id };
      g_autoptr(GError) error = NULL;

      write_packed ("/proc/self/exe", packing, 0, path);
      found = gilk_debug_find (&wanted, &error);
      g_assert_no_error (error);
      g_assert_cmpstr (found, ==, path);
      remove_all (folder);
    }
}

static gboolean
run_objcopy (const char *option, const char *from, const char *to)
{
  const char *argv[] = { "objcopy", option, from, to, NULL };
  int status = 0;

  return g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, NULL, NULL,
                       &status, NULL) && status == 0;
}

/* Tests sections compressed with zstd, which binutils 2.40 and later write, and which not every
 * libelf reads. */
static void
test_packed_sections (void)
{
  g_autofree char *folder = g_dir_make_tmp ("gilk-debug-XXXXXX", NULL), *path = g_build_filename (folder, "packed", NULL);
  g_autofree char *object = g_test_build_filename (G_TEST_BUILT, "debug-work-5.o", NULL);
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  g_autoptr(GilkDwarf) packed = NULL;
  g_autoptr(GError) error = NULL;

  g_assert_true (run_objcopy ("--compress-debug-sections=zlib", object, path));
  check_object (path);
  if (!run_objcopy ("--compress-debug-sections=zstd", object, path))
    g_test_skip ("there is no objcopy that packs by zstd");
  else
    {
      check_object (path);
      g_assert_true (run_objcopy ("--compress-debug-sections=zstd", program, path));
      packed = gilk_dwarf_open (path, NULL, NULL, &error);
      g_assert_no_error (error);
    }
  remove_all (folder);
}

/* Returns the compression header of the first compressed section. */
static Elf64_Chdr *
find_packed_section (char *bytes)
{
  const Elf64_Ehdr *head = (const Elf64_Ehdr *) (gpointer) bytes;
  const Elf64_Shdr *sections = (const Elf64_Shdr *) (gpointer) (bytes + head->e_shoff);

  for (guint i = 0; i < head->e_shnum; i++)
    if ((sections[i].sh_flags & SHF_COMPRESSED) != 0)
      return (Elf64_Chdr *) (gpointer) (bytes + sections[i].sh_offset);
  g_assert_not_reached ();
}

/* Tests that compressed sections with a wrong size or an unknown format in their header are
 * refused. */
static void
test_packed_sections_damage (void)
{
  static const struct { guint type; gint64 more; const char *words; } changes[] = {
    { 2, 1, "less data than" }, { 2, -1, "more data than" }, { 2, G_GINT64_CONSTANT (9) << 30, "more than 8 GiB" },
    { 77, 0, "in an unknown way (77)" },
  };
  g_autofree char *folder = g_dir_make_tmp ("gilk-debug-XXXXXX", NULL), *path = g_build_filename (folder, "packed", NULL);
  g_autofree char *object = g_test_build_filename (G_TEST_BUILT, "debug-work-5.o", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (changes); i++)
    {
      g_autofree char *bytes = NULL;
      g_autoptr(GError) error = NULL;
      Elf64_Chdr *packed;
      gsize length;

      if (!run_objcopy ("--compress-debug-sections=zstd", object, path))
        {
          g_test_skip ("there is no objcopy that packs by zstd");
          break;
        }
      g_assert_true (g_file_get_contents (path, &bytes, &length, NULL));
      packed = find_packed_section (bytes);
      packed->ch_type = changes[i].type;
      packed->ch_size += (guint64) changes[i].more;
      g_assert_true (g_file_set_contents (path, bytes, (gssize) length, NULL));
      g_assert_null (gilk_dwarf_open (path, NULL, NULL, &error));
      g_assert_error (error, GILK_ERROR, GILK_ERROR_FORMAT);
      g_assert_nonnull (strstr (error->message, changes[i].words));
    }
  remove_all (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/dwarf/values", test_values);
  g_test_add_func ("/dwarf/types", test_types);
  g_test_add_data_func ("/dwarf/object-4", "debug-work-4.o", test_object);
  g_test_add_data_func ("/dwarf/object-5", "debug-work-5.o", test_object);
  g_test_add_data_func ("/dwarf/inlined-4", "debug-work-4.o", test_inlined);
  g_test_add_data_func ("/dwarf/inlined-5", "debug-work-5.o", test_inlined);
  g_test_add_func ("/dwarf/files", test_files);
  g_test_add_func ("/dwarf/find", test_find);
  g_test_add_func ("/dwarf/packed", test_packed);
  g_test_add_func ("/dwarf/packed-modules", test_packed_modules);
  g_test_add_func ("/dwarf/packed-sections", test_packed_sections);
  g_test_add_func ("/dwarf/packed-sections-damage", test_packed_sections_damage);

  return g_test_run ();
}

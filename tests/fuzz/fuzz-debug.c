/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz-debug.c - queries corrupt debug data
 *
 *   fuzz-debug FILE... [--seconds S] [--count N] [--seed S]
 *
 * A mutant is one of the FILEs, or a copy with compressed sections. A few of its bytes are changed,
 * in its tables or anywhere, or its end is cut off. Some mutants are compressed before or after the
 * change. Each mutant is opened in a process of its own with bounded memory and time. The reader
 * may refuse the mutant or give wrong answers, but must neither crash nor run forever. This
 * includes libdw, because it runs in Gilk's process.
 */
/* Promise: no debug data harm their reader */
#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/types/gilk-btf.h"
#include "tests/fuzz/fuzz-turns.h"
#include "tests/unit/packing.h"

enum { SECONDS_MOST = 20, STEP = 7, CODE = 2048, TYPES = 4096 };

typedef struct {
  guint64 random;
  char   *whole;               /* contents of an original file */
  gsize   length;
  char   *path;                /* path of the mutant */
} Fuzz;

static guint32
draw_below (Fuzz *fuzz, guint32 below)
{
  return fuzz_draw (&fuzz->random, below);
}

/* Changes some of the bytes, and may cut off the end. Returns the new length. */
static gsize
change_bytes (Fuzz *fuzz, char *bytes, gsize length)
{
  static const guint64 values[] = { 0, 1, 2, 0x7f, 0x80, 0xff, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff, 0x7fffffffffffffffull,
                                    0xffffffffffffffffull };

  if (draw_below (fuzz, 25) == 0)
    length = draw_below (fuzz, (guint32) length);
  for (guint n = 1 + draw_below (fuzz, 6); n > 0 && length > 16; n--)
    {
      const guint size = 1u << draw_below (fuzz, 4);
      const guint64 value = draw_below (fuzz, 2) ? values[draw_below (fuzz, G_N_ELEMENTS (values))] : draw_below (fuzz, 256);

      memcpy (bytes + draw_below (fuzz, (guint32) length - 8), &value, size);
    }

  return length;
}

static void
mutate_file (Fuzz *fuzz)
{
  g_autoptr(GByteArray) bytes = g_byte_array_new (), packed = NULL;
  const guint packing = draw_below (fuzz, 2 * G_N_ELEMENTS (packings));

  g_byte_array_append (bytes, (const guint8 *) fuzz->whole, (guint) fuzz->length);
  if (packing >= G_N_ELEMENTS (packings) || draw_below (fuzz, 2) == 0)
    g_byte_array_set_size (bytes, (guint) change_bytes (fuzz, (char *) bytes->data, bytes->len));
  if (packing < G_N_ELEMENTS (packings))
    {
      packed = packings[packing].pack (bytes);
      g_byte_array_set_size (packed, (guint) change_bytes (fuzz, (char *) packed->data, packed->len));
    }
  g_assert_true (g_file_set_contents (fuzz->path, (const char *) (packed != NULL ? packed : bytes)->data,
                                      (packed != NULL ? packed : bytes)->len, NULL));
}

/* Adds copies of the files with sections compressed with zstd, if objcopy can do that. */
static void
add_packed_sections (Fuzz *fuzz, GPtrArray *files)
{
  const guint n = files->len;

  for (guint i = 0; i < n; i++)
    {
      char *packed = g_strdup_printf ("%s.%u", fuzz->path, i);
      const char *argv[] = { "objcopy", "--compress-debug-sections=zstd", g_ptr_array_index (files, i), packed, NULL };

      g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, NULL, NULL, NULL, NULL);
      if (g_file_test (packed, G_FILE_TEST_EXISTS))
        g_ptr_array_add (files, packed);
      else
        g_free (packed);
    }
}

static gboolean
place_section (const char *section, uint64_t *addr, gpointer data)
{
  *addr = 0x10000;

  return g_str_has_prefix (section, ".text");
}

/* Converts the debug data's types without base BTF, then again with the result as base BTF, so that
 * each type is looked up among existing types. */
static void
query_types (GilkDwarf *dwarf)
{
  g_autoptr(GilkBtf) base = NULL;

  for (guint round = 0; round < 2; round++)
    {
      g_autoptr(GError) error = NULL;
      g_autoptr(GilkBtf) btf = gilk_btf_new_debug (dwarf, base, GILK_DWARF_ALL_UNITS, &error);
      GilkType type;

      g_assert_true ((btf == NULL) == (error != NULL));
      if (btf == NULL)
        return;
      for (guint id = 1; id < TYPES; id++)
        if (gilk_btf_type (btf, id, &type))
          {
            g_free (gilk_btf_type_name (btf, id));
            g_free (gilk_btf_path_at (btf, id, 8, 0));
          }
      if (round == 0)
        base = g_steal_pointer (&btf);
    }
}

/* Looks up compilation units by address of code, address of data and type, then converts the types
 * of each unit and the types local to its functions. */
static void
query_units (GilkDwarf *dwarf)
{
  const GilkDwarfScope scopes[] = {
    { .code = 0x10000 }, { .data = 0x10000 }, { .type = "struct debug_elsewhere" }, { .type = "debug_port_t" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (scopes); i++)
    {
      g_autoptr(GilkBtf) btf = NULL;
      uint64_t unit;

      if (gilk_dwarf_find_unit (dwarf, &scopes[i], &unit))
        btf = gilk_btf_new_debug (dwarf, NULL, unit, NULL);
      for (guint at = 0; at < CODE; at += 4 * STEP)
        {
          g_autoptr(GilkBtf) local = gilk_btf_new_debug_local (dwarf, btf, 0x10000 + at, NULL);
        }
    }
}

/* Makes all queries on a mutant. */
static void
query_file (const char *path)
{
  g_autofree char *id = gilk_dwarf_build_id (path, NULL);
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkDwarf) dwarf = gilk_dwarf_open (path, place_section, NULL, &error);
  static const char *const names[] = { "inlined", "debug_work_5", "inlined_square", "add", "_ZNK4shop6Basket3sumEv" };
  gboolean more;
  guint nearest;

  g_assert_true ((dwarf == NULL) == (error != NULL));
  for (guint i = 0; dwarf != NULL && i < CODE; i += STEP)
    {
      g_autoptr(GArray) lines = gilk_dwarf_lines (dwarf, 0x10000 + i);
      g_autoptr(GArray) variables = gilk_dwarf_variables (dwarf, 0x10000 + i);

      g_assert_cmpuint (lines->len, <=, GILK_DWARF_DEPTH + 1);
      for (guint k = 0; k < variables->len; k++)
        g_free (gilk_dwarf_type_text (&g_array_index (variables, GilkDwarfVariable, k).type));
    }
  for (guint line = 1; dwarf != NULL && line < 60; line += 3)
    {
      g_autoptr(GArray) spots = gilk_dwarf_locations (dwarf, "debug-work.c", line, &nearest);

      g_assert_cmpuint (spots->len, <=, GILK_DWARF_LOCATIONS_MAX);
    }
  for (guint i = 0; dwarf != NULL && i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr(GArray) spots = gilk_dwarf_inlined (dwarf, &(GilkDwarfMatch) { .name = names[i] }, &more);

      g_assert_cmpuint (spots->len, <=, GILK_DWARF_LOCATIONS_MAX);
    }
  g_assert_true (dwarf == NULL || gilk_dwarf_has_data (path));
  gilk_dwarf_is_program (path);
  if (dwarf != NULL)
    {
      query_types (dwarf);
      query_units (dwarf);
    }
}

/* Queries the mutant in a child with an address space of its own. Returns FALSE if it crashed or
 * took too long. */
static gboolean
try_mutant (Fuzz *fuzz)
{
  const struct rlimit time = { SECONDS_MOST, SECONDS_MOST };
  pid_t child = fork ();
  int status;

  if (child == 0)
    {
      setrlimit (RLIMIT_CPU, &time);
      query_file (fuzz->path);
      _exit (0);
    }
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);

  return WIFEXITED (status) && WEXITSTATUS (status) == 0;
}

int
main (int argc, char **argv)
{
  g_autoptr(GError) error = NULL;
  Fuzz fuzz = { .path = g_strdup_printf ("%s/gilk-fuzz-debug.%d", g_get_tmp_dir (), getpid ()) };
  gint64 seconds = 2, count = G_MAXINT32, seed = 1, end, tried = 0;
  g_autoptr(GPtrArray) files = g_ptr_array_new ();
  gboolean good = TRUE;
  guint n_given;

  for (int i = 1; i < argc; i++)
    if (i + 1 < argc && strcmp (argv[i], "--seconds") == 0)
      seconds = atoi (argv[++i]);
    else if (i + 1 < argc && strcmp (argv[i], "--count") == 0)
      count = atoi (argv[++i]);
    else if (i + 1 < argc && strcmp (argv[i], "--seed") == 0)
      seed = atoi (argv[++i]);
    else
      g_ptr_array_add (files, argv[i]);
  n_given = files->len;
  add_packed_sections (&fuzz, files);
  fuzz.random = (guint64) seed * 0x9e3779b97f4a7c15ull;
  end = g_get_monotonic_time () + seconds * G_USEC_PER_SEC;
  for (; good && tried < count && g_get_monotonic_time () < end; tried++)
    {
      if (!g_file_get_contents (g_ptr_array_index (files, tried % files->len), &fuzz.whole, &fuzz.length, &error))
        g_error ("%s", error->message);
      mutate_file (&fuzz);
      good = try_mutant (&fuzz);
      g_free (fuzz.whole);
    }
  for (guint i = n_given; i < files->len; i++)
    {
      g_remove (g_ptr_array_index (files, i));
      g_free (g_ptr_array_index (files, i));
    }
  if (good)
    {
      g_remove (fuzz.path);
      printf ("ok 1 - %" G_GINT64_FORMAT " spoilt files of debug data\n1..1\n", tried);
    }
  else
    printf ("not ok 1 - mutant %" G_GINT64_FORMAT " of seed %" G_GINT64_FORMAT ", %s\n1..1\n", tried, seed, fuzz.path);
  g_free (fuzz.path);

  return good ? 0 : 1;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz-btf.c - queries corrupt BTF
 *
 *   fuzz-btf [--seconds S] [--count N] [--seed S] [--from I] [--only I] [FILE..]
 *
 * A mutant is the BTF of the small kernel in tests/unit/btf-fixture.h, or one of FILEs, with a few
 * words changed, records duplicated, or the end cut off. All queries are made on accepted mutants:
 * no access may be out of bounds, and every walk must end. --seed S --only I repeats mutant I of
 * --seed S. Built with sanitizers in build-sanitize.
 */
#include <stdio.h>
#include <stdlib.h>

#include "core/base/gilk-error.h"
#include "tests/fuzz/fuzz-turns.h"
#include "tests/unit/btf-fixture.h"

/* Maximum number of types queried per mutant. A kernel has 100,000 types: too many to query. */
enum { ASKED_MAX = 400 };

typedef struct {
  guint64   random;
  GPtrArray *origins;              /* GBytes */
  GBytes    *module;               /* BTF of a module; its base BTF is origins[0] */
  GilkBtf   *kernel;
  guint64    taken, questions;
} Fuzz;

static guint32
draw_below (Fuzz *fuzz, guint32 below)
{
  return fuzz_draw (&fuzz->random, below);
}

/* ---- making mutants ---- */

/* Returns a plausible type id, string offset, kind or size, or an extreme number. */
static guint32
draw_interesting (Fuzz *fuzz)
{
  static const guint32 words[] = { 0, 1, 8, 31, 32, 64, 255, 0xffff, 0x10000, 0xffffff, 0x7fffffff, 0x80000000,
                                   0xfffffff8, 0xffffffff };

  switch (draw_below (fuzz, 4))
    {
    case 0: return words[draw_below (fuzz, G_N_ELEMENTS (words))];
    case 1: return draw_below (fuzz, 60);
    case 2: return BTF_INFO (draw_below (fuzz, draw_below (fuzz, 4) ? 20 : 128), draw_below (fuzz, 2), draw_below (fuzz, 4));
    default: return draw_below (fuzz, 1000);
    }
}

static void
change_bytes (Fuzz *fuzz, GByteArray *bytes)
{
  const guint at = draw_below (fuzz, bytes->len / 4) * 4;
  guint32 word;

  memcpy (&word, bytes->data + at, sizeof word);
  switch (draw_below (fuzz, 6))
    {
    case 0: word ^= 1u << draw_below (fuzz, 32); break;
    case 1: word += draw_below (fuzz, 9) - 4; break;
    case 2: memcpy (&word, bytes->data + draw_below (fuzz, bytes->len / 4) * 4, sizeof word); break;
    default: word = draw_interesting (fuzz); break;
    }
  memcpy (bytes->data + at, &word, sizeof word);
}

/* Copies some words over other words of the same BTF, so that records are repeated. */
static void
shift_words (Fuzz *fuzz, GByteArray *bytes)
{
  const guint words = bytes->len / 4, n = 1 + draw_below (fuzz, MIN (12, words - 1));
  const guint from = draw_below (fuzz, words - n), to = draw_below (fuzz, words - n);

  memmove (bytes->data + 4 * to, bytes->data + 4 * from, 4 * n);
}

static GBytes *
mutate_btf (Fuzz *fuzz, GBytes *origin)
{
  gsize length;
  const guint8 *data = g_bytes_get_data (origin, &length);
  GByteArray *bytes = g_byte_array_sized_new ((guint) length);

  g_byte_array_append (bytes, data, (guint) length);
  for (guint n = 1 + draw_below (fuzz, 4); n > 0; n--)
    if (draw_below (fuzz, 8) == 0)
      shift_words (fuzz, bytes);
    else
      change_bytes (fuzz, bytes);
  if (draw_below (fuzz, 50) == 0)
    g_byte_array_set_size (bytes, draw_below (fuzz, bytes->len));

  return g_byte_array_free_to_bytes (bytes);
}

/* ---- queries on a mutant ---- */

static void
visit_name (const char *name, guint type, gpointer data)
{
  guint64 *sum = data;

  *sum += strlen (name) + type;
}

static void
query_names (Fuzz *fuzz, const GilkBtf *btf, const char *name)
{
  static const char *const words[] = { "", "struct ", "union ", "enum " };
  GilkPrototype prototype;
  int64_t value;
  guint type;

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      g_autofree char *whole = g_strconcat (words[i], name, NULL);

      type = gilk_btf_find (btf, whole);
    }
  if (gilk_btf_function (btf, name, &prototype))
    for (guint i = 0; i < prototype.n_arguments; i++)
      g_free (gilk_btf_type_name (btf, prototype.arguments[i]));
  gilk_btf_variable (btf, name, &type);
  gilk_btf_constant (btf, name, &value);
  fuzz->questions += 7;
}

static void
query_type (Fuzz *fuzz, const GilkBtf *btf, guint id)
{
  guint64 sum = 0;
  GilkMember member;
  GilkType type;
  guint target;

  g_free (gilk_btf_type_name (btf, id));
  if (!gilk_btf_type (btf, id, &type))
    return;
  query_names (fuzz, btf, type.name);
  gilk_btf_enumerator (btf, id, (gint32) draw_interesting (fuzz));
  gilk_btf_members (btf, id, "", visit_name, &sum);
  gilk_btf_member (btf, id, "f_flags", &member);
  for (guint i = 0; i < 4; i++)
    {
      const guint offset = draw_below (fuzz, 3) ? draw_below (fuzz, type.size + 8) : draw_interesting (fuzz);

      g_free (gilk_btf_path_at (btf, id, offset, draw_below (fuzz, 2) ? 1u << draw_below (fuzz, 5) : 0));
      gilk_btf_type_at (btf, id, offset, 8, &target);
    }
  fuzz->questions += 12;
}

static void
query_btf (Fuzz *fuzz, const GilkBtf *btf)
{
  static const char *const names[] = { "done", "twice", "alike", "counts", "FIRST", "SAME", "WIDE", "file" };
  GilkType type;
  guint n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    query_names (fuzz, btf, names[i]);
  while (n < 100 * ASKED_MAX && (gilk_btf_type (btf, n, &type) || n < ASKED_MAX))
    n++;
  for (guint i = 0; i < ASKED_MAX && i < n; i++)
    query_type (fuzz, btf, n <= ASKED_MAX ? i : draw_below (fuzz, n));
}

static void
try_one (Fuzz *fuzz, guint64 seed, guint64 number)
{
  g_autoptr (GBytes) mutant = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GilkBtf) btf = NULL;
  gboolean of_module;

  fuzz->random = ((seed + 1) * 0x9e3779b97f4a7c15ull ^ (number + 1) * 0xbf58476d1ce4e5b9ull) | 1;
  of_module = draw_below (fuzz, 5) == 0;
  mutant = mutate_btf (fuzz, of_module ? fuzz->module
                                   : g_ptr_array_index (fuzz->origins, draw_below (fuzz, fuzz->origins->len)));
  btf = gilk_btf_new (mutant, of_module ? fuzz->kernel : NULL, &error);
  if (btf == NULL)
    {
      g_assert_true (g_error_matches (error, GILK_ERROR, GILK_ERROR_FORMAT));
      g_assert_true (g_utf8_validate (error->message, -1, NULL));
      return;
    }
  fuzz->taken++;
  query_btf (fuzz, btf);
}

/* ---- the BTF from which mutants are made ---- */

static void
make_origins (Fuzz *fuzz, char **paths)
{
  g_autoptr (BtfFile) kernel = btf_file_new ();
  g_autoptr (BtfFile) module = NULL;
  GBytes *bytes;
  guint own;

  btf_small_kernel (kernel);
  bytes = btf_bytes (kernel);
  fuzz->origins = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  g_ptr_array_add (fuzz->origins, bytes);
  fuzz->kernel = gilk_btf_new (bytes, NULL, NULL);
  module = btf_file_new_split (kernel);
  own = btf_struct (module, "own", 104, { "file", gilk_btf_find (fuzz->kernel, "struct file") },
                    { "n", gilk_btf_find (fuzz->kernel, "u64"), 768 });
  btf_to (module, BTF_KIND_FUNC, "twice", btf_proto (module, own, { "own", btf_array (module, own, 2) - 1 }));
  btf_enum (module, FALSE, "order", { "FIRST", 9 });
  fuzz->module = btf_bytes (module);
  for (guint i = 0; paths != NULL && paths[i] != NULL; i++)
    {
      g_autoptr (GError) error = NULL;
      gsize length;
      char *data;

      if (g_file_get_contents (paths[i], &data, &length, &error))
        g_ptr_array_add (fuzz->origins, g_bytes_new_take (data, length));
      else
        fprintf (stderr, "# %s\n", error->message);
    }
}

int
main (int argc, char **argv)
{
  gint64 seconds = 0, count = G_MAXINT64, seed = 1, from = 0, only = -1;
  g_auto (GStrv) paths = NULL;
  const GOptionEntry options[] = {
    { "seconds", 0, 0, G_OPTION_ARG_INT64, &seconds, "end after so many", "S" },
    { "count", 0, 0, G_OPTION_ARG_INT64, &count, "end after so many mutants", "N" },
    { "seed", 0, 0, G_OPTION_ARG_INT64, &seed, "other mutants", "S" },
    { "from", 0, 0, G_OPTION_ARG_INT64, &from, "begin with this one", "I" },
    { "only", 0, 0, G_OPTION_ARG_INT64, &only, "this one alone", "I" },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &paths, "of which mutants are made, too", "FILE" },
    { NULL },
  };
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  const gint64 begin = g_get_monotonic_time ();
  Fuzz fuzz = { 0 };
  gint64 number;

  g_option_context_add_main_entries (context, options, NULL);
  if (!g_option_context_parse (context, &argc, &argv, NULL))
    return 2;
  make_origins (&fuzz, paths);
  if (only >= 0)
    try_one (&fuzz, (guint64) seed, (guint64) only);
  for (number = from; only < 0 && number - from < count &&
         (seconds == 0 || g_get_monotonic_time () - begin < seconds * G_USEC_PER_SEC); number++)
    try_one (&fuzz, (guint64) seed, (guint64) number);
  g_ptr_array_unref (fuzz.origins);
  g_bytes_unref (fuzz.module);
  gilk_btf_unref (fuzz.kernel);
  printf ("1..1\nok 1 - %" G_GINT64_FORMAT " mutants of seed %" G_GINT64_FORMAT ", %.0f s, no fault (%"
          G_GUINT64_FORMAT " were taken, and asked %" G_GUINT64_FORMAT " questions)\n", number - from, seed,
          (double) (g_get_monotonic_time () - begin) / 1e6, fuzz.taken, fuzz.questions);
  return 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * programs.c - makes the session of probe programs for the transcripts; the result is always the
 * same
 *
 * golden-programs FILE: two hooks whose programs have a map of each kind, and a hook that counts.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/store/gilk-store-names.h"
#include "core/store/gilk-store-program.h"
#include "core/store/gilk-store-write.h"

#define SECOND G_GUINT64_CONSTANT (1000000000)

enum { CPUS = 2, BITS = 3 };

static void
check_result (gboolean ok, GError *error)
{
  if (ok)
    return;
  fprintf (stderr, "golden-programs: %s\n", error != NULL ? error->message : "failed");
  exit (EXIT_FAILURE);
}

static gint64
add_hook (GilkStore *store, gint64 run, uint32_t iid, const char *label, const char *function, const char *instrument,
          uint64_t hits)
{
  const struct ilk_counter counter = { .count = hits };
  const GilkStoreHook hook = {
    .iid = iid, .label = label, .function = function, .module = "kernel", .block = "+0x0", .where = "pre",
    .instrument = instrument, .tactic = "splice", .addr = 0xffffffff81234500 + iid * 16,
    .site = 0xffffffff81234500 + iid * 16, .cost = 24, .fingerprint = "0123456789abcdef",
  };
  GError *error = NULL;
  gint64 id;

  check_result (gilk_store_add_hook (store, run, &hook, &id, &error), error);
  check_result (gilk_store_put_counts (store, run, iid, 0, &counter, 10 * SECOND, &error), error);

  return id;
}

static void
put_map_value (GilkStore *store, gint64 hook, const char *name, GilkMapKind kind, const GilkStoreValue *values, guint n)
{
  GError *error = NULL;

  check_result (gilk_store_put_map (store, hook, name, kind, values, n, &error), error);
}

/* Stores many small values and some large ones. @spread: range of the values in octaves */
static void
put_sizes (GilkStore *store, gint64 hook, guint spread)
{
  g_autoptr(GArray) values = g_array_new (FALSE, FALSE, sizeof (GilkStoreValue));
  uint64_t random = 88172645463325252u;

  for (guint i = 0; i < 4000; i++)
    {
      GilkStoreValue value = { .cpu = i % CPUS, .value = 1 };

      random ^= random << 13;
      random ^= random >> 7;
      random ^= random << 17;
      value.key = i % 40 == 0 ? 0 : gilk_ops_bucket (((random >> 20) & 0xfff) << (random % spread) >> 4, BITS);
      g_array_append_val (values, value);
    }
  put_map_value (store, hook, "sizes", GILK_MAP_HISTOGRAM, (const GilkStoreValue *) (const void *) values->data, values->len);
}

static void
put_pids (GilkStore *store, gint64 hook)
{
  GilkStoreValue values[28], missed = { 0, 1, 12 };

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    values[i] = (GilkStoreValue) { 900 + i / 2, i % CPUS, 100000 / (1 + i * i) + i };
  put_map_value (store, hook, "by_pid", GILK_MAP_HASH, values, G_N_ELEMENTS (values));
  put_map_value (store, hook, "by_pid", GILK_MAP_MISSED, &missed, 1);
}

static void
add_writes (GilkStore *store, gint64 run)
{
  static const GilkProgramMap kept[] = {
    { .name = "greatest", .kind = GILK_MAP_GLOBAL, .is_signed = TRUE, .initial = -1 },
    { .name = "calls", .kind = GILK_MAP_COUNTER }, { .name = "sizes", .kind = GILK_MAP_HISTOGRAM, .bits = BITS },
    { .name = "by_pid", .kind = GILK_MAP_HASH, .slots = 16 }, { .name = "by_pid", .kind = GILK_MAP_MISSED },
    { .name = "bad", .kind = GILK_MAP_BAD },
  };
  static const char code[] =
    "global greatest = -1; counter calls; histogram sizes (3); map by_pid[16];\n"
    "calls++; sizes (count);\n"
    "if (count > greatest) greatest = count;\n"
    "by_pid[pid] += count";
  const GilkStoreValue greatest = { 0, G_MAXUINT, 131071 }, calls[] = { { 0, 0, 2000 }, { 0, 1, 2000 } };
  const GilkStoreValue bad[] = { { 0, 1, 3 } };
  gint64 hook = add_hook (store, run, 1, "writes", "vfs_write", "program", 4000);
  GError *error = NULL;

  check_result (gilk_store_add_program (store, hook, "", code, kept, G_N_ELEMENTS (kept), &error), error);
  put_map_value (store, hook, "greatest", GILK_MAP_GLOBAL, &greatest, 1);
  put_map_value (store, hook, "calls", GILK_MAP_COUNTER, calls, G_N_ELEMENTS (calls));
  put_map_value (store, hook, "bad", GILK_MAP_BAD, bad, G_N_ELEMENTS (bad));
  put_sizes (store, hook, 10);
  put_pids (store, hook);
}

/* Stores a map whose keys are names of threads, of which one is not there and one would change the terminal. */
static void
put_names (GilkStore *store, gint64 run, gint64 hook)
{
  static const char *const names[] = { "sed", "kworker/1:2", "odd\033[31mname", NULL };
  GilkStoreValue values[G_N_ELEMENTS (names)];
  GError *error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      uint64_t words[2] = { 0 };

      memcpy (words, names[i] != NULL ? names[i] : "?", names[i] != NULL ? strlen (names[i]) : 1);
      values[i] = (GilkStoreValue) { gilk_map_text_key (words, 2), i % CPUS, 600 >> (2 * i) };
      if (names[i] != NULL)
        check_result (gilk_store_add_value_name (store, run, GILK_MEANING_TEXT, values[i].key, names[i], &error), error);
    }
  put_map_value (store, hook, "by_name", GILK_MAP_HASH, values, G_N_ELEMENTS (values));
}

static void
add_reads (GilkStore *store, gint64 run)
{
  static const GilkProgramMap kept[] = {
    { .name = "sizes", .kind = GILK_MAP_HISTOGRAM, .bits = BITS },
    { .name = "depth", .kind = GILK_MAP_HISTOGRAM, .bits = 4 },
    { .name = "by_file", .kind = GILK_MAP_HASH, .slots = 8 }, { .name = "by_file", .kind = GILK_MAP_MISSED },
    { .name = "by_name", .kind = GILK_MAP_HASH, .slots = 16, .is_signed = TRUE, .meaning = GILK_MEANING_TEXT },
    { .name = "by_name", .kind = GILK_MAP_MISSED },
  };
  const GilkStoreValue depth[] = { { 0, 0, 6 }, { 1, 0, 9 }, { 2, 0, 4 }, { 3, 1, 2 }, { 5, 1, 1 } };
  const GilkStoreValue by_file[] = { { (gint64) 0xffff888012345600, 0, 41 }, { (gint64) 0xffff888012345a00, 1, 1 } };
  gint64 hook = add_hook (store, run, 2, "reads", "vfs_read", "program", 4000);
  GError *error = NULL;

  check_result (gilk_store_add_program (store, hook, "file-reads",
                                        "histogram sizes (3); histogram depth (4); map by_file[8]; map by_name[16]; "
                                        "sizes (count); depth (file->f_pos >> 12); by_file[(u64) file]++; by_name[comm]++",
                                        kept, G_N_ELEMENTS (kept), &error), error);
  put_sizes (store, hook, 4);
  put_map_value (store, hook, "depth", GILK_MAP_HISTOGRAM, depth, G_N_ELEMENTS (depth));
  put_map_value (store, hook, "by_file", GILK_MAP_HASH, by_file, G_N_ELEMENTS (by_file));
  put_names (store, run, hook);
}

int
main (int argc, char **argv)
{
  const GilkStoreRun about = {
    .target = "lab:6.1", .hostname = "lab", .release = "6.1.0-56-amd64", .build_id = "", .title = "Who writes how much",
    .plan_text = "[gilk-plan]\nversion=1\n", .zero_tsc = 3000000000u, .zero_mono_ns = SECOND,
    .zero_unix_ns = G_GUINT64_CONSTANT (1700000000) * SECOND, .tsc_khz = 2000000, .n_cpus = CPUS,
  };
  const struct ilk_instrument_desc program = { .id = 1, .version = 1, .name = "program" };
  GError *error = NULL;
  GilkStore *store;
  gint64 run;

  if (argc != 2)
    {
      fprintf (stderr, "usage: golden-programs FILE\n");
      return EXIT_FAILURE;
    }
  store = gilk_store_open (argv[1], &error);
  check_result (store != NULL, error);
  run = gilk_store_begin_run (store, &about, &error);
  check_result (run > 0 && gilk_store_add_instrument (store, run, &program, &error), error);
  add_writes (store, run);
  add_reads (store, run);
  add_hook (store, run, 3, "opens", "do_sys_openat2", "count", 77);
  check_result (gilk_store_end_run (store, run, 10 * SECOND, "time is up", &error), error);
  check_result (gilk_store_close (store, &error), error);
  return EXIT_SUCCESS;
}

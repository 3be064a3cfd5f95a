/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * samples-fixture.h - records a session with samples of many hooks, and keeps the expected
 * values of each sample
 */
#pragma once

#include <string.h>

#include "tests/store-fixture.h"

enum { HOOKS = 40, CPUS = 3, SAMPLES = 60000 };

typedef struct {
  gint64   t_ns;
  uint32_t cpu, pid;
  guint    hook;                    /* index of the hook, from 0 */
  gboolean is_short;                /* TRUE: the sample's record lacks the pid */
} Truth;

static const char *const names[] = { "cat", "tr", "sort" };

static inline struct ilk_instrument_desc
task_desc (void)
{
  struct ilk_instrument_desc d = { .id = 1, .version = 1, .sample_bytes = 20, .field_count = 2,
                                   .name = "task", .help = "who" };

  d.fields[0] = (struct ilk_field) { "pid", "", "process", ILK_FIELD_U32, 16, 4, 0 };
  d.fields[1] = (struct ilk_field) { "comm", "", "name", ILK_FIELD_TEXT, 0, 16, 0 };

  return d;
}

static inline void
add_truth (GilkStore *store, gint64 run, const Truth *truth)
{
  struct { char name[16]; uint32_t pid; } data = { .pid = truth->pid };

  strcpy (data.name, names[truth->pid % 3]);
  fixture_add_sample (store, run, truth->cpu, truth->hook + 1, truth->t_ns, &data, truth->is_short ? 16 : 20);
}

/* Draws random samples. A few hooks have most of them; some samples have equal times, and some are
 * out of order. */
static inline GArray *
draw_truth (guint32 seed)
{
  g_autoptr(GRand) rand = g_rand_new_with_seed (seed);
  GArray *all = g_array_new (FALSE, TRUE, sizeof (Truth));
  gint64 t[CPUS] = { 0 };

  for (guint i = 0; i < SAMPLES; i++)
    {
      Truth truth = { .cpu = (uint32_t) g_rand_int_range (rand, 0, CPUS) };

      t[truth.cpu] += g_rand_int_range (rand, 0, 50);
      truth.t_ns = t[truth.cpu] - (g_rand_int_range (rand, 0, 100) == 0 ? 20 : 0);
      truth.t_ns = MAX (truth.t_ns, 0);
      truth.hook = (guint) (g_rand_int_range (rand, 0, 20) ? g_rand_int_range (rand, 0, 3)
                                                           : g_rand_int_range (rand, 0, HOOKS));
      truth.pid = (uint32_t) g_rand_int_range (rand, 1, 100);
      /* Every sample of hook 0 contains a pid, so its record is never short. */
      truth.is_short = g_rand_int_range (rand, 0, 50) == 0 && truth.hook != 0;
      g_array_append_val (all, truth);
    }

  return all;
}

static inline gint64
begin_run (GilkStore *store)
{
  struct ilk_instrument_desc task = task_desc ();
  g_autoptr(GError) error = NULL;
  gint64 id = fixture_begin (store, CPUS);

  g_assert_true (gilk_store_add_instrument (store, id, &task, &error));
  for (guint i = 0; i < HOOKS; i++)
    {
      g_autofree char *label = g_strdup_printf ("h%u", i);

      fixture_add_hook (store, id, i + 1, label, "task");
    }

  return id;
}

/* Records the samples @truth in batches, each of one CPU, with occasional flushes. With @packed,
 * compresses the session like gilk run --compress. */
static inline void
record_session (const char *path, const GArray *truth, guint flush_each, gboolean packed)
{
  g_autoptr(GError) error = NULL;
  GilkStore *store = fixture_open (path);
  gint64 run;

  if (packed)
    gilk_store_enable_compression (store);
  run = begin_run (store);
  for (guint i = 0; i < truth->len; i++)
    {
      add_truth (store, run, &g_array_index (truth, Truth, i));
      if ((i + 1) % flush_each == 0)
        g_assert_true (gilk_store_flush (store, &error));
    }
  fixture_end (store, run, 1000);
}

/* Compresses the session twice. Checks that the first pass shrinks it and that the second pass
 * changes nothing. */
static inline void
compress_session (const char *path)
{
  for (guint round = 0; round < 2; round++)
    {
      g_autoptr(GError) error = NULL;
      GilkStore *store = fixture_open (path);
      const uint64_t before = gilk_store_bytes (store);

      g_assert_true (gilk_store_compress (store, NULL, NULL, &error));
      g_assert_true (gilk_store_close (store, &error));
      store = fixture_read (path);
      if (round == 0)
        g_assert_cmpuint (gilk_store_bytes (store), <, before);
      else
        g_assert_cmpuint (gilk_store_bytes (store), ==, before);
      gilk_store_free (store);
    }
}

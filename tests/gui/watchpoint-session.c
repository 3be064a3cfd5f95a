/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * watchpoint-session.c - makes a session with two watchpoints: one with many accesses, one without any
 *
 *   watchpoint-session FILE
 *
 * The code at tcp_write+0x40 writes to the variable "memory" most often: 400 of 1,000 accesses.
 * Other blocks of tcp_write and sk_charge, and code without a symbol, also write to it. The
 * watchpoint paused 3 times, and 7 samples were lost. A hook in tcp_write only counts.
 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/bind/gilk-bound-watchpoint.h"
#include "core/plan/gilk-plan-point.h"
#include "core/samples/gilk-store-accesses.h"
#include "core/store/gilk-store-names.h"
#include "core/store/gilk-store-write.h"

#define TEXT   0xffffffff81000000ull
#define SECOND G_GUINT64_CONSTANT (1000000000)
#define BLOCKS 8u

/* A place in the code that writes to "memory". */
typedef struct {
  uint64_t    ip;
  const char *name, *insn;
  guint       share;             /* number of accesses by this code, of 1,000 in total */
  uint32_t    context;
  const char *comm;
  uint32_t    pid;
} Writer;

static const Writer writers[] = {
  { TEXT + 0x44, "tcp_write+0x40", "lock add %rbx,0x1883a10(%rip)", 400, GILK_CONTEXT_TASK, "sshd", 812 },
  { TEXT + 0x86, "tcp_write+0x80", "lock sub %rbx,0x1883a10(%rip)", 150, GILK_CONTEXT_SOFTIRQ, "swapper/0", 0 },
  { TEXT + 0xc3, "tcp_write+0xc0", "lock incq 0x1883a10(%rip)", 50, GILK_CONTEXT_TASK, "curl", 4711 },
  { TEXT + 0x1044, "sk_charge+0x40", "lock xadd %rax,0x1883a10(%rip)", 220, GILK_CONTEXT_SOFTIRQ, "ksoftirqd/1", 22 },
  { TEXT + 0x1064, "sk_charge+0x60", "lock xadd %rdx,0x1883a10(%rip)", 120, GILK_CONTEXT_HARDIRQ, "swapper/1", 0 },
  { 0xffffffffc0123456ull, NULL, NULL, 60, GILK_CONTEXT_TASK, "insmod", 99 },
};

static void
check_result (gboolean good, GError *error)
{
  if (good)
    return;
  fprintf (stderr, "watchpoint-session: %s\n", error != NULL ? error->message : "failed");
  exit (EXIT_FAILURE);
}

static void
add_hook (GilkStore *store, gint64 run, uint32_t iid, const char *label, const char *function, const char *block,
          const char *instrument, const char *tactic)
{
  const GilkStoreHook hook = {
    .iid = iid, .label = label, .function = function, .module = "kernel", .block = block,
    .where = strcmp (tactic, "breakpoint") == 0 ? "post" : "pre", .instrument = instrument, .tactic = tactic, .addr = TEXT + 0x20,
    .cost = 3,
  };
  GError *error = NULL;

  check_result (gilk_store_add_hook (store, run, &hook, NULL, &error), error);
}

static void
add_graph (GilkStore *store, gint64 run, const char *name, uint64_t entry)
{
  static const char *const texts[BLOCKS] = {
    "push %rbx\nmov %rdi,%rbx\ntest %rax,%rax\nje +0x60", "mov 0x18(%rbx),%rax\ncall mutex_lock",
    "lock add %rbx,0x1883a10(%rip)\ncmp $0x1000,%rbx\njg +0x80", "mov %rbx,%rdi\ncall sk_stream_moderate",
    "lock sub %rbx,0x1883a10(%rip)\njmp +0x20", "xor %eax,%eax\ntest %rbx,%rbx\nje +0xe0",
    "lock incq 0x1883a10(%rip)\ncall kfree", "pop %rbx\nret",
  };
  static const GilkStoreEdge edges[] = {
    { 0, 1, 2, FALSE }, { 0, 3, 1, FALSE }, { 1, 2, 0, FALSE }, { 2, 3, 2, FALSE }, { 2, 4, 1, FALSE }, { 3, 5, 0, FALSE },
    { 4, 1, 3, TRUE }, { 5, 6, 2, FALSE }, { 5, 7, 1, FALSE }, { 6, 7, 0, FALSE },
  };
  GilkStoreBlock blocks[BLOCKS];
  char names[BLOCKS][16];
  GError *error = NULL;

  for (guint i = 0; i < BLOCKS; i++)
    {
      g_snprintf (names[i], sizeof names[i], "+0x%x", 0x20 * i);
      blocks[i] = (GilkStoreBlock) { names[i], entry + 0x20 * i, entry + 0x20 * i + 0x18, FALSE, texts[i] };
    }
  check_result (gilk_store_add_function (store, run, name, "kernel", entry, blocks, BLOCKS, edges, G_N_ELEMENTS (edges), &error), error);
}

static void
add_sample (GilkStore *store, gint64 run, const Writer *writer, uint64_t t, uint64_t value)
{
  struct {
    struct ilk_record record;
    uint8_t           rest[2 * ILK_CELL];
  } cells = { .record = { .commit = 1, .iid = 1, .tsc = SECOND + t, .len = sizeof (struct gilk_watch_sample) } };
  struct gilk_watch_sample sample = { .ip = writer->ip, .value = value, .before = value - 1, .pid = writer->pid,
                                     .context = writer->context };
  GError *error = NULL;
  guint stored;

  g_strlcpy (sample.comm, writer->comm, sizeof sample.comm);
  memcpy ((uint8_t *) &cells + offsetof (struct ilk_record, data), &sample, sizeof sample);
  check_result (gilk_store_add_records (store, run, 0, &cells, ILK_RECORD_CELLS (sizeof sample) * ILK_CELL, &stored, &error), error);
}

/* Adds a sample for each of a thousand accesses within two seconds. The places in writers[] make
 * them in turn, until each has made its share. */
static void
add_samples (GilkStore *store, gint64 run)
{
  struct ilk_counter counter = { .count = 1007, .lost = 7, .missed = 3 };
  const struct ilk_counter none = { 0 };
  guint left[G_N_ELEMENTS (writers)];
  GError *error = NULL;
  guint at = 0;

  for (guint i = 0; i < G_N_ELEMENTS (writers); i++)
    left[i] = writers[i].share;
  for (guint n = 0; n < 1000; n++)
    {
      do
        at = (at + 7) % G_N_ELEMENTS (writers);
      while (left[at] == 0);
      left[at]--;
      add_sample (store, run, &writers[at], n * (uint64_t) 2000000, 0x5200 + (n % 97) * 3);
    }
  check_result (gilk_store_put_counts (store, run, 1, 0, &counter, 2 * SECOND, &error), error);
  check_result (gilk_store_put_counts (store, run, 2, 0, &none, 2 * SECOND, &error), error);
  counter = (struct ilk_counter) { .count = 650 };
  check_result (gilk_store_put_counts (store, run, 3, 0, &counter, 2 * SECOND, &error), error);
}

static void
add_names (GilkStore *store, gint64 run)
{
  GError *error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (writers) && writers[i].name != NULL; i++)
    check_result (gilk_store_add_value_name (store, run, GILK_MEANING_ACCESSOR, (gint64) writers[i].ip, writers[i].name, &error) &&
                  gilk_store_add_value_name (store, run, GILK_MEANING_ACCESSOR_INSN, (gint64) writers[i].ip, writers[i].insn, &error),
                  error);
}

int
main (int argc, char **argv)
{
  const GilkStoreRun row = { .target = "lab:6.1", .hostname = "lab", .release = "6.1.0-56-amd64", .title = "Who writes it",
                             .plan_text = "", .tsc_khz = 1000000, .zero_tsc = SECOND, .zero_mono_ns = SECOND,
                             .zero_unix_ns = G_GUINT64_CONSTANT (1700000000000000000), .n_cpus = 1 };
  struct ilk_instrument_desc watch, count = { .name = "count", .version = 1 };
  GError *error = NULL;
  GilkStore *store;
  gint64 run;

  if (argc != 2)
    {
      fprintf (stderr, "usage: watchpoint-session FILE\n");
      return EXIT_FAILURE;
    }
  store = gilk_store_open (argv[1], &error);
  check_result (store != NULL, error);
  run = gilk_store_begin_run (store, &row, &error);
  gilk_watchpoint_desc (&watch);
  check_result (run > 0 && gilk_store_add_instrument (store, run, &watch, &error) &&
                gilk_store_add_instrument (store, run, &count, &error), error);
  add_hook (store, run, 1, "memory", "tcp_memory", ":w", GILK_WATCHPOINT_INSTRUMENT, "breakpoint");
  add_hook (store, run, 2, "nobody", "softnet_data.processed", ":w,cpu=each", GILK_WATCHPOINT_INSTRUMENT, "breakpoint");
  add_hook (store, run, 3, "writes", "tcp_write", "+0x20", "count", "splice");
  add_graph (store, run, "tcp_write", TEXT);
  add_graph (store, run, "sk_charge", TEXT + 0x1000);
  add_samples (store, run);
  add_names (store, run);
  check_result (gilk_store_end_run (store, run, 2 * SECOND, "time is up", &error), error);
  check_result (gilk_store_close (store, &error), error);

  return EXIT_SUCCESS;
}

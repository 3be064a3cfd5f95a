/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * make-session.c - makes a session with all kinds of exported data, and prints its contents as
 * lines of JSON
 *
 *   make-session FILE > TRUTH
 *
 * The session contains samples on three CPUs with fields of all types, some samples too short for
 * their fields; losses at known and unknown times; nested calls; counters; graphs with disassembly.
 * The result is always the same.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/store/gilk-store-clock.h"
#include "core/store/gilk-store-loss.h"
#include "core/store/gilk-store-write.h"

#define TSC_KHZ   2000000u
#define ZERO_TSC  5000000000u
#define ZERO_MONO (G_GUINT64_CONSTANT (7200) * 1000000000 + 123456789)
#define ZERO_UNIX (G_GUINT64_CONSTANT (1700000000) * 1000000000 + 987654321)
#define N_CPUS    3

enum { TASK_A = 1, TASK_B, WIDE, STAMP, OUTER_IN, OUTER_OUT, INNER_IN, INNER_OUT, COUNT_ENTRY, COUNT_LEFT,
       COUNT_NEVER, COUNT_PLAIN };

/* Payload of a sample, in the layout that the instrument describes: without padding. */
typedef struct __attribute__ ((packed)) {
  uint64_t a;
  int64_t  b;
  uint32_t c;
  int32_t  d;
  uint64_t e;
  char     f[16];
} Wide;

static uint64_t random_state = 88172645463325252u;
static GByteArray *cells[N_CPUS];

static uint64_t
draw_below (uint64_t below)
{
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;

  return random_state % below;
}

static void
check_result (gboolean good, GError *error)
{
  if (!good)
    g_error ("%s", error != NULL ? error->message : "failed");
}

/* ---- writing the records of samples ---- */

static void
add_sample (guint cpu, uint32_t iid, uint64_t t_ns, const void *payload, guint length)
{
  struct ilk_record record = { .commit = 1, .tsc = ZERO_TSC + 2 * t_ns, .iid = iid, .len = (uint16_t) length };
  guint8 bytes[5 * ILK_CELL] = { 0 };
  guint size = (guint) (offsetof (struct ilk_record, data) + length + ILK_CELL - 1) / ILK_CELL * ILK_CELL;

  memcpy (bytes, &record, offsetof (struct ilk_record, data));
  if (length > 0)
    memcpy (bytes + offsetof (struct ilk_record, data), payload, length);
  g_byte_array_append (cells[cpu], bytes, MAX (size, (guint) ILK_CELL));
}

static void
add_tell_sample (const char *hook, guint cpu, uint64_t t_ns)
{
  printf ("{\"hook\": \"%s\", \"cpu\": %u, \"t_ns\": %llu", hook, cpu, (unsigned long long) t_ns);
}

static void
put_task (guint cpu, uint64_t t_ns)
{
  static const char *const names[] = { "cat", "tr", "a;b \"c\"", "kworker/0:1" };
  struct { uint32_t pid; char comm[16]; } task = { .pid = 100 + (uint32_t) draw_below (4) };
  gboolean first = draw_below (2) == 0;

  memcpy (task.comm, names[task.pid - 100], strlen (names[task.pid - 100]));
  add_sample (cpu, first ? TASK_A : TASK_B, t_ns, &task, sizeof task);
  add_tell_sample (first ? "task-a" : "task-b", cpu, t_ns);
  printf (", \"pid\": %u, \"comm\": \"%s\"}\n", task.pid, task.pid == 102 ? "a;b \\\"c\\\"" : task.comm);
}

static void
put_wide (guint cpu, uint64_t t_ns)
{
  Wide wide = { .a = draw_below (G_MAXUINT64), .b = (int64_t) (draw_below (G_MAXUINT64) << 1), .c = (uint32_t) draw_below (G_MAXUINT32),
                .d = (int32_t) draw_below (G_MAXUINT32), .e = draw_below (G_MAXUINT64) | 1ull << 63 };
  gboolean cut = draw_below (5) == 0;

  snprintf (wide.f, sizeof wide.f, "w%u", (unsigned) draw_below (9));
  add_sample (cpu, WIDE, t_ns, &wide, cut ? 16 : sizeof wide);
  add_tell_sample ("wide", cpu, t_ns);
  printf (", \"a_ns\": %llu, \"b\": %lld", (unsigned long long) wide.a, (long long) wide.b);
  if (!cut)
    printf (", \"c\": %u, \"d\": %d, \"e\": \"0x%016llx\", \"f\": \"%s\"", wide.c, wide.d,
            (unsigned long long) wide.e, wide.f);
  printf ("}\n");
}

static void
put_span (guint cpu, uint32_t iid, const char *hook, uint64_t t_ns, uint64_t frame)
{
  add_sample (cpu, iid, t_ns, &frame, sizeof frame);
  add_tell_sample (hook, cpu, t_ns);
  printf (", \"frame\": \"0x%016llx\"}\n", (unsigned long long) frame);
}

/* Writes the entries and exits of a call and its nested calls; the exits of some calls are left
 * out. */
static uint64_t
put_calls (guint cpu, uint64_t t_ns)
{
  uint64_t base = 0xffffc90000100000ull + draw_below (5) * 0x4000, outer = base + 0x3f48, inner = base + 0x3e08;

  put_span (cpu, OUTER_IN, "outer-in", t_ns += 11, outer);
  for (uint64_t n = draw_below (3); n > 0; n--)
    {
      put_span (cpu, INNER_IN, "inner-in", t_ns += 1 + draw_below (900), inner);
      if (draw_below (12) != 0)
        put_span (cpu, INNER_OUT, "inner-out", t_ns += 1 + draw_below (2000), inner);
    }
  if (draw_below (12) != 0)
    put_span (cpu, OUTER_OUT, "outer-out", t_ns += 1 + draw_below (700), outer);
  if (draw_below (12) == 0)
    put_span (cpu, INNER_OUT, "inner-out", t_ns += 5, inner);

  return t_ns;
}

static void
put_samples (GilkStore *store, gint64 run)
{
  GError *error = NULL;
  guint stored;

  for (guint cpu = 0; cpu < N_CPUS; cpu++)
    {
      /* Samples of different CPUs have different times, so that the order of all samples is
       * known. */
      uint64_t t_ns = 1000;

      cells[cpu] = g_byte_array_new ();
      for (guint i = 0; i < 4000; i++)
        {
          t_ns += 1 + draw_below (100000);
          t_ns += (cpu + N_CPUS - t_ns % N_CPUS) % N_CPUS;
          switch (draw_below (4))
            {
            case 0: put_task (cpu, t_ns); break;
            case 1: put_wide (cpu, t_ns); break;
            case 2:
              add_sample (cpu, STAMP, t_ns, NULL, 0);
              add_tell_sample ("stamp", cpu, t_ns);
              printf ("}\n");
              break;
            default:
              if (cpu == 0)
                t_ns = put_calls (cpu, t_ns);
              break;
            }
        }
      check_result (gilk_store_add_records (store, run, cpu, cells[cpu]->data, cells[cpu]->len, &stored, &error), error);
      g_byte_array_unref (cells[cpu]);
    }
}

/* ---- storing the run with its hooks and other data ---- */

static void
describe_run (GilkStore *store, gint64 run)
{
  static const struct ilk_field task[] = {
    { "pid", "", "thread", ILK_FIELD_U32, 0, 4, 0 }, { "comm", "", "name", ILK_FIELD_TEXT, 4, 16, 0 },
  };
  static const struct ilk_field wide[] = {
    { "a", "ns", "", ILK_FIELD_U64, 0, 8, 0 }, { "b", "", "", ILK_FIELD_S64, 8, 8, 0 },
    { "c", "", "", ILK_FIELD_U32, 16, 4, 0 }, { "d", "", "", ILK_FIELD_S32, 20, 4, 0 },
    { "e", "", "", ILK_FIELD_HEX64, 24, 8, 0 }, { "f", "", "", ILK_FIELD_TEXT, 32, 16, 0 },
  };
  static const struct ilk_field span[] = { { "frame", "", "", ILK_FIELD_HEX64, 0, 8, 0 } };
  static const struct { const char *name; guint bytes, n; const struct ilk_field *fields; } all[] = {
    { "task", 20, 2, task }, { "wide", sizeof (Wide), 6, wide }, { "span", 8, 1, span }, { "stamp", 0, 0, NULL },
  };
  GError *error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    {
      struct ilk_instrument_desc desc = { .id = i + 1, .version = 1, .sample_bytes = all[i].bytes,
                                          .field_count = all[i].n };

      strcpy (desc.name, all[i].name);
      if (all[i].n > 0)
        memcpy (desc.fields, all[i].fields, all[i].n * sizeof (struct ilk_field));
      check_result (gilk_store_add_instrument (store, run, &desc, &error), error);
    }
}

static void
add_hooks (GilkStore *store, gint64 run)
{
  static const GilkStoreHook hooks[] = {
    { .iid = TASK_A, .label = "task-a", .function = "pipe_write", .block = "+0x2b1", .where = "pre", .instrument = "task" },
    { .iid = TASK_B, .label = "task-b", .function = "pipe_read", .block = "+0x1c4", .where = "post", .instrument = "task" },
    { .iid = WIDE, .label = "wide", .function = "vfs_read", .block = "+0x9", .where = "pre", .instrument = "wide" },
    { .iid = STAMP, .label = "stamp", .function = "vfs_write", .block = "+0x9", .where = "pre", .instrument = "stamp" },
    { .iid = OUTER_IN, .label = "outer-in", .function = "outer", .block = "+0x0", .where = "pre", .instrument = "span" },
    { .iid = OUTER_OUT, .label = "outer-out", .function = "outer", .block = "+0x40", .where = "post", .instrument = "span" },
    { .iid = INNER_IN, .label = "inner-in", .function = "inner", .block = "+0x0", .where = "pre", .instrument = "span" },
    { .iid = INNER_OUT, .label = "inner-out", .function = "inner", .block = "+0x20", .where = "post", .instrument = "span" },
    { .iid = COUNT_ENTRY, .label = "branch-entry", .function = "branch", .block = "+0x0", .where = "pre", .instrument = "count" },
    { .iid = COUNT_LEFT, .label = "branch-left", .function = "branch", .block = "+0x8", .where = "pre", .instrument = "count" },
    { .iid = COUNT_NEVER, .label = "branch-never", .function = "branch", .block = "+0x18", .where = "pre", .instrument = "count" },
    { .iid = COUNT_PLAIN, .label = "plain \"one\"", .function = "plain", .block = "+0x0", .where = "pre", .instrument = "count" },
  };
  GError *error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (hooks); i++)
    {
      GilkStoreHook hook = hooks[i];

      hook.module = "kernel";
      hook.tactic = "splice";
      hook.addr = hook.site = 0xffffffff81000000 + hook.iid * 256;
      check_result (gilk_store_add_hook (store, run, &hook, NULL, &error), error);
    }
}

static void
put_counts (GilkStore *store, gint64 run, uint32_t iid, guint cpu, uint64_t hits, uint64_t lost)
{
  const struct ilk_counter counter = { hits, lost, 0 };
  GError *error = NULL;

  check_result (gilk_store_put_counts (store, run, iid, cpu, &counter, 300000000, &error), error);
}

/* Stores lost samples: on CPU 0, 17 with known times and 3 with unknown times; on CPU 2, 5 with
 * unknown times. */
static void
put_losses (GilkStore *store, gint64 run)
{
  static const GilkStoredLoss early = { 40000000, 52000000, 12, 0 }, late = { 51000000, 90000000, 5, 0 };
  GError *error = NULL;

  check_result (gilk_store_put_loss (store, run, TASK_A, 0, &early, &error), error);
  check_result (gilk_store_put_loss (store, run, WIDE, 0, &late, &error), error);
  put_counts (store, run, TASK_A, 0, 1000, 12);
  put_counts (store, run, WIDE, 0, 1000, 8);
  put_counts (store, run, STAMP, 2, 1000, 5);
}

static void
put_counters (GilkStore *store, gint64 run)
{
  static const struct { uint32_t iid; const char *hook; uint64_t hits; } all[] = {
    { COUNT_ENTRY, "branch-entry", 100 }, { COUNT_LEFT, "branch-left", 30 }, { COUNT_NEVER, "branch-never", 0 },
    { COUNT_PLAIN, "plain \\\"one\\\"", 7 },
  };
  GError *error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    {
      for (uint64_t n = 1; n <= 10; n++)
        {
          check_result (gilk_store_add_count_point (store, run, all[i].iid, n * 20000000, all[i].hits * n / 10, &error), error);
          printf ("{\"hook\": \"%s\", \"t_ns\": %llu, \"count\": %llu}\n", all[i].hook,
                  (unsigned long long) (n * 20000000), (unsigned long long) (all[i].hits * n / 10));
        }
      put_counts (store, run, all[i].iid, 0, all[i].hits, 0);
    }
}

static void
add_functions (GilkStore *store, gint64 run)
{
  static const GilkStoreBlock branch[] = {
    { "+0x0", 0x1000, 0x1008, FALSE, "endbr64\ntest %rdi,%rdi\nje +0x10" },
    { "+0x8", 0x1008, 0x1010, FALSE, "xor %eax,%eax\nret" },
    { "+0x10", 0x1010, 0x1018, FALSE, "cmp $0x1,%esi\nja +0x18" },
    { "+0x18", 0x1018, 0x1020, FALSE, "ud2" },
    { "+0x20", 0x1020, 0x1028, FALSE, "ret" },
  };
  static const GilkStoreEdge edges[] = {
    { 0, 2, 1, FALSE }, { 0, 1, 2, FALSE }, { 2, 3, 1, FALSE }, { 2, 4, 2, FALSE },
  };
  static const GilkStoreBlock plain[] = { { "+0x0", 0x2000, 0x2004, FALSE, "nop\nret" } };
  GError *error = NULL;

  check_result (gilk_store_add_function (store, run, "branch", "kernel", 0x1000, branch, 5, edges, 4, &error), error);
  check_result (gilk_store_add_function (store, run, "plain", "kernel", 0x2000, plain, 1, NULL, 0, &error), error);
}

/* Stores clock data: at the end of the run, times may be off by 20 ns; the clock offsets of two
 * CPUs are known to within 30 and 11 ns. */
static void
add_clocks (GilkStore *store, gint64 run)
{
  const GilkTimestampPair zero = { ZERO_TSC, ZERO_MONO, 20 }, end = { ZERO_TSC + 2000000000, ZERO_MONO + 1000000000, 20 };
  const GilkCpuOffset offsets[] = { { 0, 0, TRUE }, { 10, 50, TRUE }, { 0, 22, TRUE } };
  GError *error = NULL;

  check_result (gilk_store_add_timestamp_pair (store, run, GILK_TIMESTAMP_ZERO, &zero, &error), error);
  check_result (gilk_store_add_timestamp_pair (store, run, GILK_TIMESTAMP_END, &end, &error), error);
  check_result (gilk_store_add_offsets (store, run, GILK_TIMESTAMP_ZERO, offsets, MIN (N_CPUS, 3), &error), error);
}

int
main (int argc, char **argv)
{
  const GilkStoreRun about = {
    .target = "lab:6.12", .hostname = "lab \"one\"", .release = "6.12.9-amd64", .build_id = "00ff",
    .boot_id = "3c9f2a44-4f0e-4a53-9a51-0a1b2c3d4e5f", .title = "All that exports carry", .plan_text = "",
    .zero_tsc = ZERO_TSC, .zero_mono_ns = ZERO_MONO, .zero_unix_ns = ZERO_UNIX, .tsc_khz = TSC_KHZ,
    .n_cpus = N_CPUS,
  };
  GError *error = NULL;
  GilkStore *store;
  gint64 run;

  if (argc != 2)
    {
      fprintf (stderr, "usage: make-session FILE\n");
      return EXIT_FAILURE;
    }
  store = gilk_store_open (argv[1], &error);
  check_result (store != NULL, error);
  run = gilk_store_begin_run (store, &about, &error);
  check_result (run > 0, error);
  add_clocks (store, run);
  describe_run (store, run);
  add_hooks (store, run);
  put_samples (store, run);
  put_losses (store, run);
  put_counters (store, run);
  add_functions (store, run);
  check_result (gilk_store_end_run (store, run, 300000000, "stopped", &error) && gilk_store_close (store, &error), error);

  return EXIT_SUCCESS;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lines.c - simulates an instruction cache for the kernel's code, as a QEMU plugin
 *
 *   -plugin liblines.so,seen=PATH
 *
 * The cache has 32 KiB, 8 ways and lines of 64 bytes, and replaces the least recently used line. It
 * is indexed by virtual addresses of the kernel; as in a real cache, the low 12 bits of an address
 * choose the set. User code is not cached. The cache is always simulated, but events are counted
 * only while @active is set. tests/python/lines.py, outside the emulator, writes ranges of
 * addresses to the file PATH. Each range has its own counts; all other kernel code shares one set
 * of counts.
 *
 * Control flow is derived from the emulator's translation blocks, each of which ends at a branch or
 * earlier. If a block does not start at the end of the previous one, there was a jump to it. Each
 * CPU has a cache of its own. Counts are not updated atomically, so only one CPU may be online
 * while counting.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/witness/shared-file.h"

#define EXPORT __attribute__ ((visibility ("default")))

struct qemu_plugin_tb;
struct qemu_plugin_insn;
typedef void (*tb_trans_fn) (uint64_t id, struct qemu_plugin_tb *tb);
typedef void (*tb_exec_fn) (unsigned int cpu, void *data);

void   qemu_plugin_register_vcpu_tb_trans_cb (uint64_t id, tb_trans_fn fn);
/* Calls @fn whenever @tb runs. If @flags is 0, the callback reads no registers. */
void   qemu_plugin_register_vcpu_tb_exec_cb (struct qemu_plugin_tb *tb, tb_exec_fn fn, int flags, void *data);
size_t qemu_plugin_tb_n_insns (const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn (const struct qemu_plugin_tb *tb, size_t index);
const void *qemu_plugin_insn_data (const struct qemu_plugin_insn *insn);
size_t qemu_plugin_insn_size (const struct qemu_plugin_insn *insn);
uint64_t qemu_plugin_insn_vaddr (const struct qemu_plugin_insn *insn);

EXPORT int qemu_plugin_version = 1;
EXPORT int qemu_plugin_install (uint64_t id, const void *info, int argc, char **argv);

#define KERNEL   0xffffffff80000000ull     /* lowest address of kernel text and modules; all
                                            * higher addresses count as kernel */
#define SETS     64
#define WAYS     8
#define LINE     64
#define RANGES   2048
#define IDS      256
#define CPUS     8
#define BUCKETS  (1u << 20)

enum { END_BRANCH, END_CALL, END_RETURN };

/* Counts of the code range with one id. Id 0 counts all other kernel code. tests/python/lines.py
 * reads the same layout. */
typedef struct {
  uint64_t insns;
  uint64_t accesses;       /* accesses to cache lines: one whenever execution enters a line */
  uint64_t misses;
  uint64_t branches;       /* jumps and taken branches */
  uint64_t calls;
  uint64_t returns;        /* returns, including iret; an interrupt counts as a branch */
  uint64_t entered;        /* how often the first byte of a marked range was executed */
  uint64_t pad;
} Seen;

typedef struct {
  uint64_t start, end;
  uint32_t id;
  uint32_t is_entry;
} Range;

typedef struct {
  uint64_t active;
  uint64_t generation;     /* changes whenever the ranges change */
  uint64_t n_ranges;
  uint64_t pad[5];
  Range    ranges[RANGES]; /* sorted by address */
  Seen     seen[IDS];
} File;

/* A block of kernel code that the emulator has translated. */
typedef struct Block {
  struct Block *next;      /* next block in the same bucket */
  uint64_t start, end, generation;
  uint32_t n_insns;
  uint16_t id;
  uint8_t  ending;
  bool     is_entry;
} Block;

static File *file;
static Block *buckets[BUCKETS];
static pthread_mutex_t adding = PTHREAD_MUTEX_INITIALIZER;
static struct {
  uint64_t tags[SETS][WAYS];                /* addresses of cached lines, most recently used
                                             * first; 0: empty way */
  const Block *last;                        /* the kernel block that ran last */
} cpus[CPUS];

/* ---- the simulated cache ---- */

static bool
access_line (unsigned int cpu, uint64_t line)
{
  uint64_t *ways = cpus[cpu].tags[line % SETS];
  unsigned int at = 0;

  while (at < WAYS && ways[at] != line)
    at++;
  if (at == 0)
    return true;
  memmove (ways + 1, ways, (at < WAYS ? at : WAYS - 1) * sizeof *ways);
  ways[0] = line;

  return at < WAYS;
}

/* ---- work done when a translated block runs ---- */

static void
find_range (Block *block)
{
  size_t low = 0, high = file->n_ranges < RANGES ? file->n_ranges : RANGES;

  block->generation = file->generation;
  block->id = 0;
  block->is_entry = false;
  while (low < high)
    {
      size_t middle = (low + high) / 2;

      if (file->ranges[middle].end <= block->start)
        low = middle + 1;
      else
        high = middle;
    }
  if (low >= file->n_ranges || low >= RANGES || file->ranges[low].start > block->start)
    return;
  block->id = (uint16_t) (file->ranges[low].id % IDS);
  block->is_entry = file->ranges[low].is_entry && file->ranges[low].start == block->start;
}

static void
note_jump (const Block *from)
{
  Seen *seen = &file->seen[from->id];

  if (from->ending == END_CALL)
    seen->calls++;
  else if (from->ending == END_RETURN)
    seen->returns++;
  else
    seen->branches++;
}

static void
on_insn_run (unsigned int cpu, void *data)
{
  Block *block = data;
  bool active = file->active != 0;
  uint64_t first = block->start / LINE, end = (block->end - 1) / LINE, before;
  const Block *last;
  Seen *seen;

  cpu %= CPUS;
  last = cpus[cpu].last;
  if (block->generation != file->generation)
    find_range (block);
  seen = &file->seen[block->id];
  before = last != NULL && last->end == block->start ? (last->end - 1) / LINE : 0;
  for (uint64_t line = first; line <= end; line++)
    {
      bool hit = line == before || access_line (cpu, line);

      if (active && line != before)
        {
          seen->accesses++;
          seen->misses += !hit;
        }
    }
  if (active)
    {
      seen->insns += block->n_insns;
      seen->entered += block->is_entry;
      if (last != NULL && last->end != block->start)
        note_jump (last);
    }
  cpus[cpu].last = block;
}

/* ---- work done when the emulator translates a block ---- */

static uint8_t
ending_of (const uint8_t *bytes, size_t len)
{
  size_t i = 0;

  while (i + 1 < len && (bytes[i] == 0x3e || bytes[i] == 0x2e || bytes[i] == 0xf2 || bytes[i] == 0xf3 || (bytes[i] & 0xf0) == 0x40))
    i++;
  if (bytes[i] == 0xe8 || (bytes[i] == 0xff && i + 1 < len && (bytes[i + 1] >> 3 & 7) == 2))
    return END_CALL;
  if (bytes[i] == 0xc3 || bytes[i] == 0xc2 || bytes[i] == 0xcb || bytes[i] == 0xcf)
    return END_RETURN;

  return END_BRANCH;
}

/* Returns the entry for a translated block, which is added if it is missing. Must be called with
 * the lock held. */
static Block *
block_of (const struct qemu_plugin_tb *tb)
{
  size_t n = qemu_plugin_tb_n_insns (tb);
  const struct qemu_plugin_insn *first = qemu_plugin_tb_get_insn (tb, 0), *end = qemu_plugin_tb_get_insn (tb, n - 1);
  Block found = {
    .start = qemu_plugin_insn_vaddr (first), .n_insns = (uint32_t) n,
    .end = qemu_plugin_insn_vaddr (end) + qemu_plugin_insn_size (end),
    .ending = ending_of (qemu_plugin_insn_data (end), qemu_plugin_insn_size (end)), .generation = UINT64_MAX,
  };
  Block **bucket = &buckets[(found.start * 0x9e3779b97f4a7c15ull) >> 44], *block;

  for (block = *bucket; block != NULL; block = block->next)
    if (block->start == found.start && block->end == found.end && block->n_insns == found.n_insns &&
        block->ending == found.ending)
      return block;
  block = malloc (sizeof *block);
  if (block == NULL)
    return NULL;
  *block = found;
  block->next = *bucket;
  *bucket = block;

  return block;
}

static void
on_block_translated (uint64_t id, struct qemu_plugin_tb *tb)
{
  Block *block;

  (void) id;
  if (qemu_plugin_tb_n_insns (tb) == 0 || qemu_plugin_insn_vaddr (qemu_plugin_tb_get_insn (tb, 0)) < KERNEL)
    return;
  pthread_mutex_lock (&adding);
  block = block_of (tb);
  pthread_mutex_unlock (&adding);
  if (block != NULL)
    qemu_plugin_register_vcpu_tb_exec_cb (tb, on_insn_run, 0, block);
}

EXPORT int
qemu_plugin_install (uint64_t id, const void *info, int argc, char **argv)
{
  (void) info;
  for (int i = 0; i < argc; i++)
    if (strncmp (argv[i], "seen=", 5) == 0)
      file = shared_file_map (argv[i] + 5, sizeof (File));
  if (file == NULL)
    {
      fprintf (stderr, "lines: needs seen=PATH, of a file that can be written\n");
      return -1;
    }
  qemu_plugin_register_vcpu_tb_trans_cb (id, on_block_translated);

  return 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * false-agent.h - answers requests like gilkd, but about a simulated kernel
 *
 * The kernel has 64 KiB of text with functions of a few blocks, side tables, and one module. Each
 * frame passes through a function of the test before it is sent. The function may change, drop or
 * duplicate it: the test checks how the client copes.
 */
#pragma once

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "tests/unit/false-agent-types.h"
#include "tests/unit/false-program.h"

/* ---- answers that describe the simulated kernel ---- */

static inline const uint8_t *
false_memory (FalseAgent *agent, const struct gilk_range *range)
{
  const struct { uint64_t addr; gsize length; const uint8_t *bytes; } areas[] = {
    { FALSE_TEXT, sizeof agent->text, agent->text },
    { FALSE_TABLES, sizeof agent->tables, agent->tables },
    { FALSE_MODULE, sizeof agent->module, agent->module },
  };

  for (guint i = 0; i < G_N_ELEMENTS (areas); i++)
    if (range->addr >= areas[i].addr && range->addr - areas[i].addr <= areas[i].length &&
        range->len <= areas[i].length - (range->addr - areas[i].addr))
      return areas[i].bytes + (range->addr - areas[i].addr);

  return NULL;
}

static inline void
false_do_text (FalseAgent *agent, const struct gilk_frame *head, const uint8_t *payload,
               GByteArray *out)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  for (gsize at = 0; at + sizeof (struct gilk_range) <= head->length;
       at += sizeof (struct gilk_range))
    {
      struct gilk_range range;
      const uint8_t *memory;

      memcpy (&range, payload + at, sizeof range);
      memory = false_memory (agent, &range);
      if (memory == NULL)
        {
          false_fail (agent, head, EFAULT, out);
          return;
        }
      g_byte_array_append (bytes, memory, (guint) range.len);
    }
  false_answer (agent, head, bytes->data, bytes->len, out);
}

static inline void
false_do_sums (FalseAgent *agent, const struct gilk_frame *head, const uint8_t *payload,
               GByteArray *out)
{
  g_autoptr (GByteArray) sums = g_byte_array_new ();

  for (gsize at = 0; at + sizeof (struct gilk_range) <= head->length; at += sizeof (struct gilk_range))
    {
      struct gilk_range range;
      const uint8_t *memory;

      memcpy (&range, payload + at, sizeof range);
      memory = false_memory (agent, &range);
      if (memory == NULL)
        {
          false_fail (agent, head, EFAULT, out);
          return;
        }
      for (gsize i = 0; i < range.len; i += GILK_WIRE_SUM_BYTES)
        {
          uint64_t sum = XXH64 (memory + i, MIN (GILK_WIRE_SUM_BYTES, range.len - i), 0);

          g_byte_array_append (sums, (const guint8 *) &sum, sizeof sum);
        }
    }
  false_answer (agent, head, sums->data, sums->len, out);
}

static inline void
false_do_file (FalseAgent *agent, const struct gilk_frame *head, const uint8_t *payload,
               GByteArray *out)
{
  static const uint8_t notes[] = {
    4, 0, 0, 0, 8, 0, 0, 0, 3, 0, 0, 0, 'G', 'N', 'U', 0, 1, 2, 3, 4, 5, 6, 7, 8,
  };
  static const char modules[] = "mod 16384 0 - Live 0xffffffffc0000000\n"
                                "ilk 65536 1 ilk_args, Live 0xffffffffc0100000\n"
                                "ilk_args 4096 0 - Live 0xffffffffc0200000\n";
  static const char blacklist[] = "0xffffffff810003c0-0xffffffff81000400\tfn_15\n";
  static const char ftrace[] = "ffffffff81000000 fn_0\nfn_1\nfn_2\nmod_a [mod]\n";
  g_autofree char *all = NULL;
  uint32_t file;

  memcpy (&file, payload, sizeof file);
  switch (file)
    {
    case GILK_FILE_KALLSYMS:
      false_answer (agent, head, agent->kallsyms->str, agent->kallsyms->len, out);
      break;
    case GILK_FILE_MODULES:
      all = g_strconcat (modules, agent->more_modules, NULL);
      false_answer (agent, head, all, strlen (all), out);
      break;
    case GILK_FILE_BOOT_ID:
      if (agent->boot_id != NULL)
        false_answer (agent, head, agent->boot_id, strlen (agent->boot_id), out);
      else
        false_fail (agent, head, ENOENT, out);
      break;
    case GILK_FILE_NOTES:
      false_answer (agent, head, notes, sizeof notes, out);
      break;
    case GILK_FILE_BLACKLIST:
      false_answer (agent, head, blacklist, sizeof blacklist - 1, out);
      break;
    case GILK_FILE_FTRACE:
      false_answer (agent, head, ftrace, sizeof ftrace - 1, out);
      break;
    default:
      false_fail (agent, head, ENOENT, out);
      break;
    }
}

static inline void
false_do_sections (FalseAgent *agent, const struct gilk_frame *head, const uint8_t *payload,
                   GByteArray *out)
{
  static const char sections[] =
    ".text ffffffffc0000000\n.exit.text ffffffffc0000800\n__ex_table ffffffffc0001000\n"
    "__bug_table ffffffffc0001100\n__jump_table ffffffffc0001200\n.orc_unwind_ip ffffffffc0001300\n"
    ".orc_unwind ffffffffc0001400\n.data ffffffffc0001500\n"
    ".rodata.str1.1 ffffffffc0001600\n.init.text ffffffffc0003000\n";

  if (head->length == 3 && memcmp (payload, "mod", 3) == 0)
    false_answer (agent, head, sections, sizeof sections - 1, out);
  else
    false_fail (agent, head, ENOENT, out);
}

static inline void
false_do_types (FalseAgent *agent, const struct gilk_frame *head, const uint8_t *payload, GByteArray *out)
{
  const gboolean of_module = head->length > 0;
  g_autoptr (GBytes) types = NULL;

  if (agent->no_types || (of_module && (head->length != 3 || memcmp (payload, "mod", 3) != 0)))
    {
      false_fail (agent, head, ENOENT, out);
      return;
    }
  types = false_types (of_module);
  false_answer (agent, head, g_bytes_get_data (types, NULL), g_bytes_get_size (types), out);
}

static inline void
false_do_info (FalseAgent *agent, const struct gilk_frame *head, GByteArray *out)
{
  const struct ilk_info info = {
    .abi = ILK_ABI_VERSION, .size = sizeof info, .nr_cpus = agent->n_cpus,
    .hooks_max = agent->hooks_max, .features = ILK_FEATURE_ORC | ILK_FEATURE_EXTABLE,
    .arena_max = 4 << 20, .arena_bytes = 4 << 20, .arena_free = 4 << 20,
    .ring_bytes = 1 << 20, .tsc_khz = 1000000, .clock = { 5000, 5000, 10, 0 },
    .gates = FALSE_ARENA - 0x100000, .gs_preempt_count = 0x1fb30, .gs_ring_head = 0x20000,
    .gs_ring_limit = 0x20008, .gs_ring_base = 0x20010, .gs_guard = 0x20018,
    .gs_ring_mask = 0x20020, .gs_ring_lost = 0x20028, .ring_max = 64 << 20,
    .context_mask = 0x00ffff00,
    .orc_sp = 5, .orc_bp = 4, .orc_bp_indirect = 8, .bug_size = 12,
    .gs_current_task = 0x1fb40, .gs_cpu_number = 0x1fb48, .task_pid = 1280, .task_tgid = 1284, .task_comm = 1776,
  };

  false_answer (agent, head, &info, sizeof info, out);
}

static inline void
false_do_clocks (FalseAgent *agent, const struct gilk_frame *head, const uint8_t *payload, GByteArray *out)
{
  struct gilk_clocks clocks = { .pair = { 6000, 6000, 10, 0 } };
  g_autofree struct ilk_cpu_clock *cpus = g_new0 (struct ilk_cpu_clock, agent->n_cpus);
  uint32_t all;

  memcpy (&all, payload, sizeof all);
  if (all == 0)
    {
      false_answer (agent, head, &clocks, sizeof clocks, out);
      return;
    }
  for (guint i = 0; i < agent->n_cpus; i++)
    cpus[i] = (struct ilk_cpu_clock) { .offset = i * 100, .error = i > 0 ? 20 : 0, .rounds = 1 };
  clocks.count = agent->n_cpus;
  false_send (agent, head, GILK_FRAME_MORE, &clocks, sizeof clocks, out);
  false_answer (agent, head, cpus, agent->n_cpus * sizeof *cpus, out);
}

static inline void
false_do_measure (FalseAgent *agent, const struct gilk_frame *head, const uint8_t *payload, GByteArray *out)
{
  struct ilk_measure measure;
  struct ilk_measure_result rows[ILK_MEASURE_COUNT_MAX];

  memcpy (&measure, payload, sizeof measure);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    rows[i] = (struct ilk_measure_result) { 1000 + i % 7, 400 };
  if (measure.count == 0 || measure.count > G_N_ELEMENTS (rows))
    false_fail (agent, head, EINVAL, out);
  else
    false_answer (agent, head, rows, measure.count * sizeof rows[0], out);
}

/* Reports that nine tenths of the requested calls were made. */
static inline void
false_do_calls (FalseAgent *agent, const struct gilk_frame *head, const uint8_t *payload, GByteArray *out)
{
  struct gilk_calls_made made = { .ns = 1000000 };
  struct gilk_calls wish;

  memcpy (&wish, payload, sizeof wish);
  made.calls = wish.calls / 10 * 9;
  made.threads = wish.threads > 0 ? wish.threads : agent->n_cpus;
  false_answer (agent, head, &made, sizeof made, out);
}

static inline void
false_do_instruments (FalseAgent *agent, const struct gilk_frame *head, GByteArray *out)
{
  struct ilk_instrument_desc desc = {
    .id = 1, .version = 1, .flags = ILK_INSTRUMENT_REGS, .sample_bytes = 24, .fn = FALSE_ARENA - 64,
    .field_count = 3, .param_count = 1, .name = "args", .help = "arguments of a call",
    .fields = {
      { .name = "first", .type = ILK_FIELD_HEX64, .size = 8 },
      { .name = "second", .unit = "B", .type = ILK_FIELD_U64, .offset = 8, .size = 8 },
      { .name = "task", .type = ILK_FIELD_TEXT, .offset = 16, .size = 8 },
    },
    .params = { { .name = "skip", .max = 6, .preset = 1 } },
  };

  false_answer (agent, head, &desc, sizeof desc, out);
}

/* ---- answers to requests that change or read hooks ---- */

static inline void
false_do_reserve (FalseAgent *agent, const struct gilk_frame *head, const uint8_t *payload,
                  GByteArray *out)
{
  g_autofree uint8_t *copy = g_memdup2 (payload, head->length);
  struct gilk_batch *batch = (gpointer) copy;
  struct ilk_reserve_patch *patches = (gpointer) (copy + sizeof *batch);
  struct ilk_reserve_hook *hooks = (gpointer) (patches + batch->patch_count);

  for (guint i = 0; i < batch->patch_count; i++)
    {
      patches[i].id = ++agent->n_patches;
      patches[i].slot = FALSE_ARENA + agent->slots;
      agent->slots += (patches[i].bytes + 31) & ~31u;
    }
  for (guint i = 0; i < batch->hook_count; i++)
    {
      hooks[i].iid = ++agent->n_iids;
      hooks[i].counter = 0x30000 + hooks[i].iid * 24;
      hooks[i].lost = hooks[i].counter + 8;
      hooks[i].missed = hooks[i].counter + 16;
    }
  false_answer (agent, head, copy, head->length, out);
}

static inline void
false_do_prepare (FalseAgent *agent, const struct gilk_frame *head, const uint8_t *payload,
                  GByteArray *out)
{
  struct gilk_batch batch;
  struct ilk_prepare_patch item;

  memcpy (&batch, payload, sizeof batch);
  for (guint i = 0; i < batch.patch_count; i++)
    {
      memcpy (&item, payload + sizeof batch + i * sizeof item, sizeof item);
      if (item.flags & ILK_PATCH_CALIBRATION)
        {
          agent->ground_iids = agent->n_iids;
          agent->ground_patches = agent->n_patches;
        }
      if (item.id == 0 || item.id > G_N_ELEMENTS (agent->patches))
        continue;
      agent->patches[item.id - 1] = (struct ilk_patch_status) {
        .id = item.id, .state = ILK_STATE_PREPARED, .tactic = item.tactic, .site = item.site,
        .slot = FALSE_ARENA, .len = item.len, .owner_pid = 1, .aux = item.aux,
      };
      memcpy (agent->patches[item.id - 1].old, item.old, sizeof item.old);
    }
  false_answer (agent, head, payload, head->length - batch.blob_bytes, out);
}

static inline void
false_set_states (FalseAgent *agent, uint32_t state)
{
  for (guint i = agent->ground_patches; i < MIN (agent->n_patches, G_N_ELEMENTS (agent->patches)); i++)
    agent->patches[i].state = state;
}

/* Answers a disarm request. If the request also frees the hooks, later hooks get the same ids
 * again. */
static inline void
false_do_disarm (FalseAgent *agent, const struct gilk_frame *head, const uint8_t *payload, GByteArray *out)
{
  struct ilk_disarm disarm = { 0 };

  memcpy (&disarm.what, payload, MIN (sizeof disarm.what, head->length));
  false_set_states (agent, ILK_STATE_RESTORED);
  disarm.restored = agent->n_patches - agent->ground_patches;
  if (disarm.what & ILK_DISARM_FREE)
    agent->n_iids = agent->n_patches = agent->ground_iids = agent->ground_patches = 0;
  false_answer (agent, head, &disarm, sizeof disarm, out);
}

static inline void
false_do_status (FalseAgent *agent, const struct gilk_frame *head, GByteArray *out)
{
  const struct ilk_status status = {
    .count = MIN (agent->n_patches, G_N_ELEMENTS (agent->patches)) - agent->ground_patches,
  };

  false_send (agent, head, GILK_FRAME_MORE, &status, sizeof status, out);
  false_answer (agent, head, agent->patches + agent->ground_patches, status.count * sizeof agent->patches[0], out);
}

static inline void
false_do_counters (FalseAgent *agent, const struct gilk_frame *head, const uint8_t *payload,
                   GByteArray *out)
{
  g_autofree struct ilk_counter *counters = NULL;
  gsize count = (head->length - 4) / 4;
  uint32_t flags;

  memcpy (&flags, payload, sizeof flags);
  if (flags & ILK_COUNTERS_PER_CPU)
    count *= agent->n_cpus;
  if (count * sizeof *counters > GILK_WIRE_COUNTERS_MAX)
    {
      false_fail (agent, head, E2BIG, out);
      return;
    }
  counters = g_new0 (struct ilk_counter, count + 1);
  for (gsize i = 0; i < count; i++)
    /* Hooks that store samples do not have counts. */
    counters[i].count = agent->cells == 0 ? 3 : 0;
  false_answer (agent, head, counters, count * sizeof *counters, out);
}

/* ---- answers to requests for areas of maps ---- */

static inline void
false_do_areas (FalseAgent *agent, const struct gilk_frame *head, const uint8_t *payload, GByteArray *out)
{
  g_autofree struct ilk_area *areas = g_memdup2 (payload, head->length);

  for (guint i = 0; i < head->length / sizeof *areas; i++)
    {
      areas[i].id = ++agent->n_areas;
      areas[i].at = areas[i].flags & ILK_AREA_PER_CPU ? 0x40000 : FALSE_AREAS;
      areas[i].at += (uint64_t) areas[i].id * ILK_AREA_BYTES_MAX;
    }
  false_answer (agent, head, areas, head->length, out);
}

/* Returns a test value for one word of an area: it encodes the area, the CPU and the word's
 * offset. */
static inline uint64_t
false_map (guint id, guint cpu, guint offset)
{
  return (uint64_t) id << 40 | (uint64_t) cpu << 24 | offset;
}

static inline void
false_do_areas_read (FalseAgent *agent, const struct gilk_frame *head, const uint8_t *payload, GByteArray *out)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  struct ilk_memory_read read;

  for (gsize at = 0; at + sizeof read <= head->length; at += sizeof read)
    {
      memcpy (&read, payload + at, sizeof read);
      if (read.id == 0 || read.id > agent->n_areas || bytes->len + (gsize) read.bytes > GILK_WIRE_MEMORY_MAX)
        {
          false_fail (agent, head, read.id > agent->n_areas ? ENOENT : E2BIG, out);
          return;
        }
      for (guint offset = read.offset; offset - read.offset < read.bytes; offset += 8)
        {
          const uint64_t word = false_map (read.id, read.cpu, offset);

          g_byte_array_append (bytes, (const uint8_t *) &word, sizeof word);
        }
    }
  false_answer (agent, head, bytes->data, bytes->len, out);
}

/* ---- answers about user programs ---- */

/* Size of the program file, which is padded with zeros: larger than one answer. */
#define FALSE_FILE_BYTES ((3u << 20) + 5)

static const struct gilk_user_file false_file = {
  .device = 1, .inode = 2, .bytes = FALSE_FILE_BYTES, .changed_s = 3, .changed_ns = 4,
};

/* Serves a real file, but with a device and inode number that no file of this machine has. */
static inline void
false_do_real_read (FalseAgent *agent, const struct gilk_frame *head, const uint8_t *payload, GByteArray *out)
{
  const gsize length = head->length - sizeof (struct gilk_user_read);
  g_autofree char *asked = g_strndup ((const char *) payload + sizeof (struct gilk_user_read), length);
  g_autofree char *name = g_path_get_basename (asked), *path = g_build_filename (agent->files, name, NULL), *bytes = NULL;
  struct gilk_user_file file = { .device = 1, .inode = 2, .changed_s = 3 };
  struct gilk_user_read wish;
  gsize size;

  if (!g_str_has_prefix (asked, "/elsewhere/") || !g_file_get_contents (path, &bytes, &size, NULL))
    {
      false_fail (agent, head, ENOENT, out);
      return;
    }
  memcpy (&wish, payload, sizeof wish);
  file.bytes = size;
  wish.offset = MIN (wish.offset, size);
  wish.length = (uint32_t) MIN (wish.length, size - wish.offset);
  false_send (agent, head, GILK_FRAME_MORE, &file, sizeof file, out);
  false_answer (agent, head, bytes + wish.offset, wish.length, out);
}

/* Serves the only program file, FALSE_PROGRAM_PATH, unless the agent has real files. */
static inline void
false_do_user_read (FalseAgent *agent, const struct gilk_frame *head, const uint8_t *payload, GByteArray *out)
{
  const gsize length = strlen (FALSE_PROGRAM_PATH);
  g_autoptr (GBytes) file = false_program_new ();
  g_autofree uint8_t *bytes = g_malloc0 (FALSE_FILE_BYTES);
  struct gilk_user_read wish;

  if (agent->files != NULL && head->length > sizeof wish)
    {
      false_do_real_read (agent, head, payload, out);
      return;
    }
  if (head->length != sizeof wish + length || memcmp (payload + sizeof wish, FALSE_PROGRAM_PATH, length) != 0)
    {
      false_fail (agent, head, ENOENT, out);
      return;
    }
  memcpy (&wish, payload, sizeof wish);
  memcpy (bytes, g_bytes_get_data (file, NULL), FALSE_PROGRAM_SIZE);
  wish.offset = MIN (wish.offset, FALSE_FILE_BYTES);
  wish.length = (uint32_t) MIN (wish.length, FALSE_FILE_BYTES - wish.offset);
  false_send (agent, head, GILK_FRAME_MORE, &false_file, sizeof false_file, out);
  false_answer (agent, head, bytes + wish.offset, wish.length, out);
}

static inline void
false_do_user_bind (FalseAgent *agent, const struct gilk_frame *head, const uint8_t *payload, GByteArray *out)
{
  struct gilk_user_bind bind;

  memcpy (&bind, payload, sizeof bind);
  if (head->length < sizeof bind + bind.count * sizeof (struct gilk_user_point))
    false_fail (agent, head, EINVAL, out);
  else if (memcmp (&bind.file, &false_file, sizeof false_file) != 0)
    false_fail (agent, head, ESTALE, out);
  else
    false_answer (agent, head, payload + sizeof bind, bind.count * sizeof (struct gilk_user_point), out);
}

/* ---- choice of the function that answers a request ---- */

static inline void
false_do_hello (FalseAgent *agent, const struct gilk_frame *head, const uint8_t *payload,
                GByteArray *out)
{
  struct gilk_hello_answer answer = {
    .version = GILK_WIRE_VERSION, .abi = ILK_ABI_VERSION, .pid = 1, .driver = 1,
    .release = "6.1.0-false", .machine = "x86_64", .hostname = "nowhere",
  };
  struct gilk_hello hello;

  memcpy (&hello, payload, MIN (sizeof hello, head->length));
  answer.nonce = hello.nonce;
  false_agent_reset (agent);
  false_answer (agent, head, &answer, sizeof answer, out);
}

static inline void
false_do_sampling (FalseAgent *agent, const struct gilk_frame *head, gboolean start,
                   GByteArray *out)
{
  const struct gilk_samples_end end = { agent->cells, agent->cells };

  const struct gilk_rings rings = { .ring_bytes = 1 << 20, .used = 64, .used_max = 4096 };

  if (head->type != GILK_RINGS)
    agent->reads = start;
  if (head->type == GILK_SAMPLES_STOP)
    false_answer (agent, head, &end, sizeof end, out);
  else
    false_answer (agent, head, &rings, sizeof rings, out);
}

/* Appends the complete answer to a request to @out. */
static inline void
false_agent_answer (FalseAgent *agent, const struct gilk_frame *head, const uint8_t *payload,
                    GByteArray *out)
{
  static const char facts[] = "release=6.1.0-false\neuid=0\nkcore=ok\ndriver=1\ncpus=2\n";
  static const char names[] = "args\ntask\n";
  static const uint64_t moments[] = { 1000, 2000, 2000, 5000 };
  struct ilk_arm arm = { .zero = { 1000, 1000, 10, 0 } };

  switch (head->type)
    {
    case GILK_HELLO:
      false_do_hello (agent, head, payload, out);
      break;
    case GILK_GET_FILE:
      false_do_file (agent, head, payload, out);
      break;
    case GILK_GET_SECTIONS:
      false_do_sections (agent, head, payload, out);
      break;
    case GILK_GET_TYPES:
      false_do_types (agent, head, payload, out);
      break;
    case GILK_READ_TEXT:
      false_do_text (agent, head, payload, out);
      break;
    case GILK_TEXT_SUMS:
      false_do_sums (agent, head, payload, out);
      break;
    case GILK_DOCTOR:
      false_answer (agent, head, facts, sizeof facts - 1, out);
      break;
    case GILK_DRIVER_INFO:
      false_do_info (agent, head, out);
      break;
    case GILK_INSTRUMENTS:
      false_do_instruments (agent, head, out);
      break;
    case GILK_INSTRUMENT_FILES:
      false_answer (agent, head, names, sizeof names - 1, out);
      break;
    case GILK_MEASURE:
      false_do_measure (agent, head, payload, out);
      break;
    case GILK_CALLS:
      false_do_calls (agent, head, payload, out);
      break;
    case GILK_INTERVALS:
      false_answer (agent, head, NULL, 0, out);
      break;
    case GILK_INTERVAL_TIMES:
      false_answer (agent, head, moments, sizeof moments, out);
      break;
    case GILK_CLOCKS:
      false_do_clocks (agent, head, payload, out);
      break;
    case GILK_RESERVE:
      false_do_reserve (agent, head, payload, out);
      break;
    case GILK_PREPARE:
      false_do_prepare (agent, head, payload, out);
      break;
    case GILK_ARM:
      false_set_states (agent, ILK_STATE_ARMED);
      false_send_samples (agent, out);
      false_answer (agent, head, &arm, sizeof arm, out);
      break;
    case GILK_DISARM:
      false_do_disarm (agent, head, payload, out);
      break;
    case GILK_STATUS:
      false_send_samples (agent, out);
      false_do_status (agent, head, out);
      break;
    case GILK_COUNTERS:
      false_do_counters (agent, head, payload, out);
      break;
    case GILK_MEMORY:
      false_do_areas (agent, head, payload, out);
      break;
    case GILK_MEMORY_READ:
      false_do_areas_read (agent, head, payload, out);
      break;
    case GILK_USER_READ:
      false_do_user_read (agent, head, payload, out);
      break;
    case GILK_USER_BIND:
      false_do_user_bind (agent, head, payload, out);
      break;
    case GILK_SAMPLES_START:
    case GILK_SAMPLES_STOP:
    case GILK_RINGS:
      false_do_sampling (agent, head, head->type == GILK_SAMPLES_START, out);
      break;
    case GILK_LEASE:
      memcpy (&agent->lease_ms, payload, sizeof agent->lease_ms);
      false_answer (agent, head, NULL, 0, out);
      break;
    case GILK_RENEW_LEASE:
      break;
    default:
      false_answer (agent, head, payload, head->type == GILK_PING ? head->length : 0, out);
      break;
    }
}

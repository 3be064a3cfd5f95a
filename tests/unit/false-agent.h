/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * false-agent.h - an agent that answers as gilkd would, of a kernel that does not exist
 *
 * The kernel has 64 KiB of text with functions of a few blocks, side tables, and one
 * module. Each frame passes through a function of the test before it is sent, which may
 * change, drop or double it: what the client makes of that is the test's subject.
 */
#pragma once

#include <errno.h>
#include <glib.h>
#include <string.h>

#include "agent/gilk-wire.h"

#define FALSE_TEXT        0xffffffff81000000ull
#define FALSE_TEXT_BYTES  (64u << 10)
#define FALSE_TABLES      (FALSE_TEXT + 0x100000)
#define FALSE_TABLE_BYTES 0x400
#define FALSE_MODULE      0xffffffffc0000000ull
#define FALSE_MODULE_BYTES 0x2000
#define FALSE_ARENA       0xffffffffc1000000ull
#define FALSE_FUNCTIONS   16
#define FALSE_STRIDE      64
#define FALSE_PART        16384    /* of a long answer */

typedef struct _FalseAgent FalseAgent;

/* How often the frame is to be sent. @payload and @head but for its length may be changed. */
typedef guint (*FalseTamper) (FalseAgent *agent, struct gilk_frame *head, GByteArray *payload,
                              gpointer data);

struct _FalseAgent {
  guint       n_cpus, hooks_max;
  FalseTamper tamper;
  gpointer    tamper_data;

  uint8_t     text[FALSE_TEXT_BYTES];
  uint8_t     tables[8 * FALSE_TABLE_BYTES];
  uint8_t     module[FALSE_MODULE_BYTES];
  GString    *kallsyms;

  /* since HELLO */
  guint       n_iids, n_patches;
  struct ilk_patch_status patches[64];
  uint64_t    slots;
  gboolean    reads;
  uint64_t    heads[8], cells;
};

/* test %edi,%edi; a fork and a join; behind the ftrace site. */
static const uint8_t false_function[] = {
  0x0f, 0x1f, 0x44, 0x00, 0x00,                    /* 0: ftrace site */
  0x85, 0xff,                                      /* 5: test %edi,%edi */
  0x74, 0x0a,                                      /* 7: je 13 */
  0x8d, 0x47, 0x01, 0x01, 0xf0, 0x48, 0x01, 0xd0,  /* 9: lea, add, add */
  0xeb, 0x05,                                      /* 11: jmp 18 */
  0x31, 0xc0, 0x48, 0x01, 0xf0,                    /* 13: xor, add */
  0x48, 0x01, 0xc8, 0x48, 0x89, 0xc2,              /* 18: add, mov */
  0xc3,                                            /* 1e: ret */
};

static inline void
false_put_word (FalseAgent *agent, guint table, guint at, uint64_t to)
{
  const uint64_t here = FALSE_TABLES + table * FALSE_TABLE_BYTES + at;
  const int32_t word = (int32_t) (to - here);

  memcpy (agent->tables + table * FALSE_TABLE_BYTES + at, &word, sizeof word);
}

static inline void
false_make_tables (FalseAgent *agent)
{
  static const uint8_t orc[] = { 8, 0, 0, 0, 5, 2 };
  const uint8_t warning = 1;

  false_put_word (agent, 0, 0, FALSE_TEXT + 0x18);          /* exceptions */
  false_put_word (agent, 0, 4, FALSE_TEXT + 0x1b);
  false_put_word (agent, 1, 0, FALSE_TEXT + 0x49);          /* bugs */
  memcpy (agent->tables + FALSE_TABLE_BYTES + 10, &warning, 1);
  false_put_word (agent, 2, 0, FALSE_TEXT + 0x85);          /* static keys */
  false_put_word (agent, 2, 4, FALSE_TEXT + 0x93);
  false_put_word (agent, 3, 0, FALSE_TEXT + 0xc9);          /* static calls */
  false_put_word (agent, 3, 4, FALSE_TEXT + 0x100);
  for (guint i = 0; i < FALSE_FUNCTIONS; i++)
    {
      false_put_word (agent, 4, i * 4, FALSE_TEXT + i * FALSE_STRIDE);
      memcpy (agent->tables + 5 * FALSE_TABLE_BYTES + i * sizeof orc, orc, sizeof orc);
    }
  /* Of the module: its two functions, and where they end. */
  for (guint i = 0; i < 3; i++)
    {
      const int32_t word = (int32_t) (i * FALSE_STRIDE) - (int32_t) (0x1300 + i * 4);

      memcpy (agent->module + 0x1300 + i * 4, &word, sizeof word);
      memcpy (agent->module + 0x1400 + i * sizeof orc, orc, sizeof orc);
    }
}

static inline void
false_symbol (FalseAgent *agent, uint64_t addr, char type, const char *name, const char *module)
{
  g_string_append_printf (agent->kallsyms, "%016llx %c %s%s%s%s\n", (unsigned long long) addr, type,
                          name, module != NULL ? "\t[" : "", module != NULL ? module : "",
                          module != NULL ? "]" : "");
}

static inline void
false_make_symbols (FalseAgent *agent)
{
  static const struct { const char *start, *stop; guint entries; } tables[] = {
    { "__start___ex_table", "__stop___ex_table", 12 },
    { "__start___bug_table", "__stop___bug_table", 12 },
    { "__start___jump_table", "__stop___jump_table", 16 },
    { "__start_static_call_sites", "__stop_static_call_sites", 8 },
    { "__start_orc_unwind_ip", "__stop_orc_unwind_ip", 4 * FALSE_FUNCTIONS },
    { "__start_orc_unwind", "__stop_orc_unwind", 6 * FALSE_FUNCTIONS },
  };

  agent->kallsyms = g_string_new (NULL);
  false_symbol (agent, FALSE_TEXT, 'T', "_stext", NULL);
  for (guint i = 0; i < FALSE_FUNCTIONS; i++)
    {
      g_autofree char *name = g_strdup_printf ("fn_%u", i);

      false_symbol (agent, FALSE_TEXT + i * FALSE_STRIDE, i % 2 ? 't' : 'T', name, NULL);
    }
  false_symbol (agent, FALSE_TEXT + FALSE_FUNCTIONS * FALSE_STRIDE, 'T', "panic", NULL);
  false_symbol (agent, FALSE_TEXT + FALSE_TEXT_BYTES, 'T', "_etext", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    {
      const uint64_t start = FALSE_TABLES + i * FALSE_TABLE_BYTES;

      false_symbol (agent, start, 'R', tables[i].start, NULL);
      false_symbol (agent, start + tables[i].entries, 'R', tables[i].stop, NULL);
    }
  false_symbol (agent, FALSE_MODULE, 't', "mod_a", "mod");
  false_symbol (agent, FALSE_MODULE + FALSE_STRIDE, 't', "mod_b", "mod");
}

static inline void
false_agent_reset (FalseAgent *agent)
{
  agent->n_iids = agent->n_patches = 0;
  agent->slots = 0;
  agent->reads = FALSE;
  agent->cells = 0;
  for (guint i = 0; i < G_N_ELEMENTS (agent->heads); i++)
    agent->heads[i] = 1;
}

static inline FalseAgent *
false_agent_new (guint n_cpus)
{
  FalseAgent *agent = g_new0 (FalseAgent, 1);

  agent->n_cpus = n_cpus;
  agent->hooks_max = 65536;
  memset (agent->text, 0xcc, sizeof agent->text);
  memset (agent->module, 0xcc, sizeof agent->module);
  for (guint i = 0; i < FALSE_FUNCTIONS; i++)
    memcpy (agent->text + i * FALSE_STRIDE, false_function, sizeof false_function);
  for (guint i = 0; i < 2; i++)
    memcpy (agent->module + i * FALSE_STRIDE, false_function, sizeof false_function);
  false_make_tables (agent);
  false_make_symbols (agent);
  false_agent_reset (agent);

  return agent;
}

static inline void
false_agent_free (FalseAgent *agent)
{
  g_string_free (agent->kallsyms, TRUE);
  g_free (agent);
}

/* ---- sending ---- */

static inline void
false_send (FalseAgent *agent, const struct gilk_frame *like, guint flags, const void *bytes,
            gsize length, GByteArray *out)
{
  g_autoptr (GByteArray) payload = g_byte_array_sized_new ((guint) length + 64);
  struct gilk_frame head = *like;
  guint times = 1;

  head.flags = (uint16_t) flags;
  head.length = (uint32_t) length;
  if (length > 0)
    g_byte_array_append (payload, bytes, (guint) length);
  if (agent->tamper != NULL)
    times = agent->tamper (agent, &head, payload, agent->tamper_data);
  for (; times > 0; times--)
    {
      g_byte_array_append (out, (const uint8_t *) &head, sizeof head);
      if (payload->len > 0)
        g_byte_array_append (out, payload->data, payload->len);
    }
}

static inline void
false_answer (FalseAgent *agent, const struct gilk_frame *head, const void *bytes, gsize length,
              GByteArray *out)
{
  const uint8_t *at = bytes;

  for (; length > FALSE_PART; at += FALSE_PART, length -= FALSE_PART)
    false_send (agent, head, GILK_FRAME_MORE, at, FALSE_PART, out);
  false_send (agent, head, 0, at, length, out);
}

static inline void
false_fail (FalseAgent *agent, const struct gilk_frame *request, int error, GByteArray *out)
{
  static const char sentence[] = "That cannot be had; ask for something else.";
  struct gilk_frame head = *request;

  head.status = (uint32_t) error;
  false_send (agent, &head, 0, sentence, sizeof sentence - 1, out);
}

/* One sample of each hook, on processors in turn. */
static inline void
false_send_samples (FalseAgent *agent, GByteArray *out)
{
  const struct gilk_frame event = { .magic = GILK_WIRE_MAGIC, .type = GILK_SAMPLES };
  struct {
    struct gilk_samples head;
    struct ilk_record   record[4];
  } samples = { .head.cpu = agent->n_iids % MIN (agent->n_cpus, 8u) };
  const guint n = MIN (agent->n_iids, G_N_ELEMENTS (samples.record));

  if (!agent->reads || n == 0)
    return;
  for (guint i = 0; i < n; i++)
    samples.record[i] = (struct ilk_record) {
      .commit = agent->heads[samples.head.cpu] + i * ILK_CELL, .tsc = 1000000 + agent->cells,
      .iid = 1 + i, .len = 8,
    };
  samples.head.bytes = n * sizeof samples.record[0];
  agent->heads[samples.head.cpu] += samples.head.bytes;
  agent->cells += n;
  false_send (agent, &event, 0, &samples, sizeof samples.head + samples.head.bytes, out);
}

/* ---- what there is to know ---- */

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
  uint32_t file;

  memcpy (&file, payload, sizeof file);
  switch (file)
    {
    case GILK_FILE_KALLSYMS:
      false_answer (agent, head, agent->kallsyms->str, agent->kallsyms->len, out);
      break;
    case GILK_FILE_MODULES:
      false_answer (agent, head, modules, sizeof modules - 1, out);
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
    ".orc_unwind ffffffffc0001400\n.data ffffffffc0001500\n.init.text ffffffffc0003000\n";

  if (head->length == 3 && memcmp (payload, "mod", 3) == 0)
    false_answer (agent, head, sections, sizeof sections - 1, out);
  else
    false_fail (agent, head, ENOENT, out);
}

static inline void
false_do_info (FalseAgent *agent, const struct gilk_frame *head, GByteArray *out)
{
  const struct ilk_info info = {
    .abi = ILK_ABI_VERSION, .size = sizeof info, .nr_cpus = agent->n_cpus,
    .hooks_max = agent->hooks_max, .features = ILK_FEATURE_ORC | ILK_FEATURE_EXTABLE,
    .arena_most = 4 << 20, .arena_bytes = 4 << 20, .arena_free = 4 << 20,
    .ring_bytes = 1 << 20, .tsc_khz = 1000000, .clock = { 5000, 5000, 10, 0 },
    .gates = FALSE_ARENA - 0x100000, .gs_preempt_count = 0x1fb30, .gs_ring_head = 0x20000,
    .gs_ring_limit = 0x20008, .gs_ring_base = 0x20010, .gs_guard = 0x20018,
    .gs_ring_mask = 0x20020, .gs_ring_lost = 0x20028, .ring_most = 64 << 20,
    .context_mask = 0x00ffff00,
  };

  false_answer (agent, head, &info, sizeof info, out);
}

static inline void
false_do_clocks (FalseAgent *agent, const struct gilk_frame *head, const uint8_t *payload, GByteArray *out)
{
  struct gilk_clocks clocks = { .reading = { 6000, 6000, 10, 0 } };
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

/* ---- transactions ---- */

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
      hooks[i].dropped = hooks[i].counter + 16;
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
  for (guint i = 0; i < MIN (agent->n_patches, G_N_ELEMENTS (agent->patches)); i++)
    agent->patches[i].state = state;
}

static inline void
false_do_status (FalseAgent *agent, const struct gilk_frame *head, GByteArray *out)
{
  const struct ilk_status status = {
    .count = MIN (agent->n_patches, G_N_ELEMENTS (agent->patches)),
  };

  false_send (agent, head, GILK_FRAME_MORE, &status, sizeof status, out);
  false_answer (agent, head, agent->patches, status.count * sizeof agent->patches[0], out);
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
    counters[i].count = agent->cells == 0 ? 3 : 0;    /* inline samples are not counted */
  false_answer (agent, head, counters, count * sizeof *counters, out);
}

/* ---- all of it ---- */

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

  const struct gilk_rings rings = { .ring_bytes = 1 << 20, .used = 64, .used_most = 4096 };

  if (head->type != GILK_RINGS)
    agent->reads = start;
  if (head->type == GILK_SAMPLES_STOP)
    false_answer (agent, head, &end, sizeof end, out);
  else
    false_answer (agent, head, &rings, sizeof rings, out);
}

/* Answers a whole request into @out. */
static inline void
false_agent_answer (FalseAgent *agent, const struct gilk_frame *head, const uint8_t *payload,
                    GByteArray *out)
{
  static const char facts[] = "release=6.1.0-false\neuid=0\nkcore=ok\ndriver=1\ncpus=2\n";
  static const char names[] = "args\ntask\n";
  struct ilk_arm arm = { .zero = { 1000, 1000, 10, 0 } };
  struct ilk_disarm disarm = { .restored = agent->n_patches };

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
    case GILK_READ_TEXT:
      false_do_text (agent, head, payload, out);
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
      false_set_states (agent, ILK_STATE_RESTORED);
      false_answer (agent, head, &disarm, sizeof disarm, out);
      break;
    case GILK_STATUS:
      false_send_samples (agent, out);
      false_do_status (agent, head, out);
      break;
    case GILK_COUNTERS:
      false_do_counters (agent, head, payload, out);
      break;
    case GILK_SAMPLES_START:
    case GILK_SAMPLES_STOP:
    case GILK_RINGS:
      false_do_sampling (agent, head, head->type == GILK_SAMPLES_START, out);
      break;
    default:
      false_answer (agent, head, payload, head->type == GILK_PING ? head->length : 0, out);
      break;
    }
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * false-agent-kernel.h - holds the state of a simulated kernel, and sends frames about this kernel
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
/* Address of the first area (a program's data memory) that all CPUs share; areas are 1 MiB
 * apart. */
#define FALSE_AREAS       0xffffc90000000000ull
#define FALSE_FUNCTIONS   16
#define FALSE_STRIDE      64
#define FALSE_PART        16384    /* bytes per part of a long answer */

typedef struct _FalseAgent FalseAgent;

/* Called with each frame that the agent is about to send; returns how many times to send it. May
 * change @payload, and @head except for its length. */
typedef guint (*FalseTamper) (FalseAgent *agent, struct gilk_frame *head, GByteArray *payload,
                              gpointer data);

struct _FalseAgent {
  guint       n_cpus, hooks_max;
  gboolean    no_types;
  guint32     lease_ms;        /* duration in ms of the lease that the client requested */
  FalseTamper tamper;
  gpointer    tamper_data;
  const char *boot_id;        /* the boot id that the agent reports; NULL: it reports none */
  const char *files;          /* folder whose programs are served as /elsewhere/NAME; NULL: none */
  const char *more_modules;   /* lines to append to /proc/modules; NULL: none */

  uint8_t     text[FALSE_TEXT_BYTES];
  uint8_t     tables[8 * FALSE_TABLE_BYTES];
  uint8_t     module[FALSE_MODULE_BYTES];
  GString    *kallsyms;

  /* Numbers of hook ids (iids), patches and areas that the agent has given since the last HELLO. */
  guint       n_iids, n_patches, n_areas;
  /* Numbers of hook ids (iids) and patches that the agent has given for calibration stubs since the
   * last HELLO. */
  guint       ground_iids, ground_patches;
  struct ilk_patch_status patches[64];
  uint64_t    slots;
  gboolean    reads;
  uint64_t    heads[8], cells;
};

/* Code of a kernel function: the ftrace site, a test, a branch to one of two blocks, and a common
 * end. */
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
  false_put_word (agent, 3, 0, FALSE_TEXT + 0xc9);          /* a table entry for a static call */
  false_put_word (agent, 3, 4, FALSE_TEXT + 0x100);
  for (guint i = 0; i < FALSE_FUNCTIONS; i++)
    {
      false_put_word (agent, 4, i * 4, FALSE_TEXT + i * FALSE_STRIDE);
      memcpy (agent->tables + 5 * FALSE_TABLE_BYTES + i * sizeof orc, orc, sizeof orc);
    }
  /* Adds ORC entries for the module's two functions and for the end of the second function. */
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
  agent->n_iids = agent->n_patches = agent->n_areas = agent->ground_iids = agent->ground_patches = 0;
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

/* ---- frames sent by the agent ---- */

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

/* Sends one sample of each hook, from the CPUs in turn. */
static inline void
false_send_samples (FalseAgent *agent, GByteArray *out)
{
  const struct gilk_frame event = { .magic = GILK_WIRE_MAGIC, .type = GILK_SAMPLES };
  const guint n_hooks = agent->n_iids - agent->ground_iids;
  struct {
    struct gilk_samples head;
    struct ilk_record   record[4];
  } samples = { .head.cpu = n_hooks % MIN (agent->n_cpus, 8u) };
  const guint n = MIN (n_hooks, G_N_ELEMENTS (samples.record));

  if (!agent->reads || n == 0)
    return;
  for (guint i = 0; i < n; i++)
    samples.record[i] = (struct ilk_record) {
      .commit = agent->heads[samples.head.cpu] + i * ILK_CELL, .tsc = 1000000 + agent->cells,
      .iid = agent->ground_iids + 1 + i, .len = 8,
    };
  samples.head.bytes = n * sizeof samples.record[0];
  agent->heads[samples.head.cpu] += samples.head.bytes;
  agent->cells += n;
  false_send (agent, &event, 0, &samples, sizeof samples.head + samples.head.bytes, out);
}

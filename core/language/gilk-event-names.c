/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-event-names.c - names of the event counters that programs can read: event(NAME)
 *
 * The numbers of events are from the kernel's perf ABI and never change. To count running time per
 * CPU, programs use cpu-clock, because perf's task-clock counts per task.
 */
#include "core/language/gilk-event-names.h"

#include <inttypes.h>
#include <linux/perf_event.h>
#include <string.h>

#include "agent/gilk-wire.h"
#include "core/language/gilk-source.h"

#define HARDWARE(what)        GILK_EVENT_KEY (PERF_TYPE_HARDWARE, PERF_COUNT_HW_##what)
#define SOFTWARE(what)        GILK_EVENT_KEY (PERF_TYPE_SOFTWARE, PERF_COUNT_SW_##what)
#define READ_MISSES(of)       GILK_EVENT_KEY (PERF_TYPE_HW_CACHE, PERF_COUNT_HW_CACHE_##of | PERF_COUNT_HW_CACHE_OP_READ << 8 | \
                                                             PERF_COUNT_HW_CACHE_RESULT_MISS << 16)

static const GilkEventName names[] = {
  { "cycles",           HARDWARE (CPU_CYCLES), FALSE },
  { "instructions",     HARDWARE (INSTRUCTIONS), FALSE },
  { "cache_references", HARDWARE (CACHE_REFERENCES), FALSE },
  { "cache_misses",     HARDWARE (CACHE_MISSES), FALSE },
  { "branches",         HARDWARE (BRANCH_INSTRUCTIONS), FALSE },
  { "branch_misses",    HARDWARE (BRANCH_MISSES), FALSE },
  { "ref_cycles",       HARDWARE (REF_CPU_CYCLES), FALSE },
  { "l1d_misses",       READ_MISSES (L1D), FALSE },
  { "llc_misses",       READ_MISSES (LL), FALSE },
  { "dtlb_misses",      READ_MISSES (DTLB), FALSE },
  { "itlb_misses",      READ_MISSES (ITLB), FALSE },
  { "task_clock",       SOFTWARE (CPU_CLOCK), TRUE },
  { "page_faults",      SOFTWARE (PAGE_FAULTS), TRUE },
  { "context_switches", SOFTWARE (CONTEXT_SWITCHES), TRUE },
  { "migrations",       SOFTWARE (CPU_MIGRATIONS), TRUE },
};

const GilkEventName *
gilk_event_names (guint *count)
{
  *count = G_N_ELEMENTS (names);

  return names;
}

uint64_t
gilk_event_key (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (strcmp (names[i].name, name) == 0)
      return names[i].key;

  return 0;
}

char *
gilk_event_text (uint64_t key)
{
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (names[i].key == key)
      return g_strdup (names[i].name);

  return g_strdup_printf ("0x%" PRIx64, (uint64_t) GILK_EVENT_CONFIG (key));
}

gboolean
gilk_code_reads_events (const char *code)
{
  GilkSource source = { .text = code };
  /* To save time, tokenize only programs that contain the word "event": a plan may have thousands
   * of hooks, and few of their programs read event counters. */
  g_autoptr(GArray) tokens = strstr (code, "event") != NULL ? gilk_tokens_new (&source) : NULL;
  gboolean reads = FALSE;

  for (guint i = 0; tokens != NULL && i + 1 < tokens->len && !reads; i++)
    {
      const GilkToken *token = &g_array_index (tokens, GilkToken, i);

      reads = token->kind == GILK_TOKEN_NAME && token->part.length == strlen ("event") &&
              strncmp (code + token->part.offset, "event", token->part.length) == 0 &&
              token[1].kind == GILK_TOKEN_MARK && token[1].mark == GILK_MARK ('(');
    }
  g_clear_error (&source.error);

  return reads;
}

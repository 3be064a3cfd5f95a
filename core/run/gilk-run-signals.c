/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-signals.c - handles requests of programs: to end the run, or to show a message
 *
 * A program counts its requests, and each tick reads that counter.
 */
#include <glib/gi18n.h>
#include <string.h>

#include "core/run/gilk-run-private.h"

/* A request counter. The first row that has it reads it. */
typedef struct {
  guint           row;
  const GilkProgramMap *map;
} Signal;

static GArray *
list_signals (const GilkRun *run)
{
  GArray *list = g_array_new (FALSE, FALSE, sizeof (Signal));

  for (guint row = 0; row < run->armed.n_hooks; row++)
    {
      const GilkProgram *program = g_array_index (run->bound->hooks, GilkBoundHook, row).program;
      guint n_maps = 0;
      const GilkProgramMap *map = program != NULL ? gilk_program_maps (program, &n_maps) : NULL;

      for (guint i = 0; i < n_maps; i++)
        if (map[i].signal != GILK_SIGNAL_NONE && run->armed.programs[row].n_areas > 0 &&
            !run->armed.programs[row].areas[map[i].area].is_repeated)
          g_array_append_vals (list, &(Signal) { row, &map[i] }, 1);
    }

  return list;
}

static GArray *
list_reads (const GilkRun *run, const GArray *signals)
{
  GArray *reads = g_array_new (FALSE, TRUE, sizeof (struct ilk_memory_read));

  for (guint i = 0; i < signals->len; i++)
    {
      const Signal *one = &g_array_index (signals, Signal, i);
      const GilkArmedArea *area = &run->armed.programs[one->row].areas[one->map->area];

      for (guint cpu = 0; cpu < gilk_run_n_cpus (run); cpu++)
        {
          const struct ilk_memory_read read = {
            .id = area->given.id, .cpu = cpu, .offset = 8 * one->map->element, .bytes = 8,
          };

          g_array_append_val (reads, read);
        }
    }

  return reads;
}

/* Handles a request, the first time only. @times: number of requests so far. Returns FALSE if it
 * ends the run. */
static gboolean
handle_request (GilkRun *run, const GilkProgramMap *map, uint64_t times)
{
  if (times == 0 || g_hash_table_contains (run->noticed, map->name))
    return TRUE;
  g_hash_table_add (run->noticed, g_strdup (map->name));
  if (map->signal == GILK_SIGNAL_NOTIFY)
    {
      gilk_run_emit_notice (run, strchr (map->name, ' ') + 1);
      return TRUE;
    }
  g_free (run->end_word);
  run->end_word = g_strdup ("ended by a program");

  return FALSE;
}

gboolean
gilk_run_check_signals (GilkRun  *run,
                        gboolean *go_on,
                        GError  **error)
{
  g_autoptr(GArray) signals = list_signals (run);
  g_autoptr(GArray) reads = list_reads (run, signals);
  g_autoptr(GByteArray) bytes = NULL;
  const uint64_t *words;

  gilk_run_assert_own (run);
  if (reads->len == 0)
    return TRUE;
  bytes = gilk_target_memory_read (run->target, (const struct ilk_memory_read *) reads->data, reads->len, NULL, error);
  if (bytes == NULL)
    {
      gilk_run_note_target_loss (run, *error);
      return FALSE;
    }
  words = (const uint64_t *) bytes->data;
  for (guint i = 0; i < signals->len; i++)
    {
      uint64_t times = 0;

      for (guint cpu = 0; cpu < gilk_run_n_cpus (run); cpu++)
        times += *words++;
      if (!handle_request (run, g_array_index (signals, Signal, i).map, times))
        *go_on = FALSE;
    }

  return TRUE;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hook-spans.c - how long the calls of a function took
 *
 * Samples are read and paired anew in each pass of a sweep.
 */
#include "core/analysis/gilk-hook-spans.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "core/analysis/gilk-hook-cost.h"
#include "core/analysis/gilk-hook-gaps.h"
#include "core/analysis/gilk-hook-sweep.h"
#include "core/analysis/gilk-sweep-ranks.h"
#include "core/base/gilk-error.h"
#include "core/store/gilk-samples.h"

#define BATCH 1024

typedef struct {
  gint64   hook;
  gboolean is_exit;
  double   cost_ns;
} End;

typedef struct {
  GilkStore            *store;
  const GilkStoredHook *hooks;
  guint                 n_hooks;
  End                  *ends;       /* of each hook */
  GArray               *gaps;       /* GilkGap */
  GilkSpanCounts        counts;     /* of the pass before */
} Reader;

static void
reader_clear (Reader *reader)
{
  g_clear_pointer (&reader->ends, g_free);
  g_clear_pointer (&reader->gaps, g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Reader, reader_clear)

static gboolean
reader_init (Reader *reader, gboolean subtract_cost, GError **error)
{
  reader->ends = g_new0 (End, reader->n_hooks);
  reader->gaps = g_array_new (FALSE, FALSE, sizeof (GilkGap));
  for (guint i = 0; i < reader->n_hooks; i++)
    {
      const GilkStoredHook *hook = &reader->hooks[i];
      GilkHookCost cost = { .seconds = 0.0 };

      /* A call of which the one end was seen, and the other was off, is none that can be told. */
      if (!gilk_hook_gaps_add_lost (reader->gaps, reader->store, hook, error) ||
          !gilk_hook_gaps_add_off (reader->gaps, reader->store, hook, error) ||
          (subtract_cost && !gilk_hook_cost_of (reader->store, hook, &cost, error)))
        return FALSE;
      reader->ends[i] = (End) { hook->id, strcmp (hook->where, "post") == 0, cost.seconds * 1e9 };
    }
  gilk_gaps_tidy (reader->gaps, INFINITY);

  return TRUE;
}

/* ---- a pass ---- */

static GilkSamples *
open_samples (const Reader *reader, guint *frame, GError **error)
{
  g_autoptr(GilkSamples) samples = gilk_samples_new (reader->store, reader->hooks, reader->n_hooks, error);
  guint type;

  if (samples == NULL || !gilk_samples_add_field (samples, "frame", frame, &type, error))
    return NULL;
  if (type == ILK_FIELD_TEXT)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_FORMAT,
                   _("%s is damaged: the frames of %s are texts. Use a copy of it."),
                   gilk_store_path (reader->store), reader->hooks[0].function);
      return NULL;
    }
  gilk_samples_in_order (samples);

  return g_steal_pointer (&samples);
}

static GilkSpanMark
mark_of (const Reader *reader, const GilkSampleBlock *block, guint frame, guint i)
{
  GilkSpanMark mark = { .frame = (uint64_t) block->values[frame][i], .t_ns = block->t_ns[i] };

  for (guint k = 0; k < reader->n_hooks; k++)
    if (reader->ends[k].hook == block->hook[i])
      {
        mark.is_exit = reader->ends[k].is_exit;
        mark.cost_ns = reader->ends[k].cost_ns;
        break;
      }

  return mark;
}

static gboolean
pass (GilkSweep *sweep, gpointer data, GError **error)
{
  Reader *reader = data;
  g_autoptr(GilkSpans) spans = gilk_spans_new (reader->gaps);
  double durations[BATCH];
  g_autoptr(GilkSamples) samples = NULL;
  GError *local = NULL;
  GilkSampleBlock block;
  guint frame, n = 0;

  samples = open_samples (reader, &frame, error);
  if (samples == NULL)
    return FALSE;
  while (gilk_samples_next (samples, &block, &local))
    for (guint i = 0; i < block.n; i++)
      {
        const GilkSpanMark mark = mark_of (reader, &block, frame, i);
        uint64_t ns;

        if (!gilk_spans_add (spans, &mark, &ns))
          continue;
        durations[n++] = (double) ns;
        if (n == BATCH)
          {
            gilk_sweep_add (sweep, 0, durations, n);
            n = 0;
          }
      }
  gilk_sweep_add (sweep, 0, durations, n);
  reader->counts = gilk_spans_end (spans);
  if (local != NULL)
    g_propagate_error (error, local);

  return local == NULL;
}

/* ---- figures ---- */

static const guint percents[] = { 0, 50, 90, 99, 100 };

typedef struct {
  guint    asked[G_N_ELEMENTS (percents)];
  gboolean any;
} Asked;

static void
ask (GilkRanks *ranks, const GilkSweepSide *side, gpointer data)
{
  Asked *asked = data;

  asked->any = side->n > 0;
  for (guint i = 0; asked->any && i < G_N_ELEMENTS (percents); i++)
    asked->asked[i] = gilk_ranks_ask (ranks, MAX ((side->n * percents[i] + 99) / 100, 1) - 1);
}

gboolean
gilk_hook_spans (GilkStore            *store,
                 const GilkStoredHook *hooks,
                 guint                 n_hooks,
                 gboolean              subtract_cost,
                 GilkHookSpans        *spans,
                 GError              **error)
{
  g_auto(Reader) reader = { .store = store, .hooks = hooks, .n_hooks = n_hooks };
  g_autoptr(GilkRanks) ranks = gilk_ranks_new ();
  Asked asked = { .any = FALSE };
  GilkSweepRanks look = { ask, &asked, ranks, 0 };
  g_autoptr(GilkSweep) sweep = gilk_sweep_new (1.0, 0, NULL, 0, gilk_sweep_ranks_viewer (), &look);
  GilkHookSpans found = { .lost = 0 };
  uint64_t *const figures[] = { &found.min, &found.median, &found.p90, &found.p99, &found.max };

  g_assert (n_hooks > 0);
  if (!reader_init (&reader, subtract_cost, error) || !gilk_hook_sweep_passes (sweep, pass, &reader, error))
    return FALSE;
  found.counts = reader.counts;
  for (guint i = 0; i < n_hooks; i++)
    found.lost += hooks[i].lost;
  for (guint i = 0; asked.any && i < G_N_ELEMENTS (figures); i++)
    *figures[i] = (uint64_t) gilk_ranks_value (ranks, asked.asked[i]);
  *spans = found;

  return TRUE;
}

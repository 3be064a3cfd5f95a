/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-samples-interval.c - conditions on the time since the previous sample
 *
 * The previous sample is the last sample of the same hook, in the range, that meets all other
 * conditions. The first sample of a hook has no previous one, and meets no condition on intervals.
 */
#include "core/samples/gilk-samples-private.h"

#include <string.h>

/* The time of each hook's last sample, and the samples of a block that were kept. */
typedef struct _GilkSamplesIntervals {
  gint64         *before_ns;      /* time by index of the hook; G_MININT64: no sample yet */
  GilkSamplePart *out;
  guint           room;
  guint          *chosen;
} Intervals;

static Intervals *
intervals_new (const GilkSamples *samples)
{
  Intervals *intervals = g_new0 (Intervals, 1);

  intervals->before_ns = g_new (gint64, samples->hooks->len);
  for (guint i = 0; i < samples->hooks->len; i++)
    intervals->before_ns[i] = G_MININT64;

  return intervals;
}

void
gilk_samples_intervals_free (Intervals         *intervals,
                             const GilkSamples *samples)
{
  if (intervals == NULL)
    return;
  gilk_sample_part_free (samples, intervals->out);
  g_free (intervals->before_ns);
  g_free (intervals->chosen);
  g_free (intervals);
}

static void
make_room (GilkSamples *samples,
           guint        n)
{
  Intervals *intervals = samples->intervals;

  if (n <= intervals->room)
    return;
  gilk_sample_part_free (samples, intervals->out);
  intervals->room = n;
  intervals->out = gilk_sample_part_new (samples, n);
  intervals->chosen = g_renew (guint, intervals->chosen, n);
}

static gboolean
meets_conditions (const GilkSamples *samples,
                  gint64             interval_ns)
{
  for (guint i = 0; i < samples->on_intervals->len; i++)
    if (!gilk_sample_condition_holds (&g_array_index (samples->on_intervals, GilkSampleCondition, i), ILK_FIELD_S64, interval_ns))
      return FALSE;

  return TRUE;
}

static guint
choose_samples (GilkSamples           *samples,
                const GilkSampleBlock *block)
{
  Intervals *intervals = samples->intervals;
  guint kept = 0;

  for (guint i = 0; i < block->n; i++)
    {
      gint64 *before = &intervals->before_ns[samples->hooks->len > 1 ? gilk_samples_hook_position (samples, block->hook[i]) : 0];

      if (*before != G_MININT64 && meets_conditions (samples, block->t_ns[i] - *before))
        intervals->chosen[kept++] = i;
      *before = block->t_ns[i];
    }

  return kept;
}

#define COPY(to, from) \
  for (guint i = 0; i < n; i++) \
    (to)[i] = (from)[chosen[i]]

static void
copy_field (GilkSamplePart        *out,
            const GilkSampleBlock *block,
            guint                  w,
            guint                  room,
            const guint           *chosen,
            guint                  n)
{
  if (out->values[w] != NULL)
    COPY (out->values[w], block->values[w]);
  if (out->texts[w] != NULL)
    COPY (out->texts[w], block->texts[w]);
  if (block->missing[w] == NULL)
    {
      g_clear_pointer (&out->missing[w], g_free);
      return;
    }
  if (out->missing[w] == NULL)
    out->missing[w] = g_new (uint8_t, room);
  COPY (out->missing[w], block->missing[w]);
}

gboolean
gilk_samples_meet_intervals (GilkSamples     *samples,
                             GilkSampleBlock *block)
{
  GilkSamplePart *out;
  const guint *chosen;
  guint n;

  if (samples->intervals == NULL)
    samples->intervals = intervals_new (samples);
  make_room (samples, block->n);
  n = choose_samples (samples, block);
  if (n == 0 || n == block->n)
    return n > 0;
  out = samples->intervals->out;
  chosen = samples->intervals->chosen;
  out->n = n;
  COPY (out->t_ns, block->t_ns);
  if (out->hook != NULL)
    {
      COPY (out->hook, block->hook);
      COPY (out->cpu, block->cpu);
    }
  for (guint w = 0; w < samples->wanted->len; w++)
    copy_field (out, block, w, samples->intervals->room, chosen, n);
  gilk_sample_part_show (out, block);

  return TRUE;
}

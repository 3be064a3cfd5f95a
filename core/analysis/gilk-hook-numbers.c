/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hook-numbers.c - reads a hook's numbers in shares, one thread per share
 *
 * A share is a range of time, read through a store connection of its own. The interval from the
 * last sample of a share to the first sample of the next share is added when both are known.
 */
#include "core/analysis/gilk-hook-numbers.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "core/analysis/gilk-hook-elapsed.h"
#include "core/base/gilk-error.h"
#include "core/base/gilk-memory.h"
#include "core/samples/gilk-samples.h"

#define SHARE_SAMPLES 2000000     /* there is one thread, plus one for every full multiple of this
                                   * number of samples */
#define SHARES_MAX    16
#define BATCH         2048

typedef struct {
  GilkHookNumbers *numbers;
  GilkStore       *store;         /* the share's own connection; NULL: uses the store of @numbers */
  gint64           from_ns, to_ns;
  GilkNumbersFunc  func;
  gpointer         data;
  gsize            most;          /* maximum number of numbers to read from this share */
  gsize            given;
  gint64           first_ns, last_ns;   /* times of the first and last sample read; last_ns is
                                         * G_MININT64 if there are none */
  guint            gap;           /* index of the first gap that ends after last_ns */
  guint            first_cpu, last_cpu; /* CPUs of the first and last sample read, if costs are
                                         * subtracted */
  uint64_t         cut, clamped;
  GError          *error;
} Share;

struct _GilkHookNumbers {
  GilkStore            *store;
  const GilkStoredHook *hook;
  char                 *field, *condition;
  gint64                from_ns, to_ns;
  int                   what;
  double                scale;
  gint64               *gaps;     /* start and end of each gap, ns */
  guint                 n_gaps;
  GilkHookElapsed      *elapsed;  /* reads the durations of calls, in a single share; NULL: the
                                   * numbers are not durations of calls */
  Share                *shares;
  guint                 n_shares;
  uint64_t              cut;
  GilkHookCost         *cost;     /* (nullable) */
  gsize                *read;     /* (nullable) */
};

/* ---- passes numbers to the consumer ---- */

static void
pass_values (Share *share, const double *values, gsize n)
{
  share->func (values, n, share->data);
  share->given += n;
}

static void
pass_field (Share *share, const GilkSampleBlock *block, guint number, guint type)
{
  const double scale = share->numbers->scale;
  const uint8_t *missing = block->missing[number];
  double batch[BATCH];

  for (guint at = 0; at < block->n; at += BATCH)
    {
      guint n = MIN (block->n - at, BATCH);

      gilk_sample_numbers (block->values[number] + at, type, batch, n);
      for (guint i = 0; i < n; i++)
        batch[i] *= scale;
      for (guint i = 0; missing != NULL && i < n; i++)
        if (missing[at + i])
          batch[i] = NAN;
      pass_values (share, batch, n);
    }
}

static void
pass_times (Share *share, const GilkSampleBlock *block)
{
  double batch[BATCH];

  for (guint at = 0; at < block->n; at += BATCH)
    {
      guint n = MIN (block->n - at, BATCH);

      for (guint i = 0; i < n; i++)
        batch[i] = (double) block->t_ns[at + i] / 1e9 * share->numbers->scale;
      pass_values (share, batch, n);
    }
}

/* Returns TRUE if samples may be missing between @from_ns and @to_ns. @from_ns must not decrease
 * from call to call. */
static inline gboolean
is_cut (const GilkHookNumbers *numbers, guint *gap, gint64 from_ns, gint64 to_ns)
{
  while (*gap < numbers->n_gaps && numbers->gaps[2 * *gap + 1] <= from_ns)
    ++*gap;

  return *gap < numbers->n_gaps && numbers->gaps[2 * *gap] < to_ns;
}

/* Subtracts the cost from an interval if both of its samples are on one CPU. @i: index of the later
 * sample. */
static inline double
subtract_cost (Share *share, const GilkSampleBlock *block, guint i, double interval)
{
  const GilkHookCost *cost = share->numbers->cost;

  return cost == NULL || block->cpu[i] != share->last_cpu
         ? interval : gilk_hook_cost_subtract (cost->seconds, interval, &share->clamped);
}

static void
pass_intervals (Share *share, const GilkSampleBlock *block)
{
  const GilkHookNumbers *numbers = share->numbers;
  double batch[BATCH];
  gint64 last_ns = share->last_ns;
  guint n = 0;

  for (guint i = 0; i < block->n; i++)
    {
      gint64 t_ns = block->t_ns[i];

      if (last_ns == G_MININT64)
        {
          share->first_ns = t_ns;
          share->first_cpu = block->cpu != NULL ? block->cpu[i] : 0;
        }
      else if (is_cut (numbers, &share->gap, last_ns, t_ns))
        share->cut++;
      else
        batch[n++] = subtract_cost (share, block, i, (double) (t_ns - last_ns) / 1e9) * numbers->scale;
      last_ns = t_ns;
      if (block->cpu != NULL)
        share->last_cpu = block->cpu[i];
      if (n == BATCH)
        {
          pass_values (share, batch, n);
          n = 0;
        }
    }
  share->last_ns = last_ns;
  if (n > 0)
    pass_values (share, batch, n);
}

/* ---- reads one share of the numbers ---- */

static gboolean
request_field (Share *share, GilkSamples *samples, guint *number, guint *type, GError **error)
{
  const GilkHookNumbers *numbers = share->numbers;

  if (!gilk_samples_add_field (samples, numbers->field, number, type, error))
    return FALSE;
  if (*type == ILK_FIELD_TEXT)
    return gilk_fail (error, GILK_ERROR_USAGE,
        _("The field “%s” of %s is a string, which has no histogram or series. Group the samples by it "
          "instead."), numbers->field, numbers->hook->label);

  return TRUE;
}

static void
read_calls (Share *share)
{
  const GilkHookNumbers *numbers = share->numbers;
  GilkElapsedBlock block;
  double batch[BATCH];

  if (!gilk_hook_elapsed_begin (numbers->elapsed, share->from_ns, share->to_ns, &share->error))
    return;
  while (share->given < share->most && gilk_hook_elapsed_next (numbers->elapsed, &block, &share->error))
    {
      if (numbers->read != NULL)
        g_atomic_pointer_add (numbers->read, block.n);
      for (guint at = 0; at < block.n; at += BATCH)
        {
          guint n = MIN (block.n - at, BATCH);

          for (guint i = 0; i < n; i++)
            batch[i] = (double) block.ns[at + i] / 1e9 * numbers->scale;
          pass_values (share, batch, n);
        }
    }
  share->cut = gilk_hook_elapsed_counts (numbers->elapsed).cut;
  share->clamped = gilk_hook_elapsed_counts (numbers->elapsed).clamped;
}

static void
read_share (Share *share)
{
  const GilkHookNumbers *numbers = share->numbers;
  g_autoptr(GilkSamples) samples = NULL;
  guint number = 0, type = ILK_FIELD_S64;
  GilkSampleBlock block;

  share->given = 0;
  share->cut = 0;
  share->clamped = 0;
  share->gap = 0;
  share->last_ns = G_MININT64;
  if (numbers->what == GILK_FIELD_ELAPSED)
    {
      read_calls (share);
      return;
    }
  samples = gilk_samples_new (share->store != NULL ? share->store : numbers->store, numbers->hook, 1, &share->error);
  if (samples == NULL)
    return;
  gilk_samples_set_range (samples, share->from_ns, share->to_ns);
  if (numbers->cost == NULL || numbers->what != GILK_FIELD_INTERVAL)
    gilk_samples_values_only (samples);
  if (numbers->condition != NULL &&
      !gilk_samples_add_condition (samples, numbers->condition, &share->error))
    return;
  if (numbers->what != GILK_FIELD_OWN)
    gilk_samples_in_order (samples);
  else if (!request_field (share, samples, &number, &type, &share->error))
    return;
  while (share->given < share->most && gilk_samples_next (samples, &block, &share->error))
    {
      if (numbers->read != NULL)
        g_atomic_pointer_add (numbers->read, block.n);
      if (numbers->what == GILK_FIELD_OWN)
        pass_field (share, &block, number, type);
      else if (numbers->what == GILK_FIELD_TIME)
        pass_times (share, &block);
      else
        pass_intervals (share, &block);
    }
}

static gpointer
share_thread (gpointer data)
{
  Share *share = data;
  const Share *first = share->numbers->shares;

  if (share != first && share->store == NULL)
    share->store = gilk_store_open_again (share->numbers->store, &share->error);
  if (share->error == NULL)
    read_share (share);

  return NULL;
}

/* ---- passes all numbers once ---- */

/* Passes to the consumer the interval from the last sample of each share to the first sample of
 * the next share that has samples. */
static void
pass_intervals_between (GilkHookNumbers *numbers)
{
  const Share *last = NULL;

  for (guint i = 0; i < numbers->n_shares; i++)
    {
      Share *share = &numbers->shares[i];
      guint gap = 0;
      double interval;

      if (share->last_ns == G_MININT64)
        continue;
      if (last != NULL)
        {
          interval = (double) (share->first_ns - last->last_ns) / 1e9;
          if (is_cut (numbers, &gap, last->last_ns, share->first_ns))
            share->cut++;
          else
            {
              if (numbers->cost != NULL && share->first_cpu == last->last_cpu)
                interval = gilk_hook_cost_subtract (numbers->cost->seconds, interval, &share->clamped);
              interval *= numbers->scale;
              pass_values (share, &interval, 1);
            }
        }
      last = share;
    }
}

static gboolean
propagate_first_error (GilkHookNumbers *numbers, GError **error)
{
  GError *first = NULL;

  for (guint i = 0; i < numbers->n_shares; i++)
    {
      GError *own = g_steal_pointer (&numbers->shares[i].error);

      if (first == NULL)
        first = own;
      else
        g_clear_error (&own);
    }
  return gilk_check_end (&first, error);
}

gboolean
gilk_hook_numbers_pass (GilkHookNumbers *numbers,
                        GilkNumbersFunc  func,
                        gpointer        *shares,
                        GError         **error)
{
  GThread *threads[SHARES_MAX] = { NULL };

  for (guint i = 0; i < numbers->n_shares; i++)
    {
      Share *share = &numbers->shares[i];

      share->func = func;
      share->data = shares[i];
      share->most = G_MAXSIZE;
      if (i > 0)
        threads[i] = g_thread_new ("numbers", share_thread, share);
    }
  share_thread (&numbers->shares[0]);
  for (guint i = 1; i < numbers->n_shares; i++)
    g_thread_join (threads[i]);
  if (!propagate_first_error (numbers, error))
    return FALSE;
  if (numbers->what == GILK_FIELD_INTERVAL)
    pass_intervals_between (numbers);
  numbers->cut = 0;
  if (numbers->cost != NULL)
    numbers->cost->clamped = 0;
  for (guint i = 0; i < numbers->n_shares; i++)
    {
      numbers->cut += numbers->shares[i].cut;
      if (numbers->cost != NULL)
        numbers->cost->clamped += numbers->shares[i].clamped;
    }

  return TRUE;
}

/* ---- reads only some of the numbers ---- */

typedef struct {
  double *values;
  gsize   n, max;
} Peek;

static void
copy_numbers (const double *values, gsize n, gpointer data)
{
  Peek *peek = data;

  n = MIN (n, peek->max - peek->n);
  memcpy (peek->values + peek->n, values, n * sizeof *values);
  peek->n += n;
}

gsize
gilk_hook_numbers_peek (GilkHookNumbers *numbers,
                        double          *values,
                        gsize            max)
{
  Peek peek = { .values = values };

  for (guint i = 0; i < numbers->n_shares; i++)
    {
      Share share = numbers->shares[i];

      peek.max = max / numbers->n_shares * (i + 1);
      share.store = NULL;
      share.func = copy_numbers;
      share.data = &peek;
      share.most = peek.max - peek.n;
      read_share (&share);
      g_clear_error (&share.error);
    }

  return peek.n;
}

gsize
gilk_hook_numbers_sample (GilkHookNumbers *numbers,
                          guint            parts,
                          double          *values,
                          gsize            max,
                          GError         **error)
{
  g_autofree gint64 *times = gilk_store_part_times (numbers->store, numbers->hook, parts, error);
  Peek peek = { .values = values };

  for (guint i = 0; times != NULL && i < parts; i++)
    {
      Share share = { .numbers = numbers, .func = copy_numbers, .data = &peek };

      peek.max = max / parts * (i + 1);
      share.most = peek.max - peek.n;
      share.from_ns = i > 0 ? MAX (times[i - 1], numbers->from_ns) : numbers->from_ns;
      share.to_ns = i + 1 < parts ? MIN (times[i], numbers->to_ns) : numbers->to_ns;
      if (share.from_ns < share.to_ns)
        read_share (&share);
      if (share.error == NULL)
        continue;
      g_propagate_error (error, share.error);
      return 0;
    }

  return peek.n;
}

/* ---- makes a GilkHookNumbers ---- */

static void
copy_gaps (GilkHookNumbers *numbers, const GArray *gaps)
{
  numbers->n_gaps = gaps != NULL ? gaps->len : 0;
  numbers->gaps = g_new (gint64, 2 * numbers->n_gaps + 1);
  for (guint i = 0; i < numbers->n_gaps; i++)
    {
      const GilkGap *gap = &g_array_index (gaps, GilkGap, i);

      numbers->gaps[2 * i] = (gint64) rint (gap->from * 1e9);
      numbers->gaps[2 * i + 1] = (gint64) rint (gap->to * 1e9);
    }
}

static gboolean
split_shares (GilkHookNumbers *numbers, GError **error)
{
  gboolean whole = numbers->what == GILK_FIELD_ELAPSED ||
    (numbers->condition != NULL && gilk_samples_condition_has_interval (numbers->condition));
  guint n = whole ? 1 : (guint) MIN (numbers->hook->stored / SHARE_SAMPLES + 1, SHARES_MAX);
  g_autofree gint64 *times = NULL;

  n = MAX (1, MIN (n, g_get_num_processors ()));
  times = gilk_store_part_times (numbers->store, numbers->hook, n, error);
  if (times == NULL)
    return FALSE;
  numbers->n_shares = n;
  numbers->shares = g_new0 (Share, n);
  for (guint i = 0; i < numbers->n_shares; i++)
    {
      Share *share = &numbers->shares[i];

      share->numbers = numbers;
      share->from_ns = i > 0 ? MAX (times[i - 1], numbers->from_ns) : numbers->from_ns;
      share->to_ns = i + 1 < numbers->n_shares ? MIN (times[i], numbers->to_ns) : numbers->to_ns;
    }

  return TRUE;
}

GilkHookNumbers *
gilk_hook_numbers_new (GilkStore            *store,
                       const GilkStoredHook *hook,
                       const GilkHookAsk    *ask,
                       double                scale,
                       GError              **error)
{
  g_autoptr(GilkHookNumbers) numbers = g_new0 (GilkHookNumbers, 1);
  const char *field = ask->field;

  numbers->store = store;
  numbers->hook = hook;
  numbers->field = g_strdup (field);
  numbers->scale = scale;
  numbers->what = gilk_field_kind (field);
  numbers->condition = g_strdup (ask->condition);
  numbers->cost = ask->cost;
  numbers->read = ask->read;
  numbers->from_ns = gilk_hook_ask_ns (ask->from, G_MININT64);
  numbers->to_ns = gilk_hook_ask_ns (ask->to, G_MAXINT64);
  copy_gaps (numbers, ask->gaps);
  if (numbers->what == GILK_FIELD_ELAPSED)
    {
      if (!gilk_hook_ask_calls (ask, error))
        return NULL;
      numbers->elapsed = gilk_hook_elapsed_of (store, hook, ask->cost != NULL, error);
      if (numbers->elapsed == NULL)
        return NULL;
    }

  return split_shares (numbers, error) ? g_steal_pointer (&numbers) : NULL;
}

void
gilk_hook_numbers_free (GilkHookNumbers *numbers)
{
  if (numbers == NULL)
    return;
  for (guint i = 0; i < numbers->n_shares; i++)
    gilk_store_free (numbers->shares[i].store);
  gilk_hook_elapsed_free (numbers->elapsed);
  gilk_free_all (numbers->shares, numbers->gaps, numbers->field, numbers->condition, numbers);
}

guint
gilk_hook_numbers_shares (const GilkHookNumbers *numbers)
{
  return numbers->n_shares;
}

uint64_t
gilk_hook_numbers_cut (const GilkHookNumbers *numbers)
{
  return numbers->cut;
}

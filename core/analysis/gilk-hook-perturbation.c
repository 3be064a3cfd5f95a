/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hook-perturbation.c - outcomes of on/off intervals from samples and numbers
 */
#include "core/analysis/gilk-hook-perturbation.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "core/analysis/gilk-hook-stream.h"
#include "core/base/gilk-error.h"
#include "core/store/gilk-store-blocks.h"

typedef struct {
  double   from, to;                  /* seconds */
  gboolean on, good;
  uint64_t n;
  double   sum;
} Block;

static int
compare_lengths (gconstpointer a, gconstpointer b)
{
  const double *x = a, *y = b;

  return (*x > *y) - (*x < *y);
}

static double
median_length (const GArray *blocks)
{
  g_autoptr(GArray) lengths = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 0; i < blocks->len; i++)
    {
      double length = g_array_index (blocks, Block, i).to - g_array_index (blocks, Block, i).from;

      g_array_append_val (lengths, length);
    }
  g_array_sort (lengths, compare_lengths);

  return g_array_index (lengths, double, lengths->len / 2);
}

/* Returns the run's on/off intervals. (element-type Block) */
static GArray *
read_blocks (GilkStore *store, gint64 run, const GArray *gaps, GError **error)
{
  g_autoptr(GArray) stored = gilk_store_blocks (store, run, error);
  g_autoptr(GArray) blocks = NULL;
  gint64 settled_ns;

  if (stored == NULL || !gilk_store_settled (store, run, &settled_ns, error))
    return NULL;
  if (stored->len == 0)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                   _("No hook of this run was switched off and on, so the perturbation was not measured. Record with "
                     "--ab, or ab= in the plan."));
      return NULL;
    }
  blocks = g_array_new (FALSE, TRUE, sizeof (Block));
  for (guint i = 0; i < stored->len; i++)
    {
      const GilkStoredBlockOfTime *one = &g_array_index (stored, GilkStoredBlockOfTime, i);
      Block block = { .from = (double) one->from_ns / 1e9, .to = (double) one->to_ns / 1e9, .on = one->on };

      block.good = one->whole && one->to_ns > one->from_ns && one->from_ns >= settled_ns &&
                   !(gaps != NULL && gilk_gaps_touch (gaps, block.from, block.to));
      g_array_append_val (blocks, block);
    }

  return g_steal_pointer (&blocks);
}

/* Returns the on/off interval that contains @t, or
 * NULL. @at: where to start, for ascending times */
static Block *
block_at (GArray *blocks, guint *at, double t)
{
  Block *all = (Block *) (void *) blocks->data;

  if (*at >= blocks->len || t < all[*at].from)
    *at = 0;
  while (*at < blocks->len && all[*at].to <= t)
    ++*at;

  return *at < blocks->len && all[*at].from <= t ? &all[*at] : NULL;
}

static gboolean
take_samples (GArray *blocks, GilkStore *store, const GilkStoredHook *hook, const char *field, const GArray *gaps,
              GError **error)
{
  gboolean intervals = g_strcmp0 (field, "interval") == 0;
  const GilkHookAsk ask = {
    .field = field != NULL ? field : "time", .gaps = gaps, .from = NAN, .to = NAN, .in_order = TRUE,
  };
  g_autoptr(GilkHookStream) stream = gilk_hook_stream_new (store, hook, &ask, error);
  GError *local = NULL;
  GilkHookBlock values;
  guint at = 0;

  if (stream == NULL)
    return FALSE;
  while (gilk_hook_stream_next (stream, &values, &local))
    for (guint i = 0; i < values.n; i++)
      {
        Block *block = block_at (blocks, &at, values.times[i]);

        /* One that started before this on/off interval belongs to two of them. */
        if (block == NULL || (intervals && values.times[i] - values.values[i] < block->from))
          continue;
        block->n++;
        block->sum += values.values[i];
      }
  if (local != NULL)
    g_propagate_error (error, local);

  return local == NULL;
}

static gboolean
outcome_of (const Block *block, gboolean rate, double least, double *outcome)
{
  if (!block->good || block->to - block->from < least || (!rate && block->n == 0))
    return FALSE;
  *outcome = rate ? (double) block->n / (block->to - block->from) : block->sum / (double) block->n;

  return TRUE;
}

static gboolean
judge (const GArray *blocks, gboolean rate, GilkHookPerturbation *out, GError **error)
{
  g_autofree double *on = g_new (double, blocks->len), *off = g_new (double, blocks->len);
  GilkHookPerturbation it = { .blocks = blocks->len, .period = median_length (blocks) };
  guint n = 0;

  for (guint i = 0; i + 1 < blocks->len; i += 2)
    {
      const Block *a = &g_array_index (blocks, Block, i), *b = &g_array_index (blocks, Block, i + 1);

      if (a->on != b->on && outcome_of (a->on ? a : b, rate, it.period / 2, &on[n]) &&
          outcome_of (a->on ? b : a, rate, it.period / 2, &off[n]))
        n++;
      else
        it.left_out++;
    }
  if (!gilk_perturbation_of (on, off, n, GILK_PERTURBATION_LEVEL, &it.found, error))
    return FALSE;
  *out = it;

  return TRUE;
}

const GilkStoredHook *
gilk_perturbation_witness (const GArray *hooks)
{
  const GilkStoredHook *best = NULL;

  for (guint i = 0; i < hooks->len; i++)
    {
      const GilkStoredHook *hook = &g_array_index (hooks, GilkStoredHook, i);

      if (!hook->switched && hook->stored > 0 && (best == NULL || hook->stored > best->stored))
        best = hook;
    }

  return best;
}

gboolean
gilk_hook_perturbation (GilkStore             *store,
                        const GilkStoredHook  *hook,
                        const char            *field,
                        const GArray          *gaps,
                        GilkHookPerturbation  *out,
                        GError               **error)
{
  g_autoptr(GArray) blocks = NULL;

  if (hook->switched)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
                   _("Hook %s was itself switched off and on, and has no samples of the time when it was off. Name a "
                     "control hook (witness=yes)."),
                   hook->label);
      return FALSE;
    }
  blocks = read_blocks (store, hook->run, gaps, error);

  return blocks != NULL && take_samples (blocks, store, hook, field, gaps, error) &&
         judge (blocks, field == NULL, out, error);
}

gboolean
gilk_outcome_perturbation (GilkStore             *store,
                           gint64                 run,
                           const double          *times,
                           const double          *values,
                           gsize                  n,
                           GilkHookPerturbation  *out,
                           GError               **error)
{
  g_autoptr(GArray) blocks = read_blocks (store, run, NULL, error);
  guint at = 0;

  if (blocks == NULL)
    return FALSE;
  for (gsize i = 0; i < n; i++)
    {
      Block *block = block_at (blocks, &at, times[i]);

      if (block == NULL)
        continue;
      block->n++;
      block->sum += values[i];
    }

  return judge (blocks, FALSE, out, error);
}

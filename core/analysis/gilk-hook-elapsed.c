/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hook-elapsed.c - computes durations of a function's calls, call by call, from span samples
 * (at entries and exits)
 */
#include "core/analysis/gilk-hook-elapsed.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "core/analysis/gilk-hook-gaps.h"
#include "core/base/gilk-error.h"
#include "core/base/gilk-memory.h"
#include "core/emit/gilk-inline.h"
#include "core/samples/gilk-samples.h"

typedef struct {
  gint64   hook;
  gboolean is_exit;
  double   cost_ns;
} End;

struct _GilkHookElapsed {
  GilkStore            *store;
  GArray               *own, *own_ends; /* own: all hooks of the run (GilkStoredHook); own_ends: the
                                         * array that @hooks points into. Both are NULL if @hooks
                                         * belongs to the caller */
  const GilkStoredHook *hooks;
  guint                 n_hooks;
  End                  *ends;       /* for each of @hooks: whether it is at an exit, and its cost */
  GArray               *gaps;       /* GilkGap */
  gint64                only;       /* id of a hook: only calls that end there are read; -1: all
                                     * calls */
  GilkSamples          *samples;
  guint                 frame;
  GilkSpans            *spans;
  GilkSpanCounts        counts;
  guint                 room;
  gint64               *t_ns;
  uint64_t             *ns;
  uint32_t             *cpu;
};

gboolean
gilk_hook_is_span (const GilkStoredHook *hook)
{
  return gilk_inline_is (hook->instrument, GILK_INLINE_SPAN);
}

gboolean
gilk_hook_same_function (const GilkStoredHook *a,
                         const GilkStoredHook *b)
{
  return g_strcmp0 (a->function, b->function) == 0 && g_strcmp0 (a->module, b->module) == 0;
}

static gboolean
is_exit (const GilkStoredHook *hook)
{
  return g_strcmp0 (hook->where, "post") == 0;
}

static gboolean
is_entry (const GilkStoredHook *hook)
{
  return !is_exit (hook) && g_strcmp0 (hook->block, "+0x0") == 0;
}

GArray *
gilk_hook_span_hooks (const GilkStoredHook *hook,
                      const GArray         *hooks)
{
  GArray *ends = g_array_new (FALSE, FALSE, sizeof (GilkStoredHook));
  gboolean entered = FALSE;

  for (guint i = 0; gilk_hook_is_span (hook) && i < hooks->len; i++)
    {
      const GilkStoredHook *other = &g_array_index (hooks, GilkStoredHook, i);

      if (!gilk_hook_is_span (other) || !gilk_hook_same_function (hook, other))
        continue;
      entered |= is_entry (other);
      g_array_append_vals (ends, other, 1);
    }
  for (guint i = ends->len; entered && i-- > 0;)
    {
      const GilkStoredHook *end = &g_array_index (ends, GilkStoredHook, i);

      if (!is_exit (end) && !is_entry (end))
        g_array_remove_index (ends, i);
    }

  return ends;
}

gboolean
gilk_hook_has_elapsed (const GilkStoredHook *hook,
                       const GArray         *hooks)
{
  g_autoptr(GArray) ends = gilk_hook_span_hooks (hook, hooks);
  guint exits = 0;

  for (guint i = 0; i < ends->len; i++)
    exits += is_exit (&g_array_index (ends, GilkStoredHook, i));

  return exits > 0 && exits < ends->len;
}

/* ---- makes a GilkHookElapsed ---- */

static gboolean
find_ends (GilkHookElapsed *elapsed, gboolean subtract_cost, GError **error)
{
  elapsed->ends = g_new0 (End, elapsed->n_hooks);
  elapsed->gaps = g_array_new (FALSE, FALSE, sizeof (GilkGap));
  for (guint i = 0; i < elapsed->n_hooks; i++)
    {
      const GilkStoredHook *hook = &elapsed->hooks[i];
      GilkHookCost cost = { .seconds = 0.0 };

      /* The duration of a call is unknown if the hook at either end was off, so that counts as a
       * gap too. */
      if (!gilk_hook_gaps_add_lost (elapsed->gaps, elapsed->store, hook, error) ||
          !gilk_hook_gaps_add_switched_off (elapsed->gaps, elapsed->store, hook, error) ||
          (subtract_cost && !gilk_hook_cost_of (elapsed->store, hook, &cost, error)))
        return FALSE;
      elapsed->ends[i] = (End) { hook->id, is_exit (hook), cost.seconds * 1e9 };
    }
  gilk_gaps_normalise (elapsed->gaps, INFINITY);

  return TRUE;
}

GilkHookElapsed *
gilk_hook_elapsed_new (GilkStore            *store,
                       const GilkStoredHook *hooks,
                       guint                 n_hooks,
                       gboolean              subtract_cost,
                       GError              **error)
{
  g_autoptr(GilkHookElapsed) elapsed = g_new0 (GilkHookElapsed, 1);

  elapsed->store = store;
  elapsed->hooks = hooks;
  elapsed->n_hooks = n_hooks;
  elapsed->only = -1;

  return find_ends (elapsed, subtract_cost, error) ? g_steal_pointer (&elapsed) : NULL;
}

GilkHookElapsed *
gilk_hook_elapsed_of (GilkStore            *store,
                      const GilkStoredHook *hook,
                      gboolean              subtract_cost,
                      GError              **error)
{
  g_autoptr(GArray) hooks = gilk_store_hooks (store, hook->run, error);
  g_autoptr(GArray) ends = NULL;
  GilkHookElapsed *elapsed;

  if (hooks == NULL)
    return NULL;
  if (!gilk_hook_has_elapsed (hook, hooks))
    return gilk_fail_null (error, GILK_ERROR_USAGE,
        _("The duration of calls of %s is not known. Use the instrument “span” at its "
          "entry and at the ends of all blocks that return, as “gilk plan new %s "
          "--span” does."), hook->function, hook->function);
  ends = gilk_hook_span_hooks (hook, hooks);
  elapsed = gilk_hook_elapsed_new (store, (const GilkStoredHook *) (const void *) ends->data, ends->len, subtract_cost, error);
  if (elapsed == NULL)
    return NULL;
  elapsed->own = g_steal_pointer (&hooks);
  elapsed->own_ends = g_steal_pointer (&ends);
  if (is_exit (hook))
    elapsed->only = hook->id;

  return elapsed;
}

/* ---- cost to subtract from durations of calls ---- */

gboolean
gilk_hook_elapsed_cost (GilkStore            *store,
                        const GilkStoredHook *hooks,
                        guint                 n_hooks,
                        GilkHookCost         *cost,
                        GError              **error)
{
  GilkHookCost total = { .of_calls = TRUE, .n_measurements = G_MAXUINT };

  for (guint side = 0; side < 2; side++)
    {
      GilkHookCost ends = { .low = INFINITY };
      guint n = 0;

      for (guint i = 0; i < n_hooks; i++)
        {
          GilkHookCost one;

          if (is_exit (&hooks[i]) != (side == 1))
            continue;
          if (!gilk_hook_cost_of (store, &hooks[i], &one, error))
            return FALSE;
          n++;
          ends.seconds += one.seconds;
          ends.low = MIN (ends.low, one.low);
          ends.high = MAX (ends.high, one.high);
          total.n_measurements = MIN (total.n_measurements, one.n_measurements);
        }
      if (n == 0)
        continue;
      total.seconds += ends.seconds / n / 2;
      total.low += ends.low / 2;
      total.high += ends.high / 2;
    }
  *cost = total;

  return TRUE;
}

gboolean
gilk_hook_elapsed_cost_of (GilkStore            *store,
                           const GilkStoredHook *hook,
                           GilkHookCost         *cost,
                           GError              **error)
{
  g_autoptr(GArray) hooks = gilk_store_hooks (store, hook->run, error);
  g_autoptr(GArray) ends = NULL;

  if (hooks == NULL)
    return FALSE;
  ends = gilk_hook_span_hooks (hook, hooks);
  for (guint i = ends->len; is_exit (hook) && i-- > 0;)
    {
      const GilkStoredHook *end = &g_array_index (ends, GilkStoredHook, i);

      if (is_exit (end) && end->id != hook->id)
        g_array_remove_index (ends, i);
    }

  return gilk_hook_elapsed_cost (store, (const GilkStoredHook *) (const void *) ends->data, ends->len, cost, error);
}

static void
close_samples (GilkHookElapsed *elapsed)
{
  g_clear_pointer (&elapsed->samples, gilk_samples_free);
  g_clear_pointer (&elapsed->spans, gilk_spans_free);
}

void
gilk_hook_elapsed_free (GilkHookElapsed *elapsed)
{
  if (elapsed == NULL)
    return;
  close_samples (elapsed);
  g_clear_pointer (&elapsed->own_ends, g_array_unref);
  g_clear_pointer (&elapsed->own, g_array_unref);
  g_clear_pointer (&elapsed->gaps, g_array_unref);
  gilk_free_all (elapsed->ends, elapsed->t_ns, elapsed->ns, elapsed->cpu, elapsed);
}

/* ---- reads the calls ---- */

gboolean
gilk_hook_elapsed_begin (GilkHookElapsed *elapsed,
                         gint64           from_ns,
                         gint64           to_ns,
                         GError         **error)
{
  guint type;

  close_samples (elapsed);
  elapsed->counts = (GilkSpanCounts) { .calls = 0 };
  elapsed->samples = gilk_samples_new (elapsed->store, elapsed->hooks, elapsed->n_hooks, error);
  if (elapsed->samples == NULL || !gilk_samples_add_field (elapsed->samples, "frame", &elapsed->frame, &type, error))
    return FALSE;
  if (type == ILK_FIELD_TEXT)
    return gilk_fail (error, GILK_ERROR_FORMAT,
                      _("%s is damaged: the frames of %s are stored as strings. Use a backup."),
                      gilk_store_path (elapsed->store), elapsed->hooks[0].function);
  gilk_samples_set_range (elapsed->samples, from_ns, to_ns);
  gilk_samples_in_order (elapsed->samples);
  elapsed->spans = gilk_spans_new (elapsed->gaps);

  return TRUE;
}

static void
make_room (GilkHookElapsed *elapsed, guint n)
{
  if (n <= elapsed->room)
    return;
  elapsed->room = n;
  elapsed->t_ns = g_renew (gint64, elapsed->t_ns, n);
  elapsed->ns = g_renew (uint64_t, elapsed->ns, n);
  elapsed->cpu = g_renew (uint32_t, elapsed->cpu, n);
}

static GilkSpanMark
make_mark (const GilkHookElapsed *elapsed, const GilkSampleBlock *block, guint i)
{
  GilkSpanMark mark = { .frame = (uint64_t) block->values[elapsed->frame][i], .t_ns = block->t_ns[i] };

  for (guint k = 0; k < elapsed->n_hooks; k++)
    if (elapsed->ends[k].hook == block->hook[i])
      {
        mark.is_exit = elapsed->ends[k].is_exit;
        mark.cost_ns = elapsed->ends[k].cost_ns;
        break;
      }

  return mark;
}

gboolean
gilk_hook_elapsed_next (GilkHookElapsed  *elapsed,
                        GilkElapsedBlock *block,
                        GError          **error)
{
  GilkSampleBlock samples;
  guint n = 0;

  if (!gilk_samples_next (elapsed->samples, &samples, error))
    {
      elapsed->counts = gilk_spans_end (elapsed->spans);
      return FALSE;
    }
  make_room (elapsed, samples.n);
  for (guint i = 0; i < samples.n; i++)
    {
      const GilkSpanMark mark = make_mark (elapsed, &samples, i);

      if (!gilk_spans_add (elapsed->spans, &mark, &elapsed->ns[n]) || (elapsed->only >= 0 && samples.hook[i] != elapsed->only))
        continue;
      elapsed->t_ns[n] = mark.t_ns;
      elapsed->cpu[n++] = samples.cpu[i];
    }
  *block = (GilkElapsedBlock) { n, elapsed->t_ns, elapsed->ns, elapsed->cpu };

  return TRUE;
}

GilkSpanCounts
gilk_hook_elapsed_counts (const GilkHookElapsed *elapsed)
{
  return elapsed->counts;
}

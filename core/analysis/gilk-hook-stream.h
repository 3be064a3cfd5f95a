/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hook-stream.h - reads a hook's values, one by one, in constant memory
 *
 * No other code turns samples into values. All code that computes bins, cells or steps reads the
 * values here, so that intervals end at gaps everywhere.
 *
 * Threads: only the store's thread.
 */
#pragma once

#include <math.h>

#include "core/cost/gilk-hook-cost.h"
#include "core/stats/gilk-gaps.h"

G_BEGIN_DECLS

typedef struct _GilkHookStream GilkHookStream;

/* Values of a hook; valid until gilk_hook_stream_next() is called again. */
typedef struct {
  guint           n;
  double         *times;    /* times in seconds since time zero; the caller may overwrite @times and
                             * @values */
  double         *values;   /* values in the field's unit; intervals and durations of calls are in
                             * seconds */
  const uint32_t *cpu;
} GilkHookBlock;

typedef struct {
  const char   *field;      /* a numeric field; or "time": the time itself; "interval": time since
                             * the previous sample; GILK_ELAPSED (gilk-hook-elapsed.h): durations of
                             * calls, each at the time when the call ends */
  const char   *condition;  /* condition that samples must meet, as in gilk_samples_add_condition();
                             * nullable */
  const GArray *gaps;       /* GilkGap, normalised: intervals across a gap are left out; nullable,
                             * borrowed */
  double        from, to;   /* range in seconds: samples at @from or later and before @to; NaN: no
                             * bound */
  gboolean      in_order;   /* TRUE: return values in order of time; intervals are always in
                             * order */
  GilkHookCost *cost;       /* cost to subtract from intervals and durations of calls; nullable,
                             * borrowed */
  gsize        *read;       /* incremented by the number of samples read; another thread may read
                             * it with g_atomic_pointer_get(), to show progress; nullable,
                             * borrowed */
} GilkHookAsk;

/* Converts a bound of a range to ns; NaN gives @otherwise. */
static inline gint64
gilk_hook_ask_ns (double seconds, gint64 otherwise)
{
  return isnan (seconds) ? otherwise : (gint64) rint (CLAMP (seconds, -9e9, 9e9) * 1e9);
}

/* Checks a request for durations of calls. Returns FALSE with an error if the request has a
 * condition, because conditions select single samples, not calls. */
gboolean        gilk_hook_ask_calls   (const GilkHookAsk *ask, GError **error);
/* Creates a stream. Copies @ask, but not the data that @ask borrows: they must outlive the
 * stream. */
GilkHookStream *gilk_hook_stream_new  (GilkStore *store, const GilkStoredHook *hook,
                                       const GilkHookAsk *ask, GError **error);
void            gilk_hook_stream_free (GilkHookStream *stream);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkHookStream, gilk_hook_stream_free)
/* Gets the next values, at least one. Returns FALSE at the end, or with @error. */
gboolean        gilk_hook_stream_next (GilkHookStream *stream, GilkHookBlock *block, GError **error);
/* Returns the number of times between samples left out so far because samples may be missing. */
uint64_t        gilk_hook_stream_cut  (const GilkHookStream *stream);

G_END_DECLS

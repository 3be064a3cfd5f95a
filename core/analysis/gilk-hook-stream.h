/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hook-stream.h - what a hook measured, value by value, in constant memory
 *
 * The one place where samples become values to be reduced: whoever makes bins, cells or steps of
 * them reads them here, and intervals end at gaps for all alike.
 *
 * Threads: that of the store.
 */
#pragma once

#include <math.h>

#include "core/analysis/gilk-gaps.h"
#include "core/analysis/gilk-hook-cost.h"

G_BEGIN_DECLS

typedef struct _GilkHookStream GilkHookStream;

/* Valid until the next call. */
typedef struct {
  guint           n;
  double         *times;    /* seconds since time zero; may be written over, as values */
  double         *values;   /* in the field's unit; intervals and calls in seconds */
  const uint32_t *cpu;
} GilkHookBlock;

typedef struct {
  const char   *field;      /* of numbers; "time": the time itself; "interval": since the sample before;
                             * GILK_ELAPSED (gilk-hook-elapsed.h): how long calls took, by when they ended */
  const char   *condition;  /* as of gilk_samples_add_condition(); nullable */
  const GArray *gaps;       /* GilkGap, tidy: no interval spans one; nullable, borrowed */
  double        from, to;   /* seconds: samples at @from and later, before @to; NaN: all */
  gboolean      in_order;   /* by time; intervals are so anyway */
  GilkHookCost *cost;       /* taken off intervals and calls; nullable, borrowed */
  gsize        *read;       /* samples are added to it as they are read, for who looks on in another thread, by
                             * g_atomic_pointer_get(); nullable, borrowed */
} GilkHookAsk;

/* An end of its range. */
static inline gint64
gilk_hook_ask_ns (double seconds, gint64 otherwise)
{
  return isnan (seconds) ? otherwise : (gint64) rint (CLAMP (seconds, -9e9, 9e9) * 1e9);
}

/* FALSE with an error if it cannot be asked of calls. */
gboolean        gilk_hook_ask_calls   (const GilkHookAsk *ask, GError **error);
/* @ask is read in this call only, but for what it borrows. */
GilkHookStream *gilk_hook_stream_new  (GilkStore *store, const GilkStoredHook *hook,
                                       const GilkHookAsk *ask, GError **error);
void            gilk_hook_stream_free (GilkHookStream *stream);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkHookStream, gilk_hook_stream_free)
/* TRUE with a block of at least one value; FALSE at the end, or with @error. */
gboolean        gilk_hook_stream_next (GilkHookStream *stream, GilkHookBlock *block, GError **error);
/* Intervals left out so far, because something may be missing in them. */
uint64_t        gilk_hook_stream_cut  (const GilkHookStream *stream);

G_END_DECLS

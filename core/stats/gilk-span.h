/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-span.h - computes durations of calls, from samples at a function's entry and exits in order
 * of time
 *
 * The samples of a call share a frame: the stack address of the call's return address. No other
 * call has the same frame at the same time: in order of time, an exit ends the call that the
 * previous entry in the same frame started. A pair across a gap is discarded: the entry may belong
 * to a lost exit, and the exit to a lost entry.
 *
 * Memory grows with the frames of calls in progress and, once samples were lost, with the frames
 * used after the loss; not with the number of samples.
 *
 * Threads: one at a time.
 */
#pragma once

#include "core/stats/gilk-gaps.h"

G_BEGIN_DECLS

typedef struct {
  uint64_t frame;
  gint64   t_ns;
  gboolean is_exit;
  double   cost_ns;        /* cost of the hook to subtract; 0: none */
} GilkSpanMark;

typedef struct {
  uint64_t calls;          /* number of pairs of entry and exit without a gap between them */
  uint64_t open;           /* number of entries without an exit: in progress at the end */
  uint64_t stray;          /* number of exits without an entry: in progress at the start */
  uint64_t clamped;        /* number of calls shorter than the cost to subtract; they count as 0 */
  uint64_t cut;            /* number of entries and exits whose partner may be missing */
} GilkSpanCounts;

typedef struct _GilkSpans GilkSpans;

/* @gaps: (nullable): normalised gaps in which samples of
 * any of the function's hooks were lost; borrowed */
GilkSpans *gilk_spans_new  (const GArray *gaps);
void       gilk_spans_free (GilkSpans *spans);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkSpans, gilk_spans_free)

/**
 * gilk_spans_add:
 * @mark: not earlier than the previous one
 * @ns: (out): duration of the call that ended
 * Returns TRUE if @mark ends a call. Part of both hooks' code runs between the two timestamps: the
 * entry hook's code after its timestamp, and the exit hook's code before its timestamp. So half of
 * each hook's cost is subtracted.
 */
gboolean gilk_spans_add (GilkSpans *spans, const GilkSpanMark *mark, uint64_t *ns);
/* Counts the calls in progress as open, and returns the totals. */
GilkSpanCounts gilk_spans_end (GilkSpans *spans);

G_END_DECLS

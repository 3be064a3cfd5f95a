/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-span.h - how long calls took, from samples at a function's entry and exits, as they come by time
 *
 * Samples of one call share the address of its return address, its frame, which no
 * other call has meanwhile: in the order of time, an exit ends the call that the
 * entry before it in the same frame began. What a gap lies between is no pair: the entry may belong to a lost
 * exit, and the exit to a lost entry.
 *
 * Memory grows with the frames that calls are under way in, and, once something was lost, with those that
 * were used since; not with the samples.
 *
 * Threads: one at a time.
 */
#pragma once

#include "core/analysis/gilk-gaps.h"

G_BEGIN_DECLS

typedef struct {
  uint64_t frame;
  gint64   t_ns;
  gboolean is_exit;
  double   cost_ns;        /* of its hook, to be taken off; 0: nothing is */
} GilkSpanMark;

typedef struct {
  uint64_t calls;          /* entry and exit are there, and nothing is missing between them */
  uint64_t open;           /* entries without an exit: under way at the end */
  uint64_t stray;          /* exits without an entry: under way at the start */
  uint64_t clamped;        /* calls that are shorter than what was to be taken off: 0 */
  uint64_t cut;            /* entries and exits that may belong to something that is missing */
} GilkSpanCounts;

typedef struct _GilkSpans GilkSpans;

/* @gaps: (nullable): tidy, in which samples of any of the function's hooks were lost; borrowed */
GilkSpans *gilk_spans_new  (const GArray *gaps);
void       gilk_spans_free (GilkSpans *spans);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkSpans, gilk_spans_free)

/**
 * gilk_spans_add:
 * @mark: not earlier than the one before
 * TRUE if it ends a call, with how long that took. Between the two readings lie what follows that of the
 * entry's hook and what comes before that of the exit's: half of each one's cost is taken off.
 */
gboolean gilk_spans_add (GilkSpans *spans, const GilkSpanMark *mark, uint64_t *ns);
/* No more come: what is under way has no exit. */
GilkSpanCounts gilk_spans_end (GilkSpans *spans);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-span.h - how long calls took, from samples at a function's entry and exits
 *
 * Samples of one call share the address of its return address, its frame, which no
 * other call has meanwhile: in the order of time, an exit ends the call that the
 * entry before it in the same frame began.
 *
 * Threads: any.
 */
#pragma once

#include "core/analysis/gilk-gaps.h"

G_BEGIN_DECLS

typedef struct {
  uint64_t frame;
  gint64   t_ns;
  gint64   order;          /* of recording, among samples of one time */
  gboolean is_exit;
  double   cost_ns;        /* of its hook, to be taken off; 0: nothing is */
} GilkSpanMark;

typedef struct {
  uint64_t calls;          /* entry and exit are there, and nothing is missing between them */
  uint64_t open;           /* entries without an exit: under way at the end */
  uint64_t stray;          /* exits without an entry: under way at the start */
  uint64_t clamped;        /* calls that are shorter than what was to be taken off: 0 */
  uint64_t cut;            /* entries and exits that may belong to something that is missing */
  uint64_t min, median, p90, p99, max;       /* ns; 0 if there are no calls */
  GArray  *durations;      /* uint64_t, ns, ascending */
} GilkSpans;

/**
 * gilk_spans_pair:
 * @gaps: (nullable): tidy, in which samples of any of the function's hooks were lost
 * Pairs @marks, which are sorted on the way. What a gap lies between is no pair: the
 * entry may belong to a lost exit, and the exit to a lost entry. Fills @spans. Between the two
 * readings lie what follows that of the entry's hook and what comes before that of the exit's: half of
 * each one's cost is taken off.
 */
void gilk_spans_pair  (GilkSpanMark *marks, guint n, const GArray *gaps, GilkSpans *spans);
void gilk_spans_clear (GilkSpans *spans);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GilkSpans, gilk_spans_clear)

G_END_DECLS

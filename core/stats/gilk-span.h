/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-span.h - computes durations and the nesting of calls, from samples at a function's entry
 * and exits in order of time
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
  double   cost_ns;        /* cost of the hook, to be subtracted; 0: subtract nothing */
} GilkSpanMark;

typedef struct {
  uint64_t calls;          /* number of pairs of entry and exit without a gap between them */
  uint64_t open;           /* number of entries without an exit: calls in progress at the end */
  uint64_t stray;          /* number of exits without an entry: calls in progress at the start */
  uint64_t clamped;        /* number of calls shorter than the cost to subtract; they count as 0 */
  uint64_t cut;            /* number of entries and exits whose partner may be missing */
} GilkSpanCounts;

typedef struct _GilkSpans GilkSpans;

/* Starts with no frames. @gaps: (nullable): normalised gaps in which samples of any of the
 * function's hooks were lost; borrowed */
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
/* Ends the pass: counts the calls in progress as open, and returns the totals. */
GilkSpanCounts gilk_spans_end (GilkSpans *spans);

/*
 * Finds the nesting of calls, from span samples (at entries and exits) in order of time.
 *
 * Finds the same pairs of entry and exit as GilkSpans. Memory grows with the calls in progress,
 * not with the samples. The frames of one kernel stack belong to one task (or interrupt) at a
 * time, and a later call has a lower frame; so the calls of a stack nest in the order in which
 * they were made.
 */

/* Size and alignment of kernel stacks of x86-64. If a kernel's stacks are larger, a call in one
 * half of a stack is not recognised as nested in a call in the other half. */
#define GILK_CALLS_STACK_BYTES (16 << 10)

typedef struct {
  uint64_t frame;
  gint64   t_ns;
  guint    function;            /* index of the function, assigned by the caller */
  guint    hook;                /* index of the hook, assigned by the caller */
  guint    cpu;
  gboolean is_exit;
} GilkCallMark;

typedef enum {
  GILK_CALL_PAIRED,             /* entry and exit were recorded, and
                                 * nothing is missing between them */
  GILK_CALL_CUT,                /* the exit is missing, or samples may be lost before it */
  GILK_CALL_OPEN,               /* the call was in progress at the end */
} GilkCallEnd;

typedef struct {
  GilkCallMark entry, exit;     /* @exit is valid if @has_exit */
  gboolean     has_exit;
  GilkCallEnd  end;
  guint        depth;           /* number of enclosing calls */
  const guint *outer;           /* functions of the enclosing calls, outermost first, and of this
                                 * call */
  uint64_t     inner_ns;        /* total time of paired calls directly inside this call */
} GilkCall;

typedef struct _GilkCalls GilkCalls;

typedef struct {
  /* Called at an entry, when the call is pushed onto its stack. (nullable) */
  void (*begin) (const GilkCallMark *entry, guint depth, gpointer data);
  /* Called when a call ends at @now_ns, or is known
   * to have ended by then. Inner calls end first. */
  void (*end)   (const GilkCall *call, gint64 now_ns, gpointer data);
  /* Called at an exit whose entry was not recorded. (nullable) */
  void (*stray) (const GilkCallMark *exit, gpointer data);
} GilkCallsHandler;

/**
 * gilk_calls_new:
 * @handler: copied
 * @gaps: (nullable) (element-type GArray of GilkGap): for each function, by index: normalised gaps
 *   in which samples of any of the function's hooks were lost
 * @gaps and @data are borrowed.
 */
GilkCalls *gilk_calls_new  (const GilkCallsHandler *handler, gpointer data, const GPtrArray *gaps);
/* Adds a sample. @mark must not be earlier than the previous one. */
void       gilk_calls_add  (GilkCalls *calls, const GilkCallMark *mark);
/* Ends the calls in progress, without an exit. */
void       gilk_calls_end  (GilkCalls *calls);
void       gilk_calls_free (GilkCalls *calls);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkCalls, gilk_calls_free)

G_END_DECLS

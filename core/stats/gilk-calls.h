/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-calls.h - finds the nesting of calls, from span samples in order of time
 *
 * Finds the same pairs of entry and exit as gilk-span.h. Memory grows with the calls in progress,
 * not with the samples. The frames of one kernel stack belong to one task (or interrupt) at a
 * time, and a later call has a lower frame; so the calls of a stack nest in the order in which
 * they were made.
 *
 * Threads: one at a time.
 */
#pragma once

#include "core/stats/gilk-gaps.h"

G_BEGIN_DECLS

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
  /* Called at an exit without an entry. (nullable) */
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

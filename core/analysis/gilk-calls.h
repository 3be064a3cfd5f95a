/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-calls.h - calls and how they lie in each other, as samples of spans come by time
 *
 * The same pairs as of gilk-span.h, one at a time: memory grows with the calls that are under way,
 * not with the samples. Frames of one kernel stack are of one task (or interrupt) at a time, and
 * a call that was made later lies lower; so a stack has its calls in each other, as they were made.
 *
 * Threads: one at a time.
 */
#pragma once

#include "core/analysis/gilk-gaps.h"

G_BEGIN_DECLS

/* Kernel stacks of x86-64 have this size and lie on multiples of it. Where they are larger, calls
 * of one half are not seen to be in those of the other. */
#define GILK_CALLS_STACK_BYTES (16 << 10)

typedef struct {
  uint64_t frame;
  gint64   t_ns;
  guint    function;            /* the caller's number for it */
  guint    hook;                /* likewise */
  guint    cpu;
  gboolean is_exit;
} GilkCallMark;

typedef enum {
  GILK_CALL_PAIRED,             /* entry and exit are there, and nothing is missing between them */
  GILK_CALL_CUT,                /* something may be missing between them, or its exit is */
  GILK_CALL_OPEN,               /* under way at the end */
} GilkCallEnd;

typedef struct {
  GilkCallMark entry, exit;     /* exit: if @has_exit */
  gboolean     has_exit;
  GilkCallEnd  end;
  guint        depth;           /* calls that it lies in */
  const guint *outer;           /* their functions, the outermost first; then its own */
  uint64_t     inner_ns;        /* of paired calls that lie in it directly */
} GilkCall;

typedef struct _GilkCalls GilkCalls;

typedef struct {
  /* An entry: a call begins on its stack. NULL: nobody asks. */
  void (*begin) (const GilkCallMark *entry, guint depth, gpointer data);
  /* It ends at @now_ns, or is known not to go on then. Inner ones end first. */
  void (*end)   (const GilkCall *call, gint64 now_ns, gpointer data);
  /* An exit without an entry. NULL: nobody asks. */
  void (*stray) (const GilkCallMark *exit, gpointer data);
} GilkCallsHandler;

/**
 * gilk_calls_new:
 * @gaps: (nullable) (element-type GArray of GilkGap): by function: tidy, in which samples of any of
 *   its hooks were lost
 * Both are borrowed.
 */
GilkCalls *gilk_calls_new  (const GilkCallsHandler *handler, gpointer data, const GPtrArray *gaps);
/* Not earlier than the one before. */
void       gilk_calls_add  (GilkCalls *calls, const GilkCallMark *mark);
/* What is under way has no exit. */
void       gilk_calls_end  (GilkCalls *calls);
void       gilk_calls_free (GilkCalls *calls);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkCalls, gilk_calls_free)

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-span.c - computes durations and the nesting of calls, from samples at a function's entry
 * and exits
 *
 * Frames are tracked separately. Nothing is guessed: an entry after an entry leaves the first one
 * open, an exit after an exit is stray.
 */
#include "core/stats/gilk-span.h"

#include <math.h>

#define FRAMES_MIN 1024     /* frames that cannot affect later results are removed only if there are
                             * at least this many frames */

typedef struct {
  uint64_t frame;
  gint64   before_ns;       /* time of the frame's last mark (entry or exit) */
  gboolean is_open;         /* the frame's last mark is an entry, so a call is in progress */
  double   cost_ns;         /* cost, in ns, of the hook that took the frame's last mark */
} Frame;

struct _GilkSpans {
  const GArray  *gaps;
  GHashTable    *frames;    /* table from a frame's stack address to its Frame */
  guint          full;      /* number of frames at which frames that cannot affect later results are
                             * removed next */
  GilkSpanCounts counts;
};

GilkSpans *
gilk_spans_new (const GArray *gaps)
{
  GilkSpans *spans = g_new0 (GilkSpans, 1);

  spans->gaps = gaps;
  spans->frames = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, g_free);
  spans->full = FRAMES_MIN;

  return spans;
}

void
gilk_spans_free (GilkSpans *spans)
{
  if (spans == NULL)
    return;
  g_hash_table_unref (spans->frames);
  g_free (spans);
}

static gboolean
is_cut (const GilkSpans *spans, double from_ns, double to_ns)
{
  return gilk_gaps_touch (spans->gaps, from_ns / 1e9, to_ns / 1e9);
}

/* Measures the call between an entry and the exit that follows in the same frame. */
static gboolean
measure_call (GilkSpans *spans, const Frame *entry, const GilkSpanMark *exit, uint64_t *ns)
{
  double cost = (entry->cost_ns + exit->cost_ns) / 2;
  double left = (double) (exit->t_ns - entry->before_ns) - cost;

  if (is_cut (spans, (double) entry->before_ns, (double) exit->t_ns))
    {
      spans->counts.cut++;
      return FALSE;
    }
  spans->counts.calls++;
  spans->counts.clamped += cost > 0 && left < 0;
  *ns = cost > 0 ? (uint64_t) rint (MAX (left, 0.0)) : (uint64_t) (exit->t_ns - entry->before_ns);

  return TRUE;
}

static void
count_open (GilkSpans *spans, const Frame *entry, double until_ns)
{
  if (is_cut (spans, (double) entry->before_ns, until_ns))
    spans->counts.cut++;
  else
    spans->counts.open++;
}

/*
 * Returns whether a frame can be forgotten without any effect on later exits. In a known frame
 * without a call in progress, an exit is cut if there is a gap after the frame's last mark, else
 * stray. In a forgotten frame, an exit is cut if there is any earlier gap, else stray. So a frame
 * can be forgotten if there is a gap after its last mark, or no gap before that mark.
 */
static gboolean
is_frame_irrelevant (gpointer key, gpointer value, gpointer data)
{
  const Frame *frame = value;
  const struct { const GilkSpans *spans; double now_ns; } *at = data;

  (void) key;
  return !frame->is_open && (!is_cut (at->spans, -INFINITY, (double) frame->before_ns) ||
                             is_cut (at->spans, (double) frame->before_ns, at->now_ns));
}

static Frame *
add_frame (GilkSpans *spans, const GilkSpanMark *mark)
{
  Frame *frame = g_new0 (Frame, 1);

  if (g_hash_table_size (spans->frames) >= spans->full)
    {
      const struct { const GilkSpans *spans; double now_ns; } at = { spans, (double) mark->t_ns };

      g_hash_table_foreach_remove (spans->frames, is_frame_irrelevant, (gpointer) &at);
      spans->full = MAX (FRAMES_MIN, 2 * g_hash_table_size (spans->frames));
    }
  frame->frame = mark->frame;
  g_hash_table_insert (spans->frames, &frame->frame, frame);

  return frame;
}

gboolean
gilk_spans_add (GilkSpans          *spans,
                const GilkSpanMark *mark,
                uint64_t           *ns)
{
  Frame *frame = g_hash_table_lookup (spans->frames, &mark->frame);
  gboolean paired = FALSE;

  if (frame != NULL && frame->is_open && mark->is_exit)
    paired = measure_call (spans, frame, mark, ns);
  else
    {
      if (frame != NULL && frame->is_open)
        count_open (spans, frame, (double) mark->t_ns);
      if (mark->is_exit && is_cut (spans, frame != NULL ? (double) frame->before_ns : -INFINITY, (double) mark->t_ns))
        spans->counts.cut++;
      else
        spans->counts.stray += mark->is_exit != FALSE;
    }
  if (frame == NULL)
    frame = add_frame (spans, mark);
  frame->before_ns = mark->t_ns;
  frame->is_open = !mark->is_exit;
  frame->cost_ns = mark->cost_ns;

  return paired;
}

GilkSpanCounts
gilk_spans_end (GilkSpans *spans)
{
  GHashTableIter iter;
  gpointer frame;

  g_hash_table_iter_init (&iter, spans->frames);
  while (g_hash_table_iter_next (&iter, NULL, &frame))
    if (((const Frame *) frame)->is_open)
      count_open (spans, frame, INFINITY);
  g_hash_table_remove_all (spans->frames);

  return spans->counts;
}

/*
 * Finds the nesting of calls, from span samples (at entries and exits) in order of time.
 *
 * A stack is a list of calls, the outermost first, in descending order of frames. An entry ends
 * all calls at its own frame or a lower one: their exits are missing. An exit ends its own call,
 * and all calls at lower frames: the exits of these inner calls are missing.
 */

/* More stacks than there are tasks, and more calls than fit on one stack: only a malicious file
 * reaches these limits. */
#define STACKS_MAX (1u << 18)
#define DEPTH_MAX  512

typedef struct {
  GilkCallMark entry;
  uint64_t     inner_ns;
} Open;

typedef struct {
  uint64_t key;                 /* key in the hash table: frame / GILK_CALLS_STACK_BYTES */
  GArray  *open;                /* Open */
} Stack;

struct _GilkCalls {
  GilkCallsHandler handler;
  gpointer         data;
  const GPtrArray *gaps;
  GHashTable      *stacks;      /* table from Stack.key to its Stack */
  GArray          *outer;       /* (element-type guint): functions of the calls that enclose the
                                 * ending call, and of that call */
  gboolean         full;        /* no more stacks are made, because STACKS_MAX was reached and few
                                 * stacks could be freed */
};

static void
stack_free (gpointer data)
{
  Stack *stack = data;

  g_array_unref (stack->open);
  g_free (stack);
}

GilkCalls *
gilk_calls_new (const GilkCallsHandler *handler,
                gpointer                data,
                const GPtrArray        *gaps)
{
  GilkCalls *calls = g_new0 (GilkCalls, 1);

  calls->handler = *handler;
  calls->data = data;
  calls->gaps = gaps;
  calls->stacks = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, stack_free);
  calls->outer = g_array_new (FALSE, FALSE, sizeof (guint));

  return calls;
}

void
gilk_calls_free (GilkCalls *calls)
{
  if (calls == NULL)
    return;
  g_hash_table_unref (calls->stacks);
  g_array_unref (calls->outer);
  g_free (calls);
}

static gboolean
is_idle (gpointer key, gpointer stack, gpointer data)
{
  return ((const Stack *) stack)->open->len == 0;
}

/* Returns the stack that contains @frame, creating it if necessary; NULL if there are too many
 * stacks. */
static Stack *
ensure_stack (GilkCalls *calls, uint64_t frame)
{
  uint64_t key = frame / GILK_CALLS_STACK_BYTES;
  Stack *stack = g_hash_table_lookup (calls->stacks, &key);

  if (stack != NULL || calls->full)
    return stack;
  if (g_hash_table_size (calls->stacks) >= STACKS_MAX)
    {
      calls->full = g_hash_table_foreach_remove (calls->stacks, is_idle, NULL) < STACKS_MAX / 2;
      if (calls->full)
        return NULL;
    }
  stack = g_new0 (Stack, 1);
  stack->key = key;
  stack->open = g_array_new (FALSE, FALSE, sizeof (Open));
  g_hash_table_insert (calls->stacks, &stack->key, stack);

  return stack;
}

static Open *
get_innermost (const Stack *stack)
{
  return stack->open->len > 0 ? &g_array_index (stack->open, Open, stack->open->len - 1) : NULL;
}

static gboolean
is_call_cut (const GilkCalls *calls, guint function, double from_ns, double to_ns)
{
  return calls->gaps != NULL && function < calls->gaps->len &&
         gilk_gaps_touch (calls->gaps->pdata[function], from_ns / 1e9, to_ns / 1e9);
}

/* Ends the innermost call. @exit: (nullable): NULL if the exit is missing */
static void
end_innermost (GilkCalls *calls, Stack *stack, const GilkCallMark *exit, GilkCallEnd end, gint64 now_ns)
{
  const Open *open = get_innermost (stack);
  GilkCall call = {
    .entry = open->entry, .has_exit = exit != NULL, .end = end, .depth = stack->open->len - 1,
    .inner_ns = open->inner_ns,
  };

  if (exit != NULL)
    call.exit = *exit;
  g_array_set_size (calls->outer, 0);
  for (guint i = 0; i < stack->open->len; i++)
    g_array_append_val (calls->outer, g_array_index (stack->open, Open, i).entry.function);
  call.outer = (const guint *) (const void *) calls->outer->data;
  g_array_set_size (stack->open, call.depth);
  if (end == GILK_CALL_PAIRED && stack->open->len > 0)
    get_innermost (stack)->inner_ns += (uint64_t) exit->t_ns - (uint64_t) call.entry.t_ns;
  calls->handler.end (&call, now_ns, calls->data);
}

static void
begin_call (GilkCalls *calls, Stack *stack, const GilkCallMark *entry)
{
  const Open open = { *entry, 0 };

  if (stack->open->len >= DEPTH_MAX)
    end_innermost (calls, stack, NULL, GILK_CALL_CUT, entry->t_ns);
  g_array_append_val (stack->open, open);
  if (calls->handler.begin != NULL)
    calls->handler.begin (entry, stack->open->len - 1, calls->data);
}

void
gilk_calls_add (GilkCalls          *calls,
                const GilkCallMark *mark)
{
  Stack *stack = ensure_stack (calls, mark->frame);
  const Open *open;

  while (stack != NULL && (open = get_innermost (stack)) != NULL &&
         (open->entry.frame < mark->frame || (open->entry.frame == mark->frame &&
          (!mark->is_exit || open->entry.function != mark->function))))
    end_innermost (calls, stack, NULL, GILK_CALL_CUT, mark->t_ns);

  open = stack != NULL ? get_innermost (stack) : NULL;
  if (stack != NULL && !mark->is_exit)
    begin_call (calls, stack, mark);
  else if (open != NULL && open->entry.frame == mark->frame)
    end_innermost (calls, stack, mark,
                   is_call_cut (calls, mark->function, (double) open->entry.t_ns, (double) mark->t_ns)
                   ? GILK_CALL_CUT : GILK_CALL_PAIRED, mark->t_ns);
  else if (mark->is_exit && calls->handler.stray != NULL)
    calls->handler.stray (mark, calls->data);
}

void
gilk_calls_end (GilkCalls *calls)
{
  GHashTableIter iter;
  gpointer stack;

  g_hash_table_iter_init (&iter, calls->stacks);
  while (g_hash_table_iter_next (&iter, NULL, &stack))
    while (((Stack *) stack)->open->len > 0)
      end_innermost (calls, stack, NULL, GILK_CALL_OPEN, G_MAXINT64);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-span.c - computes durations of calls, from samples at a function's entry and exits
 *
 * Frames are tracked separately. Nothing is guessed: an entry after an entry leaves the first one
 * open, an exit after an exit is stray.
 */
#include "core/stats/gilk-span.h"

#include <math.h>

#define FRAMES_MIN 1024     /* minimum number of frames at which irrelevant frames are removed */

typedef struct {
  uint64_t frame;
  gint64   before_ns;       /* time of the frame's last mark */
  gboolean is_open;         /* the last mark is an entry */
  double   cost_ns;         /* cost_ns of the frame's last mark */
} Frame;

struct _GilkSpans {
  const GArray  *gaps;
  GHashTable    *frames;    /* Frame.frame -> Frame */
  guint          full;      /* number of frames at which irrelevant frames are removed */
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
 * In a frame without a call in progress, an exit is cut if there is a gap after the frame's last
 * mark, else stray. In an unknown frame, an exit is cut if there is any earlier gap, else stray.
 * So a frame can be forgotten if there is a gap after its last mark, or no gap before that mark.
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

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-samples-merge.c - merges parts (each has the samples of one chunk, ordered by time) into one
 * sequence
 *
 * Chunks are opened in order of their earliest time. Each step chooses a time that is not later
 * than the start of the next unopened chunk. The samples of an open part that are earlier than this
 * time are a sorted run, as in a merge sort. Neighbouring sorted runs are merged in pairs, so that
 * samples of equal time stay in order of their CPU.
 */
#include "core/samples/gilk-samples-private.h"

#include <string.h>

#include "core/base/gilk-array.h"
#include "core/base/gilk-error.h"
#include "core/base/gilk-memory.h"

#define BLOCK_SAMPLES 8192    /* approximate number of samples that are merged at a time */
#define SHARE_MIN     64      /* minimum number of samples taken from a part, however many parts are
                               * open */

typedef struct {
  const GilkSamplePart *part;
  guint                 from, n;
} Run;

/* Times of the samples to merge: at first one sorted run after the other, in the end all sorted. */
typedef struct {
  gint64   *t_ns;
  uint32_t *at;               /* index of each sample before it was merged; unused if only times are
                               * requested */
} Keys;

typedef struct _GilkSamplesMerge {
  GArray         *runs;       /* Run */
  GArray         *bounds;     /* (element-type guint): index in @keys where each sorted run
                               * starts */
  Keys            keys, spare;
  gint64         *taken;      /* a column's values, one sorted run after the other */
  GilkSamplePart *out;
  gpointer       *shown;      /* pointers into a part's columns, to return a sorted run without
                               * copying it */
  guint           room;       /* capacity of the arrays, in samples */
} Merge;

static Merge *
merge_new (const GilkSamples *samples)
{
  Merge *merge = g_new0 (Merge, 1);

  merge->runs = g_array_new (FALSE, FALSE, sizeof (Run));
  merge->bounds = g_array_new (FALSE, FALSE, sizeof (guint));
  merge->shown = g_new0 (gpointer, 3 * (samples->wanted->len + 1));

  return merge;
}

void
gilk_samples_merge_free (Merge             *merge,
                         const GilkSamples *samples)
{
  if (merge == NULL)
    return;
  gilk_sample_part_free (samples, merge->out);
  g_array_unref (merge->runs);
  g_array_unref (merge->bounds);
  gilk_free_all (merge->keys.t_ns, merge->keys.at, merge->spare.t_ns, merge->spare.at, merge->taken,
                 merge->shown, merge);
}

static void
make_room (GilkSamples *samples, guint n)
{
  Merge *merge = samples->merge;

  if (n <= merge->room)
    return;
  merge->room = n;
  gilk_sample_part_free (samples, merge->out);
  merge->out = gilk_sample_part_new (samples, n);
  merge->keys.t_ns = g_renew (gint64, merge->keys.t_ns, n);
  merge->keys.at = g_renew (uint32_t, merge->keys.at, n);
  merge->spare.t_ns = g_renew (gint64, merge->spare.t_ns, n);
  merge->spare.at = g_renew (uint32_t, merge->spare.at, n);
  merge->taken = g_renew (gint64, merge->taken, n);
}

/* ---- open parts ---- */

static void
add_part (GPtrArray *open, GilkSamplePart *part)
{
  guint i = open->len;

  while (i > 0 && ((const GilkSamplePart *) open->pdata[i - 1])->first_cpu > part->first_cpu)
    i--;
  g_ptr_array_insert (open, (int) i, part);
}

/* Returns the open part (a chunk whose samples are being merged) whose next sample is the
 * earliest. */
static GilkSamplePart *
find_first_part (const GPtrArray *open)
{
  GilkSamplePart *first = open->pdata[0];

  for (guint i = 1; i < open->len; i++)
    {
      GilkSamplePart *part = open->pdata[i];

      if (part->t_ns[part->at] < first->t_ns[first->at])
        first = part;
    }

  return first;
}

/* Opens all chunks that may hold the next sample in order of time. */
static gboolean
open_parts (GilkSamples *samples, GError **error)
{
  gint64 first_ns = G_MAXINT64;

  if (samples->open->len > 0)
    {
      const GilkSamplePart *first = find_first_part (samples->open);

      first_ns = first->t_ns[first->at];
    }
  while (samples->has_next && (samples->open->len == 0 || samples->next_ns <= first_ns))
    {
      g_autoptr(GError) local = NULL;
      GilkSamplePart *part = gilk_samples_read_part (samples, &local);

      if (!gilk_check_end (&local, error))
        return FALSE;
      if (part == NULL)
        continue;
      add_part (samples->open, part);
      first_ns = MIN (first_ns, part->t_ns[0]);
    }

  return TRUE;
}

/* Moves finished parts to samples->spent: the returned block of samples may still refer to them. */
static void
close_parts (GilkSamples *samples)
{
  guint left = 0;

  for (guint i = 0; i < samples->open->len; i++)
    {
      GilkSamplePart *part = samples->open->pdata[i];

      if (part->at < part->n)
        samples->open->pdata[left++] = part;
      else
        g_ptr_array_add (samples->spent, part);
    }
  g_ptr_array_set_size (samples->open, (int) left);
}

/* ---- sorted runs ---- */

/* Returns the latest time for which two conditions hold: no unopened chunk has earlier samples, and
 * no open part has more than @share earlier samples left. */
static gint64
find_horizon (const GilkSamples *samples, guint share)
{
  gint64 horizon = samples->has_next ? samples->next_ns : G_MAXINT64;

  for (guint i = 0; i < samples->open->len; i++)
    {
      const GilkSamplePart *part = samples->open->pdata[i];

      if (part->n - part->at > share)
        horizon = MIN (horizon, part->t_ns[part->at + share]);
    }

  return horizon;
}

/* Returns how many of a part's remaining samples are before @horizon. */
static guint
count_before (const GilkSamplePart *part, gint64 horizon)
{
  return GILK_BISECT (part->n - part->at, i, part->t_ns[part->at + i] < horizon);
}

static void
add_run (Merge *merge, GilkSamplePart *part, guint n)
{
  const Run run = { part, part->at, n };

  if (n == 0)
    return;
  g_array_append_val (merge->runs, run);
  part->at += n;
}

/* Takes, as a sorted run, all samples that one part has at the earliest time. If several parts have
 * samples at that time, takes them from the first of these parts. */
static void
add_equal_run (GilkSamples *samples)
{
  GilkSamplePart *part = find_first_part (samples->open);
  guint n = 1;

  while (part->at + n < part->n && part->t_ns[part->at + n] == part->t_ns[part->at])
    n++;
  add_run (samples->merge, part, n);
}

/* Takes at least one sorted run from the open parts, of which there must be one or more. */
static void
add_runs (GilkSamples *samples)
{
  guint n = samples->open->len, share = n > 1 ? MAX (SHARE_MIN, BLOCK_SAMPLES / n) : G_MAXUINT;
  gint64 horizon = find_horizon (samples, share);

  g_array_set_size (samples->merge->runs, 0);
  for (guint i = 0; i < n; i++)
    add_run (samples->merge, samples->open->pdata[i],
             count_before (samples->open->pdata[i], horizon));
  if (samples->merge->runs->len == 0)
    add_equal_run (samples);
}

/* ---- merging ---- */

/* Merges the sorted runs [@begin, @middle) and [@middle, @end). No branch depends on the data,
 * which are random: one misprediction costs more than computing both results. */
static inline void
merge_pair (const Keys *keys, guint begin, guint middle, guint end, const Keys *out, gboolean with_at)
{
  const gint64 *t_ns = keys->t_ns;
  guint a = begin, b = middle, to = begin;

  while (a < middle && b < end)
    {
      gint64 x = t_ns[a], y = t_ns[b];
      guint second = y < x;

      out->t_ns[to] = second ? y : x;
      if (with_at)
        out->at[to] = keys->at[second ? b : a];
      to++;
      b += second;
      a += 1 - second;
    }
  if (a == middle)
    {
      a = b;
      middle = end;
    }
  memcpy (out->t_ns + to, t_ns + a, (middle - a) * sizeof *t_ns);
  if (with_at)
    memcpy (out->at + to, keys->at + a, (middle - a) * sizeof *keys->at);
}

static gboolean
has_times_only (const GilkSamples *samples)
{
  return samples->bare && samples->wanted->len == 0;
}

/* Merges neighbouring sorted runs in pairs, which halves their number. */
static void
merge_round (const GilkSamples *samples)
{
  Merge *merge = samples->merge;
  guint *bounds = (guint *) (void *) merge->bounds->data, n = merge->bounds->len - 1, left = 0;
  const Keys keys = merge->keys;

  for (guint r = 0; r < n; r += 2)
    {
      guint begin = bounds[r], middle = bounds[r + 1], end = r + 2 <= n ? bounds[r + 2] : middle;

      if (has_times_only (samples))
        merge_pair (&keys, begin, middle, end, &merge->spare, FALSE);
      else
        merge_pair (&keys, begin, middle, end, &merge->spare, TRUE);
      bounds[left++] = begin;
    }
  bounds[left++] = bounds[n];
  g_array_set_size (merge->bounds, left);
  merge->keys = merge->spare;
  merge->spare = keys;
}

/* Lists the times of all sorted runs as keys. Returns the number of samples. */
static guint
list_keys (GilkSamples *samples)
{
  Merge *merge = samples->merge;
  guint n = 0;

  g_array_set_size (merge->bounds, 0);
  for (guint r = 0; r < merge->runs->len; r++)
    {
      g_array_append_val (merge->bounds, n);
      n += g_array_index (merge->runs, Run, r).n;
    }
  g_array_append_val (merge->bounds, n);
  make_room (samples, n);
  for (guint r = 0, at = 0; r < merge->runs->len; r++)
    {
      const Run *run = &g_array_index (merge->runs, Run, r);

      memcpy (merge->keys.t_ns + at, run->part->t_ns + run->from, run->n * sizeof (gint64));
      for (guint i = 0; i < run->n; i++)
        merge->keys.at[at + i] = at + i;
      at += run->n;
    }

  return n;
}

/* ---- columns ---- */

/* Copies column COLUMN, of type TYPE, of all sorted runs to their positions in the output. */
#define MOVE_COLUMN(merge, TYPE, COLUMN) \
  do \
    { \
      TYPE *taken = (TYPE *) (void *) (merge)->taken; \
      guint at = 0; \
\
      for (guint r = 0; r < (merge)->runs->len; r++) \
        { \
          const Run *run = &g_array_index ((merge)->runs, Run, r); \
\
          memcpy (taken + at, run->part->COLUMN + run->from, run->n * sizeof *taken); \
          at += run->n; \
        } \
      for (guint i = 0; i < (merge)->out->n; i++) \
        (merge)->out->COLUMN[i] = taken[(merge)->keys.at[i]]; \
    } \
  while (0)

static void
move_missing (Merge *merge, guint w)
{
  uint8_t *taken = (uint8_t *) merge->taken;
  gboolean any = FALSE;
  guint at = 0;

  g_clear_pointer (&merge->out->missing[w], g_free);
  for (guint r = 0; r < merge->runs->len; r++)
    {
      const Run *run = &g_array_index (merge->runs, Run, r);

      if (run->part->missing[w] != NULL)
        memcpy (taken + at, run->part->missing[w] + run->from, run->n);
      else
        memset (taken + at, 0, run->n);
      any |= run->part->missing[w] != NULL;
      at += run->n;
    }
  if (!any)
    return;
  merge->out->missing[w] = g_malloc (merge->room);
  for (guint i = 0; i < merge->out->n; i++)
    merge->out->missing[w][i] = taken[merge->keys.at[i]];
}

static void
move_columns (GilkSamples *samples)
{
  Merge *merge = samples->merge;

  if (!samples->bare)
    {
      MOVE_COLUMN (merge, gint64, hook);
      MOVE_COLUMN (merge, uint32_t, cpu);
    }
  for (guint w = 0; w < samples->wanted->len; w++)
    {
      if (merge->out->values[w] != NULL)
        MOVE_COLUMN (merge, gint64, values[w]);
      else
        MOVE_COLUMN (merge, const char *, texts[w]);
      move_missing (merge, w);
    }
}

/* ---- blocks ---- */

/* Returns a single sorted run as a block, without copying it. */
static void
show_run (const GilkSamples *samples, const Run *run, GilkSampleBlock *block)
{
  guint width = samples->wanted->len;
  gpointer *values = samples->merge->shown, *texts = values + width, *missing = texts + width;
  const GilkSamplePart *part = run->part;

  for (guint w = 0; w < width; w++)
    {
      values[w] = part->values[w] != NULL ? part->values[w] + run->from : NULL;
      texts[w] = part->texts[w] != NULL ? part->texts[w] + run->from : NULL;
      missing[w] = part->missing[w] != NULL ? part->missing[w] + run->from : NULL;
    }
  *block = (GilkSampleBlock) {
    .n = run->n, .t_ns = part->t_ns + run->from,
    .hook = samples->bare ? NULL : part->hook + run->from,
    .cpu = samples->bare ? NULL : part->cpu + run->from, .values = (const gint64 *const *) values,
    .texts = (const char *const *const *) texts, .missing = (const uint8_t *const *) missing,
  };
}

static void
show_runs (GilkSamples *samples, GilkSampleBlock *block)
{
  Merge *merge = samples->merge;
  guint n = list_keys (samples);

  while (merge->bounds->len > 2)
    merge_round (samples);
  merge->out->n = n;
  move_columns (samples);
  gilk_sample_part_show (merge->out, block);
  block->t_ns = merge->keys.t_ns;
}

gboolean
gilk_samples_merge (GilkSamples     *samples,
                    GilkSampleBlock *block,
                    GError         **error)
{
  if (samples->merge == NULL)
    samples->merge = merge_new (samples);
  if (!open_parts (samples, error) || samples->open->len == 0)
    return FALSE;
  add_runs (samples);
  if (samples->merge->runs->len == 1)
    show_run (samples, &g_array_index (samples->merge->runs, Run, 0), block);
  else
    show_runs (samples, block);
  close_parts (samples);

  return TRUE;
}

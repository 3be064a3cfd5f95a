/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-samples-private.h - the parts that a cursor merges, and how they are read
 */
#pragma once

#include "core/pack/gilk-column.h"
#include "core/samples/gilk-samples.h"
#include "core/store/gilk-sql.h"
#include "core/store/gilk-store-chunk.h"

/* A part: samples of one chunk, read from the file; ordered by time if the cursor is ordered. */
typedef struct {
  guint      n, at;               /* number of samples in the part; index of the next sample to
                                   * return */
  guint      serial;              /* number of the part, in the order in which parts were read */
  guint      first_cpu;
  gint64    *t_ns, *hook;         /* columns; NULL: the column was not requested */
  uint32_t  *cpu;
  gint64   **values;              /* indexed by requested field; @texts has the values of text
                                   * fields */
  const char ***texts;
  uint8_t  **missing;
  GPtrArray *dictionaries;        /* arrays that own the strings of @texts */
} GilkSamplePart;

struct _GilkSamples {
  GilkStore *store;
  gint64     run, instrument;
  char      *name;                /* name of the instrument */
  GArray    *fields;              /* (element-type GilkStoredField): fields of the instrument */
  GArray    *hooks;               /* gint64, ascending */
  gint64     from_ns, to_ns;
  gboolean   ordered, bare;       /* @ordered: samples are ordered by time; @bare: returned blocks
                                   * of samples have no hook, CPU and time */
  gboolean   timed;               /* blocks of samples have times even if @bare is set */
  GArray    *wanted;              /* (element-type guint): indices of requested fields */
  GArray    *conditions;          /* (element-type GilkSampleCondition): conditions that are not on
                                   * intervals */
  GArray    *on_intervals;        /* (element-type GilkSampleCondition): conditions on the time
                                   * since the previous sample */

  gboolean       begun, ended;
  sqlite3_stmt  *list;            /* SQL statement that lists chunks (stored batches of samples) by
                                   * time */
  sqlite3_stmt  *column;
  GilkCodec     *codec;           /* decompresses columns; NULL until first used */
  gboolean       begun_list;
  gboolean       has_next;        /* the chunk at the list's current row has not been read yet */
  gint64         next_ns;         /* earliest time of the next chunk */
  guint          serial;
  GPtrArray     *open;            /* (element-type GilkSamplePart): parts being merged, sorted by
                                   * CPU and serial: gilk-samples-merge.c */
  GPtrArray     *spent;           /* parts that the last returned block of samples refers to */
  struct _GilkSamplesMerge *merge;
  struct _GilkSamplesIntervals *intervals;
};

GilkSamplePart *gilk_sample_part_new  (const GilkSamples *samples, guint n);
void            gilk_sample_part_free (const GilkSamples *samples, GilkSamplePart *part);

void            gilk_sample_part_show (const GilkSamplePart *part, GilkSampleBlock *block);

/* Moves the list of chunks to its next row, whose first column is a time, or to the end. Fails
 * unless the times ascend: the order comes from an index in the file, which is untrusted. */
gboolean        gilk_samples_step       (GilkSamples *samples, GError **error);

/* Lists the chunks to read. Must be called before the first part is read, after all requests for
 * fields and conditions. */
gboolean        gilk_samples_begin      (GilkSamples *samples, GError **error);
/* Returns the samples of the next chunk (a stored batch). Returns NULL if all chunks were read, if
 * @error is set, or if no sample of the chunk meets the conditions. */
GilkSamplePart *gilk_samples_read_part (GilkSamples *samples, GError **error);
/* Works like gilk_samples_next(), but returns samples in order of time. */
gboolean        gilk_samples_merge      (GilkSamples *samples, GilkSampleBlock *block, GError **error);
void            gilk_samples_merge_free (struct _GilkSamplesMerge *merge, const GilkSamples *samples);

gboolean gilk_samples_wants_hook    (const GilkSamples *samples, gint64 hook);
/* Returns the index of hook id @hook in the cursor's sorted hooks, or where it would be
 * inserted. */
guint    gilk_samples_hook_position (const GilkSamples *samples, gint64 hook);

/* Removes from @block the samples that do not meet the conditions on intervals, the times since the
 * previous sample. Must be called for all blocks, in order of time. Returns FALSE if no sample is
 * left. */
gboolean gilk_samples_meet_intervals (GilkSamples *samples, GilkSampleBlock *block);
void     gilk_samples_intervals_free (struct _GilkSamplesIntervals *intervals, const GilkSamples *samples);

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-samples-private.h - the parts that a cursor merges, and where they come from
 */
#pragma once

#include "core/store/gilk-samples.h"
#include "core/store/gilk-store-private.h"

typedef struct {
  char *name, *unit, *column;     /* column: in a table */
  char *meaning;                  /* (nullable) gilk-store-names.h */
  guint type;
} GilkSampleField;

/* Samples that were read, in order of time if the cursor is. */
typedef struct {
  guint      n, at;               /* at: the next one */
  guint      serial;              /* which came first */
  guint      first_cpu;
  gint64    *t_ns, *hook;         /* NULL: not asked for */
  uint32_t  *cpu;
  gint64   **values;              /* by field asked for; also which text */
  const char ***texts;
  uint8_t  **missing;
  GPtrArray *dictionaries;        /* GPtrArrays of what texts point to */
} GilkSamplePart;

typedef struct {
  int         field;              /* of the instrument; or one of these */
#define GILK_CONDITION_CPU  (-1)
#define GILK_CONDITION_TIME (-2)
#define GILK_CONDITION_INTERVAL (-3)
  enum { GILK_IS, GILK_IS_NOT, GILK_BELOW, GILK_AT_MOST, GILK_ABOVE, GILK_AT_LEAST } relation;
  long double number;             /* holds each 64-bit integer */
  char       *text;               /* of a text */
} GilkSampleCondition;

struct _GilkSamples {
  GilkStore *store;
  gint64     run, instrument;
  char      *name;                /* of the instrument */
  char      *table;               /* NULL: they are in chunks */
  GArray    *fields;              /* GilkSampleField, of the instrument */
  GArray    *hooks;               /* gint64, ascending */
  gint64     from_ns, to_ns;
  gboolean   ordered, bare;       /* bare: no hooks and CPUs, and no times */
  gboolean   timed;               /* but these */
  GArray    *wanted;              /* guint, of fields */
  GArray    *conditions;          /* GilkSampleCondition */
  GArray    *on_intervals;        /* GilkSampleCondition, of the time since the sample before, nanoseconds */

  gboolean       begun, ended;
  sqlite3_stmt  *list;            /* chunks by time, or rows */
  sqlite3_stmt  *column;
  GilkCodec     *codec;           /* NULL: not yet needed */
  gboolean       begun_list;
  gboolean       has_next;        /* the chunk that list stands at is yet to be read */
  gint64         next_ns;         /* and its earliest time */
  guint          serial;
  GPtrArray     *open;            /* GilkSamplePart, by CPU and serial: gilk-samples-merge.c */
  GPtrArray     *spent;           /* those that the last block refers to */
  struct _GilkSamplesMerge *merge;
  struct _GilkSamplesIntervals *intervals;
};

GilkSamplePart *gilk_sample_part_new  (const GilkSamples *samples, guint n);
void            gilk_sample_part_free (const GilkSamples *samples, GilkSamplePart *part);

void            gilk_sample_part_show (const GilkSamplePart *part, GilkSampleBlock *block);

/* The list stands at its next row, whose first column is a time, or at the end. @by_time: times
 * ascend, or that is an error: they do if an index is right, and that is a stranger's. */
gboolean        gilk_samples_step       (GilkSamples *samples, gboolean by_time, GError **error);

/* Before the first part. */
gboolean        gilk_samples_begin      (GilkSamples *samples, GError **error);
/* The next part, from wherever they come; NULL at the end, or with @error, or if of the next
 * samples none is asked for. */
GilkSamplePart *gilk_samples_read_part (GilkSamples *samples, GError **error);
/* As gilk_samples_next(), by time. */
gboolean        gilk_samples_merge      (GilkSamples *samples, GilkSampleBlock *block, GError **error);
void            gilk_samples_merge_free (struct _GilkSamplesMerge *merge, const GilkSamples *samples);

/* The next part that has something in it; NULL at the end, or with @error. */
GilkSamplePart *gilk_samples_read_chunk (GilkSamples *samples, GError **error);
gboolean        gilk_samples_list_chunks (GilkSamples *samples, GError **error);
/* The same of a table of a version before 4. */
GilkSamplePart *gilk_samples_read_rows  (GilkSamples *samples, GError **error);
gboolean        gilk_samples_list_rows  (GilkSamples *samples, GError **error);

gboolean gilk_samples_wants_hook      (const GilkSamples *samples, gint64 hook);
/* Where it is in the list of hooks, or would be. */
guint    gilk_samples_hook_place      (const GilkSamples *samples, gint64 hook);

/* Leaves of @block, the next one by time, the samples that meet conditions on the time since the one before: gilk-samples-interval.c.
 * FALSE: none does. */
gboolean gilk_samples_meet_intervals  (GilkSamples *samples, GilkSampleBlock *block);
void     gilk_samples_intervals_free  (struct _GilkSamplesIntervals *intervals, const GilkSamples *samples);

/* Of gilk-samples-sql.c; its data is a GilkStore, to read. */
extern const sqlite3_module gilk_samples_module;

/* Conditions: gilk-samples-filter.c */
/* @fields: GilkSampleField, of the instrument. What @text says is added to @conditions, which clears them. */
gboolean gilk_sample_conditions_parse (const GArray *fields, const char *text, GArray *conditions, GError **error);
void     gilk_sample_condition_clear  (gpointer condition);
/* Takes those out of @chosen (indices, @n of them) whose number is not as it should be. */
guint    gilk_sample_condition_keep   (const GilkSampleCondition *condition, guint type,
                                       const gint64 *values, guint *chosen, guint n);
gboolean gilk_sample_condition_holds  (const GilkSampleCondition *condition, guint type,
                                       gint64 value);
gboolean gilk_sample_condition_fits   (const GilkSampleCondition *condition, const char *text);

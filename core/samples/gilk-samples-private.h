/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-samples-private.h - the parts that a cursor merges, and how they are read
 */
#pragma once

#include "core/samples/gilk-samples.h"
#include "core/store/gilk-store-private.h"

typedef struct {
  char *name, *unit, *column;     /* column: its name in SQL */
  char *meaning;                  /* (nullable) gilk-store-names.h */
  guint type;
} GilkSampleField;

/* Samples read from the file; ordered by time if the cursor is ordered. */
typedef struct {
  guint      n, at;               /* at: index of the next sample to return */
  guint      serial;              /* number of the part in order of reading */
  guint      first_cpu;
  gint64    *t_ns, *hook;         /* NULL if not requested */
  uint32_t  *cpu;
  gint64   **values;              /* indexed by requested field; for texts see @texts */
  const char ***texts;
  uint8_t  **missing;
  GPtrArray *dictionaries;        /* GPtrArrays that own the strings of @texts */
} GilkSamplePart;

typedef struct {
  int         field;              /* index of an instrument's field, or one of: */
#define GILK_CONDITION_CPU  (-1)
#define GILK_CONDITION_TIME (-2)
#define GILK_CONDITION_INTERVAL (-3)
  enum { GILK_IS, GILK_IS_NOT, GILK_BELOW, GILK_AT_MOST, GILK_ABOVE, GILK_AT_LEAST } relation;
  long double number;             /* long double holds any 64-bit integer exactly */
  char       *text;               /* value for a text field */
} GilkSampleCondition;

struct _GilkSamples {
  GilkStore *store;
  gint64     run, instrument;
  char      *name;                /* name of the instrument */
  GArray    *fields;              /* GilkSampleField: fields of the instrument */
  GArray    *hooks;               /* gint64: hook ids, ascending */
  gint64     from_ns, to_ns;
  gboolean   ordered, bare;       /* bare: blocks have no hook, CPU or time */
  gboolean   timed;               /* blocks are bare but have times */
  GArray    *wanted;              /* guint: indices of requested fields */
  GArray    *conditions;          /* GilkSampleCondition */
  GArray    *on_intervals;        /* GilkSampleCondition on the time since the previous sample */

  gboolean       begun, ended;
  sqlite3_stmt  *list;            /* lists chunks by time */
  sqlite3_stmt  *column;
  GilkCodec     *codec;           /* NULL until first used */
  gboolean       begun_list;
  gboolean       has_next;        /* the chunk at the list's current row has not been read yet */
  gint64         next_ns;         /* earliest time of that chunk */
  guint          serial;
  GPtrArray     *open;            /* GilkSamplePart, by CPU and serial: gilk-samples-merge.c */
  GPtrArray     *spent;           /* parts that the last block refers to */
  struct _GilkSamplesMerge *merge;
  struct _GilkSamplesIntervals *intervals;
};

GilkSamplePart *gilk_sample_part_new  (const GilkSamples *samples, guint n);
void            gilk_sample_part_free (const GilkSamples *samples, GilkSamplePart *part);

void            gilk_sample_part_show (const GilkSamplePart *part, GilkSampleBlock *block);

/* Moves the list to its next row, whose first column is a time, or to the end. With @by_time it is
 * an error if times do not ascend: the order comes from an index of the file, which is
 * untrusted. */
gboolean        gilk_samples_step       (GilkSamples *samples, gboolean by_time, GError **error);

/* Must be called before the first part is read. */
gboolean        gilk_samples_begin      (GilkSamples *samples, GError **error);
/* Returns the next part; NULL at the end, with @error, or if the next samples
 * do not meet the conditions. */
GilkSamplePart *gilk_samples_read_part (GilkSamples *samples, GError **error);
/* Like gilk_samples_next(), in order of time. */
gboolean        gilk_samples_merge      (GilkSamples *samples, GilkSampleBlock *block, GError **error);
void            gilk_samples_merge_free (struct _GilkSamplesMerge *merge, const GilkSamples *samples);

/* Returns the selected samples of the next chunk; NULL like gilk_samples_read_part(). */
GilkSamplePart *gilk_samples_read_chunk (GilkSamples *samples, GError **error);
gboolean        gilk_samples_list_chunks (GilkSamples *samples, GError **error);

gboolean gilk_samples_wants_hook    (const GilkSamples *samples, gint64 hook);
/* Returns the index of @hook in the cursor's hooks, or where it would be inserted. */
guint    gilk_samples_hook_position (const GilkSamples *samples, gint64 hook);

/* Keeps in @block, which must be the next block in order of time, only samples that meet the
 * conditions on intervals: gilk-samples-interval.c. FALSE: no sample is left. */
gboolean gilk_samples_meet_intervals (GilkSamples *samples, GilkSampleBlock *block);
void     gilk_samples_intervals_free (struct _GilkSamplesIntervals *intervals, const GilkSamples *samples);

/* In gilk-samples-sql.c; the module's client data is a GilkStore opened for reading. */
extern const sqlite3_module gilk_samples_module;

/* Conditions: gilk-samples-filter.c */
/* Parses @text and appends to @conditions, whose clear function must be set. @fields: fields of the
 * instrument (element-type GilkSampleField). */
gboolean gilk_sample_conditions_parse (const GArray *fields, const char *text, GArray *conditions, GError **error);
void     gilk_sample_condition_clear  (gpointer condition);
/* Removes from @chosen, @n indices into @values, the indices of values that do not meet the
 * condition. Returns how many are left. */
guint    gilk_sample_condition_keep   (const GilkSampleCondition *condition, guint type,
                                       const gint64 *values, guint *chosen, guint n);
gboolean gilk_sample_condition_holds  (const GilkSampleCondition *condition, guint type,
                                       gint64 value);
gboolean gilk_sample_condition_fits   (const GilkSampleCondition *condition, const char *text);

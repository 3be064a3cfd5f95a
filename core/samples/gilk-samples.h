/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-samples.h - cursors that return samples, or readings of hit counters; all code that reads
 * samples or readings uses them
 *
 * A cursor returns, in batches, the samples that hooks of one instrument took in a time range and
 * that meet given conditions. It uses constant memory: at most a chunk or, with
 * gilk_samples_in_order(), the samples between two flushes. Columns that are not requested are not
 * read.
 *
 * Samples are ordered by their time stamps. For samples of one CPU this is their true order;
 * samples of two CPUs are in their true order if their times differ by more than order_ns of
 * gilk_store_clock(). If the TSC of a CPU is known to be ahead, its offset has been subtracted.
 *
 * Threads: only the store's thread; the store must outlive the cursor. If the store was opened with
 * a cancellable, the cursor ends soon after the cancellable is cancelled.
 */
#pragma once

#include "core/pack/gilk-column.h"
#include "core/store/gilk-store.h"

G_BEGIN_DECLS

typedef struct _GilkSamples GilkSamples;

/* A block of samples, valid until the next call. Arrays have @n elements; arrays of fields are
 * indexed by the number from gilk_samples_add_field(). */
typedef struct {
  guint           n;
  const gint64   *t_ns;                  /* times since time zero, in ns */
  const gint64   *hook;                  /* hook of each sample, as GilkStoredHook.id */
  const uint32_t *cpu;
  const gint64        *const *values;    /* values by field, in the field's ILK_FIELD_* type; NULL:
                                          * the field is a text */
  const char *const   *const *texts;     /* texts by field, UTF-8; NULL: the field is a number */
  const uint8_t       *const *missing;   /* by field: 1 for each sample that was too short for the
                                          * field; NULL: none was too short */
} GilkSampleBlock;

/**
 * gilk_samples_new:
 * @hooks: at least one hook, all of one run and instrument
 * Makes a cursor, which returns samples block by block. Fails also if the instrument does not take
 * samples.
 */
GilkSamples *gilk_samples_new  (GilkStore *store, const GilkStoredHook *hooks, guint n_hooks,
                                GError **error);
void         gilk_samples_free (GilkSamples *samples);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkSamples, gilk_samples_free)

/* The following functions must be called before the first gilk_samples_next(). */

/* Limits samples to times at or after @from_ns and before @to_ns; the default is all times. */
void     gilk_samples_set_range       (GilkSamples *samples, gint64 from_ns, gint64 to_ns);
/* Orders samples by time, then by CPU. Without this call reading is faster, but only samples of one
 * hook on one CPU keep their order. */
void     gilk_samples_in_order        (GilkSamples *samples);
/* Saves time: in the returned blocks of samples, hook and cpu are NULL, and t_ns too unless samples
 * are in order. Times are then read only if a range or condition needs them. */
void     gilk_samples_values_only     (GilkSamples *samples);
/* Requests a field. Sets @number to the field's index in the arrays of GilkSampleBlock, and @type
 * to the field's type. */
gboolean gilk_samples_add_field       (GilkSamples *samples, const char *field, guint *number,
                                       guint *type, GError **error);
/* Returns the fields of the instrument. (transfer none) (element-type GilkStoredField) */
const GArray *gilk_samples_fields     (const GilkSamples *samples);
/* Returns the meaning of a field's numbers (gilk-store-names.h); NULL: plain numbers. */
const char *gilk_samples_meaning      (const GilkSamples *samples, const char *field);
/**
 * gilk_samples_add_condition:
 * @text: FIELD == != < <= > >= VALUE, or several of these joined by "and", all of which must be
 * met. FIELD may also be cpu, time or interval (seconds). VALUE is a number or, for a text, a word
 * or "words".
 *
 * A sample that is too short for the field does not meet a condition on it. The interval of a
 * sample is the time since the previous sample of its hook that meets all other conditions; a
 * condition on it also puts samples in order of time.
 */
gboolean gilk_samples_add_condition   (GilkSamples *samples, const char *text, GError **error);
/* Returns whether @text uses the interval. If it does, a part of a range must not be read alone:
 * other samples might be selected there than when the whole range is read. */
gboolean gilk_samples_condition_has_interval (const char *text);

/* Gets the next block of samples, which has at least one sample. Returns FALSE at the end, or with
 * @error. */
gboolean gilk_samples_next            (GilkSamples *samples, GilkSampleBlock *block, GError **error);

/*
 * Parses and evaluates conditions on samples, for gilk_samples_add_condition().
 *
 * Threads: any.
 */

#define GILK_CONDITION_CPU      (-1)
#define GILK_CONDITION_TIME     (-2)
#define GILK_CONDITION_INTERVAL (-3)

typedef struct {
  int         field;              /* index of a field of the instrument, or one of
                                   * GILK_CONDITION_* */
  enum { GILK_IS, GILK_IS_NOT, GILK_BELOW, GILK_AT_MOST, GILK_ABOVE, GILK_AT_LEAST } relation;
  long double number;             /* value for a numeric field; holds any 64-bit integer exactly */
  char       *text;               /* value for a text field */
} GilkSampleCondition;

/* Parses @text and appends to @conditions, whose clear function must be set. @fields: (element-type
 * GilkStoredField), of the instrument. */
gboolean gilk_sample_conditions_parse (const GArray *fields, const char *text, GArray *conditions, GError **error);
void     gilk_sample_condition_clear  (gpointer condition);
/* Removes from @chosen the indices of values that do not meet the condition. @chosen: @n indices
 * into @values. Returns the number of indices left. */
guint    gilk_sample_condition_keep   (const GilkSampleCondition *condition, guint type,
                                       const gint64 *values, guint *chosen, guint n);
gboolean gilk_sample_condition_holds  (const GilkSampleCondition *condition, guint type,
                                       gint64 value);
gboolean gilk_sample_condition_fits   (const GilkSampleCondition *condition, const char *text);

/*
 * A cursor that returns the readings of hooks' hit counters, ordered by time, in constant
 * memory.
 *
 * A reading is the sum of a hook's counters over all CPUs, with the time when they were read. The
 * last reading of a hook is at the end of measurement, even if the counter did not change just
 * before that time, or the run ended abruptly.
 */

typedef struct _GilkReadings GilkReadings;

typedef struct {
  gint64   t_ns;                    /* time since time zero */
  guint    hook;                    /* index into @hooks of gilk_readings_new() */
  uint64_t hits;                    /* hits since the hook was armed */
} GilkReading;

/* Makes a cursor for readings at or after @from_ns and before @to_ns. @hooks: at least one hook,
 * all of one run, sorted by id */
GilkReadings *gilk_readings_new  (GilkStore *store, const GilkStoredHook *hooks, guint n_hooks,
                                  gint64 from_ns, gint64 to_ns, GError **error);
void          gilk_readings_free (GilkReadings *readings);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkReadings, gilk_readings_free)

/* Gets the next reading. Returns FALSE at the end, or with @error. */
gboolean      gilk_readings_next (GilkReadings *readings, GilkReading *reading, GError **error);

G_END_DECLS

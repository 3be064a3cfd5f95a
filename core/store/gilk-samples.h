/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-samples.h - a cursor over samples: whoever reads samples reads them here
 *
 * It gives the samples of some hooks of one instrument, in a range of time, that meet some
 * conditions, a block at a time, in constant memory: what a chunk holds, and with
 * gilk_samples_in_order() what was recorded between two flushes. A column that nobody asks
 * for is not read.
 *
 * Order is that of the times: of one CPU it is that of the samples, of two it holds beyond
 * what gilk_store_clock() tells in order_ns; counters known to be ahead are set back already.
 *
 * Threads: that of the store, which must outlive it. A store that was opened with a
 * cancellable ends it soon after that is cancelled.
 */
#pragma once

#include "core/store/gilk-store.h"

G_BEGIN_DECLS

/* Values of a field of numbers, which blocks have as 64 bits, as what they stand for. */
static inline void
gilk_sample_numbers (const gint64 *values, guint type, double *numbers, guint n)
{
  if (type == ILK_FIELD_U64 || type == ILK_FIELD_HEX64)
    for (guint i = 0; i < n; i++)
      numbers[i] = (double) (uint64_t) values[i];
  else
    for (guint i = 0; i < n; i++)
      numbers[i] = (double) values[i];
}

static inline double
gilk_sample_number (gint64 value, guint type)
{
  double number;

  gilk_sample_numbers (&value, type, &number, 1);

  return number;
}

typedef struct _GilkSamples GilkSamples;

/* Valid until the next call. Arrays have @n values; those of fields are by number, as asked. */
typedef struct {
  guint           n;
  const gint64   *t_ns;                  /* since time zero */
  const gint64   *hook;                  /* GilkStoredHook.id */
  const uint32_t *cpu;
  const gint64        *const *values;    /* of a field: as ILK_FIELD_* has it; NULL for text */
  const char *const   *const *texts;     /* of a text: UTF-8; NULL for numbers */
  const uint8_t       *const *missing;   /* 1 where the sample was too short; NULL: nowhere */
} GilkSampleBlock;

/**
 * gilk_samples_new:
 * @hooks: at least one, of one run and instrument
 * NULL with an error also if the instrument takes no samples.
 */
GilkSamples *gilk_samples_new         (GilkStore *store, const GilkStoredHook *hooks, guint n_hooks,
                                       GError **error);
void         gilk_samples_free        (GilkSamples *samples);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkSamples, gilk_samples_free)

/* Before the first block: */

/* From @from_ns on and before @to_ns; all there are by default. */
void     gilk_samples_set_range       (GilkSamples *samples, gint64 from_ns, gint64 to_ns);
/* By time, and of one time by CPU. Else a hook's samples of one CPU are as they came, and no more
 * is said: that is faster. */
void     gilk_samples_in_order        (GilkSamples *samples);
/* Blocks have no hook and cpu (NULL), and no t_ns if not in order: times are not read then, unless
 * a range or condition asks for them. */
void     gilk_samples_values_only     (GilkSamples *samples);
/* Asks for a field: its number in blocks, and its type. */
gboolean gilk_samples_add_field       (GilkSamples *samples, const char *field, guint *number,
                                       guint *type, GError **error);
/* What the numbers of a field are (gilk-store-names.h); NULL: numbers. */
const char *gilk_samples_meaning      (const GilkSamples *samples, const char *field);
/**
 * gilk_samples_add_condition:
 * @text: FIELD == != < <= > >= VALUE, where FIELD may be cpu, time or interval (seconds), too, and VALUE
 *   is a number or, for a text, a word or "words"; or several of these with "and" between them. All
 *   conditions must be met. A sample that is too short for the field does not meet it. Its interval is
 *   the time since the sample before of its hook, of those that meet all else; samples then come by time.
 */
gboolean gilk_samples_add_condition   (GilkSamples *samples, const char *text, GError **error);
/* It asks for the sample before, so that a part of the time is not read as all of it is. */
gboolean gilk_samples_condition_looks_back (const char *text);

/* TRUE with a block of at least one sample; FALSE at the end, or with @error. */
gboolean gilk_samples_next            (GilkSamples *samples, GilkSampleBlock *block, GError **error);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-samples-filter.h - parses and evaluates conditions on samples, for
 * gilk_samples_add_condition()
 *
 * Threads: any.
 */
#pragma once

#include "core/store/gilk-store.h"

G_BEGIN_DECLS

#define GILK_CONDITION_CPU      (-1)
#define GILK_CONDITION_TIME     (-2)
#define GILK_CONDITION_INTERVAL (-3)

typedef struct {
  int         field;              /* index of a field of the instrument, or GILK_CONDITION_* */
  enum { GILK_IS, GILK_IS_NOT, GILK_BELOW, GILK_AT_MOST, GILK_ABOVE, GILK_AT_LEAST } relation;
  long double number;             /* value for a numeric field; holds any 64-bit integer exactly */
  char       *text;               /* value for a text field */
} GilkSampleCondition;

/* Parses @text and appends to @conditions, whose clear function must be set. @fields: (element-type
 * GilkStoredField), of the instrument. */
gboolean gilk_sample_conditions_parse (const GArray *fields, const char *text, GArray *conditions, GError **error);
void     gilk_sample_condition_clear  (gpointer condition);
/* Removes the indices of values that do not meet the condition. @chosen: @n indices into @values.
 * Returns the number of indices left. */
guint    gilk_sample_condition_keep   (const GilkSampleCondition *condition, guint type,
                                       const gint64 *values, guint *chosen, guint n);
gboolean gilk_sample_condition_holds  (const GilkSampleCondition *condition, guint type,
                                       gint64 value);
gboolean gilk_sample_condition_fits   (const GilkSampleCondition *condition, const char *text);

G_END_DECLS

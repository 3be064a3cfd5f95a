/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-samples-view.h - table of single samples of a hook, the first ones that match a condition
 *
 * Columns are the hook's fields, and are sorted by a click on the header. An invalid condition is
 * marked in its entry. Signal "condition": the user entered another condition.
 */
#pragma once

#include <gtk/gtk.h>

#include "core/store/gilk-store.h"

G_BEGIN_DECLS

#define GILK_TYPE_SAMPLES_VIEW (gilk_samples_view_get_type ())
G_DECLARE_FINAL_TYPE (GilkSamplesView, gilk_samples_view, GILK, SAMPLES_VIEW, GtkBox)

/**
 * gilk_samples_view_show:
 * @fields: (element-type GilkStoredField): fields of the hook
 * @from: start of the selected time range, seconds of the run; NaN: all
 * @to: end of the selected time range
 * @conditions: (nullable): conditions in addition to the typed one.
 *
 * Cancels the current read and shows other samples. All arguments are copied. If @hook is NULL, the
 * table is empty.
 */
void        gilk_samples_view_show      (GilkSamplesView *self, const char *path, const GilkStoredHook *hook, const GArray *fields,
                                         double from, double to, const char *const *conditions);
/* Returns the typed condition; NULL: none. */
const char *gilk_samples_view_condition (GilkSamplesView *self);

G_END_DECLS

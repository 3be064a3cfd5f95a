/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-samples-view.h - samples of a hook one by one: a table of the first of those that meet a condition
 *
 * Columns are its fields, and sort by a click on their heads. A condition that makes no sense is said below its entry.
 * Signal "condition": another one was typed.
 */
#pragma once

#include <gtk/gtk.h>

#include "core/store/gilk-store.h"

G_BEGIN_DECLS

#define GILK_TYPE_SAMPLES_VIEW (gilk_samples_view_get_type ())
G_DECLARE_FINAL_TYPE (GilkSamplesView, gilk_samples_view, GILK, SAMPLES_VIEW, GtkBox)

/**
 * gilk_samples_view_show:
 * @fields: (element-type GilkStoredField): of the hook
 * @from, @to: seconds of the run looked at; NaN: all
 * @conditions: (nullable): beside the one that was typed
 * All is copied; what was being read is not read on. @hook NULL: an empty table.
 */
void        gilk_samples_view_show      (GilkSamplesView *self, const char *path, const GilkStoredHook *hook, const GArray *fields,
                                         double from, double to, const char *const *conditions);
/* What was typed; NULL: nothing. */
const char *gilk_samples_view_condition (GilkSamplesView *self);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-time-entries.h - entries for a hook's start and stop times, and for the length of a
 * plan's runs
 */
#pragma once

#include <gtk/gtk.h>

#include "gui/plan/gilk-plan-model.h"

/* ---- entries for start and stop times ---- */

/* Sets up a pair of entries; must be called once for each pair. Typing "after" in @start proposes
 * the plan's hooks that have a stop. */
void gilk_times_entry_init       (GtkEntry *start, GtkEntry *stop, GilkPlanModel *model);
/* Marks the start entry (with @by_start) or the stop entry as invalid, with @error as its tooltip;
 * NULL: clears the marks. */
void gilk_times_entry_show_error (GtkEntry *start, GtkEntry *stop, const GError *error, gboolean by_start);

/*
 * Entry for the length of a plan's runs, such as "10s"; empty: until stopped.
 *
 * A valid length is set in the model as it is typed. The entry is marked if the length is invalid,
 * or too short for the plan's schedule. If several entries share a GtkEntryBuffer, they have the
 * same text.
 */

#define GILK_TYPE_LENGTH_ENTRY (gilk_length_entry_get_type ())
G_DECLARE_FINAL_TYPE (GilkLengthEntry, gilk_length_entry, GILK, LENGTH_ENTRY, GtkEntry)

void     gilk_length_entry_set_model (GilkLengthEntry *self, GilkPlanModel *model);
/* Sets @ns to the length (0: until stopped). Returns FALSE if the text is not a duration. */
gboolean gilk_length_entry_get       (GilkLengthEntry *self, uint64_t *ns, GError **error);

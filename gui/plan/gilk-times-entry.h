/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-times-entry.h - entries for a hook's start and stop times, with completion of labels
 */
#pragma once

#include <gtk/gtk.h>

#include "gui/plan/gilk-plan-model.h"

G_BEGIN_DECLS

/* Must be called once for each pair of entries. Typing "after" in @start proposes the plan's
 * hooks that have a stop. */
void gilk_times_entry_init       (GtkEntry *start, GtkEntry *stop, GilkPlanModel *model);
/* Shows @error at the start entry (@by_start) or the stop entry; NULL: clears the error. */
void gilk_times_entry_show_error (GtkEntry *start, GtkEntry *stop, const GError *error, gboolean by_start);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-times-entry.h - where it is typed when a hook starts and stops: what may be typed, and which hooks can be followed
 */
#pragma once

#include <gtk/gtk.h>

#include "gui/gilk-plan-model.h"

G_BEGIN_DECLS

/* To be called once of each entry. Once "after" is begun in @start, hooks of the plan are proposed that have a stop. */
void gilk_times_entry_init (GtkEntry *start, GtkEntry *stop, GilkPlanModel *model);
/* What is wrong is told at one of them; @error NULL: nothing is */
void gilk_times_entry_show (GtkEntry *start, GtkEntry *stop, const GError *error, gboolean by_start);

G_END_DECLS

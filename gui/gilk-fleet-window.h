/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-fleet-window.h - one plan recorded on several targets at once, side by side
 *
 * The targets are a list that can be added to; each shows how far it is, what it refuses and what it loses. When all have ended
 * their hooks' hits stand beside each other, and each target's session can be opened. Closed while it records, it stops the
 * runs, and the program goes on until they have ended.
 */
#pragma once

#include <gtk/gtk.h>

#include "core/run/gilk-plan.h"

G_BEGIN_DECLS

/* @parent: its actions open-path opens sessions. @plan: copied. @target: (nullable): the first of the list. @length: as typed */
void gilk_fleet_window_show (GtkWindow *parent, GSettings *settings, const GilkPlan *plan, const char *target, const char *length);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-actions.h - the one table of actions: keys, groups and titles
 *
 * Accelerators and the shortcuts window are both made from it.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

void       gilk_actions_set_accels       (GtkApplication *app);
GtkWidget *gilk_actions_shortcuts_window (GtkWindow *parent);

G_END_DECLS

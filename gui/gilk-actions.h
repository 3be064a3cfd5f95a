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
/* Row @i of it. @action, @accel: (nullable). FALSE: there are no more. */
gboolean   gilk_actions_nth              (guint i, const char **action, const char **title, const char **accel);

G_END_DECLS

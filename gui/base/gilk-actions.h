/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-actions.h - the window's actions: sets their accelerators, lists the actions, and searches
 * the list
 *
 * Accelerators and the window of keyboard shortcuts come from the same table
 * (gilk-actions-table.h).
 */
#pragma once

#include <gtk/gtk.h>

void        gilk_actions_set_accels (GtkApplication *app);
/* Gets row @i of the table of actions. @action, @accel: (out) (nullable): set to NULL if the row
 * has none. Returns FALSE past the last row. */
gboolean    gilk_actions_nth        (guint i, const char **action, const char **title, const char **accel);
/* Returns the translated group of row @i, which must exist. */
const char *gilk_actions_group      (guint i);
/* Returns all keys of row @i as text, comma-separated; NULL: none. (transfer full) (nullable) */
char       *gilk_actions_keys       (guint i);

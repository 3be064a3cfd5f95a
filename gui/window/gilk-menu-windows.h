/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-menu-windows.h - windows opened from the menu: keyboard shortcuts, checks of machine and
 * target, sessions
 */
#pragma once

#include <gtk/gtk.h>

#include "gui/run/gilk-connection.h"

void gilk_keys_window_show (GtkWindow *parent);

/*
 * Checks what this machine and the target can do, and shows commands that fix problems.
 *
 * Shows the findings of "gilk doctor" in a window.
 */

/* Checks the connected target. If no target is connected, runs the checks of this machine that need
 * no root. */
void gilk_doctor_window_show (GtkWindow *parent, GilkConnection *connection);

/*
 * Searchable list of the user's sessions.
 *
 * Activating a row runs @action of the parent, such as "win.open-path", with the session's path,
 * and closes the window.
 */

void gilk_sessions_window_show (GtkWindow *parent, const char *folder, const char *action);

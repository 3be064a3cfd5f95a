/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-sessions-window.h - searchable list of the user's sessions
 *
 * Activating a row runs @action of the parent, such as "win.open-path", with the session's path,
 * and closes the window.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

void gilk_sessions_window_show (GtkWindow *parent, const char *folder, const char *action);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-sessions-window.h - the user's sessions, to be searched and opened
 *
 * A row that is activated runs @action, "win.open-path", of the parent with the path, and the window closes.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

void gilk_sessions_window_show (GtkWindow *parent, const char *folder, const char *action);

G_END_DECLS

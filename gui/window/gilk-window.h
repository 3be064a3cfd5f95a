/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-window.h - the workbench's main window
 */
#pragma once

#include <gtk/gtk.h>

#define GILK_TYPE_WINDOW (gilk_window_get_type ())
G_DECLARE_FINAL_TYPE (GilkWindow, gilk_window, GILK, WINDOW, GtkApplicationWindow)

/*
 * gilk_window_new:
 *
 * Creates a window without its parts. The window must not be used before gilk_window_make_part()
 * has returned FALSE, so that all parts are made.
 */
GilkWindow *gilk_window_new       (GSettings *settings);
/* Makes the next part. Making all parts at once would block other windows for too long. Returns
 * FALSE after the last part. */
gboolean    gilk_window_make_part (GilkWindow *self);

void gilk_window_connect_target (GilkWindow *self, const char *spec);
/* Shows the function now if a target is connected, otherwise once a target is connected. */
void gilk_window_show_function  (GilkWindow *self, const char *name);
/* Offers to connect the last target, or connects it, depending on the preferences. Must be called
 * only for a new window without a target. */
void gilk_window_start_up       (GilkWindow *self);
/* Offers to open the newest session if a crash has interrupted its recording. Must be called only
 * for the first window. */
void gilk_window_offer_recovery (GilkWindow *self);
/* Opens a session or a plan, recognised by its content. */
void gilk_window_open_file      (GilkWindow *self, const char *path);
/* Opens the session that is installed with Gilk. */
void gilk_window_open_example   (GilkWindow *self);

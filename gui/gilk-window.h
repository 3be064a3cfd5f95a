/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-window.h - the workbench's main window
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GILK_TYPE_WINDOW (gilk_window_get_type ())
G_DECLARE_FINAL_TYPE (GilkWindow, gilk_window, GILK, WINDOW, GtkApplicationWindow)

/*
 * gilk_window_new:
 *
 * Its parts are made by gilk_window_make_part(), and only then it may be handed to an application, be shown and
 * be told of anything.
 */
GilkWindow *gilk_window_new         (GSettings *settings);
/* Makes the next part of a new window, for all of them take longer than other windows may be held up. FALSE: it was the last. */
gboolean    gilk_window_make_part   (GilkWindow *self);

void gilk_window_connect_target (GilkWindow *self, const char *spec);
/* At once if connected, else as soon as the target is. */
void gilk_window_show_function  (GilkWindow *self, const char *name);
/* Of a new window that was told of no target: the last one is offered, or gone to, as preferences have it. */
void gilk_window_start          (GilkWindow *self);
/* Of the program's first window: offers the newest session if its recording was cut off. */
void gilk_window_offer_cut_off  (GilkWindow *self);
/* A session or a plan, told apart by content. */
void gilk_window_open_file      (GilkWindow *self, const char *path);
/* The session that comes with Gilk. */
void gilk_window_open_example   (GilkWindow *self);

G_END_DECLS

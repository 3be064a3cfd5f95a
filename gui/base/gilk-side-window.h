/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-side-window.h - keys common to all secondary windows
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Makes Escape close @window, and Down move the focus from @search to @found; both or
 * neither may be NULL. */
void gilk_side_window_set_keys (GtkWindow *window, GtkWidget *search, GtkWidget *found);

G_END_DECLS

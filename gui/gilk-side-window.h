/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-side-window.h - the keys that all windows beside the main one have
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Escape closes @window. Down goes from @search to @found, which are in it; both or neither are NULL. */
void gilk_side_window_set_keys (GtkWindow *window, GtkWidget *search, GtkWidget *found);

G_END_DECLS

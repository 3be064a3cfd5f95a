/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-teardown.h - destroys a window in steps
 *
 * Assistive technologies are notified of each destroyed widget, which takes long for a whole window
 * and would block other windows.
 */
#pragma once

#include <gtk/gtk.h>

/**
 * gilk_teardown_window:
 * @window: hidden and no longer used; destroyed last
 * @all: most of the content of @window; destroyed part by part, each part in its own iteration
 * @more: destroyed in the same way after @all; need not be in @window.
 *
 * A subclass of a GTK container, such as our views, is destroyed as a whole, unless it was given to
 * gilk_teardown_allow_inside().
 */
void gilk_teardown_window        (GtkWidget *window, GtkWidget *all, GtkWidget *more);

/* Allows to destroy @view child by child. The caller must ensure that @view no longer uses its
 * children. */
void gilk_teardown_allow_inside (GtkWidget *view);

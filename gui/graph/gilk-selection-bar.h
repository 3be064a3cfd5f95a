/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-selection-bar.h - number of selected blocks and the actions on them
 */
#pragma once

#include "gui/graph/gilk-graph-view.h"

G_BEGIN_DECLS

#define GILK_TYPE_SELECTION_BAR (gilk_selection_bar_get_type ())
G_DECLARE_FINAL_TYPE (GilkSelectionBar, gilk_selection_bar, GILK, SELECTION_BAR, GtkBox)

/* Shows the selection of @view. The buttons activate actions of @window, the bar's toplevel. */
GtkWidget *gilk_selection_bar_new (GilkGraphView *view, GtkWindow *window);

/* The first function returns the menu that selects blocks by rule. The second function returns the
 * canvas menu, which contains the first menu. (transfer full) */
GMenuModel *gilk_selection_bar_menu        (void);
GMenuModel *gilk_selection_bar_canvas_menu (void);

G_END_DECLS

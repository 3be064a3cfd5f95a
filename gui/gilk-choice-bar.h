/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-choice-bar.h - number of selected blocks and the actions on them
 */
#pragma once

#include "gui/gilk-graph-view.h"

G_BEGIN_DECLS

#define GILK_TYPE_CHOICE_BAR (gilk_choice_bar_get_type ())
G_DECLARE_FINAL_TYPE (GilkChoiceBar, gilk_choice_bar, GILK, CHOICE_BAR, GtkBox)

/* Shows the selection of @view. The buttons activate actions of @window, the bar's toplevel. */
GtkWidget *gilk_choice_bar_new (GilkGraphView *view, GtkWindow *window);

/* Return the menu that selects by rule, and the canvas menu, which contains it. (transfer full) */
GMenuModel *gilk_choice_bar_menu    (void);
GMenuModel *gilk_choice_canvas_menu (void);

G_END_DECLS

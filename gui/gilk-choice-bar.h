/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-choice-bar.h - how many blocks are chosen, and what one does with them
 */
#pragma once

#include "gui/gilk-graph-view.h"

G_BEGIN_DECLS

#define GILK_TYPE_CHOICE_BAR (gilk_choice_bar_get_type ())
G_DECLARE_FINAL_TYPE (GilkChoiceBar, gilk_choice_bar, GILK, CHOICE_BAR, GtkBox)

/* Shows what is chosen in @view; its buttons are actions of @window, which it is put into. */
GtkWidget *gilk_choice_bar_new (GilkGraphView *view, GtkWindow *window);

/* Rows of the menus that choose blocks by rule, and of the one on the canvas. (transfer full) */
GMenuModel *gilk_choice_bar_menu    (void);
GMenuModel *gilk_choice_canvas_menu (void);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-menu.h - the menu of a graph's canvas, and the acts on the graph alone that are in it
 *
 * The acts are actions of the view: canvas.fold.
 *
 * Threads: main.
 */
#pragma once

#include "gui/gilk-graph-view.h"

G_BEGIN_DECLS

/* Why an act did nothing. */
typedef void (*GilkGraphTold) (gpointer object, const char *text);

/* @menu: the rows of the menu; @object lives as long as @view. */
void        gilk_graph_menu_add      (GilkGraphView *view, GMenuModel *(*menu) (void), GilkGraphTold told, gpointer object);
/* For a graph of a run that is over: what there is to do without a plan. @words tells what an act did not do. */
void        gilk_graph_menu_recorded (GilkGraphView *view, GtkLabel *words);
/* Rows of canvas-menu.ui: "choose", "fold", "recorded", "dim", "canvas". (transfer full) */
GMenuModel *gilk_graph_menu_named    (const char *name);

G_END_DECLS

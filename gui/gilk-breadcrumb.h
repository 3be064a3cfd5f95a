/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-breadcrumb.h - where in a function one is: function › loop › block, each a link to its block
 */
#pragma once

#include <gtk/gtk.h>

#include "gui/gilk-graph-data.h"

G_BEGIN_DECLS

void gilk_breadcrumb_show  (GtkLabel *label, const GilkGraphData *data, guint block);
/* The same while the call graph around the function is in view. */
void gilk_breadcrumb_show_calls (GtkLabel *label, const GilkGraphData *data);
/* The block that a link of it is of; -1: it is none of its. */
int  gilk_breadcrumb_block (const char *uri);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-breadcrumb.h - position in a function: function › loop › block, each a link to its block
 */
#pragma once

#include <gtk/gtk.h>

#include "gui/graph/gilk-graph-data.h"

G_BEGIN_DECLS

void gilk_breadcrumb_show  (GtkLabel *label, const GilkGraphData *data, guint block);
/* Shows the function's name as a link, followed by "call graph". */
void gilk_breadcrumb_show_calls (GtkLabel *label, const GilkGraphData *data);
/* Returns the block that the link @uri points to, -1 if @uri is not a breadcrumb link. */
int  gilk_breadcrumb_block (const char *uri);

G_END_DECLS

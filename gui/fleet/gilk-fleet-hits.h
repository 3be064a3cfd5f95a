/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-fleet-hits.h - table of hits: one row per hook, one column per target
 */
#pragma once

#include <gtk/gtk.h>

#include "core/fleet/gilk-fleet.h"

G_BEGIN_DECLS

/* Fills @tree. Returns FALSE if no target ran. */
gboolean gilk_fleet_hits_show  (GtkTreeView *tree, GilkFleet *fleet, const GilkPlan *plan);
/* Adds a text column in the style of the fleet's tables; @column: of the model */
void     gilk_fleet_add_column (GtkTreeView *tree, const char *title, int column, gboolean is_number);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-fleet-hits.h - what the hooks of a plan did on each of several targets, a column for each
 */
#pragma once

#include <gtk/gtk.h>

#include "core/run/gilk-fleet.h"

G_BEGIN_DECLS

/* FALSE: none of them ran. */
gboolean gilk_fleet_hits_show  (GtkTreeView *tree, GilkFleet *fleet, const GilkPlan *plan);
/* Of text, as tables of the fleet have it. */
void     gilk_fleet_add_column (GtkTreeView *tree, const char *title, int column, gboolean is_number);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-lanes.h - the schedule as lanes: one bar a hook, draggable at both ends
 *
 * The plan table is its accessible equivalent; both edit the same model.
 */
#pragma once

#include <gtk/gtk.h>

#include "gui/gilk-plan-model.h"

G_BEGIN_DECLS

#define GILK_TYPE_LANES (gilk_lanes_get_type ())
G_DECLARE_FINAL_TYPE (GilkLanes, gilk_lanes, GILK, LANES, GtkDrawingArea)

void gilk_lanes_set_model (GilkLanes *self, GilkPlanModel *model);
/* @duration_ns: planned length of the run, 0 open; @elapsed: seconds, negative when not running. */
void gilk_lanes_set_time  (GilkLanes *self, uint64_t duration_ns, double elapsed);

G_END_DECLS

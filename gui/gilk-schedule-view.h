/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-schedule-view.h - the schedule: a bar for each hook, draggable at both ends
 *
 * The plan table is its accessible equivalent; both edit the same model.
 */
#pragma once

#include <gtk/gtk.h>

#include "gui/gilk-plan-model.h"

G_BEGIN_DECLS

#define GILK_TYPE_SCHEDULE_VIEW (gilk_schedule_view_get_type ())
G_DECLARE_FINAL_TYPE (GilkScheduleView, gilk_schedule_view, GILK, SCHEDULE_VIEW, GtkDrawingArea)

void gilk_schedule_view_set_model (GilkScheduleView *self, GilkPlanModel *model);
/* @duration_ns: planned length of the run, 0 open; @elapsed: seconds, negative when not running. */
void gilk_schedule_view_set_time  (GilkScheduleView *self, uint64_t duration_ns, double elapsed);

G_END_DECLS

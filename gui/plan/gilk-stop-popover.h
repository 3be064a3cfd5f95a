/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-stop-popover.h - popover of a plan's stop conditions
 *
 * Each addition or removal is one undo step. An invalid condition is reported in the popover, and
 * changes nothing.
 */
#pragma once

#include <gtk/gtk.h>

#include "gui/plan/gilk-plan-model.h"

G_BEGIN_DECLS

#define GILK_TYPE_STOP_POPOVER (gilk_stop_popover_get_type ())
G_DECLARE_FINAL_TYPE (GilkStopPopover, gilk_stop_popover, GILK, STOP_POPOVER, GtkPopover)

/* Becomes the popover of @button, which contains @label; adds "stop-when" to
 * @actions, which opens it. */
GilkStopPopover *gilk_stop_popover_new       (GtkMenuButton *button, GtkLabel *label, GilkPlanModel *model,
                                              GActionMap *actions);
/* Takes the fields of the hooks' samples from @bound. */
void             gilk_stop_popover_set_bound (GilkStopPopover *self, const GilkBoundPlan *bound);

G_END_DECLS

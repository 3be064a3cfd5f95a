/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-until-popover.h - popover of a plan's stop conditions
 *
 * Each addition or removal is one undo step. An invalid condition is reported in the popover, and
 * changes nothing.
 */
#pragma once

#include <gtk/gtk.h>

#include "gui/gilk-plan-model.h"

G_BEGIN_DECLS

#define GILK_TYPE_UNTIL_POPOVER (gilk_until_popover_get_type ())
G_DECLARE_FINAL_TYPE (GilkUntilPopover, gilk_until_popover, GILK, UNTIL_POPOVER, GtkPopover)

/* Becomes the popover of @button, which contains @label; adds "stop-when" to
 * @actions, which opens it. */
GilkUntilPopover *gilk_until_popover_new        (GtkMenuButton *button, GtkLabel *label, GilkPlanModel *model,
                                                 GActionMap *actions);
/* Takes the fields of the hooks' samples from @bound. */
void              gilk_until_popover_take_bound (GilkUntilPopover *self, const GilkBoundPlan *bound);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-until-popover.h - conditions that end a run of the plan
 *
 * Each that is added or removed is one step of undo. What cannot be is said in it, and nothing is changed.
 */
#pragma once

#include <gtk/gtk.h>

#include "gui/gilk-plan-model.h"

G_BEGIN_DECLS

#define GILK_TYPE_UNTIL_POPOVER (gilk_until_popover_get_type ())
G_DECLARE_FINAL_TYPE (GilkUntilPopover, gilk_until_popover, GILK, UNTIL_POPOVER, GtkPopover)

/* Becomes that of @button, of whose text @label is; @actions gets "stop-when", which shows it. */
GilkUntilPopover *gilk_until_popover_new        (GtkMenuButton *button, GtkLabel *label, GilkPlanModel *model,
                                                 GActionMap *actions);
/* What samples of the plan's hooks have is known from it. */
void              gilk_until_popover_take_bound (GilkUntilPopover *self, const GilkBoundPlan *bound);

G_END_DECLS

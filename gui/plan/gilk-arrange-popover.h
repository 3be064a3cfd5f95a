/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-arrange-popover.h - preset schedules for all hooks of a plan
 *
 * Applying a preset is one undo step. If a preset is not possible, the popover shows why and
 * the plan stays unchanged.
 */
#pragma once

#include <gtk/gtk.h>

#include "gui/plan/gilk-plan-model.h"

G_BEGIN_DECLS

#define GILK_TYPE_ARRANGE_POPOVER (gilk_arrange_popover_get_type ())
G_DECLARE_FINAL_TYPE (GilkArrangePopover, gilk_arrange_popover, GILK, ARRANGE_POPOVER, GtkPopover)

/* Creates the popover and makes it that of @button. */
GilkArrangePopover *gilk_arrange_popover_new (GtkMenuButton *button, GilkPlanModel *model);

G_END_DECLS

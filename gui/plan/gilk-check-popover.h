/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-check-popover.h - check of a plan before its run: tactics, refusals and expected cost
 *
 * The menu button shows a summary. Each removal of hooks from the plan is one undo step.
 */
#pragma once

#include <gtk/gtk.h>

#include "gui/plan/gilk-plan-model.h"

G_BEGIN_DECLS

#define GILK_TYPE_CHECK_POPOVER (gilk_check_popover_get_type ())
G_DECLARE_FINAL_TYPE (GilkCheckPopover, gilk_check_popover, GILK, CHECK_POPOVER, GtkPopover)

/* Creates the popover and makes it that of @button, which contains @label. */
GilkCheckPopover *gilk_check_popover_new (GtkMenuButton *button, GtkLabel *label, GilkPlanModel *model);

G_END_DECLS

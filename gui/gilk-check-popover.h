/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-check-popover.h - how the plan fares before it is run: tactics, refusals, and what it will cost
 *
 * The button that it belongs to says the most of it. What is taken out of the plan is one step of undo.
 */
#pragma once

#include <gtk/gtk.h>

#include "gui/gilk-plan-model.h"

G_BEGIN_DECLS

#define GILK_TYPE_CHECK_POPOVER (gilk_check_popover_get_type ())
G_DECLARE_FINAL_TYPE (GilkCheckPopover, gilk_check_popover, GILK, CHECK_POPOVER, GtkPopover)

/* Becomes that of @button, on which @label is. */
GilkCheckPopover *gilk_check_popover_new (GtkMenuButton *button, GtkLabel *label, GilkPlanModel *model);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-arrange-popover.h - usual schedules for all hooks of a plan
 *
 * Each is one step of undo. What is not possible is said in it, and nothing is changed.
 */
#pragma once

#include <gtk/gtk.h>

#include "gui/gilk-plan-model.h"

G_BEGIN_DECLS

#define GILK_TYPE_ARRANGE_POPOVER (gilk_arrange_popover_get_type ())
G_DECLARE_FINAL_TYPE (GilkArrangePopover, gilk_arrange_popover, GILK, ARRANGE_POPOVER, GtkPopover)

/* Becomes that of @button. */
GilkArrangePopover *gilk_arrange_popover_new (GtkMenuButton *button, GilkPlanModel *model);

G_END_DECLS

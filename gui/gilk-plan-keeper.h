/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-keeper.h - the plan that is edited, kept in a file of ours, and plans that are opened
 *
 * What was planned is there again at the next start, also after a crash: each change is written soon after it was
 * made. Each window of a program has a file of its own, in the user's folder for state. Files are read and written by
 * workers.
 *
 * Signals: "opened" (the plan of gilk_plan_keeper_open() is there), "failed" (GError).
 */
#pragma once

#include "gui/gilk-plan-model.h"

G_BEGIN_DECLS

#define GILK_TYPE_PLAN_KEEPER (gilk_plan_keeper_get_type ())
G_DECLARE_FINAL_TYPE (GilkPlanKeeper, gilk_plan_keeper, GILK, PLAN_KEEPER, GObject)

GilkPlanKeeper *gilk_plan_keeper_new     (GilkPlanModel *model);
/* Waits until the last change is written: the window is about to go. */
void            gilk_plan_keeper_flush   (GilkPlanKeeper *self);
/* Takes the plan of the time before, unless there is one by then. Cannot be undone: there is nothing before it. */
void            gilk_plan_keeper_restore (GilkPlanKeeper *self);
/* Puts the plan of a file in the place of this one; can be undone. */
void            gilk_plan_keeper_open    (GilkPlanKeeper *self, const char *path);

G_END_DECLS

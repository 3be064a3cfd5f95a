/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-keeper.h - the plan that is edited, kept in a file of ours, and plans that are opened
 *
 * What was planned is there again at the next start, also after a crash, and what was edited can be undone: each change
 * is written soon after it was made. Each window of a program has a file of its own, in the user's folder for state. Files
 * are read and written by workers.
 *
 * A plan that was opened from a file, or saved in one, has its name.
 *
 * Signals: "opened" (the plan of gilk_plan_keeper_open() is there), "saved" (its path), "changed" (the plan's name, or
 * whether it differs), "failed" (GError).
 */
#pragma once

#include "gui/gilk-plan-model.h"

G_BEGIN_DECLS

#define GILK_TYPE_PLAN_KEEPER (gilk_plan_keeper_get_type ())
G_DECLARE_FINAL_TYPE (GilkPlanKeeper, gilk_plan_keeper, GILK, PLAN_KEEPER, GObject)

GilkPlanKeeper *gilk_plan_keeper_new     (GilkPlanModel *model);
/* Begins to write the last change: the window is about to go. The program does not end before that is done. */
void            gilk_plan_keeper_flush   (GilkPlanKeeper *self);
/* Takes the plan of the time before, unless there is one by then. Cannot be undone: there is nothing before it. */
void            gilk_plan_keeper_restore (GilkPlanKeeper *self);
/* Puts the plan of a file in the place of this one; can be undone. */
void            gilk_plan_keeper_open    (GilkPlanKeeper *self, const char *path);
void            gilk_plan_keeper_save    (GilkPlanKeeper *self, const char *path);
/* The plan has no name any more. */
void            gilk_plan_keeper_forget_file (GilkPlanKeeper *self);
/* (transfer none) (nullable) */
const char     *gilk_plan_keeper_file    (GilkPlanKeeper *self);
/* Is there something in the plan that the file of its name has not? Without a name: anything at all? */
gboolean        gilk_plan_keeper_differs (GilkPlanKeeper *self);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-autosave.h - autosave of the edited plan, and opening and saving of plan files
 *
 * The plan and its undo history are restored at the next start, even after a crash: each change is
 * written shortly after it was made. Each window of a process has a file of its own in the user's
 * state directory. Worker threads read and write the files.
 *
 * A plan opened from a file or saved to one has that file's name.
 *
 * Signals: "opened" (the plan of gilk_plan_autosave_open() is loaded), "saved" (path), "changed" (the
 * plan's file name, or whether it differs), "failed" (GError).
 */
#pragma once

#include "gui/plan/gilk-plan-model.h"

G_BEGIN_DECLS

#define GILK_TYPE_PLAN_AUTOSAVE (gilk_plan_autosave_get_type ())
G_DECLARE_FINAL_TYPE (GilkPlanAutosave, gilk_plan_autosave, GILK, PLAN_AUTOSAVE, GObject)

GilkPlanAutosave *gilk_plan_autosave_new     (GilkPlanModel *model);
/* Starts writing the last change immediately, before the window closes. The program does not exit
 * until it is written. */
void              gilk_plan_autosave_flush   (GilkPlanAutosave *self);
/* Restores the saved plan, unless another plan exists by then. Cannot be undone. */
void              gilk_plan_autosave_restore (GilkPlanAutosave *self);
/* Replaces the plan by the plan in a file; can be undone. */
void              gilk_plan_autosave_open    (GilkPlanAutosave *self, const char *path);
void              gilk_plan_autosave_save    (GilkPlanAutosave *self, const char *path);
/* Detaches the plan from its named file. */
void              gilk_plan_autosave_detach_file (GilkPlanAutosave *self);
/* Returns the path of the named file. (transfer none) (nullable): none */
const char       *gilk_plan_autosave_file    (GilkPlanAutosave *self);
/* Returns whether the plan differs from its named file; without a named file,
 * whether the plan has hooks. */
gboolean          gilk_plan_autosave_is_modified (GilkPlanAutosave *self);

G_END_DECLS

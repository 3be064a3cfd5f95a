/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-target-poll.h - periodic poll of other clients' hooks and of the target's modules
 *
 * A poll sends two or three short requests to the target. Polls run at most once a second, less
 * often if a poll takes long, and not at all while their results are not visible. Signals:
 * "changed" (other clients' hooks), "modules" (a module was loaded or unloaded), "silent"
 * (gboolean: TRUE if the agent has not answered for GILK_SILENT_S, FALSE once it does).
 */
#pragma once

#include <gtk/gtk.h>

#include "core/bind/gilk-text-owners.h"
#include "core/image/gilk-module-changes.h"
#include "core/run/gilk-run.h"
#include "gui/run/gilk-connection.h"

#define GILK_SILENT_S 8

#define GILK_TYPE_TARGET_POLL (gilk_target_poll_get_type ())
G_DECLARE_FINAL_TYPE (GilkTargetPoll, gilk_target_poll, GILK, TARGET_POLL, GObject)

GilkTargetPoll *gilk_target_poll_new      (GilkConnection *connection);
/* Starts polling if the results are visible, else stops. */
void            gilk_target_poll_set_visible (GilkTargetPoll *self, gboolean visible);
/* Returns the patches (hooked locations) of other clients, empty if none are known. (element-type
 * struct ilk_patch_status) */
const GArray   *gilk_target_poll_others   (GilkTargetPoll *self);
/* Returns the modules that were loaded or unloaded since the kernel was opened; empty if none are
   known. */
const GilkModuleChanges *gilk_target_poll_modules (GilkTargetPoll *self);
/* Returns the ns to add to a time of the target's monotonic clock to get wall-clock time, in ns
 * since the Unix epoch; 0 if unknown. */
int64_t         gilk_target_poll_epoch    (GilkTargetPoll *self);

/*
 * List of the hooks of the run in progress, with search, sorting and selection
 *
 * Signal "chosen": the set of selected hooks changed. While the list has the keyboard focus or the
 * pointer, its rows keep their order, so that none moves while the user reads it; the figures are
 * still updated.
 */

#define GILK_TYPE_LIVE_HOOKS (gilk_live_hooks_get_type ())
G_DECLARE_FINAL_TYPE (GilkLiveHooks, gilk_live_hooks, GILK, LIVE_HOOKS, GtkBox)

/* Removes all hooks, because another run starts. */
void          gilk_live_hooks_clear    (GilkLiveHooks *self);
/* Shows the figures of the hooks of @bound, the plan of the run. Adds rows for hooks that were
 * added to the plan since the last call. @figures: (nullable): NULL: no figures yet */
void          gilk_live_hooks_update   (GilkLiveHooks *self, const GilkBoundPlan *bound, const GilkRunFigures *figures);
/* Returns the indexes of the selected hooks, ascending. (transfer none) (element-type guint) */
const GArray *gilk_live_hooks_selected (GilkLiveHooks *self);
/* Returns the hook's name, which is unique in the run. (transfer none), valid until
   gilk_live_hooks_clear() */
const char   *gilk_live_hooks_name     (GilkLiveHooks *self, guint hook);
/* Returns the number of hooks that were hit. */
guint         gilk_live_hooks_n_hit    (GilkLiveHooks *self);

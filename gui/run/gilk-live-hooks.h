/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-live-hooks.h - list of a running recording's hooks, with search, sorting and selection
 *
 * Signal "chosen": gilk_live_hooks_selected() changed. While the list has the keyboard focus, the
 * order of its rows is frozen, so that they do not move while they are read; the figures are still
 * updated.
 */
#pragma once

#include <gtk/gtk.h>

#include "core/run/gilk-run.h"

G_BEGIN_DECLS

#define GILK_TYPE_LIVE_HOOKS (gilk_live_hooks_get_type ())
G_DECLARE_FINAL_TYPE (GilkLiveHooks, gilk_live_hooks, GILK, LIVE_HOOKS, GtkBox)

/* Removes all hooks, because another run starts. */
void          gilk_live_hooks_clear    (GilkLiveHooks *self);
/* Shows the figures of the hooks of @bound, which may have grown. @figures: (nullable): none yet */
void          gilk_live_hooks_update   (GilkLiveHooks *self, const GilkBoundPlan *bound, const GilkRunFigures *figures);
/* Returns the indexes of the selected hooks, ascending. (transfer none) (element-type guint) */
const GArray *gilk_live_hooks_selected (GilkLiveHooks *self);
/* Returns a name that is unique in the run. (transfer none), valid until gilk_live_hooks_clear() */
const char   *gilk_live_hooks_name     (GilkLiveHooks *self, guint hook);
/* Returns the number of hooks that were hit. */
guint         gilk_live_hooks_n_hit    (GilkLiveHooks *self);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-live-hooks.h - the hooks of a run that goes on as a list that is searched, sorted and chosen from
 *
 * Signal "chosen": gilk_live_hooks_chosen() is another. While the list has the keyboard its rows stay where they are, so that
 * nothing moves under who reads it; figures in them go on.
 */
#pragma once

#include <gtk/gtk.h>

#include "core/run/gilk-run.h"

G_BEGIN_DECLS

#define GILK_TYPE_LIVE_HOOKS (gilk_live_hooks_get_type ())
G_DECLARE_FINAL_TYPE (GilkLiveHooks, gilk_live_hooks, GILK, LIVE_HOOKS, GtkBox)

/* Another run: none are known. */
void          gilk_live_hooks_clear  (GilkLiveHooks *self);
/* @figures are of hooks of @bound, which may have become more; NULL: nothing was told of them yet. */
void          gilk_live_hooks_take   (GilkLiveHooks *self, const GilkBoundPlan *bound, const GilkRunFigures *figures);
/* Ascending. (transfer none) (element-type guint) */
const GArray *gilk_live_hooks_chosen (GilkLiveHooks *self);
/* No other hook of the run is called so. (transfer none): until they are cleared */
const char   *gilk_live_hooks_name   (GilkLiveHooks *self, guint hook);
/* That were hit. */
guint         gilk_live_hooks_n_hit  (GilkLiveHooks *self);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-patch-pane.h - pane below the listing: code before and after, and the patch, of the selected
 * hook
 *
 * Hidden while no hook is planned there. While the listing is visible, a worker thread binds the
 * hooks of the function again after each change. Nothing is armed.
 */
#pragma once

#include <gtk/gtk.h>

#include "gui/run/gilk-connection.h"
#include "gui/graph/gilk-graph-view.h"
#include "gui/plan/gilk-plan-model.h"

G_BEGIN_DECLS

#define GILK_TYPE_PATCH_PANE (gilk_patch_pane_get_type ())
G_DECLARE_FINAL_TYPE (GilkPatchPane, gilk_patch_pane, GILK, PATCH_PANE, GtkBox)

GtkWidget *gilk_patch_pane_new (GilkGraphView *view, GilkPlanModel *model, GilkConnection *connection);

G_END_DECLS

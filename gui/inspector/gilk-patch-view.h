/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-patch-view.h - the code of one hook as a picture: the text before and after, and the patch
 */
#pragma once

#include <gtk/gtk.h>

#include "core/plan/gilk-plan.h"
#include "core/splice/gilk-patch-listing.h"
#include "gui/graph/gilk-graph-view.h"
#include "gui/plan/gilk-plan-model.h"
#include "gui/run/gilk-connection.h"

#define GILK_TYPE_PATCH_VIEW (gilk_patch_view_get_type ())
G_DECLARE_FINAL_TYPE (GilkPatchView, gilk_patch_view, GILK, PATCH_VIEW, GtkDrawingArea)

GtkWidget *gilk_patch_view_new  (void);
/* Shows @listing (transfer full), the code of a hook in @cfg. Sets @width and @height to the size
 * of the picture in pixels. */
void       gilk_patch_view_show (GilkPatchView *self, GilkPatchListing *listing, GilkCfg *cfg, int *width, int *height);

/*
 * Pane below the listing that shows the code before and after the selected hook is armed, and the
 * hook's patch (its out-of-line code)
 *
 * Hidden unless the selected point has a hook. While the listing is visible, a worker thread
 * computes the code of the function's hooks again after each change of the plan. Nothing is armed.
 */

#define GILK_TYPE_PATCH_PANE (gilk_patch_pane_get_type ())
G_DECLARE_FINAL_TYPE (GilkPatchPane, gilk_patch_pane, GILK, PATCH_PANE, GtkBox)

GtkWidget *gilk_patch_pane_new (GilkGraphView *view, GilkPlanModel *model, GilkConnection *connection);

/* ---- machine code of a planned hook: the code before and after arming, and the patch ---- */

#define GILK_TYPE_PATCH_WINDOW (gilk_patch_window_get_type ())
G_DECLARE_FINAL_TYPE (GilkPatchWindow, gilk_patch_window, GILK, PATCH_WINDOW, GtkWindow)

/* Opens the window, which closes with @parent. @hook: index in @plan; @place: the hook's
 * location, shown in the title. */
void gilk_patch_window_open (GtkWindow *parent, GilkConnection *connection, const GilkPlan *plan, guint hook,
                             const char *place);

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-patch-window.h - the machine code of a planned hook: the text before and after, and the patch
 */
#pragma once

#include <gtk/gtk.h>

#include "core/run/gilk-plan.h"
#include "gui/gilk-connection.h"

G_BEGIN_DECLS

#define GILK_TYPE_PATCH_WINDOW (gilk_patch_window_get_type ())
G_DECLARE_FINAL_TYPE (GilkPatchWindow, gilk_patch_window, GILK, PATCH_WINDOW, GtkWindow)

/* @hook: of @plan, by number; @place: how it is called. Opens it; it closes itself with @parent. */
void gilk_patch_window_open (GtkWindow *parent, GilkConnection *connection, const GilkPlan *plan, guint hook,
                             const char *place);

G_END_DECLS

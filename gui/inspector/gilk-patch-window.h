/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-patch-window.h - machine code of a planned hook: code before and after, and the patch
 */
#pragma once

#include <gtk/gtk.h>

#include "core/plan/gilk-plan.h"
#include "gui/run/gilk-connection.h"

G_BEGIN_DECLS

#define GILK_TYPE_PATCH_WINDOW (gilk_patch_window_get_type ())
G_DECLARE_FINAL_TYPE (GilkPatchWindow, gilk_patch_window, GILK, PATCH_WINDOW, GtkWindow)

/* Opens the window, which closes with @parent. @hook: index in @plan; @place: the hook's
 * location, part of the title. */
void gilk_patch_window_open (GtkWindow *parent, GilkConnection *connection, const GilkPlan *plan, guint hook,
                             const char *place);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-watchpoint-dialog.h - dialog for adding or changing a watchpoint of the plan
 */
#pragma once

#include <gtk/gtk.h>

#include "gui/run/gilk-connection.h"
#include "gui/plan/gilk-plan-model.h"

G_BEGIN_DECLS

#define GILK_TYPE_WATCHPOINT_DIALOG (gilk_watchpoint_dialog_get_type ())
G_DECLARE_FINAL_TYPE (GilkWatchpointDialog, gilk_watchpoint_dialog, GILK, WATCHPOINT_DIALOG, GtkDialog)

/* @index: of the plan's watchpoint to change; -1: a new one. Returns immediately. */
void gilk_watchpoint_dialog_show (GtkWindow *parent, GilkConnection *connection, GilkPlanModel *model, int index);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-watch-dialog.h - dialog for adding or changing a watchpoint of the plan
 */
#pragma once

#include <gtk/gtk.h>

#include "gui/gilk-connection.h"
#include "gui/gilk-plan-model.h"

G_BEGIN_DECLS

#define GILK_TYPE_WATCH_DIALOG (gilk_watch_dialog_get_type ())
G_DECLARE_FINAL_TYPE (GilkWatchDialog, gilk_watch_dialog, GILK, WATCH_DIALOG, GtkDialog)

/* @index: of the plan's watchpoint to change; -1: a new one. Returns immediately. */
void gilk_watch_dialog_show (GtkWindow *parent, GilkConnection *connection, GilkPlanModel *model, int index);

G_END_DECLS

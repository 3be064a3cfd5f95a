/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-reach-dialog.h - adds counters to all callees of a function, down to a chosen depth
 */
#pragma once

#include <gtk/gtk.h>

#include "gui/gilk-connection.h"
#include "gui/gilk-plan-model.h"

G_BEGIN_DECLS

#define GILK_TYPE_REACH_DIALOG (gilk_reach_dialog_get_type ())
G_DECLARE_FINAL_TYPE (GilkReachDialog, gilk_reach_dialog, GILK, REACH_DIALOG, GtkDialog)

/* @function: as written in a plan, of the connected kernel. Returns immediately. */
void gilk_reach_dialog_show (GtkWindow *parent, GilkConnection *connection, GilkPlanModel *model, const char *function);

G_END_DECLS

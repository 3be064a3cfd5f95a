/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-callees-dialog.h - adds counters to all callees of a function, down to a chosen depth
 */
#pragma once

#include <gtk/gtk.h>

#include "gui/run/gilk-connection.h"
#include "gui/plan/gilk-plan-model.h"

G_BEGIN_DECLS

#define GILK_TYPE_CALLEES_DIALOG (gilk_callees_dialog_get_type ())
G_DECLARE_FINAL_TYPE (GilkCalleesDialog, gilk_callees_dialog, GILK, CALLEES_DIALOG, GtkDialog)

/* @function: as written in a plan, of the connected kernel. Returns immediately. */
void gilk_callees_dialog_show (GtkWindow *parent, GilkConnection *connection, GilkPlanModel *model, const char *function);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-doctor-window.h - checks what this machine and the target can do, and shows commands that fix
 * problems
 *
 * Shows the findings of "gilk doctor" in a window.
 */
#pragma once

#include <gtk/gtk.h>

#include "gui/run/gilk-connection.h"

G_BEGIN_DECLS

/* Checks the connected target. If no target is connected, runs the checks of this machine that need
 * no root. */
void gilk_doctor_window_show (GtkWindow *parent, GilkConnection *connection);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-preflight.h - what this machine, and the target, can do for Gilk; what is missing, and the command that mends it
 *
 * The findings of "gilk doctor" as a window.
 */
#pragma once

#include <gtk/gtk.h>

#include "gui/gilk-connection.h"

G_BEGIN_DECLS

/* Of the connected target; where there is none, of this machine as far as it is seen without root. */
void gilk_preflight_show (GtkWindow *parent, GilkConnection *connection);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-preferences.h - preferences window; changes take effect immediately
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

void gilk_preferences_show (GtkWindow *parent, GSettings *settings);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-app.h - application: single instance, command line, lifetime of its windows, preferences
 */
#pragma once

#include <gtk/gtk.h>

#define GILK_TYPE_APP (gilk_app_get_type ())
G_DECLARE_FINAL_TYPE (GilkApp, gilk_app, GILK, APP, GtkApplication)

GilkApp *gilk_app_new (void);

/* ---- preferences window; changes take effect immediately ---- */

void gilk_preferences_show (GtkWindow *parent, GSettings *settings);

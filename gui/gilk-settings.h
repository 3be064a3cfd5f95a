/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-settings.h - preferences, from the installed schema or the build tree's
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* NULL with a warning text in @error if the schema cannot be found at all. (transfer full) */
GSettings *gilk_settings_new (GError **error);

/* Keeps GTK's dark variant as the setting "colour-scheme" and the desktop want it. */
void       gilk_settings_follow_colours (GSettings *settings);

/* The user's own folder for sessions, made if need be. (transfer full) */
char      *gilk_settings_session_folder (GSettings *settings, GError **error);
/* Where a new session goes: a fresh name in the user's own folder, made if need be. (transfer full) */
char      *gilk_settings_new_session_path (GSettings *settings, GError **error);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-settings.h - preferences, from the installed schema or the schema of the build tree
 */
#pragma once

#include <gtk/gtk.h>

#include "core/plot/gilk-plot.h"

/* Returns the settings; NULL with a warning in @error if the schema is missing. (transfer full) */
GSettings *gilk_settings_new (GError **error);

/* Uses the dark variant of the GTK theme as the setting "colour-scheme" and the desktop require,
 * also when one of them changes later. */
void       gilk_settings_follow_colours (GSettings *settings);

/* Returns the user's session directory, created if needed. (transfer full) */
char *gilk_settings_session_folder (GSettings *settings, GError **error);
/* Returns an unused path for a new session in the user's directory, which is created if needed.
 * (transfer full) */
char *gilk_settings_new_session_path (GSettings *settings, GError **error);

/* ---- colours for the painters, taken from the current theme ---- */

/* Returns TRUE if the theme draws light text on a dark background. */
gboolean gilk_style_is_dark (GtkWidget *widget);

/* Fills @style. The colours of surfaces and text come from the theme, so that a high-contrast theme
 * keeps its contrast. The colours of data series, heat and states come from core/plot, which has a
 * light and a dark set. */
void     gilk_style_fill    (GtkWidget *widget, GilkPlotStyle *style);

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-palette.h - command palette: finds window actions by the text typed after ">" in the search
 * entry
 *
 * Shows a list below the search entry. The entry keeps the focus. While nothing is typed, recently
 * used actions come first. Actions that are disabled at the moment are greyed out.
 */
#pragma once

#include <gtk/gtk.h>

#define GILK_TYPE_PALETTE (gilk_palette_get_type ())
G_DECLARE_FINAL_TYPE (GilkPalette, gilk_palette, GILK, PALETTE, GtkPopover)

/* Creates the palette. @menu: its items are listed in addition to the actions that have keys */
GilkPalette *gilk_palette_new            (GtkWidget *entry, GMenuModel *menu, GSettings *settings);
/* Lists the actions that match @typed, the text after ">"; NULL closes the palette. */
void         gilk_palette_show           (GilkPalette *self, const char *typed);
gboolean     gilk_palette_is_shown       (GilkPalette *self);
/* Selects the next enabled row: @step 1 for the row below, -1 for the row above. */
void         gilk_palette_move_selection (GilkPalette *self, int step);
/* Activates the selected action and closes the palette. Returns FALSE if it is
 * disabled at the moment. */
gboolean     gilk_palette_activate       (GilkPalette *self);
/* Closes the palette for good and prepares its widgets for gilk_teardown_window(). */
void         gilk_palette_release        (GilkPalette *self);

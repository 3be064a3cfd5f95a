/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-palette.h - all actions of the window, found by what is typed behind ">" in the search
 *
 * A list under the search entry, which keeps the focus. Actions that were used last come first while nothing is
 * typed; those that make no sense at the moment are greyed.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GILK_TYPE_PALETTE (gilk_palette_get_type ())
G_DECLARE_FINAL_TYPE (GilkPalette, gilk_palette, GILK, PALETTE, GtkPopover)

/* @menu: whose items are offered beside the actions that have keys */
GilkPalette *gilk_palette_new      (GtkWidget *entry, GMenuModel *menu, GSettings *settings);
/* @typed: behind ">"; NULL: what is typed is no action */
void         gilk_palette_show     (GilkPalette *self, const char *typed);
gboolean     gilk_palette_is_shown (GilkPalette *self);
/* To the row below, or above. */
void         gilk_palette_step     (GilkPalette *self, int step);
/* Does what the row says, and is gone. FALSE: it cannot be done at the moment. */
gboolean     gilk_palette_activate (GilkPalette *self);
/* It is of no more use, and may be taken apart. */
void         gilk_palette_let_go   (GilkPalette *self);

G_END_DECLS

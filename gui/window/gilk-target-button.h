/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-target-button.h - button in the header: the target's state; its popover chooses another
 * target
 *
 * Signal "chosen" (const char *): a target to connect, such as "ssh:host", that was typed. Buttons of the
 * popover activate win.connect and win.disconnect.
 */
#pragma once

#include <gtk/gtk.h>

#include "gui/run/gilk-connection.h"

G_BEGIN_DECLS

#define GILK_TYPE_TARGET_BUTTON (gilk_target_button_get_type ())
G_DECLARE_FINAL_TYPE (GilkTargetButton, gilk_target_button, GILK, TARGET_BUTTON, GtkMenuButton)

void gilk_target_button_follow  (GilkTargetButton *self, GilkConnection *connection);
/* Closes the popover. */
void gilk_target_button_popdown (GilkTargetButton *self);

G_END_DECLS

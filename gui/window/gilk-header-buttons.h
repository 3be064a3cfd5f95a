/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-header-buttons.h - buttons in the header: Run, target, Disarm All
 */
#pragma once

#include <gtk/gtk.h>

#include "gui/base/gilk-banner.h"
#include "gui/run/gilk-connection.h"
#include "gui/run/gilk-recorder.h"
#include "gui/run/gilk-target-poll.h"

#define GILK_TYPE_RUN_BUTTON (gilk_run_button_get_type ())
G_DECLARE_FINAL_TYPE (GilkRunButton, gilk_run_button, GILK, RUN_BUTTON, GtkButton)

/* Shows @state. @why: (nullable): tooltip that says why no run can start */
void gilk_run_button_set_state (GilkRunButton *self, GilkRecorderState state, const char *why);
/* Returns the icon, which is hidden in a narrow window. (transfer none) */
GtkWidget *gilk_run_button_icon (GilkRunButton *self);

/*
 * Button in the header that shows the target and its state, and opens a popover to choose another
 * target.
 *
 * Signal "chosen" (const char *): a target to connect, such as "ssh:host", that was typed. Buttons of the
 * popover activate win.connect and win.disconnect.
 */

#define GILK_TYPE_TARGET_BUTTON (gilk_target_button_get_type ())
G_DECLARE_FINAL_TYPE (GilkTargetButton, gilk_target_button, GILK, TARGET_BUTTON, GtkMenuButton)

void gilk_target_button_follow  (GilkTargetButton *self, GilkConnection *connection, GilkRecorder *recorder);
/* Closes the popover. */
void gilk_target_button_popdown (GilkTargetButton *self);

/*
 * Choice between the two ways to hook the connected kernel, driver and BPF. It is in the popover of
 * the target button, and is hidden while no target is connected.
 */

#define GILK_TYPE_WAY_BOX (gilk_way_box_get_type ())
G_DECLARE_FINAL_TYPE (GilkWayBox, gilk_way_box, GILK, WAY_BOX, GtkBox)

void gilk_way_box_follow (GilkWayBox *self, GilkConnection *connection, GilkRecorder *recorder);

/*
 * Disarm All: disarms the hooks of all clients, even if the agent hangs.
 *
 * The button is highlighted while any client has an armed hook.
 */

#define GILK_TYPE_DISARM_BUTTON (gilk_disarm_button_get_type ())
G_DECLARE_FINAL_TYPE (GilkDisarmButton, gilk_disarm_button, GILK, DISARM_BUTTON, GtkButton)

/* Makes the button show whether any hook is armed. @window: its width decides between label and
 * icon; it must have been given to gilk_panes_attach() */
void gilk_disarm_button_follow (GilkDisarmButton *self, GtkWindow *window, GilkConnection *connection,
                                GilkRecorder *recorder, GilkTargetPoll *poll, GilkBanner *banner);
/* Disarms the hooks of all clients on the connected target. This also ends the window's own run. If
 * the agent does not answer, a message with the owner "disarm" reports this. */
void gilk_disarm_button_disarm (GilkDisarmButton *self);

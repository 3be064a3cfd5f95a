/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-disarm-button.h - Disarm All: disarms the hooks of all clients, even if the agent hangs
 *
 * The button is highlighted while any hook is armed, no matter which client's.
 */
#pragma once

#include "gui/base/gilk-banner.h"
#include "gui/run/gilk-recorder.h"
#include "gui/run/gilk-target-poll.h"

G_BEGIN_DECLS

#define GILK_TYPE_DISARM_BUTTON (gilk_disarm_button_get_type ())
G_DECLARE_FINAL_TYPE (GilkDisarmButton, gilk_disarm_button, GILK, DISARM_BUTTON, GtkButton)

/* @window: its width decides between label and icon; must have been given to gilk_panes_attach() */
void gilk_disarm_button_follow (GilkDisarmButton *self, GtkWindow *window, GilkConnection *connection,
                                GilkRecorder *recorder, GilkTargetPoll *poll, GilkBanner *banner);
/* Disarms the hooks of all clients on the connected target. This also ends the window's own run. If
 * the agent does not answer, a message with the owner "disarm" reports this. */
void gilk_disarm_button_disarm (GilkDisarmButton *self);

G_END_DECLS

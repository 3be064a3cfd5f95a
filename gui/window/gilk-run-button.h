/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-button.h - button that starts and stops runs: Run, Cancel, Stop, or Stopping
 */
#pragma once

#include <gtk/gtk.h>

#include "gui/run/gilk-recorder.h"

G_BEGIN_DECLS

#define GILK_TYPE_RUN_BUTTON (gilk_run_button_get_type ())
G_DECLARE_FINAL_TYPE (GilkRunButton, gilk_run_button, GILK, RUN_BUTTON, GtkButton)

/* @why: (nullable): tooltip that says why no run can start */
void gilk_run_button_set_state (GilkRunButton *self, GilkRecorderState state, const char *why);
/* Returns the icon, which is hidden in a narrow window. (transfer none) */
GtkWidget *gilk_run_button_icon (GilkRunButton *self);

G_END_DECLS

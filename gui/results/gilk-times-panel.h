/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-times-panel.h - accuracy of a run's times, costs of its hooks, and their effect
 *
 * Clocks and costs are a few rows, read when the session is opened. The effect of switched hooks is
 * computed from all samples of a control hook, in a separate job. The result is kept until another
 * effect is requested. Signal: "failed" (GError).
 */
#pragma once

#include <gtk/gtk.h>

#include "gui/results/gilk-results-choice.h"

G_BEGIN_DECLS

#define GILK_TYPE_TIMES_PANEL (gilk_times_panel_get_type ())
G_DECLARE_FINAL_TYPE (GilkTimesPanel, gilk_times_panel, GILK, TIMES_PANEL, GtkBox)

/* Must be called once, before anything else. */
void gilk_times_panel_set_choice  (GilkTimesPanel *self, GilkResultsChoice *choice);
/* If the whole run is chosen, shows the accuracy of its times and the costs of its hooks. Shows the
 * effect of switched hooks, as measured by the chosen hook if it is a control hook; computes the
 * effect first if needed. */
void gilk_times_panel_update      (GilkTimesPanel *self);
/* Drops the effect; must be called when the session changes. */
void gilk_times_panel_clear       (GilkTimesPanel *self);
/* Appends the shown text, one row per line. */
void gilk_times_panel_append_text (GilkTimesPanel *self, GString *text);

G_END_DECLS

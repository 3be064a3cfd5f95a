/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-inspector.h - facts of the current probe point, and what is wanted there
 *
 * Instrument and times edit the planned hook, or wait as presets for the next
 * one. Signals: "toggle", plan the current point, or take it out; "code-edited", the text of its program was changed, and
 * is to be checked (gilk_inspector_take_check()).
 */
#pragma once

#include <gtk/gtk.h>

#include "gui/gilk-connection.h"
#include "gui/gilk-graph-data.h"
#include "gui/gilk-hooks-watch.h"
#include "gui/gilk-plan-model.h"

G_BEGIN_DECLS

#define GILK_TYPE_INSPECTOR (gilk_inspector_get_type ())
G_DECLARE_FINAL_TYPE (GilkInspector, gilk_inspector, GILK, INSPECTOR, GtkBox)

void gilk_inspector_set_model (GilkInspector *self, GilkPlanModel *model, GilkConnection *connection,
                               GilkHooksWatch *watch);
/* Others have other hooks. */
void gilk_inspector_update    (GilkInspector *self);
/* @data NULL or @point < 0: nothing is selected. */
void gilk_inspector_show      (GilkInspector *self, GilkGraphData *data, int point);
/* Presets for a hook that is about to be planned. */
const char *gilk_inspector_instrument (GilkInspector *self);
/* The text of the program that it is to run. (transfer full) (nullable): it runs an instrument */
char       *gilk_inspector_code       (GilkInspector *self);
/* What is typed as a program at the point in view. (transfer full) (nullable): none that a plan can hold */
char       *gilk_inspector_typed_code (GilkInspector *self);
/* @hook: (nullable): bound with the text that was typed then; NULL: what is typed cannot be checked now */
void        gilk_inspector_take_check (GilkInspector *self, const GilkBoundHook *hook);
/* Adds the parameters that are not at their presets: name -> text. */
void        gilk_inspector_params     (GilkInspector *self, GHashTable *params);
void        gilk_inspector_times      (GilkInspector *self, GilkPlanHook *hook);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-inspector.h - properties and settings of the current probe point
 *
 * The instrument and the times that it shows are those of the planned hook at the point. If there
 * is none, they are presets for the next hook. Signals: "toggle": add the current point to the plan
 * or remove it; "code-edited": the text of the program changed and should be checked, see
 * gilk_inspector_set_check().
 */
#pragma once

#include <gtk/gtk.h>

#include "gui/graph/gilk-graph-data.h"
#include "gui/plan/gilk-plan-model.h"
#include "gui/run/gilk-connection.h"
#include "gui/run/gilk-target-poll.h"
#include "ilk/ilk-abi.h"

#define GILK_TYPE_INSPECTOR (gilk_inspector_get_type ())
G_DECLARE_FINAL_TYPE (GilkInspector, gilk_inspector, GILK, INSPECTOR, GtkBox)

void gilk_inspector_set_model (GilkInspector *self, GilkPlanModel *model, GilkConnection *connection,
                               GilkTargetPoll *watch);
/* Updates the inspector. Must be called when hooks of other clients have changed. */
void gilk_inspector_update    (GilkInspector *self);
/* Shows point @point of @data (nullable). If @data is NULL or @point is negative, shows that
 * nothing is selected. */
void gilk_inspector_show      (GilkInspector *self, GilkGraphData *data, int point);
/* Returns the instrument for the next hook; "count" if a program is selected. */
const char *gilk_inspector_instrument (GilkInspector *self);
/* Returns the program for a new hook; NULL: the user has chosen an instrument instead of a program.
 * (transfer full) (nullable) */
char       *gilk_inspector_code       (GilkInspector *self);
/* Returns the program typed for the point in view; NULL: none, or it is invalid. (transfer
   full) (nullable) */
char       *gilk_inspector_typed_code (GilkInspector *self);
/* Shows the result of checking the typed program. @hook: (nullable): a hook with this program, as
 * bound to the kernel; NULL: the program cannot be checked at the moment */
void        gilk_inspector_set_check (GilkInspector *self, const GilkBoundHook *hook);
/* gilk_inspector_fill_params() adds the chosen instrument's parameters that differ from their
 * defaults to @params (name -> text). gilk_inspector_fill_times() sets the entered start and stop
 * times in @hook. */
void        gilk_inspector_fill_params     (GilkInspector *self, GHashTable *params);
void        gilk_inspector_fill_times      (GilkInspector *self, GilkPlanHook *hook);

/*
 * Entries for an instrument's parameters, built from its description
 *
 * An empty entry means the parameter's default. Signal "changed" (name, text or NULL): the user
 * entered a valid value. An invalid value stays in its entry, marked as an error.
 */

#define GILK_TYPE_PARAMS (gilk_params_get_type ())
G_DECLARE_FINAL_TYPE (GilkParams, gilk_params, GILK, PARAMS, GtkGrid)

/* Shows an entry for each parameter of an instrument. @desc: the instrument's description, copied;
 * NULL: no entries. @values: name of a parameter -> its value as text. Text that the user is typing
 * stays as long as the value in @values is unchanged. */
void     gilk_params_show  (GilkParams *self, const struct ilk_instrument_desc *desc, GHashTable *values);
/* Discards text that the user is typing; call it before showing another hook. */
void     gilk_params_reset (GilkParams *self);
/* Returns whether @text is a valid value of @param. Empty text stands for the default. */
gboolean gilk_params_check (const struct ilk_param *param, const char *text, GError **error);

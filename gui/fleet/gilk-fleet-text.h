/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-fleet-text.h - status texts of a fleet (several targets that record one plan): state,
 * refusals and failures of each target
 */
#pragma once

#include <gio/gio.h>

#include "core/fleet/gilk-fleet.h"

/* Returns the state of target @i of the fleet, such as "recording" or "done: condition met: samples
 * >= 100 (104)". (transfer full) */
char *gilk_fleet_state_text    (GilkFleet *fleet, guint i, const GilkFleetMember *member);
/* Returns one line for each reason of refusals on the target @spec, with the hooks that were
 * refused for that reason. @refusals: (element-type GilkFleetRefusal). (transfer full) */
char *gilk_fleet_refusals_text (const char *spec, const GPtrArray *refusals);
/* Returns a text with the problems of all targets: each target's error, what it recorded despite
 * the error, its last console output, and its refused hooks; "" if all went well. @words: target ->
 * last console output. (transfer full) */
char *gilk_fleet_problems_text (GilkFleet *fleet, GHashTable *words);

/* Requests the last console output of the lab (virtual machine) @spec if it has died. Once
 * @cancellable is cancelled, @callback must not use @user_data. */
void  gilk_fleet_last_output_async  (const char *spec, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
/* Returns the last console output (transfer full); NULL: the target is a lab that did not die, or
 * not a lab, or the call was cancelled. @spec: (out) (transfer none): the target */
char *gilk_fleet_last_output_finish (GAsyncResult *result, const char **spec);

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-fleet-told.h - how each of several targets fares, in words
 */
#pragma once

#include "core/run/gilk-fleet.h"

G_BEGIN_DECLS

/* "recording", "done: condition met: samples >= 100 (104)". (transfer full) */
char *gilk_fleet_tell_state    (GilkFleet *fleet, guint i, const GilkFleetMember *member);
/* A line for each reason, with the hooks that are refused for it. @refusals: (element-type GilkFleetRefusal). (transfer full) */
char *gilk_fleet_tell_refusals (const char *spec, const GPtrArray *refusals);
/* Why each that is not well is not, what is kept of it and what it said last, and what each refuses; "": all are well.
 * @words: of a target, what it said last. (transfer full) */
char *gilk_fleet_tell_troubles (GilkFleet *fleet, GHashTable *words);

/* What a machine that died said last. Once @cancellable is cancelled @callback must not touch what it was asked for. */
void  gilk_fleet_last_words_async  (const char *spec, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
/* (transfer full) (nullable): it did not die, or is no lab, or nobody wants to know any more. @spec: (out) */
char *gilk_fleet_last_words_finish (GAsyncResult *result, const char **spec);

G_END_DECLS

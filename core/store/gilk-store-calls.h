/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-calls.h - a run's recorded indirect calls as edges of a kernel's call graph
 *
 * Functions are matched by name: a session of another boot works, and a session of another build as
 * far as the names agree. Functions that this kernel does not have are omitted.
 *
 * Threads: only the store's.
 */
#pragma once

#include "core/cfg/gilk-call-around.h"
#include "core/store/gilk-store.h"

G_BEGIN_DECLS

/* Returns the recorded calls of @run; empty if there are none. (transfer full) (element-type
 * GilkIndirectCall) */
GArray     *gilk_store_seen_calls (GilkStore *store, gint64 run, GilkFunctions *functions, GError **error);
/* Returns how often functions were called, as far as the hooks recorded: see gilk_call_hits_new().
 * (transfer full) */
GHashTable *gilk_store_call_hits  (GilkStore *store, gint64 run, GilkFunctions *functions, GError **error);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-calls.h - the indirect calls of a run as edges of a kernel's call graph
 *
 * Functions are found by their names: a session of another boot will do, and one of another build as far as
 * names are the same. What has no name here is left out.
 *
 * Threads: that of the store.
 */
#pragma once

#include "core/cfg/gilk-call-around.h"
#include "core/store/gilk-store.h"

G_BEGIN_DECLS

/* (transfer full) (element-type GilkCallSeen): of @run; empty: it recorded none */
GArray     *gilk_store_seen_calls (GilkStore *store, gint64 run, GilkFunctions *functions, GError **error);
/* How often functions were called, as far as hooks tell: gilk_call_hits_new(). (transfer full) */
GHashTable *gilk_store_call_hits  (GilkStore *store, gint64 run, GilkFunctions *functions, GError **error);

G_END_DECLS

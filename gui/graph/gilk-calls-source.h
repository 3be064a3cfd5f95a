/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-calls-source.h - call graph of the connected kernel, shared by all views
 *
 * Kernel code is searched for calls once, in a worker thread, at the first request. Indirect calls
 * and counts come from the open session. Signal "changed": more data is available.
 */
#pragma once

#include "core/cfg/gilk-call-graph.h"

G_BEGIN_DECLS

#define GILK_TYPE_CALLS_SOURCE (gilk_calls_source_get_type ())
G_DECLARE_FINAL_TYPE (GilkCallsSource, gilk_calls_source, GILK, CALLS_SOURCE, GObject)

GilkCallsSource *gilk_calls_source_new         (void);
/* Sets the kernel and discards all data of the previous one. NULL: no kernel. */
void             gilk_calls_source_set_kernel  (GilkCallsSource *self, GilkFunctions *functions, GilkImage *image);
/* Reads the last run of the session at @path, unless already read. NULL: no session. */
void             gilk_calls_source_set_session (GilkCallsSource *self, const char *path);

GilkFunctions *gilk_calls_source_functions      (GilkCallsSource *self);
GilkImage     *gilk_calls_source_image          (GilkCallsSource *self);
/* Returns the call graph; NULL until it is built. The first call starts building it. */
GilkCallGraph *gilk_calls_source_graph          (GilkCallsSource *self);
/* Returns the indirect calls that were recorded; immutable; NULL: none known. (element-type
   GilkIndirectCall) */
GArray        *gilk_calls_source_indirect_calls (GilkCallsSource *self);
/* Returns hits per function as made by gilk_call_hits_new(); immutable; NULL: none known. */
GHashTable    *gilk_calls_source_hits           (GilkCallsSource *self);

G_END_DECLS

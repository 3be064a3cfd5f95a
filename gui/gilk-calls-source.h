/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-calls-source.h - who calls whom in the kernel at hand, for all that show it
 *
 * The kernel's text is read for calls once, off the main thread, when it is asked for first. Calls through pointers and
 * counts come from the session that is open. Signal "changed": there is more than there was.
 */
#pragma once

#include "core/cfg/gilk-call-around.h"

G_BEGIN_DECLS

#define GILK_TYPE_CALLS_SOURCE (gilk_calls_source_get_type ())
G_DECLARE_FINAL_TYPE (GilkCallsSource, gilk_calls_source, GILK, CALLS_SOURCE, GObject)

GilkCallsSource *gilk_calls_source_new         (void);
/* NULL: there is no kernel any more. */
void             gilk_calls_source_set_kernel  (GilkCallsSource *self, GilkFunctions *functions, GilkImage *image);
/* Has the last run of it read, if it is not that already; NULL: none is open. */
void             gilk_calls_source_set_session (GilkCallsSource *self, const char *path);

GilkFunctions   *gilk_calls_source_functions   (GilkCallsSource *self);
GilkImage       *gilk_calls_source_image       (GilkCallsSource *self);
/* NULL while text is read. */
GilkCallGraph   *gilk_calls_source_graph       (GilkCallsSource *self);
/* Immutable; NULL: none are known. (element-type GilkCallSeen) */
GArray          *gilk_calls_source_seen        (GilkCallsSource *self);
/* As gilk_call_hits_new() has them; immutable; NULL: none are known. */
GHashTable      *gilk_calls_source_hits        (GilkCallsSource *self);

G_END_DECLS

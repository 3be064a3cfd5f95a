/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-bound-event.h - finds the tracepoints of a plan in a running kernel
 *
 * Threads: only the plan's thread; blocks on the target.
 */
#pragma once

#include "core/bind/gilk-bound-plan.h"
#include "core/image/gilk-tracepoints.h"

G_BEGIN_DECLS

/**
 * gilk_bound_event_bind:
 * @tracepoints: (inout): the kernel's tracepoints, read when they are first needed
 * Finds the module that has the tracepoint of a hook. Sets the hook's error if its event cannot be
 * hooked.
 */
void     gilk_bound_event_bind     (GilkBoundHook *hook, GilkImage *image, gboolean by_bpf, GilkTracepoints **tracepoints,
                                    GCancellable *cancellable);
/* Returns whether two hooks have the same event, instrument, program and schedule. */
gboolean gilk_bound_event_is_same  (const GilkBoundHook *a, const GilkBoundHook *b);
/* Finds the arguments of the tracepoint @what. Returns FALSE if they are unknown. @btf: (nullable) */
gboolean gilk_bound_event_arguments (const GilkBtf *btf, const char *what, GilkPrototype *arguments);

G_END_DECLS

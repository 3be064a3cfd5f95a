/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-event.h - events of a plan: tracepoints and timers, which are probe points without an
 * address
 *
 *   tracepoint:sched:sched_switch    a tracepoint of the kernel or a module, with its system
 *   tracepoint:sched_switch          the same tracepoint, without its system
 *   profile:99hz                     a hit 99 times per second on each CPU
 *   interval:100ms                   a hit every 100 ms on one CPU
 *
 * On a command line an instrument or "{ PROGRAM }" may follow: profile:99hz:stamp.
 *
 * Threads: any. On failure outputs are untouched.
 */
#pragma once

#include "core/plan/gilk-plan.h"

G_BEGIN_DECLS

/* Returns whether @text starts with the prefix of an event, such as "tracepoint:". */
gboolean    gilk_plan_event_is       (const char *text);
/* Parses the text of an event. @what: (out) (transfer full): the event's canonical text */
gboolean    gilk_plan_event_parse    (const char *text, char **what, GilkPlanEvent *event, GError **error);
/* Sets the probe point of @hook to the event (tracepoint or timer) that @text describes. */
gboolean    gilk_plan_hook_set_event (GilkPlanHook *hook, const char *text, GError **error);
/* Makes a hook that counts the event @what, which must be valid. Gives it a label that is unused in
 * @plan, but does not add it to @plan. (transfer full) */
GilkPlanHook *gilk_plan_event_hook_new (const GilkPlan *plan, const char *what);
/* Returns the name of the tracepoint @what, without its system. (transfer none) */
const char *gilk_plan_event_name     (const char *what);
/* Returns the system of the tracepoint @what; NULL: it has none. (transfer full) (nullable) */
char       *gilk_plan_event_system   (const char *what);
/* Returns a label for a hook of @what, such as "sched_switch" or "profile-99hz". (transfer full) */
char       *gilk_plan_event_label    (const char *what);
/* Cuts ":INSTRUMENT" off the end of the event @text. Returns the instrument; NULL: none. (transfer full) */
char       *gilk_plan_event_cut_instrument (char *text);
/* Returns how the kernel attaches a program to the event: an enum gilk_bpf_tactic. */
guint       gilk_plan_event_tactic   (const GilkPlanEvent *event);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-watchpoint-task.h - looks up names for a watchpoint, and checks it, off the main thread
 */
#pragma once

#include "core/bind/gilk-watchpoint-choices.h"
#include "core/plan/gilk-plan-watchpoint.h"
#include "gui/run/gilk-connection.h"

G_BEGIN_DECLS

/* @code: names of code rather than data. Result: (element-type GilkWatchpointChoice),
 * empty without a kernel. */
void       gilk_watchpoint_choices_async  (GilkConnection *connection, const char *text, gboolean code,
                                           GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
GPtrArray *gilk_watchpoint_choices_finish (GAsyncResult *result, GError **error);

typedef struct {
  char    *text;               /* in plan syntax, with a CPU if it needs one */
  char    *facts;              /* description of its location; NULL: not looked up */
  char    *problem;            /* why it is not possible; NULL: it is */
  gboolean wants_cpu;          /* the variable is per-CPU */
  gboolean unknown;            /* the problem is an unknown name */
} GilkWatchpointCheck;

void            gilk_watchpoint_check_free (GilkWatchpointCheck *check);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkWatchpointCheck, gilk_watchpoint_check_free)

/**
 * gilk_watchpoint_check_async:
 * @plan: has the other watchpoints; copied
 * @index: the watchpoint of @plan to replace; -1: none
 * @text: the watchpoint
 * @cpu: CPU to use if it needs one and @text has none: its number, or GILK_WATCHPOINT_EACH_CPU
 */
void                 gilk_watchpoint_check_async  (GilkConnection *connection, const GilkPlan *plan, int index, const char *text,
                                                   int cpu, GCancellable *cancellable, GAsyncReadyCallback callback,
                                                   gpointer user_data);
GilkWatchpointCheck *gilk_watchpoint_check_finish (GAsyncResult *result, GError **error);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-watch-task.h - what a watch that is being written could be, and what is there of it, looked up off the main thread
 */
#pragma once

#include "core/run/gilk-plan-watch.h"
#include "core/run/gilk-watch-choices.h"
#include "gui/gilk-connection.h"

G_BEGIN_DECLS

/* @code: of instructions. Result: (element-type GilkWatchChoice), none without a kernel. */
void       gilk_watch_choices_async  (GilkConnection *connection, const char *text, gboolean code,
                                      GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
GPtrArray *gilk_watch_choices_finish (GAsyncResult *result, GError **error);

typedef struct {
  char    *text;               /* as the plan will have it, with a processor where it wants one */
  char    *facts;              /* where it is, for people; NULL: no kernel was asked */
  char    *problem;            /* why it cannot be; NULL: it can */
  gboolean wants_cpu;          /* each processor has its own */
  gboolean unknown;            /* the problem is that there is none of that name */
} GilkWatchCheck;

void            gilk_watch_check_free (GilkWatchCheck *check);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkWatchCheck, gilk_watch_check_free)

/**
 * gilk_watch_check_async:
 * @plan: what else is watched; copied
 * @index: the watch of it that this one takes the place of; -1: none
 * @text: the watch
 * @cpu: of which processor, where it wants one and says none: its number, or GILK_WATCH_OWN_CPU
 */
void            gilk_watch_check_async  (GilkConnection *connection, const GilkPlan *plan, int index, const char *text,
                                         int cpu, GCancellable *cancellable, GAsyncReadyCallback callback,
                                         gpointer user_data);
GilkWatchCheck *gilk_watch_check_finish (GAsyncResult *result, GError **error);

G_END_DECLS

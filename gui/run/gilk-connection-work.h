/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-connection-work.h - binding of plans to the connected kernel, and disarming of all hooks
 *
 * For the main thread; the work is done in worker threads.
 */
#pragma once

#include "core/bind/gilk-bound-plan.h"
#include "gui/run/gilk-connection.h"

G_BEGIN_DECLS

/* Binds a copy of @plan to the connected kernel. Fails with GILK_ERROR_TARGET if there is none. */
void           gilk_connection_bind_async  (GilkConnection *self, const GilkPlan *plan,
                                            GCancellable *cancellable,
                                            GAsyncReadyCallback callback, gpointer user_data);
GilkBoundPlan *gilk_connection_bind_finish (GilkConnection *self, GAsyncResult *result, GError **error);

/* Disarms all hooks of all clients. The result is the number of patches restored, -1 on error. */
void   gilk_connection_disarm_async  (GilkConnection *self, GAsyncReadyCallback callback, gpointer user_data);
gssize gilk_connection_disarm_finish (GilkConnection *self, GAsyncResult *result, GError **error);

G_END_DECLS

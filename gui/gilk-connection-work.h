/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-connection-work.h - plans bound to the connected kernel, and hooks put back in it
 * For the main thread; the work is done by others.
 */
#pragma once

#include "core/run/gilk-bound-plan.h"
#include "gui/gilk-connection.h"

G_BEGIN_DECLS

/* @plan is copied. */
void           gilk_connection_bind_async  (GilkConnection *self, const GilkPlan *plan,
                                            GCancellable *cancellable,
                                            GAsyncReadyCallback callback, gpointer user_data);
GilkBoundPlan *gilk_connection_bind_finish (GilkConnection *self, GAsyncResult *result, GError **error);

/* Puts back every hook of every client. Result: how many were restored, -1 on error. */
void     gilk_connection_disarm_async  (GilkConnection *self, GAsyncReadyCallback callback, gpointer user_data);
gssize   gilk_connection_disarm_finish (GilkConnection *self, GAsyncResult *result, GError **error);

G_END_DECLS

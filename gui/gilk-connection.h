/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-connection.h - the workbench's one kernel: target, image, functions
 *
 * Wraps the blocking calls of core/target in worker threads. All methods and
 * signals belong to the main thread.
 *
 * Signals: "changed" (state, progress or instruments are new), "failed" (GError):
 * the sentence to show.
 */
#pragma once

#include <gio/gio.h>

#include "core/cfg/gilk-function.h"
#include "core/run/gilk-bound-plan.h"
#include "core/target/gilk-image.h"

G_BEGIN_DECLS

typedef enum {
  GILK_CONNECTION_NONE,
  GILK_CONNECTION_CONNECTING,
  GILK_CONNECTION_READY,
} GilkConnectionState;

#define GILK_TYPE_CONNECTION (gilk_connection_get_type ())
G_DECLARE_FINAL_TYPE (GilkConnection, gilk_connection, GILK, CONNECTION, GObject)

GilkConnection *gilk_connection_new (void);

/* Leaves the old target, goes to @spec; ends in "changed" or "failed". */
void gilk_connection_open   (GilkConnection *self, const char *spec);
void gilk_connection_close  (GilkConnection *self);
void gilk_connection_cancel (GilkConnection *self);

GilkConnectionState gilk_connection_state (GilkConnection *self);
/* "lab:6.1"; the one asked for while connecting; NULL if there is none. */
const char    *gilk_connection_spec      (GilkConnection *self);
const char    *gilk_connection_release   (GilkConnection *self);
const char    *gilk_connection_build_id  (GilkConnection *self);
/* What is being done and how far it is (negative: unknown). */
const char    *gilk_connection_progress  (GilkConnection *self, double *fraction);
GilkImage     *gilk_connection_image     (GilkConnection *self);
GilkFunctions *gilk_connection_functions (GilkConnection *self);
gboolean       gilk_connection_has_driver (GilkConnection *self);
/* Every instrument name that can be used, "count", "stamp" and "span" first. */
const char *const *gilk_connection_instruments (GilkConnection *self);
/* Description of a loaded module, NULL for inline ones or not yet loaded. */
const struct ilk_instrument_desc *gilk_connection_instrument (GilkConnection *self, const char *name);
/* Looks again at what is loaded. */
void           gilk_connection_refresh_instruments (GilkConnection *self);

/* @plan is copied. */
void           gilk_connection_bind_async  (GilkConnection *self, const GilkPlan *plan,
                                            GCancellable *cancellable,
                                            GAsyncReadyCallback callback, gpointer user_data);
GilkBoundPlan *gilk_connection_bind_finish (GilkConnection *self, GAsyncResult *result, GError **error);

/* Puts back every hook of every client. Result: how many were restored, -1 on error. */
void     gilk_connection_disarm_async  (GilkConnection *self, GAsyncReadyCallback callback, gpointer user_data);
gssize   gilk_connection_disarm_finish (GilkConnection *self, GAsyncResult *result, GError **error);

G_END_DECLS

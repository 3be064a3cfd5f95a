/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-connection.h - the window's connection to a kernel: target, image, functions
 *
 * Runs the blocking calls of core/link and core/image in worker threads; gilk-connection-work.c
 * binds plans and disarms hooks. All methods and signals belong to the main thread.
 *
 * NONE -open-> CONNECTING -ok-> READY -stream broke-> LOST -open the same-> CONNECTING
 *                \-failed-> NONE, or LOST again       \-close-> NONE
 *
 * In LOST, and until the same target is connected again, functions and image remain those of the
 * previous kernel, so that they can still be shown.
 *
 * Signals: "changed" (state, progress or the loaded instruments), "way-changed"
 * (gilk_connection_use() has switched between driver and BPF), "instruments-changed" (the names of
 * usable instruments have changed), "failed" (GError): why the target could not be opened, or the
 * way to hook the kernel not be changed, for display. "boot-cancelled" (char *lab, gboolean
 * left_running): an open that had started to boot @lab was cancelled; the lab was stopped unless
 * @left_running.
 */
#pragma once

#include <gio/gio.h>

#include "core/base/gilk-progress.h"
#include "core/bind/gilk-bound-plan.h"
#include "core/cfg/gilk-function.h"
#include "core/image/gilk-image.h"

typedef enum {
  GILK_CONNECTION_NONE,
  GILK_CONNECTION_CONNECTING,
  GILK_CONNECTION_READY,
  GILK_CONNECTION_LOST,
} GilkConnectionState;

#define GILK_TYPE_CONNECTION (gilk_connection_get_type ())
G_DECLARE_FINAL_TYPE (GilkConnection, gilk_connection, GILK, CONNECTION, GObject)

GilkConnection *gilk_connection_new (void);

/* Closes the current target and opens @spec. Emits "changed", and "failed" on error. @way:
 * preferred way to hook the kernel, driver or BPF; if it is not possible, the other one is used */
void gilk_connection_open   (GilkConnection *self, const char *spec, enum gilk_way way);
void gilk_connection_close  (GilkConnection *self);
void gilk_connection_cancel (GilkConnection *self);

GilkConnectionState gilk_connection_state (GilkConnection *self);
/* Returns the target, such as "lab:6.1", or the target being opened; NULL: none. */
const char    *gilk_connection_spec      (GilkConnection *self);
const char    *gilk_connection_release   (GilkConnection *self);
const char    *gilk_connection_build_id  (GilkConnection *self);
/* Returns a text about the current step of connecting. Sets @fraction to how much of the step is
 * done, from 0 to 1; negative: unknown. */
const char    *gilk_connection_progress  (GilkConnection *self, double *fraction);
GilkImage     *gilk_connection_image     (GilkConnection *self);
GilkFunctions *gilk_connection_functions (GilkConnection *self);
/* Returns whether the kernel can be hooked, no matter whether by the driver or by BPF; FALSE unless
 * the state is READY. */
gboolean       gilk_connection_has_driver (GilkConnection *self);

/*
 * The way to hook the kernel: driver or BPF
 */

/* Returns the way in use; GILK_WAY_ILK unless the state is READY. */
enum gilk_way  gilk_connection_way          (GilkConnection *self);
/* Returns why the kernel cannot be hooked by @way, and the remedy; NULL: it can, or this is
 * unknown, or no target is connected. */
const char    *gilk_connection_way_obstacle (GilkConnection *self, enum gilk_way way);
/* Starts to change the way to hook the kernel to @way. Must not be called while hooks are live, or
 * another change is in progress. Afterwards emits "way-changed" and "changed" or, on error,
 * "failed" and "changed". */
void           gilk_connection_use          (GilkConnection *self, enum gilk_way way);
gboolean       gilk_connection_is_switching (GilkConnection *self);

/* Returns all usable instrument names, NULL-terminated, "count", "stamp" and "span" first. */
const char *const *gilk_connection_instruments (GilkConnection *self);
/* Returns the description of a loaded instrument module; NULL: @name is not a loaded module. */
const struct ilk_instrument_desc *gilk_connection_instrument (GilkConnection *self, const char *name);
/* Reads the list of loaded instruments again, asynchronously. */
void           gilk_connection_refresh_instruments (GilkConnection *self);

/* Returns why the state is LOST, as a sentence; NULL in other states. */
const char *gilk_connection_lost_reason (GilkConnection *self, GilkLoss *loss);
/* Ends a connection that does not answer. The state becomes LOST, with reason @why. */
void        gilk_connection_abandon     (GilkConnection *self, const char *why);
/* Returns the target; NULL unless the state is READY. (transfer none) */
GilkTarget *gilk_connection_target      (GilkConnection *self);

/*
 * Binding of plans to the connected kernel, and disarming of all hooks
 *
 * For the main thread; the work is done in worker threads.
 */

/* Binds a copy of @plan: finds how each of its hooks can be placed in the connected kernel. Fails
 * with GILK_ERROR_TARGET if no kernel is connected. */
void           gilk_connection_bind_async  (GilkConnection *self, const GilkPlan *plan,
                                            GCancellable *cancellable,
                                            GAsyncReadyCallback callback, gpointer user_data);
GilkBoundPlan *gilk_connection_bind_finish (GilkConnection *self, GAsyncResult *result, GError **error);

/* Disarms all hooks of all clients. The result is the number of hooked locations that were
 * restored, -1 on error. */
void   gilk_connection_disarm_async  (GilkConnection *self, GAsyncReadyCallback callback, gpointer user_data);
gssize gilk_connection_disarm_finish (GilkConnection *self, GAsyncResult *result, GError **error);

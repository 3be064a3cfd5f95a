/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-connection.h - the workbench's one kernel: target, image, functions
 *
 * Wraps the blocking calls of core/target in worker threads (gilk-connection-work.h has those that
 * do something to the kernel). All methods and signals belong to the main thread.
 *
 *   NONE -open-> CONNECTING -ok-> READY -stream broke-> LOST -open the same-> CONNECTING
 *                    \-failed-> NONE, or LOST where it was          \-close-> NONE
 *
 * In LOST, and until the same target is there again, functions and image are those of the kernel
 * that was: what was read of it can be looked at.
 *
 * Signals: "changed" (state, progress or what is known of instruments is new), "instruments-changed" (their names), "failed" (GError):
 * the sentence to show, of what could not be opened. "boot-cancelled" (char *, gboolean): opening was cancelled, and
 * the lab of that name, which it had begun to boot, was stopped, or, if that was not possible, goes on.
 */
#pragma once

#include <gio/gio.h>

#include "core/cfg/gilk-function.h"
#include "core/target/gilk-image.h"

G_BEGIN_DECLS

typedef enum {
  GILK_CONNECTION_NONE,
  GILK_CONNECTION_CONNECTING,
  GILK_CONNECTION_READY,
  GILK_CONNECTION_LOST,
} GilkConnectionState;

#define GILK_TYPE_CONNECTION (gilk_connection_get_type ())
G_DECLARE_FINAL_TYPE (GilkConnection, gilk_connection, GILK, CONNECTION, GObject)

GilkConnection *gilk_connection_new (void);

/* Leaves the old target, goes to @spec; ends in "changed", and "failed" if it cannot be opened. */
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
/* Only where it is READY. */
gboolean       gilk_connection_has_driver (GilkConnection *self);
/* Every instrument name that can be used, "count", "stamp" and "span" first. */
const char *const *gilk_connection_instruments (GilkConnection *self);
/* Description of a loaded module, NULL for inline ones or not yet loaded. */
const struct ilk_instrument_desc *gilk_connection_instrument (GilkConnection *self, const char *name);
/* Looks again at what is loaded. */
void           gilk_connection_refresh_instruments (GilkConnection *self);

/* Why it is LOST, in a sentence; NULL if it is not. */
const char    *gilk_connection_loss      (GilkConnection *self, GilkLoss *loss);
/* Ends a connection that does not answer: it is LOST, for @why. */
void           gilk_connection_abandon   (GilkConnection *self, const char *why);
/* Of a connection that is READY; NULL in other states. */
GilkTarget    *gilk_connection_target    (GilkConnection *self);

G_END_DECLS

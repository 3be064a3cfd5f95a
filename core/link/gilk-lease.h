/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-lease.h - heartbeat from client to agent
 *
 * A connection may fall silent without an end: hooks would stay in the text until TCP gives up,
 * after some fifteen minutes or more. If the client is stopped, they would stay until it continues.
 * So the agent is asked to treat some seconds of silence as the end of the connection (GILK_LEASE),
 * and a thread sends a beat several times in that period (GILK_RENEW_LEASE), whatever the client is doing.
 *
 * Private to core/link.
 *
 * Threads: those that open and close the target.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _GilkTarget GilkTarget;
typedef struct _GilkLease  GilkLease;

/*
 * Asks for a lease of 3 s for "ssh:...", none for a lab that counts instructions, else 20 s.
 * $GILK_LEASE overrides it for all targets, in seconds; 0: none, useful in a debugger. Sets
 * @target's lease; returns TRUE also if there is none.
 */
gboolean gilk_lease_start (GilkTarget *target, GCancellable *cancellable, GError **error);
/* Stops the heartbeat and frees @lease. No beat is sent afterwards. */
void     gilk_lease_stop  (GilkLease *lease);

G_END_DECLS

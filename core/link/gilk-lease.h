/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-lease.h - sends heartbeats from client to agent
 *
 * A connection may become silent without being closed: hooks would stay in the text until TCP gives
 * up, after fifteen minutes or more. If the client is stopped, hooks would stay until it continues.
 * So the client asks the agent to treat some seconds of silence as the end of the connection
 * (GILK_LEASE), and a thread sends several heartbeats in that period (GILK_RENEW_LEASE), whatever
 * the client is doing.
 *
 * Private to core/link.
 *
 * Threads: only those that open and close the target.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _GilkTarget GilkTarget;
typedef struct _GilkLease  GilkLease;

/*
 * Requests a lease of 3 s for "ssh:...", none for a lab that counts instructions, else 20 s.
 * $GILK_LEASE, in seconds, overrides this for all targets; 0 means none, which is useful in a
 * debugger. Sets @target's lease; returns TRUE even without a lease.
 */
gboolean gilk_lease_start (GilkTarget *target, GCancellable *cancellable, GError **error);
/* Stops the heartbeat and frees @lease. No heartbeat is sent afterwards. */
void     gilk_lease_stop  (GilkLease *lease);

G_END_DECLS

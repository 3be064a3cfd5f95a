/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-lease.h - that a client is there, said so often that the agent need not guess
 *
 * A connection may fall silent without an end, and hooks would stay in the text until TCP gives
 * up, in a quarter of an hour or two. A client may be stopped, and hooks would stay until it goes on. So the agent is asked to take a silence of some seconds for
 * the end (GILK_LEASE), and a thread speaks up in between (GILK_BEAT), whatever the client is at.
 *
 * Private to core/target.
 *
 * Threads: those that open and close the target.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _GilkTarget GilkTarget;
typedef struct _GilkLease  GilkLease;

/*
 * A target "ssh:..." gets 3 s, any other 20 s, a lab that counts instructions none; $GILK_LEASE tells seconds for
 * all, 0 none (a client under a debugger). Sets @target's lease. TRUE also where there is to be none.
 */
gboolean gilk_lease_begin (GilkTarget *target, GCancellable *cancellable, GError **error);
/* No beat comes after it. */
void     gilk_lease_end   (GilkLease *lease);

G_END_DECLS

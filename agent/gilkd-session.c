// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gilkd-session.c - ends a client's session and releases what it holds
 */
#include "gilkd.h"

/*
 * Idempotent. Closing the device makes the driver restore all text of this session; arena modules
 * that were loaded for it are unloaded later.
 */
void gilkd_session_end(struct gilkd *d)
{
	gilkd_samples_end(d);
	gilkd_driver_close(d);
	gilkd_opener_release(&d->opener);
	if (d->in_session && d->audit.live)
		gilkd_audit_log(&d->audit, "session ended; the driver restores %u patches", d->audit.live);
	else if (d->in_session)
		gilkd_audit_log(&d->audit, "session over");
	d->audit.prepared = d->audit.live = 0;
	if (d->in_session)
		gilkd_arenas_release(d);
	gilkd_kcore_close(d);
	d->in_session = false;
	d->lease_ms = 0;
}

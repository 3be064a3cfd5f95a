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
	gilkd_look_release(&d->looker);
	if (d->hello && d->acts.live)
		gilkd_act(&d->acts, "session ended; the driver restores %u patches", d->acts.live);
	else if (d->hello)
		gilkd_act(&d->acts, "session over");
	d->acts.prepared = d->acts.live = 0;
	if (d->hello)
		gilkd_arenas_release(d);
	gilkd_kcore_close(d);
	d->hello = false;
	d->lease_ms = 0;
}

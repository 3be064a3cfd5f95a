// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gilkd-session.c - what one client holds, and its end
 */
#include "gilkd.h"

/* Idempotent. Closing the device makes the driver restore all text of this session. */
void gilkd_session_end(struct gilkd *d)
{
	gilkd_samples_end(d);
	gilkd_driver_close(d);
	gilkd_kcore_close(d);
	d->hello = false;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gilkd-crash.c - lets hooks crash the kernel
 */
#include <errno.h>
#include <sys/ioctl.h>

#include "gilkd-driver.h"

void gilkd_do_crash(struct gilkd_driver *driver, uint8_t *payload, size_t length)
{
	struct ilk_crash *crash = (struct ilk_crash *)payload;

	crash->refusal = 0;
	crash->pad = 0;
	if (!gilkd_driver_open(driver))
		return;
	if (ioctl(driver->device, ILK_IOC_CRASH, crash) && !crash->refusal)
		gilkd_driver_fail(driver, "allow a hook to make the kernel crash", errno);
	else
		gilkd_answer(driver->client, payload, length);
}

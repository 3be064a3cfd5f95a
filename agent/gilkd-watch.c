// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gilkd-watch.c - handles requests about watchpoints
 *
 * The driver checks each item. If it refuses an item, the item contains the refusal, and the
 * request still succeeds.
 */
#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>

#include "gilkd-driver.h"

/*
 * Returns the number of items of @size in the payload; answers the request and returns 0 if the
 * length is invalid.
 */
static uint32_t count_items(struct gilkd_driver *driver, size_t length, size_t size)
{
	if (length && length % size == 0 && length / size <= ILK_WATCHES_MAX)
		return (uint32_t)(length / size);
	gilkd_fail(driver->client, EINVAL, "Malformed request: %zu bytes of watchpoints. Client "
					   "and agent may be of different versions.", length);
	return 0;
}

void gilkd_do_watch(struct gilkd_driver *driver, uint8_t *payload, size_t length)
{
	struct ilk_watch_set set = { .watches = (uintptr_t)payload };

	set.count = count_items(driver, length, sizeof(struct ilk_watch));
	if (!set.count || !gilkd_driver_open(driver))
		return;
	if (ioctl(driver->device, ILK_IOC_WATCH, &set) && !set.failed)
		gilkd_driver_fail(driver, "set the watchpoints", errno);
	else
		gilkd_answer(driver->client, payload, length);
}

void gilkd_do_watch_status(struct gilkd_driver *driver, uint8_t *payload, size_t length)
{
	struct ilk_watch_query tell = { .watches = (uintptr_t)payload };

	tell.count = count_items(driver, length, sizeof(struct ilk_watch_status));
	if (!tell.count || !gilkd_driver_open(driver))
		return;
	if (ioctl(driver->device, ILK_IOC_WATCH_STATUS, &tell))
		gilkd_driver_fail(driver, "report the watchpoints", errno);
	else
		gilkd_answer(driver->client, payload, length);
}

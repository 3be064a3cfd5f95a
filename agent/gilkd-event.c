// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gilkd-event.c - handles requests about event counters and crashes
 *
 * The driver checks each item. If it refuses an item, the item contains the refusal, and the
 * request still succeeds.
 */
#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>

#include "gilkd-driver.h"

static int get_refusal(const struct ilk_event_counter *events, uint32_t count)
{
	uint32_t i;

	for (i = 0; i < count; i++)
		if (events[i].refusal)
			return 1;
	return 0;
}

void gilkd_do_events(struct gilkd_driver *driver, uint8_t *payload, size_t length)
{
	struct gilk_events head;
	struct ilk_event_counter *events = (struct ilk_event_counter *)(payload + sizeof(head));
	struct ilk_events call = { .events = (uintptr_t)events };
	uint32_t i;

	memcpy(&head, payload, sizeof(head));
	length -= sizeof(head);
	if (length % sizeof(*events)) {
		gilkd_fail(driver->client, EINVAL, "Malformed request: %zu bytes of counters. "
						   "Client and agent may be of different "
						   "versions.", length);
		return;
	}
	call.flags = head.flags;
	call.count = length / sizeof(*events);
	for (i = 0; i < call.count; i++)
		events[i].error = events[i].refusal = 0;
	if (!gilkd_driver_open(driver))
		return;
	if (ioctl(driver->device, ILK_IOC_EVENTS, &call) && !get_refusal(events, call.count))
		gilkd_driver_fail(driver, "create event counters", errno);
	else
		gilkd_answer(driver->client, events, length);
}

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

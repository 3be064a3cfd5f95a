// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gilkd-memory.c - handles requests about memory that hooks use, and about modules called by their
 * code
 *
 * The driver limits how much it allocates and checks reads; this file checks that a request is
 * complete, and that its answer fits.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "gilkd-driver.h"

static void fail_alloc(struct gilkd_driver *driver, int error)
{
	if (error == E2BIG)
		gilkd_fail(driver->client, error, "The hooks need more memory than one session "
						  "may have, %u MiB with the copies of all CPUs; "
						  "use smaller maps in their programs, or wait a "
						  "moment until an earlier run's memory is free.",
			   ILK_POOL_BYTES_MAX >> 20);
	else
		gilkd_driver_fail(driver, "allocate memory for the hooks", error);
}

void gilkd_do_memory(struct gilkd_driver *driver, uint8_t *payload, size_t length)
{
	struct ilk_memory memory = { .areas = (uintptr_t)payload };

	if (length % sizeof(struct ilk_area) || length / sizeof(struct ilk_area) > ILK_BATCH_MAX) {
		gilkd_fail(driver->client, EINVAL, "Malformed request: %zu bytes of memory areas. "
						   "Client and agent may be of different "
						   "versions.", length);
		return;
	}
	memory.count = length / sizeof(struct ilk_area);
	if (!gilkd_driver_open(driver))
		return;
	if (ioctl(driver->device, ILK_IOC_MEMORY, &memory)) {
		fail_alloc(driver, errno);
		return;
	}
	driver->holds = true;
	gilkd_answer(driver->client, payload, length);
}

/*
 * Returns the size of the answer to a MEMORY_READ request, which is the sum over all of its reads.
 * Stops adding once the limit is exceeded.
 */
static uint64_t count_read_bytes(const struct ilk_memory_read *reads, size_t count)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < count && sum <= GILK_WIRE_MEMORY_MAX; i++)
		sum += reads[i].bytes;
	return sum;
}

/*
 * Reads words of all requested areas (memory of hooks) into @out, one after another. Returns 0 or
 * an errno.
 */
static int read_all_areas(struct gilkd_driver *driver, struct ilk_memory_read *reads, size_t count,
			  uint8_t *out)
{
	size_t i;

	for (i = 0; i < count; i++) {
		reads[i].out = (uintptr_t)out;
		if (ioctl(driver->device, ILK_IOC_MEMORY_READ, &reads[i]))
			return errno;
		out += reads[i].bytes;
	}
	return 0;
}

static void fail_read(struct gilkd_driver *driver, int error)
{
	if (error == ENOENT)
		gilkd_fail(driver->client, error, "The maps of the hooks no longer exist: the "
						  "hooks were freed, or belong to another "
						  "session; read the maps before freeing the "
						  "hooks.");
	else
		gilkd_driver_fail(driver, "read the maps of the hooks", error);
}

void gilkd_do_memory_read(struct gilkd_driver *driver, uint8_t *payload, size_t length)
{
	struct ilk_memory_read *reads = (struct ilk_memory_read *)payload;
	size_t count = length / sizeof(*reads);
	uint64_t bytes;
	uint8_t *out;
	int error;

	if (length % sizeof(*reads) || count > ILK_BATCH_MAX) {
		gilkd_fail(driver->client, EINVAL, "Malformed request: %zu bytes of map reads. "
						   "Client and agent may be of different "
						   "versions.", length);
		return;
	}
	bytes = count_read_bytes(reads, count);
	if (bytes > GILK_WIRE_MEMORY_MAX) {
		gilkd_fail(driver->client, E2BIG, "The request asks for more map data than fits "
						  "into one answer; ask for less at once.");
		return;
	}
	if (!gilkd_driver_open(driver))
		return;
	out = malloc(bytes + 1);
	error = out ? read_all_areas(driver, reads, count, out) : ENOMEM;
	if (error)
		fail_read(driver, error);
	else
		gilkd_answer(driver->client, out, bytes);
	free(out);
}

/*
 * Answers PIN, which keeps a module loaded while the code of hooks may call it. If the driver
 * refuses the pin, the answer contains the refusal.
 */
void gilkd_do_pin(struct gilkd_driver *driver, uint8_t *payload, size_t length)
{
	struct ilk_pin *pin = (struct ilk_pin *)payload;

	pin->refusal = 0;
	pin->pad = 0;
	if (!gilkd_driver_open(driver))
		return;
	if (ioctl(driver->device, ILK_IOC_PIN, pin) && !pin->refusal)
		gilkd_driver_fail(driver, "pin a module whose function is called by hooks", errno);
	else
		gilkd_answer(driver->client, payload, length);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gilkd-driver.c - opens /dev/ilk, and handles requests that become its ioctls
 *
 * The time stamp counters of CPUs may differ: only values read on one CPU are comparable. So calls
 * that read clocks are made from one CPU.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "gilkd-driver.h"

#define DEVICE_PATH	"/dev/" ILK_DEVICE_NAME

bool gilkd_driver_exists(void)
{
	return !access(DEVICE_PATH, F_OK);
}

static void fail_open(struct gilkd_driver *driver, int error)
{
	if (error == ENOENT || error == ENODEV || error == ENXIO)
		gilkd_fail(driver->client, ENODEV, "The driver ilk is not loaded; load it with "
						   "\"gilk doctor --load\", or with modprobe ilk "
						   "as root.");
	else if (error == EACCES || error == EPERM)
		gilkd_fail(driver->client, error, "No permission to open %s: %s; run the agent "
						  "as root.", DEVICE_PATH, strerror(error));
	else
		gilkd_fail(driver->client, error, "Cannot open %s: %s; unload and reload the "
						  "driver.", DEVICE_PATH, strerror(error));
}

/* Opens /dev/ilk. Returns a descriptor, or -1 with errno set. */
int gilkd_driver_open_file(void)
{
	return open(DEVICE_PATH, O_RDWR | O_CLOEXEC);
}

/* Opens the device for this session unless it is open. Answers the request if opening fails. */
bool gilkd_driver_open(struct gilkd_driver *driver)
{
	struct ilk_info info = { 0 };

	if (driver->device >= 0)
		return true;

	driver->device = gilkd_driver_open_file();
	if (driver->device < 0) {
		fail_open(driver, errno);
		return false;
	}
	if (ioctl(driver->device, ILK_IOC_INFO, &info) || info.abi != ILK_ABI_VERSION) {
		gilkd_fail(driver->client, EPROTO, "The loaded driver has ABI %u, this agent "
						   "needs %u; unload ilk and load the one that "
						   "was installed with this release.", info.abi,
			   ILK_ABI_VERSION);
		gilkd_driver_close(driver);
		return false;
	}

	return true;
}

void gilkd_driver_close(struct gilkd_driver *driver)
{
	if (driver->device >= 0)
		close(driver->device);
	driver->device = -1;
	driver->holds = false;
}

/* Answers the request with an error: the driver could not do @what. */
void gilkd_driver_fail(struct gilkd_driver *driver, const char *what, int error)
{
	gilkd_fail(driver->client, error, "The driver could not %s: %s; the target's kernel log "
					  "(dmesg) may say more.", what, strerror(error));
}

/*
 * Moves this thread to the first CPU on which it may run. That CPU is the reference for clocks,
 * which must be the same for every request. Returns false if the thread was not moved: then the
 * call is made on any CPU.
 * @before: set to the affinity to restore. The kernel does not report whether we may run on CPUs
 *     that are offline. If we may run on all online CPUs, sets @before to all CPUs, so that we may
 *     also run on offline CPUs once they are back.
 */
static bool move_to_reference(cpu_set_t *before)
{
	cpu_set_t first, all, there;
	int cpu;

	if (sched_getaffinity(0, sizeof(*before), before))
		return false;
	memset(&all, 0xff, sizeof(all));
	if (!sched_setaffinity(0, sizeof(all), &all) && !sched_getaffinity(0, sizeof(there), &there) &&
	    CPU_EQUAL(before, &there))
		*before = all;
	for (cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		CPU_ZERO(&first);
		CPU_SET(cpu, &first);
		if (!sched_setaffinity(0, sizeof(first), &first))
			return true;
	}
	return false;
}

/*
 * Makes a call that reads clocks, on the CPU that is the reference for clocks. Returns 0 or an
 * errno.
 */
int gilkd_driver_ioctl_on_reference(struct gilkd_driver *driver, unsigned long command,
				    void *argument)
{
	cpu_set_t before;
	bool gone = move_to_reference(&before);
	int error = ioctl(driver->device, command, argument) ? errno : 0;

	if (gone)
		sched_setaffinity(0, sizeof(before), &before);
	return error;
}

bool gilkd_driver_info(struct gilkd_driver *driver, struct ilk_info *info)
{
	int error;

	if (!gilkd_driver_open(driver))
		return false;
	error = gilkd_driver_ioctl_on_reference(driver, ILK_IOC_INFO, info);
	if (error) {
		gilkd_driver_fail(driver, "describe itself", error);
		return false;
	}

	return true;
}

void gilkd_do_driver_info(struct gilkd_driver *driver, uint8_t *payload, size_t length)
{
	struct ilk_info info = { 0 };

	if (gilkd_driver_info(driver, &info))
		gilkd_answer(driver->client, &info, sizeof(info));
}

void gilkd_do_instruments(struct gilkd_driver *driver, uint8_t *payload, size_t length)
{
	struct ilk_instruments list = { .capacity = 32 };

	if (!gilkd_driver_open(driver))
		return;

	for (;;) {
		struct ilk_instrument_desc *descs = calloc(list.capacity, sizeof(*descs));
		int error;

		list.descs = (uintptr_t)descs;
		list.count = 0;
		error = !descs ? ENOMEM :
			ioctl(driver->device, ILK_IOC_INSTRUMENTS, &list) ? errno : 0;
		if (error && !(error == ENOSPC && list.count > list.capacity)) {
			gilkd_driver_fail(driver, "list its instruments", error);
			free(descs);
			return;
		}
		if (list.count <= list.capacity) {
			gilkd_answer(driver->client, descs, list.count * sizeof(*descs));
			free(descs);
			return;
		}
		free(descs);
		list.capacity = list.count + 8;
	}
}

void gilkd_do_status(struct gilkd_driver *driver, uint8_t *payload, size_t length)
{
	struct ilk_status status;
	uint32_t flags;

	memcpy(&status, payload, sizeof(status));
	flags = status.flags;
	if (!gilkd_driver_open(driver))
		return;

	for (status.capacity = 64;; status.capacity = status.count + 64) {
		struct ilk_patch_status *patches = calloc(status.capacity, sizeof(*patches));
		int error;

		status.flags = flags;
		status.patches = (uintptr_t)patches;
		status.count = 0;
		error = !patches ? ENOMEM :
			ioctl(driver->device, ILK_IOC_STATUS, &status) ? errno : 0;
		if (error && !(error == ENOSPC && status.count > status.capacity)) {
			gilkd_driver_fail(driver, "report what is armed", error);
			free(patches);
			return;
		}
		if (status.count <= status.capacity) {
			status.patches = 0;
			gilkd_answer_part(driver->client, &status, sizeof(status));
			gilkd_answer(driver->client, patches, status.count * sizeof(*patches));
			free(patches);
			return;
		}
		free(patches);
	}
}

void gilkd_do_counters(struct gilkd_driver *driver, uint8_t *payload, size_t length)
{
	struct ilk_counters counters = { 0 };
	struct ilk_info info = { 0 };
	uint32_t flags;
	size_t bytes;
	void *out;

	memcpy(&flags, payload, sizeof(flags));
	counters.flags = flags;
	counters.count = (length - sizeof(flags)) / sizeof(uint32_t);
	if ((length - sizeof(flags)) % sizeof(uint32_t) || counters.count > ILK_BATCH_MAX) {
		gilkd_fail(driver->client, EINVAL, "The request asks for more counters than fit "
						   "into one answer; ask for fewer at once.");
		return;
	}
	if (!gilkd_driver_info(driver, &info))
		return;

	bytes = counters.count * sizeof(struct ilk_counter);
	if (flags & ILK_COUNTERS_PER_CPU)
		bytes *= info.nr_cpus;
	if (bytes > GILK_WIRE_COUNTERS_MAX) {
		gilkd_fail(driver->client, E2BIG, "The request asks for more counters than fit "
						  "into one answer; ask for fewer at once.");
		return;
	}
	out = calloc(1, bytes + 1);
	counters.iids = (uintptr_t)(payload + sizeof(flags));
	counters.out = (uintptr_t)out;
	if (!out || (bytes && ioctl(driver->device, ILK_IOC_COUNTERS, &counters)))
		gilkd_driver_fail(driver, "read the counters", out ? errno : ENOMEM);
	else
		gilkd_answer(driver->client, out, bytes);
	free(out);
}

/* ---- requests about clocks, the cost of code, intervals and crashes ---- */

void gilkd_do_clocks(struct gilkd_driver *driver, uint8_t *payload, size_t length)
{
	struct ilk_clocks clocks = { 0 };
	struct gilk_clocks answer = { 0 };
	struct ilk_cpu_clock *cpus = NULL;
	struct ilk_info info = { 0 };
	uint32_t all;
	int error;

	memcpy(&all, payload, sizeof(all));
	if (!gilkd_driver_info(driver, &info))
		return;
	if (all) {
		clocks.count = info.nr_cpus;
		cpus = calloc(info.nr_cpus, sizeof(*cpus));
		clocks.cpus = (uintptr_t)cpus;
	}
	error = all && !cpus ? ENOMEM :
		gilkd_driver_ioctl_on_reference(driver, ILK_IOC_CLOCKS, &clocks);
	if (error) {
		gilkd_driver_fail(driver, "read the clocks", error);
		free(cpus);
		return;
	}
	answer.pair = clocks.pair;
	answer.reference = clocks.reference;
	answer.count = clocks.count;
	if (clocks.count) {
		gilkd_answer_part(driver->client, &answer, sizeof(answer));
		gilkd_answer(driver->client, cpus, clocks.count * sizeof(*cpus));
	} else {
		gilkd_answer(driver->client, &answer, sizeof(answer));
	}
	free(cpus);
}

void gilkd_do_measure(struct gilkd_driver *driver, uint8_t *payload, size_t length)
{
	struct ilk_measure_result out[ILK_MEASURE_COUNT_MAX];
	struct ilk_measure measure;

	memcpy(&measure, payload, sizeof(measure));
	measure.out = (uintptr_t)out;
	if (!gilkd_driver_open(driver))
		return;
	if (ioctl(driver->device, ILK_IOC_MEASURE, &measure))
		gilkd_driver_fail(driver, "measure what a hook costs", errno);
	else
		gilkd_answer(driver->client, out, measure.count * sizeof(*out));
}

void gilkd_do_intervals(struct gilkd_driver *driver, uint8_t *payload, size_t length)
{
	struct ilk_intervals *blocks = (struct ilk_intervals *)payload;

	if (length != sizeof(*blocks) + (size_t)blocks->count) {
		gilkd_fail(driver->client, EINVAL, "Malformed request: its count does not match "
						   "its length. Client and agent may be of "
						   "different versions.");
		return;
	}
	if (!gilkd_driver_open(driver))
		return;
	blocks->on = (uintptr_t)(payload + sizeof(*blocks));
	if (ioctl(driver->device, ILK_IOC_INTERVALS, blocks))
		gilkd_driver_fail(driver, "accept the intervals for switching hooks on and "
					  "off", errno);
	else
		gilkd_answer(driver->client, NULL, 0);
}

void gilkd_do_interval_times(struct gilkd_driver *driver, uint8_t *payload, size_t length)
{
	struct ilk_interval_times told = { .capacity = ILK_INTERVALS_MAX + 1 };
	uint64_t *at = calloc(told.capacity, sizeof(*at));

	told.at = (uintptr_t)at;
	if (!gilkd_driver_open(driver)) {
		free(at);
		return;
	}
	if (!at || ioctl(driver->device, ILK_IOC_INTERVAL_TIMES, &told))
		gilkd_driver_fail(driver, "report when it switched hooks on and "
					  "off", at ? errno : ENOMEM);
	else
		gilkd_answer(driver->client, at, told.count * sizeof(*at));
	free(at);
}

/*
 * Answers CRASH: asks the driver to let a hook crash the kernel. If the driver refuses, the answer
 * has the refusal.
 */
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

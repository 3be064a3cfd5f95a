// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gilkd-reference.c - makes clock-reading calls of the driver from one CPU
 *
 * The time stamp counters of CPUs may differ: values read on one CPU are comparable.
 */
#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/ioctl.h>

#include "gilkd.h"

/*
 * Moves to the first CPU that exists: the CPU that makes the call is the reference, and must be the
 * same for every request. Returns false if that is not possible: then it is any CPU.
 * @before: set to the affinity to restore. The kernel does not report whether we may run on CPUs
 *     that are offline. If we may run on all others, set it to all CPUs, so that we may run on
 *     those too once they are back.
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

/* Makes a call that reads clocks. Returns 0 or an errno. */
int gilkd_reference_ioctl(struct gilkd *d, unsigned long command, void *argument)
{
	cpu_set_t before;
	bool gone = move_to_reference(&before);
	int error = ioctl(d->device, command, argument) ? errno : 0;

	if (gone)
		sched_setaffinity(0, sizeof(before), &before);
	return error;
}

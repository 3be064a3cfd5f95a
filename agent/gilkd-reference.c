// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gilkd-reference.c - calls of the driver that read clocks are made from one CPU
 *
 * Time stamp counters of CPUs may differ: readings of one of them can be compared as they are.
 */
#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/ioctl.h>

#include "gilkd.h"

/*
 * Who asks is the reference, and is to be the same one whenever a client asks: the first CPU
 * that there is. Returns false if that cannot be had: then it is any.
 * @before: of CPUs that are offline the kernel does not tell whether we may run there. If we
 * may on all others, it is all, so that we may there, too, when they are back.
 */
static bool go_to_reference(cpu_set_t *before)
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

/* A call that reads clocks. Returns 0, or an errno. */
int gilkd_reference_ioctl(struct gilkd *d, unsigned long command, void *argument)
{
	cpu_set_t before;
	bool gone = go_to_reference(&before);
	int error = ioctl(d->device, command, argument) ? errno : 0;

	if (gone)
		sched_setaffinity(0, sizeof(before), &before);
	return error;
}

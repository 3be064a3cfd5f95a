// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gilkd-time.c - requests about clocks
 */
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "gilkd.h"

/*
 * Who asks is the reference, and is to be the same one whenever a client asks: the first CPU
 * that there is. Returns false if that cannot be had: then it is any.
 */
static bool go_to_reference(cpu_set_t *before)
{
	cpu_set_t first;
	int cpu;

	if (sched_getaffinity(0, sizeof(*before), before))
		return false;
	for (cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		CPU_ZERO(&first);
		CPU_SET(cpu, &first);
		if (!sched_setaffinity(0, sizeof(first), &first))
			return true;
	}
	return false;
}

static int read_clocks(struct gilkd *d, struct ilk_clocks *clocks)
{
	cpu_set_t before;
	bool gone = go_to_reference(&before);
	int error = ioctl(d->device, ILK_IOC_CLOCKS, clocks) ? errno : 0;

	if (gone)
		sched_setaffinity(0, sizeof(before), &before);
	return error;
}

void gilkd_do_clocks(struct gilkd *d, uint8_t *payload, size_t length)
{
	struct ilk_clocks clocks = { 0 };
	struct gilk_clocks answer = { 0 };
	struct ilk_cpu_clock *cpus = NULL;
	struct ilk_info info = { 0 };
	uint32_t all;
	int error;

	memcpy(&all, payload, sizeof(all));
	if (!gilkd_driver_info(d, &info))
		return;
	if (all) {
		clocks.count = info.nr_cpus;
		cpus = calloc(info.nr_cpus, sizeof(*cpus));
		clocks.cpus = (uintptr_t)cpus;
	}
	error = all && !cpus ? ENOMEM : read_clocks(d, &clocks);
	if (error) {
		gilkd_driver_fail(d, "read the clocks", error);
		free(cpus);
		return;
	}
	answer.reading = clocks.reading;
	answer.reference = clocks.reference;
	answer.count = clocks.count;
	if (clocks.count) {
		gilkd_answer_part(d, &answer, sizeof(answer));
		gilkd_answer(d, cpus, clocks.count * sizeof(*cpus));
	} else {
		gilkd_answer(d, &answer, sizeof(answer));
	}
	free(cpus);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gilkd-time.c - handles requests about clocks, the cost of code, and intervals
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "gilkd-driver.h"

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
		gilkd_driver_fail(driver, "accept the intervals for switching hooks", errno);
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
		gilkd_driver_fail(driver, "report when it switched hooks", at ? errno : ENOMEM);
	else
		gilkd_answer(driver->client, at, told.count * sizeof(*at));
	free(at);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gilkd-cpus.c - finds out which CPUs this machine has
 */
#include <stdio.h>

#include "gilk-wire.h"
#include "gilkd-cpus.h"

#define POSSIBLE_PATH		"/sys/devices/system/cpu/possible"
#define ONLINE_PATH		"/sys/devices/system/cpu/online"

/* Returns the highest number of a possible CPU, plus 1. The kernel lists the numbers as "0-3". */
uint32_t gilkd_cpus_count(void)
{
	FILE *file = fopen(POSSIBLE_PATH, "re");
	unsigned int cpu, last = 0;

	while (file && fscanf(file, "%*[-,]") != EOF && fscanf(file, "%u", &cpu) == 1)
		last = cpu;
	if (file)
		fclose(file);
	return last < GILK_WIRE_CPUS_MAX ? last + 1 : GILK_WIRE_CPUS_MAX;
}

/*
 * Sets the elements of all online CPUs to 1. The kernel lists these CPUs as "0-3,5". Returns false if
 * that fails.
 */
bool gilkd_cpus_mark_online(uint8_t *online, uint32_t count)
{
	FILE *file = fopen(ONLINE_PATH, "re");
	unsigned int from, to;

	if (!file)
		return false;
	while (fscanf(file, "%u", &from) == 1) {
		to = from;
		if (fscanf(file, "-%u", &to) == EOF)
			to = from;
		for (; from <= to && from < count; from++)
			online[from] = 1;
		if (fgetc(file) != ',')
			break;
	}
	fclose(file);
	return true;
}

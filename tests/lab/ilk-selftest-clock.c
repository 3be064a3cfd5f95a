// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-selftest-clock.c - readings of clocks, and processors' counters compared
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "ilk-selftest.h"

#define CPUS_MAX 64

static struct ilk_clock_reading read_clock(int fd)
{
	struct ilk_clocks call = { .count = 0 };

	must(ioctl(fd, ILK_IOC_CLOCKS, &call), "CLOCKS of a reading");
	return call.reading;
}

static bool rates_agree(const struct ilk_clock_reading *a, const struct ilk_clock_reading *b,
			const struct ilk_clock_reading *c)
{
	double first = (double)(b->tsc - a->tsc) / (double)(b->mono_ns - a->mono_ns);
	double then = (double)(c->tsc - b->tsc) / (double)(c->mono_ns - b->mono_ns);
	double error = (double)(a->error + b->error) / (double)(b->mono_ns - a->mono_ns) +
		       (double)(b->error + c->error) / (double)(c->mono_ns - b->mono_ns);
	double off = first > then ? first - then : then - first;

	printf("# %.6f and %.6f ticks a nanosecond, %.2f ppm apart of %.2f\n", first, then,
	       off / first * 1e6, error / first * 1e6);
	return off <= error;
}

static void test_readings(int fd, const struct ilk_info *info)
{
	uint64_t before = now_ns(), after;
	struct ilk_clock_reading a = read_clock(fd), b, c;

	after = now_ns();
	check(a.mono_ns >= before && a.mono_ns <= after, "a reading is of now");
	check(a.cpu < info->nr_cpus && a.error > 0 && a.error < info->tsc_khz,
	      "its error is %u ticks, below a millisecond", a.error);
	usleep(300000);
	b = read_clock(fd);
	usleep(300000);
	c = read_clock(fd);
	check(rates_agree(&a, &b, &c), "readings agree on the counter's rate within their errors");
}

static void test_offsets(int fd, const struct ilk_info *info)
{
	struct ilk_cpu_clock cpus[CPUS_MAX] = { 0 };
	struct ilk_clocks call = { .count = info->nr_cpus, .cpus = (uintptr_t)cpus };
	uint64_t begin = now_ns();
	uint32_t cpu;

	must(ioctl(fd, ILK_IOC_CLOCKS, &call), "CLOCKS of all");
	printf("# compared in %llu us\n", (unsigned long long)(now_ns() - begin) / 1000);
	check(now_ns() - begin < 2000000000ull, "processors are compared in no time");
	check(call.reference < info->nr_cpus && !cpus[call.reference].offset &&
	      !cpus[call.reference].error && cpus[call.reference].rounds,
	      "the reference is ahead of itself by nothing");
	for (cpu = 0; cpu < info->nr_cpus; cpu++) {
		if (cpu == call.reference)
			continue;
		printf("# processor %u: %lld ticks ahead, %llu at most either way, of %u rounds\n", cpu,
		       (long long)cpus[cpu].offset, (unsigned long long)cpus[cpu].error, cpus[cpu].rounds);
		check(cpus[cpu].rounds && cpus[cpu].error < info->tsc_khz, "processor %u answers in time", cpu);
		/* All counters here are the host's. */
		check((uint64_t)llabs(cpus[cpu].offset) <= cpus[cpu].error,
		      "processor %u has the same counter, within the error", cpu);
	}
}

static void test_bad(int fd, const struct ilk_info *info)
{
	struct ilk_clocks call = { .count = info->nr_cpus + 1, .cpus = (uintptr_t)&call };

	check(ioctl(fd, ILK_IOC_CLOCKS, &call) < 0 && errno == EINVAL, "clocks of more processors than there are");
	call.count = info->nr_cpus;
	call.cpus = 0x10;
	check(ioctl(fd, ILK_IOC_CLOCKS, &call) < 0 && errno == EFAULT, "clocks to nowhere");
	check(ioctl(fd, ILK_IOC_CLOCKS, 0x10) < 0 && errno == EFAULT, "clocks of nothing");
}

void test_clocks(void)
{
	struct ilk_info info;
	int fd = ilk_open(&info);

	if (info.nr_cpus > CPUS_MAX)
		die("more than %d processors", CPUS_MAX);
	test_readings(fd, &info);
	test_offsets(fd, &info);
	test_bad(fd, &info);
	close(fd);
}

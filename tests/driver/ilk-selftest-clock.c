// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-selftest-clock.c - tests clock readings, comparisons of CPUs' time-stamp counters, and
 * measurements of the cost of code
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "ilk-selftest.h"

#define CPUS_MAX 64

static struct ilk_timestamp_pair read_clock(int fd)
{
	struct ilk_clocks call = { .count = 0 };

	must(ioctl(fd, ILK_IOC_CLOCKS, &call), "CLOCKS of a reading");
	return call.pair;
}

static bool rates_agree(const struct ilk_timestamp_pair *a, const struct ilk_timestamp_pair *b,
			const struct ilk_timestamp_pair *c)
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
	struct ilk_timestamp_pair a = read_clock(fd), b, c;

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

/* Compares each CPU's time-stamp counter with the reference CPU's. Return: whether all error bounds
 * are below a millisecond. */
static bool compare_offsets(int fd, const struct ilk_info *info)
{
	struct ilk_cpu_clock cpus[CPUS_MAX] = { 0 };
	struct ilk_clocks call = { .count = info->nr_cpus, .cpus = (uintptr_t)cpus };
	uint64_t begin = now_ns();
	bool close = true;
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
		close &= cpus[cpu].rounds && cpus[cpu].error < info->tsc_khz;
		/* Virtual CPUs share the host's time-stamp counter, so the true offset of each is
		 * 0. */
		check((uint64_t)llabs(cpus[cpu].offset) <= cpus[cpu].error,
		      "processor %u has the same counter, within the error", cpu);
	}
	return close;
}

/* Tests the measured offsets between CPUs' time-stamp counters. Retries, because a virtual CPU that
 * the host does not run cannot answer in time. */
static void test_offsets(int fd, const struct ilk_info *info)
{
	unsigned int tries = 0;
	bool close;

	do {
		close = compare_offsets(fd, info);
	} while (!close && ++tries < 20);
	check(close, "processors answer in time");
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

/* ---- tests of MEASURE, and of the cost of code ---------------------------------- */

#define CALLS	16
#define ROWS	64

struct ground {
	struct ilk_reserve_patch slot;
	struct code code;
	struct ilk_prepare_patch patch;
};

/* Emits a calibration stub: ENDBR64, an int3 if @trap is set, a counter increment if @cells is not
 * NULL, and RET. */
static void write_ground(struct ground *ground, const struct ilk_reserve_hook *cells, bool trap)
{
	static const uint8_t endbr[] = { 0xf3, 0x0f, 0x1e, 0xfa }, int3 = 0xcc, ret = 0xc3;

	code_start(&ground->code, ground->slot.slot);
	code_bytes(&ground->code, endbr, sizeof(endbr));
	if (trap)
		code_bytes(&ground->code, &int3, 1);
	if (cells)
		code_count(&ground->code, cells->counter);
	code_bytes(&ground->code, &ret, 1);
	ground->patch = (struct ilk_prepare_patch){
		.id = ground->slot.id, .site = ground->slot.slot, .flags = ILK_PATCH_CALIBRATION,
		.code = (uintptr_t)ground->code.bytes, .code_len = ground->code.len,
		.aux = trap ? sizeof(endbr) + 1 : 0,
	};
}

static int measure_ticks(int fd, const struct ground *ground, const struct ground *base, uint32_t calls,
			 uint32_t count, struct ilk_measure_result *out)
{
	struct ilk_measure call = {
		.patch = ground->slot.id, .base = base->slot.id, .calls = calls, .count = count,
		.out = (uintptr_t)out,
	};

	return ioctl(fd, ILK_IOC_MEASURE, &call) ? -errno : 0;
}

static void test_ground(int fd, const struct ground *ground, const struct ground *base, uint32_t iid,
			const char *what)
{
	struct ilk_measure_result rows[ROWS] = { 0 };
	uint64_t before = ilk_counter(fd, iid).count;
	uint32_t i, sane = 0;

	must(measure_ticks(fd, ground, base, CALLS, ROWS, rows), "MEASURE");
	for (i = 0; i < ROWS; i++)
		sane += rows[i].ticks && rows[i].base;
	check(sane == ROWS, "%s: each row took some time, %u and %u ticks", what, rows[ROWS / 2].ticks,
	      rows[ROWS / 2].base);
	check(ilk_counter(fd, iid).count - before == CALLS * ROWS, "%s: each call was made, once", what);
}

static void test_measure_refused(int fd, const struct ground *ground, const struct ground *base)
{
	static struct ilk_measure_result rows[ILK_MEASURE_COUNT_MAX];
	struct ilk_info info;
	int other = ilk_open(&info);
	struct ground nobody = { .slot = { .id = 0x7fffffff } };

	check(measure_ticks(fd, ground, base, 0, 1, rows) == -EINVAL &&
	      measure_ticks(fd, ground, base, ILK_MEASURE_CALLS_MAX + 1, 1, rows) == -EINVAL &&
	      measure_ticks(fd, ground, base, 1, 0, rows) == -EINVAL &&
	      measure_ticks(fd, ground, base, 1, ILK_MEASURE_COUNT_MAX + 1, rows) == -EINVAL,
	      "measuring nothing, or too much");
	check(measure_ticks(fd, &nobody, base, 1, 1, rows) == -EINVAL &&
	      measure_ticks(fd, ground, &nobody, 1, 1, rows) == -EINVAL &&
	      measure_ticks(other, ground, base, 1, 1, rows) == -EINVAL, "measuring what is another's, or nobody's");
	check(measure_ticks(fd, ground, base, 1, 1, (void *)8) == -EFAULT, "measuring to nowhere");
	close(other);
}

/* Tests that MEASURE, the ioctl that measures the cost of code, refuses to call code that is not a
 * calibration stub. */
static void test_no_ground(int fd, struct ground *ground, const struct ground *base)
{
	struct ilk_measure_result row;
	struct ilk_prepare_patch patch = ground->patch;

	check(measure_ticks(fd, ground, base, 1, 1, &row) == -EINVAL, "measuring what is not prepared");
	patch.tactic = ILK_TACTIC_SPLICE;
	check(ilk_prepare(fd, &patch, 1, NULL, 0) < 0, "a ground with a tactic is refused");
	patch = ground->patch;
	patch.flags |= ILK_PATCH_RETURNS;
	check(ilk_prepare(fd, &patch, 1, NULL, 0) < 0, "a ground that returns elsewhere is refused");
	patch = ground->patch;
	patch.aux = patch.code_len;
	check(ilk_prepare(fd, &patch, 1, NULL, 0) < 0, "a trap that leads out of its slot is refused");
	ground->code.bytes[0] = 0x90;
	check(ilk_prepare(fd, &ground->patch, 1, NULL, 0) == -EINVAL && measure_ticks(fd, ground, base, 1, 1, &row) == -EINVAL,
	      "a ground that does not begin as one is refused, and not called");
}

static void test_costs(void)
{
	struct ilk_reserve_patch slots[] = { { .bytes = 64 }, { .bytes = 64 }, { .bytes = 64 }, { .bytes = 64 } };
	struct ilk_reserve_hook cells[2] = { { 0 }, { 0 } };
	struct ground base = { 0 }, plain = { 0 }, trap = { 0 }, bad = { 0 };
	struct ilk_prepare_patch patches[3];
	struct ilk_prepare_hook hooks[2];
	struct ilk_info info;
	struct ilk_arm arm;
	int fd = ilk_open(&info);

	must(ilk_reserve(fd, slots, 4, cells, 2), "RESERVE of grounds");
	base.slot = slots[0];
	plain.slot = slots[1];
	trap.slot = slots[2];
	bad.slot = slots[3];
	write_ground(&base, NULL, false);
	write_ground(&plain, &cells[0], false);
	write_ground(&trap, &cells[1], true);
	write_ground(&bad, NULL, false);
	patches[0] = base.patch;
	patches[1] = plain.patch;
	patches[2] = trap.patch;
	hooks[0] = (struct ilk_prepare_hook){ .iid = cells[0].iid, .patch = slots[1].id };
	hooks[1] = (struct ilk_prepare_hook){ .iid = cells[1].iid, .patch = slots[2].id };
	must(ilk_prepare(fd, patches, 3, hooks, 2), "PREPARE of grounds");
	test_ground(fd, &plain, &base, cells[0].iid, "a counter");
	test_ground(fd, &trap, &base, cells[1].iid, "a counter by a trap");
	test_measure_refused(fd, &plain, &base);
	test_no_ground(fd, &bad, &base);
	must(ilk_arm(fd, &arm), "ARM beside grounds");
	test_ground(fd, &trap, &base, cells[1].iid, "the same once more, behind ARM");
	check(text_compare(false), "no text was changed");
	close(fd);
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
	test_costs();
}

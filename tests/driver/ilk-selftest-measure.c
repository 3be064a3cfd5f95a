// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-selftest-measure.c - tests that a run is not affected while the cost of sampling code is
 * measured
 */
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "ilk-selftest.h"

#define CPUS	64
#define CALLS	64
#define ROWS	40
#define ROUNDS	50

struct measured {
	struct ilk_reserve_patch slots[2];	/* [0]: code that only returns; [1]: code
						 * that calls the instrument */
	struct ilk_reserve_hook cells;
};

static void prepare_grounds(int fd, struct measured *measured, const struct ilk_info *info)
{
	static const uint8_t endbr[] = { 0xf3, 0x0f, 0x1e, 0xfa }, ret = 0xc3;
	struct ilk_prepare_patch patches[2];
	struct ilk_orc orc[2];
	struct ilk_prepare_hook hook;
	struct code code[2];
	uint64_t fn;
	uint32_t i, id = ilk_instrument(fd, "args", &fn);

	memset(measured, 0, sizeof(*measured));
	measured->slots[0].bytes = 64;
	measured->slots[1].bytes = 256;
	must(ilk_reserve(fd, measured->slots, 2, &measured->cells, 1), "RESERVE of grounds");
	for (i = 0; i < 2; i++) {
		code_start(&code[i], measured->slots[i].slot);
		code_bytes(&code[i], endbr, sizeof(endbr));
		if (i == 1)
			code_call(&code[i], info, fn, measured->cells.iid, measured->cells.missed);
		code_bytes(&code[i], &ret, 1);
		unwind_by_sp(&orc[i], 0, 8);
		patches[i] = (struct ilk_prepare_patch){
			.id = measured->slots[i].id, .site = measured->slots[i].slot, .flags = ILK_PATCH_CALIBRATION,
			.code = (uintptr_t)code[i].bytes, .code_len = code[i].len,
			.orc = (uintptr_t)&orc[i], .orc_count = 1,
		};
	}
	hook = (struct ilk_prepare_hook){
		.iid = measured->cells.iid, .patch = measured->slots[1].id, .instrument = id, .flags = ILK_HOOK_SAMPLES,
	};
	must(ilk_prepare(fd, patches, 2, &hook, 1), "PREPARE of grounds");
}

/* Measures the instrument's code. Return: how many rows of the result have a duration. */
static uint32_t measure_rows(int fd, const struct measured *measured)
{
	struct ilk_measure_result rows[ROWS] = { 0 };
	struct ilk_measure call = {
		.patch = measured->slots[1].id, .base = measured->slots[0].id, .calls = CALLS, .count = ROWS,
		.out = (uintptr_t)rows,
	};
	uint32_t i, sane = 0;

	must(ioctl(fd, ILK_IOC_MEASURE, &call) ? -errno : 0, "MEASURE of what samples");
	for (i = 0; i < ROWS; i++)
		sane += rows[i].ticks && rows[i].base;
	return sane;
}

/* Returns how many cells (units of 32 bytes) were written to the rings of all CPUs. @missing:
 * number of samples that the driver reported as missing */
static uint64_t sum_heads(int fd, const struct ilk_info *info, uint64_t *missing)
{
	uint64_t tails[CPUS] = { 0 }, heads[CPUS], sum = 0;
	struct ilk_gap gaps[CPUS];
	struct ilk_consume call = {
		.count = info->nr_cpus, .tails = (uintptr_t)tails, .heads = (uintptr_t)heads, .gaps = (uintptr_t)gaps,
	};
	uint32_t cpu;

	must(ioctl(fd, ILK_IOC_CONSUME, &call) ? -errno : 0, "CONSUME");
	*missing = 0;
	for (cpu = 0; cpu < info->nr_cpus; cpu++) {
		sum += heads[cpu] / ILK_CELL;
		*missing += gaps[cpu].lost;
	}
	return sum;
}

static volatile bool rest;

static void *produce_samples(void *arg)
{
	while (!rest)
		syscall(target_number, 0, 0);
	return NULL;
}

/*
 * Measures an instrument while a run samples with it. @ring_bytes: size of a CPU's ring; a small
 * ring fills up quickly.
 */
static void test_beside_run(uint64_t ring_bytes)
{
	struct ilk_info info;
	struct measured measured;
	struct hooked hooked;
	struct ilk_counter c, own;
	pthread_t threads[2];
	uint64_t before, after, missing;
	int fd = ilk_open(&info), i;
	uint32_t sane = 0;
	int64_t bytes = ilk_claim(fd, ring_bytes, ILK_RING_DROP, 0);

	must(bytes < 0 ? bytes : 0, "CLAIM");
	prepare_grounds(fd, &measured, &info);
	hook_instrument(fd, &hooked, "args");
	before = sum_heads(fd, &info, &missing);
	must(ilk_arm(fd, NULL), "ARM");
	rest = false;
	for (i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, produce_samples, NULL);
	for (i = 0; i < ROUNDS; i++)
		sane += measure_rows(fd, &measured);
	rest = true;
	for (i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	must(ilk_disarm(fd, ILK_DISARM_FILE, NULL), "DISARM");
	after = sum_heads(fd, &info, &missing);
	c = ilk_counter(fd, hooked.cells.iid);
	own = ilk_counter(fd, measured.cells.iid);
	check(sane == ROUNDS * ROWS && !own.lost && !own.missed,
	      "%u rows of sampling calls were measured: %llu lost, %llu dropped", sane, own.lost, own.missed);
	/* A sample has six registers of 8 bytes, which take three cells of the ring. */
	check(c.count && (after - before) / ILK_RECORD_CELLS(48) + c.lost == c.count - c.missed,
	      "the run beside has its own samples alone: %llu hits, %llu cells, %llu lost, %llu dropped", c.count,
	      (unsigned long long)(after - before), c.lost, c.missed);
	check(missing == c.lost, "and misses what it lost: %llu", (unsigned long long)missing);
	check(measure_rows(fd, &measured) == ROWS, "what was disarmed is measured once more");
	close(fd);
}

void test_measured_samples(void)
{
	struct ilk_info info;
	struct measured measured;
	struct ilk_status status = { 0 };
	int fd = ilk_open(&info);

	prepare_grounds(fd, &measured, &info);
	check(measure_rows(fd, &measured) == ROWS && !ilk_counter(fd, measured.cells.iid).lost,
	      "what samples is measured without a claim, and finds room");
	must(ioctl(fd, ILK_IOC_STATUS, &status) ? -errno : 0, "STATUS");
	check(!status.count && !status.pending, "STATUS has no grounds");
	close(fd);
	test_beside_run(ILK_RING_BYTES_MIN);
	test_beside_run(8 << 20);
	check(text_compare(false), "no text was changed");
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-selftest-blocks.c - hooks switched off and on in blocks of time
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "ilk-selftest.h"

#define MS	1000000ull
#define HITS	200

static int set_blocks(int fd, uint32_t iid, uint64_t period, const uint8_t *on, uint32_t count)
{
	struct ilk_blocks call = {
		.iid = iid, .count = count, .period_ns = period, .on = (uintptr_t)on,
	};

	return ioctl(fd, ILK_IOC_BLOCKS, &call) ? -errno : 0;
}

static uint32_t told(int fd, uint64_t *at, uint32_t room)
{
	struct ilk_blocks_told call = { .capacity = room, .at = (uintptr_t)at };

	must(ioctl(fd, ILK_IOC_BLOCKS_TOLD, &call), "BLOCKS_TOLD");
	return call.count;
}

/* A counter at the target that looks at the gate of a hook which is nowhere. */
static void plan_switched(int fd, struct hooked *hooked, uint32_t *leader)
{
	struct ilk_reserve_hook cells[2] = { { 0 }, { 0 } };
	struct ilk_info info;

	must(ioctl(fd, ILK_IOC_INFO, &info), "INFO");
	memset(hooked, 0, sizeof(*hooked));
	hooked->point = target_point;
	hooked->slot.bytes = 256;
	must(ilk_reserve(fd, &hooked->slot, 1, cells, 2), "RESERVE of a switched hook");
	hooked->cells = cells[0];
	*leader = cells[1].iid;
	code_start(&hooked->code, hooked->slot.slot);
	code_gate(&hooked->code, info.gates + *leader, code_count_bytes(cells[0].counter));
	code_count(&hooked->code, cells[0].counter);
	code_finish(&hooked->code, &target_point);
	hooked_plan(hooked, ILK_TACTIC_SPLICE);
	must(ilk_prepare(fd, &hooked->patch, 1, &hooked->hook, 1), "PREPARE of a switched hook");
}

static uint64_t hits_now(int fd, const struct hooked *hooked)
{
	uint64_t before = ilk_counter(fd, hooked->cells.iid).count;

	hit(HITS);
	return ilk_counter(fd, hooked->cells.iid).count - before;
}

static void wait_until(uint64_t ns)
{
	while (now_ns() < ns)
		usleep(1000);
}

static void test_refused(int fd, const struct hooked *hooked, uint32_t leader)
{
	static const uint8_t on[] = { 1, 0 }, wrong[] = { 1, 2 };

	check(set_blocks(fd, leader, ILK_BLOCK_LEAST_NS - 1, on, 2) == -EINVAL &&
	      set_blocks(fd, leader, ~0ull, on, 2) == -EINVAL &&
	      set_blocks(fd, leader, MS, wrong, 2) == -EINVAL &&
	      set_blocks(fd, leader, MS, on, ILK_BLOCKS_MAX + 1) == -EINVAL, "blocks that cannot be");
	check(set_blocks(fd, leader, MS, (void *)8, 2) == -EFAULT, "blocks from nowhere");
	check(set_blocks(fd, hooked->cells.iid, MS, on, 2) == -ENOENT &&
	      set_blocks(fd, 0, MS, on, 2) == -ENOENT && set_blocks(fd, ~0u, MS, on, 2) == -ENOENT,
	      "blocks of a hook that has a patch, or that is none");
	check(!told(fd, NULL, 0), "of blocks that were refused none began");
}

static void test_switching(int fd, struct hooked *hooked, uint32_t leader)
{
	static const uint8_t on[] = { 0, 1, 0 };
	const uint64_t period = 400 * MS;
	struct ilk_prepare_hook bind = { .iid = leader, .patch = hooked->slot.id };
	struct ilk_disarm result;
	uint64_t at[8] = { 0 };
	struct ilk_arm arm;
	uint64_t counts[4];
	uint32_t i, n, sane = 0;

	must(set_blocks(fd, leader, period, on, 3), "BLOCKS");
	check(ilk_prepare(fd, NULL, 0, &bind, 1) < 0, "the hook whose gate is flipped stays loose");
	must(ilk_arm(fd, &arm), "ARM of a switched hook");
	check(set_blocks(fd, leader, MS, on, 2) == -EBUSY, "blocks under way are not changed");
	for (i = 0; i < 4; i++) {
		wait_until(arm.zero.mono_ns + i * period + period / 4);
		counts[i] = hits_now(fd, hooked);
	}
	check(!counts[0] && counts[1] == 2 * HITS && !counts[2] && counts[3] == 2 * HITS,
	      "off, on, off, and on behind the last (%llu, %llu, %llu, %llu of %u)",
	      (unsigned long long)counts[0], (unsigned long long)counts[1], (unsigned long long)counts[2],
	      (unsigned long long)counts[3], 2 * HITS);
	n = told(fd, at, 8);
	for (i = 0; i < 4; i++)
		sane += at[i] >= arm.zero.mono_ns + i * period &&
			at[i] < arm.zero.mono_ns + i * period + period / 4;
	check(n == 4 && sane == 4, "it is told when each block began (%u)", n);
	must(ilk_disarm(fd, ILK_DISARM_OWN, &result), "DISARM");
	check(told(fd, at, 8) == 4, "and still behind DISARM");
}

void test_blocks(void)
{
	struct hooked hooked;
	struct ilk_info info;
	uint32_t leader;
	int fd = ilk_open(&info);

	plan_switched(fd, &hooked, &leader);
	test_refused(fd, &hooked, leader);
	test_switching(fd, &hooked, leader);
	check(text_compare(false), "text is restored");
	close(fd);

	/* A file that is closed in the middle of a block. */
	fd = ilk_open(&info);
	plan_switched(fd, &hooked, &leader);
	must(set_blocks(fd, leader, ILK_BLOCK_LEAST_NS, (const uint8_t *)"\1\0\1", 3), "BLOCKS");
	must(ilk_arm(fd, &(struct ilk_arm){ }), "ARM");
	close(fd);
	check(text_compare(false), "closed while they are switched: text is restored");
}

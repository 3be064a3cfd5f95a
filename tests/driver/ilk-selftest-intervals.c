// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-selftest-intervals.c - tests hooks that are switched off and on in intervals of time
 */
#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "ilk-selftest.h"

#define MS	1000000ull
#define HITS	200

static int set_blocks(int fd, uint32_t iid, uint64_t period, const uint8_t *on, uint32_t count)
{
	struct ilk_intervals call = {
		.iid = iid, .count = count, .period_ns = period, .on = (uintptr_t)on,
	};

	return ioctl(fd, ILK_IOC_INTERVALS, &call) ? -errno : 0;
}

static uint32_t get_interval_times(int fd, uint64_t *at, uint32_t room)
{
	struct ilk_interval_times call = { .capacity = room, .at = (uintptr_t)at };

	must(ioctl(fd, ILK_IOC_INTERVAL_TIMES, &call), "BLOCKS_TOLD");
	return call.count;
}

/* Plans a counter at the target, whose code checks the gate of another hook, @leader: it counts
 * only while @leader is on. The hook @leader does not have a patch. */
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

static uint64_t read_hits(int fd, const struct hooked *hooked)
{
	uint64_t before = ilk_counter(fd, hooked->cells.iid).count;

	hit(HITS);
	return ilk_counter(fd, hooked->cells.iid).count - before;
}

/* Pins this thread to @cpu, or lets it run on all CPUs if @cpu is -1. */
static void pin_to_cpu(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	for (int i = 0; i < CPU_SETSIZE; i++)
		if (cpu < 0 || i == cpu)
			CPU_SET(i, &set);
	must(sched_setaffinity(0, sizeof(set), &set) ? -errno : 0, "sched_setaffinity");
}

/*
 * Waits, on the CPU that armed the hooks, for a timer that is due 1 us after @ns, when an interval
 * starts. A CPU runs its timers in the order in which they are due. So the driver's timer for the
 * interval has run before this timer, even if a busy machine runs both late.
 */
static uint64_t wait_behind(int timer, uint64_t ns)
{
	struct itimerspec due = {
		.it_value = { .tv_sec = (ns + 1000) / 1000000000, .tv_nsec = (ns + 1000) % 1000000000 },
	};
	uint64_t times;

	pin_to_cpu(0);
	must(timerfd_settime(timer, TFD_TIMER_ABSTIME, &due, NULL) ? -errno : 0, "timerfd_settime");
	must(read(timer, &times, sizeof(times)) < 0 ? -errno : 0, "read of a timer");
	ns = now_ns();
	pin_to_cpu(-1);
	return ns;
}

static void test_refused(int fd, const struct hooked *hooked, uint32_t leader)
{
	static const uint8_t on[] = { 1, 0 }, wrong[] = { 1, 2 };

	check(set_blocks(fd, leader, ILK_INTERVAL_MIN_NS - 1, on, 2) == -EINVAL &&
	      set_blocks(fd, leader, ~0ull, on, 2) == -EINVAL &&
	      set_blocks(fd, leader, MS, wrong, 2) == -EINVAL &&
	      set_blocks(fd, leader, MS, on, ILK_INTERVALS_MAX + 1) == -EINVAL, "blocks that cannot be");
	check(set_blocks(fd, leader, MS, (void *)8, 2) == -EFAULT, "blocks from nowhere");
	check(set_blocks(fd, hooked->cells.iid, MS, on, 2) == -ENOENT &&
	      set_blocks(fd, 0, MS, on, 2) == -ENOENT && set_blocks(fd, ~0u, MS, on, 2) == -ENOENT,
	      "blocks of a hook that has a patch, or that is none");
	check(!get_interval_times(fd, NULL, 0), "of blocks that were refused none began");
}

#define BLOCKS	3

/* Time and number of hits as read by the test once in each interval, and once after the last
 * interval. */
struct seen {
	uint64_t moment[BLOCKS + 1];	/* time at which the interval had already started */
	uint64_t hits[BLOCKS + 1];
};

/* Makes and counts hits in each interval. Return: false if an interval ended before its hits were
 * made. */
static bool watch_blocks(int fd, const struct hooked *hooked, uint64_t zero, uint64_t period, struct seen *seen)
{
	int timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
	bool undisturbed = true;
	uint32_t i, n;

	must(timer < 0 ? -errno : 0, "timerfd_create");
	for (i = 0; i <= BLOCKS && undisturbed; i++) {
		seen->moment[i] = wait_behind(timer, zero + i * period);
		n = get_interval_times(fd, NULL, 0);
		seen->hits[i] = read_hits(fd, hooked);
		undisturbed = i == BLOCKS || now_ns() < zero + (i + 1) * period;
		if (undisturbed && n != i + 1)
			check(false, "block %u began when it was due (%u have)", i, n);
	}
	close(timer);
	return undisturbed;
}

static bool try_switching(int fd, struct hooked *hooked, uint32_t leader, uint64_t period)
{
	static const uint8_t on[BLOCKS] = { 0, 1, 0 };
	struct ilk_prepare_hook bind = { .iid = leader, .patch = hooked->slot.id };
	struct ilk_disarm result;
	uint64_t at[8] = { 0 };
	struct seen seen;
	struct ilk_arm arm;
	uint32_t i, n, sane = 0;

	must(set_blocks(fd, leader, period, on, BLOCKS), "BLOCKS");
	check(ilk_prepare(fd, NULL, 0, &bind, 1) < 0, "the hook whose gate is flipped stays loose");
	pin_to_cpu(0);
	must(ilk_arm(fd, &arm), "ARM of a switched hook");
	check(set_blocks(fd, leader, MS, on, 2) == -EBUSY, "blocks under way are not changed");
	if (!watch_blocks(fd, hooked, arm.zero.mono_ns, period, &seen))
		return false;
	check(!seen.hits[0] && seen.hits[1] == 2 * HITS && !seen.hits[2] && seen.hits[3] == 2 * HITS,
	      "off, on, off, and on behind the last (%llu, %llu, %llu, %llu of %u)",
	      (unsigned long long)seen.hits[0], (unsigned long long)seen.hits[1],
	      (unsigned long long)seen.hits[2], (unsigned long long)seen.hits[3], 2 * HITS);
	n = get_interval_times(fd, at, 8);
	for (i = 0; i <= BLOCKS; i++)
		sane += at[i] >= arm.zero.mono_ns + i * period && at[i] <= seen.moment[i];
	check(n == BLOCKS + 1 && sane == n, "it is told when each block began (%u of %u)", sane, n);
	must(ilk_disarm(fd, ILK_DISARM_FILE, &result), "DISARM");
	check(get_interval_times(fd, at, 8) == BLOCKS + 1, "and still behind DISARM");
	return true;
}

/* Tests the switching of hooks. If an interval ends before its hits are made, the attempt is
 * repeated with longer intervals. */
static void test_switching(void)
{
	uint64_t period = 200 * MS;
	struct hooked hooked;
	uint32_t leader;
	bool done;
	int fd, tries = 6;

	do {
		fd = ilk_open(NULL);
		plan_switched(fd, &hooked, &leader);
		done = try_switching(fd, &hooked, leader, period);
		close(fd);
		period *= 2;
	} while (!done && --tries);
	check(done, "blocks of %llu ms can be watched", (unsigned long long)period / 2 / MS);
}

void test_intervals(void)
{
	struct hooked hooked;
	struct ilk_info info;
	uint32_t leader;
	int fd = ilk_open(&info);

	plan_switched(fd, &hooked, &leader);
	test_refused(fd, &hooked, leader);
	close(fd);
	test_switching();
	check(text_compare(false), "text is restored");

	/* Closes a file in the middle of an interval. */
	fd = ilk_open(&info);
	plan_switched(fd, &hooked, &leader);
	must(set_blocks(fd, leader, ILK_INTERVAL_MIN_NS, (const uint8_t *)"\1\0\1", 3), "BLOCKS");
	must(ilk_arm(fd, &(struct ilk_arm){ }), "ARM");
	close(fd);
	check(text_compare(false), "closed while they are switched: text is restored");
}

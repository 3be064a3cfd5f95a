// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-selftest-kprobe.c - tests kprobes on the bytes that a hook patches, registered before, after
 * and at the same time as the hook
 *
 * A registered kprobe, armed or not, owns the byte at its address. The kernel has saved the
 * original byte and will write it back.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ilk-selftest.h"

#define HITS	200
#define ENABLE	TRACING "events/ilkt/here/enable"

static bool probe_at(uint64_t addr)
{
	char words[64];

	snprintf(words, sizeof(words), "p:ilkt/here 0x%lx", addr);
	return write_file(TRACING "kprobe_events", words);
}

static void probe_remove(void)
{
	write_file(TRACING "kprobe_events", "-:ilkt/here");
}

static bool returns_to_text(void)
{
	int tries = 0;

	while (!text_compare(false) && tries++ < 100)
		usleep(100000);
	return text_compare(true);
}

/* ---- test of a kprobe that was registered before the hook -------------------------- */

static void test_first(void)
{
	struct ilk_arm arm = { 0 };
	struct hooked hooked;
	int fd = ilk_open(NULL);

	hook_counter(fd, &hooked, &target_point, true, ILK_TACTIC_SPLICE);
	expect_refusal(fd, &hooked, ILK_REFUSAL_KPROBE, "a kprobe, not enabled");
	probe_remove();
	hooked_plan(&hooked, ILK_TACTIC_SPLICE);
	must(ilk_prepare(fd, &hooked.patch, 1, NULL, 0), "PREPARE");
	probe_at(target_point.site);
	check(ilk_arm(fd, &arm) == -EBUSY && arm.failed_patch == hooked.slot.id &&
	      arm.refusal == ILK_REFUSAL_KPROBE, "ARM sees a kprobe that came after PREPARE");
	probe_remove();
	check(!ilk_arm(fd, &arm), "ARM works once it is gone");
	close(fd);
	check(returns_to_text(), "and its text comes back");
}

/* ---- test of a kprobe on the live jump of a hook ----------------------------------- */

/* Sequences of steps, with calls of the target after each step. +: enable the kprobe; -: disable
 * the kprobe; D: disarm the hook. */
static const char * const orders[] = { "D", "D+-", "D+", "+D-", "+-D", "+-D+-D", "D+D-D" };

static void run_step(int fd, char what, const char *order)
{
	struct ilk_patch_status status;
	struct ilk_disarm disarm;

	switch (what) {
	case '+':
		write_file(ENABLE, "1");
		break;
	case '-':
		write_file(ENABLE, "0");
		break;
	default:
		must(ilk_disarm(fd, ILK_DISARM_FILE, &disarm), "DISARM");
		status = patch_status(fd, 0);
		check(disarm.refused == 1 && !disarm.restored && status.state == ILK_STATE_ARMED &&
		      status.refusal == ILK_REFUSAL_KPROBE,
		      "%s: the undo waits by name (refused %u, state %u, refusal %u)", order,
		      disarm.refused, status.state, status.refusal);
	}
}

static void test_order(const char *order, bool die)
{
	struct ilk_disarm disarm = { 0 };
	struct hooked hooked;
	uint64_t before;
	const char *at;
	int fd = ilk_open(NULL);

	hook_counter(fd, &hooked, &target_point, true, ILK_TACTIC_SPLICE);
	must(ilk_prepare(fd, &hooked.patch, 1, &hooked.hook, 1), "PREPARE");
	must(ilk_arm(fd, NULL), "ARM");
	ilk_settle(fd);
	before = ilk_counter(fd, hooked.cells.iid).count;
	check(probe_at(target_point.site), "%s: a kprobe on our jump", order);
	for (at = order; *at; at++) {
		run_step(fd, *at, order);
		hit(HITS);
	}
	check(ilk_counter(fd, hooked.cells.iid).count - before == 2 * HITS * strlen(order),
	      "%s: the hook works on", order);
	if (die) {
		close(fd);
		usleep(100000);
		hit(HITS);
	}
	write_file(ENABLE, "0");
	hit(HITS);
	probe_remove();
	if (!die) {
		must(ilk_disarm(fd, ILK_DISARM_FILE, &disarm), "DISARM");
		check(disarm.restored == 1 && !patch_status(fd, 0).refusal,
		      "%s: restored when it is asked for again", order);
		close(fd);
	}
	check(returns_to_text(), "%s%s: text as it was", order, die ? ", closed" : "");
}

/* ---- test of a kprobe that is registered when the hook has to stop ----------------------- */

static void test_late_stop(void)
{
	struct ilk_patch_status status;
	struct hooked hooked;
	int fd = ilk_open(NULL), tries = 0;

	hook_counter(fd, &hooked, &target_point, true, ILK_TACTIC_SPLICE);
	hooked.hook.stop_ns = 2000000000;
	must(ilk_prepare(fd, &hooked.patch, 1, &hooked.hook, 1), "PREPARE");
	must(ilk_arm(fd, NULL), "ARM");
	ilk_settle(fd);
	check(probe_at(target_point.site), "a kprobe on a jump that is to stop");
	do
		usleep(100000);
	while (!(status = patch_status(fd, 0)).refusal && tries++ < 100);
	check(status.state == ILK_STATE_ARMED && status.refusal == ILK_REFUSAL_KPROBE,
	      "the stop waits by name (state %u, refusal %u)", status.state, status.refusal);
	probe_remove();
	check(returns_to_text() && patch_status(fd, 0).state == ILK_STATE_RESTORED,
	      "and is made up for, though nobody asks");
	close(fd);
}

/* ---- test of a kprobe on the jump of a bounce ------------------------------------ */

static void test_bounced(void)
{
	uint8_t old[ILK_BOUNCE_BYTES];
	uint64_t padding = find_padding(old);
	struct ilk_patch_status status;
	struct hooked hooked;
	int fd = ilk_open(NULL);

	hook_counter(fd, &hooked, &target_point, true, ILK_TACTIC_BOUNCE);
	hooked.patch.aux = padding;
	memcpy(hooked.patch.aux_old, old, ILK_BOUNCE_BYTES);
	if (!padding || ilk_prepare(fd, &hooked.patch, 1, &hooked.hook, 1) || ilk_arm(fd, NULL)) {
		printf("# no bounce before the target\n");
		close(fd);
		return;
	}
	ilk_settle(fd);
	if (!probe_at(padding)) {
		printf("# no kprobe there\n");
	} else {
		must(ilk_disarm(fd, ILK_DISARM_FILE, NULL), "DISARM");
		usleep(500000);
		status = patch_status(fd, 0);
		check(status.state == ILK_STATE_RESTORED && !status.aux_restored_mono_ns &&
		      (ilk_pending(fd) || status.refusal == ILK_REFUSAL_KPROBE),
		      "a bounce that a kprobe owns stays");
		hit(HITS);
		write_file(ENABLE, "1");
		write_file(ENABLE, "0");
		probe_remove();
	}
	close(fd);
	check(returns_to_text(), "and goes when that has gone");
}

/* ---- test of a kprobe and a hook that are armed at the same time -------------------- */

#define RACES	25		/* number of races per round */
#define ACT	"/sys/module/gilk_rival/parameters/act"

static atomic_uint turn;
static unsigned int turns;

/* Registers a kprobe at the next site whenever the test requests one. */
static void *run_rival(void *unused)
{
	unsigned int i;

	for (i = 1; i <= turns; i++) {
		while (atomic_load(&turn) < i)
			;
		write_file(ACT, "next");
	}
	return unused;
}

static bool rival_points(const struct point *points, uint32_t count)
{
	int fd = open("/dev/gilk_rival", O_WRONLY | O_TRUNC);
	bool ok = fd >= 0;
	uint32_t i;

	for (i = 0; i < count && ok; i++)
		ok = write(fd, &points[i].site, sizeof(uint64_t)) == sizeof(uint64_t);
	if (fd >= 0)
		close(fd);
	return ok;
}

/*
 * Arms a trap at each site, at a random time up to @delay_ns after the kprobe at this site is
 * requested. Return: how many traps were armed.
 */
static uint32_t race_kprobe(int fd, const struct point *points, uint32_t count, uint64_t delay_ns)
{
	struct hooked hooked;
	uint64_t end;
	pthread_t thread;
	uint32_t i, armed = 0;
	int refused;

	turns = count;
	atomic_store(&turn, 0);
	if (pthread_create(&thread, NULL, run_rival, NULL))
		die("no thread");
	for (i = 0; i < count; i++) {
		hook_counter(fd, &hooked, &points[i], false, ILK_TACTIC_TRAP);
		/* A kprobe of the previous round may still be in the kernel's text, so accept a
		 * refusal for that reason. */
		refused = ilk_prepare(fd, &hooked.patch, 1, &hooked.hook, 1);
		if (refused && hooked.patch.refusal != ILK_REFUSAL_KPROBE)
			die("PREPARE of race %u: refusal %u", i, hooked.patch.refusal);
		atomic_store(&turn, i + 1);
		if (refused)
			continue;
		for (end = now_ns() + random() % delay_ns; now_ns() < end; )
			;
		armed += !ilk_arm(fd, NULL);
		if (random() % 2)
			ilk_disarm(fd, ILK_DISARM_FILE, NULL);
	}
	pthread_join(thread, NULL);
	return armed;
}

void test_race(const char *folder, int rounds)
{
	static struct point points[RACES];
	uint32_t count, refused, won, armed = 0, left = 0;
	uint64_t delay_ns = 200000;
	struct ilk_disarm disarm;
	char path[256];
	int fd, i, most = rounds + 12;

	snprintf(path, sizeof(path), "%s/gilk_rival.ko", folder);
	module_unload("gilk_rival");
	if (module_load(path, "")) {
		check(false, "%s loads", path);
		return;
	}
	count = find_points(points, RACES, false, &refused);
	/* Continue until both the kprobe and the hook have won a race. */
	for (i = 0; i < most && rival_points(points, count); i++) {
		if (i >= rounds && armed && armed < i * count)
			break;
		fd = ilk_open(NULL);
		won = race_kprobe(fd, points, count, delay_ns);
		if (won > count / 2)
			delay_ns *= 4;
		else if (won < count / 4 && delay_ns > 1000)
			delay_ns /= 4;
		armed += won;
		write_file(ACT, "unregister");
		must(ilk_disarm(fd, ILK_DISARM_FILE, &disarm), "DISARM");
		left += disarm.refused;
		close(fd);
	}
	must(module_unload("gilk_rival"), "unload");
	check(i >= rounds && !left && returns_to_text(),
	      "%u races of ARM and register_kprobe(), %u won: %u undone by nobody", i * count,
	      armed, left);
	check(armed && armed < i * count, "each won some of %u", i * count);
}

void test_kprobes(void)
{
	size_t i;

	if (!probe_at(target_point.site)) {
		printf("# no kprobe events here\n");
		return;
	}
	test_first();
	for (i = 0; i < sizeof(orders) / sizeof(*orders); i++)
		test_order(orders[i], i % 2);
	test_order("+D", true);
	test_late_stop();
	test_bounced();
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-selftest-broken.c - tests failures that the driver must survive: an instrument or an arena
 * that is unloaded by force, and a write to text that changes nothing
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "ilk-selftest.h"

/* ---- test of rmmod -f of an instrument that two hooks of a patch use --------------- */

void test_torn_out(const char *folder)
{
	struct ilk_reserve_hook second = { 0 };
	struct ilk_prepare_hook hooks[2];
	struct hooked hooked;
	struct ilk_info info;
	char path[256];
	uint64_t fn;
	int fd = ilk_open(&info);

	hook_counter(fd, &hooked, &target_point, true, ILK_TACTIC_SPLICE);
	must(ilk_reserve(fd, NULL, 0, &second, 1), "RESERVE");
	hooks[0] = hooked.hook;
	hooks[0].instrument = ilk_instrument(fd, "task", &fn);
	hooks[1] = hooks[0];
	hooks[1].iid = second.iid;
	must(ilk_prepare(fd, &hooked.patch, 1, hooks, 2), "PREPARE of two hooks in one patch");
	must(ilk_arm(fd, NULL), "ARM");
	hit(100);
	must(syscall(SYS_delete_module, "ilk_task", O_NONBLOCK | O_TRUNC) ? -errno : 0, "rmmod -f");
	check(text_compare(true), "an instrument torn out takes its hooks along");
	hit(100);
	must(ilk_disarm(fd, ILK_DISARM_FILE | ILK_DISARM_FREE, NULL), "FREE");
	ilk_settle(fd);
	close(fd);
	snprintf(path, sizeof(path), "%s/ilk-task.ko", folder);
	check(!module_load(path, ""), "nothing leads to it any more, and it loads again");
}

/* ---- test of rmmod -f of an arena with a live patch's code ---------------------------------- */

void test_arena_torn_out(void)
{
	struct hooked hooked;
	int fd = ilk_open(NULL), other = ilk_open(NULL);

	own_arena_fill(fd);
	hook_counter(other, &hooked, &target_point, true, ILK_TACTIC_SPLICE);
	must(ilk_prepare(other, &hooked.patch, 1, &hooked.hook, 1), "PREPARE in an arena module");
	must(ilk_arm(other, NULL), "ARM");
	hit(100);
	check(arena_is_loaded(0), "the patch has its code in a module");
	must(syscall(SYS_delete_module, "ilk_arena_0", O_NONBLOCK | O_TRUNC) ? -errno : 0,
	     "rmmod -f of it");
	check(text_compare(true) && !arena_is_loaded(0), "an arena torn out takes its patches along");
	hit(100);
	close(other);
	close(fd);
	check(arenas_load(1) == 1 && !arenas_unload(), "nothing leads to it any more, and it loads again");
}

/* ---- tests of a write to kernel text that changes nothing ---------------------------- */

#define SPOIL "/sys/module/gilk_corrupt/parameters/"

/* Makes the module gilk_corrupt store @byte at @addr. The module does this at the second sync of
 * all CPUs at which the byte at @addr is @when. */
static void corrupt_on_sync(uint64_t addr, unsigned int when, unsigned int byte)
{
	char words[64];

	snprintf(words, sizeof(words), "%lx %x %x 1", addr, when, byte);
	check(write_file(SPOIL "arm", words), "text is to be spoilt");
}

static bool has_state(int fd, const struct hooked *hooked, uint32_t state, uint32_t refusal)
{
	struct ilk_patch_status status = patch_status(fd, hooked->slot.id);

	if (status.state == state && status.refusal == refusal)
		return true;
	printf("# state %u, refusal %u; not %u, %u\n", status.state, status.refusal, state, refusal);
	return false;
}

/* Tests two patches that start at the same time, when the write of the first patch's int3 leaves
 * the text unchanged. */
static void test_due(int fd, struct hooked *due)
{
	uint8_t now[2];
	int tries = 0, i;

	corrupt_on_sync(due[0].point.site, 0xcc, due[0].point.old[0]);
	while (ilk_pending(fd) && tries++ < 100)
		usleep(100000);
	for (i = 0; i < 2; i++)
		kernel_read(due[i].point.site, &now[i], 1);
	check(now[0] == due[0].point.old[0] && now[1] == due[1].point.old[0],
	      "a start that is poisoned writes no more");
	check(has_state(fd, &due[0], ILK_STATE_FAILED, ILK_REFUSAL_POISONED) &&
	      has_state(fd, &due[1], ILK_STATE_FAILED, ILK_REFUSAL_POISONED), "and says so");
}

/* Tests a live patch whose original bytes cannot be restored, because the write leaves the text
 * unchanged. */
static void test_undo(int fd, struct hooked *live)
{
	struct ilk_disarm disarm = { .what = ILK_DISARM_LIST, .count = 1,
				     .patches = (uintptr_t)&live->slot.id };
	uint64_t before = ilk_counter(fd, live->cells.iid).count;

	hit(100);
	corrupt_on_sync(live->point.site, live->point.old[0], 0xcc);
	must(ioctl(fd, ILK_IOC_DISARM, &disarm) ? -errno : 0, "DISARM");
	check(disarm.refused == 1 && !disarm.restored &&
	      has_state(fd, live, ILK_STATE_ARMED, ILK_REFUSAL_POISONED),
	      "an undo that does not take leaves the patch as it is");
	hit(100);
	check(ilk_counter(fd, live->cells.iid).count - before == 400, "and its hook works");
	must(ioctl(fd, ILK_IOC_DISARM, &disarm) ? -errno : 0, "DISARM");
	check(disarm.restored == 1 && has_state(fd, live, ILK_STATE_RESTORED, ILK_REFUSAL_NONE),
	      "it is undone when it does");
}

/* Tests that the driver becomes "poisoned", and refuses to change text, when a write leaves the
 * text unchanged. Must be the last test, because the driver stays poisoned. */
void test_poison(const char *folder)
{
	struct hooked live, due[2];
	struct point points[2];
	struct ilk_info info;
	struct ilk_arm arm;
	uint64_t start;
	uint32_t refused;
	char path[256];
	int fd = ilk_open(NULL), i;

	snprintf(path, sizeof(path), "%s/gilk_corrupt.ko", folder);
	if (module_load(path, "")) {
		check(false, "%s loads", path);
		close(fd);
		return;
	}
	if (find_points(points, 2, false, &refused) != 2)
		die("no points");
	hook_counter(fd, &live, &target_point, true, ILK_TACTIC_SPLICE);
	must(ilk_prepare(fd, &live.patch, 1, &live.hook, 1), "PREPARE");
	must(ilk_arm(fd, &arm), "ARM");
	ilk_settle(fd);
	start = now_ns() - arm.zero.mono_ns + 5000000000ull;
	for (i = 0; i < 2; i++) {
		hook_counter(fd, &due[i], &points[i], true, ILK_TACTIC_SPLICE);
		due[i].hook.start_ns = start;
		must(ilk_prepare(fd, &due[i].patch, 1, &due[i].hook, 1), "PREPARE for later");
	}
	must(ilk_arm(fd, NULL), "ARM for later");
	test_due(fd, due);
	test_undo(fd, &live);
	hooked_plan(&live, ILK_TACTIC_SPLICE);
	check(ilk_prepare(fd, &live.patch, 1, NULL, 0) == -EUCLEAN, "nothing new is prepared");
	close(fd);
	must(module_unload("gilk_corrupt"), "unload");
	check(text_is_restored(), "text is as it was");
	close(ilk_open(&info));
	check(info.poisoned && !info.patches_live, "the driver says that it is poisoned");
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-selftest-isolation.c - tests the effects of one client that others can observe
 *
 * Tests the driver's files in debugfs and messages in the log, and the cost to other CPUs and
 * clients when a client's hooks are hit or the client exits.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "ilk-selftest-fixtures.h"

#define MS	1000000ull
#define SHOWN	"/sys/kernel/debug/ilk"

/* ---- test of the driver's files in debugfs -------------------------------------------- */

static const char * const tactics[] = { "splice", "bounce", "trap" };
static const char * const states[] = { "reserved", "prepared", "armed", "restored" };
#define TACTICS	(sizeof(tactics) / sizeof(*tactics))
#define STATES	(sizeof(states) / sizeof(*states))

static bool seen[TACTICS][STATES];

static void note_line(const char *line)
{
	char tactic[16], state[16];
	size_t i, k;

	if (sscanf(line, "%*u %15s %15s", tactic, state) != 2)
		return;
	for (i = 0; i < TACTICS; i++)
		for (k = 0; k < STATES; k++)
			seen[i][k] |= !strcmp(tactic, tactics[i]) && !strcmp(state, states[k]);
	if (!strcmp(tactic, "unknown") || !strcmp(state, "unknown"))
		check(false, "a line of the list has no name for something: %s", line);
}

/* Reads each of the driver's debugfs files to its end. */
void read_shown(void)
{
	DIR *folder = opendir(SHOWN);
	struct dirent *entry;
	char path[512], line[1024];
	FILE *file;

	while (folder && (entry = readdir(folder))) {
		snprintf(path, sizeof(path), SHOWN "/%s", entry->d_name);
		file = entry->d_type == DT_REG ? fopen(path, "r") : NULL;
		while (file && fgets(line, sizeof(line), file))
			if (!strcmp(entry->d_name, "patches"))
				note_line(line);
		if (file)
			fclose(file);
	}
	if (folder)
		closedir(folder);
}

static void show_life(int fd, struct ilk_prepare_patch *patch, struct ilk_prepare_hook *hook)
{
	read_shown();
	must(ilk_prepare(fd, patch, 1, hook, 1), "PREPARE");
	read_shown();
	must(ilk_arm(fd, NULL), "ARM");
	read_shown();
	ilk_settle(fd);
	read_shown();
	must(ilk_disarm(fd, ILK_DISARM_FILE, NULL), "DISARM");
	read_shown();
	close(fd);
	read_shown();
}

static void show_text(uint32_t tactic)
{
	struct hooked hooked;
	int fd = ilk_open(NULL);

	hook_counter(fd, &hooked, &target_point, true, tactic);
	if (tactic == ILK_TACTIC_BOUNCE)
		hooked.patch.aux = find_padding(hooked.patch.aux_old);
	show_life(fd, &hooked.patch, &hooked.hook);
}

static void test_shown(void)
{
	size_t i;

	mount("debugfs", "/sys/kernel/debug", "debugfs", 0, NULL);
	show_text(ILK_TACTIC_SPLICE);
	show_text(ILK_TACTIC_TRAP);
	show_text(ILK_TACTIC_BOUNCE);
	for (i = 0; i < TACTICS; i++)
		check(seen[i][1] && seen[i][2], "%s is shown, prepared and armed", tactics[i]);
	ilk_settle(i = ilk_open(NULL));
	close(i);
}

/* ---- test of the driver's messages in the log ----------------------------------------- */

static void test_log(void)
{
	int log = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	struct ilk_pin pin = { .module = "gilk_clone", .address = kernel_symbol("gilk_clone_outer") };
	struct ilk_crash crash = { .flags = ILK_CRASH_NO_DUMP };
	struct caller caller;

	lseek(log, 0, SEEK_END);
	caller_open(&caller);
	caller_prepare(&caller, ILK_SERVICE_FREEZE, caller.cells.iid, 0);
	caller_run(&caller, 1);
	check(log_says(log, "is called, 1 times 1, to measure it, of process"), "the log tells that code was measured");
	crash.iid = caller.cells.iid;
	must(ioctl(caller.fd, ILK_IOC_CRASH, &crash) ? -errno : 0, "CRASH");
	check(log_says(log, "may crash the kernel, of process"), "and that a hook may crash");
	if (pin.address && !ioctl(caller.fd, ILK_IOC_PIN, &pin))
		check(log_says(log, "code may call module gilk_clone, of process"), "and that a module is called");
	close(caller.fd);
	close(log);
}

/* ---- test that code that the driver calls must start with ENDBR ----------------------------- */

static void test_enterable(void)
{
	static const uint8_t code[] = { 0xc3 };
	struct ilk_reserve_patch slot = { .bytes = 32 };
	struct ilk_reserve_hook cells = { 0 };
	struct ilk_prepare_patch patch;
	struct ilk_prepare_hook hook;
	int fd = ilk_open(NULL), ret;

	must(ilk_reserve(fd, &slot, 1, &cells, 1), "RESERVE");
	patch = (struct ilk_prepare_patch){
		.id = slot.id, .flags = ILK_PATCH_CALIBRATION, .code = (uintptr_t)code, .code_len = sizeof(code), .site = slot.slot,
	};
	hook = (struct ilk_prepare_hook){ .iid = cells.iid, .patch = slot.id };
	ret = ilk_prepare(fd, &patch, 1, &hook, 1);
	check(ret == -EINVAL && patch.refusal == ILK_REFUSAL_BAD_ITEM,
	      "code that is called, and does not say that it may be, is refused (%d)", ret);
	close(fd);
}

/* ---- test of freed ids that another file reserves ------------------------------------------- */

/* Reserves all free hook ids (iids) for another file. Returns whether @iid is among them. */
static bool reserve_all(int fd, struct ilk_reserve_hook *cells, uint32_t most, uint32_t iid)
{
	uint32_t count = 0, step, i;

	for (step = most; step; step /= 2)
		while (count + step <= most && !ilk_reserve(fd, NULL, 0, cells + count, step))
			count += step;
	for (i = 0; i < count; i++)
		if (cells[i].iid == iid)
			return true;
	return false;
}

static uint8_t get_gate(const struct ilk_info *info, uint32_t iid)
{
	uint8_t gate = 2;

	must(kernel_read(info->gates + iid, &gate, 1), "kcore");
	return gate;
}

#define START_NS	(6000 * MS)

static void test_reused(uint32_t what)
{
	struct ilk_disarm call = { .what = what | ILK_DISARM_FREE, .count = 1 };
	struct ilk_reserve_hook *cells;
	struct hooked hooked;
	struct ilk_info info;
	struct ilk_arm arm;
	bool reused;
	int fd = ilk_open(&info), other = ilk_open(NULL);

	hook_counter(fd, &hooked, &target_point, false, ILK_TACTIC_SPLICE);
	hooked.hook.flags = ILK_HOOK_GATED;
	hooked.hook.start_ns = START_NS;
	call.patches = (uintptr_t)&hooked.slot.id;
	must(ilk_prepare(fd, &hooked.patch, 1, &hooked.hook, 1), "PREPARE");
	must(ilk_arm(fd, &arm), "ARM");
	must(ioctl(fd, ILK_IOC_DISARM, &call) ? -errno : 0, "DISARM");
	ilk_settle(fd);
	cells = calloc(info.hooks_max, sizeof(*cells));
	reused = reserve_all(other, cells, info.hooks_max, hooked.cells.iid);
	while (now_ns() < arm.zero.mono_ns + START_NS + 500 * MS)
		usleep(100000);
	check(reused, "the id of a hook that was freed is another's now");
	check(!get_gate(&info, hooked.cells.iid), "the gate of a hook that is another's by now stays shut");
	free(cells);
	close(other);
	close(fd);
}

/* ---- test of many patches at once --------------------------------------------------------- */

static void test_many(void)
{
	enum { PATCHES = 66000, ROOM = PATCHES + 64 };
	struct ilk_reserve_patch *slots = calloc(PATCHES, sizeof(*slots));
	struct ilk_patch_status *patches = calloc(ROOM, sizeof(*patches));
	struct ilk_status call = { .capacity = ROOM, .patches = (uintptr_t)patches };
	uint32_t i, bad = 0;
	int fd = ilk_open(NULL);

	for (i = 0; i < PATCHES; i++)
		slots[i].bytes = 1;
	must(ilk_reserve(fd, slots, PATCHES / 2, NULL, 0), "RESERVE");
	must(ilk_reserve(fd, slots + PATCHES / 2, PATCHES / 2, NULL, 0), "RESERVE");
	must(ioctl(fd, ILK_IOC_STATUS, &call) ? -errno : 0, "STATUS of many patches");
	for (i = 0; i < PATCHES && i < call.count; i++)
		bad += patches[i].id != slots[i].id;
	check(call.count == PATCHES && !bad, "the status of %u patches can be had (%u are wrong)", call.count, bad);
	close(fd);
	free(patches);
	free(slots);
}

/* ---- test of effects on other CPUs ---------------------------------------------------------- */

static bool pin_to_cpu(int cpu)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(cpu, &cpus);
	return !sched_setaffinity(0, sizeof(cpus), &cpus);
}

static void unpin_from_cpu(uint32_t nr_cpus)
{
	cpu_set_t cpus;
	uint32_t i;

	CPU_ZERO(&cpus);
	for (i = 0; i < nr_cpus; i++)
		CPU_SET(i, &cpus);
	sched_setaffinity(0, sizeof(cpus), &cpus);
}

/* Opens a perf hardware breakpoint that counts writes of CPU 0 to @address. Returns its
 * descriptor. */
static int count_writes(uint64_t address)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr), .type = PERF_TYPE_BREAKPOINT, .bp_type = HW_BREAKPOINT_W, .bp_len = 8, .pinned = 1,
		.bp_addr = address,
	};

	return (int)syscall(SYS_perf_event_open, &attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
}

static void test_freeze(void)
{
	uint64_t offsets[2] = { 0 }, writes = 0;
	struct caller caller;
	struct ilk_info info;
	int fd, i;

	close(ilk_open(&info));
	if (info.nr_cpus < 2 || kernel_read(kernel_symbol("__per_cpu_offset"), offsets, sizeof(offsets)) || !pin_to_cpu(0))
		return;
	caller_open(&caller);
	must(ilk_claim(caller.fd, 0, ILK_RING_DROP, 0) < 0, "claim");
	caller_prepare(&caller, ILK_SERVICE_FREEZE, caller.cells.iid, 0);
	fd = count_writes(offsets[1] + (uint64_t)(int64_t)info.gs_ring_limit);
	for (i = 0; i < 10; i++)
		caller_run(&caller, 16);
	if (fd < 0 || read(fd, &writes, 8) != 8)
		die("no breakpoint of perf: %s", strerror(errno));
	check(writes == 1, "code that freezes the rings at each of 160 hits writes another CPU's line once (%lu times)", writes);
	close(fd);
	close(caller.fd);
	unpin_from_cpu(info.nr_cpus);
}

void test_isolation(void)
{
	test_shown();
	test_log();
	test_enterable();
	test_reused(ILK_DISARM_FILE);
	test_reused(ILK_DISARM_LIST);
	test_many();
	test_freeze();
	check(text_is_restored(), "text is as before");
}

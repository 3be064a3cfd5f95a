// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-fuzz-calls.c - makes random and corrupted sequences of calls of /dev/ilk
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "ilk-fuzz.h"

const char * const fuzz_names[FUZZ_CALLS] = {
	"INFO", "RESERVE", "PREPARE", "ARM", "DISARM", "STATUS", "COUNTERS", "INSTRUMENTS",
	"RING_CLAIM", "CONSUME", "RING_FREEZE", "CLOCKS", "BLOCKS", "BLOCKS_TOLD", "MEASURE",
	"MEMORY", "MEMORY_READ", "CRASH", "other ioctls", "open", "mmap", "read", "poll", "fork",
	"close", "write, lseek",
};

static const unsigned long commands[] = {
	[CALL_INFO] = ILK_IOC_INFO, [CALL_RESERVE] = ILK_IOC_RESERVE,
	[CALL_PREPARE] = ILK_IOC_PREPARE, [CALL_ARM] = ILK_IOC_ARM,
	[CALL_DISARM] = ILK_IOC_DISARM, [CALL_STATUS] = ILK_IOC_STATUS,
	[CALL_COUNTERS] = ILK_IOC_COUNTERS, [CALL_INSTRUMENTS] = ILK_IOC_INSTRUMENTS,
	[CALL_CLAIM] = ILK_IOC_RING_CLAIM, [CALL_CONSUME] = ILK_IOC_CONSUME,
	[CALL_FREEZE] = ILK_IOC_RING_FREEZE, [CALL_CLOCKS] = ILK_IOC_CLOCKS,
	[CALL_BLOCKS] = ILK_IOC_INTERVALS, [CALL_BLOCKS_TOLD] = ILK_IOC_INTERVAL_TIMES,
	[CALL_MEASURE] = ILK_IOC_MEASURE, [CALL_MEMORY] = ILK_IOC_MEMORY,
	[CALL_MEMORY_READ] = ILK_IOC_MEMORY_READ,
	[CALL_CRASH] = ILK_IOC_CRASH,
};

#define FIRST_FILE	100

struct fuzz_shared *fuzz_shared;
struct point fuzz_sites[FUZZ_SITES];
uint32_t fuzz_site_count;

/* ---- single calls, and their results ---------------------------------------------- */

static int note_result(uint32_t call, long result)
{
	int error = result < 0 ? errno : 0;

	atomic_fetch_add(&fuzz_shared->results[call][error < FUZZ_ERRORS ? error : FUZZ_ERRORS - 1], 1);
	return -error;
}

int fuzz_ioctl(int fd, uint32_t call, void *argument)
{
	uint64_t begin = now_ns();
	int ret = note_result(call, ioctl(fd, commands[call], argument));

	atomic_fetch_add(&fuzz_shared->ns[call], now_ns() - begin);
	return ret;
}

void fuzz_open_file(uint32_t file)
{
	int fd = open("/dev/ilk", O_RDWR | O_CLOEXEC | O_NONBLOCK);

	note_result(CALL_OPEN, fd);
	if (fd < 0)
		return;
	/* Replace the open file in one step, so that the descriptor always refers to the old or the
	 * new file. */
	note_result(CALL_CLOSE, dup3(fd, FIRST_FILE + (int)file, O_CLOEXEC));
	close(fd);
}

static void disarm_ids(struct fuzzer *fuzzer, int fd, const uint32_t *ids, uint32_t count)
{
	struct ilk_disarm call = { .what = one_in(fuzzer, 12) ? ILK_DISARM_ALL_FILES : ILK_DISARM_FILE };

	if (one_in(fuzzer, 3)) {
		call.what = ILK_DISARM_LIST;
		call.count = count;
		call.patches = (uintptr_t)ids;
	}
	if (one_in(fuzzer, 2))
		call.what |= ILK_DISARM_FREE;
	corrupt_object(fuzzer, &call, sizeof(call), 12);
	fuzz_ioctl(fd, CALL_DISARM, &call);
}

static void query_state(struct fuzzer *fuzzer, int fd, const uint32_t *iids)
{
	struct ilk_status status = {
		.flags = fuzz_below(fuzzer, 2), .capacity = fuzz_below(fuzzer, 64),
		.patches = (uintptr_t)fuzzer->arena,
	};
	struct ilk_counters counters = {
		.count = fuzz_below(fuzzer, FUZZ_PATCHES + 1), .flags = fuzz_below(fuzzer, 2),
		.iids = (uintptr_t)iids, .out = (uintptr_t)fuzzer->arena,
	};
	struct ilk_instruments instruments = {
		.capacity = fuzz_below(fuzzer, 20), .descs = (uintptr_t)fuzzer->arena,
	};
	struct ilk_clocks clocks = {
		.count = one_in(fuzzer, 64) ? 2 : 0, .cpus = (uintptr_t)fuzzer->arena,
	};
	struct ilk_interval_times told = { .capacity = fuzz_below(fuzzer, 64), .at = (uintptr_t)fuzzer->arena };
	struct ilk_info info;

	corrupt_object(fuzzer, &told, sizeof(told), 3);
	corrupt_object(fuzzer, &clocks, sizeof(clocks), 3);
	corrupt_object(fuzzer, &status, sizeof(status), 3);
	corrupt_object(fuzzer, &counters, sizeof(counters), 3);
	corrupt_object(fuzzer, &instruments, sizeof(instruments), 3);
	switch (fuzz_below(fuzzer, 6)) {
	case 0: fuzz_ioctl(fd, CALL_STATUS, &status); break;
	case 1: fuzz_ioctl(fd, CALL_COUNTERS, &counters); break;
	case 2: fuzz_ioctl(fd, CALL_INSTRUMENTS, &instruments); break;
	case 3: fuzz_ioctl(fd, CALL_CLOCKS, &clocks); break;
	case 4: fuzz_ioctl(fd, CALL_BLOCKS_TOLD, &told); break;
	default:
		fuzz_ioctl(fd, CALL_INFO, one_in(fuzzer, 4) ? (void *)draw_bad_pointer(fuzzer) : &info);
	}
}

/* ---- random calls about rings ------------------------------------------------------- */

static void use_map(struct fuzzer *fuzzer, int fd)
{
	size_t bytes = one_in(fuzzer, 2) ? 131072 : draw_nasty(fuzzer) % (1 << 22);
	off_t from = one_in(fuzzer, 3) ? (off_t)(draw_nasty(fuzzer) & ~4095ull) : 0;
	int protection = one_in(fuzzer, 8) ? PROT_READ | PROT_WRITE : PROT_READ;
	volatile uint8_t *map = mmap(NULL, bytes ? bytes : 1, protection,
				     one_in(fuzzer, 8) ? MAP_PRIVATE : MAP_SHARED, fd, from);

	note_result(CALL_MMAP, map == MAP_FAILED ? -1 : 0);
	if (map == MAP_FAILED)
		return;
	(void)map[fuzz_below(fuzzer, bytes ? bytes : 1) & ~4095u];
	if (one_in(fuzzer, 4))
		mprotect((void *)map, bytes ? bytes : 1, PROT_READ | PROT_WRITE | PROT_EXEC);
	if (one_in(fuzzer, 4))
		madvise((void *)map, bytes ? bytes : 1, fuzz_below(fuzzer, 24));
	munmap((void *)map, bytes ? bytes : 1);
}

static void use_rings(struct fuzzer *fuzzer, int fd)
{
	uint64_t *tails = place_object(fuzzer, 0, 16);
	struct ilk_consume call = {
		.count = 2, .tails = (uintptr_t)tails, .heads = (uintptr_t)fuzzer->arena + 4096,
		.gaps = one_in(fuzzer, 4) ? 0 : (uintptr_t)fuzzer->arena + 4096 + 64,
	};
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN | POLLOUT };
	struct ilk_claim claim = {
		.bytes = one_in(fuzzer, 3) ? ILK_RING_BYTES_MIN << fuzz_below(fuzzer, 4) : 0,
		.mode = one_in(fuzzer, 2) ? fuzz_below(fuzzer, 3) : 0,
	};
	void *to;

	if (claim.mode == ILK_RING_OVERWRITE && one_in(fuzzer, 2))
		claim.window_ns = 1 + fuzz_below(fuzzer, 2000000);
	if (one_in(fuzzer, 8))
		corrupt_object(fuzzer, &claim, sizeof(claim), 2);
	fuzz_ioctl(fd, CALL_CLAIM, &claim);
	if (one_in(fuzzer, 4))
		fuzz_ioctl(fd, CALL_FREEZE, NULL);
	switch (fuzz_below(fuzzer, 4)) {
	case 0:
		use_map(fuzzer, fd);
		break;
	case 1:
		to = one_in(fuzzer, 4) ? (void *)draw_bad_pointer(fuzzer) : fuzzer->arena;
		note_result(CALL_READ, read(fd, to, one_in(fuzzer, 4) ? draw_nasty(fuzzer) : 4096));
		break;
	case 2:
		note_result(CALL_POLL, poll(&poll_fd, 1, 0));
		break;
	default:
		memset(tails, 0, 16);
		fuzz_ioctl(fd, CALL_CONSUME, &call);
		tails[0] = call.heads ? ((uint64_t *)(fuzzer->arena + 4096))[0] : 0;
		corrupt_object(fuzzer, tails, 16, 2);
		corrupt_object(fuzzer, &call, sizeof(call), 3);
		fuzz_ioctl(fd, CALL_CONSUME, &call);
	}
}

/* ---- random calls about patches, areas and intervals --------------------------------- */

/* A transaction that hooks some sites: the slots (memory for code) and hooks to reserve, and the
 * arguments of PREPARE for them. */
struct plan {
	uint32_t count;
	const struct point *points[FUZZ_PATCHES];
	struct ilk_reserve_patch *slots;
	struct ilk_reserve_hook *cells;
	struct ilk_prepare_patch *patches;
	struct ilk_prepare_hook *hooks;
	uint32_t ids[FUZZ_PATCHES], iids[FUZZ_PATCHES];
};

/* Reserves slots and hooks for @plan. Return: 0 if the driver reserved exactly those requested. */
static int reserve_plan(struct fuzzer *fuzzer, int fd, struct plan *plan)
{
	struct ilk_reserve call = {
		.patch_count = plan->count, .patches = (uintptr_t)plan->slots,
		.hook_count = plan->count, .hooks = (uintptr_t)plan->cells,
	};
	uint32_t i;

	memset(plan->slots, 0, sizeof(*plan->slots) * plan->count);
	memset(plan->cells, 0, sizeof(*plan->cells) * plan->count);
	for (i = 0; i < plan->count; i++) {
		plan->slots[i].bytes = 96;
		plan->cells[i].flags = fuzz_below(fuzzer, 2);
	}
	corrupt_object(fuzzer, plan->slots, sizeof(*plan->slots) * plan->count, 12);
	corrupt_object(fuzzer, plan->cells, sizeof(*plan->cells) * plan->count, 12);
	corrupt_object(fuzzer, &call, sizeof(call), 16);
	if (fuzz_ioctl(fd, CALL_RESERVE, &call) || call.patches != (uintptr_t)plan->slots ||
	    call.hooks != (uintptr_t)plan->cells || call.patch_count != plan->count ||
	    call.hook_count != plan->count)
		return -1;
	for (i = 0; i < plan->count; i++) {
		plan->ids[i] = plan->slots[i].id;
		plan->iids[i] = plan->cells[i].iid;
	}
	return 0;
}

/* Fills in valid arguments of PREPARE. The code of a patch is valid only for the slot and site of
 * that patch. */
static void fill_plan(struct fuzzer *fuzzer, struct plan *plan)
{
	uint32_t i, patches = sizeof(*plan->patches) * plan->count;
	uint32_t hooks = sizeof(*plan->hooks) * plan->count;

	plan->patches = place_object(fuzzer, 0, patches);
	plan->hooks = (void *)(fuzzer->arena + 8192);
	/* Clear the memory, so that the arguments are not followed by valid arguments of an earlier
	 * call. */
	memset(fuzzer->arena, 0, 8192);
	memset(plan->patches, 0, patches);
	memset(plan->hooks, 0, hooks);
	for (i = 0; i < plan->count; i++) {
		struct code *code = &fuzzer->codes[i];
		const struct point *point = plan->points[i];
		struct ilk_prepare_patch *patch = &plan->patches[i];

		code_start(code, plan->slots[i].slot);
		code_count(code, plan->cells[i].counter);
		code_finish(code, point);
		patch->id = plan->ids[i];
		patch->tactic = one_in(fuzzer, 3) ? ILK_TACTIC_TRAP : ILK_TACTIC_SPLICE;
		patch->site = point->site;
		patch->code = (uintptr_t)code->bytes;
		patch->code_len = code->len;
		patch->len = point->len;
		memcpy(patch->old, point->old, point->len);
		plan->hooks[i].iid = plan->iids[i];
		plan->hooks[i].patch = plan->ids[i];
	}
}

/* Corrupts one field of @patch such that the driver refuses the patch, or can accept it without
 * harm. */
static void change_patch_harmlessly(struct fuzzer *fuzzer, struct ilk_prepare_patch *patch)
{
	switch (fuzz_below(fuzzer, 14)) {
	case 0: patch->id = fuzz_below(fuzzer, 2) ? 0 : 0x70000000 + fuzz_below(fuzzer, 1 << 20); break;
	case 1: patch->tactic = one_in(fuzzer, 2) ? ILK_TACTIC_CLONE : 5 + draw_nasty(fuzzer) % 1000; break;
	case 2: patch->site = draw_nasty(fuzzer); break;
	case 3: patch->code = place_half_mapped(fuzzer); break;
	case 4: patch->code_len = one_in(fuzzer, 2) ? 0 : 4096 + draw_nasty(fuzzer) % 0xfffff000; break;
	case 5: patch->orc = place_half_mapped(fuzzer); patch->orc_count = draw_nasty(fuzzer); break;
	case 6: patch->faults = place_half_mapped(fuzzer); patch->fault_count = draw_nasty(fuzzer); break;
	case 7: patch->len = one_in(fuzzer, 2) ? fuzz_below(fuzzer, 5)
					       : ILK_FOOTPRINT_MAX + 1 + draw_nasty(fuzzer) % 0xffff; break;
	case 8: patch->flags = ILK_PATCH_RETURNS; break;
	case 9: patch->flags = draw_nasty(fuzzer); break;
	case 10: patch->old[fuzz_below(fuzzer, patch->len ?: 1)] ^= 1 << fuzz_below(fuzzer, 8); break;
	case 11: patch->aux = draw_nasty(fuzzer) | (1 << 17); break;
	case 12: patch->aux_old[fuzz_below(fuzzer, 8)] = 1 + fuzz_below(fuzzer, 255); break;
	default: patch->replaces = one_in(fuzzer, 2) ? fuzz_below(fuzzer, 1 << 16) : draw_nasty(fuzzer);
	}
	/* A footprint of fewer than five bytes is harmless only for a trap: a trap may be at any
	 * instruction. With another tactic, set the length to 0. */
	if (patch->len < 5 && patch->tactic != ILK_TACTIC_TRAP)
		patch->len = 0;
}

static void corrupt_hook(struct fuzzer *fuzzer, struct ilk_prepare_hook *hook)
{
	switch (fuzz_below(fuzzer, 6)) {
	case 0: hook->iid = draw_nasty(fuzzer); break;
	case 1: hook->patch = draw_nasty(fuzzer); break;
	case 2: hook->instrument = fuzz_below(fuzzer, 12); break;
	case 3: hook->flags = one_in(fuzzer, 2) ? fuzz_below(fuzzer, 16) : draw_nasty(fuzzer); break;
	case 4: hook->start_ns = one_in(fuzzer, 2) ? fuzz_below(fuzzer, 20000000) : draw_nasty(fuzzer); break;
	default: hook->stop_ns = one_in(fuzzer, 2) ? fuzz_below(fuzzer, 20000000) : draw_nasty(fuzzer);
	}
}

static int prepare_plan(struct fuzzer *fuzzer, int fd, struct plan *plan, bool blind)
{
	struct ilk_prepare call = {
		.patch_count = plan->count, .patches = (uintptr_t)plan->patches,
		.hook_count = plan->count, .hooks = (uintptr_t)plan->hooks,
	};
	uint32_t i;

	for (i = 0; i < plan->count; i++) {
		if (one_in(fuzzer, 5))
			change_patch_harmlessly(fuzzer, &plan->patches[i]);
		if (one_in(fuzzer, 6))
			corrupt_hook(fuzzer, &plan->hooks[i]);
	}
	if (blind) {
		corrupt_object(fuzzer, plan->patches, sizeof(*plan->patches) * plan->count, 2);
		corrupt_object(fuzzer, plan->hooks, sizeof(*plan->hooks) * plan->count, 3);
		corrupt_object(fuzzer, &call, sizeof(call), 3);
	} else if (one_in(fuzzer, 12)) {
		/* Pass a count that exceeds the array. The array is followed by invalid items and
		 * then by unmapped memory. */
		call.patch_count += 1 + fuzz_below(fuzzer, 100000);
	}
	return fuzz_ioctl(fd, CALL_PREPARE, &call);
}

static void choose_sites(struct fuzzer *fuzzer, struct plan *plan)
{
	uint32_t i;

	memset(plan, 0, sizeof(*plan));
	plan->slots = (void *)(fuzzer->arena + 16384);
	plan->cells = (void *)(fuzzer->arena + 32768);
	plan->count = 1 + fuzz_below(fuzzer, FUZZ_PATCHES);
	for (i = 0; i < plan->count; i++)
		plan->points[i] = &fuzz_sites[fuzz_below(fuzzer, fuzz_site_count)];
}

static void call_sites(struct fuzzer *fuzzer)
{
	static const long calls[] = { SYS_getpgid, SYS_umask, SYS_getsid, SYS_ioprio_get, SYS_getppid };
	long number = calls[fuzz_below(fuzzer, sizeof(calls) / sizeof(*calls))];
	int i;

	for (i = 0; i < 20; i++)
		syscall(number, 0, 0);
	syscall(target_number, 0, 0);
}

/* Sets the on and off intervals of a hook. The hook may be bound to a patch or not, or may not
 * exist. */
static void set_blocks(struct fuzzer *fuzzer, int fd, uint32_t iid)
{
	struct ilk_reserve_hook loose = { 0 };
	struct ilk_reserve reserve = { .hook_count = 1, .hooks = (uintptr_t)&loose };
	uint8_t *on = fuzzer->arena;
	struct ilk_intervals blocks = {
		.iid = iid, .count = fuzz_below(fuzzer, 8), .period_ns = 1000000 + fuzz_below(fuzzer, 1000000),
		.on = (uintptr_t)on,
	};
	uint32_t i;

	for (i = 0; i < 8; i++)
		on[i] = fuzz_below(fuzzer, one_in(fuzzer, 8) ? 4 : 2);
	if (one_in(fuzzer, 2) && !fuzz_ioctl(fd, CALL_RESERVE, &reserve))
		blocks.iid = loose.iid;
	if (one_in(fuzzer, 6))
		corrupt_object(fuzzer, &blocks, sizeof(blocks), 2);
	fuzz_ioctl(fd, CALL_BLOCKS, &blocks);
}

#define AREAS	8u	/* maximum number of areas per call; low, so that areas with corrupted sizes
			 * take only a few MiB */

static void read_areas(struct fuzzer *fuzzer, int fd, const uint32_t *ids)
{
	struct ilk_memory_read call = {
		.id = ids[fuzz_below(fuzzer, AREAS)], .cpu = fuzz_below(fuzzer, 3), .bytes = 8u << fuzz_below(fuzzer, 8),
		.offset = 8 * fuzz_below(fuzzer, 8),
		.out = one_in(fuzzer, 8) ? draw_bad_pointer(fuzzer) : (uintptr_t)fuzzer->arena,
	};

	corrupt_object(fuzzer, &call, sizeof(call), 4);
	fuzz_ioctl(fd, CALL_MEMORY_READ, &call);
}

/* Allocates and reads areas, which are memory for the data of patches. No patch's code accesses
 * them, because another thread may free them through the same file. */
static void use_areas(struct fuzzer *fuzzer, int fd)
{
	struct ilk_disarm all = { .what = ILK_DISARM_FILE | ILK_DISARM_FREE };
	struct ilk_area *areas = place_object(fuzzer, 8192, AREAS * sizeof(*areas));
	struct ilk_memory call = { .areas = (uintptr_t)areas };
	uint32_t ids[AREAS] = { 0 }, turns = 1 + fuzz_below(fuzzer, 4), i;

	while (turns--) {
		memset(areas, 0, AREAS * sizeof(*areas));
		call.count = 1 + fuzz_below(fuzzer, AREAS);
		for (i = 0; i < AREAS; i++)
			areas[i] = (struct ilk_area){
				.bytes = 8u << fuzz_below(fuzzer, 10), .flags = fuzz_below(fuzzer, 2),
			};
		corrupt_object(fuzzer, areas, AREAS * sizeof(*areas), 3);
		corrupt_object(fuzzer, &call, sizeof(call), 6);
		fuzz_ioctl(fd, CALL_MEMORY, &call);
		for (i = 0; i < AREAS; i++)
			ids[i] = areas[i].id;
		read_areas(fuzzer, fd, ids);
		read_areas(fuzzer, fd, ids);
		call.areas = (uintptr_t)areas;
		call.pad = 0;
	}
	if (!one_in(fuzzer, 4))
		fuzz_ioctl(fd, CALL_DISARM, &all);
}

/*
 * Fills in @plan with calibration stubs, short functions whose duration MEASURE measures. The stubs
 * access no memory; some contain an int3.
 */
static void fill_grounds(struct fuzzer *fuzzer, struct plan *plan)
{
	static const uint8_t endbr[] = { 0xf3, 0x0f, 0x1e, 0xfa }, int3 = 0xcc, ret = 0xc3;
	uint32_t i;

	fill_plan(fuzzer, plan);
	for (i = 0; i < plan->count; i++) {
		struct code *code = &fuzzer->codes[i];
		bool trap = i && one_in(fuzzer, 2);

		code_start(code, plan->slots[i].slot);
		code_bytes(code, endbr, sizeof(endbr));
		if (trap)
			code_bytes(code, &int3, 1);
		code_bytes(code, &ret, 1);
		plan->patches[i] = (struct ilk_prepare_patch){
			.id = plan->ids[i], .site = plan->slots[i].slot, .flags = ILK_PATCH_CALIBRATION,
			.code = (uintptr_t)code->bytes, .code_len = code->len,
			.aux = trap ? sizeof(endbr) + 1 : 0,
		};
	}
}

static void use_grounds(struct fuzzer *fuzzer, int fd)
{
	struct ilk_measure call;
	struct plan plan;
	uint32_t turns = 1 + fuzz_below(fuzzer, 3);

	choose_sites(fuzzer, &plan);
	if (reserve_plan(fuzzer, fd, &plan))
		return;
	fill_grounds(fuzzer, &plan);
	prepare_plan(fuzzer, fd, &plan, false);
	while (turns--) {
		call = (struct ilk_measure){
			.patch = plan.ids[fuzz_below(fuzzer, plan.count)], .base = plan.ids[0],
			.calls = 1 + fuzz_below(fuzzer, 8), .count = 1 + fuzz_below(fuzzer, 16),
			.out = one_in(fuzzer, 8) ? draw_bad_pointer(fuzzer) : (uintptr_t)fuzzer->arena,
		};
		corrupt_object(fuzzer, &call, sizeof(call), 4);
		fuzz_ioctl(fd, CALL_MEASURE, &call);
	}
	if (one_in(fuzzer, 2))
		disarm_ids(fuzzer, fd, plan.ids, plan.count);
}

/* Prepares several plans, each of which replaces the previous one. With @arm, arms the plans and
 * calls functions that they hook. */
static void use_patches(struct fuzzer *fuzzer, int fd, bool arm)
{
	struct ilk_arm call;
	struct plan plan, before = { 0 };
	uint32_t turns = 1 + fuzz_below(fuzzer, 3), i;
	int ret = -1;

	choose_sites(fuzzer, &plan);
	while (turns--) {
		if (reserve_plan(fuzzer, fd, &plan))
			break;
		fill_plan(fuzzer, &plan);
		for (i = 0; i < plan.count && !ret; i++)
			plan.patches[i].replaces = before.ids[i];
		ret = prepare_plan(fuzzer, fd, &plan, false);
		if (ret && one_in(fuzzer, 2))
			break;
		if (one_in(fuzzer, 4))
			set_blocks(fuzzer, fd, plan.iids[fuzz_below(fuzzer, plan.count)]);
		if (arm && !fuzz_ioctl(fd, CALL_ARM, one_in(fuzzer, 32) ? (void *)draw_bad_pointer(fuzzer) : &call))
			atomic_fetch_add(&fuzz_shared->armed, ret ? 0 : plan.count);
		if (arm)
			call_sites(fuzzer);
		query_state(fuzzer, fd, plan.iids);
		if (arm && one_in(fuzzer, 4))
			usleep(fuzz_below(fuzzer, 3000));
		before = plan;
	}
	if (!arm || !one_in(fuzzer, 4))
		disarm_ids(fuzzer, fd, plan.ids, plan.count);
}

static void prepare_blindly(struct fuzzer *fuzzer, int fd)
{
	struct ilk_disarm all = { .what = ILK_DISARM_FILE | ILK_DISARM_FREE };
	struct plan plan;
	uint32_t turns = 1 + fuzz_below(fuzzer, 3);

	choose_sites(fuzzer, &plan);
	while (turns-- && !reserve_plan(fuzzer, fd, &plan)) {
		fill_plan(fuzzer, &plan);
		prepare_plan(fuzzer, fd, &plan, true);
		query_state(fuzzer, fd, plan.iids);
	}
	disarm_ids(fuzzer, fd, plan.ids, plan.count);
	if (!one_in(fuzzer, 8))
		fuzz_ioctl(fd, CALL_DISARM, &all);
}

/* ---- random sequences of calls ------------------------------------------------------ */

/* Makes one ioctl with random numbers and pointers as arguments. */
static void call_anything(struct fuzzer *fuzzer, int fd, bool blind)
{
	uint64_t *words = place_object(fuzzer, 0, 64);
	unsigned long command = commands[fuzz_below(fuzzer, sizeof(commands) / sizeof(*commands))];
	uint32_t i;

	for (i = 0; i < 8; i++)
		words[i] = one_in(fuzzer, 3) ? draw_nasty(fuzzer) : fuzz_below(fuzzer, 4);
	if (one_in(fuzzer, 3))
		command ^= 1ull << fuzz_below(fuzzer, 32);
	else if (one_in(fuzzer, 4))
		command = ILK_IOC_INFO + fuzz_below(fuzzer, 64);
	/* Skip ioctls that could run randomly prepared code. */
	if (command == ILK_IOC_ARM || command == (blind ? ILK_IOC_MEASURE : ILK_IOC_PREPARE))
		return;
	note_result(CALL_OTHER, ioctl(fd, command, one_in(fuzzer, 8) ? (void *)draw_nasty(fuzzer) : words));
	note_result(CALL_WRITE, one_in(fuzzer, 2) ? write(fd, words, 8) : lseek(fd, draw_nasty(fuzzer), SEEK_SET));
}

static void use_file(struct fuzzer *fuzzer, uint32_t file, uint32_t arms)
{
	if (file < FUZZ_FILES / 2)
		use_patches(fuzzer, FIRST_FILE + (int)file, one_in(fuzzer, arms));
	else
		prepare_blindly(fuzzer, FIRST_FILE + (int)file);
}

/* Forks a child that inherits the open files, uses them and then ends in one of several ways. */
static void fork_one(struct fuzzer *fuzzer, uint32_t file)
{
	pid_t pid = fork();

	note_result(CALL_FORK, pid);
	if (pid < 0)
		return;
	if (!pid) {
		fuzzer->random ^= 0x9e3779b97f4a7c15ull;
		use_file(fuzzer, file, 1);
		_exit(0);
	}
	if (one_in(fuzzer, 2)) {
		usleep(fuzz_below(fuzzer, 2000));
		kill(pid, SIGKILL);
	}
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

/*
 * Makes a random sequence of calls. Calls that wait for all CPUs or for a process are rare, so that
 * thousands of calls per second are possible.
 */
void fuzz_sequence(struct fuzzer *fuzzer, uint32_t file)
{
	int fd = FIRST_FILE + (int)file;
	uint32_t what = fuzz_below(fuzzer, 512);

	if (what < 128) {
		use_file(fuzzer, file, 6);
	} else if (what < 224) {
		use_rings(fuzzer, fd);
	} else if (what < 352) {
		query_state(fuzzer, fd, (uint32_t *)fuzzer->arena);
		query_state(fuzzer, fd, (uint32_t *)fuzzer->arena);
	} else if (what < 368 && file < FUZZ_FILES / 2) {
		use_grounds(fuzzer, fd);
	} else if (what < 390) {
		use_areas(fuzzer, fd);
	} else if (what < 424) {
		fuzz_crash(fuzzer, fd, file < FUZZ_FILES / 2);
	} else if (what < 507) {
		call_anything(fuzzer, fd, file >= FUZZ_FILES / 2);
	} else if (what < 508) {
		fork_one(fuzzer, file);
	} else {
		fuzz_open_file(file);
	}
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-selftest-watchpoint.c - tests watchpoints: when they start, how often they can be moved, and
 * an NMI during their code
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "ilk-selftest-fixtures.h"

#define MS		1000000ull
#define PATIENCE	(60000 * MS)

static struct ilk_watch watch_of(uint32_t iid)
{
	return (struct ilk_watch){
		.iid = iid, .access = ILK_WATCH_WRITE, .bytes = 8, .address = kernel_symbol("jiffies_64"),
	};
}

static int set_watch(int fd, struct ilk_watch *item)
{
	struct ilk_watch_set call = { .count = 1, .watches = (uintptr_t)item };

	return ioctl(fd, ILK_IOC_WATCH, &call) ? -errno : 0;
}

static struct ilk_watch_status watch_status(int fd, uint32_t iid)
{
	struct ilk_watch_status status = { .iid = iid };
	struct ilk_watch_query call = { .count = 1, .watches = (uintptr_t)&status };

	must(ioctl(fd, ILK_IOC_WATCH_STATUS, &call) ? -errno : 0, "WATCH_TELL");
	return status;
}

static bool reaches_count(int fd, uint32_t iid, uint32_t state)
{
	uint64_t end = now_ns() + PATIENCE;

	while (watch_status(fd, iid).state != state && now_ns() < end)
		usleep(10000);
	return watch_status(fd, iid).state == state;
}

/* Tests a patch, a hook and a watchpoint with a common start and a common stop. The driver must
 * handle six due times, a start and a stop for each, although the three objects have only two
 * ids. */
static void test_times(void)
{
	static const uint8_t bytes[] = { 0xf3, 0x0f, 0x1e, 0xfa, 0xc3 };
	int fd = ilk_open(NULL), log = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	struct ilk_reserve_patch slot = { .bytes = 32 };
	struct ilk_reserve_hook cells = { 0 };
	struct ilk_prepare_patch patch;
	struct ilk_prepare_hook hook;
	struct ilk_watch item;

	lseek(log, 0, SEEK_END);
	must(ilk_reserve(fd, &slot, 1, &cells, 1), "RESERVE");
	patch = (struct ilk_prepare_patch){
		.id = slot.id, .tactic = ILK_TACTIC_WATCH, .flags = ILK_PATCH_CALLED, .code = (uintptr_t)bytes,
		.code_len = sizeof(bytes),
	};
	hook = (struct ilk_prepare_hook){
		.iid = cells.iid, .patch = slot.id, .flags = ILK_HOOK_GATED, .start_ns = 200 * MS, .stop_ns = 400 * MS,
	};
	must(ilk_prepare(fd, &patch, 1, &hook, 1), "PREPARE");
	item = watch_of(cells.iid);
	item.patch = slot.id;
	item.start_ns = hook.start_ns;
	item.stop_ns = hook.stop_ns;
	must(set_watch(fd, &item), "WATCH");
	must(ilk_arm(fd, NULL), "ARM");
	check(reaches_count(fd, cells.iid, ILK_WATCH_STOPPED), "watches: one with code, that starts and stops, has stopped");
	check(!log_says(log, "WARNING: CPU"), "and the kernel has not warned of anything");
	close(log);
	close(fd);
}

/* Tests that a watchpoint made after an ARM starts only at the next ARM, even if other items
 * become due. */
static void test_never_armed(void)
{
	struct ilk_reserve_hook cells[2] = { { 0 } };
	struct ilk_watch early, late;
	int fd = ilk_open(NULL);

	must(ilk_reserve(fd, NULL, 0, cells, 2), "RESERVE");
	early = watch_of(cells[0].iid);
	early.start_ns = 300 * MS;
	late = watch_of(cells[1].iid);
	must(set_watch(fd, &early), "WATCH");
	must(ilk_arm(fd, NULL), "ARM");
	must(set_watch(fd, &late), "WATCH");
	check(reaches_count(fd, cells[0].iid, ILK_WATCH_LIVE), "watches: one that is due has started");
	check(watch_status(fd, cells[1].iid).state == ILK_WATCH_READY && !ilk_counter(fd, cells[1].iid).count,
	      "and one that was never armed has not");
	must(ilk_arm(fd, NULL), "ARM");
	check(reaches_count(fd, cells[1].iid, ILK_WATCH_LIVE), "it starts at the next ARM");
	must(ilk_disarm(fd, ILK_DISARM_FILE, NULL), "DISARM");
	check(watch_status(fd, cells[1].iid).state == ILK_WATCH_STOPPED, "and stops at DISARM");
	close(fd);
}

/*
 * Hooks the target with code that moves the watchpoint @iid to one of two addresses, chosen by the
 * time-stamp counter.
 */
static void hook_moves(int fd, struct hooked *hooked, uint32_t iid)
{
	/* pushf; push rdi rsi rdx rcx rax r8 r9 r10 r11; rdtsc; and $8,%eax; mov $place,%rsi */
	static const uint8_t save[] = { 0x9c, 0x57, 0x56, 0x52, 0x51, 0x50, 0x41, 0x50, 0x41, 0x51, 0x41, 0x52, 0x41, 0x53 };
	static const uint8_t begin[] = { 0x0f, 0x31, 0x83, 0xe0, 0x08, 0x48, 0xbe };
	static const uint8_t middle[] = { 0x48, 0x01, 0xc6, 0xbf }, to_rax[] = { 0x48, 0xb8 }, call[] = { 0xff, 0xd0 };
	static const uint8_t restore[] = { 0x41, 0x5b, 0x41, 0x5a, 0x41, 0x59, 0x41, 0x58, 0x58, 0x59, 0x5a, 0x5e, 0x5f, 0x9d };
	uint64_t place = kernel_symbol("init_uts_ns");
	struct ilk_info info;

	close(ilk_open(&info));
	memset(hooked, 0, sizeof(*hooked));
	hooked->point = target_point;
	hooked->slot.bytes = 128;
	must(ilk_reserve(fd, &hooked->slot, 1, &hooked->cells, 1), "RESERVE");
	code_start(&hooked->code, hooked->slot.slot);
	code_bytes(&hooked->code, save, sizeof(save));
	code_bytes(&hooked->code, begin, sizeof(begin));
	code_bytes(&hooked->code, &place, 8);
	code_bytes(&hooked->code, middle, sizeof(middle));
	code_bytes(&hooked->code, &iid, 4);
	code_bytes(&hooked->code, to_rax, 2);
	code_bytes(&hooked->code, &info.services[ILK_SERVICE_WATCH], 8);
	code_bytes(&hooked->code, call, 2);
	code_bytes(&hooked->code, restore, sizeof(restore));
	code_finish(&hooked->code, &target_point);
	hooked_plan(hooked, ILK_TACTIC_SPLICE);
	hooked->patch.flags = ILK_PATCH_RETURNS;
}

/* Moves a watchpoint back and forth in many hits. Some moves fail; the failures must be counted. */
static void test_moves(void)
{
	enum { HITS = 2000 };
	struct ilk_watch_status status;
	struct ilk_reserve_hook cells = { 0 };
	struct hooked hooked;
	uint64_t since, most, missed;
	struct ilk_watch item;
	int fd = ilk_open(NULL), i;

	must(ilk_reserve(fd, NULL, 0, &cells, 1), "RESERVE");
	item = watch_of(cells.iid);
	item.address = 0;
	item.flags = ILK_WATCH_MOVABLE;
	must(set_watch(fd, &item), "WATCH");
	hook_moves(fd, &hooked, cells.iid);
	must(ilk_prepare(fd, &hooked.patch, 1, &hooked.hook, 1), "PREPARE");
	must(ilk_arm(fd, NULL), "ARM");
	since = now_ns();
	for (i = 0; i < HITS; i++) {
		syscall(target_number, 0, 0);
		usleep(300);
	}
	status = watch_status(fd, cells.iid);
	most = (now_ns() - since) / (10 * MS) + 2;
	check(status.moves && status.moves <= most, "watches: moved %llu times by %d hits, %lu at most in that time",
	      status.moves, HITS, most);
	missed = ilk_counter(fd, cells.iid).missed;
	check(missed && status.moves + missed <= HITS, "and %lu were missed", missed);
	check(!status.moves_refused, "and none was refused");
	must(ilk_disarm(fd, ILK_DISARM_FILE, NULL), "DISARM");
	ilk_settle(fd);
	close(fd);
}

/* ---- test of an NMI during a watchpoint's code ---------------------------------------------- */

#define OPEN	"/sys/module/gilk_nmi/parameters/open"
#define STACKS	16u
#define POINT	0x706f696e74ull			/* value that the hook passes as its own address */

static const uint8_t endbr[] = { 0xf3, 0x0f, 0x1e, 0xfa }, to_rax[] = { 0x48, 0xb8 }, call_rax[] = { 0xff, 0xd0 };

/* Sets a watchpoint on a variable of the kernel's clock. The watchpoint's code sends an NMI to its
 * own CPU. */
static void watch_with_nmi(int fd)
{
	static const uint8_t align[] = { 0x48, 0x83, 0xec, 0x08 }, undo[] = { 0x48, 0x83, 0xc4, 0x08, 0xc3 };
	struct ilk_reserve_patch slot = { .bytes = 64 };
	struct ilk_reserve_hook cells = { 0 };
	uint64_t strike = kernel_symbol("gilk_nmi_strike");
	struct ilk_prepare_patch patch;
	struct ilk_prepare_hook hook;
	struct ilk_watch item;
	struct code code;

	must(ilk_reserve(fd, &slot, 1, &cells, 1), "RESERVE");
	code_start(&code, slot.slot);
	code_bytes(&code, endbr, sizeof(endbr));
	code_bytes(&code, align, sizeof(align));
	code_bytes(&code, to_rax, sizeof(to_rax));
	code_bytes(&code, &strike, 8);
	code_bytes(&code, call_rax, sizeof(call_rax));
	code_bytes(&code, undo, sizeof(undo));
	patch = (struct ilk_prepare_patch){
		.id = slot.id, .tactic = ILK_TACTIC_WATCH, .flags = ILK_PATCH_CALLED, .code = (uintptr_t)code.bytes,
		.code_len = code.len,
	};
	hook = (struct ilk_prepare_hook){ .iid = cells.iid, .patch = slot.id };
	must(ilk_prepare(fd, &patch, 1, &hook, 1), "PREPARE of a watchpoint's code");
	item = watch_of(cells.iid);
	item.patch = slot.id;
	must(set_watch(fd, &item), "WATCH");
}

/* Hooks the function that the NMI's handler calls. The hook's code stores the stack in @area. */
static void hook_stack(int fd, struct hooked *hooked, const struct point *point, const struct ilk_area *area)
{
	/* pushf; push rdi rsi rdx rcx rax r8 r9 r10 r11 */
	static const uint8_t save[] = { 0x9c, 0x57, 0x56, 0x52, 0x51, 0x50, 0x41, 0x50, 0x41, 0x51, 0x41, 0x52, 0x41, 0x53 };
	static const uint8_t restore[] = { 0x41, 0x5b, 0x41, 0x5a, 0x41, 0x59, 0x41, 0x58, 0x58, 0x59, 0x5a, 0x5e, 0x5f, 0x9d };
	static const uint8_t to_rdi[] = { 0x48, 0xbf }, to_rsi[] = { 0x48, 0xbe }, to_rdx[] = { 0x48, 0xba };
	uint64_t words = area->bytes / 8, at = POINT;
	struct ilk_orc orc[2];
	struct ilk_info info;

	close(ilk_open(&info));
	memset(hooked, 0, sizeof(*hooked));
	hooked->point = *point;
	hooked->slot.bytes = 128;
	must(ilk_reserve(fd, &hooked->slot, 1, &hooked->cells, 1), "RESERVE");
	code_start(&hooked->code, hooked->slot.slot);
	code_bytes(&hooked->code, save, sizeof(save));
	code_bytes(&hooked->code, to_rdi, 2);
	code_bytes(&hooked->code, &area->at, 8);
	code_bytes(&hooked->code, to_rsi, 2);
	code_bytes(&hooked->code, &words, 8);
	code_bytes(&hooked->code, to_rdx, 2);
	code_bytes(&hooked->code, &at, 8);
	code_bytes(&hooked->code, to_rax, 2);
	code_bytes(&hooked->code, &info.services[ILK_SERVICE_STACK], 8);
	code_bytes(&hooked->code, call_rax, sizeof(call_rax));
	code_bytes(&hooked->code, restore, sizeof(restore));
	code_finish(&hooked->code, point);
	hooked_plan(hooked, ILK_TACTIC_SPLICE);
	unwind_by_sp(&orc[0], 0, 8);
	/* At the call, the stack contains the return address, nine registers and the flags. */
	unwind_by_sp(&orc[1], sizeof(save), 88);
	hooked->patch.orc = (uintptr_t)orc;
	hooked->patch.orc_count = 2;
	must(ilk_prepare(fd, &hooked->patch, 1, &hooked->hook, 1), "PREPARE in the handler of NMIs");
}

/* Waits for the first stack in @area, and stores its entries in @entry. Return: whether a stack was
 * stored. */
static bool wait_stack(int fd, const struct ilk_area *area, uint64_t *entry)
{
	uint64_t end = now_ns() + PATIENCE;
	uint32_t i;

	do {
		for (i = 1; i < STACKS; i++) {
			must(area_read(fd, area->id, 0, i * ILK_STACK_WORDS * 8, entry, ILK_STACK_WORDS * 8), "MEMORY_READ");
			if (entry[0] && entry[1])
				return true;
		}
		usleep(10000);
	} while (now_ns() < end);
	return false;
}

/* Returns whether the stack trace contains the NMI's handler and the watchpoint's code that the NMI
 * interrupted. */
static bool is_of_nmi(const uint64_t *entry)
{
	uint64_t target = kernel_symbol("gilk_nmi_target"), strike = kernel_symbol("gilk_nmi_strike");
	uint64_t i;

	if (entry[2] != POINT || entry[3] < target - 4096 || entry[3] > target + 4096)
		return false;
	for (i = 4; i < 2 + entry[1] && (entry[i] < strike || entry[i] > strike + 256); i++)
		;
	return i < 2 + entry[1];
}

/* Tests that a hook in an NMI gets the stack of the NMI, not the stack of the access whose code
 * was interrupted. */
static void test_nmi_inside(void)
{
	struct ilk_area area = { .bytes = STACKS * ILK_STACK_WORDS * 8 };
	uint64_t entry[ILK_STACK_WORDS] = { 0 };
	struct hooked hooked;
	struct point point;
	char path[256];
	int fd, ret;

	snprintf(path, sizeof(path), "%s/gilk_nmi.ko", arena_folder);
	ret = module_load(path, "");
	must(ret == -EEXIST ? 0 : ret, path);
	kernel_load();
	fd = ilk_open(NULL);
	must(areas_alloc(fd, &area, 1), "MEMORY");
	if (!point_find(kernel_symbol("gilk_nmi_target"), 0, &point))
		die("the function that the handler of NMIs calls cannot be hooked");
	hook_stack(fd, &hooked, &point, &area);
	watch_with_nmi(fd);
	must(ilk_arm(fd, NULL), "ARM");
	ilk_settle(fd);
	write_file(OPEN, "1");
	check(wait_stack(fd, &area, entry), "watches: an NMI amid a watchpoint's code takes a stack");
	check(is_of_nmi(entry), "and it is the NMI's: %lu addresses, %#lx, %#lx", entry[1],
	      entry[2], entry[3]);
	write_file(OPEN, "0");
	must(ilk_disarm(fd, ILK_DISARM_FILE, NULL), "DISARM");
	ilk_settle(fd);
	close(fd);
	if (!ret)
		must(module_unload("gilk_nmi"), "unload");
}

void test_watchpoints(void)
{
	test_times();
	test_never_armed();
	test_moves();
	test_nmi_inside();
	check(text_is_restored(), "text is as before");
}

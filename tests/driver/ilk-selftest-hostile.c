// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-selftest-hostile.c - makes calls that the driver must refuse, and survive
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ilk-selftest.h"

/* ---- tests of items that must be refused ----------------------------------------- */

void expect_refusal(int fd, struct hooked *hooked, uint32_t refusal, const char *what)
{
	int ret = ilk_prepare(fd, &hooked->patch, 1, NULL, 0);

	check(ret < 0 && hooked->patch.refusal == refusal && hooked->patch.error == ret,
	      "refused: %s (refusal %u, wanted %u, %s)", what, hooked->patch.refusal, refusal,
	      strerror(-ret));
	if (!ret)
		ilk_disarm(fd, ILK_DISARM_FILE, NULL);
}

/* Moves the planned patch to @site, and reads its original bytes there. */
static void set_site(struct hooked *hooked, uint64_t site, uint32_t len)
{
	hooked_plan(hooked, ILK_TACTIC_SPLICE);
	hooked->patch.site = site;
	hooked->patch.len = len;
	memset(hooked->patch.old, 0x90, ILK_FOOTPRINT_MAX);
	if (site)
		kernel_read(site, hooked->patch.old, len);
}

static uint64_t self_relative(uint64_t addr)
{
	int32_t rel;

	return kernel_read(addr, &rel, 4) ? 0 : addr + rel;
}

/* Returns whether the five bytes at @at overlap a static key, which the driver would refuse
 * first. */
static bool meets_jump_label(uint64_t at)
{
	uint64_t base = kernel_symbol("__start___jump_table"), end = kernel_symbol("__stop___jump_table");
	uint64_t entry, size = end - base;
	bool meets = false;
	char *table = base < end ? malloc(size) : NULL;

	if (!table || kernel_read(base, table, size))
		size = 0;
	for (entry = 0; entry < size && !meets; entry += 16) {
		uint64_t addr = base + entry + *(int32_t *)(table + entry);

		meets = addr >= at && addr < at + 5;
	}
	free(table);
	return meets;
}

/*
 * Returns whether the bug table's entry at @entry belongs to a WARN with a message (BUGFLAG_ARGS,
 * Linux 7.1). Such an entry does not have the address of the trap.
 */
static bool is_beside_its_trap(uint64_t entry, uint32_t stride)
{
	uint16_t flags = 0;

	return stride == 16 && !kernel_read(entry + 14, &flags, sizeof(flags)) && flags & 16;
}

/* Returns the first address in the table that is in core kernel text, more than 4096 bytes after
 * _stext. @keys: the table lists static keys */
static uint64_t table_entry(const char *table, uint32_t stride, bool keys)
{
	uint64_t base = kernel_symbol(table), i, at;
	/* Skip entry code, which may come first and is refused for another reason. */
	uint64_t low = kernel_symbol("_stext"), high = kernel_symbol("__noinstr_text_start");
	uint64_t entry = kernel_symbol("__entry_text_start"), entry_end = kernel_symbol("__entry_text_end");

	for (i = 0; base && i < 4096; i++) {
		at = self_relative(base + i * stride);
		if (at > low + 4096 && at < high && !(at >= entry && at < entry_end) &&
		    (keys || (!meets_jump_label(at) && !is_beside_its_trap(base + i * stride, stride))))
			return at;
	}
	return 0;
}

/* Tries a one-byte trap at each byte of the target: only traps at one-byte instructions must be
 * accepted. */
static void expect_boundaries(int fd, struct hooked *hooked)
{
	uint32_t at, refused = 0, strange = 0;
	int ret;

	for (at = 0; at < target_point.len; at++) {
		set_site(hooked, target_point.site + at, 1);
		hooked->patch.tactic = ILK_TACTIC_TRAP;
		ret = ilk_prepare(fd, &hooked->patch, 1, NULL, 0);
		if (!ret)
			ilk_disarm(fd, ILK_DISARM_FILE, NULL);
		else
			refused++;
		strange += ret && hooked->patch.refusal != ILK_REFUSAL_NOT_BOUNDARY;
	}
	check(refused && !strange,
	      "refused: %u of %u bytes that are no whole instruction", refused, target_point.len);
	set_site(hooked, target_point.site, target_point.len);
	must(ilk_prepare(fd, &hooked->patch, 1, NULL, 0), "PREPARE of whole instructions");
	ilk_disarm(fd, ILK_DISARM_FILE, NULL);
}

/* Tries points of the function in tests/kmod/large.S, which has 80,000 bytes, in ascending and then
 * in descending order. */
static void expect_large(int fd, struct hooked *hooked)
{
	static const uint32_t places[] = { 0, 79990, 40000, 70000, 10, 65530, 32770, 79980 };
	uint64_t large = kernel_symbol("gilk_large");
	uint32_t i, wrong = 0;

	for (i = 0; i < sizeof(places) / sizeof(*places); i++) {
		set_site(hooked, large + places[i], 10);
		wrong += ilk_prepare(fd, &hooked->patch, 1, NULL, 0) != 0;
		ilk_disarm(fd, ILK_DISARM_FILE, NULL);
		set_site(hooked, large + places[i] + 3, 7);
		wrong += !ilk_prepare(fd, &hooked->patch, 1, NULL, 0) ||
			 hooked->patch.refusal != ILK_REFUSAL_NOT_BOUNDARY;
		ilk_disarm(fd, ILK_DISARM_FILE, NULL);
	}
	check(!wrong, "boundaries in a function of 80,000 bytes: %u wrong", wrong);
}

/*
 * Tests that code is refused if one of its unwind entries is relative to a register other than rsp
 * and rbp, is indirect, or is not of type "call".
 */
static void expect_frames(int fd, struct hooked *hooked)
{
	static const struct { uint8_t bytes[2], mask[2]; const char *what; } wrong[] = {
		{ { 0x06 }, { 0x0f }, "an unwind entry from r10" },
		{ { 0x00 }, { 0x0f }, "an unwind entry from nowhere" },
		{ { 0x09 }, { 0x0f }, "an unwind entry from (rsp)" },
		{ { 0x0f }, { 0x0f }, "an unwind entry of an unknown register" },
		{ { 0x20 }, { 0xf0 }, "an unwind entry with rbp in rdx" },
		{ { 0, 0x03 }, { 0, 0x07 }, "an unwind entry of another kind" },
	};
	struct ilk_orc orc;
	size_t i, k;

	for (i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		hooked_plan(hooked, ILK_TACTIC_SPLICE);
		unwind_by_sp(&orc, 0, 8);
		for (k = 0; k < 2; k++)
			orc.entry[4 + k] = (orc.entry[4 + k] & ~wrong[i].mask[k]) | wrong[i].bytes[k];
		hooked->patch.orc = (uintptr_t)&orc;
		hooked->patch.orc_count = 1;
		expect_refusal(fd, hooked, ILK_REFUSAL_BAD_ITEM, wrong[i].what);
	}
	hooked_plan(hooked, ILK_TACTIC_SPLICE);
}

/* Returns the size of an entry of the bug table, as reported by the driver. */
static uint32_t bug_size(void)
{
	struct ilk_info info;

	close(ilk_open(&info));
	return info.bug_size;
}

void test_refusals(void)
{
	static const char * const denied[] = {
		"do_syscall_64", "notify_die", "ilk_ioctl", "asm_exc_int3", "__rcu_read_lock",
		"__switch_to_asm", "default_idle",
		/*
		 * The trap handler calls these functions, or other tools' probes of the trap
		 * handler do, or they run without an IDT. So they must not be hooked.
		 */
		"function_trace_call", "ring_buffer_lock_reserve", "perf_trace_buf_alloc",
		"bpf_prog_inc_misses_counter", "get_kprobe", "native_write_cr0", "load_direct_gdt",
		"start_secondary",
		/* These functions are called after perf's recursion check, or in contexts where
		 * that check is ineffective. */
		"perf_tp_event", "perf_trace_run_bpf_submit", "perf_swevent_put_recursion_context",
		"tracer_tracing_is_on", "perf_event_wakeup",
		/*
		 * A trap in these functions would add an event in each iteration of a loop that
		 * ends only when no event was added.
		 */
		"rb_move_tail", "__rb_reserve_next.constprop.0", "rb_commit.part.0",
		"perf_output_begin", "perf_output_begin_forward", "perf_output_begin_backward",
		"perf_output_put_handle", "perf_output_end", "perf_swevent_set_period", "prb_reserve",
		"prb_commit",
	};
	const struct {
		const char *table;
		uint32_t stride, refusal;
	} tables[] = {
		{ "__start___jump_table", 16, ILK_REFUSAL_JUMP_LABEL },
		{ "__start_static_call_sites", 8, ILK_REFUSAL_STATIC_CALL },
		{ "__start___ex_table", 12, ILK_REFUSAL_EXTABLE },
		{ "__start___bug_table", bug_size(), ILK_REFUSAL_BUG },
	};
	struct ilk_prepare_patch twice[2];
	struct hooked hooked, other;
	uint64_t site;
	size_t i;
	int fd = ilk_open(NULL);

	hook_counter(fd, &hooked, &target_point, true, ILK_TACTIC_SPLICE);
	hook_counter(fd, &other, &target_point, true, ILK_TACTIC_SPLICE);

	hooked.patch.old[2] ^= 1;
	expect_refusal(fd, &hooked, ILK_REFUSAL_TEXT_DIFFERS, "other bytes");
	set_site(&hooked, 0, 5);
	expect_refusal(fd, &hooked, ILK_REFUSAL_NOT_TEXT, "address 0");
	set_site(&hooked, kernel_symbol("jiffies_64") ?: kernel_symbol("init_task"), 5);
	expect_refusal(fd, &hooked, ILK_REFUSAL_NOT_TEXT, "kernel data");
	set_site(&hooked, (uintptr_t)&hooked, 5);
	expect_refusal(fd, &hooked, ILK_REFUSAL_RANGE, "user memory");
	set_site(&hooked, ~0ul - 3, 5);
	expect_refusal(fd, &hooked, ILK_REFUSAL_NOT_TEXT, "end of memory");
	for (i = 0; i < sizeof(denied) / sizeof(*denied); i++) {
		site = kernel_symbol(denied[i]);
		if (!site)
			continue;
		set_site(&hooked, site + 12, 5);
		expect_refusal(fd, &hooked, ILK_REFUSAL_DENIED, denied[i]);
	}
	set_site(&hooked, target_point.site - 5, 5);
	expect_refusal(fd, &hooked, ILK_REFUSAL_FTRACE, "fentry site");
	for (i = 0; i < sizeof(tables) / sizeof(*tables); i++) {
		site = table_entry(tables[i].table, tables[i].stride,
				   tables[i].refusal == ILK_REFUSAL_JUMP_LABEL);
		if (!site)
			continue;
		set_site(&hooked, site, 5);
		expect_refusal(fd, &hooked, tables[i].refusal, tables[i].table);
	}
	expect_frames(fd, &hooked);
	expect_boundaries(fd, &hooked);
	expect_large(fd, &hooked);
	hooked_plan(&hooked, ILK_TACTIC_BOUNCE);
	expect_refusal(fd, &hooked, ILK_REFUSAL_BAD_ITEM, "a bounce nowhere");
	hooked.patch.aux = hooked.patch.site;
	expect_refusal(fd, &hooked, ILK_REFUSAL_BAD_ITEM, "a bounce in its own site");
	hooked_plan(&hooked, ILK_TACTIC_CLONE);
	expect_refusal(fd, &hooked, ILK_REFUSAL_BAD_ITEM, "a clone that does not return");
	hooked_plan(&hooked, ILK_TACTIC_SPLICE);
	hooked.patch.len = 4;
	expect_refusal(fd, &hooked, ILK_REFUSAL_BAD_ITEM, "a jump in 4 bytes");
	hooked_plan(&hooked, ILK_TACTIC_SPLICE);
	hooked.patch.id = 0x7fffffff;
	expect_refusal(fd, &hooked, ILK_REFUSAL_BAD_ITEM, "unknown patch");
	hooked_plan(&hooked, ILK_TACTIC_SPLICE);
	hooked.hook.instrument = 99999;
	check(ilk_prepare(fd, &hooked.patch, 1, &hooked.hook, 1) == -ENOENT &&
	      hooked.hook.refusal == ILK_REFUSAL_INSTRUMENT, "refused: unknown instrument");

	hooked_plan(&hooked, ILK_TACTIC_SPLICE);
	twice[0] = hooked.patch;
	twice[1] = other.patch;
	check(ilk_prepare(fd, twice, 2, NULL, 0) == -EEXIST && !twice[0].error &&
	      twice[1].refusal == ILK_REFUSAL_OVERLAP, "refused: overlap in one transaction");
	must(ilk_prepare(fd, &hooked.patch, 1, &hooked.hook, 1), "PREPARE after refusals");
	expect_refusal(fd, &hooked, ILK_REFUSAL_STATE, "prepared twice");
	expect_refusal(fd, &other, ILK_REFUSAL_OVERLAP, "overlap");
	check(text_compare(true), "refusals changed no text");
	close(fd);
}

/* ---- tests of random and corrupted calls -------------------------------------------------- */

static const unsigned long commands[] = {
	ILK_IOC_INFO, ILK_IOC_RESERVE, ILK_IOC_PREPARE, ILK_IOC_DISARM, ILK_IOC_STATUS,
	ILK_IOC_COUNTERS, ILK_IOC_INSTRUMENTS, ILK_IOC_RING_CLAIM, ILK_IOC_CONSUME, ILK_IOC_ARM,
	ILK_IOC_MEMORY, ILK_IOC_MEMORY_READ,
};

/* Returns a number that is likely to cause errors. */
static uint64_t draw_nasty(uint8_t *arena)
{
	switch (random() % 8) {
	case 0: return 0;
	case 1: return random() % 16;
	case 2: return ~0ull;
	case 3: return 0xffffffff80000000ull + random() % (1 << 26);
	case 4: return 1ull << (random() % 64);
	case 5: return ((uint64_t)random() << 32) ^ random();
	default: return (uintptr_t)arena + random() % 4096;
	}
}

static void fuzz_calls(int fd, int rounds)
{
	uint8_t *arena = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			      -1, 0);
	uint64_t call[8];
	int i, k;

	for (i = 0; i < rounds; i++) {
		for (k = 0; k < 8; k++)
			call[k] = random() % 3 ? draw_nasty(arena) :
				  (random() % 4) | (uint64_t)(random() % 4) << 32;
		for (k = 0; k < 64; k++)
			((uint64_t *)arena)[random() % 512] = draw_nasty(arena);
		ioctl(fd, random() % 16 ? commands[random() % 12] : (unsigned long)random(),
		      random() % 32 ? (void *)call : (void *)draw_nasty(arena));
		if (!(i % 64))
			ilk_disarm(fd, ILK_DISARM_FILE | ILK_DISARM_FREE, NULL);
	}
	munmap(arena, 1 << 20);
}

/* Prepares valid patches, each with one field corrupted; never arms them. */
static void mutate_patch(int fd, int rounds)
{
	struct hooked hooked;
	uint32_t *words = (uint32_t *)&hooked.patch;
	int i;

	for (i = 0; i < rounds; i++) {
		hook_counter(fd, &hooked, &target_point, random() & 1, ILK_TACTIC_SPLICE);
		words[random() % (sizeof(hooked.patch) / 4)] = draw_nasty((uint8_t *)&hooked);
		((uint32_t *)&hooked.hook)[random() % (sizeof(hooked.hook) / 4)] =
			draw_nasty((uint8_t *)&hooked);
		ilk_prepare(fd, &hooked.patch, 1, &hooked.hook, 1);
		ilk_disarm(fd, ILK_DISARM_FILE | ILK_DISARM_FREE, NULL);
	}
}

void test_hostile(int rounds)
{
	struct ilk_info info;
	int status, fd;
	pid_t pid = fork();

	if (!pid) {
		fd = ilk_open(NULL);
		fuzz_calls(fd, rounds * 1500);
		mutate_patch(fd, rounds * 250);
		_exit(0);
	}
	waitpid(pid, &status, 0);
	check(WIFEXITED(status) && !WEXITSTATUS(status) && text_compare(true),
	      "%d hostile calls, text unchanged", rounds * 1750);
	fd = ilk_open(&info);
	check(!info.poisoned && !info.patches_live, "nothing is left of them");
	close(fd);
}

void test_limits(void)
{
	struct ilk_reserve_patch patch = { .bytes = ILK_SLOT_MAX };
	struct ilk_info info;
	uint32_t n = 0;
	int fd = ilk_open(NULL), ret, tries = 0;

	while (!(ret = ilk_reserve(fd, &patch, 1, NULL, 0)))
		n++;
	check(ret == -ENOSPC && n > 100, "the arena holds %u slots of %u bytes, then says so", n,
	      ILK_SLOT_MAX);
	close(fd);
	do {
		usleep(20000);
		close(ilk_open(&info));
	} while (info.hooks_live && tries++ < 500);
	check(info.arena_free > info.arena_bytes - 4096 && !info.hooks_live,
	      "all of it is free again: %llu of %llu bytes, %u hooks live", info.arena_free,
	      info.arena_bytes, info.hooks_live);
}

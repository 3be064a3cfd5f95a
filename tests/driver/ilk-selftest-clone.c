// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-selftest-clone.c - tests hand-written clones, which are instrumented copies of functions:
 * their counts, faults and stack traces
 *
 * The originals are in tests/kmod/clone-target.S. ilk-selftest-retire.c tests clones in which tasks
 * sleep.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "ilk-selftest-fixtures.h"

#define PARAMETERS	"/sys/module/gilk_clone/parameters/"
#define NOWHERE		"0x8000000000001000"	/* non-canonical: any access faults */

/* ---- parameters of the module gilk_clone ------------------------------------------- */

bool clone_set(const char *name, const char *value)
{
	char path[128];

	snprintf(path, sizeof(path), PARAMETERS "%s", name);
	return write_file(path, value);
}

const char *clone_get(const char *name)
{
	static char text[4096];
	char path[128];
	ssize_t n = -1;
	int fd;

	snprintf(path, sizeof(path), PARAMETERS "%s", name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		n = read(fd, text, sizeof(text) - 1);
		close(fd);
	}
	text[n > 0 ? n : 0] = 0;
	return text;
}

/* ---- preparing clones --------------------------------------------------------------- */

static uint64_t get_site(const char *function)
{
	uint64_t at = kernel_symbol(function);
	uint8_t bytes[4];

	if (!at || kernel_read(at, bytes, 4))
		die("no function %s", function);
	return at + endbr_bytes(bytes);
}

void clone_fill_patch(struct clones *c, int i, uint64_t site, uint32_t len, uint32_t flags)
{
	struct ilk_prepare_patch *patch = &c->patches[i];

	memset(patch, 0, sizeof(*patch));
	patch->id = c->slots[i].id;
	patch->tactic = ILK_TACTIC_CLONE;
	patch->flags = flags;
	patch->site = site;
	patch->len = len;
	if (len)
		kernel_read(site, patch->old, len);
	patch->code = (uintptr_t)c->code[i].bytes;
	patch->code_len = c->code[i].len;
	memset(&c->hooks[i], 0, sizeof(c->hooks[i]));
	c->hooks[i].iid = c->cells[i].iid;
	c->hooks[i].patch = c->slots[i].id;
}

/* Writes unwind entries for code that pushes a word before offset @pushed_at, and pops it before
 * offset @popped_at, or never if @popped_at is 0. */
void clone_fill_orc(struct clones *c, int i, uint32_t pushed_at, uint32_t popped_at)
{
	const uint32_t offsets[3] = { 0, pushed_at, popped_at };
	int k;

	for (k = 0; k < 3; k++)
		unwind_by_sp(&c->orc[i][k], offsets[k], k == 1 ? 16 : 8);
	c->patches[i].orc = (uintptr_t)c->orc[i];
	c->patches[i].orc_count = popped_at ? 3 : 2;
}

void clones_open(struct clones *c)
{
	memset(c, 0, sizeof(*c));
	c->fd = ilk_open(NULL);
	c->outer = get_site("gilk_clone_outer");
	c->inner = get_site("gilk_clone_inner");
	c->load = get_site("gilk_clone_load");
	c->slots[0].bytes = 96;
	c->slots[1].bytes = 96;
	must(ilk_reserve(c->fd, c->slots, 2, c->cells, 2), "RESERVE of clones");
}

/* Emits a clone of gilk_clone_outer() or gilk_clone_inner() that increments a counter and calls
 * @callee. */
void clone_emit_caller(struct clones *c, int i, bool outer, uint64_t callee)
{
	static const uint8_t outer_head[] = { 0x48, 0x89, 0xfb, 0x48, 0x8d, 0x7f, 0x01 };
	static const uint8_t inner_head[] = { 0x48, 0xc7, 0xc3, 0x03, 0x00, 0x00, 0x00 };
	static const uint8_t tail[] = { 0x48, 0x01, 0xd8, 0x5b, 0xc3 };
	struct code *code = &c->code[i];

	code_start(code, c->slots[i].slot);
	code_count(code, c->cells[i].counter);
	code_bytes(code, "\x53", 1);
	clone_fill_orc(c, i, code->len, 0);
	code_bytes(code, outer ? outer_head : inner_head, 7);
	code_jump(code, 0xe8, callee);
	code_bytes(code, tail, sizeof(tail));
}

/*
 * Plans a clone of gilk_clone_outer(). With @inner, it calls a clone of gilk_clone_inner(), which
 * nothing else calls.
 */
void clones_plan(struct clones *c, bool inner)
{
	uint64_t wait = kernel_symbol("gilk_clone_wait");

	clone_emit_caller(c, 0, true, inner ? c->slots[1].slot : c->inner);
	clone_emit_caller(c, 1, false, wait);
	clone_fill_patch(c, 0, c->outer, 8, ILK_PATCH_RETURNS);
	clone_fill_orc(c, 0, c->orc[0][1].offset, 0);
	clone_fill_patch(c, 1, c->inner, 0, ILK_PATCH_RETURNS | ILK_PATCH_INNER);
	clone_fill_orc(c, 1, c->orc[1][1].offset, 0);
}

void clones_arm(struct clones *c, bool inner)
{
	int n = inner ? 2 : 1;

	clones_plan(c, inner);
	must(ilk_prepare(c->fd, c->patches, n, c->hooks, n), "PREPARE of clones");
	must(ilk_arm(c->fd, NULL), "ARM of clones");
	read_shown();
	ilk_settle(c->fd);
}

/* ---- test of counts and stack traces -------------------------------------------------- */

static void test_live(void)
{
	struct ilk_patch_status status[2] = { { 0 } };
	struct ilk_status call = { .capacity = 2, .patches = (uintptr_t)status };
	struct clones c;
	const char *trace;
	int i;

	clones_open(&c);
	clones_arm(&c, true);
	must(ioctl(c.fd, ILK_IOC_STATUS, &call), "STATUS");
	check(status[0].state == ILK_STATE_ARMED && status[0].new_[0] == 0xe9 &&
	      status[1].state == ILK_STATE_ARMED && !status[1].len,
	      "a clone and an inner one are armed");
	for (i = 0; i < 50; i++)
		clone_set("call", "10");
	check(atoi(clone_get("call")) == 35 && ilk_counter(c.fd, c.cells[0].iid).count == 50 &&
	      ilk_counter(c.fd, c.cells[1].iid).count == 50,
	      "both run, count exactly and compute the same");
	trace = clone_get("trace");
	check(strstr(trace, "ilk_arena_section") && strstr(trace, "call_set") &&
	      strstr(trace, "do_syscall_64"), "a stack trace runs through both");
	must(ilk_disarm(c.fd, ILK_DISARM_FILE, NULL), "DISARM");
	clone_set("call", "10");
	check(text_is_restored() && atoi(clone_get("call")) == 35 &&
	      ilk_counter(c.fd, c.cells[0].iid).count == 50, "disarmed: new calls do not enter");
	ilk_settle(c.fd);
	clones_plan(&c, true);
	check(!ilk_prepare(c.fd, c.patches, 2, c.hooks, 2), "prepared anew once nobody is inside");
	close(c.fd);
}

/* ---- test of faults in a clone ---------------------------------------------------------- */

/*
 * Plans a hook in gilk_clone_load(): a clone with an exception fix-up of its own, or a splice with
 * the original's fix-up.
 */
void clone_plan_load(struct clones *c, int n, uint32_t tactic)
{
	static const uint8_t head[] = { 0x48, 0x8d, 0x17 };
	static const uint8_t body[] = { 0x48, 0x8b, 0x02 };
	static const uint8_t fixup[] = { 0xc3, 0x48, 0xc7, 0xc0, 0xf1, 0xff, 0xff, 0xff, 0xc3 };
	uint64_t entry = kernel_symbol("gilk_clone_load");
	struct code *code = &c->code[n];
	uint8_t bytes[64];
	uint32_t i;

	code_start(code, c->slots[n].slot);
	code_count(code, c->cells[n].counter);
	code_bytes(code, head, sizeof(head));
	c->fault.offset = code->len;
	c->fault.data = 1;			/* EX_TYPE_DEFAULT */
	code_bytes(code, body, sizeof(body));
	if (tactic == ILK_TACTIC_CLONE) {
		c->fault.fixup = c->slots[n].slot + code->len + 1;
		code_bytes(code, fixup, sizeof(fixup));		/* after a fault this fix-up returns
								 * -15; the original's returns
								 * -14 */
	} else {
		code_jump(code, 0xe9, c->load + 6);
		kernel_read(entry, bytes, sizeof(bytes));
		for (i = 0; i + 7 < sizeof(bytes) && memcmp(bytes + i, "\x48\xc7\xc0\xf2", 4); i++)
			;
		c->fault.fixup = entry + i;
	}
	clone_fill_patch(c, n, c->load, 6, tactic == ILK_TACTIC_CLONE ? ILK_PATCH_RETURNS : 0);
	c->patches[n].tactic = tactic;
	c->patches[n].faults = (uintptr_t)&c->fault;
	c->patches[n].fault_count = 1;
}

static void test_faults(void)
{
	static const struct {
		uint32_t tactic;
		int result;
		const char *what;
	} cases[] = {
		{ ILK_TACTIC_CLONE, -15, "a fault in a clone goes to the clone's own fix-up" },
		{ ILK_TACTIC_SPLICE, -14, "a fault in a splice goes to the original's fix-up" },
	};
	struct clones c;
	size_t i;
	int result;

	clone_set("load", NOWHERE);
	check(atoi(clone_get("load")) == -14, "the original's fault is fixed up");
	for (i = 0; i < 2; i++) {
		clones_open(&c);
		clone_plan_load(&c, 0, cases[i].tactic);
		c.patches[0].fault_count = 0;
		check(ilk_prepare(c.fd, c.patches, 1, c.hooks, 1) == -EOPNOTSUPP &&
		      c.patches[0].refusal == ILK_REFUSAL_EXTABLE, "refused without its fix-up (refusal %u)", c.patches[0].refusal);
		clone_plan_load(&c, 0, cases[i].tactic);
		must(ilk_prepare(c.fd, c.patches, 1, c.hooks, 1), "PREPARE with a fix-up");
		must(ilk_arm(c.fd, NULL), "ARM with a fix-up");
		clone_set("load", NOWHERE);
		result = atoi(clone_get("load"));
		ilk_settle(c.fd);
		clone_set("load", NOWHERE);
		check(result == cases[i].result && atoi(clone_get("load")) == cases[i].result &&
		      ilk_counter(c.fd, c.cells[0].iid).count == 2, "%s (%d)", cases[i].what, result);
		close(c.fd);
	}
	check(text_is_restored(), "restored after the faults");
}

/* ---- tests of items that must be refused ---------------------------------------------------- */

static void expect_arm_refusal(struct clones *c, int i, uint32_t refusal, const char *what)
{
	int ret = ilk_prepare(c->fd, &c->patches[i], 1, NULL, 0);

	check(ret < 0 && c->patches[i].refusal == refusal,
	      "refused: %s (refusal %u, wanted %u)", what, c->patches[i].refusal, refusal);
	if (!ret)
		ilk_disarm(c->fd, ILK_DISARM_FILE, NULL);
}

static void refuse_clones(struct clones *c)
{
	static const char * const never[] = { "__schedule", "do_idle", "do_exit", "worker_thread" };
	uint64_t site;
	size_t i;

	clones_plan(c, true);
	c->patches[0].flags = 0;
	expect_arm_refusal(c, 0, ILK_REFUSAL_BAD_ITEM, "a clone that does not return");
	c->patches[0].flags = 1u << 31 | ILK_PATCH_RETURNS;
	expect_arm_refusal(c, 0, ILK_REFUSAL_BAD_ITEM, "unknown flags");
	c->patches[0].flags = ILK_PATCH_RETURNS | ILK_PATCH_INNER;
	expect_arm_refusal(c, 0, ILK_REFUSAL_BAD_ITEM, "an inner clone with a footprint");
	c->patches[1].flags = ILK_PATCH_RETURNS;
	expect_arm_refusal(c, 1, ILK_REFUSAL_BAD_ITEM, "a clone without a footprint");
	clones_plan(c, true);
	c->patches[1].tactic = ILK_TACTIC_SPLICE;
	expect_arm_refusal(c, 1, ILK_REFUSAL_BAD_ITEM, "an inner splice");
	clones_plan(c, true);
	c->patches[1].site = (uintptr_t)c;
	expect_arm_refusal(c, 1, ILK_REFUSAL_RANGE, "an inner clone of user memory");
	c->patches[1].site = kernel_symbol("init_task");
	expect_arm_refusal(c, 1, ILK_REFUSAL_NOT_TEXT, "an inner clone of data");
	clones_plan(c, true);
	c->patches[0].len = 4;
	expect_arm_refusal(c, 0, ILK_REFUSAL_BAD_ITEM, "a clone in 4 bytes");
	for (i = 0; i < sizeof(never) / sizeof(*never); i++) {
		site = kernel_symbol(never[i]);
		if (!site)
			continue;
		clone_fill_patch(c, 1, site, 0, ILK_PATCH_RETURNS | ILK_PATCH_INNER);
		expect_arm_refusal(c, 1, ILK_REFUSAL_DENIED, never[i]);
	}
}

static void refuse_faults(struct clones *c)
{
	struct ilk_fault twice[2];

	clone_plan_load(c, 0, ILK_TACTIC_CLONE);
	c->fault.offset = c->code[0].len;
	expect_arm_refusal(c, 0, ILK_REFUSAL_BAD_ITEM, "a fault behind the code");
	clone_plan_load(c, 0, ILK_TACTIC_CLONE);
	c->fault.data = 0;
	expect_arm_refusal(c, 0, ILK_REFUSAL_BAD_ITEM, "a fault of no type");
	c->fault.data = 99;
	expect_arm_refusal(c, 0, ILK_REFUSAL_BAD_ITEM, "a fault of an unknown type");
	clone_plan_load(c, 0, ILK_TACTIC_CLONE);
	c->fault.fixup = c->slots[0].slot + c->code[0].len;
	expect_arm_refusal(c, 0, ILK_REFUSAL_BAD_ITEM, "a fix-up behind the code");
	c->fault.fixup = kernel_symbol("init_task");
	expect_arm_refusal(c, 0, ILK_REFUSAL_BAD_ITEM, "a fix-up in data");
	c->fault.fixup = kernel_symbol("do_syscall_64");
	expect_arm_refusal(c, 0, ILK_REFUSAL_BAD_ITEM, "a fix-up that is none of the kernel's");
	clone_plan_load(c, 0, ILK_TACTIC_CLONE);
	twice[0] = c->fault;
	twice[1] = c->fault;
	c->patches[0].faults = (uintptr_t)twice;
	c->patches[0].fault_count = 2;
	expect_arm_refusal(c, 0, ILK_REFUSAL_BAD_ITEM, "two faults at one instruction");
	clone_plan_load(c, 0, ILK_TACTIC_CLONE);
	c->patches[0].faults = 8;
	check(ilk_prepare(c->fd, c->patches, 1, NULL, 0) == -EFAULT, "faults from nowhere");
	c->patches[0].fault_count = 1u << 30;
	check(ilk_prepare(c->fd, c->patches, 1, NULL, 0) == -EINVAL, "too many faults");
}

void test_clones(void)
{
	struct clones c;

	clones_open(&c);
	refuse_clones(&c);
	refuse_faults(&c);
	close(c.fd);
	check(text_is_restored(), "refused clones changed no text");
	test_live();
	test_faults();
	test_retirement();
}

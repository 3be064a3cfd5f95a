// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-selftest-retire.c - tests slots to which a sleeping task will return
 *
 * Such a slot stays allocated until the sleeping task has returned: after the disarm, after the
 * exit of the client, and after an attempt to unload the driver. It also stays allocated if a
 * tracer hides the return address, or if the task is exiting and no longer on the task list. If
 * code in such a slot jumps to another slot, that slot stays allocated, too; all others do not. A
 * stale word on a stack does not keep a slot allocated.
 */
#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "ilk-selftest-fixtures.h"

#define REFERENCES "/sys/module/ilk/refcnt"	/* number of references to the driver */

static void *call_once(void *arg)
{
	clone_set("call", arg);
	return NULL;
}

static void wait_for_sleepers(int n)
{
	int tries = 0;

	while (atoi(clone_get("waiting")) != n && tries++ < 1000)
		usleep(10000);
}

/* Returns the number of free bytes in arenas, the driver's memory for code. Arenas that are not
 * loaded yet count as free. */
static uint64_t arena_free(void)
{
	struct ilk_info info;

	close(ilk_open(&info));
	return info.arena_max - info.arena_bytes + info.arena_free;
}

/* Returns the number of modules that use the driver. At rest the driver has no other users, so this
 * number is its reference count. */
static int users_at_rest(void)
{
	struct dirent *entry;
	DIR *dir = opendir("/sys/module/ilk/holders");
	int n = 0;

	while (dir && (entry = readdir(dir)))
		n += entry->d_name[0] != '.';
	if (dir)
		closedir(dir);
	return n;
}

static bool is_at_rest(void)
{
	int tries = 0;

	while (read_number(REFERENCES) != users_at_rest() && tries++ < 400)
		usleep(50000);
	return read_number(REFERENCES) == users_at_rest();
}

/* Returns the number of free bytes in arenas after everything that earlier cases used is freed. */
static uint64_t arena_at_rest(void)
{
	struct ilk_status call = { .flags = ILK_STATUS_ALL_FILES };
	int fd = ilk_open(NULL), tries = 0;

	do {
		usleep(tries ? 50000 : 0);
		call.count = 0;
		must(ioctl(fd, ILK_IOC_STATUS, &call), "STATUS of everyone");
	} while (call.pending && tries++ < 400);
	close(fd);
	return arena_free();
}

static bool is_free_again(uint64_t bytes)
{
	int tries = 0;

	while (arena_free() < bytes && tries++ < 400)
		usleep(50000);
	return arena_free() >= bytes;
}

static bool site_is_restored(const struct clones *c)
{
	uint8_t now[ILK_FOOTPRINT_MAX];

	return !kernel_read(c->outer, now, 8) && !memcmp(now, c->patches[0].old, 8);
}

/* Closes the file of a clone while a task sleeps in a call that the clone made. */
static void sleep_below(bool inner, const char *how)
{
	uint64_t before = arena_at_rest();
	int users = users_at_rest(), fd;
	struct ilk_status call = { .flags = ILK_STATUS_ALL_FILES };
	struct clones c;
	pthread_t thread;

	clones_open(&c);
	clones_arm(&c, inner);
	clone_set("closed", "1");
	pthread_create(&thread, NULL, call_once, "100");
	wait_for_sleepers(1);
	close(c.fd);
	check(site_is_restored(&c), "%s: text is restored while a task sleeps below", how);
	usleep(1500000);
	check(module_unload("ilk") < 0 && read_number(REFERENCES) > users,
	      "%s: the driver cannot be unloaded", how);
	fd = ilk_open(NULL);
	must(ioctl(fd, ILK_IOC_STATUS, &call), "STATUS of everyone");
	close(fd);
	check(arena_free() < before && call.pending, "%s: the slots are kept, %u pending", how,
	      call.pending);
	clone_set("closed", "0");
	pthread_join(thread, NULL);
	check(atoi(clone_get("call")) == 305, "%s: the sleeper returned through them", how);
	check(is_free_again(before) && is_at_rest(), "%s: then they are freed", how);
}

static void disarm_one(struct clones *c, int i)
{
	struct ilk_disarm disarm = { .what = ILK_DISARM_LIST | ILK_DISARM_FREE, .count = 1 };
	uint32_t ids[1] = { c->slots[i].id };

	disarm.patches = (uintptr_t)ids;
	must(ioctl(c->fd, ILK_IOC_DISARM, &disarm), "DISARM of one of two clones");
	ilk_settle(c->fd);
}

/* Tests that a slot to which the live code of another slot jumps stays allocated until that code is
 * freed, and is not reported as pending. */
static void test_blocked(void)
{
	uint64_t before = arena_at_rest(), half;
	struct clones c;

	clones_open(&c);
	half = (before - arena_free()) / 2;
	clones_plan(&c, true);
	must(ilk_prepare(c.fd, c.patches, 2, c.hooks, 2), "PREPARE of two clones");
	must(ilk_arm(c.fd, NULL), "ARM of two clones");
	ilk_settle(c.fd);
	disarm_one(&c, 1);
	clone_set("call", "10");
	check(atoi(clone_get("call")) == 35 && arena_free() + 2 * half == before,
	      "an inner clone is disarmed, and kept for the sake of the one that calls it");
	close(c.fd);
	check(is_free_again(before), "freed with that");
	clones_open(&c);
	clones_plan(&c, false);
	clone_emit_caller(&c, 1, false, kernel_symbol("gilk_clone_wait"));
	clone_fill_patch(&c, 1, c.inner, 9, ILK_PATCH_RETURNS);
	must(ilk_prepare(c.fd, c.patches, 2, c.hooks, 2), "PREPARE of two clones apart");
	must(ilk_arm(c.fd, NULL), "ARM of two clones apart");
	ilk_settle(c.fd);
	disarm_one(&c, 0);
	clone_set("call", "10");
	check(is_free_again(before - half) && atoi(clone_get("call")) == 35 &&
	      ilk_counter(c.fd, c.cells[1].iid).count == 1,
	      "one that nothing live leads to is freed though others are live");
	close(c.fd);
	check(is_free_again(before), "and these with their client");
}

/* Returns whether STATUS reports one of the test's threads as the task that keeps slots
 * allocated. */
static bool names_sleeper(void)
{
	struct ilk_patch_status status[8] = { { 0 } };
	struct ilk_status call = { .flags = ILK_STATUS_ALL_FILES, .capacity = 8,
				   .patches = (uintptr_t)status };
	bool found = false;
	int fd = ilk_open(NULL);
	uint32_t i;

	must(ioctl(fd, ILK_IOC_STATUS, &call), "STATUS of everyone");
	close(fd);
	for (i = 0; i < call.count && i < 8; i++)
		found |= status[i].wait == ILK_WAIT_TASK && status[i].wait_pid &&
			 !strcmp(status[i].wait_comm, "gilk-sleeper");
	return found;
}

static void *call_named(void *arg)
{
	prctl(PR_SET_NAME, "gilk-sleeper");
	clone_set("call", arg);
	return NULL;
}

/* Tests that a task that sleeps in one clone keeps that clone's slot allocated, and no other slot
 * of the same client. */
static void test_apart(void)
{
	uint64_t before = arena_at_rest(), half;
	struct clones c;
	pthread_t thread;

	clones_open(&c);
	half = (before - arena_free()) / 2;
	clones_plan(&c, false);
	clone_plan_load(&c, 1, ILK_TACTIC_CLONE);
	must(ilk_prepare(c.fd, c.patches, 2, c.hooks, 2), "PREPARE of unrelated clones");
	must(ilk_arm(c.fd, NULL), "ARM of unrelated clones");
	ilk_settle(c.fd);
	clone_set("closed", "1");
	pthread_create(&thread, NULL, call_named, "100");
	wait_for_sleepers(1);
	close(c.fd);
	check(is_free_again(before - half) && arena_free() == before - half,
	      "a sleeper keeps the clone it is in, and that alone");
	check(names_sleeper(), "and is named");
	clone_set("closed", "0");
	pthread_join(thread, NULL);
	check(is_free_again(before), "until it is through");
}

static void *call_stale(void *arg)
{
	clone_set("stale", arg);
	return NULL;
}

/* Tests that a stale word on the stack of a sleeping task does not keep a slot allocated. */
static void test_stale(void)
{
	uint64_t before = arena_at_rest();
	struct clones c;
	pthread_t thread;
	char word[32];

	clones_open(&c);
	clones_arm(&c, false);
	snprintf(word, sizeof(word), "%#llx", (unsigned long long)c.slots[0].slot + 8);
	clone_set("closed", "1");
	pthread_create(&thread, NULL, call_stale, word);
	wait_for_sleepers(1);
	close(c.fd);
	check(is_free_again(before), "a stale word on the stack of a task that sleeps keeps no slot");
	clone_set("closed", "0");
	pthread_join(thread, NULL);
}

#define ENDING	70	/* number of tasks: more than the driver checks in one pass */

static void *end_soon(void *arg)
{
	prctl(PR_SET_NAME, "gilk-last");
	return arg;
}

/*
 * Plans a "clone" of a function that do_exit() calls after the thread has left the task list. The
 * clone calls gilk_clone_last(), which may sleep, and then continues in the original function.
 * Return: false if the function's first instructions are unknown.
 */
static bool plan_last(struct clones *c)
{
	struct code *code = &c->code[0];
	struct point point;
	uint32_t pushed_at, popped_at;

	if (!point_find(kernel_symbol("proc_exit_connector"), 0, &point))
		return false;
	code_start(code, c->slots[0].slot);
	code_count(code, c->cells[0].counter);
	code_bytes(code, "\x57", 1);
	pushed_at = code->len;
	code_jump(code, 0xe8, kernel_symbol("gilk_clone_last"));
	code_bytes(code, "\x5f", 1);
	popped_at = code->len;
	code_finish(code, &point);
	clone_fill_patch(c, 0, point.site, point.len, ILK_PATCH_RETURNS);
	clone_fill_orc(c, 0, pushed_at, popped_at);
	return true;
}

/* Tests the same as sleep_below(), but with exiting tasks that have left the task list. */
static void test_ending(void)
{
	uint64_t before = arena_at_rest();
	pthread_t threads[ENDING];
	int users = users_at_rest(), i;
	struct clones c;

	clones_open(&c);
	if (!plan_last(&c)) {
		printf("# proc_exit_connector begins with instructions the test does not know\n");
		close(c.fd);
		return;
	}
	must(ilk_prepare(c.fd, c.patches, 1, c.hooks, 1), "PREPARE in do_exit()");
	must(ilk_arm(c.fd, NULL), "ARM in do_exit()");
	ilk_settle(c.fd);
	clone_set("closed", "1");
	for (i = 0; i < ENDING; i++)
		pthread_create(&threads[i], NULL, end_soon, NULL);
	for (i = 0; i < ENDING; i++)
		pthread_join(threads[i], NULL);
	wait_for_sleepers(ENDING);
	check(atoi(clone_get("waiting")) == ENDING, "%d threads sleep in do_exit(), off the task list",
	      ENDING);
	close(c.fd);
	usleep(3000000);
	if (arena_free() >= before || read_number(REFERENCES) <= users)
		die("a slot was freed that %d threads in do_exit() return into", ENDING);
	check(true, "their slot is kept");
	clone_set("closed", "0");
	check(is_free_again(before) && is_at_rest(), "and freed when they are gone");
}

static void test_hidden(void)
{
	if (write_file(TRACING "kprobe_events", "r:ilkt/back gilk_clone_wait")) {
		write_file(TRACING "events/ilkt/back/enable", "1");
		sleep_below(false, "kretprobe");
		write_file(TRACING "events/ilkt/back/enable", "0");
		write_file(TRACING "kprobe_events", "-:ilkt/back");
	}
	if (write_file(TRACING "set_ftrace_filter", "gilk_clone_wait") &&
	    write_file(TRACING "current_tracer", "function_graph")) {
		sleep_below(false, "graph tracer");
		write_file(TRACING "current_tracer", "nop");
	}
	write_file(TRACING "set_ftrace_filter", "!gilk_clone_wait");
}

void test_retirement(void)
{
	sleep_below(false, "clone");
	sleep_below(true, "inner clone");
	test_hidden();
	test_ending();
	test_blocked();
	test_apart();
	test_stale();
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-selftest-areas-freed.c - tests when areas are freed
 *
 * An area is memory in which the code of hooks keeps data. It must be freed when no CPU or task can
 * still be in code that accesses it, and not earlier. This must hold for every way in which a
 * client can release an area.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ilk-selftest-fixtures.h"

/* Waits until available memory is stable, that is, all pending frees are done. Return: available
 * memory in KiB. */
static long available_at_rest(void)
{
	long now = available_kib(), last;
	int tries = 0;

	do {
		last = now;
		usleep(300000);
		now = available_kib();
	} while (labs(now - last) > 1024 && tries++ < 60);
	return now;
}

static void *call_once(void *arg)
{
	clone_set("call", arg);
	return NULL;
}

/* Starts a task that sleeps in a call made by a clone. The clone increments a counter in an
 * area. */
static void sleep_below(struct clones *c, struct ilk_area *areas, pthread_t *thread)
{
	int tries = 0;
	uint32_t i;

	memset(areas, 0, (MUCH + 1) * sizeof(*areas));
	for (i = 0; i < MUCH; i++)
		areas[i].bytes = MIB;
	areas[MUCH] = (struct ilk_area){ .bytes = 8, .flags = ILK_AREA_PER_CPU };
	clones_open(c);
	must(areas_alloc(c->fd, areas, MUCH + 1), "MEMORY");
	c->cells[0].counter = areas[MUCH].at;
	clones_arm(c, false);
	clone_set("closed", "1");
	pthread_create(thread, NULL, call_once, "100");
	while (atoi(clone_get("waiting")) != 1 && tries++ < 1000)
		usleep(10000);
}

static void wake_thread(pthread_t thread)
{
	clone_set("closed", "0");
	pthread_join(thread, NULL);
}

static void test_given_up(void)
{
	struct ilk_area areas[MUCH + 1];
	struct clones c;
	pthread_t thread;
	uint64_t word, sum = 0;
	struct ilk_info info;
	uint32_t cpu;
	int ret;

	close(ilk_open(&info));
	sleep_below(&c, areas, &thread);
	for (cpu = 0; cpu < info.nr_cpus; cpu++, sum += word)
		must(area_read(c.fd, areas[MUCH].id, cpu, 0, &word, 8), "MEMORY_READ");
	check(sum == 1, "a clone counts in memory of its own");
	must(ilk_disarm(c.fd, ILK_DISARM_FILE | ILK_DISARM_FREE, NULL), "DISARM");
	check(area_read(c.fd, areas[MUCH].id, 0, 0, &word, 8) == -ENOENT, "given up while a task sleeps below");
	usleep(1500000);
	check(areas_alloc_some(c.fd, MUCH, MIB, 0) == -E2BIG && !areas_alloc_some(c.fd, 1, MIB, 0),
	      "its memory is not freed, and counts; there may be more");
	wake_thread(thread);
	ret = areas_alloc_retry(c.fd, MUCH);
	check(!ret, "it is when the task is through (%s)", strerror(-ret));
	close(c.fd);
}

/* Waits until available memory is at least @before KiB minus @mib MiB. Return: false on
 * timeout. */
static bool is_back(long before, long mib)
{
	int tries = 0;

	while (available_kib() < before - mib * 1024 && tries++ < 400)
		usleep(50000);
	return available_kib() >= before - mib * 1024;
}

/* Closes a file with live patches. The areas that the patches access must stay allocated until a
 * sleeping task has left the patches' code, although the client no longer exists. */
static void test_closed(void)
{
	struct ilk_area areas[MUCH + 1];
	long before = available_at_rest(), held;
	struct clones c;
	pthread_t thread;

	sleep_below(&c, areas, &thread);
	close(c.fd);
	usleep(1500000);
	held = (before - available_kib()) / 1024;
	check(held > MUCH * 3 / 4, "closed while a task sleeps below: %ld MiB are held", held);
	wake_thread(thread);
	check(is_back(before, MUCH / 4) && atoi(clone_get("call")) == 305, "the task is through: they are back");
}

/* Tests that a patch that was prepared and released, but never armed, does not keep the areas
 * allocated that its code accesses. */
static void test_prepared(void)
{
	struct ilk_area area = { .bytes = 8 };
	struct hooked hooked;
	int fd = ilk_open(NULL);

	must(areas_alloc_some(fd, POOL_MIB - 1, MIB, 0), "MEMORY");
	must(areas_alloc(fd, &area, 1), "MEMORY");
	areas_hook_start(fd, &hooked);
	area_add(&hooked.code, &area, 0);
	areas_hook_prepare(fd, &hooked);
	must(ilk_disarm(fd, ILK_DISARM_FILE | ILK_DISARM_FREE, NULL), "DISARM");
	check(!areas_alloc_retry(fd, POOL_MIB), "prepared and given up: memory is there again");
	close(fd);
}

static void come_and_go(int fd)
{
	for (;;) {
		areas_alloc_some(fd, 1 + random() % 8, MIB, 0);
		areas_alloc_some(fd, 1 + random() % 64, 8 + 8 * (random() % 4096), ILK_AREA_PER_CPU);
		areas_alloc_some(fd, 1 + random() % 4096, 8 + 8 * (random() % 64), 0);
		if (!(random() % 4))
			ilk_disarm(fd, ILK_DISARM_FILE | ILK_DISARM_FREE, NULL);
	}
}

static void kill_some(int times)
{
	int status;
	pid_t pid;

	while (times--) {
		pid = fork();
		if (!pid) {
			srandom((unsigned int)now_ns());
			come_and_go(ilk_open(NULL));
		}
		usleep(random() % 200000);
		kill(pid, SIGKILL);
		waitpid(pid, &status, 0);
	}
}

static void test_comes_back(void)
{
	long before;

	write_file("/proc/sys/vm/percpu_pagelist_high_fraction", "1000");
	kill_some(4);			/* run clients before measuring: the first ones fill the
					 * kernel's allocator caches */
	before = available_at_rest();
	kill_some(20);
	check(is_back(before, 12), "killed 20 times while it was given some: %ld KiB less than before",
	      before - available_kib());
	write_file("/proc/sys/vm/percpu_pagelist_high_fraction", "0");
}

void test_areas_freed(void)
{
	test_given_up();
	test_closed();
	test_prepared();
	test_comes_back();
}

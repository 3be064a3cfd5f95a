// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-selftest-storm.c - tests many patches at once, and clients that are killed
 */
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ilk-selftest.h"

/* ---- tests of killed clients and of many patches ---------------------------------------- */

#define MANY	1024

static volatile bool hammer_stop;

static void *hit_until_stop(void *unused)
{
	long some = 50;

	while (!hammer_stop)
		hit_target(&some);
	return unused;
}

/* Makes system calls of all kinds, so that functions all over the kernel are hit. */
static void *make_load(void *arg)
{
	char buf[4096];
	int pipes[2], fd;
	pid_t pid;

	while (!hammer_stop) {
		hit_target(&(long){ 50 });
		fd = open("/proc/self/stat", O_RDONLY);
		if (fd >= 0) {
			while (read(fd, buf, sizeof(buf)) > 0)
				;
			close(fd);
		}
		if (!pipe(pipes)) {
			if (write(pipes[1], buf, 100) == 100 && read(pipes[0], buf, 100) == 100)
				sched_yield();
			close(pipes[0]);
			close(pipes[1]);
		}
		munmap(mmap(NULL, 65536, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0), 65536);
		usleep(100);
		pid = vfork();
		if (!pid)
			_exit(0);
		waitpid(pid, NULL, 0);
	}
	return NULL;
}

/* Arms and disarms one point repeatedly while it is being hit. */
void test_churn(int rounds)
{
	struct hooked hooked;
	uint64_t hits = 0, end;
	pthread_t threads[2];
	int i, fd = ilk_open(NULL);

	hammer_stop = false;
	for (i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, hit_until_stop, NULL);
	for (i = 0; i < rounds; i++) {
		hook_counter(fd, &hooked, &target_point, i & 1,
			     i & 2 ? ILK_TACTIC_TRAP : ILK_TACTIC_SPLICE);
		must(ilk_prepare(fd, &hooked.patch, 1, &hooked.hook, 1), "PREPARE");
		must(ilk_arm(fd, NULL), "ARM");
		end = now_ns() + random() % 3000000;
		if (i % 16 == 3)
			ilk_settle(fd);
		while (now_ns() < end)
			;
		must(ilk_disarm(fd, ILK_DISARM_FILE, NULL), "DISARM");
		hits += ilk_counter(fd, hooked.cells.iid).count;
		must(ilk_disarm(fd, ILK_DISARM_FILE | ILK_DISARM_FREE, NULL), "FREE");
	}
	hammer_stop = true;
	for (i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	check(text_compare(true), "armed and disarmed %d times under fire, %lu hits", rounds, hits);
	close(fd);
}

static size_t sweep_at;


/* Returns the next function to try, or NULL if none is left. In a sweep it is the function with the
 * next higher address, otherwise a random function. */
static const struct symbol *next_function(bool sweep)
{
	size_t count;
	const struct symbol *functions = kernel_functions(&count);

	if (!sweep)
		return &functions[(size_t)random() % count];
	return sweep_at < count ? &functions[sweep_at++] : NULL;
}

static bool is_usable(const struct symbol *function, struct point *point)
{
	return text_holds(function->addr) && point_find(function->addr, function->size, point) && point->has_fentry &&
	       point->site + point->len <= function->addr + function->size;
}

/* Finds up to @want points that the driver accepts; counts refused points in @refused. */
uint32_t find_points(struct point *points, uint32_t want, bool sweep, uint32_t *refused)
{
	const struct symbol *function;
	struct hooked hooked;
	uint32_t n = 0;
	int fd = ilk_open(NULL);

	*refused = 0;
	while (n < want && (function = next_function(sweep))) {
		if (!is_usable(function, &points[n]))
			continue;
		hook_counter(fd, &hooked, &points[n], false, ILK_TACTIC_SPLICE);
		if (ilk_prepare(fd, &hooked.patch, 1, &hooked.hook, 1))
			(*refused)++;
		else
			n++;
	}
	/* Disarm explicitly, because a child of make_load() may keep the file open a moment longer
	 * than this process. */
	ilk_disarm(fd, ILK_DISARM_FILE | ILK_DISARM_FREE, NULL);
	close(fd);
	return n;
}

/* Reserves all hooks by one call, and prepares them by another. Return: the time taken in ns. */
static uint64_t prepare_many(int fd, struct hooked *many, const struct point *points, uint32_t n,
			     bool sweep)
{
	static struct ilk_reserve_patch slots[MANY];
	static struct ilk_reserve_hook cells[MANY];
	static struct ilk_prepare_patch patches[MANY];
	static struct ilk_prepare_hook hooks[MANY];
	uint64_t start = now_ns();
	uint32_t i;

	for (i = 0; i < n; i++) {
		slots[i] = (struct ilk_reserve_patch){ .bytes = 96 };
		cells[i] = (struct ilk_reserve_hook){ .flags = i < 64 ? ILK_HOOK_COUNTER_NEAR : 0 };
	}
	must(ilk_reserve(fd, slots, n, cells, n), "RESERVE");
	for (i = 0; i < n; i++) {
		many[i] = (struct hooked){ .point = points[i], .slot = slots[i], .cells = cells[i] };
		code_start(&many[i].code, slots[i].slot);
		code_count(&many[i].code, cells[i].counter);
		code_finish(&many[i].code, &points[i]);
		hooked_plan(&many[i], i % 4 == 3 || sweep ? ILK_TACTIC_TRAP : ILK_TACTIC_SPLICE);
		patches[i] = many[i].patch;
		hooks[i] = many[i].hook;
	}
	must(ilk_prepare(fd, patches, n, hooks, n), "PREPARE");
	return now_ns() - start;
}

static uint64_t total_hits(int fd, const struct hooked *many, uint32_t n)
{
	uint64_t sum = 0;
	uint32_t i;

	for (i = 0; i < n; i++)
		sum += ilk_counter(fd, many[i].cells.iid).count;
	return sum;
}

/* Chooses @want of the @count points at random, and moves them to the front of the array. */
static void draw_points(struct point *points, uint32_t count, uint32_t want)
{
	struct point other;
	uint32_t i, with;

	for (i = 0; i < want; i++) {
		with = i + random() % (count - i);
		other = points[i];
		points[i] = points[with];
		points[with] = other;
	}
}

static void storm_round(int round, const struct point *points, uint32_t n, bool sweep)
{
	static struct hooked many[MANY];
	struct ilk_disarm disarm = { 0 };
	uint64_t prepared, start, armed, settled, hits;
	struct ilk_arm arm;
	int fd = ilk_open(NULL), ret;

	prepared = prepare_many(fd, many, points, n, sweep);
	if (sweep && n)
		printf("# sweep %d: %lx to %lx\n", round / 4, many[0].point.site,
		       many[n - 1].point.site);
	start = now_ns();
	ret = ilk_arm(fd, &arm);
	armed = now_ns();
	if (ret) {
		check(false, "storm %d: ARM: %s, refusal %u", round, strerror(-ret), arm.refusal);
		close(fd);
		return;
	}
	if (round % 4 == 1)		/* in every fourth round, disarm patches while they are
					 * being armed */
		usleep(random() % 20000);
	else
		ilk_settle(fd);
	settled = now_ns();
	usleep(100000);
	hits = total_hits(fd, many, n);
	if (round % 4 == 2)
		close(fd);
	else
		ilk_disarm(fd, ILK_DISARM_FILE | ILK_DISARM_FREE, &disarm);
	check((round % 4 == 2 ? text_is_restored() : text_compare(true)) && !disarm.refused,
	      "storm %d: %u patches, %lu hits, prepared in %lu us, armed in %lu us, "
	      "jumps after %lu us", round, n, hits, prepared / 1000, (armed - start) / 1000, (settled - armed) / 1000);
	if (round % 4 != 2)
		close(fd);
}

/* Finds up to 1.5 times @want points before the load starts. Each round chooses its points from
 * these at random. */
static uint32_t find_pool(struct point *points, uint32_t want)
{
	uint32_t n, refused;

	n = find_points(points, want + want / 2 < MANY ? want + want / 2 : MANY, false, &refused);
	printf("# %u points, %u refused\n", n, refused);
	return n;
}

static uint32_t sweep_round(int round, struct point *points, uint32_t want)
{
	uint32_t refused, n = find_points(points, want, true, &refused);

	if (n)
		storm_round(round, points, n, true);
	return n;
}

/* Arms many patches under load, in @rounds rounds. If @rounds is 0, hooks every function by a trap,
 * in one sweep. */
void test_storm(int rounds, uint32_t want)
{
	static struct point points[MANY];
	uint32_t count = rounds ? find_pool(points, want) : 0;
	pthread_t threads[2];
	int i;

	hammer_stop = false;
	for (i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, make_load, NULL);
	for (i = 0; i < rounds; i++) {
		draw_points(points, count, want);
		storm_round(i, points, want, false);
	}
	for (i = 0; !rounds && sweep_round(4 * i, points, want); i++)
		;
	hammer_stop = true;
	for (i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
}

void test_kill(void)
{
	static struct hooked many[64];
	static struct point points[64];
	uint32_t refused;
	int pipes[2], fd, round;
	char byte = 0;
	pid_t pid;

	for (round = 0; round < 4; round++) {
		if (pipe(pipes))
			die("pipe");
		pid = fork();
		if (!pid) {
			fd = ilk_open(NULL);
			prepare_many(fd, many, points, find_points(points, 64, false, &refused),
				     false);
			must(ilk_arm(fd, NULL), "ARM");
			if (round & 1)
				ilk_settle(fd);
			if (write(pipes[1], &byte, 1) != 1)
				_exit(1);
			for (;;)
				hit(1000);
		}
		if (read(pipes[0], &byte, 1) != 1)
			die("the client died early");
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
		check(text_compare(true), "kill -9 %s: text restored",
		      round & 1 ? "when armed" : "while waiting");
		close(pipes[0]);
		close(pipes[1]);
	}
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-selftest-storm.c - many patches at once, and clients that die
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ilk-selftest.h"

/* ---- death, storms ---------------------------------------------------------------------- */

static volatile bool hammer_stop;

static void *hit_until_stop(void *unused)
{
	long some = 50;

	while (!hammer_stop)
		hit_target(&some);
	return unused;
}

/* System calls of all sorts, so that functions all over the kernel are hit. */
static void *hammer(void *arg)
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

/* One point armed and disarmed over and over under fire. */
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
		must(ilk_disarm(fd, ILK_DISARM_OWN, NULL), "DISARM");
		hits += ilk_counter(fd, hooked.cells.iid).count;
		must(ilk_disarm(fd, ILK_DISARM_OWN | ILK_DISARM_FREE, NULL), "FREE");
	}
	hammer_stop = true;
	for (i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	check(text_compare(true), "armed and disarmed %d times under fire, %lu hits", rounds, hits);
	close(fd);
}

static size_t sweep_at;


/* The next function to try: any one, or in a sweep one after the other; NULL at the end. */
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

/* Up to @want functions of the core kernel, prepared; those refused are left out. */
static uint32_t plan_many(int fd, struct hooked *many, uint32_t want, bool sweep,
			  uint32_t *refused)
{
	const struct symbol *function;
	struct point point;
	uint32_t n = 0;

	*refused = 0;
	while (n < want && (function = next_function(sweep))) {
		if (!is_usable(function, &point))
			continue;
		hook_counter(fd, &many[n], &point, n < 64,
			     n % 4 == 3 || sweep ? ILK_TACTIC_TRAP : ILK_TACTIC_SPLICE);
		if (ilk_prepare(fd, &many[n].patch, 1, &many[n].hook, 1))
			(*refused)++;
		else
			n++;
	}
	return n;
}

static uint64_t total_hits(int fd, const struct hooked *many, uint32_t n)
{
	uint64_t sum = 0;
	uint32_t i;

	for (i = 0; i < n; i++)
		sum += ilk_counter(fd, many[i].cells.iid).count;
	return sum;
}

static uint32_t storm_round(int round, uint32_t want, bool sweep)
{
	static struct hooked many[1024];
	struct ilk_disarm disarm = { 0 };
	uint32_t n, refused;
	uint64_t start, armed, settled, hits;
	struct ilk_arm arm;
	int fd = ilk_open(NULL), ret;

	n = plan_many(fd, many, want, sweep, &refused);
	if (sweep && n)
		printf("# sweep %d: %lx to %lx\n", round / 4, many[0].point.site,
		       many[n - 1].point.site);
	start = now_ns();
	ret = ilk_arm(fd, &arm);
	armed = now_ns();
	if (ret) {
		check(false, "storm %d: ARM: %s, refusal %u", round, strerror(-ret), arm.refusal);
		close(fd);
		return 0;
	}
	if (round % 4 == 1)		/* disarm in the middle of it */
		usleep(random() % 20000);
	else
		ilk_settle(fd);
	settled = now_ns();
	usleep(100000);
	hits = total_hits(fd, many, n);
	if (round % 4 == 2)
		close(fd);
	else
		ilk_disarm(fd, ILK_DISARM_OWN | ILK_DISARM_FREE, &disarm);
	check((round % 4 == 2 ? text_is_restored() : text_compare(true)) && !disarm.refused,
	      "storm %d: %u patches, %u refused, %lu hits, armed in %lu us, jumps after %lu us",
	      round, n, refused, hits, (armed - start) / 1000, (settled - armed) / 1000);
	if (round % 4 != 2)
		close(fd);
	return n;
}

/* With @rounds 0, a sweep: every function there is, as a trap. */
void test_storm(int rounds, uint32_t want)
{
	pthread_t threads[2];
	int i;

	hammer_stop = false;
	for (i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, hammer, NULL);
	for (i = 0; i < rounds; i++)
		storm_round(i, want, false);
	for (i = 0; !rounds && storm_round(4 * i, want, true); i++)
		;
	hammer_stop = true;
	for (i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
}

void test_kill(void)
{
	static struct hooked many[64];
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
			plan_many(fd, many, 64, false, &refused);
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

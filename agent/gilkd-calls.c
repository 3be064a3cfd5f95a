// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gilkd-calls.c - makes a known number of system calls, to test an installation
 *
 * The self-test compares the counter of a hook with a known number of calls, which must be made
 * on the target. These calls change nothing, fail at once if possible, and are rarely
 * made by other programs. Each calling thread counts its own calls. A thread that must stop first
 * finishes and counts its current burst of calls, so the total is exact.
 *
 * Meanwhile the agent's main thread drains the rings, and checks whether the client is still
 * connected. The ring reader may have real-time priority (gilkd-samples.c): threads created here
 * do not.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "gilkd-samples.h"

#define CHECK_MS		5	/* ms between checks of the sample rings and of the
					 * client's connection */
#define BURST		64	/* number of calls between checks of the time limit */
#define STACK_BYTES	(64u << 10)

struct path {
	long number;
	long args[2];
	int error;		/* expected errno; 0: success */
};

static const struct path paths[] = {
	[GILK_CALLS_RR_INTERVAL] = { SYS_sched_rr_get_interval, { -1, 0 }, EINVAL },
	[GILK_CALLS_OVERRUN] = { SYS_timer_getoverrun, { -1, 0 }, EINVAL },
	[GILK_CALLS_PGID] = { SYS_getpgid, { 0, 0 }, 0 },
	[GILK_CALLS_PRIORITY] = { SYS_sched_get_priority_min, { SCHED_FIFO, 0 }, 0 },
};

#define PATH_COUNT	(sizeof(paths) / sizeof(paths[0]))

struct team;

struct caller {
	struct team *team;
	pthread_t thread;
	int cpu;
	uint64_t share;
	uint64_t calls, wrong, ns;
};

/**
 * struct team - the threads that make the system calls
 * @stop: set by the agent's thread to end the calls
 * @left: number of threads that are still running
 * @end_ns: end of the time limit (CLOCK_MONOTONIC)
 */
struct team {
	const struct path *path;
	uint64_t end_ns;
	atomic_bool stop;
	atomic_uint left;
	uint32_t count;
	struct caller callers[GILK_WIRE_THREADS_MAX];
};

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}

static bool is_expected(const struct path *path, long result)
{
	return path->error ? result == -1 && errno == path->error : result >= 0;
}

static void *make_calls(void *data)
{
	struct caller *c = data;
	const struct path *path = c->team->path;
	uint64_t begin, now;
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(c->cpu, &set);
	/* If pinning fails, the thread makes its calls on any processor. */
	sched_setaffinity(0, sizeof(set), &set);

	begin = now = now_ns();
	while (c->calls < c->share && now < c->team->end_ns &&
	       !atomic_load_explicit(&c->team->stop, memory_order_relaxed)) {
		uint64_t burst = c->share - c->calls;
		uint64_t i;

		burst = burst < BURST ? burst : BURST;
		for (i = 0; i < burst; i++)
			c->wrong += !is_expected(path, syscall(path->number, path->args[0], path->args[1]));
		c->calls += burst;
		now = now_ns();
	}
	c->ns = now - begin;
	atomic_fetch_sub(&c->team->left, 1);

	return NULL;
}

/* Lists at most @most processors that the agent may use. Returns the number listed. */
static uint32_t list_cpus(int *cpus, uint32_t most)
{
	cpu_set_t *set = CPU_ALLOC(GILK_WIRE_CPUS_MAX);
	size_t size = CPU_ALLOC_SIZE(GILK_WIRE_CPUS_MAX);
	uint32_t count = 0;
	int cpu;

	if (set && !sched_getaffinity(0, size, set))
		for (cpu = 0; cpu < CPU_SETSIZE && count < most; cpu++)
			if (CPU_ISSET_S(cpu, size, set))
				cpus[count++] = cpu;
	if (set)
		CPU_FREE(set);

	return count;
}

/*
 * Starts the calling threads. Returns 0 or an errno; in either case, @team->count threads are
 * running.
 */
static int start_threads(struct team *team, const struct gilk_calls *request, const int *cpus, uint32_t count)
{
	struct sched_param normal = { 0 };
	pthread_attr_t attr;
	int error = 0;
	uint32_t i;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK_BYTES);
	pthread_attr_setinheritsched(&attr, PTHREAD_EXPLICIT_SCHED);
	pthread_attr_setschedpolicy(&attr, SCHED_OTHER);
	pthread_attr_setschedparam(&attr, &normal);
	atomic_store(&team->left, count);
	for (i = 0; i < count && !error; i++) {
		struct caller *c = &team->callers[i];

		c->team = team;
		c->cpu = cpus[i];
		c->share = request->calls / count + (i < request->calls % count);
		error = pthread_create(&c->thread, &attr, make_calls, c);
		team->count += !error;
	}
	atomic_fetch_sub(&team->left, count - team->count);
	pthread_attr_destroy(&attr);

	return error;
}

/*
 * Waits until all calls are made or the client is gone. With @die, as a test, then kills the agent,
 * at the latest after half of the time limit.
 */
static void wait_for_calls(struct gilkd_samples *samples, struct team *team, bool die)
{
	static const struct timespec pause = { 0, CHECK_MS * 1000000l };
	uint64_t half = now_ns() + (team->end_ns - now_ns()) / 2;

	while (atomic_load(&team->left)) {
		nanosleep(&pause, NULL);
		if (die && now_ns() > half)
			break;
		gilkd_samples_tick(samples);
		if (samples->client->broken || gilkd_client_is_hung_up(samples->client))
			atomic_store(&team->stop, true);
	}
	if (die)
		kill(getpid(), SIGKILL);
}

static void run_calls(struct gilkd_samples *samples, struct team *team,
		      const struct gilk_calls *request)
{
	struct gilk_calls_made made = { 0 };
	int cpus[GILK_WIRE_THREADS_MAX];
	uint32_t count = list_cpus(cpus, request->threads ? request->threads : GILK_WIRE_THREADS_MAX);
	int error = count ? 0 : EINVAL;
	uint32_t i;

	team->path = &paths[request->path];
	team->end_ns = now_ns() + request->limit_ms * 1000000ull;
	if (!error)
		error = start_threads(team, request, cpus, count);
	if (error)
		atomic_store(&team->stop, true);
	else
		wait_for_calls(samples, team, request->flags & GILK_CALLS_KILL_AGENT);
	for (i = 0; i < team->count; i++) {
		pthread_join(team->callers[i].thread, NULL);
		made.calls += team->callers[i].calls;
		made.wrong += team->callers[i].wrong;
		made.ns += team->callers[i].ns;
	}
	made.threads = team->count;
	if (error)
		gilkd_fail(samples->client, error, "The agent cannot start threads for making "
						   "calls: %s; free some memory on the target, "
						   "or raise its limit of tasks.", strerror(error));
	else
		gilkd_answer(samples->client, &made, sizeof(made));
}

void gilkd_do_calls(struct gilkd_samples *samples, uint8_t *payload, size_t length)
{
	struct gilk_calls request;
	struct team *team;

	memcpy(&request, payload, sizeof(request));
	if (!request.path || request.path >= PATH_COUNT || request.threads > GILK_WIRE_THREADS_MAX ||
	    request.calls > GILK_WIRE_CALLS_MAX || !request.limit_ms ||
	    request.limit_ms > GILK_WIRE_CALLS_MS_MAX || request.flags & ~GILK_CALLS_KILL_AGENT) {
		gilkd_fail(samples->client, EINVAL, "The agent does not support such calls of "
						    "kernel functions; install the same release of "
						    "Gilk on both sides.");
		return;
	}
	team = calloc(1, sizeof(*team));
	if (!team) {
		gilkd_fail(samples->client, ENOMEM, "The agent is out of memory; free some on the "
					      "target.");
		return;
	}
	run_calls(samples, team, &request);
	free(team);
}

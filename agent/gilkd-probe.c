// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gilkd-probe.c - opens kprobes, event counters and timers, in a separate process
 *
 * CAP_PERFMON is enough for a kprobe in a mainline kernel. Debian's kernels also have
 * kernel.perf_event_paranoid=3, with which only CAP_SYS_ADMIN may open perf events. So that the
 * agent, which reads a client's bytes, does not need that capability, a process opens them that
 * gets nothing but an address, or a CPU with a counter's key or a time, and returns the descriptor of
 * a perf event, which lasts until the agent closes the descriptor or dies.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../ilk/ilk-abi.h"
#include "gilk-wire.h"
#include "gilkd-helper.h"
#include "gilkd-privileges.h"
#include "gilkd-probe.h"

#define TYPE_PATH	"/sys/bus/event_source/devices/kprobe/type"

/* Returns the type of a PMU of the kernel, or -1. @path: the file that contains it */
int gilkd_probe_type(const char *path)
{
	FILE *file = fopen(path, "re");
	int type;

	if (!file)
		return -1;
	if (fscanf(file, "%d", &type) != 1)
		type = -1;
	fclose(file);
	return type;
}

/*
 * Opens the perf event of a new kprobe or uprobe. The event belongs to one CPU, but BPF programs run
 * at the hits of all CPUs. Returns a descriptor, or -errno.
 */
int gilkd_probe_open_event(const struct perf_event_attr *attr)
{
	const int cpus = sysconf(_SC_NPROCESSORS_CONF);
	int cpu, fd;

	for (cpu = 0; cpu < cpus; cpu++) {
		fd = syscall(SYS_perf_event_open, attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
		if (fd >= 0)
			return fd;
		if (errno != ENODEV)	/* the CPU is offline */
			return -errno;
	}
	return -ENODEV;
}

static int open_probe(int type, uint64_t address)
{
	const struct perf_event_attr attr = {
		.type = type,
		.size = PERF_ATTR_SIZE_VER1,	/* up to config2; every kernel knows it */
		.kprobe_addr = address,
	};

	return gilkd_probe_open_event(&attr);
}

/* Returns whether @key is that of a counter. */
bool gilkd_prober_is_event(uint64_t key)
{
	const uint32_t type = ILK_EVENT_TYPE(key);

	return key >> 56 && (type == PERF_TYPE_HARDWARE || type == PERF_TYPE_SOFTWARE ||
			     type == PERF_TYPE_HW_CACHE || type == PERF_TYPE_RAW);
}

/*
 * Opens a counter of what happens on a CPU, whatever code runs there. It is pinned, so that it counts
 * without a break. Returns a descriptor, or -errno.
 */
static int open_event(int cpus, uint64_t key, uint32_t cpu)
{
	struct perf_event_attr attr = {
		.type = ILK_EVENT_TYPE(key), .config = ILK_EVENT_CONFIG(key),
		.size = PERF_ATTR_SIZE_VER1, .pinned = 1,
	};
	int fd;

	if (!gilkd_prober_is_event(key) || cpu >= (uint32_t)cpus)
		return -EINVAL;
	fd = syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

/* Returns whether a timer with these settings can be opened; see gilkd_prober_open_timer(). */
bool gilkd_prober_is_timer(bool frequency, uint64_t amount)
{
	return frequency ? amount && amount <= GILK_EVENT_HZ_MAX :
	       amount >= GILK_EVENT_NS_MIN && amount <= GILK_EVENT_NS_MAX;
}

/*
 * Opens a timer of a CPU, which does not run yet. @frequency: @amount is a number per second, not of ns
 * in between. Returns a descriptor, or -errno.
 */
static int open_timer(uint32_t cpu, bool frequency, uint64_t amount)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_CPU_CLOCK,
		.size = PERF_ATTR_SIZE_VER1, .sample_period = amount, .freq = frequency,
		.disabled = 1,
	};
	int fd;

	if (!gilkd_prober_is_timer(frequency, amount))
		return -EINVAL;
	fd = syscall(SYS_perf_event_open, &attr, -1, (int)cpu, -1, PERF_FLAG_FD_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

/**
 * struct request - a request to the process
 * @what: PROBE, EVENT, PROFILE or INTERVAL
 * @cpu: EVENT, PROFILE, INTERVAL: the CPU
 * @number: PROBE: an address, EVENT: the counter's key, PROFILE: hits per second, INTERVAL: ns between
 *	hits
 */
struct request {
	uint32_t what, cpu;
	uint64_t number;
};

enum { PROBE, EVENT, PROFILE, INTERVAL };

static void serve_probes(void)
{
	const int type = gilkd_probe_type(TYPE_PATH), cpus = sysconf(_SC_NPROCESSORS_CONF);
	struct request request;
	int32_t error;
	struct iovec part = { &error, sizeof(error) };
	ssize_t got;
	int fd;

	for (;;) {
		got = gilkd_message_receive(GILKD_HELPER_FD, &request, sizeof(request), &fd);
		if (got < 0 && errno == EINTR)
			continue;
		if (got != sizeof(request))
			return;
		if (request.what == EVENT)
			fd = open_event(cpus, request.number, request.cpu);
		else if (request.what == PROFILE || request.what == INTERVAL)
			fd = open_timer(request.cpu, request.what == PROFILE, request.number);
		else
			fd = type < 0 ? -ENOSYS : open_probe(type, request.number);
		error = fd < 0 ? -fd : 0;
		gilkd_message_send(GILKD_HELPER_FD, &part, 1, fd);
		if (fd >= 0)
			close(fd);
	}
}

/**
 * gilkd_prober_start() - start the process that opens kprobes, event counters and timers
 *
 * Must be called before privileges are dropped, and before any descriptor of a client is open.
 * Returns 0 or an errno.
 */
int gilkd_prober_start(struct gilkd_prober *prober)
{
	return gilkd_helper_start("gilkd-probe", GILKD_CAPS_PROBE, serve_probes, &prober->socket);
}

/* Returns the descriptor of a perf event, or -errno. */
static int open_remotely(const struct gilkd_prober *prober, struct request request)
{
	struct iovec part = { &request, sizeof(request) };
	int32_t error = 0;
	ssize_t got;
	int fd;

	if (!gilkd_message_send(prober->socket, &part, 1, -1))
		return -errno;
	do
		got = gilkd_message_receive(prober->socket, &error, sizeof(error), &fd);
	while (got < 0 && errno == EINTR);
	if (got != sizeof(error))
		return got < 0 ? -errno : -EPIPE;
	if (error)
		return -error;
	return fd >= 0 ? fd : -EMFILE;	/* without room for it the kernel drops a descriptor */
}

/*
 * Puts a kprobe at @address. Returns the descriptor of its perf event, or -errno; -ENOSYS if the
 * kernel has no kprobes.
 */
int gilkd_prober_open(const struct gilkd_prober *prober, uint64_t address)
{
	return open_remotely(prober, (struct request){ .what = PROBE, .number = address });
}

/*
 * Counts the event @key, an ILK_EVENT(), on a CPU. Returns the descriptor of its perf event, or
 * -errno; -ENODEV if the CPU is offline.
 */
int gilkd_prober_open_event(const struct gilkd_prober *prober, uint64_t key, uint32_t cpu)
{
	return open_remotely(prober, (struct request){ .what = EVENT, .cpu = cpu, .number = key });
}

/*
 * Opens a timer of @cpu, which does not run yet. @frequency: @amount is a number of hits per second, not
 * of ns in between. Returns the descriptor of its perf event, or -errno; -ENODEV: the CPU is offline.
 */
int gilkd_prober_open_timer(const struct gilkd_prober *prober, uint32_t cpu, bool frequency,
			    uint64_t amount)
{
	return open_remotely(prober, (struct request){
		.what = frequency ? PROFILE : INTERVAL, .cpu = cpu, .number = amount,
	});
}

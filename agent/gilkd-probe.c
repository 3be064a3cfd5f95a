// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gilkd-probe.c - opens kprobes, uprobes, counters, timers and breakpoints, in separate processes
 *
 * CAP_PERFMON is enough for a kprobe in a mainline kernel. Debian's kernels also have
 * kernel.perf_event_paranoid=3, with which only CAP_SYS_ADMIN may open perf events. The agent,
 * which parses a client's bytes, does not have that capability. A helper process opens perf events
 * for the agent: it gets numbers and descriptors of files, never a path, and returns descriptors.
 *
 * The helper also holds a descriptor of each probe and of each link, so that it, not the agent,
 * closes the last one. For closing can take long: to place or to remove a uprobe, the kernel takes
 * locks of every process that maps the file, and any process can delay this without limit.
 * Meanwhile the kernel holds event_mutex, so changes of kprobes wait, too. And if the task that
 * places or removes a uprobe is killed, the kernel stops half-way and leaves int3 in processes. So
 * there are two helpers, one for kprobes and one for uprobes, and once the agent has ended:
 *
 *	1. the helper for kprobes removes all links and kprobes, and exits
 *	2. then the helper for uprobes removes all uprobes
 *
 * Both helpers ignore the signals with which users and systemd end the agent; only SIGKILL stops
 * them half-way.
 */
#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "gilkd-helper.h"
#include "gilkd-probe.h"

#define KPROBE_TYPE	"/sys/bus/event_source/devices/kprobe/type"
#define UPROBE_TYPE	"/sys/bus/event_source/devices/uprobe/type"
#define RETURNS		1u	/* bit of perf_event_attr.config that makes a uprobe a uretprobe
				 * (at a function's return) */
#define CHECK_MS	20	/* ms between two checks whether the agent has ended */
#define END_MS		10000	/* maximum wait for the end of another process, ms */
#define MESSAGE_MAX	(sizeof(struct gilkd_probe_message) + GILKD_PROBE_ENDED_MAX * sizeof(uint32_t))

#define KERNEL_FROM	0xff00000000000000ull	/* lowest address of the kernel's half */

#define CLOSERS	16		/* number of threads that close descriptors, so that their grace
				 * periods overlap */

/**
 * struct kept - the descriptors of probes and links that a helper holds
 * @items: unordered; each is a descriptor and the number of the OPEN or KEEP message from which it
 *     comes
 */
struct kept {
	struct item { uint32_t number; int fd; } *items;
	size_t count, room;
};

/* ---- checks of counters and timers ---- */

/*
 * Returns whether @key is the GILK_EVENT_KEY() of a kind of counter that clients may have opened.
 */
bool gilkd_probe_is_counter(uint64_t key)
{
	const uint32_t type = GILK_EVENT_TYPE(key);

	return key >> 56 && (type == PERF_TYPE_HARDWARE || type == PERF_TYPE_SOFTWARE ||
			     type == PERF_TYPE_HW_CACHE || type == PERF_TYPE_RAW);
}

/*
 * Returns whether a timer may have @amount hits per second, or, unless @frequency, @amount ns
 * between hits.
 */
bool gilkd_probe_is_timer(bool frequency, uint64_t amount)
{
	return frequency ? amount && amount <= GILK_EVENT_HZ_MAX :
	       amount >= GILK_EVENT_NS_MIN && amount <= GILK_EVENT_NS_MAX;
}

/* ---- opening perf events; open_*() return a descriptor or -errno ---- */

static int open_event(const struct perf_event_attr *attr, int cpu)
{
	const int fd = syscall(SYS_perf_event_open, attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

/* Reads the type number of a PMU from its file in sysfs, @path. Returns -1 if that fails. */
static int read_type(const char *path)
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
 * Opens a new kprobe or uprobe on the first online CPU. Its BPF program runs at hits on all CPUs.
 */
static int open_probe(struct perf_event_attr *attr, const char *type_path)
{
	const int cpus = sysconf(_SC_NPROCESSORS_CONF), type = read_type(type_path);
	int cpu, fd = -ENODEV;

	if (type < 0)
		return -ENOSYS;
	attr->type = type;
	for (cpu = 0; cpu < cpus && fd == -ENODEV; cpu++)	/* ENODEV: the CPU is offline */
		fd = open_event(attr, cpu);
	return fd;
}

/* Compares bytes of a file with the expected ones. Returns 0 or an errno; EILSEQ: they differ. */
static int check_bytes(const struct gilkd_probe *probe, int file)
{
	uint8_t now[sizeof(probe->old)];
	ssize_t got;

	if (file < 0)
		return EMFILE;
	if (probe->len > sizeof(now))
		return EINVAL;
	do
		got = pread(file, now, probe->len, probe->at);
	while (got < 0 && errno == EINTR);
	return got == (ssize_t)probe->len && !memcmp(now, probe->old, got) ? 0 : EILSEQ;
}

/*
 * Places a uprobe in all processes that map the file now or later. Names the file by a path in
 * /proc/self/fd, which the kernel resolves in this process.
 */
static int open_uprobe(const struct gilkd_probe *probe, int file)
{
	char path[64];
	struct perf_event_attr attr = {
		.size = PERF_ATTR_SIZE_VER1,	/* size up to config2, which all supported kernels
						 * accept */
		.config = probe->kind == GILKD_URETPROBE ? RETURNS : 0,
		.uprobe_path = (uintptr_t)path, .probe_offset = probe->at,
	};
	const int error = check_bytes(probe, file);

	snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
	return error ? -error : open_probe(&attr, UPROBE_TYPE);
}

static int open_kprobe(const struct gilkd_probe *probe)
{
	struct perf_event_attr attr = { .size = PERF_ATTR_SIZE_VER1, .kprobe_addr = probe->at };

	return open_probe(&attr, KPROBE_TYPE);
}

/*
 * Opens a counter of an event on a CPU, for all tasks. The counter is pinned, so that it counts
 * without interruption.
 */
static int open_counter(const struct gilkd_probe *probe)
{
	struct perf_event_attr attr = {
		.type = GILK_EVENT_TYPE(probe->at), .config = GILK_EVENT_CONFIG(probe->at),
		.size = PERF_ATTR_SIZE_VER1, .pinned = 1,
	};

	if (!gilkd_probe_is_counter(probe->at) || probe->cpu >= (uint32_t)sysconf(_SC_NPROCESSORS_CONF))
		return -EINVAL;
	return open_event(&attr, probe->cpu);
}

/* Opens a timer on a CPU, without starting it. */
static int open_timer(const struct gilkd_probe *probe)
{
	const bool frequency = probe->kind == GILKD_PROFILE;
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_CPU_CLOCK,
		.size = PERF_ATTR_SIZE_VER1, .sample_period = probe->at, .freq = frequency,
		.disabled = 1,
	};

	return gilkd_probe_is_timer(frequency, probe->at) ? open_event(&attr, probe->cpu) : -EINVAL;
}

/* Returns the attributes of a breakpoint of the kernel's memory. */
static struct perf_event_attr get_breakpoint(const struct gilkd_probe *probe)
{
	static const uint32_t types[] = {
		[GILK_WATCH_WRITE] = HW_BREAKPOINT_W, [GILK_WATCH_ACCESS] = HW_BREAKPOINT_RW,
		[GILK_WATCH_EXECUTE] = HW_BREAKPOINT_X,
	};

	return (struct perf_event_attr){
		.type = PERF_TYPE_BREAKPOINT, .size = PERF_ATTR_SIZE_VER1, .sample_period = 1,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED, .pinned = 1, .disabled = !probe->starts,
		.bp_type = types[probe->access], .bp_addr = probe->at, .bp_len = probe->len,
	};
}

static bool is_breakpoint_sane(const struct gilkd_probe *probe)
{
	return probe->kind == GILKD_BREAKPOINT && probe->access >= GILK_WATCH_WRITE &&
	       probe->access <= GILK_WATCH_EXECUTE && probe->at >= KERNEL_FROM;
}

/* Opens a breakpoint on a CPU, without enabling it. */
static int open_breakpoint(const struct gilkd_probe *probe)
{
	struct perf_event_attr attr;

	if (!is_breakpoint_sane(probe) || probe->cpu >= (uint32_t)sysconf(_SC_NPROCESSORS_CONF))
		return -EINVAL;
	attr = get_breakpoint(probe);
	return open_event(&attr, probe->cpu);
}

/* Moves an open breakpoint to another address. Returns 0 or an errno. */
static int move_breakpoint(const struct gilkd_probe *probe, int event)
{
	struct perf_event_attr attr;

	if (event < 0 || !is_breakpoint_sane(probe))
		return EINVAL;
	attr = get_breakpoint(probe);
	return ioctl(event, PERF_EVENT_IOC_MODIFY_ATTRIBUTES, &attr) ? errno : 0;
}

static int open_any(const struct gilkd_probe *probe, int file)
{
	switch (probe->kind) {
	case GILKD_KPROBE:
		return open_kprobe(probe);
	case GILKD_UPROBE:
	case GILKD_URETPROBE:
		return open_uprobe(probe, file);
	case GILKD_COUNTER:
		return open_counter(probe);
	case GILKD_PROFILE:
	case GILKD_INTERVAL:
		return open_timer(probe);
	case GILKD_BREAKPOINT:
		return open_breakpoint(probe);
	default:
		return -EINVAL;
	}
}

/* ---- requests from the agent ---- */

static bool keep(struct kept *kept, uint32_t number, int fd)
{
	if (kept->count == kept->room) {
		const size_t room = 2 * kept->room + 16;
		struct item *grown = realloc(kept->items, room * sizeof(*grown));

		if (!grown)
			return false;
		kept->items = grown;
		kept->room = room;
	}
	kept->items[kept->count++] = (struct item){ number, fd };
	return true;
}

/*
 * Removes the descriptor with this number from @kept, the descriptors that this helper holds.
 * Returns it, or -1 if there is none.
 */
static int take(struct kept *kept, uint32_t number)
{
	size_t i;
	int fd;

	for (i = 0; i < kept->count; i++) {
		if (kept->items[i].number != number)
			continue;
		fd = kept->items[i].fd;
		kept->items[i] = kept->items[--kept->count];
		return fd;
	}
	return -1;
}

/* The descriptors that one of the closing threads closes: every CLOSERS-th, from @first on. */
struct share {
	const int *fds;
	size_t first, count;
};

static void *close_share(void *data)
{
	const struct share *share = data;
	size_t i;

	for (i = share->first; i < share->count; i += CLOSERS)
		if (share->fds[i] >= 0)
			close(share->fds[i]);
	return NULL;
}

/* Closes descriptors in several threads, because each close() takes a grace period or more. */
static void close_all(const int *fds, size_t count)
{
	struct share shares[CLOSERS];
	pthread_t threads[CLOSERS];
	bool runs[CLOSERS];
	size_t i, n = count < CLOSERS ? count : CLOSERS;

	for (i = 0; i < n; i++) {
		shares[i] = (struct share){ fds, i, count };
		runs[i] = i + 1 < n && !pthread_create(&threads[i], NULL, close_share, &shares[i]);
		if (!runs[i])
			close_share(&shares[i]);
	}
	for (i = 0; i < n; i++)
		if (runs[i])
			pthread_join(threads[i], NULL);
}

static void close_numbers(struct kept *kept, const uint32_t *numbers, size_t count)
{
	int fds[GILKD_PROBE_ENDED_MAX];
	size_t i;

	for (i = 0; i < count && i < GILKD_PROBE_ENDED_MAX; i++)
		fds[i] = take(kept, numbers[i]);
	close_all(fds, i);
}

/*
 * Closes all remaining descriptors. Also ends probes that were closed earlier, but whose link is
 * still open.
 */
static void close_rest(struct kept *kept)
{
	int fds[GILKD_PROBE_ENDED_MAX];
	size_t i;

	while (kept->count) {
		for (i = 0; kept->count && i < GILKD_PROBE_ENDED_MAX; i++)
			fds[i] = kept->items[--kept->count].fd;
		close_all(fds, i);
	}
}

static void answer_message(const struct gilkd_probe_message *message, int error, int fd)
{
	struct gilkd_probe_answer answer = { message->number, error };
	struct iovec part = { &answer, sizeof(answer) };

	gilkd_message_send(GILKD_HELPER_FD, &part, 1, fd);
}

static void handle_open(struct kept *kept, const struct gilkd_probe_message *message, int file)
{
	const bool lasts = message->probe.kind <= GILKD_URETPROBE;
	int fd = open_any(&message->probe, file);

	if (fd >= 0 && lasts && !keep(kept, message->number, fd)) {
		close(fd);
		fd = -ENOMEM;
	}
	answer_message(message, fd < 0 ? -fd : 0, fd);
	if (fd >= 0 && !lasts)
		close(fd);
}

/*
 * Handles a message from the agent, of @length bytes, including the numbers after it. Returns
 * whether @kept (the descriptors that this helper holds) now owns @file.
 */
static bool handle_message(struct kept *kept, const struct gilkd_probe_message *message,
			   size_t length, int file)
{
	const uint32_t *numbers = (const uint32_t *)(message + 1);

	switch (message->request) {
	case GILKD_PROBE_CHECK:
		answer_message(message, check_bytes(&message->probe, file), -1);
		return false;
	case GILKD_PROBE_OPEN:
		handle_open(kept, message, file);
		return false;
	case GILKD_PROBE_MOVE:
		answer_message(message, move_breakpoint(&message->probe, file), -1);
		return false;
	case GILKD_PROBE_KEEP:
		return file >= 0 && keep(kept, message->number, file);
	case GILKD_PROBE_CLOSE:
		close_numbers(kept, numbers, (length - sizeof(*message)) / sizeof(*numbers));
		answer_message(message, 0, -1);
		return false;
	default:
		return false;
	}
}

/*
 * Waits until the agent has ended, at most for END_MS: after that this process has the last
 * descriptors of all probes, and removes the probes by closing them.
 */
static void await_agent_end(pid_t agent)
{
	static const struct timespec pause = { 0, CHECK_MS * 1000000l };
	unsigned int i;

	for (i = 0; i < END_MS / CHECK_MS && getppid() == agent; i++)
		nanosleep(&pause, NULL);
}

/*
 * Runs in a helper process: answers requests until the agent closes the socket, then removes all
 * probes.
 * @before: pid_t of the helper that must remove its probes first; NULL: none
 */
void gilkd_probe_serve(const void *before)
{
	static uint8_t bytes[MESSAGE_MAX] __attribute__((aligned(8)));
	const pid_t agent = getppid();
	struct pollfd end = { .fd = -1, .events = POLLIN };
	struct kept kept = { 0 };
	ssize_t got;
	int file;

	signal(SIGTERM, SIG_IGN);
	signal(SIGINT, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	if (before)
		end.fd = syscall(SYS_pidfd_open, *(const pid_t *)before, 0);
	for (;;) {
		got = gilkd_message_receive(GILKD_HELPER_FD, bytes, sizeof(bytes), &file);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < (ssize_t)sizeof(struct gilkd_probe_message))
			break;
		if (!handle_message(&kept, (const struct gilkd_probe_message *)bytes, got, file) &&
		    file >= 0)
			close(file);
	}
	await_agent_end(agent);
	if (end.fd >= 0)
		poll(&end, 1, END_MS);
	close_rest(&kept);
}

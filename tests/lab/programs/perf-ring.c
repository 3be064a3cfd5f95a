// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perf-ring.c - runs inside a lab: samples events of one CPU into a ring without a reader
 *
 *   perf-ring CPU full|overwritten|backward SECONDS EVENT...
 *
 * EVENT is "SYSTEM/NAME". The event ftrace/function is restricted to calls of
 * notifier_call_chain(), which each trap calls. With "full", the ring fills up and later events are
 * lost; otherwise the ring is overwritten. Ends after SECONDS, at most one second late even if
 * events slow down the CPU. All events are written to the ring of the first event.
 */
#include <linux/perf_event.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define PAGES	8

static unsigned int id_of(const char *event)
{
	char path[256];
	unsigned int id = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/sys/kernel/tracing/events/%s/id", event);
	file = fopen(path, "r");
	if (file && fscanf(file, "%u", &id) != 1)
		id = 0;
	if (file)
		fclose(file);
	return id;
}

/* Opens an event. Return: the file descriptor, or -1 after a message on standard error. */
static int open_event(const char *event, int cpu, bool backward)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr), .type = PERF_TYPE_TRACEPOINT, .config = id_of(event),
		.sample_period = 1, .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TIME,
		.write_backward = backward, .exclude_callchain_user = 1, .disabled = 1,
	};
	int fd = attr.config ? (int)syscall(SYS_perf_event_open, &attr, -1, cpu, -1, 0) : -1;

	if (fd >= 0 && !strcmp(event, "ftrace/function") &&
	    ioctl(fd, PERF_EVENT_IOC_SET_FILTER, "ip == notifier_call_chain"))
		fd = -1;
	if (fd < 0)
		perror(event);
	return fd;
}

int main(int argc, char **argv)
{
	bool full, backward;
	int cpu, i, fd, first = -1;
	cpu_set_t set;
	time_t end;

	if (argc < 5) {
		fprintf(stderr, "usage: perf-ring CPU full|overwritten|backward SECONDS EVENT...\n");
		return 2;
	}
	cpu = atoi(argv[1]);
	full = !strcmp(argv[2], "full");
	backward = !strcmp(argv[2], "backward");
	for (i = 4; i < argc; i++) {
		fd = open_event(argv[i], cpu, backward);
		if (fd < 0)
			return 1;
		if (first < 0) {
			first = fd;
			/*
			 * Without write access the reader cannot update its position, so the ring
			 * is overwritten.
			 */
			if (mmap(NULL, (1 + PAGES) * (size_t)getpagesize(), PROT_READ | (full ? PROT_WRITE : 0),
				 MAP_SHARED, fd, 0) == MAP_FAILED) {
				perror("mmap");
				return 1;
			}
		} else if (ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, first)) {
			perror("one ring");
			return 1;
		}
		ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	}
	/* Run on the measured CPU, so that the sleeps of this program cause context switches
	 * there. */
	CPU_ZERO(&set);
	CPU_SET((size_t)cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
	end = time(NULL) + atoi(argv[3]);
	while (time(NULL) <= end)
		usleep(10000);
	return 0;
}

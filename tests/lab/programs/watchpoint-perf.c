// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * watchpoint-perf.c - runs inside a lab: competes for the debug registers
 *
 *   watchpoint-perf CPU ADDRESS COUNT MILLISECONDS
 *
 * Opens COUNT breakpoints of perf for writes of 8 bytes at ADDRESS on a CPU, prints how many of
 * them got a register, waits, at most until SIGTERM, and prints how often each was hit: "opened 4",
 * then "hits N N N N". The emulator's CPUs report only one hit where several registers have the
 * same address.
 */
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MOST	8

static void on_signal(int signal)
{
}

int main(int argc, char **argv)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr), .type = PERF_TYPE_BREAKPOINT, .bp_type = HW_BREAKPOINT_W, .bp_len = 8,
		.pinned = 1, .exclude_user = 1,
	};
	int fds[MOST], n = 0, want, i;
	uint64_t hits;

	if (argc != 5) {
		fprintf(stderr, "usage: watchpoint-perf CPU ADDRESS COUNT MILLISECONDS\n");
		return 2;
	}
	signal(SIGTERM, on_signal);
	attr.bp_addr = strtoull(argv[2], NULL, 0);
	want = atoi(argv[3]) < MOST ? atoi(argv[3]) : MOST;
	while (n < want) {
		fds[n] = (int)syscall(SYS_perf_event_open, &attr, -1, atoi(argv[1]), -1, 0);
		if (fds[n] < 0)
			break;
		n++;
	}
	printf("opened %d\n", n);
	fflush(stdout);
	usleep((useconds_t)atoi(argv[4]) * 1000);
	printf("hits");
	for (i = 0; i < n; i++)
		printf(" %llu", read(fds[i], &hits, sizeof(hits)) == sizeof(hits) ? (unsigned long long)hits : 0);
	printf("\n");
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gilkd-facts-events.c - gathers facts about event counters and the crash kernel
 *
 * Uses the driver, if it is loaded, to try the counters: the driver can create counters that an
 * agent with few capabilities cannot create.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "gilkd-facts.h"
#include "gilkd-files.h"

#define HARDWARE(what)	ILK_EVENT(PERF_TYPE_HARDWARE, PERF_COUNT_HW_##what)
#define MISSES(of)	ILK_EVENT(PERF_TYPE_HW_CACHE, PERF_COUNT_HW_CACHE_##of | PERF_COUNT_HW_CACHE_OP_READ << 8 | \
				  PERF_COUNT_HW_CACHE_RESULT_MISS << 16)

static const uint64_t keys[] = {
	HARDWARE(CPU_CYCLES), HARDWARE(INSTRUCTIONS), HARDWARE(CACHE_REFERENCES), HARDWARE(CACHE_MISSES),
	HARDWARE(BRANCH_INSTRUCTIONS), HARDWARE(BRANCH_MISSES), HARDWARE(REF_CPU_CYCLES), MISSES(L1D), MISSES(LL),
	MISSES(DTLB), MISSES(ITLB),
};

#define KEYS	(sizeof(keys) / sizeof(keys[0]))

/*
 * Sets @counts to 1 if the counter works, else to 0. Returns 0, or an errno if perf is not
 * permitted or missing.
 */
static int try_perf_event(uint64_t key, int *counts)
{
	struct perf_event_attr attr = {
		.type = ILK_EVENT_TYPE(key), .config = ILK_EVENT_CONFIG(key), .size = sizeof(attr), .disabled = 1,
	};
	long fd = syscall(SYS_perf_event_open, &attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);

	*counts = fd >= 0;
	if (fd >= 0)
		close(fd);
	return fd < 0 && (errno == EACCES || errno == EPERM || errno == ENOSYS) ? errno : 0;
}

static int try_driver_event(int device, uint64_t key, int *counts)
{
	struct ilk_event_counter event = { .key = key };
	struct ilk_events call = { .count = 1, .flags = ILK_EVENTS_PROBE, .events = (uintptr_t)&event };

	if (ioctl(device, ILK_IOC_EVENTS, &call) && !event.refusal)
		return errno;
	*counts = !event.refusal;
	return 0;
}

static void add_counter_facts(struct facts *f, int device)
{
	char text[KEYS * 20 + 1] = "";
	size_t i, used = 0;
	int counts = 0;

	for (i = 0; i < KEYS; i++) {
		if (device >= 0 ? try_driver_event(device, keys[i], &counts) : try_perf_event(keys[i], &counts))
			return;
		if (counts)
			used += (size_t)snprintf(text + used, sizeof(text) - used, "%s0x%llx", used ? " " : "",
						 (unsigned long long)keys[i]);
	}
	fact(f, "counters", "%s", used ? text : "none");
}

/* @device: descriptor of /dev/ilk; -1: the driver is not loaded */
void facts_events(struct facts *f, int device)
{
	FILE *file = fopen("/sys/kernel/kexec_crash_loaded", "re");
	int loaded;

	add_counter_facts(f, device);
	if (file && fscanf(file, "%d", &loaded) == 1)
		fact(f, "crash_kernel", "%d", loaded != 0);
	if (file)
		fclose(file);
}

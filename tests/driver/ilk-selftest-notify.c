// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-selftest-notify.c - tests that changes of text are reported to debugfs, the log and perf
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "ilk-selftest.h"

/* ---- the list of patches in debugfs --------------------------------------------------- */

#define LIST "/sys/kernel/debug/ilk/patches"

/* Finds the line of patch @id in the debugfs list of patches. Return: false if it is not in the
 * list. */
static bool list_line(uint32_t id, char *line, int size)
{
	FILE *file = fopen(LIST, "r");
	bool found = false;

	while (file && !found && fgets(line, size, file))
		found = strtoul(line, NULL, 10) == id;
	if (file)
		fclose(file);
	return found;
}

/* ---- messages in the kernel's log --------------------------------------------------------- */

bool log_says(int log, const char *words)
{
	char line[1024];
	bool said = false;
	ssize_t n;

	while ((n = read(log, line, sizeof(line) - 1)) > 0 || errno == EPIPE) {
		line[n > 0 ? n : 0] = 0;
		said |= strstr(line, words) != NULL;
	}
	return said;
}

/* ---- events for perf, and the test -------------------------------------------------------- */

#define CPUS		64
#define PAGES		64
#define EVENTS_MAX	256

/* Events in order of time, as a trace decoder receives them. */
struct event {
	uint64_t time, addr;
	uint32_t type, len;		/* @len: number of bytes changed (TEXT_POKE) or named
					 * (KSYMBOL) */
	uint8_t old[128], now[128];
};

static struct event events[EVENTS_MAX];
static int event_count;

static void *perf_open(int cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_DUMMY,
		.sample_type = PERF_SAMPLE_TIME,
		.sample_id_all = 1,
		.text_poke = 1,
		.ksymbol = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
	};
	int fd = syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	void *map;

	if (fd < 0)
		return NULL;
	map = mmap(NULL, (PAGES + 1) * 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	return map == MAP_FAILED ? NULL : map;	/* closing the descriptor is harmless: the mapping
						 * keeps the event alive */
}

static void take_record(const uint8_t *record, uint32_t type, uint32_t size)
{
	struct event *event = &events[event_count];
	uint16_t old_len, new_len;

	if (event_count == EVENTS_MAX)
		die("too many events of perf");
	memset(event, 0, sizeof(*event));
	event->type = type;
	memcpy(&event->addr, record + 8, 8);
	memcpy(&event->time, record + size - 8, 8);
	if (type == PERF_RECORD_KSYMBOL) {
		memcpy(&event->len, record + 16, 4);
		event_count++;
		return;
	}
	memcpy(&old_len, record + 16, 2);
	memcpy(&new_len, record + 18, 2);
	if (old_len != new_len || new_len > sizeof(event->now))
		return;
	event->len = new_len;
	memcpy(event->old, record + 20, old_len);
	memcpy(event->now, record + 20 + old_len, new_len);
	event_count++;
}

static void perf_drain(void *map)
{
	struct perf_event_mmap_page *page = map;
	uint8_t *data = (uint8_t *)map + 4096, record[65536];
	uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE), at = page->data_tail, i;
	struct perf_event_header header;

	for (; at < head; at += header.size) {
		for (i = 0; i < sizeof(header); i++)
			((uint8_t *)&header)[i] = data[(at + i) % (PAGES * 4096)];
		for (i = 0; i < header.size; i++)
			record[i] = data[(at + i) % (PAGES * 4096)];
		if (header.type == PERF_RECORD_TEXT_POKE || header.type == PERF_RECORD_KSYMBOL)
			take_record(record, header.type, header.size);
	}
	page->data_tail = at;
}

static int by_time(const void *a, const void *b)
{
	const struct event *x = a, *y = b;

	return x->time < y->time ? -1 : x->time > y->time;
}

/* Collects all events since the last call. */
static void perf_collect(void *const *maps, uint32_t cpus)
{
	uint32_t cpu;

	event_count = 0;
	for (cpu = 0; cpu < cpus; cpu++)
		if (maps[cpu])
			perf_drain(maps[cpu]);
	qsort(events, event_count, sizeof(*events), by_time);
}

/* Applies the events to a copy of text. Return: false if an event's old bytes do not match. */
static bool replay_event(uint64_t addr, uint8_t *bytes, uint32_t len)
{
	bool follows = true;
	uint64_t at;
	int i;
	uint32_t k;

	for (i = 0; i < event_count; i++)
		for (k = 0; events[i].type == PERF_RECORD_TEXT_POKE && k < events[i].len; k++) {
			at = events[i].addr + k;
			if (at < addr || at >= addr + len)
				continue;
			follows &= bytes[at - addr] == events[i].old[k];
			bytes[at - addr] = events[i].now[k];
		}
	return follows;
}

static bool has_symbol(uint64_t slot)
{
	int i;

	for (i = 0; i < event_count; i++)
		if (events[i].type == PERF_RECORD_KSYMBOL && events[i].addr == slot)
			return true;
	return false;
}

void test_notify(void)
{
	uint8_t site[ILK_FOOTPRINT_MAX], live[ILK_FOOTPRINT_MAX], slot[96];
	void *maps[CPUS] = { NULL };
	struct hooked hooked;
	struct ilk_info info;
	char line[512], words[64];
	bool listed, follows;
	uint32_t cpu, len;
	int fd = ilk_open(&info), log = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	mount("debugfs", "/sys/kernel/debug", "debugfs", 0, NULL);
	for (cpu = 0; cpu < info.nr_cpus && cpu < CPUS; cpu++)
		maps[cpu] = perf_open(cpu);
	lseek(log, 0, SEEK_END);

	hook_counter(fd, &hooked, &target_point, true, ILK_TACTIC_SPLICE);
	len = target_point.len;
	memcpy(site, target_point.old, len);
	memset(slot, 0xcc, sizeof(slot));
	must(ilk_prepare(fd, &hooked.patch, 1, &hooked.hook, 1), "PREPARE");
	must(ilk_arm(fd, NULL), "ARM");
	ilk_settle(fd);
	listed = list_line(hooked.slot.id, line, sizeof(line));
	snprintf(words, sizeof(words), " splice armed %016lx ", target_point.site);
	check(listed && strstr(line, words) && strstr(line, "[in text]"),
	      "the list in debugfs has it: %s", listed ? strtok(line, "\n") : "nothing");
	check(log_says(log, "ilk: patches armed: 1, "), "the log tells that it was armed");

	perf_collect(maps, info.nr_cpus);
	follows = replay_event(target_point.site, site, len) && replay_event(hooked.slot.slot, slot, sizeof(slot));
	must(kernel_read(target_point.site, live, len), "kcore");
	check(maps[0] && follows && !memcmp(site, live, len),
	      "perf's TEXT_POKE records lead to the bytes that are there (%d records)", event_count);
	check(!memcmp(slot, hooked.code.bytes, hooked.code.len) && has_symbol(hooked.slot.slot),
	      "and to the code of the slot");

	must(ilk_disarm(fd, ILK_DISARM_FILE, NULL), "DISARM");
	perf_collect(maps, info.nr_cpus);
	follows = replay_event(target_point.site, site, len);
	check(follows && !memcmp(site, target_point.old, len), "and back");
	check(log_says(log, "ilk: patches restored: 1, "), "the log tells that it was restored");
	for (cpu = 0; cpu < info.nr_cpus && cpu < CPUS; cpu++)
		if (maps[cpu])
			munmap(maps[cpu], (PAGES + 1) * 4096);
	close(log);
	close(fd);
	ilk_settle(fd = ilk_open(NULL));
	check(!list_line(hooked.slot.id, line, sizeof(line)) || !strstr(line, "[in text]"),
	      "and off the list");
	close(fd);
}

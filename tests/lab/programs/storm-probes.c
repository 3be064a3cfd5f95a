// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * storm-probes.c - runs inside a lab: uses probes of other tools at sites of live hooks and
 * elsewhere
 *
 *   storm-probes kprobe-events SITES SEED  creates kprobe events (registered but disabled),
 *                                          enables, disables and removes them
 *   storm-probes perf SITES SEED           opens, enables and closes perf events:
 *                                          tracepoints, software events and kprobes
 *
 * SITES is a file of "ADDRESS LEN" lines: addresses of live hooks, and the lengths of their
 * footprints. The program reads the file again whenever it changes. While the file is missing, no
 * probe exists. When /tmp/storm.stop exists, the program removes all probes and ends.
 * /tmp/storm.done.KIND contains "KIND TURNS"; /tmp/storm.held.KIND contains the current number of
 * probes.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define TRACING		"/sys/kernel/tracing/"
#define GROUP		"stormev"
#define PROBES		8
#define SITES_MAX	4096
#define TRACEPOINTS_MAX	4096
#define RING_PAGES	8

static const char *kind, *sites_path;
static unsigned int seed;
static unsigned long turns;

static struct {
	uint64_t address;
	unsigned int len;
} sites[SITES_MAX];
static unsigned int site_count;
static struct timespec sites_time;

static unsigned int pick_below(unsigned int below)
{
	return (unsigned int)rand_r(&seed) % below;
}

static bool write_words(const char *path, int flags, const char *words)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC | flags, 0600);
	bool ok = fd >= 0 && write(fd, words, strlen(words)) == (ssize_t)strlen(words);

	if (fd >= 0)
		close(fd);
	return ok;
}

static void report_held(unsigned int held)
{
	char path[64], words[64];

	snprintf(path, sizeof(path), "/tmp/storm.done.%s", kind);
	snprintf(words, sizeof(words), "%s %lu\n", kind, turns);
	write_words(path, O_CREAT | O_TRUNC, words);
	snprintf(path, sizeof(path), "/tmp/storm.held.%s", kind);
	snprintf(words, sizeof(words), "%u\n", held);
	write_words(path, O_CREAT | O_TRUNC, words);
}

/* Reads the file with the sites of live hooks if it has changed. @other: (out): whether the sites
 * changed. Return: false if no sites are left. */
static bool read_sites(bool *other)
{
	struct stat st;
	FILE *file;

	*other = false;
	if (stat(sites_path, &st) || !st.st_size) {
		*other = site_count > 0;
		site_count = 0;
		sites_time = (struct timespec){ 0 };
		return false;
	}
	if (!memcmp(&st.st_mtim, &sites_time, sizeof(sites_time)))
		return site_count > 0;
	*other = true;
	sites_time = st.st_mtim;
	site_count = 0;
	file = fopen(sites_path, "r");
	while (file && site_count < SITES_MAX &&
	       fscanf(file, "%lx %u", &sites[site_count].address, &sites[site_count].len) == 2)
		site_count++;
	if (file)
		fclose(file);
	return site_count > 0;
}

/* Returns the address of a byte in the footprint of a random live hook, in most cases of its first
 * byte. */
static uint64_t some_byte(void)
{
	unsigned int at = pick_below(site_count);
	unsigned int len = sites[at].len ? sites[at].len : 1;

	return sites[at].address + (pick_below(4) ? 0 : pick_below(len));
}

/* ---- probes that are kprobe events --------------------------------------------------- */

/*
 * State of an event:
 *
 *   NONE -> CREATED <-> ENABLED
 *   CREATED, ENABLED -> NONE
 *
 * If no event is enabled, a program that opens kprobe_events with O_TRUNC, as the load "kprobes"
 * does, removes the events of all programs. An event that no longer exists is NONE.
 */
static enum { NONE, CREATED, ENABLED } states[PROBES];

static void set_enabled(unsigned int probe, bool enabled)
{
	char path[96];

	snprintf(path, sizeof(path), TRACING "events/" GROUP "/e%u/enable", probe);
	if (write_words(path, O_TRUNC, enabled ? "1" : "0")) {
		states[probe] = enabled ? ENABLED : CREATED;
		turns++;
	} else if (errno == ENOENT) {
		states[probe] = NONE;
	}
}

static void remove_event(unsigned int probe)
{
	char words[64];

	if (states[probe] == ENABLED)
		set_enabled(probe, false);
	if (states[probe] == NONE)
		return;
	snprintf(words, sizeof(words), "-:" GROUP "/e%u\n", probe);
	if (write_words(TRACING "kprobe_events", O_APPEND, words)) {
		states[probe] = NONE;
		turns++;
	} else if (errno == ENOENT) {
		states[probe] = NONE;
	}
}

static void create_event(unsigned int probe)
{
	char words[96];

	snprintf(words, sizeof(words), "p:" GROUP "/e%u 0x%lx\n", probe, some_byte());
	if (write_words(TRACING "kprobe_events", O_APPEND, words)) {
		states[probe] = CREATED;
		turns++;
	}
}

static unsigned int events_held(void)
{
	unsigned int i, n = 0;

	for (i = 0; i < PROBES; i++)
		n += states[i] != NONE;
	return n;
}

static void remove_events(void)
{
	unsigned int i;

	for (i = 0; i < PROBES; i++)
		if (states[i] != NONE)
			remove_event(i);
}

static void turn_events(void)
{
	unsigned int probe = pick_below(PROBES);

	switch (states[probe]) {
	case NONE:
		create_event(probe);
		break;
	case CREATED:
		if (pick_below(3))
			set_enabled(probe, true);
		else
			remove_event(probe);
		break;
	case ENABLED:
		if (pick_below(3))
			set_enabled(probe, false);
		else
			remove_event(probe);
	}
}

/* ---- probes that are perf events ----------------------------------------------------- */

static int opened[PROBES];
static void *rings[PROBES];
static unsigned int tracepoints[TRACEPOINTS_MAX], tracepoint_count, kprobe_type;

static unsigned int read_number(const char *path)
{
	unsigned int number = 0;
	FILE *file = fopen(path, "r");

	if (file && fscanf(file, "%u", &number) != 1)
		number = 0;
	if (file)
		fclose(file);
	return number;
}

static void find_tracepoints(void)
{
	char path[640];
	struct dirent *system, *event;
	DIR *all = opendir(TRACING "events"), *some;

	while (all && (system = readdir(all))) {
		snprintf(path, sizeof(path), TRACING "events/%s", system->d_name);
		some = system->d_name[0] == '.' || !strcmp(system->d_name, "ftrace") ? NULL : opendir(path);
		while (some && (event = readdir(some))) {
			snprintf(path, sizeof(path), TRACING "events/%.200s/%.200s/id", system->d_name,
				 event->d_name);
			if (tracepoint_count < TRACEPOINTS_MAX && read_number(path))
				tracepoints[tracepoint_count++] = read_number(path);
		}
		if (some)
			closedir(some);
	}
	if (all)
		closedir(all);
	kprobe_type = read_number("/sys/bus/event_source/devices/kprobe/type");
	memset(opened, -1, sizeof(opened));
}

static void open_event(unsigned int i)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr), .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = 100000, .sample_type = PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_IP,
		.disabled = pick_below(2), .exclude_user = pick_below(2), .write_backward = pick_below(2),
	};
	unsigned int what = pick_below(4);
	size_t size = (1 + RING_PAGES) * (size_t)getpagesize();

	if (what == 0) {
		attr.config = pick_below(PERF_COUNT_SW_CGROUP_SWITCHES);
	} else if (what == 1 && tracepoint_count) {
		attr.type = PERF_TYPE_TRACEPOINT;
		attr.config = tracepoints[pick_below(tracepoint_count)];
		attr.sample_period = 1;
		attr.exclude_user = 0;
	} else if (what == 2 && kprobe_type && site_count) {
		attr.type = kprobe_type;
		attr.config = 0;
		attr.kprobe_func = 0;
		attr.kprobe_addr = some_byte();
		attr.sample_period = 1;
		attr.exclude_user = 0;
	}
	/* Count either all tasks on one CPU, or only this task, on all CPUs. */
	opened[i] = pick_below(2) ? syscall(SYS_perf_event_open, &attr, -1, pick_below(2), -1, PERF_FLAG_FD_CLOEXEC)
			    : syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	turns += opened[i] >= 0;
	if (opened[i] < 0 || !pick_below(4))
		return;
	/* Without a reader, a ring mapped read-only is overwritten; a writable one is soon full. */
	rings[i] = mmap(NULL, size, PROT_READ | (attr.write_backward ? 0 : pick_below(2) * PROT_WRITE), MAP_SHARED,
			opened[i], 0);
}

static void close_event(unsigned int i)
{
	if (rings[i] && rings[i] != MAP_FAILED)
		munmap(rings[i], (1 + RING_PAGES) * (size_t)getpagesize());
	rings[i] = NULL;
	close(opened[i]);
	opened[i] = -1;
}

static void turn_perf(void)
{
	unsigned int i = pick_below(PROBES);

	if (opened[i] < 0)
		open_event(i);
	else if (pick_below(2))
		ioctl(opened[i], pick_below(2) ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0);
	else
		close_event(i);
}

static unsigned int perf_held(void)
{
	unsigned int i, n = 0;

	for (i = 0; i < PROBES; i++)
		n += opened[i] >= 0;
	return n;
}

static void close_events(void)
{
	unsigned int i;

	for (i = 0; i < PROBES; i++)
		if (opened[i] >= 0)
			close_event(i);
}

/* ---- main program, for both kinds of probes -------------------------------------------- */

int main(int argc, char **argv)
{
	bool perf, there, other;
	unsigned int held;

	kind = argc == 4 ? argv[1] : "";
	perf = !strcmp(kind, "perf");
	if (!perf && strcmp(kind, "kprobe-events")) {
		fprintf(stderr, "usage: storm-probes kprobe-events|perf SITES SEED\n");
		return 2;
	}
	sites_path = argv[2];
	seed = (unsigned int)strtoul(argv[3], NULL, 0);
	if (perf)
		find_tracepoints();
	while (access("/tmp/storm.stop", F_OK)) {
		there = read_sites(&other);
		if (!there || other) {
			if (perf)
				close_events();
			else
				remove_events();
		}
		if (there && perf)
			turn_perf();
		else if (there)
			turn_events();
		held = perf ? perf_held() : events_held();
		report_held(held);
		usleep(there ? pick_below(30000) : 50000);
	}
	if (perf)
		close_events();
	else
		remove_events();
	report_held(0);
	return 0;
}

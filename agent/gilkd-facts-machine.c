// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gilkd-facts-machine.c - gathers facts about processors, memory, clocks, mitigations, event
 * counters, and other patchers of the kernel
 */
#include <dirent.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gilkd-facts.h"
#include "gilkd-files.h"
#include "gilkd-prober.h"

#define VULNERABILITIES	"/sys/devices/system/cpu/vulnerabilities"

static void add_flag_facts(struct facts *f, const char *flags)
{
	static const char *const told[] = {
		"constant_tsc", "nonstop_tsc", "tsc_reliable", "tsc_known_freq", "tsc_adjust", "rdtscp", "ibt",
		"user_shstk", "fred", "lam", "la57", "pti", "smep", "smap", "erms", "fsrm", "avx512f", "sev",
		"sev_es", "sev_snp", "tdx_guest",
	};
	char words[256] = "";
	size_t i;

	for (i = 0; i < sizeof(told) / sizeof(told[0]); i++)
		if (fact_has_word(flags, told[i]))
			fact_add_word(words, sizeof(words), told[i]);
	fact(f, "cpu_flags", "%s", words);
	fact(f, "tsc", "%d", fact_has_word(flags, "constant_tsc") && fact_has_word(flags, "nonstop_tsc"));
	fact(f, "hypervisor", "%d", fact_has_word(flags, "hypervisor"));
}

/* Reads the "key : value" lines of the first processor, and counts the processors. */
static void add_cpu_facts(struct facts *f)
{
	static const struct {
		const char *line, *key;
	} told[] = {
		{ "vendor_id\t", "cpu_vendor" }, { "cpu family\t", "cpu_family" }, { "model\t", "cpu_number" },
		{ "model name\t", "cpu_model" }, { "stepping\t", "cpu_stepping" }, { "microcode\t", "microcode" },
	};
	FILE *file = fopen("/proc/cpuinfo", "re");
	char line[8192];
	int cpus = 0;
	size_t i;

	while (file && fgets(line, sizeof(line), file)) {
		char *value = strchr(line, ':');

		line[strcspn(line, "\n")] = '\0';
		value = value && value[1] ? value + 2 : line + strlen(line);
		cpus += !strncmp(line, "processor", 9);
		if (cpus > 1)
			continue;
		for (i = 0; i < sizeof(told) / sizeof(told[0]); i++)
			if (!strncmp(line, told[i].line, strlen(told[i].line)))
				fact(f, told[i].key, "%s", value);
		if (!strncmp(line, "flags", 5))
			add_flag_facts(f, line);
	}
	if (!file)
		return;
	fclose(file);
	fact(f, "cpus", "%d", cpus);
}

static void add_preempt_fact(struct facts *f, const char *version)
{
	char word[32];

	if (fact_read_bracketed(GILKD_DEBUGFS "/sched/preempt", word, sizeof(word)))
		fact(f, "preempt", "%s", word);
	else if (strstr(version, "PREEMPT_RT"))
		fact(f, "preempt", "rt");
	else if (!strstr(version, "PREEMPT"))
		fact(f, "preempt", "voluntary");
}

static void add_mitigation_facts(struct facts *f)
{
	DIR *dir = opendir(VULNERABILITIES);
	struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		char path[384], key[288];

		if (entry->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), VULNERABILITIES "/%s", entry->d_name);
		snprintf(key, sizeof(key), "mitigation.%s", entry->d_name);
		fact_file(f, key, path);
	}
	if (dir)
		closedir(dir);
}

static void add_memory_facts(struct facts *f)
{
	FILE *file = fopen("/proc/meminfo", "re");
	unsigned long long kib;
	char line[128];

	while (file && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "MemTotal: %llu kB", &kib) == 1)
			fact(f, "memory_total", "%llu", kib << 10);
		if (sscanf(line, "MemAvailable: %llu kB", &kib) == 1)
			fact(f, "memory_free", "%llu", kib << 10);
	}
	if (file)
		fclose(file);
}

/* Reports only relevant words of the command line; other words may identify the machine's owner. */
static void add_cmdline_fact(struct facts *f)
{
	static const char *const told[] = {
		"ibt=", "retbleed=", "mitigations=", "lockdown=", "module.sig_enforce", "nokaslr", "spectre_v2=",
		"indirect_target_selection=", "cfi=", "fred=", "pti=", "nopti", "preempt=", "tsc=", "clocksource=",
		"isolcpus=", "nohz_full=", "rcu_nocbs=", "nosmp", "maxcpus=", "idle=", "kvm.", "noibrs",
	};
	char text[4096], words[384] = "", *word, *rest;
	size_t i;

	if (gilkd_read_small("/proc/cmdline", text, sizeof(text)))
		return;
	for (word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
		for (i = 0; i < sizeof(told) / sizeof(told[0]); i++)
			if (!strncmp(word, told[i], strlen(told[i])))
				fact_add_word(words, sizeof(words), word);
	fact(f, "cmdline", "%s", words);
}

void facts_machine(struct facts *f, const char *version)
{
	add_cpu_facts(f);
	fact_file(f, "clocksource",
		  "/sys/devices/system/clocksource/clocksource0/current_clocksource");
	fact_file(f, "smt", "/sys/devices/system/cpu/smt/active");
	add_preempt_fact(f, version);
	add_mitigation_facts(f);
	add_memory_facts(f);
	add_cmdline_fact(f);
}

/* ---- facts about event counters and the crash kernel ------------ */

#define HARDWARE(what)	GILK_EVENT_KEY(PERF_TYPE_HARDWARE, PERF_COUNT_HW_##what)
#define MISSES(of)	GILK_EVENT_KEY(PERF_TYPE_HW_CACHE, PERF_COUNT_HW_CACHE_##of | PERF_COUNT_HW_CACHE_OP_READ << 8 | \
				  PERF_COUNT_HW_CACHE_RESULT_MISS << 16)

static const uint64_t keys[] = {
	HARDWARE(CPU_CYCLES), HARDWARE(INSTRUCTIONS), HARDWARE(CACHE_REFERENCES), HARDWARE(CACHE_MISSES),
	HARDWARE(BRANCH_INSTRUCTIONS), HARDWARE(BRANCH_MISSES), HARDWARE(REF_CPU_CYCLES), MISSES(L1D), MISSES(LL),
	MISSES(DTLB), MISSES(ITLB),
};

#define KEYS	(sizeof(keys) / sizeof(keys[0]))

/*
 * Tests whether CPU 0 has the event counter with this key, and sets @counts. A helper process opens
 * the counter, because only the helper has the privilege that Debian's kernels require for this.
 * Returns 0, or an errno if the kernel permits no counters or has none.
 */
static int try_counter(struct gilkd_prober *prober, uint64_t key, bool *counts)
{
	const struct gilkd_probe counter = { .kind = GILKD_COUNTER, .at = key };
	const int fd = gilkd_prober_open(prober, &counter, -1, NULL);

	*counts = fd >= 0;
	if (fd >= 0)
		close(fd);
	switch (fd) {
	case -EACCES:
	case -EPERM:
	case -ENOSYS:
	case -EBADF:
	case -EPIPE:
	case -ETIMEDOUT:
		return -fd;
	default:
		return 0;
	}
}

static void add_counter_facts(struct facts *f, struct gilkd_prober *prober)
{
	char text[KEYS * 20 + 1] = "";
	size_t i, used = 0;
	bool counts;

	for (i = 0; i < KEYS; i++) {
		if (try_counter(prober, keys[i], &counts))
			return;
		if (counts)
			used += (size_t)snprintf(text + used, sizeof(text) - used, "%s0x%llx", used ? " " : "",
						 (unsigned long long)keys[i]);
	}
	fact(f, "counters", "%s", used ? text : "none");
}

void facts_events(struct facts *f, struct gilkd_prober *prober)
{
	FILE *file = fopen("/sys/kernel/kexec_crash_loaded", "re");
	int loaded;

	add_counter_facts(f, prober);
	if (file && fscanf(file, "%d", &loaded) == 1)
		fact(f, "crash_kernel", "%d", loaded != 0);
	if (file)
		fclose(file);
}

/* ---- facts about other patchers of the kernel's text, and about taint ------------ */

#define LIVEPATCHES	"/sys/kernel/livepatch"

static void add_count_fact(struct facts *f, const char *key, const char *path, const char *with)
{
	long count = fact_count_lines(path, with);

	if (count >= 0)
		fact(f, key, "%ld", count);
}

static void add_livepatch_fact(struct facts *f)
{
	DIR *dir = opendir(LIVEPATCHES);
	struct dirent *entry;
	char names[256] = "";

	while (dir && (entry = readdir(dir)))
		if (entry->d_name[0] != '.')
			fact_add_word(names, sizeof(names), entry->d_name);
	if (!dir)
		return;
	closedir(dir);
	fact(f, "livepatch", "%s", names);
}

void facts_patchers(struct facts *f)
{
	char path[128];

	fact_file(f, "taint", "/proc/sys/kernel/tainted");
	add_count_fact(f, "kprobes", GILKD_DEBUGFS "/kprobes/list", NULL);
	snprintf(path, sizeof(path), "%s/enabled_functions", gilkd_tracefs());
	add_count_fact(f, "ftrace", path, NULL);
	add_count_fact(f, "ftrace_direct", path, "direct");
	snprintf(path, sizeof(path), "%s/current_tracer", gilkd_tracefs());
	fact_file(f, "tracer", path);
	add_livepatch_fact(f);
}

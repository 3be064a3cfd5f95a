// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gilkd-doctor.c - facts about this machine, as "key=value" lines
 *
 * Facts only: what follows from them, and the remedy, is the client's to say.
 * A fact that cannot be found out is left out.
 *
 *   release, version, machine, hostname   uname
 *   euid                                  0 = root
 *   lockdown                              none, integrity, confidentiality
 *   secure_boot                           0, 1
 *   sig_enforce                           Y, N: only signed modules load
 *   kptr_restrict                         0, 1, 2
 *   kallsyms, kcore                       ok, or why they cannot be read
 *   debugfs, tracefs                      0, 1: mounted
 *   driver                                0, 1: /dev/ilk is there
 *   modules_disabled                      1: no module loads until the next boot
 *   driver_abi, driver_arena_free, driver_poisoned, driver_locked, driver_bugs
 *                                         of the loaded driver
 *   driver_file                           where ilk.ko would be loaded from
 *   headers                               folder to build modules against
 *   cpu_vendor, cpu_model, cpus
 *   tsc                                   0, 1: constant and non-stop
 *   clocksource
 *   preempt                               none, voluntary, full, lazy, rt
 *   mitigation.NAME                       text of each vulnerability file
 *   hypervisor                            0, 1
 *   container                             0, 1: no access to the host's kernel
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "gilkd.h"

#define FACTS_MAX	(32u << 10)
#define VULNERABILITIES	"/sys/devices/system/cpu/vulnerabilities"
#define SECURE_BOOT	"/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"

struct facts {
	char *text;
	size_t used;
};

static void fact(struct facts *f, const char *key, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void fact(struct facts *f, const char *key, const char *format, ...)
{
	char value[256];
	va_list args;
	int length;

	va_start(args, format);
	vsnprintf(value, sizeof(value), format, args);
	va_end(args);
	value[strcspn(value, "\n")] = '\0';

	length = snprintf(f->text + f->used, FACTS_MAX - f->used, "%s=%s\n", key, value);
	if (length > 0 && (size_t)length < FACTS_MAX - f->used)
		f->used += length;
}

static void fact_file(struct facts *f, const char *key, const char *path)
{
	char text[256];

	if (!gilkd_read_small(path, text, sizeof(text)))
		fact(f, key, "%s", text);
}

/* The word in brackets, as in "none [integrity] confidentiality". */
static bool bracketed(const char *path, char *word, size_t size)
{
	char text[128], *start, *end;

	if (gilkd_read_small(path, text, sizeof(text)))
		return false;
	start = strpbrk(text, "[(");
	end = start ? strpbrk(start, "])") : NULL;
	if (!end)
		return false;
	*end = '\0';
	snprintf(word, size, "%s", start + 1);

	return true;
}

static void policy_facts(struct facts *f)
{
	char word[64], text[64];
	int fd;

	if (bracketed("/sys/kernel/security/lockdown", word, sizeof(word)))
		fact(f, "lockdown", "%s", word);
	/* Four bytes of attributes, then the value. */
	fd = open(SECURE_BOOT, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		if (read(fd, text, 5) == 5)
			fact(f, "secure_boot", "%d", text[4]);
		close(fd);
	}
	fact_file(f, "sig_enforce", "/sys/module/module/parameters/sig_enforce");
	fact_file(f, "modules_disabled", "/proc/sys/kernel/modules_disabled");
	fact_file(f, "kptr_restrict", "/proc/sys/kernel/kptr_restrict");
}

static void readable_fact(struct facts *f, const char *key, const char *path)
{
	char byte;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || read(fd, &byte, 1) != 1)
		fact(f, key, "%s", strerror(errno));
	else
		fact(f, key, "ok");
	if (fd >= 0)
		close(fd);
}

/* With kptr_restrict every address reads as zeros; some honest ones do, too. */
static void kallsyms_fact(struct facts *f)
{
	FILE *file = fopen("/proc/kallsyms", "re");
	unsigned long long address = 0;
	char line[512];
	int i;

	for (i = 0; file && !address && i < 1000 && fgets(line, sizeof(line), file); i++)
		address = strtoull(line, NULL, 16);
	if (!file)
		fact(f, "kallsyms", "%s", strerror(errno));
	else
		fact(f, "kallsyms", "%s", address ? "ok" : "addresses are hidden");
	if (file)
		fclose(file);
}

static void driver_facts(struct facts *f, struct gilkd *d)
{
	struct ilk_info info = { 0 };
	char path[256];
	int fd;

	fact(f, "driver", "%d", gilkd_driver_there());
	if (!gilkd_module_file("ilk", path, sizeof(path)))
		fact(f, "driver_file", "%s", path);

	fd = open("/dev/" ILK_DEVICE_NAME, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return;
	if (!ioctl(fd, ILK_IOC_INFO, &info)) {
		fact(f, "driver_abi", "%u", info.abi);
		fact(f, "driver_arena_free", "%llu",
		     (unsigned long long)(info.arena_free + gilkd_arenas_spare()));
		fact(f, "driver_poisoned", "%u", info.poisoned);
		fact(f, "driver_locked", "%d", !!(info.rules & ILK_RULE_LOCKED_DOWN));
		fact(f, "driver_bugs", "%llu", (unsigned long long)info.bugs);
	}
	close(fd);
}

/* "flags : ... constant_tsc ...": whole words of the first processor. */
static bool has_flag(const char *flags, const char *flag)
{
	size_t length = strlen(flag);
	const char *at = flags;

	while ((at = strstr(at, flag))) {
		if (at > flags && at[-1] == ' ' && (at[length] == ' ' || at[length] == '\0'))
			return true;
		at += length;
	}

	return false;
}

static void cpu_facts(struct facts *f)
{
	FILE *file = fopen("/proc/cpuinfo", "re");
	char line[8192];
	int cpus = 0;

	while (file && fgets(line, sizeof(line), file)) {
		char *value = strchr(line, ':');

		line[strcspn(line, "\n")] = '\0';
		value = value && value[1] ? value + 2 : line + strlen(line);
		cpus += !strncmp(line, "processor", 9);
		if (cpus > 1)
			continue;
		if (!strncmp(line, "vendor_id", 9))
			fact(f, "cpu_vendor", "%s", value);
		if (!strncmp(line, "model name", 10))
			fact(f, "cpu_model", "%s", value);
		if (!strncmp(line, "flags", 5)) {
			fact(f, "tsc", "%d", has_flag(line, "constant_tsc") &&
			     has_flag(line, "nonstop_tsc"));
			fact(f, "hypervisor", "%d", has_flag(line, "hypervisor"));
		}
	}
	if (file)
		fclose(file);
	fact(f, "cpus", "%d", cpus);
	fact_file(f, "clocksource",
		  "/sys/devices/system/clocksource/clocksource0/current_clocksource");
}

static void preempt_fact(struct facts *f, const struct utsname *name)
{
	char word[32];

	if (bracketed(GILKD_DEBUGFS "/sched/preempt", word, sizeof(word)))
		fact(f, "preempt", "%s", word);
	else if (strstr(name->version, "PREEMPT_RT"))
		fact(f, "preempt", "rt");
	else if (!strstr(name->version, "PREEMPT"))
		fact(f, "preempt", "voluntary");
}

static void mitigation_facts(struct facts *f)
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

/* A container that was given the capability to load modules is as good as its host. */
static bool in_container(void)
{
	FILE *file = fopen("/proc/self/status", "re");
	unsigned long long effective = 0;
	char line[256];

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "CapEff: %llx", &effective) == 1)
			break;
	if (file)
		fclose(file);

	return !(effective & 1ull << CAP_SYS_MODULE) &&
	       (!access("/.dockerenv", F_OK) || !access("/run/.containerenv", F_OK));
}

void gilkd_do_doctor(struct gilkd *d, uint8_t *payload, size_t length)
{
	struct facts f = { .text = malloc(FACTS_MAX) };
	struct utsname name = { 0 };
	char path[128];

	if (!f.text) {
		gilkd_fail(d, ENOMEM, "The agent is out of memory; free some on the target.");
		return;
	}

	uname(&name);
	fact(&f, "release", "%s", name.release);
	fact(&f, "version", "%s", name.version);
	fact(&f, "machine", "%s", name.machine);
	fact(&f, "hostname", "%s", name.nodename);
	fact(&f, "euid", "%u", geteuid());
	policy_facts(&f);
	kallsyms_fact(&f);
	readable_fact(&f, "kcore", "/proc/kcore");
	fact(&f, "debugfs", "%d", !access(GILKD_DEBUGFS "/kprobes", F_OK));
	snprintf(path, sizeof(path), "%s/available_filter_functions", gilkd_tracefs());
	fact(&f, "tracefs", "%d", !access(path, F_OK));
	driver_facts(&f, d);
	snprintf(path, sizeof(path), "/lib/modules/%s/build", name.release);
	if (!access(path, F_OK))
		fact(&f, "headers", "%s", path);
	cpu_facts(&f);
	preempt_fact(&f, &name);
	mitigation_facts(&f);
	fact(&f, "container", "%d", in_container());

	gilkd_answer(d, f.text, f.used);
	free(f.text);
}

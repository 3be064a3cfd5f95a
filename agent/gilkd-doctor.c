// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gilkd-doctor.c - reports facts about this machine, as "key=value" lines
 *
 * Facts only: conclusions and remedies are up to the client.
 * A fact that cannot be determined is omitted.
 *
 *   release, version, machine, hostname   uname
 *   euid                                  0 = root
 *   kallsyms, kcore                       ok, or the reason why they cannot be read
 *   debugfs, tracefs                      0, 1: mounted
 *   container                             0, 1: no access to the host's kernel
 * the driver
 *   driver                                0, 1: /dev/ilk exists
 *   driver_abi, driver_arena_free, driver_poisoned, driver_locked, driver_bugs
 *                                         properties of the loaded driver
 *   driver_file                           path of the ilk.ko that would be loaded
 *   driver_signed                         0, 1: that file is signed
 *   driver_signer                         name of the key that signed it
 *   driver_key_known                      0, 1: the kernel has a key of that name
 * restrictions on loading
 *   lockdown                              none, integrity, confidentiality
 *   secure_boot                           0, 1
 *   sig_enforce                           Y, N: only signed modules load
 *   modules_disabled                      1: no module loads until the next boot
 *   kptr_restrict                         0, 1, 2
 *   config                                relevant options that are on
 * hooks by BPF
 *   bpf                                   ok, or the reason why the kernel does not allow them
 *   kprobes_enabled                       0, 1: 0 if all kprobes are switched off
 *   btf                                   0, 1: the kernel has BTF
 *   perf_event_paranoid                   number
 * tools that modules are built with
 *   headers                               folder to build modules against
 *   compiler                              compiler that built the kernel
 *   compilers, gcc_default                compilers in /usr/bin; target of /usr/bin/gcc
 *   make, dkms, dkms_ilk                  0, 1: installed; dkms_ilk: DKMS has our source
 *   mok_key                               machine owner key that DKMS signs with
 *   distro                                ID of os-release
 * the machine
 *   cpu_vendor, cpu_model, cpu_family, cpu_number, cpu_stepping, microcode, cpus, smt
 *   cpu_flags                             relevant flags
 *   tsc                                   0, 1: constant and non-stop
 *   clocksource, hypervisor
 *   preempt                               none, voluntary, full, lazy, rt
 *   mitigation.NAME                       text of each vulnerability file
 *   memory_total, memory_free             bytes
 *   cmdline                               relevant words
 *   counters                              available event counters: GILK_EVENT_KEY() in hex; or none
 *   crash_kernel                          0, 1: a crash kernel is loaded
 * others
 *   taint                                 number
 *   kprobes, ftrace                       number of probes; number of functions with a tracer
 *   ftrace_direct                         number of functions with a direct call, as BPF uses
 *   tracer                                current tracer; nop: none
 *   livepatch                             names of live patches
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "gilkd-driver.h"
#include "gilkd-facts.h"
#include "gilkd-files.h"
#include "gilkd-modules.h"
#include "gilkd.h"

static void add_readable_fact(struct facts *f, const char *key, const char *path)
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

/*
 * Reports whether /proc/kallsyms shows addresses. Reads many lines: all addresses are 0 if
 * kptr_restrict is set, but some are 0 in any case.
 */
static void add_kallsyms_fact(struct facts *f)
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

static void add_driver_facts(struct facts *f)
{
	struct ilk_info info = { 0 };
	char path[256];
	int fd;

	fact(f, "driver", "%d", gilkd_driver_exists());
	if (!gilkd_module_file("ilk", path, sizeof(path))) {
		fact(f, "driver_file", "%s", path);
		facts_signature(f, path);
	}

	fd = open("/dev/" ILK_DEVICE_NAME, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return;
	if (!ioctl(fd, ILK_IOC_INFO, &info)) {
		fact(f, "driver_abi", "%u", info.abi);
		fact(f, "driver_arena_free", "%llu",
		     (unsigned long long)(info.arena_free + gilkd_arenas_count_unloaded()));
		fact(f, "driver_poisoned", "%u", info.poisoned);
		fact(f, "driver_locked", "%d", !!(info.rules & ILK_RULE_LOCKED_DOWN));
		fact(f, "driver_bugs", "%llu", (unsigned long long)info.bugs);
	}
	close(fd);
}

/*
 * Returns whether we are confined to a container. A container that may load modules
 * is equivalent to its host.
 */
static bool is_in_container(void)
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

static void add_bpf_facts(struct facts *f, struct gilkd_prober *prober)
{
	const int error = gilkd_bpf_try(prober);

	fact(f, "bpf", "%s", error ? strerror(error) : "ok");
	fact_file(f, "kprobes_enabled", GILKD_DEBUGFS "/kprobes/enabled");
	fact(f, "btf", "%d", !access("/sys/kernel/btf/vmlinux", F_OK));
	fact_file(f, "perf_event_paranoid", "/proc/sys/kernel/perf_event_paranoid");
}

void gilkd_do_doctor(struct gilkd *d, uint8_t *payload, size_t length)
{
	struct gilkd_client *client = &d->client;
	struct facts f = { .text = malloc(FACTS_MAX) };
	struct utsname name = { 0 };
	char path[128];

	if (!f.text) {
		gilkd_fail(client, ENOMEM, "The agent is out of memory; free some on the target.");
		return;
	}

	uname(&name);
	fact(&f, "release", "%s", name.release);
	fact(&f, "version", "%s", name.version);
	fact(&f, "machine", "%s", name.machine);
	fact(&f, "hostname", "%s", name.nodename);
	fact(&f, "euid", "%u", geteuid());
	facts_policy(&f, name.release);
	add_kallsyms_fact(&f);
	add_readable_fact(&f, "kcore", "/proc/kcore");
	fact(&f, "debugfs", "%d", !access(GILKD_DEBUGFS "/kprobes", F_OK));
	snprintf(path, sizeof(path), "%s/available_filter_functions", gilkd_tracefs());
	fact(&f, "tracefs", "%d", !access(path, F_OK));
	add_driver_facts(&f);
	add_bpf_facts(&f, &d->prober);
	facts_events(&f, &d->prober);
	facts_build(&f, name.release);
	facts_machine(&f, name.version);
	facts_patchers(&f);
	fact(&f, "container", "%d", is_in_container());

	gilkd_answer(client, f.text, f.used);
	free(f.text);
}

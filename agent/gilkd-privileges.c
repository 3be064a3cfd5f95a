// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gilkd-privileges.c - keeps only the root privileges that the agent needs
 *
 *   CAP_SYS_MODULE   loads ilk and instruments, and opens /dev/ilk
 *   CAP_SYSLOG       sees addresses in kallsyms, sections and the blacklist; reads the kernel log
 *   CAP_SYS_RAWIO    opens /proc/kcore
 *   CAP_BPF, CAP_PERFMON  create BPF maps, and load programs for kprobes
 *
 * The process that opens programs' files (gilkd-open.c) keeps only another capability:
 *
 *   CAP_SYS_PTRACE   follows /proc/PID/root and /proc/PID/exe
 *
 * The processes that open kprobes, uprobes, event counters, timers and breakpoints (gilkd-probe.c) keep
 * only CAP_PERFMON and:
 *
 *   CAP_SYS_ADMIN    opens perf events where kernel.perf_event_paranoid is 3, as Debian sets it
 *
 * RLIMIT_NOFILE is raised for the descriptors of BPF hooks. RLIMIT_RTPRIO lets the agent preempt other programs while rings are filling; see
 * gilkd-samples.c.
 *
 * The agent opens files of root as their owner, so it needs no capability for them. The agent never
 * executes another program; if it did, that program would have at most these privileges.
 */
#include <errno.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "gilkd-privileges.h"

/*
 * Drops capabilities that are not needed from the bounding set. Ignores EPERM: without CAP_SETPCAP
 * there is nothing to drop.
 */
static int drop_bounding_set(uint64_t needed)
{
	unsigned int cap;

	for (cap = 0; prctl(PR_CAPBSET_READ, cap, 0, 0, 0) >= 0; cap++)
		if (!(needed & GILKD_CAP_BIT(cap)) && prctl(PR_CAPBSET_DROP, cap, 0, 0, 0) &&
		    errno != EPERM)
			return errno;

	return 0;
}

/*
 * Raises the limit of open files to GILKD_FILES_MAX; if that is not permitted, to the hard limit.
 */
static void raise_file_limit(void)
{
	struct rlimit limit = { GILKD_FILES_MAX, GILKD_FILES_MAX };

	if (!setrlimit(RLIMIT_NOFILE, &limit) || getrlimit(RLIMIT_NOFILE, &limit))
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

/*
 * Drops all capabilities but @needed. Must be called once, before the first byte of a client is
 * read. Returns 0 or an errno.
 */
int gilkd_drop_privileges(uint64_t needed)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3];
	static const struct rlimit urgent = { GILKD_URGENT, GILKD_URGENT };
	int error, i;

	/*
	 * Ignore EPERM: the agent then always runs at normal priority, not at a real-time priority
	 * while rings are filling.
	 */
	if (setrlimit(RLIMIT_RTPRIO, &urgent) && errno != EPERM)
		return errno;
	raise_file_limit();
	error = drop_bounding_set(needed);
	if (error)
		return error;
	if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) ||
	    syscall(SYS_capget, &head, sets))
		return errno;

	for (i = 0; i < _LINUX_CAPABILITY_U32S_3; i++) {
		sets[i].permitted &= (uint32_t)(needed >> 32 * i);
		sets[i].effective = sets[i].permitted;
		sets[i].inheritable = 0;
	}
	if (syscall(SYS_capset, &head, sets) || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return errno;

	return 0;
}

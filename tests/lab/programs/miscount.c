// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * miscount.c - linked into a defective agent, which does not make one of every 1000 system calls of a
 * self-test
 *
 * If gilk selftest detects this defect, it also detects hooks that miss hits.
 */
#include <errno.h>
#include <sys/syscall.h>

/* Calls of syscall() go to __wrap_syscall(), and the original function is called __real_syscall(),
 * because of the linker option --wrap=syscall. */
long __real_syscall(long number, long a, long b, long c, long d, long e, long f);
long __wrap_syscall(long number, long a, long b, long c, long d, long e, long f);

long __wrap_syscall(long number, long a, long b, long c, long d, long e, long f)
{
	static __thread unsigned long miscounted;

	/* Only self-tests make this system call. */
	if (number == SYS_sched_rr_get_interval && !(miscounted++ % 1000)) {
		errno = EINVAL;
		return -1;
	}
	return __real_syscall(number, a, b, c, d, e, f);
}

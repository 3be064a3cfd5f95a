/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * miscount.h - included before each file of an agent that leaves out one of every 1000 calls that
 * it reports
 *
 * A defect that gilk selftest detects in it would also be detected in hooks that miss hits.
 */
#pragma once

#include <errno.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Affects only calls of a self-test, since no other code makes this one. */
#define syscall(number, ...) \
	((number) == SYS_sched_rr_get_interval && !(miscounted++ % 1000) ? \
	 (errno = EINVAL, -1l) : syscall(number, ##__VA_ARGS__))

static __thread unsigned long miscounted __attribute__((unused));

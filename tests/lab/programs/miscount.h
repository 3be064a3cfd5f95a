/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * miscount.h - included before each file of a defective agent, which does not make one of every
 * 1000 system calls of a self-test
 *
 * If gilk selftest detects this defect, it also detects hooks that miss hits.
 */
#pragma once

#include <errno.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Only self-tests make the system call sched_rr_get_interval(). */
#define syscall(number, ...) \
	((number) == SYS_sched_rr_get_interval && !(miscounted++ % 1000) ? \
	 (errno = EINVAL, -1l) : syscall(number, ##__VA_ARGS__))

static __thread unsigned long miscounted __attribute__((unused));

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * miscount.h - put before each file of an agent that leaves out one of 1000 calls that it says it made
 *
 * What gilk selftest finds wrong with it, it would find wrong with hooks that miss hits.
 */
#pragma once

#include <errno.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Only calls of a self-test: it returns what they do. */
#define syscall(number, ...) \
	((number) == SYS_sched_rr_get_interval && !(miscounted++ % 1000) ? \
	 (errno = EINVAL, -1l) : syscall(number, ##__VA_ARGS__))

static __thread unsigned long miscounted __attribute__((unused));

/* SPDX-License-Identifier: (GPL-2.0-or-later WITH Linux-syscall-note) */
/*
 * ilk-abi-event.h - event counters, and permission to crash the kernel
 *
 * Part of ilk-abi.h; never included on its own.
 */
#ifndef ILK_ABI_EVENT_H
#define ILK_ABI_EVENT_H

#include <linux/types.h>

#include "ilk-abi-assert.h"

/* ---- EVENTS -------------------------------------------------------------- */

#define ILK_EVENTS_MAX		8	/* maximum number of counters per file, and per call */

/*
 * Key of a perf event. The type is HARDWARE, SOFTWARE, HW_CACHE or RAW (enum perf_type_id), the
 * config has up to 56 bits. A key is never 0.
 */
#define ILK_EVENT(type, config)	(((__u64)(type) + 1) << 56 | (__u64)(config))
#define ILK_EVENT_TYPE(key)	((__u32)((key) >> 56) - 1)
#define ILK_EVENT_CONFIG(key)	((key) & ~(0xffULL << 56))

#define ILK_EVENT_BAD		(~0ULL)	/* error value, which no counter reaches */

#define ILK_EVENTS_PROBE		(1U << 0)	/* creates the counters only as a test, and
							 * then releases them */

/**
 * struct ilk_event_counter - counts an event on each CPU, whatever code runs there
 * @key: ILK_EVENT()
 * @cpus: out: number of CPUs on which the event is counted now
 * @blind: out: number of online CPUs on which the event is not counted: another user has the
 *     hardware counters, or that CPU lacks such a counter
 *
 * The counter is pinned, so that it counts without a break; CPUs that come
 * online later get a counter too, starting from 0. Files that request the same
 * event share the counter. The counter lives as long as a memory area that is allocated at the
 * same time (ilk-abi-memory.h). Request the counter before the PREPARE of the code that reads
 * it.
 */
struct ilk_event_counter {
	__u64 key;		/* in */
	__u32 cpus;		/* out */
	__u32 blind;		/* out */
	__s32 error;		/* out: 0 or -errno */
	__u32 refusal;		/* out: enum ilk_refusal; if set, no CPU counts the event */
};

/* EVENTS creates all counters or none. */
struct ilk_events {
	__u32 count;		/* 1..ILK_EVENTS_MAX */
	__u32 flags;		/* ILK_EVENTS_PROBE, or 0 */
	__u64 events;		/* struct ilk_event_counter[count] */
};

/* ---- CRASH --------------------------------------------------------------- */

#define ILK_CRASH_TRY		(1U << 0)	/* only checks whether a crash is allowed */
#define ILK_CRASH_NO_DUMP	(1U << 1)	/* allows a crash without a crash kernel */

/**
 * struct ilk_crash - allows the code of a hook to crash the kernel
 * @iid: a hook of this file; 0 with ILK_CRASH_TRY
 * @flags: ILK_CRASH_*
 * @refusal: enum ilk_refusal
 */
struct ilk_crash {
	__u32 iid;		/* in */
	__u32 flags;		/* in */
	__u32 refusal;		/* out */
	__u32 pad;
};

ILK_ASSERT_SIZE(struct ilk_event_counter, 24);
ILK_ASSERT_SIZE(struct ilk_events, 16);
ILK_ASSERT_SIZE(struct ilk_crash, 16);

#endif /* ILK_ABI_EVENT_H */

/* SPDX-License-Identifier: (GPL-2.0-or-later WITH Linux-syscall-note) */
/*
 * ilk-abi-event.h - counters of events, and whether the kernel may be made to crash: for services
 *
 * A part of ilk-abi.h, which includes it; nobody else does.
 */
#ifndef ILK_ABI_EVENT_H
#define ILK_ABI_EVENT_H

#include <linux/types.h>

#include "ilk-abi-assert.h"

/* ---- EVENTS -------------------------------------------------------------- */

#define ILK_EVENTS_MAX		8	/* of one file, and in one call */

/* One of perf's: of enum perf_type_id HARDWARE, SOFTWARE, HW_CACHE or RAW, and up to 56 bits of its config. Never 0. */
#define ILK_EVENT(type, config)	(((__u64)(type) + 1) << 56 | (__u64)(config))
#define ILK_EVENT_TYPE(key)	((__u32)((key) >> 56) - 1)
#define ILK_EVENT_CONFIG(key)	((key) & ~(0xffULL << 56))

#define ILK_EVENT_BAD		(~0ULL)	/* no counter comes so far */

#define ILK_EVENTS_TRY		(1U << 0)	/* they are made, and given back at once */

/**
 * struct ilk_counted - a counter of each CPU, of all that runs there
 * @key: ILK_EVENT()
 * @cpus: on how many CPUs it counts now
 * @blind: online ones where it does not: another user has the machine's counters, or that CPU has no such one
 *
 * It is pinned, so that it counts from here on without a break; CPUs that come later have it, too, from 0 on. Files
 * that want the same have one in common. It lives as long as areas of memory that are given at this time
 * (ilk-abi-memory.h): to be asked for before the PREPARE of the code that reads it.
 */
struct ilk_counted {
	__u64 key;		/* in */
	__u32 cpus;		/* out */
	__u32 blind;		/* out */
	__s32 error;		/* out: 0 or -errno */
	__u32 refusal;		/* out: enum ilk_refusal: it counts nowhere */
};

/* All or none. */
struct ilk_events {
	__u32 count;		/* 1..ILK_EVENTS_MAX */
	__u32 flags;		/* ILK_EVENTS_TRY, or 0 */
	__u64 events;		/* struct ilk_counted[count] */
};

/* ---- CRASH --------------------------------------------------------------- */

#define ILK_CRASH_TRY		(1U << 0)	/* no hook is meant: would it be allowed? */
#define ILK_CRASH_NO_DUMP	(1U << 1)	/* even if no crash kernel is loaded, which would take a dump */

/**
 * struct ilk_crash - code of this hook may make the kernel crash from now on
 * @iid: of a hook of this file; with ILK_CRASH_TRY 0
 * @flags: ILK_CRASH_*
 * @refusal: enum ilk_refusal
 */
struct ilk_crash {
	__u32 iid;		/* in */
	__u32 flags;		/* in */
	__u32 refusal;		/* out */
	__u32 pad;
};

ILK_ASSERT_SIZE(struct ilk_counted, 24);
ILK_ASSERT_SIZE(struct ilk_events, 16);
ILK_ASSERT_SIZE(struct ilk_crash, 16);

#endif /* ILK_ABI_EVENT_H */

/* SPDX-License-Identifier: (GPL-2.0-or-later WITH Linux-syscall-note) */
/*
 * ilk-abi-time.h - what /dev/ilk tells of time
 *
 * A part of ilk-abi.h, which includes it; nobody else does.
 */
#ifndef ILK_ABI_TIME_H
#define ILK_ABI_TIME_H

#include <linux/types.h>

#include "ilk-abi-assert.h"

/* ---- clocks ----------------------------------------------------------------- */

/**
 * struct ilk_clock_reading - the clock and a time stamp counter, read together
 * @tsc: of @cpu: it was this, by @error ticks at most either way, when the clock was @mono_ns.
 *       The best of some tries, each with interrupts off; the clock's own steps are in @error
 * @mono_ns: CLOCK_MONOTONIC
 */
struct ilk_clock_reading {
	__u64 tsc;
	__u64 mono_ns;
	__u32 error;
	__u32 cpu;
};

/**
 * struct ilk_cpu_clock - a CPU's time stamp counter against that of the reference
 * @offset: ticks that it is ahead, by @error at most either way: half the fastest round trip of a
 *          question and its answer through memory
 * @rounds: round trips that were made; 0: it is offline, or did not answer, and nothing is known
 */
struct ilk_cpu_clock {
	__s64 offset;
	__u64 error;
	__u32 rounds;
	__u32 pad;
};

/*
 * With @count of INFO's nr_cpus each CPU that is online is asked, one after the other, by whichever
 * CPU runs the call: that is the @reference, whose own offset is 0. Each answers with its
 * interrupts off for 40 us at a time at most, 64 times and for
 * 0.25 s at most; none is asked any more after a second.
 */
struct ilk_clocks {
	__u32 count;		/* in: nr_cpus, or 0: a reading is all that is wanted */
	__u32 reference;	/* out: a CPU's number */
	__u64 cpus;		/* out: struct ilk_cpu_clock[count] */
	struct ilk_clock_reading reading;	/* out: made by the reference */
};

/* ---- what code costs ---------------------------------------------------------- */

#define ILK_MEASURE_CALLS_MAX	64
#define ILK_MEASURE_COUNT_MAX	1024

/*
 * The code of an ILK_PATCH_GROUND is called and returns; it may use all registers but the stack's.
 * It begins with ENDBR64 (f3 0f 1e fa). With an @aux, int3 follows, which leads to that offset of
 * the slot, the way the trap of a hook does. It stays PREPARED until it is freed or its file is closed: ARM and a DISARM
 * of all leave it alone, and STATUS does not list it. Samples of its hooks that have ILK_HOOK_SAMPLES are not kept: they take
 * no room in a ring, whoever has claimed it, and find room without a claim.
 */

/* Ticks of so many calls in a row, and right behind of as many of the base. */
struct ilk_measured {
	__u32 ticks;
	__u32 base;
};

/* With interrupts off for both rows, and on in between: -EINVAL for what is no such patch. */
struct ilk_measure {
	__u32 patch, base;	/* ids of patches of this file; the same one may be both */
	__u32 calls;		/* 1..ILK_MEASURE_CALLS_MAX */
	__u32 count;		/* 1..ILK_MEASURE_COUNT_MAX */
	__u64 out;		/* struct ilk_measured[count] */
};

/* ---- blocks: hooks switched off and on ---------------------------------------- */

#define ILK_BLOCKS_MAX		65536
#define ILK_BLOCK_LEAST_NS	1000000

/*
 * From run time zero on, and each @period_ns later, the gate of a hook is shut or opened, as @on says of each
 * block; behind the last it is open. The hook is of this file and bound to no patch: code of any number of
 * others looks at its gate, so that one write of one byte switches all of them at once. To be set
 * before ARM makes time zero, else -EBUSY; DISARM of all ends it. A @count of 0 takes it back.
 */
struct ilk_blocks {
	__u32 iid;
	__u32 count;		/* up to ILK_BLOCKS_MAX */
	__u64 period_ns;	/* ILK_BLOCK_LEAST_NS at least */
	__u64 on;		/* __u8[count], 0 or 1 */
};

/* When, on CLOCK_MONOTONIC, each block began, as far as they have, and then when the last ended. */
struct ilk_blocks_told {
	__u32 capacity;		/* in: room in @at */
	__u32 count;		/* out: how many there are */
	__u64 at;		/* out: __u64[] */
};

ILK_ASSERT_SIZE(struct ilk_blocks, 24);
ILK_ASSERT_SIZE(struct ilk_blocks_told, 16);
ILK_ASSERT_SIZE(struct ilk_measured, 8);
ILK_ASSERT_SIZE(struct ilk_measure, 24);
ILK_ASSERT_SIZE(struct ilk_clock_reading, 24);
ILK_ASSERT_SIZE(struct ilk_cpu_clock, 24);
ILK_ASSERT_SIZE(struct ilk_clocks, 40);

#endif /* ILK_ABI_TIME_H */

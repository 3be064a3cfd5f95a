/* SPDX-License-Identifier: (GPL-2.0-or-later WITH Linux-syscall-note) */
/*
 * ilk-abi-time.h - clocks, costs and intervals of /dev/ilk
 *
 * Part of ilk-abi.h; never included on its own.
 */
#ifndef ILK_ABI_TIME_H
#define ILK_ABI_TIME_H

#include <linux/types.h>

#include "ilk-abi-assert.h"

/* ---- comparing clocks and time stamp counters ------------------------------- */

/**
 * struct ilk_timestamp_pair - the clock and a time stamp counter, read together
 * @tsc: value of the counter of @cpu when the clock showed @mono_ns, with an error of at most
 *     @error ticks in either direction. The pair is the best of several attempts, each
 *     with interrupts off; @error includes the resolution of the clock
 * @mono_ns: CLOCK_MONOTONIC
 */
struct ilk_timestamp_pair {
	__u64 tsc;
	__u64 mono_ns;
	__u32 error;
	__u32 cpu;
};

/**
 * struct ilk_cpu_clock - a CPU's time stamp counter compared to that of the reference CPU
 * @offset: number of ticks by which this counter is ahead of the reference CPU's
 * @error: maximum error of @offset, in ticks, in either direction: half of the fastest round
 *     trip of a question and its answer through memory
 * @rounds: number of round trips; 0: the CPU is offline or did not answer, and
 *     the other members are invalid
 */
struct ilk_cpu_clock {
	__s64 offset;
	__u64 error;
	__u32 rounds;
	__u32 pad;
};

/*
 * Argument of CLOCKS. With @count set to INFO's nr_cpus, CLOCKS compares each online CPU in turn
 * with the CPU that runs the call: the @reference, whose own offset is 0. Each CPU answers with
 * interrupts off, for at most 40 us at a time, at most 64 times, and for at most 0.25 s in total;
 * no CPU is asked after the first second.
 */
struct ilk_clocks {
	__u32 count;		/* in: nr_cpus, or 0 for @pair alone */
	__u32 reference;	/* out: number of the reference CPU */
	__u64 cpus;		/* out: struct ilk_cpu_clock[count] */
	struct ilk_timestamp_pair pair;	/* out: clock and counter, read on the reference CPU */
};

/* ---- measuring the cost of code -------------------------------------------- */

#define ILK_MEASURE_CALLS_MAX	64
#define ILK_MEASURE_COUNT_MAX	1024

/*
 * The code of an ILK_PATCH_CALIBRATION, a calibration stub, is called and returns;
 * it may use all registers but the stack pointer. It starts with ENDBR64 (f3 0f
 * 1e fa). If @aux is set, an int3 follows the ENDBR64, and its handler continues at offset @aux
 * of the slot, as it does for the trap of a hook. The patch stays PREPARED until it is freed or
 * its file is closed: ARM and DISARM of all patches ignore it, and STATUS does not list it.
 * Samples of its hooks with ILK_HOOK_SAMPLES are discarded: they neither fill a ring nor need a
 * claim.
 */

/*
 * Result of one pair of series of calls: the duration in ticks of the calls of the patch, and of
 * the same number of calls of the patch to compare with (the base) directly after them.
 */
struct ilk_measure_result {
	__u32 ticks;
	__u32 base;
};

/*
 * Argument of MEASURE, which calls a patch several times in a row (a series), then the patch to
 * compare with (the base). Interrupts are off during both series of a pair, and on between two
 * pairs. Returns -EINVAL if a patch is not a calibration stub.
 */
struct ilk_measure {
	__u32 patch, base;	/* ids of two patches of this file, or the same id twice */
	__u32 calls;		/* number of calls per series, 1..ILK_MEASURE_CALLS_MAX */
	__u32 count;		/* number of pairs of series, 1..ILK_MEASURE_COUNT_MAX */
	__u64 out;		/* struct ilk_measure_result[count] */
};

/* ---- intervals: hooks switched off and on ---------------------------------------- */

#define ILK_INTERVALS_MAX		65536
#define ILK_INTERVAL_MIN_NS	1000000

/*
 * Argument of INTERVALS. The intervals start at run time zero, which the first ARM sets, and each
 * takes @period_ns. At the start of interval i, the gate of hook @iid (the byte that switches a
 * hook on and off) is opened if @on[i] is 1, else closed; after the last interval the gate stays
 * open. The hook belongs to this file and is bound to no patch: code of any number of other hooks
 * checks its gate, so that writing one byte switches all of them at once. Intervals must be set
 * before ARM sets time zero, else -EBUSY; DISARM of all patches ends them. A @count of 0 cancels
 * them.
 */
struct ilk_intervals {
	__u32 iid;
	__u32 count;		/* number of intervals, up to ILK_INTERVALS_MAX */
	__u64 period_ns;	/* length of an interval, at least ILK_INTERVAL_MIN_NS */
	__u64 on;		/* __u8[count]: 1: the gate is open in the interval, 0: closed */
};

/*
 * Argument of INTERVAL_TIMES, which returns the start times, on CLOCK_MONOTONIC, of all intervals
 * that have started, followed by the end of the last interval.
 */
struct ilk_interval_times {
	__u32 capacity;		/* in: number of items that @at can hold */
	__u32 count;		/* out: number of recorded times, which may exceed @capacity */
	__u64 at;		/* out: __u64[] */
};

ILK_ASSERT_SIZE(struct ilk_intervals, 24);
ILK_ASSERT_SIZE(struct ilk_interval_times, 16);
ILK_ASSERT_SIZE(struct ilk_measure_result, 8);
ILK_ASSERT_SIZE(struct ilk_measure, 24);
ILK_ASSERT_SIZE(struct ilk_timestamp_pair, 24);
ILK_ASSERT_SIZE(struct ilk_cpu_clock, 24);
ILK_ASSERT_SIZE(struct ilk_clocks, 40);

#endif /* ILK_ABI_TIME_H */

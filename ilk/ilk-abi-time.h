/* SPDX-License-Identifier: (GPL-2.0-or-later WITH Linux-syscall-note) */
/*
 * ilk-abi-time.h - what /dev/ilk tells of time
 *
 * A part of ilk-abi.h, which includes it; nobody else does.
 */
#ifndef ILK_ABI_TIME_H
#define ILK_ABI_TIME_H

#include <linux/types.h>

#define ILK_ASSERT_SIZE(type, bytes) \
	_Static_assert(sizeof(type) == (bytes), #type " changed size")
#define ILK_ASSERT_OFFSET(type, field, bytes) \
	_Static_assert(__builtin_offsetof(type, field) == (bytes), #type "." #field " moved")

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
 * the slot, the way the trap of a hook does. It stays PREPARED: ARM leaves it alone.
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

ILK_ASSERT_SIZE(struct ilk_measured, 8);
ILK_ASSERT_SIZE(struct ilk_measure, 24);
ILK_ASSERT_SIZE(struct ilk_clock_reading, 24);
ILK_ASSERT_SIZE(struct ilk_cpu_clock, 24);
ILK_ASSERT_SIZE(struct ilk_clocks, 40);

#endif /* ILK_ABI_TIME_H */

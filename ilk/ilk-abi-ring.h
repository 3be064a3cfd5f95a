/* SPDX-License-Identifier: (GPL-2.0-or-later WITH Linux-syscall-note) */
/*
 * ilk-abi-ring.h - samples, and the rings of /dev/ilk that carry them
 *
 * Part of ilk-abi.h; never included on its own.
 */
#ifndef ILK_ABI_RING_H
#define ILK_ABI_RING_H

#include <linux/types.h>

#include "ilk-abi-assert.h"

/*
 * One ring per CPU, mapped read-only at offset cpu * ring_bytes. A client becomes the only reader
 * of the rings by a claim. A ring exists only if its CPU has been online since the claim. While its
 * head has not moved, the ring may not exist, and touching it may raise SIGBUS. A ring is an array
 * of 32-byte cells. A record takes one cell, or up to five in a row (indices wrap); the first cell
 * is a struct ilk_record.
 *
 * Positions are byte counts that never wrap or restart while the driver is
 * loaded. The head starts at 1 and grows by 32 per cell, so it is odd and never
 * 0; a record's @commit is the head at which the record was reserved, and is stored last. The
 * cell of head h is at (h & (ring_bytes - 32)).
 *
 * Producer, on its own CPU with preemption off, any context, no lock prefix:
 *   1. head >= limit: the ring is full. Add 1 to the lost counters of the hook and
 *      of the CPU; done.
 *   2. h = xadd(head, 32 * cells)         reserves; nested contexts reserve the next cells
 *   3. fill tsc, iid, len, data
 *   4. commit = h                          x86 keeps store order
 * Nested contexts may also reserve between 1 and 2; the limit keeps
 * ILK_RING_MARGIN cells for them.
 *
 * Consumer: tail t starts at the value of the head at the time of the claim.
 * The record at t is complete when cell(t).commit == t; copy it, advance to t +
 * 32 * cells(len), and pass the new tails to the driver with CONSUME. When no hook is active
 * and all records were consumed, head == tail on every CPU, and produced = stored + lost.
 *
 * While a ring is full its head does not move, and only the reader moves the
 * limit: so all samples that a CPU loses are missing at one position, which
 * CONSUME reports; read() returns a gap record there.
 *
 * From FREEZE until the next claim, all samples are lost.
 */
#define ILK_CELL		32
#define ILK_SAMPLE_MAX		136	/* maximum payload: 8 bytes in the first cell, 32 bytes
					 * in each of 4 more cells */
#define ILK_RING_MARGIN		256	/* cells */
#define ILK_RING_BYTES_MIN		65536	/* minimum size of one CPU's ring */
#define ILK_WINDOW_NS_MAX	3600000000000ULL	/* maximum of @window_ns: one hour */

struct ilk_record {
	__u64 commit;
	__u64 tsc;
	__u32 iid;
	__u32 len;		/* size of the payload, 0..ILK_SAMPLE_MAX */
	__u8 data[8];		/* first bytes of the payload; the next cells have the remaining
				 * bytes */
};

#define ILK_RECORD_CELLS(len)	(1 + ((len) > 8 ? ((len) - 8 + ILK_CELL - 1) / ILK_CELL : 0))

/*
 * Hook id (iid) of a gap record, which stands where samples of this CPU are missing. @tsc of the
 * record is the time at which read() returned it.
 */
#define ILK_IID_GAP		0

struct ilk_lost {
	__u64 lost;		/* number of missing samples */
	__u64 since;		/* TSC of the last record before the gap; 0: none */
};

/*
 * The rings of ILK_RING_STOP and ILK_RING_OVERWRITE can be read only after they were frozen.
 * The driver overwrites whole committed records, in order, so that no record is torn. It counts
 * the overwritten records as lost, and reports them as a gap before the first remaining record.
 */
enum ilk_ring_mode {
	ILK_RING_DROP		= 0,	/* new samples are lost while a ring is full */
	ILK_RING_STOP		= 1,	/* rings are filled only once; all later samples are lost */
	ILK_RING_OVERWRITE	= 2,	/* overwrites the oldest records; also drops records
					 * older than @window_ns */
};

struct ilk_claim {
	__u64 bytes;		/* in: size of one CPU's ring, a power of two; 0: default */
				/* out: actual size */
	__u64 window_ns;	/* with ILK_RING_OVERWRITE: age limit of records; 0: no limit */
	__u32 mode;		/* enum ilk_ring_mode */
	__u32 pad;
};

/*
 * A gap in a CPU's samples: samples are missing between the record before @from and the record at
 * @at. @from and @at are equal unless several gaps were merged for a slow reader. A reader that has
 * reached @at must call CONSUME again before it continues, to learn about the next gap.
 */
struct ilk_gap {
	__u64 from;
	__u64 at;
	__u64 lost;		/* number of samples lost up to @at; if it is the same as in the
				 * last answer, no gap was added */
};

#define ILK_RINGS_FROZEN	1U	/* flag of @state: recording has stopped */

/*
 * Argument of CONSUME, which moves the tails: the positions up to which the reader has read the
 * rings. A tail of 0 leaves the CPU's tail unchanged. On return @tails has the current tails: a new
 * reader passes zeros to get them, because only the first claim after the driver was loaded starts
 * at 1. A reader of overwritten rings passes zeros, too. Returns -EINVAL, and moves no tail, in two
 * cases: a tail is not the start of a cell between the old tail and the head; or a tail would move,
 * the mode requires frozen rings, and the rings are not frozen.
 */
struct ilk_consume {
	__u32 count;		/* = nr_cpus */
	__u32 state;		/* in: 0; out: ILK_RINGS_* */
	__u64 tails;		/* in, out: __u64[count], one tail per CPU */
	__u64 heads;		/* out: __u64[count], heads before the tails moved */
	__u64 gaps;		/* out: struct ilk_gap[count]; 0: not requested */
};

/*
 * The rings have one reader at a time, which has claimed them. read() claims the rings if they are
 * free; mmap() requires that the caller has claimed them. read() returns whole records, with
 * contiguous cells and the CPU's number in @commit; its buffer must have room for the largest
 * record. Rings are empty at the claim. A release, by RING_RELEASE or close(), counts the records
 * left in them as lost, each by its hook and on its CPU. A claim fails with -ENOMEM if memory is
 * short, and with -EINVAL if its arguments are invalid.
 */

ILK_ASSERT_SIZE(struct ilk_record, 32);
ILK_ASSERT_SIZE(struct ilk_lost, 16);
ILK_ASSERT_SIZE(struct ilk_claim, 24);
ILK_ASSERT_SIZE(struct ilk_gap, 24);
ILK_ASSERT_SIZE(struct ilk_consume, 32);

#endif /* ILK_ABI_RING_H */

/* SPDX-License-Identifier: (GPL-2.0-or-later WITH Linux-syscall-note) */
/*
 * ilk-abi-ring.h - samples, and the rings of /dev/ilk that they come through
 *
 * A part of ilk-abi.h, which includes it; nobody else does.
 */
#ifndef ILK_ABI_RING_H
#define ILK_ABI_RING_H

#include <linux/types.h>

#include "ilk-abi-assert.h"

/*
 * One ring per CPU, mapped read-only at offset cpu * ring_bytes. It exists once the CPU
 * has been online under this reader: before its head moves, touching it is SIGBUS.
 * A ring is an array of 32-byte cells. A record takes one cell, or up to five
 * in a row (indices wrap); the first is a struct ilk_record.
 *
 * Positions are byte counts that never wrap nor restart while the driver is loaded. The head
 * starts at 1 and grows by 32 a cell, so it is odd and never 0; a record's @commit is the head
 * value that reserved it, stored last. The cell of head h is at (h & (ring_bytes - 32)).
 *
 * Producer, on its own CPU with preemption off, any context, no lock prefix:
 *   1. head >= limit: full. add 1 to the hook's lost counter and to the CPU's; done.
 *   2. h = xadd(head, 32 * cells)         reserves; nested contexts reserve behind
 *   3. fill tsc, iid, len, data
 *   4. commit = h                          x86 keeps store order
 * Between 1 and 2 nested contexts may reserve too; the limit keeps ILK_RING_MARGIN cells for them.
 *
 * Consumer: at tail t, which starts at the head there was at the claim, the record is there when
 * cell(t).commit == t; copy it, go to t + 32 * cells(len); tell the driver the new tails.
 * When all is quiet, head == tail on every CPU: produced = stored + lost.
 *
 * While a ring is full its head stands still, and only the reader moves the limit: so what
 * a CPU loses is missing at one position, which CONSUME tells; read() has a record there instead.
 *
 * FREEZE: nothing comes in any more, all is lost from then on, until the next claim.
 */
#define ILK_CELL		32
#define ILK_SAMPLE_MAX		136	/* payload bytes: 8 in the first cell, 32 in each of 4 more */
#define ILK_RING_MARGIN		256	/* cells */
#define ILK_RING_LEAST		65536	/* bytes of one CPU's ring */

struct ilk_record {
	__u64 commit;
	__u64 tsc;
	__u32 iid;
	__u32 len;		/* payload bytes, 0..ILK_SAMPLE_MAX */
	__u8 data[8];		/* first payload bytes; the others fill the next cells */
};

#define ILK_RECORD_CELLS(len)	(1 + ((len) > 8 ? ((len) - 8 + ILK_CELL - 1) / ILK_CELL : 0))

/* No hook's: samples of any hook of this CPU are missing here. @tsc is of when it was read. */
#define ILK_IID_GAP		0

struct ilk_lost {
	__u64 lost;		/* how many */
	__u64 since;		/* TSC of the last record before; 0: there was none */
};

/*
 * Of the second and third only frozen ones can be read. What the driver gives up (whole committed
 * records, in order, so none is torn) is counted as lost, and missing at the first tail.
 */
enum ilk_ring_mode {
	ILK_RING_DROP		= 0,	/* what is new is lost while a ring is full */
	ILK_RING_STOP		= 1,	/* and from then on: they are filled once */
	ILK_RING_OVERWRITE	= 2,	/* the oldest are given up, and those beyond a window */
};

struct ilk_claim {
	__u64 bytes;		/* of one CPU's ring, a power of two up to INFO's ring_most, or 0; */
				/* out: what it is */
	__u64 window_ns;	/* OVERWRITE: older records are given up; 0: for room only */
	__u32 mode;		/* enum ilk_ring_mode */
	__u32 pad;
};

/*
 * Samples are missing between the record before @from and that at @at: equal, but where gaps were
 * made one for a slow reader. Who has got to @at asks again before he goes on, for the next.
 */
struct ilk_gap {
	__u64 from;
	__u64 at;
	__u64 lost;		/* up to there in all; none if the reader has told of as many */
};

#define ILK_RINGS_FROZEN	1U	/* of @state */

/*
 * A tail of 0 moves nothing. Tails are set to where they are then: a new reader
 * asks with zeros, for nothing but the driver's first claim begins at 1; so does one of rings that
 * were overwritten. A tail that is not the begin of a cell between the old tail and the head, or
 * that would move where only frozen rings are read, is -EINVAL, and none moves.
 */
struct ilk_consume {
	__u32 count;		/* = nr_cpus */
	__u32 state;		/* in: 0; out */
	__u64 tails;		/* in, out: __u64[count] */
	__u64 heads;		/* out: __u64[count], as before the tails were moved */
	__u64 gaps;		/* out: struct ilk_gap[count]; 0: not wanted */
};

/*
 * One reader at a time: read() takes the claim if it is free, mmap() needs it. read()
 * returns whole records, cells in a row, with the CPU's number in @commit; its
 * buffer must hold the largest. Rings are empty at the claim. A release, by
 * RING_RELEASE or close(), counts what is left in them as lost, by hook and CPU.
 * A claim for which memory is short is -ENOMEM, one that wishes for what it may not -EINVAL.
 */

ILK_ASSERT_SIZE(struct ilk_record, 32);
ILK_ASSERT_SIZE(struct ilk_lost, 16);
ILK_ASSERT_SIZE(struct ilk_claim, 24);
ILK_ASSERT_SIZE(struct ilk_gap, 24);
ILK_ASSERT_SIZE(struct ilk_consume, 32);

#endif /* ILK_ABI_RING_H */

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ilk-ring-reader.h - the claim on the rings, and the reader's side of each ring
 *
 * Protected by ilk_reader_mutex. ilk-reader.c handles claims and their end, ilk-drain.c reads.
 * In the following order, each file uses only earlier ones: ilk-ring.c, ilk-recorder.c,
 * ilk-reader.c, ilk-drain.c.
 */
#ifndef ILK_RING_READER_H
#define ILK_RING_READER_H

#include <linux/mutex.h>
#include <linux/types.h>

#include "ilk-abi.h"
#include "ilk-ring-cpu.h"

struct ilk_client;

/*
 * Maximum number of gaps (places where samples are missing) per ring: equals the number of times
 * that the tail moves while an agent reads a full ring in frames of up to 1 MiB.
 */
#define ILK_GAPS_MAX	64

/**
 * struct ilk_drain - the reader's side of a CPU's ring
 * @area: memory of the ring, of size ilk_rings.bytes; NULL: the rings are not claimed, or the CPU
 *     has not been online since the claim
 * @tail: end of the records that the reader has consumed; if the CPU has no ring,
 *     equal to the head. While the recorder runs, only the recorder moves the tail
 * @lost_before: number of the CPU's lost samples that are not reported to this reader
 * @overwritten: number of records that the recorder (see ilk-recorder.c) has overwritten
 * @gaps: circular list of the gaps that the reader has not passed, see struct
 *     ilk_gap
 * @first: index of the first gap
 * @n_gaps: number of gaps
 * @passed_lost: number of samples missing at gaps (places where samples were lost) that the reader
 *     has passed
 * @since: TSC of the last record that read() returned
 * @from: TSC of the last record that read() returned before the start of the first gap
 * @reported: number of missing samples that were reported to the reader
 * @from_known: @from is set
 */
struct ilk_drain {
	u8 *area;
	u64 tail;
	u64 lost_before;
	u64 overwritten;
	struct ilk_gap gaps[ILK_GAPS_MAX];
	u32 first, n_gaps;
	u64 passed_lost;
	u64 since, from, reported;
	bool from_known;
};

/**
 * struct ilk_rings - the rings of all CPUs, and the claim by which a client becomes their only
 * reader
 * @bytes: size of one CPU's ring; without a claim the default
 * @mode: @mode of struct ilk_claim
 * @window_ns: @window_ns of struct ilk_claim
 * @frozen: the rings are frozen: limits stay 0
 * @halted: a hook's code has set the limits of all rings to 0, so that no more samples are stored;
 *     a producer that saw room before may still store its record
 * @reader: client that has claimed the rings; NULL: none
 * @pid: process that has claimed the rings; 0: none
 * @drains: indexed by CPU
 */
struct ilk_rings {
	u64 bytes;
	u32 mode;
	u64 window_ns;
	bool frozen, halted;
	struct ilk_client *reader;
	pid_t pid;
	struct ilk_drain *drains;
};

extern struct ilk_rings ilk_rings;

/*
 * Protects ilk_rings, which has the state of the reader. Taken with cpus_read_lock() held, and in
 * page faults with the mmap_lock held. So code that holds this mutex must neither fault on user
 * memory nor wait for ilk_mutex or the CPU hotplug lock: a task may hold one of these when it takes
 * its mmap_lock.
 */
extern struct mutex ilk_reader_mutex;

static inline struct ilk_record *ilk_ring_cell(int cpu, u64 at)
{
	return (struct ilk_record *)(ilk_rings.drains[cpu].area + (at & (ilk_rings.bytes - ILK_CELL)));
}

/*
 * Returns whether the record at @tail is complete. Pairs with a producer's
 * store of commit.
 */
static inline bool ilk_ring_has_record(int cpu, u64 tail)
{
	return ilk_rings.drains[cpu].area && tail != ilk_ring_head(cpu) &&
	       smp_load_acquire(&ilk_ring_cell(cpu, tail)->commit) == tail;
}

static inline u64 ilk_record_bytes(const struct ilk_record *record)
{
	return ILK_RECORD_CELLS(min_t(u32, READ_ONCE(record->len), ILK_SAMPLE_MAX)) * ILK_CELL;
}

#endif /* ILK_RING_READER_H */

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ilk-ring.h - what the files of the rings share
 *
 * ilk-ring.c has the producers, ilk-recorder.c makes room where nobody reads, ilk-reader.c
 * has claims and what they end with, ilk-drain.c what a reader does. Each sees those before it.
 */
#ifndef ILK_RING_H
#define ILK_RING_H

#include <linux/percpu.h>
#include <linux/mutex.h>

#include "ilk-internal.h"

/**
 * struct ilk_ring - per CPU; reached by emitted code through %gs
 * @head: position of the next cell; producers of this CPU only
 * @limit: first head that may not be reserved; whoever moves the tail
 * @base, @mask: change only while @limit is 0 and nobody who saw another is left
 * @guard: preempt count of the running instrument's context, 1 while there is none
 * @lost: samples that found no room; producers of this CPU only
 */
struct ilk_ring {
	u64 head;
	u64 limit;
	u64 base;
	u64 mask;
	u64 lost;
	u64 guard;
};

/* So many tails are moved between filling a ring and reading what was in it, by an agent whose frames are of 1 MiB at most. */
#define ILK_GAPS	64

/* Of a ring that stands in for a CPU's own while code is measured; see ilk_ring_divert(). */
#define ILK_RING_STAND_IN	(4 * ILK_RING_LEAST)

/**
 * struct ilk_drain - the reader's side of a ring, by CPU
 * @area: ilk_rings.bytes; NULL: the CPU has not been online since the claim, or none is
 * @tail: what the reader has not told to be read; the head if there is no ring. While the
 *        recorder works it is the recorder's
 * @lost_before: of the CPU's lost samples, those that this reader is not told of
 * @given_up: by the recorder
 * @gaps: ring of those that the reader has not left behind, see struct ilk_gap; @first, @n_gaps: which
 * @left: samples missing at gaps that it has left behind
 * @since: TSC of the last record that read() took
 * @from: the same, when it came to the gap's @from; @from_known: it has
 * @told: samples that the reader was told to be missing
 */
struct ilk_drain {
	u8 *area;
	u64 tail;
	u64 lost_before;
	u64 given_up;
	struct ilk_gap gaps[ILK_GAPS];
	u32 first, n_gaps;
	u64 left;
	u64 since, from, told;
	bool from_known;
};

/**
 * struct ilk_rings - the claim
 * @bytes: of one CPU's ring; if there is none, of those that a claim gets by default
 * @mode, @window_ns: of struct ilk_claim
 * @pid: of the process whose claim it is; 0: there is none
 * @frozen: limits stay 0
 * @halted: by the code of a hook: likewise, but who had seen room may still store its record
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

DECLARE_PER_CPU(struct ilk_ring, ilk_ring);
extern struct ilk_rings ilk_rings;

/*
 * The reader and its drains; taken inside cpus_read_lock(), and under the mmap_lock by a
 * fault: so nothing may fault on user memory while it is held, nor wait for ilk_mutex or
 * for the lock on CPU hotplug, under which tasks' memory may be locked.
 */
extern struct mutex ilk_reader_mutex;

static inline u64 ilk_ring_head(int cpu)
{
	return READ_ONCE(per_cpu(ilk_ring, cpu).head);
}

static inline struct ilk_record *ilk_ring_cell(int cpu, u64 at)
{
	return (struct ilk_record *)(ilk_rings.drains[cpu].area + (at & (ilk_rings.bytes - ILK_CELL)));
}

/* Is the record there whole? Pairs with the commit of a producer. */
static inline bool ilk_ring_is_there(int cpu, u64 tail)
{
	return ilk_rings.drains[cpu].area && tail != ilk_ring_head(cpu) &&
	       smp_load_acquire(&ilk_ring_cell(cpu, tail)->commit) == tail;
}

static inline u64 ilk_record_bytes(const struct ilk_record *record)
{
	return ILK_RECORD_CELLS(min_t(u32, READ_ONCE(record->len), ILK_SAMPLE_MAX)) * ILK_CELL;
}

/* ---- ilk-ring.c ---- */

extern wait_queue_head_t ilk_readers;
void ilk_ring_set_tail(int cpu, u64 tail);
void ilk_ring_halt(void);
void ilk_ring_divert(struct ilk_ring *own, u8 *area, u64 at, const struct ilk_patch *patch);
void ilk_ring_rejoin(const struct ilk_ring *own, u8 *area, u64 at, const struct ilk_patch *patch);
void ilk_ring_start_waiting(void);
int ilk_ring_wake_init(void);
void ilk_ring_wake_exit(void);
bool ilk_ring_has_data(void);

/* ---- ilk-recorder.c ---- */

bool ilk_record_give_up(int cpu, u64 tail);
int ilk_recorder_init(void);
void ilk_recorder_exit(void);
void ilk_recorder_start(void);
void ilk_recorder_start_here(void);
void ilk_recorder_stop(void);

#endif /* ILK_RING_H */

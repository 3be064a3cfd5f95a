/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ilk-ring.h - shared by the files of the rings
 *
 * ilk-ring.c has the producers, ilk-recorder.c frees room in overwritten rings,
 * ilk-reader.c handles claims and their end, ilk-drain.c is the reader's side.
 * Each uses only those named before it.
 */
#ifndef ILK_RING_H
#define ILK_RING_H

#include <linux/percpu.h>
#include <linux/mutex.h>

#include "ilk-internal.h"

/**
 * struct ilk_ring - per CPU; reached by emitted code through %gs
 * @head: position of the next cell; written by producers of this CPU only
 * @limit: first head that must not be reserved; written by whatever moves the
 *     tail
 * @base: address of cell 0
 * @mask: position & mask is the offset from @base. Both change only while
 *     @limit is 0 and no producer that saw another value is left
 * @lost: samples that found no room; written by producers of this CPU only
 * @guard: preempt count of the running instrument's context; 1: none runs
 */
struct ilk_ring {
	u64 head;
	u64 limit;
	u64 base;
	u64 mask;
	u64 lost;
	u64 guard;
};

/*
 * Tails moved between filling a ring and reading its contents, at most, by an
 * agent whose frames are up to 1 MiB.
 */
#define ILK_GAPS_MAX	64

/*
 * Bytes of the substitute for a CPU's ring while code is measured; see
 * ilk_ring_divert().
 */
#define ILK_RING_SUBSTITUTE_BYTES	(4 * ILK_RING_BYTES_MIN)

/**
 * struct ilk_drain - the reader's side of a ring, by CPU
 * @area: ilk_rings.bytes; NULL: the CPU has not been online since the claim, or
 *     there is no claim
 * @tail: end of what the reader has consumed; equals the head if there is no
 *     ring. The recorder owns it while it runs
 * @lost_before: the CPU's lost samples that are not reported to this reader
 * @given_up: samples that the recorder has overwritten
 * @gaps: circular list of the gaps that the reader has not passed, see struct
 *     ilk_gap
 * @first: index of the first gap
 * @n_gaps: number of gaps
 * @left: samples missing at gaps that it has passed
 * @since: TSC of the last record that read() returned
 * @from: the same, when read() reached the gap's @from
 * @told: missing samples that were reported to the reader
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
 * struct ilk_rings - the claim
 * @bytes: of one CPU's ring; without a claim the default size
 * @mode: of struct ilk_claim
 * @window_ns: of struct ilk_claim
 * @frozen: limits stay 0
 * @halted: limits stay 0 by a hook's code; a producer that had seen room may
 *     still store its record
 * @reader: client that has claimed the rings; NULL: none
 * @pid: of the process that has claimed them; 0: none
 * @drains: by CPU
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
 * Protects the reader and its drains. Taken inside cpus_read_lock(), and by a
 * page fault under the mmap_lock: so code that holds it must not fault on user
 * memory, nor wait for ilk_mutex or for the CPU hotplug lock, under which a
 * task's mmap_lock may be taken.
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

/*
 * Returns whether the record at @tail is complete. Pairs with a producer's
 * commit.
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

/* ---- ilk-ring.c ---- */

extern wait_queue_head_t ilk_readers;
void ilk_ring_set_tail(int cpu, u64 tail);
void ilk_ring_halt(void);
void ilk_ring_divert(struct ilk_ring *own, u8 *area, u64 at, const struct ilk_patch *patch);
void ilk_ring_undivert(const struct ilk_ring *own, u8 *area, u64 at, const struct ilk_patch *patch);
void ilk_ring_start_waiting(void);
int ilk_ring_wake_init(void);
void ilk_ring_wake_exit(void);
bool ilk_ring_has_data(void);

/* ---- ilk-recorder.c ---- */

bool ilk_record_drop(int cpu, u64 tail);
int ilk_recorder_init(void);
void ilk_recorder_exit(void);
void ilk_recorder_start(void);
void ilk_recorder_start_here(void);
void ilk_recorder_stop(void);

#endif /* ILK_RING_H */

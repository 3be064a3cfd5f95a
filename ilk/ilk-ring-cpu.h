/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ilk-ring-cpu.h - a CPU's ring, as used by the files of the rings and by code that runs at a hit
 *
 * Producers write without a lock, each on its own CPU; struct ilk_ring documents who writes which
 * member. ilk-ring.c has the producers, ilk-recorder.c frees room in overwritten rings.
 */
#ifndef ILK_RING_CPU_H
#define ILK_RING_CPU_H

#include <linux/percpu.h>
#include <linux/types.h>
#include <linux/wait.h>

struct ilk_patch;

/**
 * struct ilk_ring - a CPU's ring of samples; the code of hooks reaches this struct through %gs
 * @head: position of the next cell to write; written by producers of this CPU only
 * @limit: the ring is full when @head is at this position or above; written by the code that moves
 *     the tail
 * @base: address of cell 0
 * @mask: position & mask is the offset from @base. @base and @mask change only while @limit is
 *     0 and no producer that saw another @limit is still writing
 * @lost: number of samples lost because the ring was full; written by producers of this CPU only
 * @guard: preempt count of the running instrument's context; 1: no instrument runs
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
 * Size of the substitute for a CPU's ring while code is measured; see
 * ilk_ring_divert().
 */
#define ILK_RING_SUBSTITUTE_BYTES	(4 * ILK_RING_BYTES_MIN)

DECLARE_PER_CPU(struct ilk_ring, ilk_ring);

static inline u64 ilk_ring_head(int cpu)
{
	return READ_ONCE(per_cpu(ilk_ring, cpu).head);
}

/* ---- ilk-ring.c: producers of samples ---- */

extern wait_queue_head_t ilk_readers;
void ilk_ring_set_tail(int cpu, u64 tail);
void ilk_ring_halt(void);
void ilk_ring_divert(struct ilk_ring *own, u8 *area, u64 at, const struct ilk_patch *patch);
void ilk_ring_undivert(const struct ilk_ring *own, u8 *area, u64 at, const struct ilk_patch *patch);
void ilk_ring_start_waiting(void);
int ilk_ring_wake_init(void);
void ilk_ring_wake_exit(void);
bool ilk_ring_has_data(void);

/* ---- ilk-recorder.c: overwriting the oldest records ---- */

bool ilk_record_drop(int cpu, u64 tail);
int ilk_recorder_init(void);
void ilk_recorder_exit(void);
void ilk_recorder_start(void);
void ilk_recorder_start_here(void);
void ilk_recorder_stop(void);

#endif /* ILK_RING_CPU_H */

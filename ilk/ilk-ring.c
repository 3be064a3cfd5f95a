// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-ring.c - per-CPU sample rings: the producers
 *
 * The layout and both protocols are in ilk-abi-ring.h. Producers are emitted
 * code and ilk_sample(), on their own CPU with preemption off, in any context;
 * they share only @limit, written by the code that moves the tail, and
 * @head, which others only read.
 *
 * Emitted code cannot wake a reader, so a waiting reader polls every 10 ms.
 * ilk_sample() wakes it early, through irq_work, when a ring is a quarter full.
 */
#include <linux/irq_work.h>
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/smp.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include <asm/msr.h>

#include "ilk-hook.h"
#include "ilk-patch.h"
#include "ilk-ring-cpu.h"
#include "ilk-ring-reader.h"
#include "ilk.h"

#define POLL_DELAY	msecs_to_jiffies(10)

DEFINE_PER_CPU(struct ilk_ring, ilk_ring) __aligned(64) = { .head = 1, .guard = 1 };
struct ilk_rings ilk_rings;
DEFINE_MUTEX(ilk_reader_mutex);
DECLARE_WAIT_QUEUE_HEAD(ilk_readers);

static bool waiting;
static struct irq_work *wake_works;	/* indexed by CPU; modules get little static per-CPU data */

static void poll_readers(struct work_struct *work);
static DECLARE_DELAYED_WORK(poll_work, poll_readers);

/* ---- storing a sample -------------------------------------------------------- */

/*
 * Copies word by word: the duration of the kernel's memcpy() depends on the
 * alignment of both blocks, so the cost of a hit would differ from the measured cost.
 * WRITE_ONCE() keeps the compiler from turning the loop into a call of
 * memcpy().
 */
static __always_inline void copy_words(void *to, const void *from, u32 bytes)
{
	u32 at = 0;

	for (; at + sizeof(u64) <= bytes; at += sizeof(u64))
		WRITE_ONCE(*(u64 *)(to + at), *(const u64 *)(from + at));
	for (; at < bytes; at++)
		WRITE_ONCE(*(u8 *)(to + at), *(const u8 *)(from + at));
}

static __always_inline void fill_cells(u64 h, u32 iid, const u8 *data, u32 len)
{
	u64 base = this_cpu_read(ilk_ring.base), mask = this_cpu_read(ilk_ring.mask);
	struct ilk_record *record = (struct ilk_record *)(base + (h & mask));
	u32 done = min_t(u32, len, sizeof(record->data)), n;
	u64 at = h;

	record->tsc = rdtsc();
	record->iid = iid;
	record->len = len;
	copy_words(record->data, data, done);
	while (done < len) {
		at += ILK_CELL;
		n = min_t(u32, len - done, ILK_CELL);
		copy_words((void *)(base + (at & mask)), data + done, n);
		done += n;
	}
	/*
	 * Stored last: a reader that sees @commit sees the rest of the record, too. Pairs
	 * with ilk_ring_has_record().
	 */
	smp_store_release(&record->commit, h);
}

bool ilk_sample(u32 iid, const void *data, u32 len)
{
	struct ilk_hook *hook = ilk_hook_find(iid);
	u64 h, limit, bytes;

	if (!hook)
		return false;
	len = min_t(u32, len, ILK_SAMPLE_MAX);
	bytes = (u64)ILK_RECORD_CELLS(len) * ILK_CELL;
	limit = this_cpu_read(ilk_ring.limit);
	if (this_cpu_read(ilk_ring.head) >= limit) {
		this_cpu_inc(*hook->lost);
		this_cpu_inc(ilk_ring.lost);
		return false;
	}
	h = this_cpu_add_return(ilk_ring.head, bytes) - bytes;
	fill_cells(h, iid, data, len);
	if (READ_ONCE(waiting) && limit - h < this_cpu_read(ilk_ring.mask) / 4 * 3) {
		WRITE_ONCE(waiting, false);
		irq_work_queue(&wake_works[smp_processor_id()]);
	}
	return true;
}
EXPORT_SYMBOL_GPL(ilk_sample);
NOKPROBE_SYMBOL(ilk_sample);

u64 ilk_param(u32 iid, unsigned int i)
{
	struct ilk_hook *hook = ilk_hook_find(iid);

	return hook && i < ILK_PARAMS_MAX ? hook->params[i] : 0;
}
EXPORT_SYMBOL_GPL(ilk_param);
NOKPROBE_SYMBOL(ilk_param);

/* ---- free space in the rings -------------------------------------------------------- */

/**
 * ilk_ring_set_tail() - let producers overwrite all records before position @tail
 *
 * Context: ilk_reader_mutex held, or called by the recorder's timer on @cpu.
 */
void ilk_ring_set_tail(int cpu, u64 tail)
{
	struct ilk_rings *r = &ilk_rings;

	WRITE_ONCE(r->drains[cpu].tail, tail);
	if (r->frozen || READ_ONCE(r->halted))
		return;
	smp_store_release(&per_cpu(ilk_ring, cpu).limit, tail + r->bytes - ILK_RING_MARGIN * ILK_CELL);
	smp_mb();	/* pairs with ilk_ring_halt() */
	if (READ_ONCE(r->halted))
		WRITE_ONCE(per_cpu(ilk_ring, cpu).limit, 0);
}

/**
 * ilk_ring_halt() - accept no more samples until a reader claims the rings again
 *
 * The reader can still read the samples in the rings.
 * Context: any; preemption must have been off since the caller read @pid of ilk_rings.
 */
void ilk_ring_halt(void)
{
	int cpu;

	/*
	 * Already halted, as seen by this CPU: code that halts the rings at every
	 * hit must not write to other CPUs' cache lines again.
	 */
	if (READ_ONCE(ilk_rings.halted) && !this_cpu_read(ilk_ring.limit))
		return;
	WRITE_ONCE(ilk_rings.halted, true);
	smp_mb();	/* pairs with ilk_ring_set_tail() */
	for_each_possible_cpu(cpu)
		WRITE_ONCE(per_cpu(ilk_ring, cpu).limit, 0);
}
NOKPROBE_SYMBOL(ilk_ring_halt);

/* ---- samples of measured code --------------------------------------------------- */

/* Returns how many samples of the patch's hooks were lost on this CPU. */
static u64 count_lost(const struct ilk_patch *patch)
{
	const struct ilk_hook *hook;
	u64 lost = 0;

	list_for_each_entry(hook, &patch->hooks, patch_node)
		lost += this_cpu_read(*hook->lost);
	return lost;
}

/**
 * ilk_ring_divert() - send samples of this CPU to @area instead of its ring
 * @own: filled in for ilk_ring_undivert()
 * @area: ILK_RING_SUBSTITUTE_BYTES bytes
 * @at: position of the first sample, as in a ring's head
 * @patch: the measured patch
 *
 * A sample of measured code thus takes as long as a sample of a run, but uses no space in the
 * ring. Until ilk_ring_undivert(), limits are raised neither by a reader, which
 * needs the mutex, nor by the recorder, which needs an interrupt.
 *
 * Context: ilk_reader_mutex held; interrupts stay off until ilk_ring_undivert(),
 *     so that only NMIs can produce samples.
 */
void ilk_ring_divert(struct ilk_ring *own, u8 *area, u64 at, const struct ilk_patch *patch)
{
	struct ilk_ring *ring = this_cpu_ptr(&ilk_ring);

	own->limit = READ_ONCE(ring->limit);
	WRITE_ONCE(ring->limit, 0);	/* until the limit is raised again below, samples of NMIs
					 * are lost */
	own->head = READ_ONCE(ring->head);
	own->base = ring->base;
	own->mask = ring->mask;
	own->lost = count_lost(patch);
	WRITE_ONCE(ring->head, at);
	WRITE_ONCE(ring->base, (u64)area);
	WRITE_ONCE(ring->mask, ILK_RING_SUBSTITUTE_BYTES - ILK_CELL);
	WRITE_ONCE(ring->limit, at + ILK_RING_SUBSTITUTE_BYTES - ILK_RING_MARGIN * ILK_CELL);
}

/**
 * ilk_ring_undivert() - send samples of this CPU to its ring again
 *
 * Samples of other hooks, from NMIs, are counted as lost.
 */
void ilk_ring_undivert(const struct ilk_ring *own, u8 *area, u64 at, const struct ilk_patch *patch)
{
	struct ilk_ring *ring = this_cpu_ptr(&ilk_ring);
	const struct ilk_record *record;
	const struct ilk_hook *hook;
	u64 head;

	WRITE_ONCE(ring->limit, 0);
	head = READ_ONCE(ring->head);
	WRITE_ONCE(ring->base, own->base);
	WRITE_ONCE(ring->mask, own->mask);
	WRITE_ONCE(ring->head, own->head);
	WRITE_ONCE(ring->limit, own->limit);
	smp_mb();	/* pairs with ilk_ring_halt() */
	if (READ_ONCE(ilk_rings.halted))
		WRITE_ONCE(ring->limit, 0);
	this_cpu_sub(ilk_ring.lost, count_lost(patch) - own->lost);
	for (; at < head; at += ilk_record_bytes(record)) {
		record = (const struct ilk_record *)(area + (at & (ILK_RING_SUBSTITUTE_BYTES - ILK_CELL)));
		hook = ilk_hook_find(record->iid);
		if (hook && hook->patch == patch)
			continue;
		this_cpu_inc(ilk_ring.lost);
		if (hook)
			this_cpu_inc(*hook->lost);
	}
}

/* ---- waking readers that wait for samples ------------------------------------- */

/* Returns whether any ring may contain something to read. */
bool ilk_ring_has_data(void)
{
	const struct ilk_rings *r = &ilk_rings;
	int cpu;

	if (READ_ONCE(r->mode) != ILK_RING_DROP && !READ_ONCE(r->frozen))
		return false;
	for_each_possible_cpu(cpu)
		if (ilk_ring_head(cpu) != READ_ONCE(r->drains[cpu].tail))
			return true;
	return false;
}

static void on_wake(struct irq_work *work)
{
	wake_up_all(&ilk_readers);
}

static void poll_readers(struct work_struct *work)
{
	if (ilk_ring_has_data())
		wake_up_all(&ilk_readers);
	else if (waitqueue_active(&ilk_readers))
		schedule_delayed_work(&poll_work, POLL_DELAY);
}

void ilk_ring_start_waiting(void)
{
	WRITE_ONCE(waiting, true);
	schedule_delayed_work(&poll_work, POLL_DELAY);
}

int ilk_ring_wake_init(void)
{
	int cpu;

	wake_works = kvcalloc(nr_cpu_ids, sizeof(*wake_works), GFP_KERNEL);
	if (!wake_works)
		return -ENOMEM;
	for_each_possible_cpu(cpu)
		init_irq_work(&wake_works[cpu], on_wake);
	return 0;
}

/* Stops waking readers. Must be called at module exit, when no producer is left. */
void ilk_ring_wake_exit(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		irq_work_sync(&wake_works[cpu]);
	cancel_delayed_work_sync(&poll_work);
	kvfree(wake_works);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-reader.c - claim and release of the rings by their one reader
 *
 * Positions never restart, so a record of an old producer is never taken for a
 * new one:
 *
 *   no reader	@limit is 0 on every CPU, no rings exist, samples are lost
 *   claim	rings for the CPUs that are online are allocated; each starts at the head
 *		of its CPU. With ILK_RING_OVERWRITE the recorder starts
 *   hotplug	a CPU that comes online while there is a reader gets a ring; earlier
 *		samples are lost. If the CPU goes offline its ring stays, as it may
 *		contain unread samples
 *   freeze	1. the recorder stops
 *		2. @limit becomes 0 on every CPU, and stays 0
 *		3. an RCU grace period: a producer that saw room has stored its record
 *   release	1. to 3. as above
 *		4. records left in the rings are counted as lost, each by its hook and
 *		   on its CPU; tails become heads
 *		5. the rings are freed, except pages that are still mapped
 *
 * Each claim chooses the size of its rings; producers read it from @mask. @mask changes only
 * when no producer can be in the middle of a record: before @limit is raised for the first
 * time, and after step 3.
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/log2.h>
#include <linux/module.h>
#include <linux/mm.h>
#include <linux/smp.h>
#include <linux/vmalloc.h>

#include "ilk-client.h"
#include "ilk-driver.h"
#include "ilk-ring-cpu.h"
#include "ilk-ring-reader.h"
#include "ilk-ring.h"
#include "ilk-text.h"
#include "ilk.h"

#define BYTES_MAX	(64ULL << 20)	/* maximum size of one CPU's ring; must fit into the 32
					 * bits that the code of hooks uses for sizes */
#define DEFAULT_BYTES_MAX	(8ULL << 20)	/* maximum default size: 1/4 s at a million
						 * samples per second */
#define DEFAULT_SHARE	32		/* by default, the rings of all CPUs together take 1/32
					 * of memory */
#define MAX_SHARE	8
#define COUNT_AT_ONCE	256		/* maximum number of lost records that are counted
					 * without a break, with interrupts off */

static unsigned int ring_kib;
module_param(ring_kib, uint, 0444);
MODULE_PARM_DESC(ring_kib, "size of one CPU's sample ring in KiB where a reader does not choose, from 64 to 65536; 0: by memory");

static int hotplug_state = -1;

/*
 * Serialises claim, freeze and release of the rings. Taken before ilk_mutex, and held during a
 * grace period.
 */
static DEFINE_MUTEX(claim_mutex);

/* ---- sizes of rings ------------------------------------------------------- */

/*
 * Returns the size of one CPU's ring, a power of two, with which all rings
 * together take at most 1 / @share of memory.
 */
static u64 compute_share(u64 share)
{
	u64 bytes = ((u64)totalram_pages() << PAGE_SHIFT) / share / num_online_cpus();

	return rounddown_pow_of_two(clamp_t(u64, bytes, ILK_RING_BYTES_MIN, BYTES_MAX));
}

static u64 get_default_bytes(void)
{
	if (ring_kib)
		return roundup_pow_of_two(clamp(ring_kib, 64u, 65536u)) * 1024ULL;
	return min(compute_share(DEFAULT_SHARE), DEFAULT_BYTES_MAX);
}

static u64 get_max_bytes(void)
{
	return max(compute_share(MAX_SHARE), get_default_bytes());
}

static bool is_claim_sane(const struct ilk_claim *claim)
{
	if (claim->mode > ILK_RING_OVERWRITE || claim->pad || claim->window_ns > ILK_WINDOW_NS_MAX ||
	    (claim->window_ns && claim->mode != ILK_RING_OVERWRITE))
		return false;
	return !claim->bytes || (is_power_of_2(claim->bytes) && claim->bytes >= ILK_RING_BYTES_MIN &&
				 claim->bytes <= get_max_bytes());
}

/*
 * Returns whether rings for all CPUs fit into half of the available memory, so that they do not
 * wake the OOM killer.
 */
static bool is_memory_available(u64 bytes)
{
	return bytes * num_online_cpus() <= ((u64)si_mem_available() << PAGE_SHIFT) / 2;
}

/* ---- allocating, stopping and freeing rings --------------------------------------- */

/*
 * Allocates the ring of a CPU. Must be called with ilk_reader_mutex held, or before the CPU comes
 * online for the first time since a reader claimed the rings.
 */
static int open_ring(int cpu)
{
	struct ilk_drain *drain = &ilk_rings.drains[cpu];
	u8 *area = __vmalloc(ilk_rings.bytes, GFP_KERNEL_ACCOUNT | __GFP_ZERO | __GFP_NOWARN);

	if (!area)
		return -ENOMEM;
	WRITE_ONCE(per_cpu(ilk_ring, cpu).base, (u64)area);
	WRITE_ONCE(per_cpu(ilk_ring, cpu).mask, ilk_rings.bytes - ILK_CELL);
	ilk_ring_set_tail(cpu, ilk_ring_head(cpu));
	smp_store_release(&drain->area, area);
	return 0;
}

/* Frees the ring of a CPU. Must be called when no producer uses the ring. */
static void close_ring(int cpu)
{
	struct ilk_drain *drain = &ilk_rings.drains[cpu];

	drain->tail = ilk_ring_head(cpu);
	vfree(drain->area);
	drain->area = NULL;
}

/*
 * Sets the limits of the rings of all CPUs to 0, so that no more samples are stored. Must be called
 * with ilk_reader_mutex held and the recorder stopped.
 */
static void clear_limits(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		WRITE_ONCE(per_cpu(ilk_ring, cpu).limit, 0);
}

/*
 * Stops recording, and waits until no producer writes to the rings. Then the rings belong to @heir,
 * or, if @heir is NULL, to no client. Must be called with claim_mutex held.
 */
static void stop_producers(struct ilk_client *heir)
{
	ilk_recorder_stop();
	mutex_lock(&ilk_reader_mutex);
	WRITE_ONCE(ilk_rings.frozen, true);
	clear_limits();
	WRITE_ONCE(ilk_rings.reader, heir);
	WRITE_ONCE(ilk_rings.pid, heir ? heir->pid : 0);
	mutex_unlock(&ilk_reader_mutex);
	ilk_text_sync();	/* also waits for producers where RCU is not watching: they run
				 * with interrupts off */
	synchronize_rcu();
}

static void reset_drain(int cpu)
{
	struct ilk_drain *drain = &ilk_rings.drains[cpu];

	*drain = (struct ilk_drain) {
		.tail = ilk_ring_head(cpu),
		.lost_before = READ_ONCE(per_cpu(ilk_ring, cpu).lost),
	};
}

static int claim_locked(struct ilk_client *client, const struct ilk_claim *claim)
{
	int cpu, ret = 0;

	if (ilk_rings.reader)
		return -EBUSY;
	ilk_rings.bytes = claim->bytes ?: get_default_bytes();
	ilk_rings.mode = claim->mode;
	ilk_rings.window_ns = claim->window_ns;
	ilk_rings.frozen = ilk_rings.halted = false;
	for_each_possible_cpu(cpu)
		reset_drain(cpu);
	if (!is_memory_available(ilk_rings.bytes))
		ret = -ENOMEM;
	for_each_online_cpu(cpu)
		ret = ret ?: open_ring(cpu);
	if (ret)
		return ret;
	WRITE_ONCE(ilk_rings.reader, client);
	WRITE_ONCE(ilk_rings.pid, client->pid);
	if (claim->mode == ILK_RING_OVERWRITE)
		ilk_recorder_start();
	return 0;
}

/*
 * Counts records left in a ring as lost. Must run on the ring's CPU if it is
 * online: no other CPU may write the counters of that CPU.
 */
static void drop_left_records(void *arg)
{
	int cpu = *(int *)arg, n;
	u64 *tail = &ilk_rings.drains[cpu].tail;

	/* If a tail was set in the middle of a record, skip to the next one. */
	for (n = 0; n < COUNT_AT_ONCE && *tail < ilk_ring_head(cpu); n++)
		*tail += ilk_record_drop(cpu, *tail) ?
			 ilk_record_bytes(ilk_ring_cell(cpu, *tail)) : ILK_CELL;
}

/*
 * Counts the records left in all rings as lost. Must be called with cpus_read_lock() and ilk_mutex
 * held; ilk_mutex protects the hooks.
 */
static void drop_all_left_records(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		while (ilk_rings.drains[cpu].area && ilk_rings.drains[cpu].tail < ilk_ring_head(cpu)) {
			if (smp_call_function_single(cpu, drop_left_records, &cpu, 1)) {
				preempt_disable();	/* the ring's CPU is offline: run it here */
				drop_left_records(&cpu);
				preempt_enable();
			}
			cond_resched();
		}
}

/* Frees all rings. Must be called with claim_mutex held and no reader. */
static void close_rings(void)
{
	int cpu;

	stop_producers(NULL);

	ilk_lock();
	cpus_read_lock();
	drop_all_left_records();
	cpus_read_unlock();
	ilk_unlock();

	mutex_lock(&ilk_reader_mutex);
	for_each_possible_cpu(cpu)
		close_ring(cpu);
	mutex_unlock(&ilk_reader_mutex);
}

/* ---- calls of the reader: claim, freeze, release ------------------------------------- */

bool ilk_ring_is_claimed(void)
{
	return READ_ONCE(ilk_rings.reader) != NULL;
}

/**
 * ilk_ring_claim() - become the only reader of the samples that are produced from now on
 * @claim: @bytes is set to the actual size
 *
 * Return: 0, also if the client is the reader already, which changes nothing;
 *     -EBUSY another client is the reader; -EINTR; -EINVAL @claim is invalid; -ENOMEM.
 */
int ilk_ring_claim(struct ilk_client *client, struct ilk_claim *claim)
{
	int ret = 0;

	if (!is_claim_sane(claim))
		return -EINVAL;
	if (ilk_ring_is_claimed() && READ_ONCE(ilk_rings.reader) != client)
		return -EBUSY;
	if (mutex_lock_interruptible(&claim_mutex))
		return -EINTR;
	if (READ_ONCE(ilk_rings.reader) != client) {
		cpus_read_lock();
		mutex_lock(&ilk_reader_mutex);
		ret = claim_locked(client, claim);
		mutex_unlock(&ilk_reader_mutex);
		cpus_read_unlock();
		if (ret == -ENOMEM)
			close_rings();
	}
	claim->bytes = ilk_rings.bytes;
	mutex_unlock(&claim_mutex);
	return ret;
}

/**
 * ilk_ring_freeze() - stop recording; samples in the rings can then be read
 *
 * Return: 0, also if the rings are frozen already; -EACCES not the reader; -EINTR.
 */
int ilk_ring_freeze(struct ilk_client *client)
{
	int ret = 0;

	if (mutex_lock_interruptible(&claim_mutex))
		return -EINTR;
	if (READ_ONCE(ilk_rings.reader) != client)
		ret = -EACCES;
	else if (!ilk_rings.frozen)
		stop_producers(client);
	mutex_unlock(&claim_mutex);
	return ret;
}

/*
 * Ends the claim of the rings by their reader, and counts records that were not consumed as lost.
 * Must be called in process context, without a lock.
 */
void ilk_ring_release(struct ilk_client *client)
{
	if (READ_ONCE(ilk_rings.reader) != client)
		return;
	mutex_lock(&claim_mutex);
	if (READ_ONCE(ilk_rings.reader) == client)
		close_rings();
	mutex_unlock(&claim_mutex);
}

/*
 * Allocates the ring of a CPU that comes online; if that fails, the CPU's samples are
 * lost.
 */
static int cpu_online_fn(unsigned int cpu)
{
	mutex_lock(&ilk_reader_mutex);
	if (ilk_rings.reader && !ilk_rings.drains[cpu].area)
		open_ring(cpu);
	ilk_recorder_start_here();
	mutex_unlock(&ilk_reader_mutex);
	return 0;
}

/* ---- init and exit ---------------------------------------------------------------------- */

void ilk_ring_info(struct ilk_info *info)
{
	unsigned long ring = (unsigned long)&ilk_ring;

	mutex_lock(&ilk_reader_mutex);
	info->ring_bytes = ilk_rings.reader ? ilk_rings.bytes : get_default_bytes();
	mutex_unlock(&ilk_reader_mutex);
	info->ring_max = get_max_bytes();
	info->gs_ring_head = (s32)(ring + offsetof(struct ilk_ring, head));
	info->gs_ring_limit = (s32)(ring + offsetof(struct ilk_ring, limit));
	info->gs_ring_base = (s32)(ring + offsetof(struct ilk_ring, base));
	info->gs_ring_mask = (s32)(ring + offsetof(struct ilk_ring, mask));
	info->gs_ring_lost = (s32)(ring + offsetof(struct ilk_ring, lost));
	info->gs_guard = (s32)(ring + offsetof(struct ilk_ring, guard));
	info->reader_claimed = ilk_ring_is_claimed();
}

int ilk_ring_init(void)
{
	int cpu, ret = -ENOMEM;

	ilk_rings.drains = kvcalloc(nr_cpu_ids, sizeof(*ilk_rings.drains), GFP_KERNEL);
	if (!ilk_rings.drains)
		return ret;
	ret = ilk_ring_wake_init();
	if (ret)
		goto out_free;
	ret = ilk_recorder_init();
	if (ret)
		goto out_exit_wake;
	ilk_rings.bytes = get_default_bytes();
	for_each_possible_cpu(cpu)
		reset_drain(cpu);
	hotplug_state = cpuhp_setup_state_nocalls(CPUHP_AP_ONLINE_DYN, "ilk:ring", cpu_online_fn,
						  NULL);
	if (hotplug_state >= 0)
		return 0;
	ret = hotplug_state;
	ilk_recorder_exit();
out_exit_wake:
	ilk_ring_wake_exit();
out_free:
	kvfree(ilk_rings.drains);
	return ret;
}

/*
 * Frees the state of the rings. Must be called at module exit, when no client, instrument or patch
 * is left.
 */
void ilk_ring_exit(void)
{
	cpuhp_remove_state_nocalls(hotplug_state);
	ilk_ring_wake_exit();
	ilk_recorder_exit();
	kvfree(ilk_rings.drains);
}

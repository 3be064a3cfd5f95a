// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-ring.c - samples, one ring per CPU
 *
 * The layout and both protocols are in ilk-abi.h. Producers are emitted code and
 * ilk_sample(), on their own CPU with preemption off, in any context; the only
 * things they share with anybody else are @limit, written by the one reader, and
 * @head, which the reader only reads.
 *
 * Emitted code cannot wake a reader, so a waiting reader looks by itself every
 * 10 ms. ilk_sample() wakes it early, through irq_work, when a ring is a quarter
 * full.
 *
 * Positions never restart, so nothing that an old producer does can be taken for new:
 *
 *   no reader	@limit is 0 on every CPU, there is no ring, samples are lost
 *   claim	rings for the CPUs that are online; each begins at its CPU's head
 *   a CPU	comes up under a reader: it gets its ring, what it did before is lost
 *		goes down: its ring stays, for it is read yet
 *   release	1. @limit becomes 0 on every CPU
 *		2. an RCU grace period: who had seen room has stored its record
 *		3. what is left in the rings is counted as lost, each by its hook and
 *		   on its CPU; tails become heads
 *		4. the rings are freed, but for pages that are still mapped
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/irq_work.h>
#include <linux/kprobes.h>
#include <linux/log2.h>
#include <linux/module.h>
#include <linux/mm.h>
#include <linux/pagemap.h>
#include <linux/percpu.h>
#include <linux/poll.h>
#include <linux/smp.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>
#include <asm/msr.h>

#include "ilk-internal.h"
#include "ilk-compat.h"

#define LOOK_AGAIN	msecs_to_jiffies(10)
#define RECORD_MAX	(ILK_RECORD_CELLS(ILK_SAMPLE_MAX) * ILK_CELL)

/**
 * struct ilk_ring - per CPU; reached by emitted code through %gs
 * @head: position of the next cell; producers of this CPU only
 * @limit: first head that may not be reserved; reader only
 * @guard: preempt count of the running instrument's context, 1 while there is none
 */
struct ilk_ring {
	u64 head;
	u64 limit;
	u64 base;
	u64 guard;
};

static unsigned int ring_kib = 1024;
module_param(ring_kib, uint, 0444);
MODULE_PARM_DESC(ring_kib, "size of one CPU's sample ring in KiB, a power of two from 64 to 65536");

static DEFINE_PER_CPU(struct ilk_ring, rings) __aligned(32) = { .head = 1, .guard = 1 };
static u64 ring_bytes;
static int hotplug_state = -1;

/**
 * struct ilk_drain - the reader's side of a ring, by CPU
 * @area: ring_bytes; NULL: the CPU has not been online since the claim, or none is
 * @tail: what the reader has not told to be read; the head if there is no ring
 */
struct ilk_drain {
	u8 *area;
	u64 tail;
};

/*
 * One claim or release at a time; taken before ilk_mutex, and held while a grace period
 * is waited for.
 */
static DEFINE_MUTEX(claim_mutex);

/*
 * The reader and @drains; taken inside cpus_read_lock(), and under the mmap_lock by a
 * fault: so nothing may fault on user memory while it is held, nor wait for ilk_mutex or
 * for the lock on CPU hotplug, under which tasks' memory may be locked.
 */
static DEFINE_MUTEX(reader_mutex);
static struct ilk_client *reader;
static struct ilk_drain *drains;

static DECLARE_WAIT_QUEUE_HEAD(readers);
static bool waiting;
static DEFINE_PER_CPU(struct irq_work, wake_work);

static void look_again(struct work_struct *work);
static DECLARE_DELAYED_WORK(look_work, look_again);

/* ---- producers --------------------------------------------------------------- */

static __always_inline void fill_cells(u64 base, u64 h, u32 iid, const u8 *data, u32 len)
{
	u64 mask = ring_bytes - ILK_CELL;
	struct ilk_record *record = (struct ilk_record *)(base + (h & mask));
	u32 done = min_t(u32, len, sizeof(record->data)), n;
	u64 at = h;

	record->tsc = rdtsc();
	record->iid = iid;
	record->len = len;
	memcpy(record->data, data, done);
	while (done < len) {
		at += ILK_CELL;
		n = min_t(u32, len - done, ILK_CELL);
		memcpy((void *)(base + (at & mask)), data + done, n);
		done += n;
	}
	/* Stored last; the reader that sees it sees the rest. Pairs with is_there(). */
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
	limit = this_cpu_read(rings.limit);
	if (this_cpu_read(rings.head) >= limit) {
		this_cpu_inc(*hook->lost);
		return false;
	}
	h = this_cpu_add_return(rings.head, bytes) - bytes;
	fill_cells(this_cpu_read(rings.base), h, iid, data, len);
	if (READ_ONCE(waiting) && limit - h < ring_bytes / 4 * 3) {
		WRITE_ONCE(waiting, false);
		irq_work_queue(this_cpu_ptr(&wake_work));
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

/* ---- reader ------------------------------------------------------------------- */

static u64 head_of(int cpu)
{
	return READ_ONCE(per_cpu(rings, cpu).head);
}

static void set_tail(int cpu, u64 tail)
{
	WRITE_ONCE(drains[cpu].tail, tail);
	smp_store_release(&per_cpu(rings, cpu).limit,
			  tail + ring_bytes - ILK_RING_MARGIN * ILK_CELL);
}

static bool has_data(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		if (head_of(cpu) != READ_ONCE(drains[cpu].tail))
			return true;
	return false;
}

static void on_wake(struct irq_work *work)
{
	wake_up_all(&readers);
}

static void look_again(struct work_struct *work)
{
	if (has_data())
		wake_up_all(&readers);
	else if (waitqueue_active(&readers))
		schedule_delayed_work(&look_work, LOOK_AGAIN);
}

static void start_waiting(void)
{
	WRITE_ONCE(waiting, true);
	schedule_delayed_work(&look_work, LOOK_AGAIN);
}

/* Context: reader_mutex, or the CPU has never been online under this reader. */
static int open_ring(int cpu)
{
	u8 *area = __vmalloc(ring_bytes, GFP_KERNEL_ACCOUNT | __GFP_ZERO);

	if (!area)
		return -ENOMEM;
	drains[cpu].area = area;
	WRITE_ONCE(per_cpu(rings, cpu).base, (u64)area);
	set_tail(cpu, head_of(cpu));
	return 0;
}

/* Context: nobody produces in it. */
static void close_ring(int cpu)
{
	drains[cpu].tail = head_of(cpu);
	vfree(drains[cpu].area);
	drains[cpu].area = NULL;
}

static void shut(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		WRITE_ONCE(per_cpu(rings, cpu).limit, 0);
}

static int claim_locked(struct ilk_client *client)
{
	int cpu, ret = 0;

	if (reader == client)
		return 0;
	if (reader)
		return -EBUSY;
	for_each_online_cpu(cpu)
		ret = ret ?: open_ring(cpu);
	if (ret)
		shut();
	else
		WRITE_ONCE(reader, client);
	return ret;
}

static struct ilk_record *cell_of(int cpu, u64 at)
{
	return (struct ilk_record *)(drains[cpu].area + (at & (ring_bytes - ILK_CELL)));
}

#define COUNT_AT_ONCE	256	/* records, with interrupts off */

/* Count the record at the tail as lost; behind a tail that was set amidst one, go to the next. */
static void lose_record(int cpu)
{
	const struct ilk_record *record = cell_of(cpu, drains[cpu].tail);
	struct ilk_hook *hook = ilk_hook_find(record->iid);

	if (record->commit != drains[cpu].tail) {
		drains[cpu].tail += ILK_CELL;
		return;
	}
	if (hook && cpu == smp_processor_id())
		this_cpu_inc(*hook->lost);
	else if (hook)
		(*per_cpu_ptr(hook->lost, cpu))++;
	drains[cpu].tail += ILK_RECORD_CELLS(min_t(u32, record->len, ILK_SAMPLE_MAX)) * ILK_CELL;
}

/* On the ring's CPU, if it is online: nobody else may write its counters. */
static void count_left(void *arg)
{
	int cpu = *(int *)arg, n;

	for (n = 0; n < COUNT_AT_ONCE && drains[cpu].tail < head_of(cpu); n++)
		lose_record(cpu);
}

/* Context: Caller holds ilk_mutex, for the hooks, and cpus_read_lock(). */
static void count_all_left(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		while (drains[cpu].area && drains[cpu].tail < head_of(cpu)) {
			if (smp_call_function_single(cpu, count_left, &cpu, 1)) {
				preempt_disable();	/* it is offline */
				count_left(&cpu);
				preempt_enable();
			}
			cond_resched();
		}
}

/* Steps 2 to 4. Context: claim_mutex; all limits are 0. */
static void close_rings(void)
{
	int cpu;

	ilk_text_sync();	/* where RCU is not watching, interrupts are off */
	synchronize_rcu();

	ilk_lock();
	cpus_read_lock();
	count_all_left();
	cpus_read_unlock();
	ilk_unlock();

	mutex_lock(&reader_mutex);
	for_each_possible_cpu(cpu)
		close_ring(cpu);
	mutex_unlock(&reader_mutex);
}

/**
 * ilk_ring_claim() - become the one reader; of what is produced from now on
 * Return: 0; -EBUSY another file reads; -EINTR; -ENOMEM.
 */
int ilk_ring_claim(struct ilk_client *client)
{
	int ret;

	if (READ_ONCE(reader) && READ_ONCE(reader) != client)
		return -EBUSY;
	if (mutex_lock_interruptible(&claim_mutex))
		return -EINTR;
	cpus_read_lock();
	mutex_lock(&reader_mutex);
	ret = claim_locked(client);
	mutex_unlock(&reader_mutex);
	cpus_read_unlock();
	if (ret == -ENOMEM)
		close_rings();
	mutex_unlock(&claim_mutex);
	return ret;
}

/* What it has not told to be read is lost. Context: Process context, without a lock. */
void ilk_ring_release(struct ilk_client *client)
{
	bool mine;

	if (READ_ONCE(reader) != client)
		return;
	mutex_lock(&claim_mutex);
	mutex_lock(&reader_mutex);
	mine = reader == client;
	if (mine) {
		WRITE_ONCE(reader, NULL);
		shut();
	}
	mutex_unlock(&reader_mutex);
	if (mine)
		close_rings();
	mutex_unlock(&claim_mutex);
}

/* Room for the ring of a CPU that comes up; without it, it has none and its samples are lost. */
static int cpu_online_fn(unsigned int cpu)
{
	mutex_lock(&reader_mutex);
	if (reader && !drains[cpu].area)
		open_ring(cpu);
	mutex_unlock(&reader_mutex);
	return 0;
}

bool ilk_ring_claimed(void)
{
	return READ_ONCE(reader) != NULL;
}

static bool is_tail(int cpu, u64 tail)
{
	return tail >= drains[cpu].tail && tail <= head_of(cpu) && !((tail - 1) % ILK_CELL);
}

/**
 * ilk_ring_consume() - move the tails
 * @new_tails: per CPU; 0 leaves it. Set to what the tails are then
 * @heads: set
 * Return: 0; -EACCES not the reader; -EINVAL a tail is not one, nothing moved.
 */
int ilk_ring_consume(struct ilk_client *client, u64 *new_tails, u64 *heads)
{
	int cpu, ret = 0;

	mutex_lock(&reader_mutex);
	if (reader != client) {
		ret = -EACCES;
		goto out_unlock;
	}
	for_each_possible_cpu(cpu)
		if (new_tails[cpu] && !is_tail(cpu, new_tails[cpu]))
			ret = -EINVAL;
	for_each_possible_cpu(cpu) {
		if (!ret && new_tails[cpu] && drains[cpu].area)
			set_tail(cpu, new_tails[cpu]);
		new_tails[cpu] = drains[cpu].tail;
		heads[cpu] = head_of(cpu);
	}
out_unlock:
	mutex_unlock(&reader_mutex);
	return ret;
}

static bool is_there(int cpu, u64 tail)
{
	return drains[cpu].area && tail != head_of(cpu) &&
	       smp_load_acquire(&cell_of(cpu, tail)->commit) == tail;
}

/* Copy one record out of the ring. Return: its bytes, whole cells. */
static size_t take_record(int cpu, u64 tail, u8 *out)
{
	u32 len = min_t(u32, READ_ONCE(cell_of(cpu, tail)->len), ILK_SAMPLE_MAX);
	size_t bytes = ILK_RECORD_CELLS(len) * ILK_CELL, at;

	for (at = 0; at < bytes; at += ILK_CELL)
		memcpy(out + at, cell_of(cpu, tail + at), ILK_CELL);
	((struct ilk_record *)out)->commit = cpu;
	return bytes;
}

/* -EFAULT: the first record found its page away; see ilk_ring_read(). */
static ssize_t read_cpu(int cpu, char __user *buf, size_t size)
{
	size_t bytes, left, done = 0;
	u8 record[RECORD_MAX];

	while (is_there(cpu, drains[cpu].tail)) {
		bytes = take_record(cpu, drains[cpu].tail, record);
		if (bytes > size - done)
			break;
		pagefault_disable();
		left = copy_to_user(buf + done, record, bytes);
		pagefault_enable();
		if (left)
			return done ?: -EFAULT;
		set_tail(cpu, drains[cpu].tail + bytes);
		done += bytes;
		cond_resched();
	}
	return done;
}

static ssize_t read_all(struct ilk_client *client, char __user *buf, size_t size)
{
	ssize_t done = 0, n = 0;
	int cpu;

	mutex_lock(&reader_mutex);
	if (reader != client)
		n = -EBUSY;
	for_each_possible_cpu(cpu) {
		if (n < 0)
			break;
		n = read_cpu(cpu, buf + done, size - done);
		done += max_t(ssize_t, n, 0);
	}
	mutex_unlock(&reader_mutex);
	return done ?: n;
}

/**
 * ilk_ring_read() - whole records, CPU by CPU; the reader's FIFO
 * A page of @buf that is not there is fetched without the lock, and all is tried again.
 * Return: bytes; -EINVAL if @size may not hold a record; -EAGAIN; -EBUSY; -EFAULT.
 */
ssize_t ilk_ring_read(struct ilk_client *client, char __user *buf, size_t size, bool nonblock)
{
	ssize_t n;

	if (size < RECORD_MAX)
		return -EINVAL;
	n = READ_ONCE(reader) == client ? 0 : ilk_ring_claim(client);
	if (n)
		return n;
	for (;;) {
		n = read_all(client, buf, size);
		if (n == -EFAULT && !fault_in_writeable(buf, RECORD_MAX))
			continue;
		if (n)
			return n;
		if (nonblock)
			return -EAGAIN;
		start_waiting();
		if (wait_event_interruptible_timeout(readers, has_data(), LOOK_AGAIN) < 0)
			return -ERESTARTSYS;
	}
}

__poll_t ilk_ring_poll(struct file *file, struct poll_table_struct *wait)
{
	poll_wait(file, &readers, wait);
	if (has_data())
		return EPOLLIN | EPOLLRDNORM;
	start_waiting();
	return 0;
}

static vm_fault_t on_fault(struct vm_fault *vmf)
{
	struct ilk_client *client = vmf->vma->vm_private_data;
	u64 at = (u64)vmf->pgoff << PAGE_SHIFT, cpu = at / ring_bytes;
	vm_fault_t ret = VM_FAULT_SIGBUS;

	mutex_lock(&reader_mutex);
	if (reader == client && cpu < nr_cpu_ids && drains[cpu].area) {
		vmf->page = vmalloc_to_page(drains[cpu].area + at % ring_bytes);
		get_page(vmf->page);
		ret = 0;
	}
	mutex_unlock(&reader_mutex);
	return ret;
}

static const struct vm_operations_struct ring_vm_ops = {
	.fault = on_fault,
};

/*
 * Pages come when they are touched: a CPU that comes up later gets its ring then.
 * Return: 0; -EACCES not the reader; -EPERM other than to read; -EINVAL not of the rings.
 */
int ilk_ring_mmap(struct ilk_client *client, struct vm_area_struct *vma)
{
	u64 pages = ring_bytes / PAGE_SIZE * nr_cpu_ids;

	if (vma->vm_flags & (VM_WRITE | VM_EXEC))
		return -EPERM;
	if (READ_ONCE(reader) != client)
		return -EACCES;
	if (vma->vm_pgoff > pages || vma_pages(vma) > pages - vma->vm_pgoff)
		return -EINVAL;
	ilk_vma_forbid_write(vma);
	vma->vm_private_data = client;		/* lives as long as the file */
	vma->vm_ops = &ring_vm_ops;
	return 0;
}

/* ---- life ---------------------------------------------------------------------- */

void ilk_ring_info(struct ilk_info *info)
{
	unsigned long ring = (unsigned long)&rings;

	info->ring_bytes = ring_bytes;
	info->gs_ring_head = (s32)(ring + offsetof(struct ilk_ring, head));
	info->gs_ring_limit = (s32)(ring + offsetof(struct ilk_ring, limit));
	info->gs_ring_base = (s32)(ring + offsetof(struct ilk_ring, base));
	info->gs_guard = (s32)(ring + offsetof(struct ilk_ring, guard));
	info->reader_claimed = ilk_ring_claimed();
}

int ilk_ring_init(void)
{
	int cpu;

	ring_kib = roundup_pow_of_two(clamp(ring_kib, 64u, 65536u));
	ring_bytes = (u64)ring_kib * 1024;
	drains = kvcalloc(nr_cpu_ids, sizeof(*drains), GFP_KERNEL);
	if (!drains)
		return -ENOMEM;
	for_each_possible_cpu(cpu) {
		drains[cpu].tail = head_of(cpu);
		init_irq_work(&per_cpu(wake_work, cpu), on_wake);
	}
	hotplug_state = cpuhp_setup_state_nocalls(CPUHP_AP_ONLINE_DYN, "ilk:ring", cpu_online_fn,
						  NULL);
	if (hotplug_state < 0) {
		kvfree(drains);
		return hotplug_state;
	}
	return 0;
}

/* Context: module exit; no client, no instrument and no patch is left. */
void ilk_ring_exit(void)
{
	int cpu;

	cpuhp_remove_state_nocalls(hotplug_state);
	for_each_possible_cpu(cpu)
		irq_work_sync(&per_cpu(wake_work, cpu));
	cancel_delayed_work_sync(&look_work);
	kvfree(drains);
}

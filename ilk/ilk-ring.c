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
 * full. Without a reader rings do not exist: @limit is 0 and samples are lost.
 */
#include <linux/irq_work.h>
#include <linux/kprobes.h>
#include <linux/log2.h>
#include <linux/module.h>
#include <linux/pagemap.h>
#include <linux/percpu.h>
#include <linux/poll.h>
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

static DEFINE_PER_CPU_ALIGNED(struct ilk_ring, rings) = { .head = 1, .guard = 1 };
static u64 ring_bytes;
static u8 *area;			/* all rings, one after the other */

/*
 * The reader, its tails and @area; taken inside ilk_mutex, and under the mmap_lock by
 * mmap(): so nothing may fault on user memory while it is held, nor wait for ilk_mutex,
 * which comes before the lock on CPU hotplug, under which tasks' memory may be locked.
 */
static DEFINE_MUTEX(reader_mutex);
static struct ilk_client *reader;
static u64 *tails;

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
	tails[cpu] = tail;
	smp_store_release(&per_cpu(rings, cpu).limit,
			  tail + ring_bytes - ILK_RING_MARGIN * ILK_CELL);
}

static bool has_data(void)
{
	int cpu;

	if (!READ_ONCE(area))
		return false;
	for_each_possible_cpu(cpu)
		if (head_of(cpu) != READ_ONCE(tails[cpu]))
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

static void reset_this_cpu(void *unused)
{
	this_cpu_write(rings.limit, 0);
	this_cpu_write(rings.head, 1);
}

/* A page at a time: rings may have gigabytes. */
static void clear_area(void)
{
	u64 at;

	for (at = 0; at < ring_bytes * nr_cpu_ids; at += PAGE_SIZE, cond_resched())
		memset(area + at, 0, PAGE_SIZE);
}

/* Empty all rings. Context: no patch is live, so nobody produces. */
static void reset_rings(void)
{
	int cpu;

	on_each_cpu(reset_this_cpu, NULL, 1);
	clear_area();
	for_each_possible_cpu(cpu) {
		if (!cpu_online(cpu))
			WRITE_ONCE(per_cpu(rings, cpu).head, 1);
		WRITE_ONCE(per_cpu(rings, cpu).base, (u64)area + cpu * ring_bytes);
		set_tail(cpu, 1);
	}
}

static int alloc_rings(void)
{
	u64 *new_tails = kvcalloc(nr_cpu_ids, sizeof(*tails), GFP_KERNEL);
	u8 *new_area = vmalloc_user(ring_bytes * nr_cpu_ids);

	if (!new_tails || !new_area) {
		kvfree(new_tails);
		vfree(new_area);
		return -ENOMEM;
	}
	tails = new_tails;
	WRITE_ONCE(area, new_area);
	return 0;
}

static int claim_locked(struct ilk_client *client)
{
	u32 live;
	u64 traps;
	bool fresh = !area;
	int ret;

	lockdep_assert_held(&ilk_mutex);
	if (reader == client)
		return 0;
	if (reader)
		return -EBUSY;
	if (fresh) {
		ret = alloc_rings();
		if (ret)
			return ret;
	}
	ilk_patches_count(&live, &traps);
	if (fresh || !live)
		reset_rings();
	WRITE_ONCE(reader, client);
	return 0;
}

/**
 * ilk_ring_claim() - become the one reader
 * What a former reader left is dropped, unless patches are live.
 * Return: 0; -EBUSY another file reads; -ENOMEM.
 */
int ilk_ring_claim(struct ilk_client *client)
{
	int ret;

	mutex_lock(&ilk_mutex);
	mutex_lock(&reader_mutex);
	ret = claim_locked(client);
	mutex_unlock(&reader_mutex);
	mutex_unlock(&ilk_mutex);
	return ret;
}

void ilk_ring_release(struct ilk_client *client)
{
	mutex_lock(&reader_mutex);
	if (reader == client)
		WRITE_ONCE(reader, NULL);
	mutex_unlock(&reader_mutex);
}

bool ilk_ring_claimed(void)
{
	return READ_ONCE(reader) != NULL;
}

static bool is_tail(int cpu, u64 tail)
{
	return tail >= tails[cpu] && tail <= head_of(cpu) && !((tail - 1) % ILK_CELL);
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
		if (!ret && new_tails[cpu])
			set_tail(cpu, new_tails[cpu]);
		new_tails[cpu] = tails[cpu];
		heads[cpu] = head_of(cpu);
	}
out_unlock:
	mutex_unlock(&reader_mutex);
	return ret;
}

static struct ilk_record *cell_of(int cpu, u64 at)
{
	return (struct ilk_record *)(area + cpu * ring_bytes + (at & (ring_bytes - ILK_CELL)));
}

static bool is_there(int cpu, u64 tail)
{
	return tail != head_of(cpu) && smp_load_acquire(&cell_of(cpu, tail)->commit) == tail;
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

	while (is_there(cpu, tails[cpu])) {
		bytes = take_record(cpu, tails[cpu], record);
		if (bytes > size - done)
			break;
		pagefault_disable();
		left = copy_to_user(buf + done, record, bytes);
		pagefault_enable();
		if (left)
			return done ?: -EFAULT;
		set_tail(cpu, tails[cpu] + bytes);
		done += bytes;
		cond_resched();
	}
	return done;
}

static ssize_t read_all(char __user *buf, size_t size)
{
	ssize_t done = 0, n = 0;
	int cpu;

	mutex_lock(&reader_mutex);
	for_each_possible_cpu(cpu) {
		n = read_cpu(cpu, buf + done, size - done);
		if (n < 0)
			break;
		done += n;
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
		n = read_all(buf, size);
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

/* Return: 0; -EACCES not the reader; -EPERM other than to read; -EINVAL not of the rings. */
int ilk_ring_mmap(struct ilk_client *client, struct vm_area_struct *vma)
{
	int ret = -EACCES;

	if (vma->vm_flags & (VM_WRITE | VM_EXEC))
		return -EPERM;
	ilk_vma_forbid_write(vma);
	mutex_lock(&reader_mutex);
	if (reader == client)
		ret = remap_vmalloc_range(vma, area, vma->vm_pgoff);
	mutex_unlock(&reader_mutex);
	return ret;
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
	for_each_possible_cpu(cpu)
		init_irq_work(&per_cpu(wake_work, cpu), on_wake);
	return 0;
}

/* Context: module exit; no client, no instrument and no patch is left. */
void ilk_ring_exit(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		irq_work_sync(&per_cpu(wake_work, cpu));
	cancel_delayed_work_sync(&look_work);
	vfree(area);
	kvfree(tails);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-drain.c - what the reader does: moves tails, maps rings, or reads them as a file
 *
 * Where samples are missing. A full ring's head stands still until the tail is moved, so all
 * that its CPU loses meanwhile is missing at the head. Before a tail is moved, first the CPU's
 * lost samples are read, then its head: what has come to the former since it was last read
 * was lost at the latter. (An NMI or interrupt may come between a producer's look at the
 * limit and its count; what is counted so late is told of at the next look, at a later
 * position. The sum is exact.) Two such gaps are kept:
 *
 *	@gap	the next one: more may be lost at its position, but it does not move
 *	@next	all behind it: grows until the reader was told of @gap and has come to it, and
 *		takes its place
 */
#include <linux/module.h>
#include <linux/mm.h>
#include <linux/pagemap.h>
#include <linux/poll.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>
#include <linux/wait.h>
#include <asm/msr.h>

#include "ilk-ring.h"

#define LOOK_AGAIN	msecs_to_jiffies(10)
#define RECORD_MAX	(ILK_RECORD_CELLS(ILK_SAMPLE_MAX) * ILK_CELL)
#define GAP_BYTES	(ILK_RECORD_CELLS(sizeof(struct ilk_lost)) * ILK_CELL)

/* ---- gaps -------------------------------------------------------------------------- */

/* Only frozen rings are read, and they are not. */
static bool is_closed(void)
{
	return ilk_rings.mode != ILK_RING_DROP && !ilk_rings.frozen;
}

/* What the recorder has given up is missing before the first that there is. */
static void note_given_up(struct ilk_drain *drain)
{
	if (drain->given_up && !drain->gap.at && !drain->gap.lost)
		drain->gap = (struct ilk_gap) { drain->tail, drain->tail, drain->given_up };
}

static void go_on(struct ilk_drain *drain)
{
	if (!drain->next.at || drain->gap.at > drain->tail || drain->told != drain->gap.lost)
		return;
	drain->gap = drain->next;
	drain->next.at = 0;
}

/* Context: ilk_reader_mutex. Returns the head as it was then. */
static u64 note_gap(int cpu)
{
	struct ilk_drain *drain = &ilk_rings.drains[cpu];
	u64 lost = READ_ONCE(per_cpu(ilk_ring, cpu).lost) - drain->lost_before, head, told;

	smp_rmb();	/* first what was lost, then where */
	head = ilk_ring_head(cpu);
	if (is_closed())
		return head;
	note_given_up(drain);
	lost += drain->given_up;
	go_on(drain);
	told = drain->next.at ? drain->next.lost : drain->gap.lost;
	if (lost == told)
		return head;
	if (!drain->next.at && drain->gap.at < drain->tail)
		drain->gap = (struct ilk_gap) { head, head, lost };
	else if (!drain->next.at && drain->gap.at == head)
		drain->gap.lost = lost;
	else
		drain->next = (struct ilk_gap) { drain->next.at ? drain->next.from : head, head, lost };
	return head;
}

/* ---- CONSUME ------------------------------------------------------------------------ */

static bool is_tail(int cpu, u64 tail)
{
	return tail >= ilk_rings.drains[cpu].tail && tail <= ilk_ring_head(cpu) &&
	       !((tail - 1) % ILK_CELL) && !(is_closed() && tail != ilk_rings.drains[cpu].tail);
}

/**
 * ilk_ring_consume() - move the tails
 * @new_tails: per CPU; 0 leaves it. Set to what the tails are then
 * @heads, @gaps: set
 * @state: ILK_RINGS_FROZEN or 0
 * Return: 0; -EACCES not the reader; -EINVAL a tail is not one, nothing moved.
 */
int ilk_ring_consume(struct ilk_client *client, u64 *new_tails, u64 *heads, struct ilk_gap *gaps,
		     u32 *state)
{
	struct ilk_drain *drains = ilk_rings.drains;
	int cpu, ret = 0;

	mutex_lock(&ilk_reader_mutex);
	if (ilk_rings.reader != client) {
		ret = -EACCES;
		goto out_unlock;
	}
	for_each_possible_cpu(cpu)
		if (new_tails[cpu] && !is_tail(cpu, new_tails[cpu]))
			ret = -EINVAL;
	for_each_possible_cpu(cpu) {
		heads[cpu] = note_gap(cpu);
		if (!ret && new_tails[cpu] && drains[cpu].area && !is_closed())
			ilk_ring_set_tail(cpu, new_tails[cpu]);
		go_on(&drains[cpu]);
		new_tails[cpu] = READ_ONCE(drains[cpu].tail);
		gaps[cpu] = drains[cpu].gap;
		drains[cpu].told = drains[cpu].gap.lost;
	}
	*state = ilk_rings.frozen ? ILK_RINGS_FROZEN : 0;
out_unlock:
	mutex_unlock(&ilk_reader_mutex);
	return ret;
}

/* ---- read() ---------------------------------------------------------------------------- */

/* Copy one record out of the ring. Return: its bytes, whole cells. */
static size_t take_record(int cpu, u64 tail, u8 *out)
{
	size_t bytes = ilk_record_bytes(ilk_ring_cell(cpu, tail)), at;

	for (at = 0; at < bytes; at += ILK_CELL)
		memcpy(out + at, ilk_ring_cell(cpu, tail + at), ILK_CELL);
	((struct ilk_record *)out)->commit = cpu;
	return bytes;
}

static size_t make_gap(int cpu, u8 *out)
{
	struct ilk_drain *drain = &ilk_rings.drains[cpu];
	struct ilk_lost lost = {
		.lost = drain->gap.lost - drain->told,
		.since = drain->from_known ? drain->from : drain->since,
	};
	struct ilk_record *record = (struct ilk_record *)out;

	memset(out, 0, GAP_BYTES);
	record->commit = cpu;
	record->tsc = rdtsc();
	record->iid = ILK_IID_GAP;
	record->len = sizeof(lost);
	/* It goes on in the next cell. */
	memcpy(out + offsetof(struct ilk_record, data), &lost, sizeof(lost));
	return GAP_BYTES;
}

static bool is_at_gap(const struct ilk_drain *drain)
{
	return drain->gap.lost != drain->told && drain->gap.at <= drain->tail;
}

/* -EFAULT: the page is away; see ilk_ring_read(). */
static int put(char __user *buf, const u8 *record, size_t bytes)
{
	size_t left;

	pagefault_disable();
	left = copy_to_user(buf, record, bytes);
	pagefault_enable();
	return left ? -EFAULT : 0;
}

/* Return: bytes; 0 there is nothing, or no room for it; -EFAULT. */
static ssize_t read_one(int cpu, char __user *buf, size_t size)
{
	struct ilk_drain *drain = &ilk_rings.drains[cpu];
	u8 record[RECORD_MAX];
	size_t bytes;

	note_gap(cpu);
	if (drain->tail == drain->gap.from && !drain->from_known) {
		drain->from = drain->since;
		drain->from_known = true;
	}
	if (is_at_gap(drain)) {
		if (size < GAP_BYTES)
			return 0;
		bytes = make_gap(cpu, record);
		if (put(buf, record, bytes))
			return -EFAULT;
		drain->told = drain->gap.lost;
		drain->from_known = false;
		return bytes;
	}
	if (!ilk_ring_is_there(cpu, drain->tail))
		return 0;
	bytes = take_record(cpu, drain->tail, record);
	if (bytes > size)
		return 0;
	if (put(buf, record, bytes))
		return -EFAULT;
	drain->since = ((struct ilk_record *)record)->tsc;
	ilk_ring_set_tail(cpu, drain->tail + bytes);
	return bytes;
}

static ssize_t read_cpu(int cpu, char __user *buf, size_t size)
{
	ssize_t done = 0, n;

	for (;;) {
		n = read_one(cpu, buf + done, size - done);
		if (n <= 0)
			return done ?: n;
		done += n;
		cond_resched();
	}
}

static ssize_t read_all(struct ilk_client *client, char __user *buf, size_t size)
{
	ssize_t done = 0, n = 0;
	int cpu;

	mutex_lock(&ilk_reader_mutex);
	if (ilk_rings.reader != client)
		n = -EBUSY;
	for_each_possible_cpu(cpu) {
		if (n < 0 || is_closed())
			break;
		n = read_cpu(cpu, buf + done, size - done);
		done += max_t(ssize_t, n, 0);
	}
	mutex_unlock(&ilk_reader_mutex);
	return done ?: n;
}

/**
 * ilk_ring_read() - whole records, CPU by CPU; the reader's FIFO
 * A page of @buf that is not there is fetched without the lock, and all is tried again.
 * Return: bytes; -EINVAL if @size may not hold a record; -EAGAIN; -EBUSY; -EFAULT; -ENOMEM.
 */
ssize_t ilk_ring_read(struct ilk_client *client, char __user *buf, size_t size, bool nonblock)
{
	struct ilk_claim claim = { .mode = ILK_RING_DROP };
	ssize_t n;

	if (size < RECORD_MAX)
		return -EINVAL;
	n = READ_ONCE(ilk_rings.reader) == client ? 0 : ilk_ring_claim(client, &claim);
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
		ilk_ring_start_waiting();
		if (wait_event_interruptible_timeout(ilk_readers, ilk_ring_has_data(), LOOK_AGAIN) < 0)
			return -ERESTARTSYS;
	}
}

__poll_t ilk_ring_poll(struct file *file, struct poll_table_struct *wait)
{
	poll_wait(file, &ilk_readers, wait);
	if (ilk_ring_has_data())
		return EPOLLIN | EPOLLRDNORM;
	ilk_ring_start_waiting();
	return 0;
}

/* ---- mmap() ------------------------------------------------------------------------------- */

static vm_fault_t on_fault(struct vm_fault *vmf)
{
	struct ilk_client *client = vmf->vma->vm_private_data;
	u64 at = (u64)vmf->pgoff << PAGE_SHIFT, cpu;
	vm_fault_t ret = VM_FAULT_SIGBUS;

	mutex_lock(&ilk_reader_mutex);
	cpu = at / ilk_rings.bytes;
	if (ilk_rings.reader == client && cpu < nr_cpu_ids && ilk_rings.drains[cpu].area) {
		vmf->page = vmalloc_to_page(ilk_rings.drains[cpu].area + at % ilk_rings.bytes);
		get_page(vmf->page);
		ret = 0;
	}
	mutex_unlock(&ilk_reader_mutex);
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
	u64 pages = READ_ONCE(ilk_rings.bytes) / PAGE_SIZE * nr_cpu_ids;

	if (vma->vm_flags & (VM_WRITE | VM_EXEC))
		return -EPERM;
	if (READ_ONCE(ilk_rings.reader) != client)
		return -EACCES;
	if (vma->vm_pgoff > pages || vma_pages(vma) > pages - vma->vm_pgoff)
		return -EINVAL;
	ilk_vma_forbid_write(vma);
	vma->vm_private_data = client;		/* lives as long as the file */
	vma->vm_ops = &ring_vm_ops;
	return 0;
}

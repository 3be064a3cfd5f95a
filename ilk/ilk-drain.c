// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-drain.c - the reader's side of rings: tails, mmap() and read()
 *
 * The position of lost samples is found as follows. The head of a full ring does not
 * move until the tail does, so all samples that its CPU loses in that time are
 * missing at the head. Before a tail is moved, the CPU's lost counter is read
 * first, then its head: samples that were added to the counter since the last
 * read were lost at that head. The ring's own CPU does this in an interrupt: otherwise a
 * producer could lose more samples after the reading and before the move. (The interrupt may
 * arrive between a producer's check of the limit and its increment: that sample is counted at
 * the next check, at a later position. The sum is exact.) A reader may have several such gaps
 * ahead of it, as a ring that is emptied piece by piece may fill up after each piece. The last
 * gap grows while the head does not move, and if there are ILK_GAPS_MAX gaps, it absorbs all later
 * gaps.
 */
#include <linux/module.h>
#include <linux/mm.h>
#include <linux/pagemap.h>
#include <linux/poll.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>
#include <linux/wait.h>
#include <asm/msr.h>

#include "ilk-compat.h"
#include "ilk-ring-cpu.h"
#include "ilk-ring-reader.h"
#include "ilk-ring.h"
#include "ilk.h"

#define POLL_DELAY	msecs_to_jiffies(10)
#define RECORD_MAX	(ILK_RECORD_CELLS(ILK_SAMPLE_MAX) * ILK_CELL)
#define GAP_BYTES	(ILK_RECORD_CELLS(sizeof(struct ilk_lost)) * ILK_CELL)

/* ---- gaps, where samples are missing ----------------------------------------------- */

/*
 * Returns whether the rings cannot be read yet: the mode requires frozen rings, and they are
 * not frozen.
 */
static bool is_read_closed(void)
{
	return ilk_rings.mode != ILK_RING_DROP && !ilk_rings.frozen;
}

static struct ilk_gap *get_gap(struct ilk_drain *drain, u32 i)
{
	return &drain->gaps[(drain->first + i) % ILK_GAPS_MAX];
}

/* Returns the total of samples missing up to the last gap. */
static u64 get_missing_total(struct ilk_drain *drain)
{
	return drain->n_gaps ? get_gap(drain, drain->n_gaps - 1)->lost : drain->passed_lost;
}

static void add_gap(struct ilk_drain *drain, u64 at, u64 lost)
{
	struct ilk_gap *last = drain->n_gaps ? get_gap(drain, drain->n_gaps - 1) : NULL;

	if (last && last->at == at)
		last->lost = lost;
	else if (last && drain->n_gaps == ILK_GAPS_MAX)
		*last = (struct ilk_gap) { last->from, at, lost };
	else
		*get_gap(drain, drain->n_gaps++) = (struct ilk_gap) { at, at, lost };
}

/*
 * Drops gaps (places where samples are missing) that were reported to the reader and that the
 * reader has passed, unless more samples may be lost at the gap.
 */
static void drop_passed_gaps(struct ilk_drain *drain, u64 head)
{
	while (drain->n_gaps) {
		const struct ilk_gap *gap = get_gap(drain, 0);

		if (gap->at > drain->tail || gap->lost != drain->reported || gap->at == head)
			return;
		drain->passed_lost = gap->lost;
		drain->first = (drain->first + 1) % ILK_GAPS_MAX;
		drain->n_gaps--;
	}
}

/*
 * Notes how many samples of a CPU were lost since the last call: they are missing at the head of
 * its ring (the write position). Returns the head at the time of the call. Must be called with
 * ilk_reader_mutex held.
 */
static u64 note_gap(int cpu)
{
	struct ilk_drain *drain = &ilk_rings.drains[cpu];
	u64 lost = READ_ONCE(per_cpu(ilk_ring, cpu).lost) - drain->lost_before, head;

	smp_rmb();	/* read the lost counter before the head */
	head = ilk_ring_head(cpu);
	if (is_read_closed())
		return head;
	/*
	 * Report the records that the recorder (the timer that drops the oldest ones) has
	 * overwritten, as a gap before the first remaining record.
	 */
	if (drain->overwritten && !get_missing_total(drain))
		add_gap(drain, drain->tail, drain->overwritten);
	drop_passed_gaps(drain, head);
	lost += drain->overwritten;
	if (lost != get_missing_total(drain))
		add_gap(drain, head, lost);
	return head;
}

/*
 * Returns the next gap (place where samples are missing). If there is none, returns a gap whose
 * @lost is the total of lost samples so far.
 */
static struct ilk_gap get_next_gap(struct ilk_drain *drain)
{
	return drain->n_gaps ? *get_gap(drain, 0) : (struct ilk_gap) { .lost = drain->passed_lost };
}

struct tail_move {
	int cpu;
	u64 tail, head;
};

static void move_tail_here(void *data)
{
	struct tail_move *move = data;

	move->head = note_gap(move->cpu);
	ilk_ring_set_tail(move->cpu, move->tail);
}

/*
 * Notes where samples were lost, and moves the tail (the reader's position). Does both in an
 * interrupt on the CPU that owns the ring: otherwise producers could lose samples between the two
 * steps. Frozen rings, and rings of offline CPUs, lose no more samples. Returns the head before the
 * move. Must be called with ilk_reader_mutex held.
 */
static u64 move_tail(int cpu, u64 tail)
{
	struct tail_move move = { .cpu = cpu, .tail = tail };

	if (ilk_rings.frozen || smp_call_function_single(cpu, move_tail_here, &move, true))
		move_tail_here(&move);
	return move.head;
}

/* ---- the CONSUME call --------------------------------------------------------------- */

static bool is_tail(int cpu, u64 tail)
{
	return tail >= ilk_rings.drains[cpu].tail && tail <= ilk_ring_head(cpu) &&
	       !((tail - 1) % ILK_CELL) && !(is_read_closed() && tail != ilk_rings.drains[cpu].tail);
}

/**
 * ilk_ring_consume() - move the tails, the positions up to which the reader has read
 * @new_tails: one per CPU; 0 leaves the tail unchanged. On return, contains the current tails
 * @heads: set to the heads, one per CPU, before the tails moved
 * @gaps: set to the next gap of each CPU
 * @state: set to ILK_RINGS_FROZEN or 0
 *
 * Return: 0; -EACCES not the reader; -EINVAL an invalid tail, and no tail was moved.
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
		if (!ret && new_tails[cpu] && new_tails[cpu] != drains[cpu].tail && drains[cpu].area && !is_read_closed())
			heads[cpu] = move_tail(cpu, new_tails[cpu]);
		else
			heads[cpu] = note_gap(cpu);
		drop_passed_gaps(&drains[cpu], ilk_ring_head(cpu));
		new_tails[cpu] = READ_ONCE(drains[cpu].tail);
		gaps[cpu] = get_next_gap(&drains[cpu]);
		drains[cpu].reported = gaps[cpu].lost;
	}
	*state = ilk_rings.frozen ? ILK_RINGS_FROZEN : 0;
out_unlock:
	mutex_unlock(&ilk_reader_mutex);
	return ret;
}

/* ---- read(): copies records ------------------------------------------------------------ */

/* Copies one record out of the ring. Returns the size of all its cells, in bytes. */
static size_t copy_record(int cpu, u64 tail, u8 *out)
{
	size_t bytes = ilk_record_bytes(ilk_ring_cell(cpu, tail)), at;

	for (at = 0; at < bytes; at += ILK_CELL)
		memcpy(out + at, ilk_ring_cell(cpu, tail + at), ILK_CELL);
	((struct ilk_record *)out)->commit = cpu;
	return bytes;
}

static size_t make_gap_record(int cpu, u8 *out)
{
	struct ilk_drain *drain = &ilk_rings.drains[cpu];
	struct ilk_lost lost = {
		.lost = get_gap(drain, 0)->lost - drain->reported,
		.since = drain->from_known ? drain->from : drain->since,
	};
	struct ilk_record *record = (struct ilk_record *)out;

	memset(out, 0, GAP_BYTES);
	record->commit = cpu;
	record->tsc = rdtsc();
	record->iid = ILK_IID_GAP;
	record->len = sizeof(lost);
	/* @lost is larger than the record's @data, and continues in the next cell. */
	memcpy(out + offsetof(struct ilk_record, data), &lost, sizeof(lost));
	return GAP_BYTES;
}

/*
 * Returns the first gap (place where samples are missing) that was not reported to the reader, or
 * NULL.
 */
static const struct ilk_gap *find_unreported_gap(struct ilk_drain *drain)
{
	return drain->n_gaps && get_gap(drain, 0)->lost != drain->reported ? get_gap(drain, 0) : NULL;
}

/*
 * Copies a record to the reader's buffer. Returns -EFAULT if a page of the buffer is not present;
 * then ilk_ring_read() faults the page in.
 */
static int copy_to_reader(char __user *buf, const u8 *record, size_t bytes)
{
	size_t left;

	pagefault_disable();
	left = copy_to_user(buf, record, bytes);
	pagefault_enable();
	return left ? -EFAULT : 0;
}

/*
 * Reads one record. Returns its size; 0 if none is left, or @buf is too small
 * for it; or -EFAULT.
 */
static ssize_t read_record(int cpu, char __user *buf, size_t size)
{
	struct ilk_drain *drain = &ilk_rings.drains[cpu];
	const struct ilk_gap *gap;
	u8 record[RECORD_MAX];
	size_t bytes;

	note_gap(cpu);
	gap = find_unreported_gap(drain);
	if (gap && drain->tail == gap->from && !drain->from_known) {
		drain->from = drain->since;
		drain->from_known = true;
	}
	if (gap && gap->at <= drain->tail) {
		if (size < GAP_BYTES)
			return 0;
		bytes = make_gap_record(cpu, record);
		if (copy_to_reader(buf, record, bytes))
			return -EFAULT;
		drain->reported = gap->lost;
		drain->from_known = false;
		return bytes;
	}
	if (!ilk_ring_has_record(cpu, drain->tail))
		return 0;
	bytes = copy_record(cpu, drain->tail, record);
	if (bytes > size)
		return 0;
	if (copy_to_reader(buf, record, bytes))
		return -EFAULT;
	drain->since = ((struct ilk_record *)record)->tsc;
	drain->tail += bytes;
	return bytes;
}

/*
 * Reads records of a CPU, and then moves the tail (the reader's position) once, past all of them.
 */
static ssize_t read_cpu(int cpu, char __user *buf, size_t size)
{
	u64 begin = ilk_rings.drains[cpu].tail;
	ssize_t done = 0, n;

	while ((n = read_record(cpu, buf + done, size - done)) > 0) {
		done += n;
		cond_resched();
	}
	if (ilk_rings.drains[cpu].tail != begin)
		move_tail(cpu, ilk_rings.drains[cpu].tail);
	return done ?: n;
}

static ssize_t read_all_cpus(struct ilk_client *client, char __user *buf, size_t size)
{
	ssize_t done = 0, n = 0;
	int cpu;

	mutex_lock(&ilk_reader_mutex);
	if (ilk_rings.reader != client)
		n = -EBUSY;
	for_each_possible_cpu(cpu) {
		if (n < 0 || is_read_closed())
			break;
		n = read_cpu(cpu, buf + done, size - done);
		done += max_t(ssize_t, n, 0);
	}
	mutex_unlock(&ilk_reader_mutex);
	return done ?: n;
}

/**
 * ilk_ring_read() - read whole records, CPU by CPU
 *
 * If a page of @buf is missing, releases the lock, faults the page in, and tries again.
 *
 * Return: number of bytes read; -EINVAL if @size is less than the largest record; -EAGAIN; -EBUSY;
 *     -EFAULT; -ENOMEM.
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
		n = read_all_cpus(client, buf, size);
		if (n == -EFAULT && !fault_in_writeable(buf, RECORD_MAX))
			continue;
		if (n)
			return n;
		if (nonblock)
			return -EAGAIN;
		ilk_ring_start_waiting();
		if (wait_event_interruptible_timeout(ilk_readers, ilk_ring_has_data(), POLL_DELAY) < 0)
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

/* ---- mmap(): maps the rings --------------------------------------------------------------- */

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
 * Maps the rings. Pages are faulted in on access: a CPU that comes online later
 * gets its ring then. Returns 0; -EACCES not the reader; -EPERM the mapping
 * is not read-only; -EINVAL the range is outside the rings.
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
	vma->vm_private_data = client;		/* the client lives as long as the file */
	vma->vm_ops = &ring_vm_ops;
	return 0;
}

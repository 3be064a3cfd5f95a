// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gilkd-bpf-rings.c - sample rings in a BPF map, which programs fill: see gilk-wire-bpf.h
 *
 * The agent writes the limits; only a program that freezes the rings sets them to 0, too. A limit
 * is 0 until the rings are claimed, and again once they are frozen. A CPU loses samples only while
 * its head is at the limit or above, and then the head does not move: so all samples that were lost
 * since the limit was last moved are missing at one position.
 *
 * With ILK_RING_OVERWRITE, the agent drops the oldest records at each check, as ilk-recorder.c does
 * in the driver. If programs fill the last quarter of a ring between two checks, new samples are lost,
 * too.
 *
 * The programs of a hostile client may write anything into the rings at any time, so a record is
 * copied before it is checked, and a head that cannot be right counts as an empty ring.
 */
#include <errno.h>
#include <linux/membarrier.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "gilkd-bpf.h"

#define RECORD_BYTES	(ILK_RECORD_CELLS(ILK_SAMPLE_MAX) * ILK_CELL)
#define NEVER_WRAPS	(1ull << 32)
#define QUIET_NS	20000000	/* assumed maximum time for which a program writes a
					 * record */

_Static_assert(RECORD_BYTES - ILK_CELL <= GILK_BPF_RING_SLACK, "records end in the slack");

static struct gilk_bpf_ring *get_header(const struct gilkd_samples *r, uint32_t cpu)
{
	const uint64_t stride = GILK_BPF_RING_STRIDE(r->ring_bytes);

	return (struct gilk_bpf_ring *)(r->bpf->ring.at + cpu * stride);
}

static uint64_t load_word(const uint64_t *word)
{
	return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

static void set_limit(const struct gilkd_samples *r, uint32_t cpu, uint64_t limit)
{
	r->rings[cpu].limit = limit;
	__atomic_store_n(&get_header(r, cpu)->limit, limit, __ATOMIC_RELEASE);
}

/*
 * Moves the limit (the position at which a ring is full) of a CPU's ring, unless a program has
 * frozen the rings: then the limit stays 0 until the next claim.
 */
static void move_limit(const struct gilkd_samples *r, uint32_t cpu, uint64_t limit)
{
	struct gilkd_ring *ring = &r->rings[cpu];
	uint64_t was = ring->limit;

	if (was && __atomic_compare_exchange_n(&get_header(r, cpu)->limit, &was, limit, false,
					       __ATOMIC_RELEASE, __ATOMIC_RELAXED))
		ring->limit = limit;
	else
		ring->limit = 0;
}

/*
 * Returns the head (write position) of a CPU's ring; returns the tail if a program has written an
 * impossible head.
 */
static uint64_t read_head(const struct gilkd_samples *r, uint32_t cpu)
{
	const struct gilkd_ring *ring = &r->rings[cpu];
	const uint64_t head = load_word(&get_header(r, cpu)->head);

	return head - ring->tail > r->ring_bytes || (head - ring->tail) % ILK_CELL ?
		ring->tail : head;
}

/* ---- claiming the rings ---- */

static bool fail_claim(struct gilkd_samples *r, int error)
{
	if (error == EINVAL)
		gilkd_fail(r->client, error, "The sample rings have %llu KiB on each CPU, a size "
					     "that was set when BPF was chosen for hooks; request "
					     "this size, or 0.",
			   (unsigned long long)r->bpf->ring_bytes >> 10);
	else
		gilkd_fail(r->client, error, "Not enough memory for sample rings of %llu KiB on "
					     "each of %u CPUs; choose smaller ones.",
			   (unsigned long long)r->bpf->ring_bytes >> 10, r->bpf->nr_cpus);
	return false;
}

static bool claim_rings(struct gilkd_samples *r, const struct gilk_samples_start *start)
{
	struct gilkd_bpf *bpf = r->bpf;
	uint32_t cpu;

	if (start->mode > ILK_RING_OVERWRITE || start->window_ns > ILK_WINDOW_NS_MAX ||
	    (start->window_ns && start->mode != ILK_RING_OVERWRITE)) {
		gilkd_fail(r->client, EINVAL, "The mode of the sample rings or the age limit of samples is invalid; "
					      "choose at most an hour.");
		return false;
	}
	if (start->ring_bytes && start->ring_bytes != bpf->ring_bytes)
		return fail_claim(r, EINVAL);
	r->rings = calloc(bpf->nr_cpus, sizeof(*r->rings));
	if (!r->rings || gilkd_bpf_ring_create(bpf))
		return fail_claim(r, ENOMEM);
	r->nr_cpus = bpf->nr_cpus;
	r->ring_bytes = bpf->ring_bytes;
	for (cpu = 0; cpu < r->nr_cpus; cpu++) {
		struct gilkd_ring *ring = &r->rings[cpu];

		ring->cells = (const uint8_t *)(get_header(r, cpu) + 1);
		ring->lost_before = load_word(&get_header(r, cpu)->lost);
		ring->head = ring->tail = load_word(&get_header(r, cpu)->head);
		set_limit(r, cpu, ring->tail + r->ring_bytes - ILK_RING_MARGIN * ILK_CELL);
	}
	return true;
}

static void end_rings(struct gilkd_samples *r)
{
	uint32_t cpu;

	for (cpu = 0; r->rings && cpu < r->nr_cpus; cpu++)
		set_limit(r, cpu, 0);
	free(r->rings);
}

/* ---- reading the rings ---- */

/*
 * Notes that the total number of lost samples is now @lost, and that the newly lost samples are
 * missing where the ring was last full. If there are too many such gaps, merges the new one with
 * the last.
 */
static void note_lost(struct gilkd_ring *ring, uint64_t lost)
{
	const uint64_t at = ring->full_at, from = ring->full_from ? ring->full_from : at;
	struct ilk_gap *last = ring->gap_count ? &ring->gaps[ring->gap_count - 1] : NULL;

	if (lost == (last ? last->lost : ring->reported_lost))
		return;
	if (!last || (last->at != at && ring->gap_count < GILKD_GAPS)) {
		last = &ring->gaps[ring->gap_count++];
		last->from = from;
	}
	last->at = at;
	last->lost = lost;
	ring->full_from = 0;
	ring->gap = ring->gaps[0];
}

/*
 * Notes which gaps (places where samples are missing) the tail has reached, and makes the next one
 * the ring's gap.
 */
static void note_gaps_reached(struct gilkd_ring *ring)
{
	gilkd_ring_note_gap_reached(ring);
	while (ring->gap_count && ring->gaps[0].lost == ring->reported_lost) {
		ring->gap_count--;
		memmove(ring->gaps, ring->gaps + 1, ring->gap_count * sizeof(ring->gaps[0]));
		if (ring->gap_count)
			ring->gap = ring->gaps[0];
		gilkd_ring_note_gap_reached(ring);
	}
}

/* Copies the record at a position to @copy. Returns its number of cells; 0: it is not complete. */
static size_t copy_record(const struct gilkd_samples *r, const struct gilkd_ring *ring, uint64_t position,
			  uint8_t *copy)
{
	const uint8_t *cell = ring->cells + (position & (r->ring_bytes - ILK_CELL));
	uint32_t len;

	/* Pairs with the program's store of commit, which is its last store. */
	if (__atomic_load_n(&((const struct ilk_record *)cell)->commit,
			    __ATOMIC_ACQUIRE) != position)
		return 0;
	memcpy(copy, cell, ILK_CELL);
	len = ((const struct ilk_record *)copy)->len;
	if (len > ILK_SAMPLE_MAX)
		return 0;
	memcpy(copy + ILK_CELL, cell + ILK_CELL, (ILK_RECORD_CELLS(len) - 1) * ILK_CELL);
	return ILK_RECORD_CELLS(len);
}

/*
 * Counts a record of a CPU as overwritten. Returns false if memory is short; the record must stay
 * in this case, because each missing sample has to be counted.
 */
static bool count_overwritten(const struct gilkd_samples *r, uint32_t cpu, uint32_t iid)
{
	struct gilkd_bpf_hook *hook = gilkd_bpf_hook(r->bpf, iid);

	if (!hook)
		return true;
	if (!hook->overwritten)
		hook->overwritten = calloc(r->nr_cpus, sizeof(*hook->overwritten));
	if (!hook->overwritten)
		return false;
	hook->overwritten[cpu]++;
	return true;
}

/*
 * Drops a CPU's oldest records until the ring is at most three quarters full, and records that are
 * older than the window. Must be called after the ring's head was read.
 */
static void drop_oldest(struct gilkd_samples *r, uint32_t cpu)
{
	struct gilkd_ring *ring = &r->rings[cpu];
	uint8_t copy[RECORD_BYTES] __attribute__((aligned(8)));
	const struct ilk_record *record = (const struct ilk_record *)copy;
	const uint64_t now = gilkd_bpf_now();
	size_t cells;

	while (ring->tail != ring->head) {
		cells = copy_record(r, ring, ring->tail, copy);
		if (!cells || cells * ILK_CELL > ring->head - ring->tail)
			return;
		if (ring->head - ring->tail <= r->ring_bytes / 4 * 3 &&
		    (!r->window_ns || now < record->tsc || now - record->tsc <= r->window_ns))
			return;
		if (!count_overwritten(r, cpu, record->iid))
			return;
		ring->tail += cells * ILK_CELL;
		ring->dropped += cells * ILK_CELL;
		ring->unsent_lost++;
	}
}

/*
 * Returns the position at which the ring was full under an earlier limit: the end of the first record
 * that reaches @limit. The head was at @from before, and is at the limit or above now.
 */
static uint64_t find_full_position(const struct gilkd_samples *r, const struct gilkd_ring *ring, uint64_t from,
				   uint64_t limit)
{
	uint8_t copy[RECORD_BYTES] __attribute__((aligned(8)));
	size_t cells;

	while (from < limit) {
		cells = copy_record(r, ring, from, copy);
		if (!cells)
			break;
		from += cells * ILK_CELL;
	}
	return from;
}

/*
 * Reads the head and the lost counter of a CPU's ring. Then moves the limit to free the cells up to
 * the tail, unless the rings are frozen or, except while records are overwritten, @ask is set.
 *
 * Programs may lose more samples from a full ring until the limit has moved. These are missing where
 * the head stood, so the lost counter is read again after the move, unless the ring is full again by
 * then: the next call notes one gap from there on. A program that has read the old limit may
 * increment the lost counter even later. The next call then finds a ring that is not full, and notes
 * this loss at the head at which the ring was last full (@full_at).
 */
static void consume_ring(struct gilkd_samples *r, uint32_t cpu, bool ask)
{
	struct gilkd_ring *ring = &r->rings[cpu];
	const struct gilk_bpf_ring *header = get_header(r, cpu);
	const uint64_t old_limit = load_word(&header->limit);
	const bool overwrites = r->mode == ILK_RING_OVERWRITE && !r->frozen && old_limit;
	uint64_t lost = load_word(&header->lost) - ring->lost_before, limit, head;
	bool full;

	/* If a program has frozen the rings, all later samples are lost at the current head. */
	if (!old_limit)
		ring->limit = 0;
	ring->head = read_head(r, cpu);
	if (ring->head - ring->tail > r->used)
		r->used = ring->head - ring->tail;
	full = ring->head >= ring->limit;
	if (full || !ring->full_at)
		ring->full_at = ring->head;
	note_lost(ring, lost);
	if (overwrites)
		drop_oldest(r, cpu);
	limit = ring->tail + r->ring_bytes - ILK_RING_MARGIN * ILK_CELL;
	if ((ask && !overwrites) || r->frozen || limit == ring->limit)
		return;
	move_limit(r, cpu, limit);
	lost = load_word(&header->lost) - ring->lost_before;
	head = read_head(r, cpu);
	if (!full && head >= old_limit)
		ring->full_at = find_full_position(r, ring, ring->head, old_limit);
	if (head < limit)
		note_lost(ring, lost);
	else if (full || head >= old_limit)
		ring->full_from = ring->full_at;
}

static int consume_rings(struct gilkd_samples *r, bool ask)
{
	uint32_t cpu;

	r->used = 0;
	for (cpu = 0; cpu < r->nr_cpus; cpu++) {
		note_gaps_reached(&r->rings[cpu]);
		consume_ring(r, cpu, ask);
	}
	if (r->used > r->used_max)
		r->used_max = r->used;
	return 0;
}

static uint64_t count_overwritten_bytes(const struct gilkd_samples *r)
{
	uint64_t most = 0;
	uint32_t cpu;

	for (cpu = 0; cpu < r->nr_cpus; cpu++)
		if (r->rings[cpu].dropped > most)
			most = r->rings[cpu].dropped;
	return most;
}

/*
 * Stops recording: sets the limits of all rings to 0. Then waits until programs that have read an
 * earlier limit have finished: programs run in RCU read-side critical sections, and membarrier()
 * waits for a grace period.
 */
static int freeze_rings(struct gilkd_samples *r)
{
	static const struct timespec quiet = { 0, QUIET_NS };
	uint32_t cpu;

	for (cpu = 0; cpu < r->nr_cpus; cpu++)
		set_limit(r, cpu, 0);
	if (syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0))
		nanosleep(&quiet, NULL);	/* membarrier() is refused if the kernel was
						 * booted with nohz_full= */
	r->frozen = true;
	return 0;
}

/*
 * Packs the record at the tail. Returns its number of cells; 0: it is not complete.
 *
 * The clock of BPF programs may go back by some ns on one CPU while the kernel adjusts it (see
 * ktime_get_mono_fast_ns() in kernel/time/timekeeping.c). Records of a CPU are in the order of
 * their hits, so a time that is earlier than that of the previous record is replaced by the latter.
 */
static size_t pack_record(const struct gilkd_samples *r, const struct gilkd_ring *ring,
			  struct gilkd_pack *pack)
{
	uint8_t copy[RECORD_BYTES] __attribute__((aligned(8)));
	struct ilk_record *record = (struct ilk_record *)copy;
	const size_t cells = copy_record(r, ring, ring->tail, copy);

	if (!cells)
		return 0;
	if (record->tsc < ring->last_tsc)
		record->tsc = ring->last_tsc;
	gilkd_pack(pack, copy, NEVER_WRAPS, 0);
	return cells;
}

static void tick_hooks(struct gilkd_samples *r)
{
	gilkd_bpf_tick(r->bpf);
}

const struct gilkd_ring_ops gilkd_bpf_rings = {
	.claim = claim_rings,
	.consume = consume_rings,
	.freeze = freeze_rings,
	.end = end_rings,
	.pack = pack_record,
	.now = gilkd_bpf_now,
	.tick = tick_hooks,
	.freezes_at_stop = true,
	.overwritten = count_overwritten_bytes,
};

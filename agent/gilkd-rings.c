// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gilkd-rings.c - claims, reads and releases the driver's sample rings
 *
 * The rings are claimed through a second descriptor of /dev/ilk. Closing this descriptor ends the
 * claim, and leaves the session's hooks unchanged. The rings are mapped read-only.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "gilkd-samples.h"

/*
 * Ends the claim of the driver's rings: closes the descriptor through which they were claimed, and
 * unmaps the rings, because a mapping keeps the device open.
 */
static void end_rings(struct gilkd_samples *r)
{
	uint32_t cpu;

	for (cpu = 0; r->rings && cpu < r->nr_cpus; cpu++)
		if (r->rings[cpu].cells)
			munmap((void *)r->rings[cpu].cells, r->ring_bytes);
	free(r->rings);
	free(r->words);
	if (r->device >= 0)
		close(r->device);
	r->rings = NULL;
	r->words = NULL;
	r->device = -1;
}

/* ---- claiming the rings ---- */

static int map_rings(struct gilkd_samples *r, const struct ilk_info *info, uint64_t ring_bytes)
{
	uint32_t cpu;

	if (!info->nr_cpus || info->nr_cpus > GILK_WIRE_CPUS_MAX ||
	    ring_bytes < ILK_RING_BYTES_MIN ||
	    ring_bytes & (ring_bytes - 1))
		return EPROTO;

	r->nr_cpus = info->nr_cpus;
	r->ring_bytes = ring_bytes;
	r->rings = calloc(r->nr_cpus, sizeof(*r->rings));
	r->words = calloc(r->nr_cpus, 2 * sizeof(*r->words) + sizeof(struct ilk_gap));
	if (!r->rings || !r->words)
		return ENOMEM;

	for (cpu = 0; cpu < r->nr_cpus; cpu++) {
		void *ring = mmap(NULL, r->ring_bytes, PROT_READ, MAP_SHARED, r->device,
				  (off_t)(cpu * r->ring_bytes));

		if (ring == MAP_FAILED)
			return errno;
		r->rings[cpu].cells = ring;
	}

	return 0;
}

static void fail_claim(struct gilkd_samples *r, int error, uint64_t bytes, uint32_t cpus,
		       uint64_t most)
{
	if (error == EBUSY)
		gilkd_fail(r->client, error, "Another program is reading the sample rings; stop "
					     "its recording and try again.");
	else if (error == ENOMEM)
		gilkd_fail(r->client, error, "Not enough memory for sample rings of %llu KiB on "
					     "each of %u CPUs; choose smaller ones.",
			   (unsigned long long)bytes >> 10, cpus);
	else if (error == EINVAL)
		gilkd_fail(r->client, error, "Invalid sample ring size of %llu KiB; choose a "
					     "power of two from %u to %llu KiB.",
			   (unsigned long long)bytes >> 10, ILK_RING_BYTES_MIN >> 10,
			   (unsigned long long)most >> 10);
	else
		gilkd_fail(r->client, error, "Cannot claim the sample rings; reload the driver.");
}

static bool claim_rings(struct gilkd_samples *r, const struct gilk_samples_start *start)
{
	struct ilk_claim claim = {
		.bytes = start->ring_bytes, .mode = start->mode, .window_ns = start->window_ns,
	};
	struct ilk_info info = { 0 };
	int error;

	if (!gilkd_driver_info(r->driver, &info))
		return false;

	r->device = gilkd_driver_open_file();
	if (r->device < 0 || ioctl(r->device, ILK_IOC_RING_CLAIM, &claim)) {
		error = errno;
		end_rings(r);
		fail_claim(r, error, start->ring_bytes ? start->ring_bytes : info.ring_bytes,
			   info.nr_cpus, info.ring_max);
		return false;
	}
	error = map_rings(r, &info, claim.bytes);
	if (error) {
		end_rings(r);
		gilkd_fail(r->client, error, "Cannot map the sample rings: %s; disarm all "
					     "hooks, then reload the driver.",
					     strerror(error));
		return false;
	}
	return true;
}

/* ---- reading the rings ---- */

static int consume_rings(struct gilkd_samples *r, bool ask)
{
	uint64_t *tails = r->words, *heads = tails + r->nr_cpus;
	struct ilk_gap *gaps = (void *)(heads + r->nr_cpus);
	struct ilk_consume call = {
		.count = r->nr_cpus,
		.tails = (uintptr_t)tails,
		.heads = (uintptr_t)heads,
		.gaps = (uintptr_t)gaps,
	};
	uint32_t cpu;

	for (cpu = 0; cpu < r->nr_cpus; cpu++)
		tails[cpu] = ask ? 0 : r->rings[cpu].tail;
	if (ioctl(r->device, ILK_IOC_CONSUME, &call))
		return errno;
	r->frozen = call.state & ILK_RINGS_FROZEN;
	r->used = 0;
	for (cpu = 0; cpu < r->nr_cpus; cpu++) {
		struct gilkd_ring *ring = &r->rings[cpu];

		ring->tail = tails[cpu];
		ring->head = heads[cpu];
		gilkd_ring_note_gap_reached(ring);
		ring->gap = gaps[cpu];
		if (ring->head - ring->tail > r->used)
			r->used = ring->head - ring->tail;
	}
	if (r->used > r->used_max)
		r->used_max = r->used;
	return 0;
}

static int freeze_rings(struct gilkd_samples *r)
{
	return ioctl(r->device, ILK_IOC_RING_FREEZE) ? errno : 0;
}

static size_t pack_record(const struct gilkd_samples *r, const struct gilkd_ring *ring,
			  struct gilkd_pack *pack)
{
	const uint64_t cell = ring->tail & (r->ring_bytes - ILK_CELL);
	const struct ilk_record *record = (const void *)(ring->cells + cell);
	size_t before = pack->cells;

	/* Pairs with the producer's store of commit, which is its last store. */
	if (__atomic_load_n(&record->commit, __ATOMIC_ACQUIRE) != ring->tail ||
	    record->len > ILK_SAMPLE_MAX)
		return 0;
	gilkd_pack(pack, ring->cells, r->ring_bytes, cell);
	return pack->cells - before;
}

static uint64_t read_tsc(void)
{
	return __builtin_ia32_rdtsc();
}

const struct gilkd_ring_ops gilkd_driver_rings = {
	.claim = claim_rings,
	.consume = consume_rings,
	.freeze = freeze_rings,
	.end = end_rings,
	.pack = pack_record,
	.now = read_tsc,
};

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gilkd-samples.c - sends samples from the per-CPU rings to the stream
 *
 * The rings are mapped read-only. With ILK_RING_DROP, in every period:
 *
 *   1. get heads and gaps (CONSUME): a ring whose head never moved may not exist
 *   2. for each CPU, pack whole committed records from tail to head, or to the next gap,
 *      into one frame and send it, then move on to the next CPU. Frames that
 *      do not fit in the stream wait in the backlog
 *   3. pass the new tails to the driver (CONSUME), which makes room for producers
 *
 * In the other modes nothing is read until the rings are frozen, by SAMPLES_FREEZE, by SAMPLES_STOP
 * or, with ILK_RING_STOP, when a ring is full; from then on they are read as above.
 *
 * The rings are claimed through a separate descriptor, which SAMPLES_STOP closes: that ends the
 * claim, and leaves the session's hooks unchanged.
 *
 * If a client is slow for long, the backlog and the rings fill, and the driver counts the samples
 * that are lost: the agent itself never drops a record. See ilk-abi-ring.h.
 */
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "gilkd-pack.h"
#include "gilkd-privileges.h"
#include "gilkd-samples.h"

#define PERIOD_MAX_MS	60000u
#define BUSY_SHARE	16		/* busy: at least 1/16 of a ring was filled since the
					 * last check */
#define BUSY_MS		1		/* ms between checks when busy */
#define URGENT_SHARE	8		/* the priority is real-time while at least 1/8 of a
					 * ring is used */
#define STOP_TRIES	200		/* maximum number of tries to drain the rings: enough for
					 * an interrupted producer to finish */
#define FRAME_CELLS	(1u << 15)	/* maximum number of cells in a frame */
#define OUT_BYTES	(sizeof(struct gilk_samples) + GILKD_PART + 2 * GILKD_PACK_ROOM)
#define FRAME_MAX	(sizeof(struct gilk_frame) + OUT_BYTES)

_Static_assert(FRAME_CELLS * ILK_CELL + 2 * ILK_CELL + ILK_SAMPLE_MAX <= GILK_WIRE_CELLS_MAX,
	       "a frame may be unpacked");

static void unmap_rings(struct gilkd_samples *r)
{
	uint32_t cpu;

	for (cpu = 0; r->rings && cpu < r->nr_cpus; cpu++)
		if (r->rings[cpu].cells)
			munmap((void *)r->rings[cpu].cells, r->ring_bytes);
	free(r->rings);
	free(r->words);
	free(r->out);
}

/*
 * Sets or clears the lowest real-time priority, which the agent has while a ring is filling. At
 * normal priority, a thread that constantly produces samples gets half of the processor, and
 * may fill a ring faster than the agent empties it with the other half. A nice value would not help
 * if the kernel groups tasks by session. If the real-time priority is not permitted, nothing
 * changes.
 */
static void set_urgent(struct gilkd_samples *r, bool urgent)
{
	const struct sched_param param = { .sched_priority = urgent ? GILKD_URGENT : 0 };

	if (urgent != r->urgent)
		sched_setscheduler(0, (urgent ? SCHED_RR : SCHED_OTHER) | SCHED_RESET_ON_FORK, &param);
	r->urgent = urgent;
}

void gilkd_samples_init(struct gilkd_samples *r, struct gilkd_driver *driver)
{
	*r = (struct gilkd_samples){ .client = driver->client, .driver = driver, .device = -1 };
}

/*
 * May be called repeatedly. The claim on the rings ends only when the rings are unmapped and
 * the descriptor is closed, because a mapping keeps the device open, too.
 */
void gilkd_samples_end(struct gilkd_samples *r)
{
	unmap_rings(r);
	if (r->device >= 0)
		close(r->device);
	gilkd_backlog_end(r->client);
	set_urgent(r, false);
	gilkd_samples_init(r, r->driver);
}

/* Returns when gilkd_samples_tick() must next read rings; UINT64_MAX: never. */
uint64_t gilkd_samples_next_ms(const struct gilkd_samples *r)
{
	return r->running ? r->next_ms : UINT64_MAX;
}

static bool has_gap(const struct gilkd_ring *ring)
{
	return ring->gap.lost != ring->reported_lost;
}

/*
 * If the tail has reached the gap, notes how many samples are missing at the gap, to report them in
 * a gap record. The next CONSUME replaces the gap by the one after it.
 */
static void note_gap_reached(struct gilkd_ring *ring)
{
	if (!has_gap(ring) || ring->gap.at > ring->tail)
		return;
	ring->unsent_lost += ring->gap.lost - ring->reported_lost;
	ring->reported_lost = ring->gap.lost;
}

/*
 * Passes the tails to the driver, or with @ask gets the tails from the driver; then gets heads
 * and gaps. Returns 0 or an errno.
 */
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
		note_gap_reached(ring);
		ring->gap = gaps[cpu];
		if (ring->head - ring->tail > r->used)
			r->used = ring->head - ring->tail;
	}
	if (r->used > r->used_max)
		r->used_max = r->used;
	return 0;
}

static int map_rings(struct gilkd_samples *r, const struct ilk_info *info, uint64_t ring_bytes)
{
	uint32_t cpu;

	if (!info->nr_cpus || info->nr_cpus > GILK_WIRE_CPUS_MAX || ring_bytes < ILK_RING_BYTES_MIN ||
	    ring_bytes & (ring_bytes - 1))
		return EPROTO;

	r->nr_cpus = info->nr_cpus;
	r->ring_bytes = ring_bytes;
	r->rings = calloc(r->nr_cpus, sizeof(*r->rings));
	r->words = calloc(r->nr_cpus, 2 * sizeof(*r->words) + sizeof(struct ilk_gap));
	r->out = malloc(OUT_BYTES);
	if (!r->rings || !r->words || !r->out)
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

/* Claims and maps the rings. Answers the request if this fails. */
static bool claim_rings(struct gilkd_samples *r, const struct gilk_samples_start *start)
{
	struct ilk_claim claim = {
		.bytes = start->ring_bytes, .mode = start->mode, .window_ns = start->window_ns,
	};
	struct ilk_info info = { 0 };
	uint32_t cpu;
	int error;

	if (!gilkd_driver_info(r->driver, &info))
		return false;

	r->device = gilkd_driver_open_file();
	if (r->device < 0 || ioctl(r->device, ILK_IOC_RING_CLAIM, &claim)) {
		error = errno;
		gilkd_samples_end(r);
		fail_claim(r, error, start->ring_bytes ? start->ring_bytes : info.ring_bytes,
			   info.nr_cpus, info.ring_max);
		return false;
	}
	error = map_rings(r, &info, claim.bytes);
	if (!error)
		error = gilkd_backlog_start(r->client);
	if (!error)
		error = consume_rings(r, true);
	if (error) {
		gilkd_samples_end(r);
		gilkd_fail(r->client, error, "Cannot map the sample rings: %s; disarm all "
					     "hooks, then reload the driver.",
					     strerror(error));
		return false;
	}
	for (cpu = 0; cpu < r->nr_cpus; cpu++)
		r->rings[cpu].first = r->rings[cpu].tail;
	r->used = r->used_max = 0;

	return true;
}

static void answer_rings(struct gilkd_samples *r)
{
	const struct gilk_rings rings = {
		.ring_bytes = r->ring_bytes, .used = r->used, .used_max = r->used_max,
		.frozen = r->frozen,
	};

	gilkd_answer(r->client, &rings, sizeof(rings));
}

void gilkd_do_samples_start(struct gilkd_samples *r, uint8_t *payload, size_t length)
{
	struct gilk_samples_start start;

	memcpy(&start, payload, sizeof(start));
	if (!start.period_ms || start.period_ms > PERIOD_MAX_MS) {
		gilkd_fail(r->client, EINVAL, "A flush period of %u ms is out of range; choose 1 "
					      "to %u ms.", start.period_ms, PERIOD_MAX_MS);
		return;
	}
	if (r->running) {
		gilkd_fail(r->client, EALREADY, "Samples are already being read on this "
						"connection; stop reading them first.");
		return;
	}
	if (!claim_rings(r, &start))
		return;

	r->mode = start.mode;
	r->period_ms = start.period_ms;
	r->next_ms = gilkd_now_ms() + start.period_ms;
	r->running = true;
	answer_rings(r);
}

static void send_samples(struct gilkd_samples *r, uint32_t cpu, const struct gilkd_pack *pack)
{
	struct gilk_samples samples = { .cpu = cpu, .bytes = pack->cells * ILK_CELL };
	struct gilk_frame head = {
		.magic = GILK_WIRE_MAGIC,
		.length = pack->at - r->out,
		.type = GILK_SAMPLES_PACKED,
	};

	memcpy(r->out, &samples, sizeof(samples));
	gilkd_backlog_put(r->client, &head, r->out);
}

static void pack_gap(struct gilkd_pack *pack, struct gilkd_ring *ring)
{
	const struct ilk_lost lost = {
		.lost = ring->unsent_lost,
		.since = ring->has_gap_tsc ? ring->gap_tsc : ring->last_tsc,
	};
	uint8_t bytes[sizeof(struct ilk_record) + ILK_CELL] __attribute__((aligned(8))) = { 0 };
	struct ilk_record *record = (void *)bytes;

	record->tsc = __builtin_ia32_rdtsc();
	record->iid = ILK_IID_GAP;
	record->len = sizeof(lost);
	memcpy(bytes + offsetof(struct ilk_record, data), &lost, sizeof(lost));
	gilkd_pack(pack, bytes, 1ull << 32, 0);
	ring->unsent_lost = 0;
	ring->has_gap_tsc = false;
}

/* Returns the committed record at the tail, or NULL if there is none yet. */
static const struct ilk_record *get_record(const struct gilkd_samples *r,
					   const struct gilkd_ring *ring)
{
	const struct ilk_record *record =
		(const void *)(ring->cells + (ring->tail & (r->ring_bytes - ILK_CELL)));

	/* Pairs with the producer's store of commit, which is its last store. */
	if (__atomic_load_n(&record->commit, __ATOMIC_ACQUIRE) != ring->tail ||
	    record->len > ILK_SAMPLE_MAX)
		return NULL;

	return record;
}

static void pack_records(const struct gilkd_samples *r, struct gilkd_ring *ring, uint64_t end,
			 struct gilkd_pack *pack)
{
	const uint8_t *full = r->out + GILKD_PART;
	const struct ilk_record *record;

	while (pack->at < full && pack->cells < FRAME_CELLS) {
		if (has_gap(ring) && ring->tail == ring->gap.from && !ring->has_gap_tsc) {
			ring->gap_tsc = ring->last_tsc;
			ring->has_gap_tsc = true;
		}
		record = ring->tail != end ? get_record(r, ring) : NULL;
		if (!record)
			return;
		gilkd_pack(pack, ring->cells, r->ring_bytes, ring->tail & (r->ring_bytes - ILK_CELL));
		ring->last_tsc = record->tsc;
		ring->tail += ILK_RECORD_CELLS(record->len) * ILK_CELL;
	}
}

/*
 * Sends at most one frame of a CPU's records; sends nothing while the backlog is full. So every
 * CPU gets its turn, and a CPU that fills its ring faster than the stream can empty it does not
 * delay requests.
 * Returns true if the CPU produces so fast that its ring must be read again soon.
 */
static bool drain_cpu(struct gilkd_samples *r, uint32_t cpu)
{
	struct gilkd_ring *ring = &r->rings[cpu];
	uint64_t begin = ring->tail;
	struct gilkd_pack pack;

	if (gilkd_backlog_room(r->client) < FRAME_MAX)
		return ring->tail != ring->head;
	gilkd_pack_start(&pack, r->out + sizeof(struct gilk_samples));
	note_gap_reached(ring);
	if (ring->unsent_lost)
		pack_gap(&pack, ring);
	pack_records(r, ring, has_gap(ring) ? ring->gap.at : ring->head, &pack);
	note_gap_reached(ring);
	if (ring->unsent_lost)
		pack_gap(&pack, ring);
	if (pack.cells)
		send_samples(r, cpu, &pack);

	return ring->tail - begin >= r->ring_bytes / BUSY_SHARE ||
	       (ring->tail != begin && ring->tail != ring->head);
}

/* Freezes the rings: no more samples come in, and their contents can be read. */
static void freeze_rings(struct gilkd_samples *r)
{
	uint32_t cpu;

	/* On an error nothing is read, and all samples are counted as lost at the end. */
	if (ioctl(r->device, ILK_IOC_RING_FREEZE) || consume_rings(r, true))
		return;
	for (cpu = 0; r->mode == ILK_RING_OVERWRITE && cpu < r->nr_cpus; cpu++)
		r->rings[cpu].first = r->rings[cpu].tail;
}

static void update_urgency(struct gilkd_samples *r)
{
	if (r->mode != ILK_RING_DROP)
		return;
	if (r->used >= r->ring_bytes / URGENT_SHARE)
		set_urgent(r, true);
	else if (r->used < r->ring_bytes / BUSY_SHARE)
		set_urgent(r, false);
}

static bool is_ring_full(const struct gilkd_samples *r)
{
	uint32_t cpu;

	for (cpu = 0; cpu < r->nr_cpus; cpu++)
		if (r->rings[cpu].head - r->rings[cpu].tail + ILK_RING_MARGIN * ILK_CELL >= r->ring_bytes)
			return true;

	return false;
}

static bool drain_rings(struct gilkd_samples *r)
{
	bool busy = false;
	uint32_t cpu;

	consume_rings(r, r->mode != ILK_RING_DROP && !r->frozen);
	if (r->mode == ILK_RING_STOP && !r->frozen && is_ring_full(r))
		freeze_rings(r);
	if (r->mode != ILK_RING_DROP && !r->frozen)
		return false;
	update_urgency(r);
	for (cpu = 0; cpu < r->nr_cpus; cpu++)
		busy |= drain_cpu(r, cpu);
	/* An error here leaves the limits unchanged: samples are counted as lost. */
	consume_rings(r, false);

	return busy;
}

/* Returns whether a ring is filling, and the backlog has room for its records. */
static bool must_drain_first(const struct gilkd_samples *r)
{
	return r->urgent && gilkd_backlog_room(r->client) >= FRAME_MAX;
}

static void drain_if_due(struct gilkd_samples *r)
{
	uint64_t now = gilkd_now_ms();
	bool busy;

	if (now < r->next_ms)
		return;
	busy = drain_rings(r);
	r->next_ms = must_drain_first(r) ? now : now + (busy ? BUSY_MS : r->period_ms);
}

void gilkd_samples_tick(struct gilkd_samples *r)
{
	if (r->running)
		drain_if_due(r);
	if (!must_drain_first(r))
		gilkd_backlog_push(r->client);
}

static bool fail_if_idle(struct gilkd_samples *r)
{
	if (!r->running)
		gilkd_fail(r->client, EINVAL, "No samples are being read on this "
					      "connection; start reading them first.");

	return !r->running;
}

void gilkd_do_samples_freeze(struct gilkd_samples *r, uint8_t *payload, size_t length)
{
	if (fail_if_idle(r))
		return;
	if (!r->frozen)
		freeze_rings(r);
	if (!r->frozen) {
		gilkd_fail(r->client, EIO, "Cannot freeze the sample rings; stop the recording.");
		return;
	}
	r->next_ms = 0;
	gilkd_answer(r->client, NULL, 0);
}

void gilkd_do_rings(struct gilkd_samples *r, uint8_t *payload, size_t length)
{
	if (!fail_if_idle(r))
		answer_rings(r);
}

static bool is_drained(const struct gilkd_samples *r)
{
	uint32_t cpu;

	for (cpu = 0; cpu < r->nr_cpus; cpu++)
		if (r->rings[cpu].head != r->rings[cpu].tail || has_gap(&r->rings[cpu]) || r->rings[cpu].unsent_lost)
			return false;

	return true;
}

void gilkd_do_samples_stop(struct gilkd_samples *r, uint8_t *payload, size_t length)
{
	static const struct timespec pause = { 0, 5000000 };
	struct gilk_samples_end end = { 0 };
	uint32_t cpu;
	int tries = 0;

	if (fail_if_idle(r))
		return;
	if (r->mode != ILK_RING_DROP && !r->frozen)
		freeze_rings(r);

	/*
	 * Hooks that are still armed keep producing samples: then the loop ends after
	 * STOP_TRIES.
	 */
	while (!r->client->broken && tries < STOP_TRIES) {
		bool busy = drain_rings(r);

		if (is_drained(r))
			break;
		if (gilkd_backlog_room(r->client) < FRAME_MAX)
			gilkd_backlog_flush(r->client);
		tries++;
		if (!busy)
			nanosleep(&pause, NULL);
	}
	gilkd_backlog_flush(r->client);
	for (cpu = 0; cpu < r->nr_cpus; cpu++) {
		end.produced_cells += (r->rings[cpu].head - r->rings[cpu].first) / ILK_CELL;
		end.sent_cells += (r->rings[cpu].tail - r->rings[cpu].first) / ILK_CELL;
	}
	/* The client may claim the rings again as soon as it gets the answer. */
	gilkd_samples_end(r);
	gilkd_answer(r->client, &end, sizeof(end));
}

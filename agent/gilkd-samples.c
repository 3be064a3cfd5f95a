// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gilkd-samples.c - sends samples from the per-CPU rings to the stream
 *
 * The rings are the driver's (gilkd-rings.c) or in a BPF map (gilkd-bpf-rings.c). With
 * ILK_RING_DROP, in every period:
 *
 *   1. get heads and gaps (consume): a ring whose head never moved may not exist
 *   2. for each CPU, pack whole committed records from tail to head, or to the next gap,
 *      into one frame and send it, then move on to the next CPU. Frames that
 *      do not fit in the stream wait in the backlog
 *   3. consume again with the new tails, which makes room for producers
 *
 * In the other modes nothing is read until the rings are frozen, by SAMPLES_FREEZE, by SAMPLES_STOP
 * or, with ILK_RING_STOP, when a ring is full; from then on they are read as above. With
 * ILK_RING_OVERWRITE the driver drops the oldest records until then; in a BPF map, consume() does.
 *
 * If a client is slow for long, the backlog and the rings fill, and the producers count the samples
 * that are lost: the agent itself never drops a record. See ilk-abi-ring.h.
 */
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "gilkd-privileges.h"
#include "gilkd-samples.h"

#define PERIOD_MAX_MS	60000u
#define BUSY_SHARE	16		/* a CPU is busy if it filled at least 1/16 of its ring
					 * since the last check */
#define BUSY_MS		1		/* ms between checks of the rings while a CPU is busy */
#define URGENT_SHARE	8		/* the priority is real-time while at least 1/8 of a
					 * ring is used */
#define STOP_TRIES	200		/* maximum number of tries to empty the rings: enough for
					 * an interrupted producer to finish its record */
#define FRAME_CELLS	(1u << 15)	/* maximum number of 32-byte ring cells in a frame */
#define OUT_BYTES	(sizeof(struct gilk_samples) + GILKD_PART + 2 * GILKD_PACK_ROOM)
#define FRAME_MAX	(sizeof(struct gilk_frame) + OUT_BYTES)

_Static_assert(FRAME_CELLS * ILK_CELL + 2 * ILK_CELL + ILK_SAMPLE_MAX <= GILK_WIRE_CELLS_MAX,
	       "a frame may be unpacked");

/*
 * Sets or clears the lowest real-time priority, which the agent has while a ring is filling or a
 * watchpoint is live. At normal priority, a thread that constantly produces samples gets half of the
 * processor, and may fill a ring faster than the agent empties it with the other half. A nice value
 * would not help if the kernel groups tasks by session. If the real-time priority is not permitted,
 * nothing changes.
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
	*r = (struct gilkd_samples){
		.client = driver->client, .driver = driver, .device = -1, .ops = &gilkd_driver_rings,
	};
}

/* Chooses the rings to read from now on. @bpf: owner of the rings; NULL: the driver. */
void gilkd_samples_use(struct gilkd_samples *r, const struct gilkd_ring_ops *ops, struct gilkd_bpf *bpf)
{
	r->ops = ops;
	r->bpf = bpf;
}

/* Stops reading samples and releases the rings. Does nothing if no samples are read. */
void gilkd_samples_end(struct gilkd_samples *r)
{
	const struct gilkd_ring_ops *ops = r->ops;
	struct gilkd_bpf *bpf = r->bpf;

	ops->end(r);
	free(r->out);
	gilkd_backlog_end(r->client);
	r->filling = false;
	set_urgent(r, false);
	gilkd_samples_init(r, r->driver);
	gilkd_samples_use(r, ops, bpf);
}

/* Returns when gilkd_samples_tick() must next read rings; UINT64_MAX: never. */
uint64_t gilkd_samples_next_ms(const struct gilkd_samples *r)
{
	return r->running ? r->next_ms : UINT64_MAX;
}

/* Claims the rings. Answers the request if this fails. */
static bool claim_rings(struct gilkd_samples *r, const struct gilk_samples_start *start)
{
	uint32_t cpu;
	int error;

	if (!r->ops->claim(r, start)) {
		gilkd_samples_end(r);
		return false;
	}
	r->out = malloc(OUT_BYTES);
	error = r->out ? gilkd_backlog_start(r->client) : ENOMEM;
	if (!error)
		error = r->ops->consume(r, true);
	if (error) {
		gilkd_samples_end(r);
		gilkd_fail(r->client, error, "Cannot read the sample rings: %s; free some memory on "
					     "the target, or reload the driver.", strerror(error));
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
	r->window_ns = start.window_ns;
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

static void pack_gap(const struct gilkd_samples *r, struct gilkd_pack *pack, struct gilkd_ring *ring)
{
	const struct ilk_lost lost = {
		.lost = ring->unsent_lost,
		.since = ring->has_gap_tsc ? ring->gap_tsc : ring->last_tsc,
	};
	uint8_t bytes[sizeof(struct ilk_record) + ILK_CELL] __attribute__((aligned(8))) = { 0 };
	struct ilk_record *record = (void *)bytes;

	record->tsc = r->ops->now();
	record->iid = ILK_IID_GAP;
	record->len = sizeof(lost);
	memcpy(bytes + offsetof(struct ilk_record, data), &lost, sizeof(lost));
	gilkd_pack(pack, bytes, 1ull << 32, 0);
	ring->unsent_lost = 0;
	ring->has_gap_tsc = false;
}

static void pack_records(const struct gilkd_samples *r, struct gilkd_ring *ring, uint64_t end,
			 struct gilkd_pack *pack)
{
	const uint8_t *full = r->out + GILKD_PART;
	size_t cells;

	while (pack->at < full && pack->cells < FRAME_CELLS) {
		if (gilkd_ring_has_gap(ring) && ring->tail >= ring->gap.from && !ring->has_gap_tsc) {
			ring->gap_tsc = ring->last_tsc;
			ring->has_gap_tsc = true;
		}
		cells = ring->tail != end ? r->ops->pack(r, ring, pack) : 0;
		if (!cells)
			return;
		ring->last_tsc = pack->tsc;
		ring->tail += cells * ILK_CELL;
	}
}

/*
 * Sends at most one frame of a CPU's records; sends nothing while the backlog (frames that wait for
 * the stream) is full. So every CPU gets its turn, and a CPU that fills its ring faster than the
 * stream can empty it does not delay requests. Returns true if the CPU produces so fast that its
 * ring must be read again soon.
 */
static bool drain_cpu(struct gilkd_samples *r, uint32_t cpu)
{
	struct gilkd_ring *ring = &r->rings[cpu];
	uint64_t begin = ring->tail;
	struct gilkd_pack pack;

	if (gilkd_backlog_room(r->client) < FRAME_MAX)
		return ring->tail != ring->head;
	gilkd_pack_start(&pack, r->out + sizeof(struct gilk_samples));
	gilkd_ring_note_gap_reached(ring);
	if (ring->unsent_lost)
		pack_gap(r, &pack, ring);
	pack_records(r, ring, gilkd_ring_has_gap(ring) ? ring->gap.at : ring->head, &pack);
	gilkd_ring_note_gap_reached(ring);
	if (ring->unsent_lost)
		pack_gap(r, &pack, ring);
	if (pack.cells)
		send_samples(r, cpu, &pack);

	return ring->tail - begin >= r->ring_bytes / BUSY_SHARE ||
	       (ring->tail != begin && ring->tail != ring->head);
}

/*
 * Freezes the rings: from now on, new samples are lost, and the contents of the rings can be read.
 */
static void freeze_rings(struct gilkd_samples *r)
{
	uint32_t cpu;

	/*
	 * After an error nothing is read: all samples in the rings are counted as lost when they
	 * are released.
	 */
	if (r->ops->freeze(r) || r->ops->consume(r, true))
		return;
	for (cpu = 0; r->mode == ILK_RING_OVERWRITE && cpu < r->nr_cpus; cpu++)
		r->rings[cpu].first = r->rings[cpu].tail;
}

static void update_urgency(struct gilkd_samples *r)
{
	if (r->mode == ILK_RING_DROP && r->used >= r->ring_bytes / URGENT_SHARE)
		r->filling = true;
	else if (r->mode == ILK_RING_DROP && r->used < r->ring_bytes / BUSY_SHARE)
		r->filling = false;
	set_urgent(r, r->filling || r->watches);
}

/*
 * Returns whether records are overwritten at a rate of at least 1/BUSY_SHARE of a ring per period,
 * so that consume(), which has just been called, must be called again soon.
 */
static bool is_overwriting_fast(struct gilkd_samples *r)
{
	const uint64_t now = gilkd_now_ms(), dropped = r->ops->overwritten ? r->ops->overwritten(r) : 0;
	const uint64_t elapsed = now > r->checked_ms ? now - r->checked_ms : 1;
	const bool fast = !r->frozen && (dropped - r->dropped) / elapsed * r->period_ms >= r->ring_bytes / BUSY_SHARE;

	r->dropped = dropped;
	r->checked_ms = now;
	return fast;
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

	r->ops->consume(r, r->mode != ILK_RING_DROP && !r->frozen);
	if (r->mode == ILK_RING_STOP && !r->frozen && is_ring_full(r))
		freeze_rings(r);
	if (r->mode != ILK_RING_DROP && !r->frozen) {
		busy = is_overwriting_fast(r);
		set_urgent(r, busy || r->watches);
		return busy;
	}
	update_urgency(r);
	for (cpu = 0; cpu < r->nr_cpus; cpu++)
		busy |= drain_cpu(r, cpu);
	/* If this fails, producers get no room, and new samples are counted as lost. */
	r->ops->consume(r, false);

	return busy;
}

/*
 * Returns whether a ring is filling, and the backlog (frames that wait for the stream) has room for
 * its records, so that the rings must be read before anything is sent.
 */
static bool must_drain_first(const struct gilkd_samples *r)
{
	return r->filling && gilkd_backlog_room(r->client) >= FRAME_MAX;
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

/*
 * Reads the rings if this is due, and sends part of the backlog of frames that wait for the stream.
 * With hooks by BPF, first starts and stops hooks that are due.
 */
void gilkd_samples_tick(struct gilkd_samples *r)
{
	if (r->ops->tick)
		r->ops->tick(r);
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
		if (r->rings[cpu].head != r->rings[cpu].tail || gilkd_ring_has_gap(&r->rings[cpu]) || r->rings[cpu].unsent_lost)
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
	if ((r->mode != ILK_RING_DROP || r->ops->freezes_at_stop) && !r->frozen)
		freeze_rings(r);

	/*
	 * If hooks are still armed, new samples keep coming in; in this case the loop ends after
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
	/* Release the rings before the answer: then the client may claim them again at once. */
	gilkd_samples_end(r);
	gilkd_answer(r->client, &end, sizeof(end));
}

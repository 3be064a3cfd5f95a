// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gilkd-samples.c - from the per-CPU rings to the stream
 *
 * The rings are mapped read-only. Every period:
 *
 *   1. learn the heads (CONSUME): a ring whose head never moved may not exist
 *   2. for each CPU, copy whole committed records from tail to head, unwrapped, into
 *      a frame, and send it
 *   3. tell the driver the new tails (CONSUME), which makes room for producers
 *
 * The rings are claimed with a file of their own, which is closed by SAMPLES_STOP: the
 * claim ends there, while hooks of the session stay as they are.
 *
 * A slow client holds up step 2, the rings fill, and the driver counts what is
 * lost: the agent itself never drops a record. See "Rings" in ilk-abi.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "gilkd.h"

#define PERIOD_MAX_MS	60000u
#define BUSY_SHARE	16		/* of a ring, since the last look */
#define BUSY_MS		1		/* then look again after this */
#define STOP_TRIES	200		/* 5 ms apart: an interrupted producer must finish */

static void unmap(struct gilkd_rings *r)
{
	uint32_t cpu;

	for (cpu = 0; r->rings && cpu < r->nr_cpus; cpu++)
		if (r->rings[cpu])
			munmap((void *)r->rings[cpu], r->ring_bytes);
	free(r->rings);
	free(r->tails);
	free(r->heads);
	free(r->started_tails);
	free(r->out);
}

/* Idempotent. Mappings hold the file too: the claim ends when all of it is gone. */
void gilkd_samples_end(struct gilkd *d)
{
	unmap(&d->samples);
	if (d->samples.device >= 0)
		close(d->samples.device);
	d->samples = (struct gilkd_rings){ .device = -1 };
}

/* Tells the driver the tails, and learns tails and heads as they are. Returns 0 or errno. */
static int consume(struct gilkd *d)
{
	struct ilk_consume consume = {
		.count = d->samples.nr_cpus,
		.tails = (uintptr_t)d->samples.tails,
		.heads = (uintptr_t)d->samples.heads,
	};

	return ioctl(d->samples.device, ILK_IOC_CONSUME, &consume) ? errno : 0;
}

static int map_rings(struct gilkd *d, const struct ilk_info *info)
{
	struct gilkd_rings *r = &d->samples;
	uint32_t cpu;

	if (!info->nr_cpus || info->nr_cpus > GILK_WIRE_CPUS_MAX || info->ring_bytes < 4096 ||
	    info->ring_bytes & (info->ring_bytes - 1))
		return EPROTO;

	r->nr_cpus = info->nr_cpus;
	r->ring_bytes = info->ring_bytes;
	r->rings = calloc(r->nr_cpus, sizeof(*r->rings));
	r->tails = calloc(r->nr_cpus, sizeof(*r->tails));
	r->heads = calloc(r->nr_cpus, sizeof(*r->heads));
	r->started_tails = calloc(r->nr_cpus, sizeof(*r->started_tails));
	r->out = malloc(sizeof(struct gilk_samples) + GILKD_PART);
	if (!r->rings || !r->tails || !r->heads || !r->started_tails || !r->out)
		return ENOMEM;

	for (cpu = 0; cpu < r->nr_cpus; cpu++) {
		void *ring = mmap(NULL, r->ring_bytes, PROT_READ, MAP_SHARED, r->device,
				  (off_t)(cpu * r->ring_bytes));

		if (ring == MAP_FAILED)
			return errno;
		r->rings[cpu] = ring;
	}

	return 0;
}

/* Claims and maps the rings. Answers the request if it fails. */
static bool claim(struct gilkd *d)
{
	struct gilkd_rings *r = &d->samples;
	struct ilk_info info = { 0 };
	int error;

	if (!gilkd_driver_info(d, &info))
		return false;

	r->device = gilkd_driver_open_file();
	if (r->device < 0 || ioctl(r->device, ILK_IOC_RING_CLAIM)) {
		error = errno;
		gilkd_samples_end(d);
		gilkd_fail(d, error, error == EBUSY ?
			   "Another program reads the sample rings; stop its recording and try again." :
			   "The sample rings cannot be claimed; reload the driver.");
		return false;
	}
	error = map_rings(d, &info);
	/* Tails of 0 move nothing; the driver answers with where they are. */
	if (!error)
		error = consume(d);
	if (error) {
		gilkd_samples_end(d);
		gilkd_fail(d, error, "The sample rings cannot be mapped: %s; disarm, then reload the "
			   "driver.", strerror(error));
		return false;
	}

	return true;
}

void gilkd_do_samples_start(struct gilkd *d, uint8_t *payload, size_t length)
{
	struct gilkd_rings *r = &d->samples;
	uint32_t period_ms;

	memcpy(&period_ms, payload, sizeof(period_ms));
	if (!period_ms || period_ms > PERIOD_MAX_MS) {
		gilkd_fail(d, EINVAL, "A flush period of %u ms is out of range; choose 1 to %u ms.",
			   period_ms, PERIOD_MAX_MS);
		return;
	}
	if (r->running) {
		gilkd_fail(d, EALREADY, "Samples are already being read on this connection; stop that "
			   "first.");
		return;
	}
	if (!claim(d))
		return;

	memcpy(r->started_tails, r->tails, r->nr_cpus * sizeof(*r->tails));
	r->period_ms = period_ms;
	r->next_ms = gilkd_now_ms() + period_ms;
	r->running = true;
	gilkd_answer(d, NULL, 0);
}

static void send_samples(struct gilkd *d, uint32_t cpu, size_t bytes)
{
	struct gilk_samples samples = { .cpu = cpu, .bytes = bytes };
	struct gilk_frame head = {
		.magic = GILK_WIRE_MAGIC,
		.length = sizeof(samples) + bytes,
		.type = GILK_SAMPLES,
	};

	memcpy(d->samples.out, &samples, sizeof(samples));
	gilkd_send(d, &head, d->samples.out);
}

/* Copies @bytes at position @tail, unwrapping the ring. */
static void copy_out(const struct gilkd_rings *r, uint32_t cpu, uint64_t tail, uint8_t *out,
		     size_t bytes)
{
	uint64_t at = tail & (r->ring_bytes - ILK_CELL);
	size_t first = bytes < r->ring_bytes - at ? bytes : r->ring_bytes - at;

	memcpy(out, r->rings[cpu] + at, first);
	memcpy(out + first, r->rings[cpu], bytes - first);
}

/* The size of the committed record at the tail, 0 if there is none yet. */
static size_t record_bytes(const struct gilkd_rings *r, uint32_t cpu)
{
	uint64_t tail = r->tails[cpu];
	const struct ilk_record *record =
		(const void *)(r->rings[cpu] + (tail & (r->ring_bytes - ILK_CELL)));

	if (tail == r->heads[cpu])
		return 0;
	/* Pairs with the producer storing commit last. */
	if (__atomic_load_n(&record->commit, __ATOMIC_ACQUIRE) != tail ||
	    record->len > ILK_SAMPLE_MAX)
		return 0;

	return (size_t)ILK_RECORD_CELLS(record->len) * ILK_CELL;
}

/*
 * Sends what one CPU has, one frame at most: then every CPU gets its turn, and
 * a CPU that produces faster than the stream carries cannot starve requests.
 * Returns true if it produces so much that its ring should not be left alone.
 */
static bool drain_cpu(struct gilkd *d, uint32_t cpu)
{
	struct gilkd_rings *r = &d->samples;
	uint8_t *cells = r->out + sizeof(struct gilk_samples);
	size_t used = 0, bytes;

	while ((bytes = record_bytes(r, cpu)) && used + bytes <= GILKD_PART) {
		copy_out(r, cpu, r->tails[cpu], cells + used, bytes);
		r->tails[cpu] += bytes;
		used += bytes;
	}
	if (used)
		send_samples(d, cpu, used);

	return used >= r->ring_bytes / BUSY_SHARE;
}

static bool drain(struct gilkd *d)
{
	bool busy = false;
	uint32_t cpu;

	consume(d);
	for (cpu = 0; cpu < d->samples.nr_cpus; cpu++)
		busy |= drain_cpu(d, cpu);
	/* An error here leaves the limits as they are: samples are counted as lost. */
	consume(d);

	return busy;
}

void gilkd_samples_tick(struct gilkd *d)
{
	struct gilkd_rings *r = &d->samples;
	uint64_t now = gilkd_now_ms();

	if (!r->running || now < r->next_ms)
		return;

	r->next_ms = now + (drain(d) ? BUSY_MS : r->period_ms);
}

static bool all_drained(const struct gilkd_rings *r)
{
	uint32_t cpu;

	for (cpu = 0; cpu < r->nr_cpus; cpu++)
		if (r->heads[cpu] != r->tails[cpu])
			return false;

	return true;
}

void gilkd_do_samples_stop(struct gilkd *d, uint8_t *payload, size_t length)
{
	static const struct timespec pause = { 0, 5000000 };
	struct gilkd_rings *r = &d->samples;
	struct gilk_samples_end end = { 0 };
	uint32_t cpu;
	int tries = 0;

	if (!r->running) {
		gilkd_fail(d, EINVAL, "No samples are being read on this connection; start that first.");
		return;
	}

	/* Hooks that are still armed go on producing: then this ends after the tries. */
	while (!d->broken && tries < STOP_TRIES) {
		bool busy = drain(d);

		if (all_drained(r))
			break;
		tries++;
		if (!busy)
			nanosleep(&pause, NULL);
	}
	for (cpu = 0; cpu < r->nr_cpus; cpu++) {
		end.produced_cells += (r->heads[cpu] - r->started_tails[cpu]) / ILK_CELL;
		end.sent_cells += (r->tails[cpu] - r->started_tails[cpu]) / ILK_CELL;
	}
	/* Whoever is told may claim them at once. */
	gilkd_samples_end(d);
	gilkd_answer(d, &end, sizeof(end));
}

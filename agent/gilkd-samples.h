/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilkd-samples.h - sends the contents of the sample rings
 *
 * Code of the agent that waits for anything calls gilkd_samples_tick() repeatedly, so that rings
 * are drained in the meantime.
 */
#ifndef GILKD_SAMPLES_H
#define GILKD_SAMPLES_H

#include "gilkd-driver.h"
#include "gilkd-pack.h"

struct gilkd_bpf;
struct gilkd_samples;

#define GILKD_GAPS	8		/* maximum number of gaps (places where samples are
					 * missing) per ring; further gaps are merged with the
					 * last one */

/**
 * struct gilkd_ring - one CPU's ring
 * @tail, @head: positions, see ilk-abi-ring.h
 * @first: value of @tail at the start; all records from this position on must be sent
 * @gap: the next gap (place where samples are missing)
 * @reported_lost: number of samples missing up to the last gap that the tail reached
 * @unsent_lost: number of these samples that were not reported to the client yet
 * @last_tsc: TSC of the last record sent
 * @gap_tsc: TSC of the last record before the gap, if @has_gap_tsc
 * @limit, @full_at, @lost_before: only for a BPF ring: its limit, the head at which it was last
 *     full, and the value of its lost counter at the claim
 * @full_from: only for a BPF ring: head at which it was full before, if samples that are not counted
 *     yet may be missing there, too; 0: none
 * @dropped: only for a BPF ring: bytes of overwritten records, since the claim
 * @gaps, @gap_count: only for a BPF ring: gaps that the tail has not reached, in order; @gap is the
 *     first of them
 */
struct gilkd_ring {
	const uint8_t *cells;
	uint64_t tail, head, first;
	struct ilk_gap gap;
	uint64_t reported_lost, unsent_lost;
	uint64_t last_tsc, gap_tsc;
	bool has_gap_tsc;
	uint64_t limit, full_at, full_from, lost_before, dropped;
	struct ilk_gap gaps[GILKD_GAPS];
	uint32_t gap_count;
};

static inline bool gilkd_ring_has_gap(const struct gilkd_ring *ring)
{
	return ring->gap.lost != ring->reported_lost;
}

/*
 * If the agent has read the ring up to the gap, a place where samples are missing, notes how many
 * are missing there, to report them in a gap record. The next consume() replaces the gap by the one
 * after it.
 */
static inline void gilkd_ring_note_gap_reached(struct gilkd_ring *ring)
{
	if (!gilkd_ring_has_gap(ring) || ring->gap.at > ring->tail)
		return;
	ring->unsent_lost += ring->gap.lost - ring->reported_lost;
	ring->reported_lost = ring->gap.lost;
}

/**
 * struct gilkd_ring_ops - access to the rings of one kind of producer
 * @claim: claims the rings, and sets @rings, @nr_cpus and @ring_bytes; answers the request if this
 *     fails
 * @consume: frees the cells before the tails, or with @ask gets the tails; then gets heads and
 *     gaps, and sets @frozen, @used and @used_max. Returns 0 or an errno
 * @freeze: ends recording; consume() must follow. Returns 0 or an errno
 * @end: ends the claim, if there is one
 * @pack: packs the record at the tail. Returns its number of cells, or 0 if it is not complete
 * @now: returns the current time stamp
 * @tick: starts and stops hooks that are due; NULL: the driver does that
 * @freezes_at_stop: the agent must freeze the rings before it drains them for the last time
 * @overwritten: returns the number of bytes dropped so far from the ring from which most were
 *     dropped. NULL: in ILK_RING_OVERWRITE the producer drops the oldest records, not consume()
 */
struct gilkd_ring_ops {
	bool (*claim)(struct gilkd_samples *r, const struct gilk_samples_start *start);
	int (*consume)(struct gilkd_samples *r, bool ask);
	int (*freeze)(struct gilkd_samples *r);
	void (*end)(struct gilkd_samples *r);
	size_t (*pack)(const struct gilkd_samples *r, const struct gilkd_ring *ring,
		       struct gilkd_pack *pack);
	uint64_t (*now)(void);
	void (*tick)(struct gilkd_samples *r);
	uint64_t (*overwritten)(const struct gilkd_samples *r);
	bool freezes_at_stop;
};

/**
 * struct gilkd_samples - the sample rings between SAMPLES_START and SAMPLES_STOP
 * @ops: access to the rings
 * @bpf: owner of the rings, if they are in a BPF map
 * @device: second descriptor of /dev/ilk, through which the rings are claimed; -1: none
 * @mode: enum ilk_ring_mode; in modes other than ILK_RING_DROP, rings are read only once they
 *     are @frozen
 * @window_ns: with ILK_RING_OVERWRITE: age limit of records; 0: none
 * @words: tails, heads and gaps of all CPUs, for CONSUME
 * @used: bytes in the fullest ring, at the last check
 * @used_max: maximum of @used since SAMPLES_START
 * @watches: watchpoints are live, whose rate the agent must limit in time
 * @filling: a ring is filling, so that reading the rings is more urgent than sending
 * @urgent: the priority is real-time
 * @dropped, @checked_ms: result of @overwritten() at the last check, and time of that check
 * @out: frame under construction
 */
struct gilkd_samples {
	struct gilkd_client *client;
	struct gilkd_driver *driver;
	const struct gilkd_ring_ops *ops;
	struct gilkd_bpf *bpf;
	int device;
	bool running;
	uint32_t nr_cpus;
	uint64_t ring_bytes;
	uint32_t mode;
	uint64_t window_ns;
	bool frozen;
	struct gilkd_ring *rings;
	uint64_t *words;
	uint64_t used, used_max;
	bool watches, filling, urgent;
	uint32_t period_ms;
	uint64_t next_ms;
	uint64_t dropped, checked_ms;
	uint8_t *out;
};

/* defined in gilkd-samples.c */
void gilkd_samples_init(struct gilkd_samples *r, struct gilkd_driver *driver);
void gilkd_samples_use(struct gilkd_samples *r, const struct gilkd_ring_ops *ops,
		       struct gilkd_bpf *bpf);
uint64_t gilkd_samples_next_ms(const struct gilkd_samples *r);
void gilkd_samples_tick(struct gilkd_samples *r);
void gilkd_samples_end(struct gilkd_samples *r);
void gilkd_do_samples_start(struct gilkd_samples *r, uint8_t *payload, size_t length);
void gilkd_do_samples_freeze(struct gilkd_samples *r, uint8_t *payload, size_t length);
void gilkd_do_rings(struct gilkd_samples *r, uint8_t *payload, size_t length);
void gilkd_do_samples_stop(struct gilkd_samples *r, uint8_t *payload, size_t length);

/* defined in gilkd-rings.c */
extern const struct gilkd_ring_ops gilkd_driver_rings;

/* defined in gilkd-calls.c */
void gilkd_do_calls(struct gilkd_samples *r, uint8_t *payload, size_t length);

#endif /* GILKD_SAMPLES_H */

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilkd-samples.h - sends the contents of the sample rings
 *
 * Code that waits calls gilkd_samples_tick() in the meantime.
 */
#ifndef GILKD_SAMPLES_H
#define GILKD_SAMPLES_H

#include "gilkd-driver.h"

/**
 * struct gilkd_ring - one CPU's ring
 * @tail, @head: positions, see ilk-abi-ring.h
 * @first: tail at the start; all records from here on must be sent
 * @gap: the next gap
 * @reported_lost: number of samples missing up to the last gap that the tail reached
 * @unsent_lost: number of these samples that were not reported to the client yet
 * @last_tsc: TSC of the last record sent
 * @gap_tsc: TSC of the last record before the gap, if @has_gap_tsc
 */
struct gilkd_ring {
	const uint8_t *cells;
	uint64_t tail, head, first;
	struct ilk_gap gap;
	uint64_t reported_lost, unsent_lost;
	uint64_t last_tsc, gap_tsc;
	bool has_gap_tsc;
};

/**
 * struct gilkd_samples - the sample rings between SAMPLES_START and SAMPLES_STOP
 * @device: second descriptor of /dev/ilk, through which the rings are claimed; -1: none
 * @mode: enum ilk_ring_mode; in modes other than ILK_RING_DROP, rings are read only once they
 *     are @frozen
 * @words: tails, heads and gaps of all CPUs, for CONSUME
 * @used: bytes in the fullest ring, at the last check
 * @used_max: maximum of @used since SAMPLES_START
 * @urgent: the priority is real-time
 * @out: frame under construction
 */
struct gilkd_samples {
	struct gilkd_client *client;
	struct gilkd_driver *driver;
	int device;
	bool running;
	uint32_t nr_cpus;
	uint64_t ring_bytes;
	uint32_t mode;
	bool frozen;
	struct gilkd_ring *rings;
	uint64_t *words;
	uint64_t used, used_max;
	bool urgent;
	uint32_t period_ms;
	uint64_t next_ms;
	uint8_t *out;
};

/* gilkd-samples.c */
void gilkd_samples_init(struct gilkd_samples *r, struct gilkd_driver *driver);
uint64_t gilkd_samples_next_ms(const struct gilkd_samples *r);
void gilkd_samples_tick(struct gilkd_samples *r);
void gilkd_samples_end(struct gilkd_samples *r);
void gilkd_do_samples_start(struct gilkd_samples *r, uint8_t *payload, size_t length);
void gilkd_do_samples_freeze(struct gilkd_samples *r, uint8_t *payload, size_t length);
void gilkd_do_rings(struct gilkd_samples *r, uint8_t *payload, size_t length);
void gilkd_do_samples_stop(struct gilkd_samples *r, uint8_t *payload, size_t length);

/* gilkd-calls.c */
void gilkd_do_calls(struct gilkd_samples *r, uint8_t *payload, size_t length);

#endif /* GILKD_SAMPLES_H */

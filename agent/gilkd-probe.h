/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilkd-probe.h - messages to the processes that open perf events, and what they do
 */
#ifndef GILKD_PROBE_H
#define GILKD_PROBE_H

#include <stdbool.h>
#include <stdint.h>

#include "gilk-wire.h"

#define GILKD_PROBE_ENDED_MAX	64u	/* maximum number of descriptors per GILKD_PROBE_CLOSE */

/* Requests of messages. */
enum gilkd_probe_request {
	GILKD_PROBE_CHECK,	/* compare bytes of the file that comes with the message */
	GILKD_PROBE_OPEN,	/* open an event; for a uprobe, compare the bytes first */
	GILKD_PROBE_KEEP,	/* hold the descriptor that comes with the message; no answer */
	GILKD_PROBE_CLOSE,	/* close the descriptors of the numbers that follow */
};

enum gilkd_probe_kind {
	GILKD_KPROBE,
	GILKD_UPROBE,
	GILKD_URETPROBE,
	GILKD_COUNTER,
	GILKD_PROFILE,
	GILKD_INTERVAL,
};

/**
 * struct gilkd_probe - an event to open
 * @kind: enum gilkd_probe_kind
 * @cpu: CPU of a counter or a timer
 * @at: KPROBE: an address. UPROBE: an offset in the file. URETPROBE: the offset at which the function
 *	starts. COUNTER: an GILK_EVENT_KEY(). PROFILE: hits per second. INTERVAL: ns between hits
 * @len, @old: UPROBE, URETPROBE: the bytes that the file must have there
 */
struct gilkd_probe {
	uint32_t kind, cpu;
	uint64_t at;
	uint32_t len;
	uint8_t old[GILK_USER_INSN_MAX + 1];
};

/**
 * struct gilkd_probe_message - a message to the process
 * @request: enum gilkd_probe_request
 * @number: of the message; also that of the descriptor which the process holds after OPEN or KEEP
 */
struct gilkd_probe_message {
	uint32_t request, number;
	struct gilkd_probe probe;
};

/* The answer to OPEN comes with a descriptor of the perf event, if @error is 0. */
struct gilkd_probe_answer {
	uint32_t number;	/* of the message */
	int32_t error;		/* an errno */
};

bool gilkd_probe_is_counter(uint64_t key);
bool gilkd_probe_is_timer(bool frequency, uint64_t amount);

void gilkd_probe_serve(const void *before);

#endif /* GILKD_PROBE_H */

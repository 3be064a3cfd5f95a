/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilkd-probe.h - messages to the helper processes that open perf events
 */
#ifndef GILKD_PROBE_H
#define GILKD_PROBE_H

#include <stdbool.h>
#include <stdint.h>

#include "gilk-wire.h"

#define GILKD_PROBE_ENDED_MAX	64u	/* maximum number of descriptors per GILKD_PROBE_CLOSE */

/* Kinds of requests to a helper. */
enum gilkd_probe_request {
	GILKD_PROBE_CHECK,	/* compare bytes of the file whose descriptor comes with the
				 * message */
	GILKD_PROBE_OPEN,	/* open a perf event; for a uprobe, first compare the bytes of the
				 * file */
	GILKD_PROBE_KEEP,	/* keep the descriptor that comes with the message open; no
				 * answer */
	GILKD_PROBE_MOVE,	/* move the breakpoint whose descriptor comes with the message */
	GILKD_PROBE_CLOSE,	/* close the descriptors whose numbers follow the message */
};

enum gilkd_probe_kind {
	GILKD_KPROBE,
	GILKD_UPROBE,
	GILKD_URETPROBE,
	GILKD_COUNTER,
	GILKD_PROFILE,
	GILKD_INTERVAL,
	GILKD_BREAKPOINT,
};

/**
 * struct gilkd_probe - a perf event to open
 * @kind: enum gilkd_probe_kind
 * @cpu: CPU of a counter, a timer or a breakpoint
 * @at: KPROBE: address. UPROBE: offset in the file. URETPROBE: offset of the function's start.
 *     COUNTER: GILK_EVENT_KEY(). PROFILE: hits per second. INTERVAL: ns between hits. BREAKPOINT: address
 * @len, @old: UPROBE, URETPROBE: number and values of the bytes that the file must have at @at.
 *     BREAKPOINT: @len is the size of the data
 * @access: BREAKPOINT: enum gilk_watch_access
 * @starts: BREAKPOINT: enable the breakpoint after it was moved to another address
 */
struct gilkd_probe {
	uint32_t kind, cpu;
	uint64_t at;
	uint32_t len;
	uint8_t old[GILK_USER_INSN_MAX + 1];
	uint8_t access, starts;
};

/**
 * struct gilkd_probe_message - a request to a helper process
 * @request: enum gilkd_probe_request
 * @number: number of the message, and of the descriptor that the helper keeps after OPEN or KEEP
 */
struct gilkd_probe_message {
	uint32_t request, number;
	struct gilkd_probe probe;
};

/*
 * Answer of a helper. If @error is 0, the answer to OPEN comes with a descriptor of the perf event.
 */
struct gilkd_probe_answer {
	uint32_t number;	/* number of the message that is answered */
	int32_t error;		/* an errno */
};

bool gilkd_probe_is_counter(uint64_t key);
bool gilkd_probe_is_timer(bool frequency, uint64_t amount);

void gilkd_probe_serve(const void *before);

#endif /* GILKD_PROBE_H */

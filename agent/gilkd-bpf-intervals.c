// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gilkd-bpf-intervals.c - switches hooks by BPF off and on in intervals
 *
 * The agent writes one gate, which all switched hooks check. It records the actual start of each
 * interval, not the planned start: a late tick makes an interval longer, and the next one shorter. One
 * tick starts at most one interval, also if that one is already over.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "gilkd-bpf.h"

/**
 * struct gilkd_bpf_intervals - the intervals of a session
 * @iid: id of the hook whose gate, the byte that switches hooks on and off, is written; the hook is
 *     bound to no patch
 * @count: number of intervals
 * @next: number of intervals started; count + 1: the last interval has ended, too
 * @period: length of an interval, ns
 * @zero: run time zero; 0: not started
 * @ended: the intervals were stopped, and are not started again
 * @at: start of each interval; valid below @next
 * @on: state of the gate in each interval
 */
struct gilkd_bpf_intervals {
	uint32_t iid, count, next;
	uint64_t period, zero;
	bool ended;
	uint64_t *at;
	uint8_t on[];
};

/* ---- requests ---- */

void gilkd_bpf_intervals_free(struct gilkd_bpf *bpf)
{
	if (bpf->intervals)
		free(bpf->intervals->at);
	free(bpf->intervals);
	bpf->intervals = NULL;
}

/* Checks a request for intervals in which hooks are on or off. Returns 0 or an errno. */
static int check_intervals(const struct gilkd_bpf *bpf, const struct ilk_intervals *request, const uint8_t *on)
{
	const struct gilkd_bpf_hook *hook = gilkd_bpf_hook(bpf, request->iid);
	uint32_t i;

	if (bpf->zero_ns)
		return EBUSY;
	if (!request->count)
		return 0;
	for (i = 0; i < request->count; i++)
		if (on[i] > 1)
			return EINVAL;
	if (request->count > ILK_INTERVALS_MAX || request->period_ns < ILK_INTERVAL_MIN_NS ||
	    request->period_ns > (uint64_t)INT64_MAX / 4 / ILK_INTERVALS_MAX)
		return EINVAL;
	return hook && !hook->patch && !hook->moves_to ? 0 : ENOENT;
}

/* Sets the intervals that start at the next run time zero. Returns 0 or an errno. */
static int set_intervals(struct gilkd_bpf *bpf, const struct ilk_intervals *request, const uint8_t *on)
{
	struct gilkd_bpf_intervals *run;
	const int error = check_intervals(bpf, request, on);

	if (error)
		return error;
	gilkd_bpf_intervals_free(bpf);
	if (!request->count)
		return 0;
	run = calloc(1, sizeof(*run) + request->count);
	if (!run)
		return ENOMEM;
	run->at = calloc(request->count + 1, sizeof(*run->at));
	if (!run->at) {
		free(run);
		return ENOMEM;
	}
	run->iid = request->iid;
	run->count = request->count;
	run->period = request->period_ns;
	memcpy(run->on, on, request->count);
	bpf->intervals = run;
	return 0;
}

void gilkd_bpf_do_intervals(struct gilkd_bpf *bpf, uint8_t *payload, size_t length)
{
	const struct ilk_intervals *request = (const struct ilk_intervals *)payload;
	int error;

	if (length != sizeof(*request) + (size_t)request->count) {
		gilkd_fail(bpf->client, EINVAL, "Malformed request: its count does not match its "
						"length. Client and agent may be of different "
						"versions.");
		return;
	}
	error = set_intervals(bpf, request, payload + sizeof(*request));
	if (error)
		gilkd_fail(bpf->client, error, "The agent could not accept the intervals for switching "
					       "hooks on and off: %s.", strerror(error));
	else
		gilkd_answer(bpf->client, NULL, 0);
}

void gilkd_bpf_do_interval_times(struct gilkd_bpf *bpf, uint8_t *payload, size_t length)
{
	const struct gilkd_bpf_intervals *run = bpf->intervals;

	gilkd_answer(bpf->client, run ? run->at : NULL, run ? run->next * sizeof(*run->at) : 0);
}

/* ---- intervals ---- */

static bool is_running(const struct gilkd_bpf_intervals *run)
{
	return run && run->zero && !run->ended && run->next <= run->count;
}

static uint64_t get_due_ns(const struct gilkd_bpf_intervals *run)
{
	return run->zero + run->next * run->period;
}

/* Starts the next interval, or ends the last one, if that is due. */
void gilkd_bpf_intervals_tick(struct gilkd_bpf *bpf, uint64_t now)
{
	struct gilkd_bpf_intervals *run = bpf->intervals;
	bool on;

	if (!is_running(run) || now < get_due_ns(run))
		return;
	on = run->next == run->count || run->on[run->next];
	/* Order the writes so that hooks only take samples in intervals in which they are on. */
	if (on)
		run->at[run->next] = gilkd_bpf_now();
	__atomic_store_n(&bpf->gates.at[run->iid], on, __ATOMIC_SEQ_CST);
	if (!on)
		run->at[run->next] = gilkd_bpf_now();
	run->next++;
}

/*
 * Returns the time, in ms, at which gilkd_bpf_intervals_tick() must next be called; UINT64_MAX:
 * never.
 */
uint64_t gilkd_bpf_intervals_next_ms(const struct gilkd_bpf *bpf)
{
	return is_running(bpf->intervals) ? (get_due_ns(bpf->intervals) + 999999) / 1000000 : UINT64_MAX;
}

/* Starts the intervals. Must be called once run time zero (the time of the first ARM) is set. */
void gilkd_bpf_intervals_start(struct gilkd_bpf *bpf)
{
	if (!bpf->intervals || bpf->intervals->ended || bpf->intervals->zero)
		return;
	bpf->intervals->zero = bpf->zero_ns;
	gilkd_bpf_intervals_tick(bpf, gilkd_bpf_now());
}

/* Stops switching hooks on and off by intervals, and keeps the recorded times. */
void gilkd_bpf_intervals_stop(struct gilkd_bpf *bpf)
{
	if (bpf->intervals)
		bpf->intervals->ended = true;
}

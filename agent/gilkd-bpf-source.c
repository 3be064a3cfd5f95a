// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gilkd-bpf-source.c - attaches programs to tracepoints and timers
 *
 * A program at a tracepoint runs until its link is closed. A timer has a perf event on each CPU
 * (PROFILE) or on one CPU (INTERVAL); the program runs at each hit until the event is closed.
 */
#include <ctype.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "gilkd-bpf-call.h"
#include "gilkd-bpf.h"

/* ---- the EVENT_BIND request ---- */

/* Returns whether the name of an item is a C identifier, padded with zeros. */
static bool is_name_sane(const struct gilk_event_point *item)
{
	const size_t length = strnlen(item->name, sizeof(item->name));
	size_t i;

	if (!length || length == sizeof(item->name) || isdigit((unsigned char)item->name[0]))
		return false;
	for (i = 0; i < length; i++)
		if (!isalnum((unsigned char)item->name[i]) && item->name[i] != '_')
			return false;
	for (; i < sizeof(item->name); i++)
		if (item->name[i])
			return false;
	return true;
}

static bool is_item_sane(const struct gilk_event_point *item)
{
	static const char empty[GILK_EVENT_NAME_MAX];

	if (item->kind == GILK_EVENT_TRACEPOINT)
		return !item->amount && is_name_sane(item);
	return (item->kind == GILK_EVENT_PROFILE || item->kind == GILK_EVENT_INTERVAL) &&
	       !memcmp(item->name, empty, sizeof(empty)) &&
	       gilkd_probe_is_timer(item->kind == GILK_EVENT_PROFILE, item->amount);
}

/* Gives an event to a patch. Returns a refusal. */
static uint32_t bind_item(struct gilkd_bpf *bpf, const struct gilk_event_point *item)
{
	struct gilkd_bpf_patch *patch = gilkd_bpf_patch(bpf, item->patch);

	if (!patch || !is_item_sane(item))
		return ILK_REFUSAL_BAD_ITEM;
	if (patch->state != ILK_STATE_RESERVED || patch->source || patch->watch)
		return ILK_REFUSAL_STATE;
	patch->source = calloc(1, sizeof(*patch->source));
	if (!patch->source)
		return ILK_REFUSAL_TOO_MANY;
	patch->source->kind = item->kind;
	patch->source->amount = item->amount;
	memcpy(patch->source->name, item->name, sizeof(patch->source->name));
	return ILK_REFUSAL_NONE;
}

void gilkd_bpf_do_event_bind(struct gilkd_bpf *bpf, uint8_t *payload, size_t length)
{
	struct gilk_event_point *items = (struct gilk_event_point *)payload;
	const size_t count = length / sizeof(*items);
	uint32_t failed = 0;
	size_t i;

	if (length % sizeof(*items)) {
		gilkd_fail(bpf->client, EINVAL, "Malformed request: %zu bytes of events. Client and "
						"agent may be of different versions.", length);
		return;
	}
	for (i = 0; i < count; i++) {
		items[i].refusal = bind_item(bpf, &items[i]);
		items[i].error = gilkd_bpf_refusal_errno(items[i].refusal);
		failed += items[i].refusal != ILK_REFUSAL_NONE;
	}
	for (i = 0; failed && i < count; i++)
		if (!items[i].refusal)
			gilkd_bpf_source_free(gilkd_bpf_patch(bpf, items[i].patch));
	gilkd_answer(bpf->client, items, length);
}

/* ---- attaching programs to timers ---- */

static bool is_profile(const struct gilkd_bpf_source *source)
{
	return source->kind == GILK_EVENT_PROFILE;
}

/*
 * Opens the timers of a patch: on all online CPUs (PROFILE) or on the first one (INTERVAL). Returns
 * 0 or an errno.
 */
int gilkd_bpf_source_open(struct gilkd_bpf *bpf, struct gilkd_bpf_patch *patch)
{
	struct gilkd_bpf_source *source = patch->source;
	struct gilkd_probe timer = {
		.kind = is_profile(source) ? GILKD_PROFILE : GILKD_INTERVAL, .at = source->amount,
	};
	uint32_t *cpu = &timer.cpu;
	int fd;

	source->timers = malloc(bpf->nr_cpus * sizeof(*source->timers));
	if (!source->timers)
		return ENOMEM;
	for (; *cpu < bpf->nr_cpus && (is_profile(source) || !source->timer_count); ++*cpu) {
		fd = gilkd_prober_open(bpf->prober, &timer, -1, NULL);
		if (fd >= 0) {
			source->timers[source->timer_count++] = fd;
		} else if (fd != -ENODEV) {	/* ENODEV: the CPU is offline, skip it */
			gilkd_bpf_source_stop(patch);
			return -fd;
		}
	}
	return source->timer_count ? 0 : ENODEV;
}

/* Attaches the program of a patch to its open timers, and starts them. Returns 0 or an errno. */
int gilkd_bpf_source_attach_timers(struct gilkd_bpf *bpf, struct gilkd_bpf_patch *patch)
{
	struct gilkd_bpf_source *source = patch->source;
	uint32_t i;

	for (i = 0; i < source->timer_count; i++)
		if (ioctl(source->timers[i], PERF_EVENT_IOC_SET_BPF, patch->program))
			return errno;
	for (i = 0; i < source->timer_count; i++)
		if (ioctl(source->timers[i], PERF_EVENT_IOC_ENABLE, 0))
			return errno;
	return 0;
}

/* Closes the timers of a patch, so that they no longer run its program. */
void gilkd_bpf_source_stop(struct gilkd_bpf_patch *patch)
{
	struct gilkd_bpf_source *source = patch->source;

	if (!source)
		return;
	while (source->timer_count)
		close(source->timers[--source->timer_count]);
	free(source->timers);
	source->timers = NULL;
}

/* ---- functions for both tracepoints and timers ---- */

void gilkd_bpf_source_free(struct gilkd_bpf_patch *patch)
{
	gilkd_bpf_source_stop(patch);
	free(patch->source);
	patch->source = NULL;
}

uint32_t gilkd_bpf_source_tactic(const struct gilkd_bpf_source *source)
{
	return source->kind == GILK_EVENT_TRACEPOINT ? GILK_TACTIC_TRACEPOINT : GILK_TACTIC_TIMER;
}

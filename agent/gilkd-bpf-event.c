// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gilkd-bpf-event.c - creates the event counters that BPF programs read
 *
 * A counter is a BPF map of perf events, one for each CPU. The map keeps its perf events open until
 * the agent closes the map's descriptor, or dies. The event is not counted on CPUs that come online
 * later.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "gilkd-bpf-call.h"
#include "gilkd-bpf.h"

static const struct gilkd_bpf_event *find_event(const struct gilkd_bpf *bpf, uint64_t key)
{
	uint32_t i;

	for (i = 0; i < bpf->event_count; i++)
		if (bpf->events[i].key == key)
			return &bpf->events[i];
	return NULL;
}

/* Returns the descriptor of the map that holds the event counter with this key, or -1. */
int gilkd_bpf_event_find(const struct gilkd_bpf *bpf, uint64_t key)
{
	const struct gilkd_bpf_event *event = find_event(bpf, key);

	return event ? event->map : -1;
}

void gilkd_bpf_events_free(struct gilkd_bpf *bpf)
{
	while (bpf->event_count)
		close(bpf->events[--bpf->event_count].map);
}

/*
 * Opens the perf event on a CPU and adds it to the counter's map. Returns 0 or an errno; EBUSY: the
 * event is not counted, because another user has the hardware counters.
 */
static int open_counter(const struct gilkd_bpf *bpf, const struct gilkd_bpf_event *event,
			uint32_t cpu)
{
	const struct gilkd_probe counter = { .kind = GILKD_COUNTER, .cpu = cpu, .at = event->key };
	const int fd = gilkd_prober_open(bpf->prober, &counter, -1, NULL);
	uint64_t value;
	int error;

	if (fd < 0)
		return -fd;
	/* A read returns 0 bytes if a pinned event did not get a hardware counter. */
	error = read(fd, &value, sizeof(value)) == sizeof(value) ? 0 : EBUSY;
	if (!error)
		error = -gilkd_bpf_call_set_element(event->map, cpu, fd);
	close(fd);
	return error;
}

/*
 * Opens the perf event on all CPUs that are online. Returns 0 if at least one CPU counts the event,
 * else the reason why no CPU does.
 */
static int open_counters(const struct gilkd_bpf *bpf, struct gilkd_bpf_event *event)
{
	int result = ENODEV, error;
	uint32_t cpu;

	for (cpu = 0; cpu < bpf->nr_cpus; cpu++) {
		error = open_counter(bpf, event, cpu);
		if (error == ENODEV)	/* the CPU is offline */
			continue;
		if (error == ENOMEM)
			return error;
		if (!error || result)
			result = error;
		event->cpus += !error;
		event->blind += error != 0;
	}
	return result;
}

static uint32_t get_refusal(int error)
{
	switch (error) {
	case 0:
		return ILK_REFUSAL_NONE;
	case EBUSY:
	case ENOSPC:
		return GILK_BPF_REFUSED_COUNTER_BUSY;
	case ENOMEM:
	case EMFILE:
	case ENFILE:
		return ILK_REFUSAL_TOO_MANY;
	default:
		return GILK_BPF_REFUSED_COUNTER_MISSING;
	}
}

/* Creates the event counter with this key; refuses an invalid key. Returns a refusal. */
static uint32_t create_event(const struct gilkd_bpf *bpf, uint64_t key,
			     struct gilkd_bpf_event *event)
{
	int error;

	*event = (struct gilkd_bpf_event){ .key = key };
	if (!gilkd_probe_is_counter(key))
		return ILK_REFUSAL_BAD_ITEM;
	event->map = gilkd_bpf_call_event_map("gilk_event", bpf->nr_cpus);
	if (event->map < 0)
		return get_refusal(-event->map);
	error = open_counters(bpf, event);
	if (error)
		close(event->map);
	return get_refusal(error);
}

/* ---- the EVENTS request ---- */

static void set_item(struct gilk_event_counter *item, const struct gilkd_bpf_event *event)
{
	item->cpus = item->refusal ? 0 : event->cpus;
	item->blind = item->refusal ? 0 : event->blind;
	item->error = gilkd_bpf_refusal_errno(item->refusal);
}

/*
 * Tests whether counters can be created. Keeps all of them open at the same time, as in real use,
 * before it closes them.
 */
static void try_events(const struct gilkd_bpf *bpf, struct gilk_event_counter *items, uint32_t count)
{
	struct gilkd_bpf_event events[GILK_EVENTS_MAX];
	uint32_t i;

	for (i = 0; i < count; i++) {
		items[i].refusal = create_event(bpf, items[i].key, &events[i]);
		set_item(&items[i], &events[i]);
	}
	for (i = 0; i < count; i++)
		if (!items[i].refusal)
			close(events[i].map);
}

/*
 * Creates the counters that do not exist yet, until one is refused. Counters created by then stay,
 * and are freed with the session's other counters.
 */
static void create_events(struct gilkd_bpf *bpf, struct gilk_event_counter *items, uint32_t count)
{
	uint32_t i;

	for (i = 0; i < count; i++) {
		const struct gilkd_bpf_event *event = find_event(bpf, items[i].key);
		struct gilkd_bpf_event created;

		if (!event && bpf->event_count == GILK_EVENTS_MAX)
			items[i].refusal = ILK_REFUSAL_TOO_MANY;
		else if (!event)
			items[i].refusal = create_event(bpf, items[i].key, &created);
		set_item(&items[i], event ? event : &created);
		if (items[i].refusal)
			return;
		if (!event)
			bpf->events[bpf->event_count++] = created;
	}
}

void gilkd_bpf_do_events(struct gilkd_bpf *bpf, uint8_t *payload, size_t length)
{
	struct gilk_events head;
	struct gilk_event_counter *events = (struct gilk_event_counter *)(payload + sizeof(head));
	const uint32_t count = (length - sizeof(head)) / sizeof(*events);
	uint32_t i;

	memcpy(&head, payload, sizeof(head));
	if ((length - sizeof(head)) % sizeof(*events) || head.flags & ~GILK_EVENTS_PROBE) {
		gilkd_fail(bpf->client, EINVAL, "Malformed request: %zu bytes of counters. "
						"Client and agent may be of different "
						"versions.", length - sizeof(head));
		return;
	}
	for (i = 0; i < count; i++)
		events[i].cpus = events[i].blind = events[i].refusal = events[i].error = 0;
	if (head.flags & GILK_EVENTS_PROBE)
		try_events(bpf, events, count);
	else
		create_events(bpf, events, count);
	gilkd_answer(bpf->client, events, count * sizeof(*events));
}

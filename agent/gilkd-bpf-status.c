// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gilkd-bpf-status.c - answers requests for properties, status, counters and clocks of BPF hooks
 */
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gilkd-bpf.h"
#include "gilkd-cpus.h"

#define TSC_KHZ		1000000u	/* frequency of the time stamps: CLOCK_MONOTONIC, in ns */

static struct ilk_timestamp_pair read_clock(void)
{
	const uint64_t now = gilkd_bpf_now();

	return (struct ilk_timestamp_pair){ .tsc = now, .mono_ns = now };
}

void gilkd_bpf_do_info(struct gilkd_bpf *bpf, uint8_t *payload, size_t length)
{
	struct ilk_info info = {
		.abi = ILK_ABI_VERSION,
		.size = sizeof(info),
		.nr_cpus = bpf->nr_cpus,
		.hooks_live = bpf->hook_count,
		.hooks_max = GILK_BPF_HOOKS_MAX,
		.ring_bytes = bpf->ring_bytes,
		.ring_max = bpf->ring_max,
		.tsc_khz = TSC_KHZ,
		.features = bpf->entries ? GILK_BPF_ENTRIES : 0,
		.clock = read_clock(),
		.reader_claimed = bpf->samples->running,
	};
	uint32_t i;

	for (i = 0; i < bpf->patch_ids; i++)
		info.patches_live += bpf->patches[i] && bpf->patches[i]->state == ILK_STATE_ARMED;
	gilkd_answer(bpf->client, &info, sizeof(info));
}

void gilkd_bpf_do_status(struct gilkd_bpf *bpf, uint8_t *payload, size_t length)
{
	struct ilk_status status = { .flags = ((struct ilk_status *)payload)->flags };
	struct ilk_patch_status *items = calloc(bpf->patch_count + 1, sizeof(*items));
	uint32_t i;

	if (!items) {
		gilkd_fail(bpf->client, ENOMEM, "The agent is out of memory; free some on the "
						"target.");
		return;
	}
	for (i = 0; i < bpf->patch_ids; i++) {
		const struct gilkd_bpf_patch *patch = bpf->patches[i];

		if (!patch)
			continue;
		items[status.count++] = (struct ilk_patch_status){
			.id = patch->id, .state = patch->state,
			.tactic = patch->tactic ? patch->tactic : GILK_TACTIC_KPROBE,
			.refusal = patch->refusal, .site = patch->site, .owner_pid = getpid(),
			.armed_mono_ns = patch->armed_ns, .spliced_mono_ns = patch->armed_ns,
			.restored_mono_ns = patch->restored_ns,
		};
		status.pending += patch->state == ILK_STATE_PREPARED && patch->scheduled;
	}
	status.capacity = status.count;
	gilkd_answer_part(bpf->client, &status, sizeof(status));
	gilkd_answer(bpf->client, items, status.count * sizeof(*items));
	free(items);
}

/* ---- the COUNTERS request ---- */

/*
 * Reads the counters of a hook into one item per CPU, or their sums into one item. The kernel
 * counts missed hits per program and not per CPU. These are added to CPU 0 of the first hook of the
 * program's patch; if patches share the program, to the first hook of one of them.
 */
static void read_counters(const struct gilkd_bpf *bpf, uint32_t iid, bool per_cpu,
			  struct ilk_counter *out)
{
	struct gilkd_bpf_hook *hook = gilkd_bpf_hook(bpf, iid);
	const struct gilkd_bpf_patch *patch = gilkd_bpf_patch(bpf, hook->patch);
	uint32_t cpu;

	if (patch && patch->first_iid == iid && patch->shared)
		hook->missed += gilkd_bpf_shared_missed(patch);
	out->missed = hook->missed;
	if (patch && patch->first_iid == iid)
		out->missed += gilkd_bpf_patch_missed(bpf, patch);
	for (cpu = 0; cpu < bpf->nr_cpus; cpu++) {
		const struct gilk_bpf_counter *counter = gilkd_bpf_counter(bpf, iid, cpu);
		struct ilk_counter *item = per_cpu ? &out[cpu] : out;

		item->count += __atomic_load_n(&counter->count, __ATOMIC_RELAXED);
		item->lost += __atomic_load_n(&counter->lost, __ATOMIC_RELAXED);
		item->lost += hook->overwritten ? hook->overwritten[cpu] : 0;
		item->missed += __atomic_load_n(&counter->missed, __ATOMIC_RELAXED);
	}
}

void gilkd_bpf_do_counters(struct gilkd_bpf *bpf, uint8_t *payload, size_t length)
{
	const uint32_t *iids = (const uint32_t *)payload + 1;
	const bool per_cpu = *(const uint32_t *)payload & ILK_COUNTERS_PER_CPU;
	const size_t count = (length - sizeof(*iids)) / sizeof(*iids), row = per_cpu ?
		bpf->nr_cpus : 1;
	const size_t bytes = count * row * sizeof(struct ilk_counter);
	struct ilk_counter *out;
	size_t i;

	if (length % sizeof(*iids) || count > ILK_BATCH_MAX || bytes > GILK_WIRE_COUNTERS_MAX) {
		gilkd_fail(bpf->client, E2BIG, "The request asks for more counters than fit into one "
					       "answer; ask for fewer at once.");
		return;
	}
	for (i = 0; i < count; i++) {
		if (gilkd_bpf_hook(bpf, iids[i]))
			continue;
		gilkd_fail(bpf->client, ENOENT, "Hook %u does not exist; read the counters before "
						"freeing the hooks.", iids[i]);
		return;
	}
	out = calloc(count * row + 1, sizeof(*out));
	if (!out) {
		gilkd_fail(bpf->client, ENOMEM, "The agent is out of memory; free some on the "
						"target.");
		return;
	}
	for (i = 0; i < count; i++)
		read_counters(bpf, iids[i], per_cpu, out + i * row);
	gilkd_answer(bpf->client, out, bytes);
	free(out);
}

/* ---- the CLOCKS request ---- */

/*
 * Sets @rounds of all online CPUs to 1, which marks their clocks as compared. Returns false if
 * memory is short.
 */
static bool mark_online(struct ilk_cpu_clock *cpus, uint32_t count)
{
	uint8_t *online = calloc(count, 1);
	uint32_t i;

	if (!online)
		return false;
	gilkd_cpus_mark_online(online, count);
	for (i = 0; i < count; i++)
		cpus[i].rounds = online[i];
	free(online);
	return true;
}

/* Answers CLOCKS. The offset of every CPU is 0, because CLOCK_MONOTONIC is the same on all CPUs. */
void gilkd_bpf_do_clocks(struct gilkd_bpf *bpf, uint8_t *payload, size_t length)
{
	struct gilk_clocks answer = { .pair = read_clock() };
	struct ilk_cpu_clock *cpus;

	if (!*(uint32_t *)payload) {
		gilkd_answer(bpf->client, &answer, sizeof(answer));
		return;
	}
	cpus = calloc(bpf->nr_cpus, sizeof(*cpus));
	if (!cpus || !mark_online(cpus, bpf->nr_cpus)) {
		free(cpus);
		gilkd_fail(bpf->client, ENOMEM, "The agent is out of memory; free some on the "
						"target.");
		return;
	}
	answer.count = bpf->nr_cpus;
	gilkd_answer_part(bpf->client, &answer, sizeof(answer));
	gilkd_answer(bpf->client, cpus, bpf->nr_cpus * sizeof(*cpus));
	free(cpus);
}

/* ---- requests that need no work, and requests that need the driver ---- */

/* Answers with an empty list: instruments in kernel modules need the driver. */
void gilkd_bpf_do_nothing(struct gilkd_bpf *bpf, uint8_t *payload, size_t length)
{
	gilkd_answer(bpf->client, NULL, 0);
}

void gilkd_bpf_do_refuse(struct gilkd_bpf *bpf, uint8_t *payload, size_t length)
{
	gilkd_fail(bpf->client, EOPNOTSUPP, "Hooks by BPF do not support request %u, which needs "
					    "the driver; use ilk.", bpf->client->request.type);
}

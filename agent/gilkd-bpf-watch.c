// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gilkd-bpf-watch.c - binds watchpoints to patches, and opens their breakpoints
 *
 * A watchpoint has a breakpoint of perf on each online CPU, which holds a debug register of that CPU
 * from ARM until the watchpoint ends. The patch's program runs in the kernel's handler of debug
 * exceptions, after the access.
 *
 * The kernel does not run the program while another BPF program runs on the CPU. perf counts the
 * access all the same, so the difference between perf's count and the program's own count (@runs) is
 * the number of missed hits.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "gilkd-bpf-watch.h"

#define MODULES_PATH	"/sys/module/"

/* ---- the WATCH_BIND request ---- */

/*
 * Creates the memory that programs of watchpoints share with the agent, unless it exists. Returns 0
 * or an errno.
 */
static int create_cells(struct gilkd_bpf *bpf)
{
	int error;

	if (bpf->watches.fd >= 0)
		return 0;
	error = gilkd_bpf_map_create(&bpf->watches, "gilk_watches",
				     GILK_WATCHES_MAX * (1 + bpf->nr_cpus) * sizeof(struct gilk_bpf_watch));
	if (!error)
		error = gilkd_bpf_map_open(&bpf->watches);
	if (error)
		gilkd_bpf_map_close(&bpf->watches);
	return error;
}

/*
 * Opens the sysfs directory of the module that has the watched data, to notice when the module is
 * unloaded. Returns 0 or an errno.
 */
static int open_module(struct gilkd_bpf_watch *watch)
{
	char path[sizeof(MODULES_PATH) + GILK_EVENT_NAME_MAX];

	watch->module = -1;
	if (!watch->point.module[0])
		return 0;
	snprintf(path, sizeof(path), MODULES_PATH "%s", watch->point.module);
	watch->module = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	return watch->module < 0 ? errno : 0;
}

/* Gives a watchpoint to a patch. Returns a refusal. */
static uint32_t bind_item(struct gilkd_bpf *bpf, const struct gilk_watch_point *item)
{
	struct gilkd_bpf_patch *patch = gilkd_bpf_patch(bpf, item->patch);
	struct gilkd_bpf_watch *watch;
	uint32_t refusal = gilkd_bpf_watch_check(bpf, item);

	if (refusal)
		return refusal;
	if (!patch)
		return ILK_REFUSAL_BAD_ITEM;
	if (patch->state != ILK_STATE_RESERVED || patch->watch || patch->source || patch->user || bpf->watched[item->slot])
		return ILK_REFUSAL_STATE;
	watch = calloc(1, sizeof(*watch));
	if (!watch || create_cells(bpf)) {
		free(watch);
		return ILK_REFUSAL_TOO_MANY;
	}
	watch->point = *item;
	if (open_module(watch)) {
		free(watch);
		return GILK_BPF_REFUSED_WATCH_ADDRESS;
	}
	memset(gilkd_bpf_watch_cell(bpf, watch, 0), 0, (1 + bpf->nr_cpus) * sizeof(struct gilk_bpf_watch));
	patch->watch = watch;
	bpf->watched[item->slot] = patch;
	return ILK_REFUSAL_NONE;
}

void gilkd_bpf_do_watch_bind(struct gilkd_bpf *bpf, uint8_t *payload, size_t length)
{
	struct gilk_watch_point *items = (struct gilk_watch_point *)payload;
	const size_t count = length / sizeof(*items);
	uint32_t failed = 0;
	size_t i;

	if (length % sizeof(*items)) {
		gilkd_fail(bpf->client, EINVAL, "Malformed request: %zu bytes of watchpoints. Client "
						"and agent may be of different versions.", length);
		return;
	}
	for (i = 0; i < count; i++) {
		items[i].refusal = bind_item(bpf, &items[i]);
		items[i].error = gilkd_bpf_refusal_errno(items[i].refusal);
		failed += items[i].refusal != ILK_REFUSAL_NONE;
	}
	for (i = 0; failed && i < count; i++)
		if (!items[i].refusal)
			gilkd_bpf_watch_free(bpf, gilkd_bpf_patch(bpf, items[i].patch));
	gilkd_answer(bpf->client, items, length);
}

/* ---- breakpoints ---- */

/* Opens the breakpoint of one CPU, without enabling it. Returns 0 or an errno. */
int gilkd_bpf_watch_open_cpu(struct gilkd_bpf *bpf, struct gilkd_bpf_watch *watch, uint32_t cpu)
{
	struct gilkd_bpf_watch_cpu *at = &watch->cpus[cpu];
	const struct gilkd_probe probe = {
		.kind = GILKD_BREAKPOINT, .cpu = cpu, .at = at->address, .len = watch->point.bytes,
		.access = watch->point.access,
	};
	const int event = gilkd_prober_open(bpf->prober, &probe, -1, NULL);

	at->blind = event == -ENOSPC || event == -EBUSY;
	at->event = event < 0 ? -1 : event;
	return event < 0 ? -event : 0;
}

/* Starts the open breakpoint of one CPU. Returns 0 or an errno. */
int gilkd_bpf_watch_start_cpu(struct gilkd_bpf *bpf, struct gilkd_bpf_patch *patch, uint32_t cpu)
{
	const struct gilk_bpf_watch *cell = gilkd_bpf_watch_cell(bpf, patch->watch, 1 + cpu);
	struct gilkd_bpf_watch_cpu *at = &patch->watch->cpus[cpu];

	gilkd_bpf_watch_set_last(bpf, patch->watch, cpu, at->address);
	at->runs = __atomic_load_n(&cell->runs, __ATOMIC_RELAXED);
	at->spent_ns = __atomic_load_n(&cell->spent_ns, __ATOMIC_RELAXED);
	if (ioctl(at->event, PERF_EVENT_IOC_SET_BPF, patch->program) || ioctl(at->event, PERF_EVENT_IOC_ENABLE, 0))
		return errno;
	return 0;
}

/*
 * Reads the number of accesses that a CPU's breakpoint has counted, and the time for which it was
 * enabled. Returns false if it was not enabled since the last call: the CPU went offline in
 * between, and perf removed the breakpoint.
 */
bool gilkd_bpf_watch_look(struct gilkd_bpf_watch_cpu *at)
{
	struct { uint64_t hits, enabled_ns; } now;
	const uint64_t before = at->enabled_ns;

	if (at->event < 0 || read(at->event, &now, sizeof(now)) != sizeof(now))
		return false;
	at->hits = now.hits;
	at->enabled_ns = now.enabled_ns;
	return now.enabled_ns != before;
}

void gilkd_bpf_watch_close_cpu(struct gilkd_bpf_watch *watch, uint32_t cpu)
{
	struct gilkd_bpf_watch_cpu *at = &watch->cpus[cpu];

	if (at->event >= 0) {
		ioctl(at->event, PERF_EVENT_IOC_DISABLE, 0);
		gilkd_bpf_watch_look(at);
		watch->closed_hits += at->hits;
		close(at->event);
	}
	if (at->paused_ns) {
		watch->pauses++;
		watch->paused_ns += gilkd_bpf_now() - at->paused_ns;
	}
	at->event = -1;
	at->blind = false;
	at->paused_ns = at->hits = at->enabled_ns = 0;
}

/*
 * Opens the breakpoints of a patch on all online CPUs. Returns 0 or an errno; ENOSPC: no debug register
 * is left on some CPU.
 */
int gilkd_bpf_watch_open(struct gilkd_bpf *bpf, struct gilkd_bpf_patch *patch)
{
	struct gilkd_bpf_watch *watch = patch->watch;
	uint32_t cpu;
	int error;

	watch->cpus = calloc(bpf->nr_cpus, sizeof(*watch->cpus));
	if (!watch->cpus)
		return ENOMEM;
	for (cpu = 0; cpu < bpf->nr_cpus; cpu++) {
		watch->cpus[cpu].event = -1;
		watch->cpus[cpu].address = gilkd_bpf_watch_address(bpf, &watch->point, cpu);
	}
	for (cpu = 0; cpu < bpf->nr_cpus; cpu++) {
		error = gilkd_bpf_watch_open_cpu(bpf, watch, cpu);
		if (!error || error == ENODEV)		/* ENODEV: the CPU is offline */
			continue;
		gilkd_bpf_watch_stop(bpf, patch);
		return error;
	}
	return 0;
}

/* Starts the open breakpoints of a patch. Returns 0 or an errno. */
int gilkd_bpf_watch_attach(struct gilkd_bpf *bpf, struct gilkd_bpf_patch *patch)
{
	struct gilkd_bpf_watch *watch = patch->watch;
	uint32_t cpu;
	int error;

	watch->window_ns = gilkd_bpf_now();
	watch->live = true;
	for (cpu = 0; cpu < bpf->nr_cpus; cpu++) {
		error = watch->cpus[cpu].event >= 0 ? gilkd_bpf_watch_start_cpu(bpf, patch, cpu) : 0;
		if (error)
			return error;
	}
	return 0;
}

/* Closes the breakpoints of a patch, so that they no longer run its program. */
void gilkd_bpf_watch_stop(struct gilkd_bpf *bpf, struct gilkd_bpf_patch *patch)
{
	struct gilkd_bpf_watch *watch = patch->watch;
	uint32_t cpu;

	if (!watch || !watch->cpus)
		return;
	for (cpu = 0; cpu < bpf->nr_cpus; cpu++)
		gilkd_bpf_watch_close_cpu(watch, cpu);
	free(watch->cpus);
	watch->cpus = NULL;
	watch->live = false;
}

void gilkd_bpf_watch_free(struct gilkd_bpf *bpf, struct gilkd_bpf_patch *patch)
{
	if (!patch->watch)
		return;
	gilkd_bpf_watch_stop(bpf, patch);
	bpf->watched[patch->watch->point.slot] = NULL;
	if (patch->watch->module >= 0)
		close(patch->watch->module);
	free(patch->watch);
	patch->watch = NULL;
}

static uint64_t count_runs(const struct gilkd_bpf *bpf, const struct gilkd_bpf_watch *watch)
{
	uint64_t runs = 0;
	uint32_t cpu;

	for (cpu = 0; cpu < bpf->nr_cpus; cpu++)
		runs += __atomic_load_n(&gilkd_bpf_watch_cell(bpf, watch, 1 + cpu)->runs, __ATOMIC_RELAXED);
	return runs;
}

/*
 * Returns the number of accesses at which the kernel did not run the program, as of the last read
 * of the breakpoints' counts. The program's count is read last: a hit in between makes the result
 * too small, never too large.
 */
uint64_t gilkd_bpf_watch_missed(const struct gilkd_bpf *bpf, const struct gilkd_bpf_patch *patch)
{
	const struct gilkd_bpf_watch *watch = patch->watch;
	uint64_t hits, runs;
	uint32_t cpu;

	if (!watch)
		return 0;
	hits = watch->closed_hits;
	for (cpu = 0; watch->cpus && cpu < bpf->nr_cpus; cpu++)
		hits += watch->cpus[cpu].hits;
	runs = count_runs(bpf, watch);
	return hits > runs ? hits - runs : 0;
}

/*
 * Clears the number of missed accesses of a stopped watchpoint, which the caller has added to that
 * of its hook.
 */
void gilkd_bpf_watch_settle(const struct gilkd_bpf *bpf, struct gilkd_bpf_patch *patch)
{
	if (patch->watch)
		patch->watch->closed_hits = count_runs(bpf, patch->watch);
}

/* ---- the WATCH_STATUS request ---- */

static uint32_t get_state(const struct gilkd_bpf_patch *patch)
{
	if (patch->watch->gone)
		return GILK_WATCH_GONE;
	switch (patch->state) {
	case ILK_STATE_ARMED:
		return GILK_WATCH_LIVE;
	case ILK_STATE_RESERVED:
	case ILK_STATE_PREPARED:
		return GILK_WATCH_READY;
	default:
		return GILK_WATCH_STOPPED;
	}
}

/* Returns the value at the last access; with GILK_WATCH_EACH_CPU, the value of one CPU's copy. */
static uint64_t get_value(const struct gilkd_bpf *bpf, const struct gilkd_bpf_watch *watch)
{
	return __atomic_load_n(&gilkd_bpf_watch_cell(bpf, watch, gilkd_bpf_watch_is_own(&watch->point))->last, __ATOMIC_RELAXED);
}

static void fill_status(const struct gilkd_bpf *bpf, const struct gilkd_bpf_patch *patch,
			struct gilk_watch_status *status)
{
	const struct gilkd_bpf_watch *watch = patch->watch;
	const uint64_t now = gilkd_bpf_now();
	uint32_t cpu;

	*status = (struct gilk_watch_status){
		.iid = status->iid, .state = get_state(patch), .value = get_value(bpf, watch),
		.pauses = watch->pauses, .paused_ns = watch->paused_ns, .moves = watch->moves,
		.moves_refused = watch->moves_refused, .move_ns = watch->move_ns, .move_ns_max = watch->move_ns_max,
		.refused_address = watch->refused_address, .move_refusal = watch->move_refusal,
	};
	status->address = watch->cpus ? watch->cpus[0].address : gilkd_bpf_watch_address(bpf, &watch->point, 0);
	if (status->address == GILKD_WATCH_NOWHERE)
		status->address = 0;
	for (cpu = 0; watch->cpus && cpu < bpf->nr_cpus; cpu++) {
		const struct gilkd_bpf_watch_cpu *at = &watch->cpus[cpu];

		status->cpus += at->event >= 0;
		status->blind += at->blind;
		status->pauses += at->paused_ns != 0;
		status->paused_ns += at->paused_ns ? now - at->paused_ns : 0;
	}
}

void gilkd_bpf_do_watch_status(struct gilkd_bpf *bpf, uint8_t *payload, size_t length)
{
	struct gilk_watch_status *items = (struct gilk_watch_status *)payload;
	const size_t count = length / sizeof(*items);
	size_t i;

	if (length % sizeof(*items)) {
		gilkd_fail(bpf->client, EINVAL, "Malformed request: %zu bytes of watchpoints. Client "
						"and agent may be of different versions.", length);
		return;
	}
	for (i = 0; i < count; i++) {
		const struct gilkd_bpf_hook *hook = gilkd_bpf_hook(bpf, items[i].iid);
		const struct gilkd_bpf_patch *patch = gilkd_bpf_patch_of(bpf, hook);

		if (!patch || !patch->watch) {
			gilkd_fail(bpf->client, ENOENT, "Hook %u is not a watchpoint; request the status of "
							"watchpoints only.", items[i].iid);
			return;
		}
		fill_status(bpf, patch, &items[i]);
	}
	gilkd_answer(bpf->client, items, length);
}

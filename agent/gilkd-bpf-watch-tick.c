// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gilkd-bpf-watch-tick.c - limits, moves and ends live watchpoints
 *
 * An address that is accessed all the time would take all of the CPU's time. So the agent looks at
 * the counts of all CPUs each TICK_MS. Where there were more accesses than the limit allows, it
 * disables that CPU's breakpoint until the rate since the start of the window is that of the limit.
 * Unless the client set a limit, time is limited as well, because the cost of an exception depends on
 * the machine. The agent reads the counts from memory that it shares with the program, so that a
 * look costs no interrupt. As long as a watchpoint is live, the agent has real-time priority.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "gilkd-bpf-watch.h"
#include "gilkd-cpus.h"

#define TICK_MS		10u	/* ms between two checks of the counts of accesses */
#define MOVE_TICK_MS	1u	/* ms between two checks if programs can move a watchpoint to
				 * another address */
#define COST_RATIO	8	/* estimate: a hit costs this many times the run time of its
				 * program */
#define HIT_NS_MAX	20000u	/* maximum of the program's time that is charged for a hit; if it
				 * took longer, a hypervisor ran something else in between */
#define TIME_SHARE	4	/* hits may take at most 1/TIME_SHARE of a CPU's time */
#define READ_NS		1000000000ull	/* time between two reads of perf's counts, each of which
					 * interrupts a CPU */
#define PAUSE_NS_MAX	10000000000ull

#define NS_PER_S	1000000000ull

static bool is_live(const struct gilkd_bpf_patch *patch)
{
	return patch && patch->watch->live;
}

/* ---- limits ---- */

/*
 * Returns how long a CPU must pause, in ns, after a window of @elapsed ns with @runs accesses, to
 * keep to the limit; 0: it need not pause.
 */
static uint64_t compute_debt(const struct gilkd_bpf_watch *watch, uint64_t runs, uint64_t spent_ns, uint64_t elapsed)
{
	const uint64_t rate = watch->point.rate_limit ? watch->point.rate_limit : GILK_WATCH_RATE;
	uint64_t due;

	/*
	 * The counts are in memory to which hostile programs can write: limit them, so that the
	 * products cannot overflow.
	 */
	if (runs > NS_PER_S)
		runs = NS_PER_S;
	if (spent_ns > runs * HIT_NS_MAX)
		spent_ns = runs * HIT_NS_MAX;
	due = runs * NS_PER_S / rate;
	if (!watch->point.rate_limit && due < spent_ns * COST_RATIO * TIME_SHARE)
		due = spent_ns * COST_RATIO * TIME_SHARE;
	if (due > PAUSE_NS_MAX)
		due = PAUSE_NS_MAX;
	return due > elapsed ? due - elapsed : 0;
}

static void start_window(const struct gilkd_bpf *bpf, const struct gilkd_bpf_watch *watch, uint32_t cpu)
{
	const struct gilk_bpf_watch *cell = gilkd_bpf_watch_cell(bpf, watch, 1 + cpu);

	watch->cpus[cpu].runs = __atomic_load_n(&cell->runs, __ATOMIC_RELAXED);
	watch->cpus[cpu].spent_ns = __atomic_load_n(&cell->spent_ns, __ATOMIC_RELAXED);
}

static void end_pause(const struct gilkd_bpf *bpf, struct gilkd_bpf_watch *watch, uint32_t cpu, uint64_t now)
{
	struct gilkd_bpf_watch_cpu *at = &watch->cpus[cpu];

	watch->pauses++;
	watch->paused_ns += now - at->paused_ns;
	at->paused_ns = 0;
	start_window(bpf, watch, cpu);
	ioctl(at->event, PERF_EVENT_IOC_ENABLE, 0);
}

/*
 * Starts or ends the pause of a watchpoint on one CPU, which limits the rate of accesses. A pause
 * counts as one missed hit.
 */
static void limit_cpu(struct gilkd_bpf *bpf, struct gilkd_bpf_patch *patch, uint32_t cpu, uint64_t now)
{
	struct gilkd_bpf_watch *watch = patch->watch;
	const struct gilk_bpf_watch *cell = gilkd_bpf_watch_cell(bpf, watch, 1 + cpu);
	struct gilkd_bpf_hook *hook = gilkd_bpf_hook(bpf, patch->first_iid);
	struct gilkd_bpf_watch_cpu *at = &watch->cpus[cpu];
	uint64_t debt;

	if (at->event < 0)
		return;
	if (at->paused_ns) {
		if (now >= at->resume_ns)
			end_pause(bpf, watch, cpu, now);
		return;
	}
	debt = compute_debt(watch, __atomic_load_n(&cell->runs, __ATOMIC_RELAXED) - at->runs,
			    __atomic_load_n(&cell->spent_ns, __ATOMIC_RELAXED) - at->spent_ns, now - watch->window_ns);
	start_window(bpf, watch, cpu);
	if (!debt)
		return;
	ioctl(at->event, PERF_EVENT_IOC_DISABLE, 0);
	at->paused_ns = now;
	at->resume_ns = now + debt;
	if (hook)
		hook->missed++;
}

static void limit_watch(struct gilkd_bpf *bpf, struct gilkd_bpf_patch *patch, uint64_t now)
{
	uint32_t cpu;

	if (now - patch->watch->window_ns < TICK_MS * 1000000ull)
		return;
	for (cpu = 0; cpu < bpf->nr_cpus; cpu++)
		limit_cpu(bpf, patch, cpu, now);
	patch->watch->window_ns = now;
}

/* ---- moves to addresses that programs want ---- */

/* Moves the breakpoint of one CPU to @address. Returns 0 or an errno. */
static int move_cpu(struct gilkd_bpf *bpf, struct gilkd_bpf_watch *watch, uint32_t cpu, uint64_t address)
{
	struct gilkd_bpf_watch_cpu *at = &watch->cpus[cpu];
	const struct gilkd_probe probe = {
		.kind = GILKD_BREAKPOINT, .cpu = cpu, .at = address, .len = watch->point.bytes,
		.access = watch->point.access, .starts = !at->paused_ns,
	};
	int error;

	at->address = address;
	if (at->event < 0)
		return 0;
	error = gilkd_prober_move(bpf->prober, &probe, at->event);
	/* Set the state again: a pause may have started or ended while the helper worked. */
	ioctl(at->event, at->paused_ns ? PERF_EVENT_IOC_DISABLE : PERF_EVENT_IOC_ENABLE, 0);
	return error;
}

/*
 * Moves the breakpoints of all CPUs to @address. Returns 0 or an errno. If the kernel refuses the
 * address, all of them are moved back. ETIMEDOUT: the helper process does not answer, and some
 * breakpoints may have moved.
 */
static int move_watch(struct gilkd_bpf *bpf, struct gilkd_bpf_watch *watch, uint64_t address)
{
	const uint64_t before = watch->cpus[0].address;
	uint32_t cpu;
	int error;

	gilkd_bpf_watch_set_last(bpf, watch, 0, address);
	for (cpu = 0; cpu < bpf->nr_cpus; cpu++) {
		error = move_cpu(bpf, watch, cpu, address);
		if (!error)
			continue;
		if (error == ETIMEDOUT)
			return error;
		gilkd_bpf_watch_set_last(bpf, watch, 0, before);
		do
			move_cpu(bpf, watch, cpu, before);
		while (cpu--);
		return error;
	}
	/*
	 * Set the last value again: CPUs that still watched the old address may have stored its
	 * value in the meantime.
	 */
	gilkd_bpf_watch_set_last(bpf, watch, 0, address);
	return 0;
}

static void refuse_move(struct gilkd_bpf_watch *watch, uint64_t address, uint32_t refusal)
{
	watch->moves_refused++;
	watch->move_refusal = refusal;
	watch->refused_address = address;
}

/* Moves a watchpoint to the address that a program last asked for, if there is a new one. */
static void handle_move(struct gilkd_bpf *bpf, struct gilkd_bpf_watch *watch)
{
	const struct gilk_bpf_watch *cell = gilkd_bpf_watch_cell(bpf, watch, 0);
	const uint64_t asked = __atomic_load_n(&cell->asked, __ATOMIC_ACQUIRE);
	const uint64_t address = __atomic_load_n(&cell->wanted, __ATOMIC_RELAXED);
	const uint64_t asked_ns = __atomic_load_n(&cell->asked_ns, __ATOMIC_RELAXED);
	uint32_t refusal;

	if (asked == watch->asked)
		return;
	watch->asked = asked;
	refusal = address ? gilkd_bpf_watch_check_address(bpf, &watch->point, address) : ILK_REFUSAL_NONE;
	if (!refusal && move_watch(bpf, watch, address ? address : GILKD_WATCH_NOWHERE))
		refusal = GILK_BPF_REFUSED_WATCH_DENIED;
	if (refusal) {
		refuse_move(watch, address, refusal);
		return;
	}
	watch->moves++;
	watch->move_ns = gilkd_bpf_now() - asked_ns;
	if (watch->move_ns > watch->move_ns_max)
		watch->move_ns_max = watch->move_ns;
}

/* ---- memory, CPUs and modules that come and go ---- */

/* Ends a watchpoint whose memory was freed, and may be used for other data now. */
static void end_watch(struct gilkd_bpf *bpf, struct gilkd_bpf_watch *watch)
{
	uint32_t cpu;

	watch->gone = true;
	watch->live = false;
	for (cpu = 0; cpu < bpf->nr_cpus; cpu++)
		gilkd_bpf_watch_close_cpu(watch, cpu);
}

/*
 * Checks whether the memory that a watchpoint watches was unmapped, for example with the module
 * that had it. If so, a movable watchpoint watches nothing from now on; any other watchpoint ends.
 */
static void check_memory(struct gilkd_bpf *bpf, struct gilkd_bpf_watch *watch)
{
	const uint64_t address = watch->cpus[0].address;

	if (watch->point.flags & GILK_WATCH_PER_CPU || address == GILKD_WATCH_NOWHERE ||
	    gilkd_bpf_watch_is_mapped(bpf, address))
		return;
	if (watch->point.flags & GILK_WATCH_MOVABLE)
		move_watch(bpf, watch, GILKD_WATCH_NOWHERE);
	else
		end_watch(bpf, watch);
}

/* Opens the breakpoint of a CPU. Returns 0 or an errno. */
static int open_cpu(struct gilkd_bpf *bpf, struct gilkd_bpf_patch *patch, uint32_t cpu)
{
	struct gilkd_bpf_watch *watch = patch->watch;
	const int error = gilkd_bpf_watch_open_cpu(bpf, watch, cpu);

	/* While the helper process worked, the module with the data may have been unloaded. */
	if (!error && (watch->gone || (watch->live && gilkd_bpf_watch_start_cpu(bpf, patch, cpu))))
		gilkd_bpf_watch_close_cpu(watch, cpu);
	return error;
}

/*
 * Opens the breakpoint of a CPU that came online, and closes that of a CPU that went offline.
 * @reads: also read the count of the breakpoint, and close the breakpoint of a CPU that was offline
 * since the last read. Returns 0 or an errno.
 */
static int follow_cpu(struct gilkd_bpf *bpf, struct gilkd_bpf_patch *patch, uint32_t cpu, bool online, bool reads)
{
	struct gilkd_bpf_watch *watch = patch->watch;
	struct gilkd_bpf_watch_cpu *at = &watch->cpus[cpu];
	const bool works = !reads || gilkd_bpf_watch_look(at) || at->paused_ns || !watch->live;

	if (!online || !works)
		gilkd_bpf_watch_close_cpu(watch, cpu);
	return online && at->event < 0 && !at->blind ? open_cpu(bpf, patch, cpu) : 0;
}

static void look_around(struct gilkd_bpf *bpf, bool reads)
{
	uint8_t *online = calloc(bpf->nr_cpus, 1);
	uint32_t cpu, slot;

	if (!online || !gilkd_cpus_mark_online(online, bpf->nr_cpus)) {
		free(online);
		return;
	}
	for (slot = 0; slot < GILK_WATCHES_MAX; slot++) {
		struct gilkd_bpf_patch *patch = bpf->watched[slot];

		for (cpu = 0; patch && patch->watch->cpus && !patch->watch->gone && cpu < bpf->nr_cpus; cpu++)
			if (follow_cpu(bpf, patch, cpu, online[cpu], reads) == ETIMEDOUT)
				break;
		if (is_live(patch))
			check_memory(bpf, patch->watch);
	}
	free(online);
}

static void check_module(struct gilkd_bpf *bpf, struct gilkd_bpf_watch *watch)
{
	if (watch->module >= 0 && faccessat(watch->module, "initstate", F_OK, 0))
		end_watch(bpf, watch);
}

/* ---- the tick ---- */

static bool has_breakpoints(const struct gilkd_bpf *bpf)
{
	uint32_t slot;

	for (slot = 0; slot < GILK_WATCHES_MAX; slot++)
		if (bpf->watched[slot] && bpf->watched[slot]->watch->cpus)
			return true;
	return false;
}

/*
 * Does what is due for all live watchpoints. @busy: a request is changing patches, so only limit
 * the rate of accesses
 */
void gilkd_bpf_watch_tick(struct gilkd_bpf *bpf, bool busy, uint64_t now)
{
	bool any = false, reads;
	uint32_t slot;

	for (slot = 0; slot < GILK_WATCHES_MAX; slot++) {
		struct gilkd_bpf_patch *patch = bpf->watched[slot];

		if (!is_live(patch))
			continue;
		any = true;
		limit_watch(bpf, patch, now);
		if (!busy && patch->watch->point.flags & GILK_WATCH_MOVABLE)
			handle_move(bpf, patch->watch);
		check_module(bpf, patch->watch);
	}
	bpf->samples->watches = any;
	if (busy || !has_breakpoints(bpf) || now - bpf->looked_ns < GILK_WATCH_ONLINE_MS * 1000000ull)
		return;
	bpf->looked_ns = now;
	reads = now - bpf->read_ns >= READ_NS;
	if (reads)
		bpf->read_ns = now;
	look_around(bpf, reads);
}

/*
 * Returns the time, in ms, at which gilkd_bpf_watch_tick() must next be called; UINT64_MAX: never.
 */
uint64_t gilkd_bpf_watch_next_ms(const struct gilkd_bpf *bpf)
{
	uint64_t next = UINT64_MAX;
	uint32_t slot;

	for (slot = 0; slot < GILK_WATCHES_MAX; slot++) {
		const struct gilkd_bpf_patch *patch = bpf->watched[slot];
		const bool moves = patch && patch->watch->point.flags & GILK_WATCH_MOVABLE;
		const uint64_t at = is_live(patch) ? gilkd_now_ms() + (moves ? MOVE_TICK_MS : TICK_MS) : UINT64_MAX;

		if (at < next)
			next = at;
	}
	return next;
}

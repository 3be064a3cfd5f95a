/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilkd-bpf-watch.h - watchpoints: perf's hardware breakpoints with BPF programs
 *
 * gilkd-bpf-watch.c binds watchpoints to patches, opens their breakpoints and reports their status.
 * gilkd-bpf-watch-tick.c limits the rate of accesses, moves watchpoints to addresses that programs
 * want, and handles CPUs and modules that come and go. gilkd-bpf-watch-memory.c finds out what may
 * be watched, and reads values.
 */
#ifndef GILKD_BPF_WATCH_H
#define GILKD_BPF_WATCH_H

#include "gilkd-bpf.h"

/* The address that the registers of a movable watchpoint hold while it watches nothing: in the last
 * page of the address space, which is never mapped. */
#define GILKD_WATCH_NOWHERE	0xfffffffffffff000ull

/**
 * struct gilkd_bpf_watch_cpu - a watchpoint on one CPU
 * @event: descriptor of the breakpoint; -1: the CPU is offline, or had no debug register left
 * @blind: the CPU is online, but had no debug register left
 * @address: the watched address
 * @hits, @enabled_ns: accesses that the breakpoint counted, and the time for which it was enabled, when
 *     the agent last looked
 * @runs, @spent_ns: of struct gilk_bpf_watch, at the start of the current window
 * @paused_ns: time at which a pause started; 0: no pause
 * @resume_ns: time at which the pause ends
 */
struct gilkd_bpf_watch_cpu {
	int event;
	bool blind;
	uint64_t address;
	uint64_t hits, enabled_ns;
	uint64_t runs, spent_ns;
	uint64_t paused_ns, resume_ns;
};

/**
 * struct gilkd_bpf_watch - the watchpoint of a patch
 * @point: the item of WATCH_BIND
 * @cpus: one element per possible CPU; NULL: no breakpoint was opened yet
 * @module: descriptor of the module's directory in sysfs; -1: the data belong to no module
 * @live: the breakpoints are enabled, except while they pause
 * @gone: the module was unloaded
 * @closed_hits: number of accesses that were counted by breakpoints that are closed by now
 * @window_ns: start of the window of the limit
 * @pauses, @paused_ns: number and length of the pauses that are over
 * @asked: number of requests to move that were handled
 * Other members: as in struct gilk_watch_status.
 */
struct gilkd_bpf_watch {
	struct gilk_watch_point point;
	struct gilkd_bpf_watch_cpu *cpus;
	int module;
	bool live, gone;
	uint64_t closed_hits;
	uint64_t window_ns;
	uint64_t pauses, paused_ns;
	uint64_t asked, moves, moves_refused, move_ns, move_ns_max, refused_address;
	uint32_t move_refusal;
};

/* Returns whether the watchpoint watches, on each CPU, that CPU's own copy of per-CPU data. */
static inline bool gilkd_bpf_watch_is_own(const struct gilk_watch_point *point)
{
	return point->flags & GILK_WATCH_PER_CPU && point->cpu == GILK_WATCH_EACH_CPU;
}

/* defined in gilkd-bpf-watch.c */
int gilkd_bpf_watch_open_cpu(struct gilkd_bpf *bpf, struct gilkd_bpf_watch *watch, uint32_t cpu);
int gilkd_bpf_watch_start_cpu(struct gilkd_bpf *bpf, struct gilkd_bpf_patch *patch, uint32_t cpu);
void gilkd_bpf_watch_close_cpu(struct gilkd_bpf_watch *watch, uint32_t cpu);
bool gilkd_bpf_watch_look(struct gilkd_bpf_watch_cpu *at);

/* defined in gilkd-bpf-watch-memory.c */
struct gilk_bpf_watch *gilkd_bpf_watch_cell(const struct gilkd_bpf *bpf, const struct gilkd_bpf_watch *watch,
					    uint32_t element);
uint32_t gilkd_bpf_watch_check(struct gilkd_bpf *bpf, const struct gilk_watch_point *point);
uint32_t gilkd_bpf_watch_check_address(const struct gilkd_bpf *bpf, const struct gilk_watch_point *point, uint64_t address);
bool gilkd_bpf_watch_is_mapped(const struct gilkd_bpf *bpf, uint64_t address);
uint64_t gilkd_bpf_watch_address(const struct gilkd_bpf *bpf, const struct gilk_watch_point *point, uint32_t cpu);
void gilkd_bpf_watch_set_last(struct gilkd_bpf *bpf, const struct gilkd_bpf_watch *watch, uint32_t cpu,
			      uint64_t address);

#endif /* GILKD_BPF_WATCH_H */

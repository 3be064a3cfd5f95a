/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilkd-bpf.h - hooks by BPF programs at kprobes and uprobes: see gilk-wire-bpf.h
 *
 * Maps, programs, probes and links exist only as descriptors of the agent and its helpers, and none
 * is pinned in bpffs: when these processes end, the kernel removes them all. A session has at most
 * one struct gilkd_bpf in use, from GILK_USE to its end.
 */
#ifndef GILKD_BPF_H
#define GILKD_BPF_H

#include "gilkd-bpf-call.h"
#include "gilkd-client.h"
#include "gilkd-open.h"
#include "gilkd-prober.h"
#include "gilkd-samples.h"

#define GILKD_BPF_PATCHES_MAX	(1u << 20)	/* maximum number of patch ids of a session */
#define GILKD_BPF_SPAN_MAX	(1u << 29)	/* maximum size of a map's element: the verifier
						 * rejects larger variable offsets
						 * (BPF_MAX_VAR_OFF) */

/**
 * struct gilkd_bpf_map - a map of one element
 * @fd: the map's descriptor; -1: the map does not exist
 * @at: the element in the agent's memory; NULL: not mapped
 * @bytes: size of the element
 */
struct gilkd_bpf_map {
	int fd;
	uint8_t *at;
	uint64_t bytes;
};

/**
 * struct gilkd_bpf_area - memory that programs keep between hits
 * @bytes: size of one copy
 * @flags: ILK_AREA_*
 */
struct gilkd_bpf_area {
	struct gilkd_bpf_map map;
	uint32_t bytes, flags;
};

/**
 * struct gilkd_bpf_event - an event that is counted on all CPUs
 * @key: GILK_EVENT_KEY()
 * @map: descriptor of a BPF map that holds a perf event for each CPU
 * @cpus, @blind: number of online CPUs on which the event is counted, and is not counted
 */
struct gilkd_bpf_event {
	uint64_t key;
	int map;
	uint32_t cpus, blind;
};

/**
 * struct gilkd_bpf_user - the point of a patch in a user program or library
 * @file: the patch's own descriptor of the file
 */
struct gilkd_bpf_user {
	struct gilkd_probe probe;
	int file;
};

/**
 * struct gilkd_bpf_source - the event at which a program runs
 * @kind: enum gilk_event_kind
 * @amount, @name: as in struct gilk_event_point
 * @timers, @timer_count: descriptors of the perf events of timers, one per CPU; -1: none
 */
struct gilkd_bpf_source {
	uint32_t kind;
	uint64_t amount;
	char name[GILK_EVENT_NAME_MAX];
	int *timers;
	uint32_t timer_count;
};

/**
 * struct gilkd_bpf_patch - a program and the point at which it runs
 * @tactic: enum gilk_bpf_tactic, once the patch has been prepared
 * @state: enum ilk_state: RESERVED, PREPARED, ARMED, RESTORED or FAILED
 * @replaces: id of the patch that this one replaces when it is armed; 0: none
 * @successor: id of the patch that will replace this one; 0: none
 * @first_iid: iid of the hook to which missed hits of the program are added; 0: none
 * @program, @probe, @link: descriptors of the program, of the probe's perf event, and of the
 *     link between them; -1: none
 * @probe_number, @link_number: numbers to pass to gilkd_prober_close(); 0: there is no probe or no
 *     link
 * @shared, @multi: program and link that the patch shares with other patches; NULL: none
 * @user: the point in a program, from USER_BIND on; NULL: the point is elsewhere
 * @source: the event of a point without an address; NULL: none
 * @watch: the data at whose accesses the program runs; NULL: none
 * @scheduled: ARM has set the times
 * @chosen: the request that is being handled applies to the patch
 * @start_at, @stop_at: times on CLOCK_MONOTONIC; start 0: at once; stop 0: never
 * @armed_ns, @restored_ns: times at which the program was attached and detached
 */
struct gilkd_bpf_patch {
	uint32_t id, tactic, state, refusal;
	uint32_t replaces, successor;
	uint32_t first_iid;
	uint64_t site;
	int program, probe, link;
	uint32_t probe_number, link_number;
	struct gilkd_bpf_shared *shared;
	struct gilkd_bpf_multi *multi;
	struct gilkd_bpf_user *user;
	struct gilkd_bpf_source *source;
	struct gilkd_bpf_watch *watch;
	bool scheduled, chosen;
	uint64_t start_at, stop_at;
	uint64_t armed_ns, restored_ns;
};

/**
 * struct gilkd_bpf_hook - a hook by BPF; its counters and gate are in maps
 * @patch: id of the patch whose program contains the hook; 0: none
 * @moves_to: id of the patch that will replace @patch and get the hook; 0: none
 * @flags, @move_flags: ILK_HOOK_* before and after the move
 * @start_ns, @stop_ns: times relative to run time zero
 * @start_at, @stop_at: the same on CLOCK_MONOTONIC
 * @missed: number of missed hits that the kernel counted for programs that are closed by now
 * @overwritten: number of samples that the agent has dropped from each CPU's ring; NULL: none
 * @chosen: the request that is being handled applies to the hook
 */
struct gilkd_bpf_hook {
	uint32_t patch, moves_to;
	uint32_t flags, move_flags;
	uint64_t start_ns, stop_ns;
	uint64_t start_at, stop_at;
	uint64_t params[ILK_PARAMS_MAX];
	uint64_t missed;
	uint64_t *overwritten;
	bool chosen;
};

/**
 * struct gilkd_bpf - this session's hooks by BPF
 * @live: GILK_USE has chosen hooks by BPF
 * @entries: programs at entries of functions run at each hit; set when @live is
 * @nr_cpus: highest number of a possible CPU, plus 1
 * @ring_bytes: size of one CPU's ring
 * @areas, @area_count: areas of the current pool
 * @areas_before: number of ids used by areas of earlier pools
 * @pool_bytes: size of all areas
 * @stacks: per-CPU buffers into which programs read stacks
 * @watches: memory that watchpoints and the agent share
 * @watched: patches of watchpoints, by slot; NULL: the slot is free
 * @watch_kernel: what the agent knows about the kernel's memory; NULL: nothing yet
 * @looked_ns, @read_ns: time of the last check which CPUs are online, and of the last read of the counts
 *     of watchpoints
 * @intervals: intervals in which hooks are on and off; NULL: none
 * @events, @event_count: counters that programs may read, freed with the areas
 * @patches: patches, indexed by id - 1; NULL: the patch was freed
 * @patch_ids: number of patch ids allocated
 * @hooks: hooks, indexed by iid - 1; NULL: the hook was freed
 * @hook_ids: number of iids allocated
 * @shared: list of the programs that patches share
 * @patch_count, @hook_count: number of patches and of hooks that exist
 * @zero_ns: run time zero; 0: not set
 * @ticked_ns: time of the last tick
 * @next_ns: next time at which a hook or patch starts or stops
 * @busy: a request is changing patches: starts and stops of patches must wait
 */
struct gilkd_bpf {
	struct gilkd_client *client;
	struct gilkd_samples *samples;
	struct gilkd_opener *opener;
	struct gilkd_prober *prober, *uprober;
	bool live, entries;
	uint32_t nr_cpus;
	uint64_t ring_bytes, ring_max;
	struct gilkd_bpf_map gates, guards, ring, stacks, watches, counters[GILK_BPF_BLOCKS];
	struct gilkd_bpf_area *areas;
	uint32_t area_count, areas_before;
	uint64_t pool_bytes;
	struct gilkd_bpf_patch *watched[GILK_WATCHES_MAX];
	struct gilkd_bpf_watch_kernel *watch_kernel;
	uint64_t looked_ns, read_ns;
	struct gilkd_bpf_intervals *intervals;
	struct gilkd_bpf_event events[GILK_EVENTS_MAX];
	uint32_t event_count;
	struct gilkd_bpf_patch **patches;
	struct gilkd_bpf_hook **hooks;
	struct gilkd_bpf_shared *shared;
	uint32_t patch_ids, hook_ids, patch_count, hook_count;
	uint64_t zero_ns, ticked_ns, next_ns;
	bool busy;
};

/* defined in gilkd-bpf-maps.c */
uint64_t gilkd_bpf_now(void);
int gilkd_bpf_map_create(struct gilkd_bpf_map *map, const char *name, uint64_t bytes);
int gilkd_bpf_map_open(struct gilkd_bpf_map *map);
void gilkd_bpf_map_close(struct gilkd_bpf_map *map);
int gilkd_bpf_ring_create(struct gilkd_bpf *bpf);
struct gilk_bpf_counter *gilkd_bpf_counter(const struct gilkd_bpf *bpf, uint32_t iid, uint32_t cpu);
int gilkd_bpf_map_find(struct gilkd_bpf *bpf, uint32_t handle, const struct gilkd_bpf_map **map);

/* defined in gilkd-bpf-memory.c */
void gilkd_bpf_areas_free(struct gilkd_bpf *bpf);
void gilkd_bpf_do_memory(struct gilkd_bpf *bpf, uint8_t *payload, size_t length);
void gilkd_bpf_do_memory_read(struct gilkd_bpf *bpf, uint8_t *payload, size_t length);

/* defined in gilkd-bpf-event.c */
int gilkd_bpf_event_find(const struct gilkd_bpf *bpf, uint64_t key);
void gilkd_bpf_events_free(struct gilkd_bpf *bpf);
void gilkd_bpf_do_events(struct gilkd_bpf *bpf, uint8_t *payload, size_t length);

/* defined in gilkd-bpf-code.c */
uint32_t gilkd_bpf_code_check(struct gilkd_bpf *bpf, const uint8_t *code, uint32_t bytes);
int gilkd_bpf_code_load(struct gilkd_bpf *bpf, const struct ilk_prepare_patch *item,
			struct gilkd_bpf_program_type type, const uint8_t *code);

int gilkd_bpf_code_try(struct gilkd_bpf *bpf, const struct ilk_prepare_patch *item,
		       struct gilkd_bpf_program_type type, const uint8_t *code);

/* defined in gilkd-bpf-join.c */
struct gilkd_bpf_shared *gilkd_bpf_shared_load(struct gilkd_bpf *bpf,
					       const struct ilk_prepare_patch *item,
					       const uint8_t *code);
void gilkd_bpf_shared_put(struct gilkd_bpf *bpf, struct gilkd_bpf_shared *shared, uint32_t patch);
uint64_t gilkd_bpf_shared_missed(const struct gilkd_bpf_patch *patch);
void gilkd_bpf_multi_put(struct gilkd_bpf_multi *multi);
int gilkd_bpf_join_attach(struct gilkd_bpf *bpf, struct gilkd_bpf_patch *patch);

/* defined in gilkd-bpf-points.c */
uint32_t gilkd_bpf_point_check(const struct gilkd_bpf_patch *patch,
			       const struct ilk_prepare_patch *item);
struct gilkd_bpf_program_type gilkd_bpf_point_program_type(const struct ilk_prepare_patch *item);
int gilkd_bpf_point_open(struct gilkd_bpf *bpf, struct gilkd_bpf_patch *patch);
int gilkd_bpf_point_attach(struct gilkd_bpf *bpf, struct gilkd_bpf_patch *patch);
uint32_t gilkd_bpf_point_refusal(const struct gilkd_bpf_patch *patch, int error);

/* defined in gilkd-bpf-user.c */
void gilkd_bpf_user_bind(struct gilkd_bpf *bpf, int file, struct gilk_user_point *points,
			 uint32_t count);
void gilkd_bpf_user_free(struct gilkd_bpf_patch *patch);
int gilkd_bpf_user_open(struct gilkd_bpf *bpf, struct gilkd_bpf_patch *patch);
uint32_t gilkd_bpf_user_refusal(int error);

/* defined in gilkd-bpf-source.c */
int gilkd_bpf_source_open(struct gilkd_bpf *bpf, struct gilkd_bpf_patch *patch);
int gilkd_bpf_source_attach_timers(struct gilkd_bpf *bpf, struct gilkd_bpf_patch *patch);
void gilkd_bpf_source_stop(struct gilkd_bpf_patch *patch);
void gilkd_bpf_source_free(struct gilkd_bpf_patch *patch);
uint32_t gilkd_bpf_source_tactic(const struct gilkd_bpf_source *source);
void gilkd_bpf_do_event_bind(struct gilkd_bpf *bpf, uint8_t *payload, size_t length);

/* defined in gilkd-bpf-watch.c */
int gilkd_bpf_watch_open(struct gilkd_bpf *bpf, struct gilkd_bpf_patch *patch);
int gilkd_bpf_watch_attach(struct gilkd_bpf *bpf, struct gilkd_bpf_patch *patch);
void gilkd_bpf_watch_stop(struct gilkd_bpf *bpf, struct gilkd_bpf_patch *patch);
void gilkd_bpf_watch_free(struct gilkd_bpf *bpf, struct gilkd_bpf_patch *patch);
uint64_t gilkd_bpf_watch_missed(const struct gilkd_bpf *bpf, const struct gilkd_bpf_patch *patch);
void gilkd_bpf_watch_settle(const struct gilkd_bpf *bpf, struct gilkd_bpf_patch *patch);
void gilkd_bpf_do_watch_bind(struct gilkd_bpf *bpf, uint8_t *payload, size_t length);
void gilkd_bpf_do_watch_status(struct gilkd_bpf *bpf, uint8_t *payload, size_t length);

/* defined in gilkd-bpf-watch-tick.c */
void gilkd_bpf_watch_tick(struct gilkd_bpf *bpf, bool busy, uint64_t now);
uint64_t gilkd_bpf_watch_next_ms(const struct gilkd_bpf *bpf);

/* defined in gilkd-bpf-watch-memory.c */
void gilkd_bpf_watch_forget(struct gilkd_bpf *bpf);

/* defined in gilkd-bpf-intervals.c */
void gilkd_bpf_intervals_free(struct gilkd_bpf *bpf);
void gilkd_bpf_intervals_start(struct gilkd_bpf *bpf);
void gilkd_bpf_intervals_stop(struct gilkd_bpf *bpf);
void gilkd_bpf_intervals_tick(struct gilkd_bpf *bpf, uint64_t now);
uint64_t gilkd_bpf_intervals_next_ms(const struct gilkd_bpf *bpf);
void gilkd_bpf_do_intervals(struct gilkd_bpf *bpf, uint8_t *payload, size_t length);
void gilkd_bpf_do_interval_times(struct gilkd_bpf *bpf, uint8_t *payload, size_t length);

/* defined in gilkd-bpf-lookup.c */
struct gilkd_bpf_patch *gilkd_bpf_patch(const struct gilkd_bpf *bpf, uint32_t id);
struct gilkd_bpf_hook *gilkd_bpf_hook(const struct gilkd_bpf *bpf, uint32_t iid);
struct gilkd_bpf_patch *gilkd_bpf_patch_of(const struct gilkd_bpf *bpf,
					   const struct gilkd_bpf_hook *hook);
struct gilkd_bpf_patch *gilkd_bpf_patch_next(const struct gilkd_bpf *bpf,
					     const struct gilkd_bpf_hook *hook);
int32_t gilkd_bpf_refusal_errno(uint32_t refusal);

/* defined in gilkd-bpf-patches.c */
uint32_t gilkd_bpf_reserve(struct gilkd_bpf *bpf, struct ilk_reserve_patch *patches,
			   uint32_t patch_count,
			   struct ilk_reserve_hook *hooks, uint32_t hook_count);
uint64_t gilkd_bpf_patch_missed(const struct gilkd_bpf *bpf, const struct gilkd_bpf_patch *patch);
void gilkd_bpf_patch_stop(struct gilkd_bpf *bpf, struct gilkd_bpf_patch *patch);
void gilkd_bpf_patch_detach(struct gilkd_bpf *bpf, struct gilkd_bpf_patch *patch);
void gilkd_bpf_patch_cancel(struct gilkd_bpf *bpf, struct gilkd_bpf_patch *patch);
struct gilkd_bpf_patch *gilkd_bpf_patch_replaced(const struct gilkd_bpf *bpf,
						 const struct gilkd_bpf_patch *patch);
void gilkd_bpf_hooks_unbind_chosen(struct gilkd_bpf *bpf);
void gilkd_bpf_hooks_free_chosen(struct gilkd_bpf *bpf);
void gilkd_bpf_patch_free(struct gilkd_bpf *bpf, struct gilkd_bpf_patch *patch);
void gilkd_bpf_hooks_free_unbound(struct gilkd_bpf *bpf);

/* defined in gilkd-bpf-hooks.c */
void gilkd_bpf_do_reserve(struct gilkd_bpf *bpf, uint8_t *payload, size_t length);
void gilkd_bpf_do_prepare(struct gilkd_bpf *bpf, uint8_t *payload, size_t length);

/* defined in gilkd-bpf-arm.c */
void gilkd_bpf_detach_all(struct gilkd_bpf *bpf);
uint64_t gilkd_bpf_next_ms(const struct gilkd_bpf *bpf);
void gilkd_bpf_tick(struct gilkd_bpf *bpf);
void gilkd_bpf_do_arm(struct gilkd_bpf *bpf, uint8_t *payload, size_t length);
void gilkd_bpf_do_disarm(struct gilkd_bpf *bpf, uint8_t *payload, size_t length);

/* defined in gilkd-bpf-status.c */
void gilkd_bpf_do_info(struct gilkd_bpf *bpf, uint8_t *payload, size_t length);
void gilkd_bpf_do_status(struct gilkd_bpf *bpf, uint8_t *payload, size_t length);
void gilkd_bpf_do_counters(struct gilkd_bpf *bpf, uint8_t *payload, size_t length);
void gilkd_bpf_do_clocks(struct gilkd_bpf *bpf, uint8_t *payload, size_t length);
void gilkd_bpf_do_nothing(struct gilkd_bpf *bpf, uint8_t *payload, size_t length);
void gilkd_bpf_do_refuse(struct gilkd_bpf *bpf, uint8_t *payload, size_t length);

/* defined in gilkd-bpf-rings.c */
extern const struct gilkd_ring_ops gilkd_bpf_rings;

/* defined in gilkd-bpf-try.c */
int gilkd_bpf_try(struct gilkd_prober *prober);

/* gilkd-bpf.c */
void gilkd_bpf_init(struct gilkd_bpf *bpf, struct gilkd_samples *samples,
		    struct gilkd_opener *opener, struct gilkd_prober *prober,
		    struct gilkd_prober *uprober);
bool gilkd_bpf_start(struct gilkd_bpf *bpf, uint64_t ring_bytes);
bool gilkd_bpf_holds(const struct gilkd_bpf *bpf);
void gilkd_bpf_end(struct gilkd_bpf *bpf);

#endif /* GILKD_BPF_H */

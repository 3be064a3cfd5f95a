/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ilk-watch.h - definitions shared by the files of the watchpoints
 *
 * ilk-watch-hit.c runs at an access, ilk-watch-check.c checks what may be
 * watched, ilk-watch.c creates, starts and stops watchpoints, ilk-watch-move.c
 * moves them to addresses that hooks pass, ilk-watch-status.c reports their
 * status.
 */
#ifndef ILK_WATCH_H
#define ILK_WATCH_H

#include <linux/irq_work.h>
#include <linux/perf_event.h>

#include "ilk-abi.h"
#include "ilk-watch-api.h"

struct ilk_watchpoint;
struct ilk_watch_request;

/**
 * struct ilk_watchpoint_cpu - a watchpoint on one CPU
 * @event: the breakpoint; NULL: the CPU is offline, or had no register left.
 *     Protected by ilk_watchpoints_lock
 * @last: value at the previous access, if each CPU watches its own copy
 * @window: TSC at the start of the current window
 * @spent: estimated time spent in the exceptions of this breakpoint in this window
 * @paused: TSC at the start of a pause; 0: the breakpoint is active. Like @window
 *     and @spent, written by this CPU in its handler of debug exceptions, or while
 *     @event is off
 * @pauses: number of pauses that have ended
 * @paused_tsc: total length of these pauses
 */
struct ilk_watchpoint_cpu {
	struct ilk_watchpoint *watchpoint;
	struct perf_event *event;
	unsigned long address;		/* watched address; 0: none; changed while @event is off */
	u64 last;
	u64 window;
	u64 spent;
	u64 paused;
	u64 pauses, paused_tsc;
	struct irq_work irq;
	struct delayed_work resume;
	int cpu;
	bool blind;
	bool busy;
};

/**
 * struct ilk_watchpoint - a watchpoint
 * @node: linked in ilk_watchpoints; changed under ilk_mutex and ilk_watchpoints_lock
 * @armed: the times of the watchpoint are known: there was an ARM since WATCH, and no DISARM since
 *     then
 * @live: breakpoints are on, unless they pause; protected by ilk_watchpoints_lock
 */
struct ilk_watchpoint {
	struct list_head node;
	struct ilk_client *client;
	struct ilk_hook *hook;
	u32 iid, gate, budget, access, bytes;
	bool starts_closed, each_cpu, armed, live;
	bool timed;			/* the time spent in exceptions of the watchpoint is
					 * limited, too */
	u32 state;			/* enum ilk_watch_state */
	unsigned long offset;		/* per-CPU offset of a per-CPU variable; else 0 */
	u64 window_tsc;
	u64 last;
	struct ilk_patch *patch;	/* code to run at an access; NULL: take a sample */
	struct ilk_watch_request *request;	/* request to move, for ilk-watch-move.c; NULL:
						 * the address is fixed */
	u64 moves, moves_refused, move_tsc, move_tsc_max, refused_address;
	u32 move_refusal;
	u64 next_move;			/* jiffies; earliest time of the next move */
	struct ilk_watchpoint_cpu cpus[];	/* nr_cpu_ids items */
};

/*
 * All watchpoints of all clients; changed under ilk_mutex and
 * ilk_watchpoints_lock.
 */
extern struct list_head ilk_watchpoints;
/*
 * Taken after ilk_mutex and cpus_read_lock(). CPU hotplug callbacks hold only
 * this lock.
 */
extern struct mutex ilk_watchpoints_lock;

void ilk_watchpoint_attr(const struct ilk_watchpoint_cpu *at, struct perf_event_attr *attr);
void ilk_watchpoint_start_cpu(struct ilk_watchpoint_cpu *at);

/* ---- ilk-watch-hit.c: accesses to watched data ---- */

void ilk_watch_hit(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs);
u64 ilk_watch_value(unsigned long address, u32 bytes);

/* ---- ilk-watch-check.c: which data may be watched ---- */

enum ilk_refusal ilk_watch_check(const struct ilk_watch *item);
enum ilk_refusal ilk_watch_check_address(const struct ilk_watch *item, unsigned long address);
unsigned long ilk_watch_address(const struct ilk_watch *item, int cpu);

/* ---- ilk-watch-move.c: moves to other addresses; called with ilk_mutex held ---- */

/* Allocates a request; returns NULL if the table is full. */
struct ilk_watch_request *ilk_watch_request_new(u32 iid);
void ilk_watch_request_free(struct ilk_watch_request *request);
/* Returns the address that the registers hold while nothing is watched. */
unsigned long ilk_watch_idle_address(void);
/* Makes a watchpoint watch nothing until it gets a new address. */
void ilk_watch_clear_address(struct ilk_watchpoint *watchpoint);
void ilk_watch_move_exit(void);

/* ---- ilk-watch-status.c: status of watchpoints ---- */

long ilk_watch_do_status(struct ilk_client *client, void __user *arg);

#endif /* ILK_WATCH_H */

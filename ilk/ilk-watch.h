/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ilk-watch.h - what the files of the watches share
 *
 * ilk-watch-hit.c is what runs at an access, ilk-watch-check.c says what may be watched, ilk-watch.c
 * has their lives, ilk-watch-move.c takes those to other addresses whose code tells where, ilk-watch-tell.c tells.
 */
#ifndef ILK_WATCH_H
#define ILK_WATCH_H

#include <linux/irq_work.h>
#include <linux/perf_event.h>

#include "ilk-internal.h"

struct ilk_watcher;

/**
 * struct ilk_watcher_cpu - a watch on one CPU
 * @event: the breakpoint; NULL: the CPU is offline, or had no register left. Under the watchers' lock
 * @last: value of the access before, of a watch of each CPU's own copy
 * @window: TSC at which the window at hand began
 * @spent: time that its exceptions take, in this window, as far as can be told here
 * @paused: TSC; 0: it works. These two by this CPU, in its handler of debug exceptions, or while @event is off
 * @pauses, @paused_tsc: of those that are over
 */
struct ilk_watcher_cpu {
	struct ilk_watcher *watcher;
	struct perf_event *event;
	unsigned long address;		/* 0: nothing is watched at the moment; changed while @event is off */
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
 * struct ilk_watcher - a watch
 * @node: in the list of all; changed under ilk_mutex and the watchers' lock
 * @armed: its times are known: an ARM has been since WATCH, and no DISARM since
 * @live: breakpoints are on, but for those that pause; under the watchers' lock
 */
struct ilk_watcher {
	struct list_head node;
	struct ilk_client *client;
	struct ilk_hook *hook;
	u32 iid, gate, budget, access, bytes;
	bool held, own, armed, live;
	bool timed;			/* time is limited, too */
	u32 state;			/* enum ilk_watch_state */
	unsigned long offset;		/* of a per-CPU variable; else 0 */
	u64 window_tsc;
	u64 last;
	struct ilk_patch *patch;	/* whose code an access runs; NULL: it is sampled */
	struct ilk_watch_aim *aim;	/* ilk-watch-move.c; NULL: it stays where it is */
	u64 moves, moves_refused, move_tsc, move_tsc_most, refused_address;
	u32 move_refusal;
	u64 next_move;			/* jiffies; not before then */
	struct ilk_watcher_cpu cpus[];	/* nr_cpu_ids */
};

/* Of all clients; changed under ilk_mutex and ilk_watchers_lock. */
extern struct list_head ilk_watchers;
/* Behind ilk_mutex and cpus_read_lock(). CPUs come and go under it alone. */
extern struct mutex ilk_watchers_lock;

void ilk_watcher_attr(const struct ilk_watcher_cpu *at, struct perf_event_attr *attr);
void ilk_watcher_start_cpu(struct ilk_watcher_cpu *at);

/* ---- ilk-watch-hit.c ---- */


void ilk_watch_hit(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs);
u64 ilk_watch_value(unsigned long address, u32 bytes);

/* ---- ilk-watch-check.c ---- */

enum ilk_refusal ilk_watch_check(const struct ilk_watch *item);
enum ilk_refusal ilk_watch_check_address(const struct ilk_watch *item, unsigned long address);
unsigned long ilk_watch_address(const struct ilk_watch *item, int cpu);

/* ---- ilk-watch-move.c; context: ilk_mutex ---- */

/* NULL: there is no more room. */
struct ilk_watch_aim *ilk_watch_aim_new(u32 iid);
void ilk_watch_aim_free(struct ilk_watch_aim *aim);
/* Where the registers are held while nothing is watched. */
unsigned long ilk_watch_nowhere(void);
/* It looks at nothing any more, until it is told to. */
void ilk_watch_leave_address(struct ilk_watcher *watcher);
void ilk_watch_move_exit(void);

/* ---- ilk-watch-tell.c ---- */

long ilk_watch_do_tell(struct ilk_client *client, void __user *arg);

#endif /* ILK_WATCH_H */

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ilk-event.h - counters of events, and crashes: what their files and the rest of the driver share
 *
 * ilk-event-read.c is what runs at a hit, ilk-event.c has the lives of counters, ilk-crash.c says who may.
 */
#ifndef ILK_EVENT_H
#define ILK_EVENT_H

#include <linux/perf_event.h>
#include <linux/types.h>

#include "ilk-abi.h"

struct ilk_client;

#define ILK_EVENT_SLOTS	32	/* of all files */

/**
 * struct ilk_event_slot - a counter of each CPU
 * @key: 0: it is nobody's. Written while no code that asks for it can run, before and behind
 * @users: pools of memory; under the lock of ilk-event.c
 */
struct ilk_event_slot {
	u64 key;
	u32 users;
};

extern struct ilk_event_slot ilk_event_slots[ILK_EVENT_SLOTS];

/* A CPU's. Not among the module's own per-CPU data, for which all modules of a kernel have 8 KiB. */
struct ilk_event_cpu {
	struct perf_event *counters[ILK_EVENT_SLOTS];
	struct perf_event *leaving;	/* ilk-event.c */
};

extern struct ilk_event_cpu __percpu *ilk_event_cpus;

/* ---- ilk-event-read.c ---- */

u64 ilk_service_event(u32 iid, u64 key);
bool ilk_event_counts(const struct perf_event *event, int cpu);

/* ---- ilk-event.c ---- */

int ilk_event_init(void);
void ilk_event_exit(void);
void ilk_event_free(void);
long ilk_events_make(struct ilk_client *client, void __user *arg);
void ilk_event_put(u32 slot);

/* ---- ilk-crash.c ---- */

long ilk_crash_allow(struct ilk_client *client, void __user *arg);
void ilk_crash_forbid(u32 iid);
void ilk_service_crash(u32 iid, u64 a, u64 b, u64 c, u64 d, u64 e);

/* ---- ilk-memory.c ---- */

int ilk_memory_keep_event(struct ilk_client *client, u32 slot);

#endif /* ILK_EVENT_H */

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ilk-event.h - interface of event counters and crashes
 *
 * ilk-event-read.c runs at a hit, ilk-event.c creates and releases counters,
 * ilk-crash.c checks which hooks may crash the kernel.
 *
 * Counters are created and released under events_lock of ilk-event.c; code at a hit reads them
 * without a lock, on their CPU. Permissions to crash are under ilk_mutex.
 */
#ifndef ILK_EVENT_H
#define ILK_EVENT_H

#include <linux/perf_event.h>
#include <linux/types.h>

#include "ilk-abi.h"

struct ilk_client;

#define ILK_EVENT_SLOTS	32	/* maximum number of counters, over all files */

/**
 * struct ilk_event_slot - one counter on each CPU
 * @key: ILK_EVENT(); 0: free. Written only while no code can run that uses the slot with the
 *     old or the new key
 * @users: number of memory pools that use it; protected by events_lock
 */
struct ilk_event_slot {
	u64 key;
	u32 users;
};

extern struct ilk_event_slot ilk_event_slots[ILK_EVENT_SLOTS];

/*
 * Counters of one CPU. Allocated dynamically, because all modules of a kernel share 8 KiB
 * of static per-CPU data.
 */
struct ilk_event_cpu {
	struct perf_event *counters[ILK_EVENT_SLOTS];
	struct perf_event *leaving;	/* counter being released */
};

extern struct ilk_event_cpu __percpu *ilk_event_cpus;

/* ---- ilk-event-read.c ---- */

u64 ilk_service_event (u32 iid, u64 key);
bool ilk_event_counts (const struct perf_event *event, int cpu);

/* ---- ilk-event.c ---- */

int ilk_event_init(void);
void ilk_event_exit(void);
void ilk_event_free(void);
long ilk_events_create(struct ilk_client *client, void __user *arg);
void ilk_event_put(u32 slot);

/* ---- ilk-crash.c ---- */

long ilk_crash_allow(struct ilk_client *client, void __user *arg);
void ilk_crash_forbid(u32 iid);
void ilk_service_crash(u32 iid, u64 a, u64 b, u64 c, u64 d, u64 e);

/* ---- ilk-memory.c ---- */

int ilk_memory_keep_event(struct ilk_client *client, u32 slot);

#endif /* ILK_EVENT_H */

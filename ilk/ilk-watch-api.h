/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ilk-watch-api.h - interface of the watchpoints for the rest of the driver
 *
 * The watchpoints have a lock of their own (ilk-watch.h), taken after ilk_mutex. All functions
 * must be called with ilk_mutex held, except the service, which runs at a hit, and init, exit
 * and the ioctls.
 */
#ifndef ILK_WATCH_API_H
#define ILK_WATCH_API_H

#include <linux/percpu.h>
#include <linux/types.h>

struct ilk_client;
struct ilk_hook;
struct ilk_patch;
struct module;

/*
 * ilk-watch-hit.c: instruction pointer of the access while a watchpoint's code runs on this CPU;
 * else 0
 */
DECLARE_PER_CPU(u64, ilk_watch_ip);
/*
 * NMI bits of the preempt count while the code of a watchpoint runs; valid while @ilk_watch_ip is
 * not 0
 */
DECLARE_PER_CPU(u32, ilk_watch_nmis);

/* Implements ILK_SERVICE_WATCH; in ilk-watch-move.c. */
void ilk_watch_service(u32 iid, u64 address);

int ilk_watch_init(void);
void ilk_watch_exit(void);
long ilk_watch_ioctl(struct ilk_client *client, unsigned int cmd, void __user *arg);
void ilk_watches_arm(struct ilk_client *client, u64 now);
void ilk_watches_tick(struct ilk_client *client, u64 now);
void ilk_watches_disarm(struct ilk_client *client, bool forget);
/*
 * Frees the watchpoint whose accesses run the code of @patch, if any. Must be called with
 * ilk_mutex held.
 */
void ilk_watches_free_patch(struct ilk_patch *patch);
void ilk_watches_module_going(struct module *mod);
void ilk_watches_for_each(struct ilk_client *client,
			  void (*act)(struct ilk_client *client, const struct ilk_hook *hook, u64 now), u64 now);

#endif /* ILK_WATCH_API_H */

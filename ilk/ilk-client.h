/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ilk-client.h - one open file, and its transactions
 *
 * Members of a client are protected by ilk_mutex unless their comments say otherwise.
 * Transactions take ilk_mutex.
 */
#ifndef ILK_CLIENT_H
#define ILK_CLIENT_H

#include <linux/hrtimer.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/workqueue.h>

#include "ilk-abi.h"
#include "ilk-patch.h"

struct file;
struct ilk_account;
struct ilk_intervals_run;
struct ilk_staged;
struct module;

/**
 * struct ilk_client - one open file
 * @node: linked in ilk_clients from the file's first RESERVE on; before that there is nothing
 *     to undo
 * @zero: run time zero; its time is 0 until the first ARM, and after a DISARM of all patches
 * @timer: used by ilk-timer.c, like @work, @again and @events; @events is changed only while @timer
 *     is stopped
 */
struct ilk_client {
	struct list_head node;
	struct list_head patches;
	struct list_head hooks;
	pid_t pid;
	struct ilk_timestamp_pair zero;
	struct ilk_intervals_run *intervals;	/* state of ilk-intervals.c; NULL: no intervals */
	struct ilk_account *account;	/* state of ilk-memory.c; NULL: no memory */
	struct hrtimer timer;
	struct work_struct work;
	struct delayed_work retry;
	struct ilk_event *events;
	u32 event_room;
	u32 event_count;
	u32 event_next;
};

extern struct list_head ilk_clients;

/* ---- ilk-client.c, ilk-prepare.c: transactions of a file ---- */

struct ilk_client *ilk_client_new(void);
void ilk_client_join(struct ilk_client *client);
void ilk_client_close(struct ilk_client *client);
enum ilk_refusal ilk_client_reserve(struct ilk_client *client, struct ilk_reserve_patch *patches,
				    u32 patch_count, struct ilk_reserve_hook *hooks,
				    u32 hook_count);
void ilk_client_unreserve(struct ilk_client *client, const struct ilk_reserve_patch *patches,
			  u32 patch_count, const struct ilk_reserve_hook *hooks, u32 hook_count);
int ilk_client_prepare(struct ilk_client *client, struct ilk_staged *staged);
int ilk_client_arm(struct ilk_client *client, struct ilk_arm *arm);
void ilk_client_disarm(struct ilk_client *client, const u32 *ids, u32 count, bool forget,
		       u32 *restored, u32 *refused);
void ilk_disarm_all_files(bool forget, u32 *restored, u32 *refused);
void ilk_client_tick(struct ilk_client *client);

/* ilk_mutex held */
void ilk_gates_set(struct ilk_patch *patch, bool open);
bool ilk_patch_is_pending(const struct ilk_patch *patch);
void ilk_patches_disarm(struct list_head *batch, u32 *restored);

/* ---- ilk-timer.c: start and stop times; called with ilk_mutex held ---- */

void ilk_timer_init(struct ilk_client *client);
int ilk_timer_reserve(struct ilk_client *client);
void ilk_timer_start(struct ilk_client *client, u64 now);
void ilk_timer_stop(struct ilk_client *client);
void ilk_timer_reset(struct ilk_client *client);
void ilk_timer_retry(struct ilk_client *client);

/* ---- ilk-evict.c: removing patches without a request of their clients ---- */

void ilk_module_going(struct module *mod);
u32 ilk_clones_evict(void);

/* ---- ilk-ioctl.c: calls of /dev/ilk ---- */

long ilk_ioctl(struct file *file, unsigned int cmd, unsigned long arg);

#endif /* ILK_CLIENT_H */

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-watch-status.c - handles WATCH_STATUS, which reports the status of watchpoints
 */
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <asm/msr.h>
#include <asm/tsc.h>

#include "ilk-driver.h"
#include "ilk-hook.h"
#include "ilk-stage.h"
#include "ilk-watch.h"
#include "ilk.h"

static u64 tsc_to_ns(u64 tsc)
{
	return mul_u64_u32_div(tsc, 1000000, tsc_khz);
}

static int fill_status(struct ilk_client *client, struct ilk_watch_status *status)
{
	struct ilk_hook *hook = ilk_hook_find(status->iid);
	struct ilk_watchpoint *watchpoint = hook && hook->client == client ? hook->watchpoint : NULL;
	const struct ilk_watchpoint_cpu *at;
	u64 paused_tsc = 0;
	int cpu;

	if (!watchpoint)
		return -ENOENT;
	*status = (struct ilk_watch_status) {
		.iid = status->iid, .state = watchpoint->state, .address = watchpoint->cpus[0].address,
		.moves = watchpoint->moves, .moves_refused = watchpoint->moves_refused,
		.refused_address = watchpoint->refused_address, .move_refusal = watchpoint->move_refusal,
		.move_ns = tsc_to_ns(watchpoint->move_tsc), .move_ns_max = tsc_to_ns(watchpoint->move_tsc_max),
		.value = watchpoint->each_cpu ? READ_ONCE(watchpoint->cpus[0].last) : READ_ONCE(watchpoint->last),
	};
	mutex_lock(&ilk_watchpoints_lock);
	for_each_possible_cpu(cpu) {
		u64 paused;

		at = &watchpoint->cpus[cpu];
		paused = READ_ONCE(at->paused);
		status->cpus += at->event != NULL;
		status->blind += at->blind;
		status->pauses += at->pauses + (paused != 0);
		paused_tsc += at->paused_tsc + (paused ? rdtsc() - paused : 0);
	}
	mutex_unlock(&ilk_watchpoints_lock);
	status->paused_ns = tsc_to_ns(paused_tsc);
	return 0;
}

long ilk_watch_do_status(struct ilk_client *client, void __user *arg)
{
	struct ilk_watch_status *items;
	struct ilk_watch_query call;
	long ret = 0;
	u32 i;

	if (copy_from_user(&call, arg, sizeof(call)))
		return -EFAULT;
	if (!call.count || call.count > ILK_WATCHES_MAX || call.pad)
		return -EINVAL;
	items = ilk_copy_array(call.watches, call.count, sizeof(*items));
	if (IS_ERR(items))
		return PTR_ERR(items);
	ilk_lock();
	for (i = 0; i < call.count && !ret; i++)
		ret = fill_status(client, &items[i]);
	ilk_unlock();
	if (!ret)
		ret = ilk_copy_out(call.watches, items, call.count * sizeof(*items));
	kvfree(items);
	return ret;
}

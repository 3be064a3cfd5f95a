/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ilk-hook.h - hooks: their gates (bytes that switch hooks on and off), their counters, and the
 * instruments that they call
 *
 * Hooks and instruments are changed under ilk_mutex. Code at a hit reads ilk_hooks[] without a
 * lock, because a hook is freed only after a grace period; gates are single bytes, and counters
 * are per CPU.
 */
#ifndef ILK_HOOK_H
#define ILK_HOOK_H

#include <linux/list.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>

#include "ilk-abi.h"

struct ilk_client;
struct ilk_info;
struct ilk_instrument;
struct ilk_patch;

#define ILK_HOOKS_MAX	65536u

struct ilk_hook {
	u32 iid;
	u32 flags;
	struct ilk_client *client;
	pid_t pid;			/* process that opened the client's file */
	struct list_head node;		/* linked in the client's list of hooks; empty once
					 * released */
	struct list_head patch_node;
	struct list_head move_node;	/* linked in @arriving of the patch that the hook will
					 * move to; else empty */
	u32 move_flags;			/* flags of the hook after the move */
	struct ilk_patch *patch;
	struct ilk_instrument *instrument;
	u64 start_ns, stop_ns;
	u64 start_at, stop_at;
	u64 params[ILK_PARAMS_MAX];
	u64 __percpu *count;
	u64 __percpu *lost;
	u64 __percpu *missed;
	bool near;
	struct rcu_head rcu;
};

extern struct ilk_hook *ilk_hooks[ILK_HOOKS_MAX + 1];
extern u8 ilk_gates[ILK_HOOKS_MAX + 1];

/* ---- ilk-hook.c: hooks and their ids ---- */

/*
 * Returns the hook with the id @iid, or NULL. Always inline, as it runs at a hit, where functions
 * that may be traced or probed must not be called.
 */
static __always_inline struct ilk_hook *ilk_hook_find(u32 iid)
{
	return iid && iid <= ILK_HOOKS_MAX ? READ_ONCE(ilk_hooks[iid]) : NULL;
}

struct ilk_hook *ilk_hook_new(struct ilk_client *client, u32 flags);
void ilk_hook_free(struct ilk_hook *hook);
enum ilk_refusal ilk_hook_bind(struct ilk_client *client, const struct ilk_prepare_hook *item);
void ilk_hook_unbind(struct ilk_hook *hook);
u32 ilk_hooks_count_live(void);

/* ---- ilk-hook.c: per-CPU cells in which hooks count ---- */

u64 __percpu *ilk_counter_alloc(bool *near);
void ilk_counter_free(u64 __percpu *cell, bool near);
u64 ilk_counter_sum(u64 __percpu *cell);
void ilk_counter_exit(void);

/* ---- ilk-instrument.c, ilk-service.c: functions that hooks call ---- */

void ilk_service_info(struct ilk_info *info);
struct ilk_instrument *ilk_instrument_get(u32 id);
void ilk_instrument_put(struct ilk_instrument *instrument);
u32 ilk_instruments_list(struct ilk_instrument_desc *descs, u32 capacity);

/* ilk-evict.c; must be called without ilk_mutex */
void ilk_instrument_evict(struct ilk_instrument *instrument);

#endif /* ILK_HOOK_H */

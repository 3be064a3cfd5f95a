// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-client.c - the transactions of one open file
 *
 * ARM processes all of its items or none, as RESERVE and PREPARE do
 * (ilk-prepare.c). DISARM does as much as possible: a patch whose bytes were changed by other
 * patchers stays armed and is counted. Closing the file removes all of its patches and hooks.
 */
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/sched.h>
#include <linux/wait.h>

#include "ilk-arm.h"
#include "ilk-check.h"
#include "ilk-client.h"
#include "ilk-driver.h"
#include "ilk-hook.h"
#include "ilk-kernel.h"
#include "ilk-memory.h"
#include "ilk-patch.h"
#include "ilk-retire.h"
#include "ilk-ring.h"
#include "ilk-text.h"
#include "ilk-time.h"
#include "ilk.h"

#define RETRY_DELAY	(HZ / 10)	/* time after which a waiter tries again, because
					 * mutex_unlock() does not wake it */

DEFINE_MUTEX(ilk_mutex);
static DECLARE_WAIT_QUEUE_HEAD(waiters);
LIST_HEAD(ilk_clients);

/*
 * Takes ilk_mutex. Its holder may wait for the kprobe optimiser, which may wait
 * for a busy thread (ilk_kernel_text_lock()): so waiters sleep in TASK_IDLE, and
 * do not count as hung tasks.
 */
void ilk_lock(void)
{
	while (!mutex_trylock(&ilk_mutex))
		wait_event_idle_exclusive_timeout(waiters, !mutex_is_locked(&ilk_mutex),
						  RETRY_DELAY);
}

void ilk_unlock(void)
{
	mutex_unlock(&ilk_mutex);
	if (wq_has_sleeper(&waiters))
		wake_up(&waiters);
}

/*
 * Allocates a client; NULL: no memory. Called by open(), which the kernel serialises for all misc
 * devices, so this must not wait for locks.
 */
struct ilk_client *ilk_client_new(void)
{
	struct ilk_client *client = kzalloc(sizeof(*client), GFP_KERNEL_ACCOUNT);

	if (!client)
		return NULL;
	INIT_LIST_HEAD(&client->node);
	INIT_LIST_HEAD(&client->patches);
	INIT_LIST_HEAD(&client->hooks);
	client->pid = task_tgid_nr(current);
	ilk_timer_init(client);
	return client;
}

/*
 * Adds the client to the list before it gets patches or hooks. Must be called
 * with ilk_mutex held.
 */
void ilk_client_join(struct ilk_client *client)
{
	lockdep_assert_held(&ilk_mutex);
	if (!list_empty(&client->node))
		return;
	list_add_tail(&client->node, &ilk_clients);
}

/* ---- the ARM call --------------------------------------------------------------- */

static bool is_hook_due(const struct ilk_hook *hook, u64 now)
{
	return hook->start_at <= now && (!hook->stop_at || hook->stop_at > now);
}

/**
 * ilk_gates_set() - close the gates of a patch's hooks (the bytes that switch them on), or open the
 * gates of hooks that are due
 *
 * Hooks that are about to move to this patch still belong to the old patch: gates that the old
 * patch uses stay unchanged.
 */
void ilk_gates_set(struct ilk_patch *patch, bool open)
{
	u64 now = ktime_get_ns();
	struct ilk_hook *hook;

	list_for_each_entry(hook, &patch->hooks, patch_node)
		if (hook->flags & ILK_HOOK_GATED)
			WRITE_ONCE(ilk_gates[hook->iid], open && is_hook_due(hook, now));
	list_for_each_entry(hook, &patch->arriving, move_node)
		if (open && !(hook->flags & ILK_HOOK_GATED))
			WRITE_ONCE(ilk_gates[hook->iid], is_hook_due(hook, now));
}

static void set_hook_times(struct ilk_patch *patch, struct ilk_hook *hook, u64 zero)
{
	hook->start_at = hook->start_ns ? zero + hook->start_ns : 0;
	hook->stop_at = hook->stop_ns ? zero + hook->stop_ns : 0;
	patch->start_at = min(patch->start_at, hook->start_at);
	patch->stop_at = max(patch->stop_at, hook->stop_at ?: U64_MAX);
}

/*
 * Sets the times of a patch: the earliest start of its hooks and the latest
 * stop.
 */
static void set_patch_times(struct ilk_patch *patch, u64 zero)
{
	bool empty = list_empty(&patch->hooks) && list_empty(&patch->arriving);
	struct ilk_hook *hook;

	patch->start_at = empty ? 0 : U64_MAX;
	patch->stop_at = empty ? U64_MAX : 0;
	list_for_each_entry(hook, &patch->hooks, patch_node)
		set_hook_times(patch, hook, zero);
	list_for_each_entry(hook, &patch->arriving, move_node)
		set_hook_times(patch, hook, zero);
	if (patch->stop_at == U64_MAX)
		patch->stop_at = 0;
	patch->scheduled = true;
}

/* Checks the bytes of a patch that starts later, so that ARM can already refuse the patch. */
static enum ilk_refusal check_later_text(const struct ilk_text *text)
{
	u8 now[ILK_FOOTPRINT_MAX];

	if (ilk_kernel_kprobe_in(text->addr, text->len))
		return ILK_REFUSAL_KPROBE;
	if (ilk_text_read(text->addr, now, text->len) || memcmp(now, text->old, text->len))
		return ILK_REFUSAL_TEXT_DIFFERS;
	return ILK_REFUSAL_NONE;
}

static enum ilk_refusal check_patch_later(const struct ilk_patch *patch)
{
	enum ilk_refusal refusal;

	if (patch->inner)
		return ILK_REFUSAL_NONE;
	refusal = check_later_text(&patch->text);
	return refusal || !patch->bounce.len || patch->guest ? refusal :
							       check_later_text(&patch->bounce);
}

static bool is_new_patch(const struct ilk_patch *patch)
{
	return patch->state == ILK_STATE_PREPARED && !patch->scheduled && !patch->calibration;
}

/*
 * Patches that are prepared and not yet scheduled, in one list for each way in which ARM handles
 * them.
 */
struct arming {
	struct list_head fresh;		/* patches whose sites get an int3 now; linked by
					 * text.node */
	struct list_head switching;	/* patches that replace a live patch; linked by
					 * switch_node */
};

static enum ilk_refusal collect_patch(struct ilk_patch *patch, u64 now, struct arming *arming)
{
	bool live = false;

	if (patch->replaces) {
		patch->refusal = ilk_switch_recheck(patch, &live);
		if (patch->refusal)
			return patch->refusal;
	}
	if (live) {
		patch->start_at = 0;
		list_add_tail(&patch->switch_node, &arming->switching);
		return ILK_REFUSAL_NONE;
	}
	if (patch->start_at <= now) {
		list_add_tail(&patch->text.node, &arming->fresh);
		return ILK_REFUSAL_NONE;
	}
	patch->refusal = check_patch_later(patch);
	return patch->refusal;
}

/*
 * Collects new patches and sets their start and stop times. Returns the patch that prevents
 * ARM, or NULL.
 */
static struct ilk_patch *collect_new_patches(struct ilk_client *client, u64 now, struct arming *arming)
{
	struct ilk_patch *patch;

	ilk_each(patch, &client->patches, node) {
		if (patch->state == ILK_STATE_GONE && !patch->scheduled) {
			patch->refusal = ILK_REFUSAL_MODULE_GONE;
			return patch;
		}
		if (!is_new_patch(patch))
			continue;
		set_patch_times(patch, client->zero.mono_ns);
		patch->chosen = true;
		if (collect_patch(patch, now, arming))
			return patch;
	}
	return NULL;
}

static void queue_for_grace(struct list_head *batch)
{
	struct ilk_patch *patch;

	ilk_each(patch, batch, text.node)
		ilk_grace_queue(patch);
}

/*
 * Ends the handling of the patches that collect_new_patches() has chosen. If ARM failed, switches
 * off the hooks of these patches, and makes the patches unscheduled again.
 */
static void finish_new_patches(struct ilk_client *client, struct arming *arming, bool failed)
{
	struct ilk_patch *patch, *next;

	ilk_each_safe(patch, next, &arming->switching, switch_node)
		list_del_init(&patch->switch_node);
	ilk_each(patch, &client->patches, node) {
		if (!patch->chosen)
			continue;
		patch->chosen = false;
		if (!failed) {
			ilk_switch_inherit(patch);
			continue;
		}
		ilk_gates_set(patch, false);
		patch->scheduled = false;
	}
}

/*
 * Writes the text of all new patches, then of all patches that replace a live patch; if this fails
 * for one of them, undoes what was written.
 */
static int arm_text(struct arming *arming, struct ilk_patch **obstacle)
{
	struct ilk_patch *patch;
	int ret;

	ret = ilk_switch_start(&arming->switching, obstacle);
	if (ret)
		return ret;
	ilk_each(patch, &arming->fresh, text.node)
		ilk_gates_set(patch, true);
	ilk_each(patch, &arming->switching, switch_node)
		ilk_gates_set(patch, true);
	ret = ilk_patches_arm(&arming->fresh, obstacle);
	queue_for_grace(&arming->fresh);
	if (ret) {
		ilk_switch_abort(&arming->switching);
		return ret;
	}
	ret = ilk_switch_all(&arming->switching, obstacle);
	if (ret)
		ilk_patches_unarm(&arming->fresh);
	return ret;
}

static int arm_client_locked(struct ilk_client *client, struct ilk_arm *arm)
{
	struct arming arming = {
		.fresh = LIST_HEAD_INIT(arming.fresh),
		.switching = LIST_HEAD_INIT(arming.switching),
	};
	struct ilk_patch *obstacle;
	bool first = !client->zero.mono_ns;
	u64 now;
	int ret;

	if (ilk_text_is_poisoned()) {
		arm->refusal = ILK_REFUSAL_POISONED;
		return -EUCLEAN;
	}
	arm->refusal = ilk_permit_check();
	if (arm->refusal)
		return ilk_refusal_errno(arm->refusal);
	ret = ilk_timer_reserve(client);
	if (ret)
		return ret;
	if (first)
		ilk_clock_read(&client->zero);
	now = ktime_get_ns();
	arm->zero = client->zero;
	obstacle = collect_new_patches(client, now, &arming);
	ret = obstacle ? ilk_refusal_errno(obstacle->refusal) : arm_text(&arming, &obstacle);
	finish_new_patches(client, &arming, ret);
	if (ret) {
		if (first)
			client->zero.mono_ns = 0;
		arm->failed_patch = obstacle->id;
		arm->refusal = obstacle->refusal;
		return ret;
	}
	ilk_timer_start(client, now);
	if (first)
		ilk_intervals_start(client);
	return 0;
}

/**
 * ilk_client_arm() - arm everything that is prepared, now or when it is due
 *
 * Return: 0; otherwise nothing was armed and @arm contains the patch and the
 *     reason.
 */
int ilk_client_arm(struct ilk_client *client, struct ilk_arm *arm)
{
	int ret;

	memset(arm, 0, sizeof(*arm));
	ilk_lock();
	ret = arm_client_locked(client, arm);
	ilk_unlock();
	return ret;
}

/* ---- the DISARM call ------------------------------------------------------------- */

/*
 * Disarms all patches linked by text.node: restores patches that are in text, unschedules all
 * others. Must be called with ilk_mutex held.
 */
void ilk_patches_disarm(struct list_head *batch, u32 *restored)
{
	struct ilk_patch *patch, *next;

	ilk_each_safe(patch, next, batch, text.node) {
		ilk_gates_set(patch, false);
		if (ilk_patch_in_text(patch))
			continue;
		list_del(&patch->text.node);
		if (patch->state != ILK_STATE_PREPARED && !ilk_patch_is_live(patch))
			continue;
		if (patch->inner)
			patch->restored_ns = ktime_get_ns();
		ilk_patch_unclaim(patch);
		ilk_patch_set_state(patch, ILK_STATE_RESTORED);
		if (patch->retire)
			ilk_grace_queue(patch);
	}
	if (list_empty(batch))
		return;
	*restored += ilk_patches_restore(batch);
	ilk_each(patch, batch, text.node)
		if (!ilk_patch_in_text(patch) || ilk_patch_is_lending(patch))
			ilk_grace_queue(patch);
}

/* Detaches a patch and its hooks from their client. */
static void detach_patch(struct ilk_patch *patch)
{
	struct ilk_hook *hook;

	patch->client = NULL;
	list_del_init(&patch->node);
	list_for_each_entry(hook, &patch->hooks, patch_node) {
		hook->client = NULL;
		list_del_init(&hook->node);
	}
	if (ilk_patch_is_lending(patch))
		return;			/* the patch stays until no bounce of another patch is in
					 * its footprint */
	if (ilk_patch_in_text(patch))
		ilk_grace_add_orphan(patch);
	else if (patch->site || patch->retire || !list_empty(&patch->grace_node))
		ilk_grace_queue(patch);
	else
		ilk_patch_free(patch);
}

static void free_unbound_hooks(struct ilk_client *client)
{
	struct ilk_hook *hook, *next;

	ilk_each_safe(hook, next, &client->hooks, node)
		if (!hook->patch)
			ilk_hook_free(hook);
}

enum release_how {
	RELEASE_NONE,
	RELEASE_RESTORED,
	RELEASE_ALL,
};

static void disarm_client_locked(struct ilk_client *client, enum release_how forget, u32 *restored,
				 u32 *refused)
{
	struct ilk_patch *patch, *next;
	LIST_HEAD(batch);

	client->zero.mono_ns = 0;
	ilk_timer_reset(client);
	ilk_intervals_stop(client);
	ilk_each(patch, &client->patches, node)
		if (!patch->calibration || forget != RELEASE_NONE)
			list_add_tail(&patch->text.node, &batch);
	ilk_patches_disarm(&batch, restored);
	ilk_each_safe(patch, next, &client->patches, node) {
		*refused += ilk_patch_in_text(patch) && !ilk_patch_is_lending(patch);
		if (forget == RELEASE_ALL ||
		    (forget == RELEASE_RESTORED &&
		     (!ilk_patch_in_text(patch) || ilk_patch_is_lending(patch))))
			detach_patch(patch);
	}
	if (forget != RELEASE_NONE)
		free_unbound_hooks(client);
}

static void disarm_list(struct ilk_client *client, const u32 *ids, u32 count, bool forget,
			u32 *restored, u32 *refused)
{
	struct ilk_patch *patch;
	LIST_HEAD(batch);
	u32 i;

	for (i = 0; i < count; i++, cond_resched()) {
		patch = ilk_patch_find(client, ids[i]);
		if (!patch || patch->chosen)	/* the id is unknown, or listed twice */
			continue;
		patch->chosen = true;
		list_add_tail(&patch->text.node, &batch);
	}
	ilk_patches_disarm(&batch, restored);
	for (i = 0; i < count; i++, cond_resched()) {
		patch = ilk_patch_find(client, ids[i]);
		if (!patch || !patch->chosen)
			continue;
		patch->chosen = false;
		*refused += ilk_patch_in_text(patch) && !ilk_patch_is_lending(patch);
		if (forget && (!ilk_patch_in_text(patch) || ilk_patch_is_lending(patch)))
			detach_patch(patch);
	}
}

/**
 * ilk_client_disarm() - restore the text of some patches, or of all
 * @ids: ids of the patches; NULL: all patches
 * @forget: also release patches that could be restored
 * @restored: incremented for each patch restored
 * @refused: incremented for each patch whose bytes were changed by other patchers
 */
void ilk_client_disarm(struct ilk_client *client, const u32 *ids, u32 count, bool forget,
		       u32 *restored, u32 *refused)
{
	ilk_lock();
	if (ids)
		disarm_list(client, ids, count, forget, restored, refused);
	else
		disarm_client_locked(client, forget ? RELEASE_RESTORED : RELEASE_NONE, restored, refused);
	if (ids)
		ilk_timer_start(client, ktime_get_ns());	/* restarts the timer for the
								 * remaining hooks */
	if (!ids && forget && list_empty(&client->patches))
		ilk_memory_leave_pool(client);
	ilk_unlock();
}

void ilk_disarm_all_files(bool forget, u32 *restored, u32 *refused)
{
	struct ilk_client *client;

	ilk_lock();
	list_for_each_entry(client, &ilk_clients, node)
		disarm_client_locked(client, forget ? RELEASE_RESTORED : RELEASE_NONE, restored, refused);
	ilk_unlock();
}

/*
 * Restores and frees everything of a file that was closed, or whose owner was
 * killed.
 */
void ilk_client_close(struct ilk_client *client)
{
	u32 restored = 0, refused = 0;

	if (!list_empty(&client->node)) {
		ilk_lock();
		list_del(&client->node);
		disarm_client_locked(client, RELEASE_ALL, &restored, &refused);
		ilk_unlock();
	}
	if (refused)
		pr_warn("ilk: %u patches of process %d could not be restored, somebody else patched over them; trying again every 2 seconds\n",
			refused, client->pid);
	ilk_memory_close(client);
	ilk_ring_release(client);
	cancel_work_sync(&client->work);
	cancel_delayed_work_sync(&client->retry);
	ilk_intervals_free(client);
	kvfree(client->events);
	kfree(client);
}

/* ---- patches that start and stop at their times -------------------- */

static void fail_patch_start(struct ilk_patch *patch, enum ilk_refusal refusal)
{
	list_del(&patch->text.node);
	if (!ilk_patch_in_text(patch)) {
		patch->refusal = refusal;
		ilk_patch_unclaim(patch);
		ilk_patch_set_state(patch, ILK_STATE_FAILED);
	}
	if (patch->site || patch->retire || ilk_bounce_in_text(patch))
		ilk_grace_queue(patch);
}

/*
 * Starts patches that are due. If a patch cannot start, only that patch fails; if the driver is
 * poisoned (a write to text failed) or the kernel locked down, all patches fail.
 */
static void start_due_patches(struct list_head *batch)
{
	struct ilk_patch *patch, *next;
	enum ilk_refusal refusal;

	while (!list_empty(batch)) {
		refusal = ilk_text_is_poisoned() ? ILK_REFUSAL_POISONED : ilk_permit_check();
		if (!refusal && !ilk_patches_arm(batch, &patch))
			break;
		if (!refusal)
			fail_patch_start(patch, patch->refusal);
		else
			ilk_each_safe(patch, next, batch, text.node)
				fail_patch_start(patch, refusal);
	}
	queue_for_grace(batch);
}

/*
 * Called after a timer has expired: starts and stops the hooks that are due. Retries stops that
 * had to wait. Must be called in process context; may sleep.
 */
void ilk_client_tick(struct ilk_client *client)
{
	struct ilk_patch *patch;
	u32 restored = 0;
	LIST_HEAD(start);
	LIST_HEAD(stop);
	bool late = false;
	u64 now;

	ilk_lock();
	now = ktime_get_ns();
	ilk_each(patch, &client->patches, node)
		if (patch->state == ILK_STATE_PREPARED && patch->scheduled &&
		    patch->start_at <= now)
			list_add_tail(&patch->text.node, &start);
	start_due_patches(&start);
	ilk_each(patch, &client->patches, node)
		if (ilk_patch_is_live(patch) && patch->stop_at && patch->stop_at <= now)
			list_add_tail(&patch->text.node, &stop);
	ilk_patches_disarm(&stop, &restored);
	ilk_each(patch, &stop, text.node)
		late |= ilk_patch_in_text(patch) && !ilk_patch_is_lending(patch);
	if (late)
		ilk_timer_retry(client);
	ilk_unlock();
}

/*
 * Returns whether a patch waits for a grace period or for its scheduled start. Must be called with ilk_mutex held.
 */
bool ilk_patch_is_pending(const struct ilk_patch *patch)
{
	return (!list_empty(&patch->grace_node) && patch->retire != ILK_RETIRE_BLOCKED) || ilk_patch_is_lending(patch) ||
	       (patch->state == ILK_STATE_PREPARED && patch->scheduled);
}

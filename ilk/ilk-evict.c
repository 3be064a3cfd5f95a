// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-evict.c - patches that must go whatever their clients want
 *
 * A module that a footprint lies in is unloaded; a livepatch comes, which must find no
 * task in a clone; an instrument is torn out of the kernel by force.
 */
#include <linux/module.h>

#include "ilk-internal.h"

static void bury_with_module(struct ilk_patch *patch)
{
	/* Whoever patched over us goes with the module too. */
	patch->text.form = ILK_TEXT_OLD;
	ilk_patch_set_target(patch, NULL);
	ilk_patch_unclaim(patch);
	if (patch->state == ILK_STATE_LENT)
		module_put(THIS_MODULE);
	ilk_patch_set_state(patch, ILK_STATE_GONE);
	if (patch->site)
		ilk_site_set_live(patch->site, false);
	if (patch->site || patch->retire)
		ilk_grace_queue(patch);
}

/* A module is about to be unloaded: take our patches out of its text. */
void ilk_module_going(struct module *mod)
{
	struct ilk_patch *patch;
	LIST_HEAD(batch);
	unsigned long id;

	ilk_lock();
	ilk_each_patch(id, patch)
		if (patch->target == mod && ilk_patch_in_text(patch))
			list_add_tail(&patch->text.node, &batch);
	if (!list_empty(&batch))
		ilk_patches_restore(&batch);
	ilk_bounces_drop(mod);
	ilk_each(patch, &batch, text.node)
		bury_with_module(patch);
	ilk_each_patch(id, patch) {
		if (patch->target != mod)
			continue;
		if (patch->state == ILK_STATE_PREPARED)
			bury_with_module(patch);
		ilk_patch_set_target(patch, NULL);
	}
	ilk_unlock();
}

/* Choose all that is returned into, or changes what the kernel does. Return: how many there are that were not chosen. */
static u32 choose_clones(struct list_head *batch)
{
	struct ilk_patch *patch;
	unsigned long id;
	u32 count = 0;

	ilk_each_patch(id, patch) {
		if ((!patch->returns && !patch->changes) || patch->chosen || !ilk_patch_is_live(patch))
			continue;
		patch->chosen = true;
		list_add_tail(&patch->text.node, batch);
		count++;
	}
	return count;
}

/* Take out all that is returned into, and what changes the kernel. Return: how many there were. Context: ilk_mutex. */
u32 ilk_clones_evict(void)
{
	struct ilk_patch *patch;
	u32 count, restored = 0;
	unsigned long id;
	LIST_HEAD(batch);

	lockdep_assert_held(&ilk_mutex);
	count = choose_clones(&batch);
	ilk_patches_disarm(&batch, &restored);
	ilk_each_patch(id, patch) {
		if (patch->chosen && !ilk_patch_in_text(patch))
			patch->refusal = ILK_REFUSAL_LIVEPATCH;
		patch->chosen = false;
	}
	return count;
}

/* May a thread come to its hooks, now or by a later ARM, or return into them? */
static bool is_about(const struct ilk_patch *patch)
{
	if (ilk_patch_is_lent(patch))
		return !list_empty(&patch->grace_node);
	return patch->state == ILK_STATE_PREPARED || ilk_patch_is_live(patch) ||
	       !ilk_patch_is_quiet(patch);
}

/* Disarm whatever calls @instrument, and what must leave with it. Return: all gone? */
static bool evict(const struct ilk_instrument *instrument)
{
	struct ilk_patch *patch;
	struct ilk_hook *hook;
	u32 iid, restored = 0;
	bool gone = true, clones = false;
	LIST_HEAD(batch);

	for (iid = 1; iid <= ILK_HOOKS_MAX; iid++, cond_resched()) {
		hook = ilk_hooks[iid];
		if (!hook || hook->instrument != instrument || !is_about(hook->patch))
			continue;
		gone = false;
		patch = hook->patch;
		clones |= patch->retire != ILK_RETIRE_NONE;
		if (patch->chosen || ilk_patch_is_lent(patch))
			continue;
		patch->chosen = true;
		list_add_tail(&patch->text.node, &batch);
	}
	if (clones) {	/* not quiet before all have left that may lead into it */
		choose_clones(&batch);
		ilk_retire_hurry();
	}
	ilk_each(patch, &batch, text.node)
		patch->chosen = false;
	ilk_patches_disarm(&batch, &restored);
	return gone;
}

/**
 * ilk_instrument_evict() - instrument code is about to vanish by force
 * Returns when nothing may call it any more: the bytes of another's kprobe, or a task
 * asleep in a clone, are waited for.
 * Context: Process context, without ilk_mutex. No hook can be bound to it any more.
 */
void ilk_instrument_evict(struct ilk_instrument *instrument)
{
	bool gone;
	u32 iid;

	for (;;) {
		ilk_lock();
		gone = evict(instrument);
		if (gone)
			break;
		ilk_unlock();
		schedule_timeout_idle(HZ / 10);
	}
	for (iid = 1; iid <= ILK_HOOKS_MAX; iid++, cond_resched())
		if (ilk_hooks[iid] && ilk_hooks[iid]->instrument == instrument)
			ilk_hooks[iid]->instrument = NULL;
	ilk_unlock();
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-evict.c - removes patches without a request of their clients
 *
 * Reasons: the module with a footprint is unloaded; a livepatch is loaded, so that no task may
 * be in a clone; an instrument is unloaded by force.
 */
#include <linux/module.h>

#include "ilk-arm.h"
#include "ilk-client.h"
#include "ilk-driver.h"
#include "ilk-hook.h"
#include "ilk-patch.h"
#include "ilk-retire.h"
#include "ilk-text.h"
#include "ilk.h"

static void mark_module_gone(struct ilk_patch *patch)
{
	/* If other patchers wrote over our patches, their bytes disappear with the module, too. */
	patch->text.form = ILK_TEXT_OLD;
	ilk_patch_set_target(patch, NULL);
	ilk_patch_unclaim(patch);
	if (patch->state == ILK_STATE_LENDING)
		module_put(THIS_MODULE);
	ilk_patch_set_state(patch, ILK_STATE_GONE);
	if (patch->site)
		ilk_site_set_live(patch->site, false);
	if (patch->site || patch->retire)
		ilk_grace_queue(patch);
}

/*
 * Removes our patches from the text of a module that is about to be unloaded.
 */
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
	ilk_bounces_drop_module(mod);
	ilk_each(patch, &batch, text.node)
		mark_module_gone(patch);
	ilk_each_patch(id, patch) {
		if (patch->target != mod)
			continue;
		if (patch->state == ILK_STATE_PREPARED)
			mark_module_gone(patch);
		ilk_patch_set_target(patch, NULL);
	}
	ilk_unlock();
}

/*
 * Adds to @batch all patches into whose code tasks may return, and all patches that change what the
 * kernel does. Returns the number of patches added.
 */
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

/*
 * Disarms all patches into whose code tasks may return, and all patches that change what the kernel
 * does. Returns the number of these patches. Must be called with ilk_mutex held.
 */
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

/*
 * Returns whether a thread may reach the hooks of a patch, now or after a
 * later ARM, or return into them.
 */
static bool may_reach_hooks(const struct ilk_patch *patch)
{
	if (ilk_patch_is_lending(patch))
		return !list_empty(&patch->grace_node);
	return patch->state == ILK_STATE_PREPARED || ilk_patch_is_live(patch) ||
	       !ilk_patch_is_unreferenced(patch);
}

/*
 * Disarms all patches that call @instrument, and all patches whose code may lead to such a patch.
 * Returns whether all patches that call @instrument are gone.
 */
static bool evict_patches(const struct ilk_instrument *instrument)
{
	struct ilk_patch *patch;
	struct ilk_hook *hook;
	u32 iid, restored = 0;
	bool gone = true, clones = false;
	LIST_HEAD(batch);

	for (iid = 1; iid <= ILK_HOOKS_MAX; iid++, cond_resched()) {
		hook = ilk_hooks[iid];
		if (!hook || hook->instrument != instrument || !may_reach_hooks(hook->patch))
			continue;
		gone = false;
		patch = hook->patch;
		clones |= patch->retire != ILK_RETIRE_NONE;
		if (patch->chosen || ilk_patch_is_lending(patch))
			continue;
		patch->chosen = true;
		list_add_tail(&patch->text.node, &batch);
	}
	if (clones) {	/* disarm all code that may lead into patches of @batch */
		choose_clones(&batch);
		ilk_retire_expedite();
	}
	ilk_each(patch, &batch, text.node)
		patch->chosen = false;
	ilk_patches_disarm(&batch, &restored);
	return gone;
}

/**
 * ilk_instrument_evict() - remove all users of a forcibly unloaded instrument
 *
 * Returns when nothing can call the instrument any longer: waits for other kprobe users to
 * leave our bytes, and for tasks that sleep in a clone. Context: Process context, without
 * ilk_mutex. No hook can be bound to the instrument any longer.
 */
void ilk_instrument_evict(struct ilk_instrument *instrument)
{
	bool gone;
	u32 iid;

	for (;;) {
		ilk_lock();
		gone = evict_patches(instrument);
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

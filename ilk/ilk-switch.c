// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-switch.c - replaces a live patch by another
 *
 * Adds and removes hooks while other hooks stay: the new patch has the same footprint,
 * and its code contains those hooks of the old patch that stay, with their cells.
 *
 *   PREPARE	the new patch is checked against the old one, whose id its item contains; the
 *		old one stores the id of its successor; hooks that stay are listed as arriving
 *   ARM	1. check that footprints still have the bytes that we wrote
 *		2. the trap handler leads to the new slot: from the site and, through a
 *		   temporary site, from the jump of a bounce
 *		3. int3 on the first byte of the jump that leads to the old slot, the new
 *		   tail, the new first byte; ilk-text.c performs steps 2 and 3 in one batch for
 *		   all patches
 *		4. claim, site and arriving hooks are handed over; the old one is RESTORED
 *   then	one or more grace periods, until no thread is in the old slot
 *
 * A CPU that executes the jump before it sees step 2 or 3 runs the old slot; after that, it runs
 * the new slot. It never runs both or neither. If a patch has a bounce, only the jump in the
 * filler changes. The jump is a single instruction, so a thread executes either the whole jump
 * or the int3.
 *
 * Patches whose bounce is in the footprint of another patch, and those other patches,
 * cannot be replaced: two jumps would have to change at one instant.
 *
 * If an old patch is only scheduled, and its text unchanged, the new one simply takes
 * over its schedule.
 */
#include <linux/slab.h>

#include "ilk-arm.h"
#include "ilk-client.h"
#include "ilk-driver.h"
#include "ilk-hook.h"
#include "ilk-patch.h"
#include "ilk-report.h"
#include "ilk-retire.h"
#include "ilk-slot.h"
#include "ilk-text.h"
#include "ilk.h"

/* ---- checks and plans at PREPARE ----------------------------------------------- */

static bool is_same_site(const struct ilk_prepare_patch *item, const struct ilk_patch *old)
{
	bool bounce = item->tactic == ILK_TACTIC_BOUNCE;

	return item->tactic == old->tactic && item->site == old->text.addr && item->len &&
	       item->len == old->text.len && !memcmp(item->old, old->text.old, item->len) &&
	       (!bounce || item->aux == old->bounce.addr) &&
	       !memcmp(item->aux_old, old->bounce.old, old->bounce.len) &&
	       !memchr_inv(item->aux_old + old->bounce.len, 0,
			   sizeof(item->aux_old) - old->bounce.len);
}

/**
 * ilk_switch_check() - check whether a patch may replace the live patch that PREPARE item @item
 * names
 * @target: set to the module of the site, or NULL
 *
 * Context: Caller holds ilk_mutex.
 */
enum ilk_refusal ilk_switch_check(struct ilk_client *client, const struct ilk_prepare_patch *item,
				  const struct ilk_patch *patch, struct module **target)
{
	struct ilk_patch *old = ilk_patch_find(client, item->replaces);
	s64 leap = (s64)(ilk_slot_address(&patch->slot) - (item->aux + ILK_BOUNCE_BYTES));

	if (!old || old == patch || !is_same_site(item, old))
		return ILK_REFUSAL_BAD_ITEM;
	/*
	 * A patch whose bounce is in another patch's footprint, or that has guests in its own,
	 * cannot be replaced.
	 */
	if (old->successor || !old->scheduled || old->guest || !list_empty(&old->guests) ||
	    old->state == ILK_STATE_LENDING ||
	    (old->state != ILK_STATE_PREPARED && !ilk_patch_in_text(old)))
		return ILK_REFUSAL_STATE;
	if (old->bounce.len && leap != (s32)leap)
		return ILK_REFUSAL_RANGE;
	*target = old->target;
	return ILK_REFUSAL_NONE;
}

/*
 * Notes which patch will be replaced by @patch; @replaces 0: none. Must be called with ilk_mutex
 * held, and with @replaces not 0 only after ilk_switch_check().
 */
void ilk_switch_plan(struct ilk_patch *patch, u32 replaces)
{
	struct ilk_patch *old = replaces ? xa_load(&ilk_patches, replaces) : NULL;

	patch->replaces = replaces;
	if (old)
		old->successor = patch->id;
}

/*
 * Returns the patch that @patch will replace, or NULL if that patch was disarmed or freed in the
 * meantime.
 */
static struct ilk_patch *get_old_patch(const struct ilk_patch *patch)
{
	struct ilk_patch *old = patch->replaces ? xa_load(&ilk_patches, patch->replaces) : NULL;

	return old && old->successor == patch->id ? old : NULL;
}

/*
 * Cancels what was planned with other patches: @patch replaces no patch and is not replaced. Must
 * be called with ilk_mutex held.
 */
void ilk_switch_cancel(struct ilk_patch *patch)
{
	struct ilk_patch *old = get_old_patch(patch);
	struct ilk_hook *hook, *next;

	if (old)
		old->successor = 0;
	patch->successor = 0;
	list_for_each_entry_safe(hook, next, &patch->arriving, move_node)
		list_del_init(&hook->move_node);
}

/*
 * Lets a hook move from the patch that @patch will replace to @patch. Must be called with ilk_mutex
 * held; @patch is PREPARED.
 */
enum ilk_refusal ilk_switch_bind(struct ilk_hook *hook, struct ilk_patch *patch,
				 const struct ilk_prepare_hook *item)
{
	struct ilk_patch *old = get_old_patch(patch);

	if (!old || hook->patch != old || !list_empty(&hook->move_node))
		return ILK_REFUSAL_STATE;
	if (item->instrument != (hook->instrument ? hook->instrument->id : 0) ||
	    item->start_ns != hook->start_ns || item->stop_ns != hook->stop_ns ||
	    memcmp(item->params, hook->params, sizeof(hook->params)))
		return ILK_REFUSAL_BAD_ITEM;
	hook->move_flags = item->flags;
	list_add_tail(&hook->move_node, &patch->arriving);
	return ILK_REFUSAL_NONE;
}

/* ---- the switch-over at ARM ---------------------------------------------------- */

/*
 * Checks whether @patch can still replace the patch that it was prepared to replace. Sets @live if
 * the old one is in text.
 */
enum ilk_refusal ilk_switch_recheck(const struct ilk_patch *patch, bool *live)
{
	const struct ilk_patch *old = get_old_patch(patch);

	if (!old || !list_empty(&old->guests))
		return ILK_REFUSAL_STATE;
	*live = ilk_patch_in_text(old);
	return ILK_REFUSAL_NONE;
}

/*
 * Copies the form (trap or jump) of the old patch's text to the new patch. Sets @prior to the old
 * jump if the new jump differs.
 */
static void copy_form(struct ilk_text *text, const struct ilk_text *old)
{
	text->form = old->form;
	text->prior = old->form == ILK_TEXT_JUMP && memcmp(old->jump, text->jump, old->len) ?
		      old->jump : NULL;
}

static enum ilk_refusal start_text_switch(struct ilk_patch *patch, const struct ilk_patch *old)
{
	if (patch->site)		/* a failed ARM left this site for late traps, until a grace
					 * period ends */
		return ILK_REFUSAL_STATE;
	copy_form(&patch->text, &old->text);
	if (patch->bounce.len) {
		copy_form(&patch->bounce, &old->bounce);
		patch->hop_site = kzalloc(sizeof(*patch->hop_site), GFP_KERNEL);
		if (!patch->hop_site)
			return ILK_REFUSAL_TOO_MANY;
		patch->hop_site->addr = patch->bounce.addr;
		patch->hop_site->slot = ilk_slot_address(&patch->slot);
	}
	if (!ilk_text_is_ours(&patch->text) ||
	    (patch->bounce.len && !ilk_text_is_ours(&patch->bounce)))
		return ILK_REFUSAL_TEXT_DIFFERS;
	return ILK_REFUSAL_NONE;
}

/**
 * ilk_switch_start() - check whether all of @patches can replace their old patches
 * @patches: linked by switch_node, each with a live old patch
 * @obstacle: set to the patch that cannot replace its old patch, with its refusal set
 *
 * Context: Caller holds ilk_mutex; ilk_switch_abort() or ilk_switch_all() must
 *     follow.
 * Return: 0; or an error, and nothing was started.
 */
int ilk_switch_start(struct list_head *patches, struct ilk_patch **obstacle)
{
	struct ilk_patch *patch;

	ilk_each(patch, patches, switch_node) {
		patch->refusal = start_text_switch(patch, get_old_patch(patch));
		if (!patch->refusal)
			continue;
		*obstacle = patch;
		ilk_switch_abort(patches);
		return ilk_refusal_errno(patch->refusal);
	}
	return 0;
}

static void cancel_switch(struct ilk_patch *patch)
{
	patch->text.form = ILK_TEXT_OLD;
	patch->text.prior = NULL;
	patch->bounce.form = ILK_TEXT_OLD;
	patch->bounce.prior = NULL;
	kfree(patch->hop_site);
	patch->hop_site = NULL;
}

/* Cancels the replacement of patches before any text is written; the new patches stay PREPARED. */
void ilk_switch_abort(struct list_head *patches)
{
	struct ilk_patch *patch;

	ilk_each(patch, patches, switch_node)
		cancel_switch(patch);
}

static void redirect_traps(struct list_head *patches)
{
	struct ilk_patch *patch;

	ilk_each(patch, patches, switch_node) {
		WRITE_ONCE(get_old_patch(patch)->site->slot, ilk_slot_address(&patch->slot));
		if (patch->hop_site)
			ilk_site_publish(patch->hop_site);
	}
}

static void hand_over_hooks(struct ilk_patch *old, struct ilk_patch *patch)
{
	struct ilk_hook *hook, *next;

	list_for_each_entry_safe(hook, next, &patch->arriving, move_node) {
		list_del_init(&hook->move_node);
		list_move_tail(&hook->patch_node, &patch->hooks);
		hook->patch = patch;
		hook->flags = hook->move_flags;
	}
	ilk_gates_set(old, false);
}

static void hand_over_claim(struct ilk_text *old, struct ilk_text *text)
{
	ilk_text_unclaim(old);
	ilk_text_claim(text);
}

/*
 * Gives the old patch's text and trap-handler entry to the new patch. If the patches have a bounce,
 * the old patch keeps the temporary site for a grace period, because a trap on the bounce's jump
 * may still arrive.
 */
static void hand_over_text(struct ilk_patch *old, struct ilk_patch *patch)
{
	u64 now = ktime_get_ns();

	old->text.form = ILK_TEXT_OLD;
	patch->armed_ns = now;
	patch->spliced_ns = old->state == ILK_STATE_ARMED ? now : 0;
	old->restored_ns = now;
	old->hits_before += atomic64_xchg(&old->site->hits, 0);
	patch->site = old->site;
	old->site = NULL;
	if (patch->bounce.len) {
		old->bounce.form = ILK_TEXT_OLD;
		patch->laid_ns = now;
		old->lifted_ns = now;
		old->site = patch->hop_site;
		ilk_site_set_live(old->site, false);
		patch->hop_site = NULL;
	}
	ilk_patch_set_state(patch, old->state);
}

static void hand_over_patch(struct ilk_patch *old, struct ilk_patch *patch)
{
	bool live = ilk_patch_in_text(old);

	hand_over_claim(&old->text, &patch->text);
	if (patch->bounce.len)
		hand_over_claim(&old->bounce, &patch->bounce);
	hand_over_hooks(old, patch);
	if (live)
		hand_over_text(old, patch);
	old->successor = 0;
	patch->replaces = 0;
	ilk_patch_set_state(old, ILK_STATE_RESTORED);
	if (live || old->retire)
		ilk_grace_queue(old);
	if (live && patch->state == ILK_STATE_TRAPPED)
		ilk_grace_queue(patch);
}

/*
 * Handles text that could not be written: the old patch stays, in the form that
 * was found in text.
 */
static void keep_old_patch(struct ilk_patch *old, struct ilk_patch *patch)
{
	old->text.form = patch->text.form;
	WRITE_ONCE(old->site->slot, ilk_slot_address(&old->slot));
	if (patch->bounce.len) {
		old->bounce.form = patch->bounce.form;
		patch->site = patch->hop_site;
		patch->hop_site = NULL;
		ilk_site_set_live(patch->site, false);
		ilk_grace_queue(patch);
	}
	cancel_switch(patch);
}

static void link_texts(struct list_head *patches, struct list_head *texts)
{
	struct ilk_patch *patch;

	ilk_each(patch, patches, switch_node) {
		list_add_tail(&patch->text.node, texts);
		if (patch->bounce.len)
			list_add_tail(&patch->bounce.node, texts);
	}
}

static struct ilk_patch *find_text_owner(struct list_head *patches, const struct ilk_text *text)
{
	struct ilk_patch *patch;

	ilk_each(patch, patches, switch_node)
		if (text == &patch->text || text == &patch->bounce)
			return patch;
	return NULL;
}

/**
 * ilk_switch_all() - replace all old patches, or none
 * @patches: same as in ilk_switch_start(), which succeeded; their gates are set
 * @obstacle: set to the patch that cannot replace its old patch
 *
 * Return: 0; or an error. With -EIO a write to text failed and the driver only restores text from
 *     now on, and patches whose text was written have replaced the old ones.
 */
int ilk_switch_all(struct list_head *patches, struct ilk_patch **obstacle)
{
	struct ilk_text *text = NULL;
	struct ilk_patch *patch, *first_switched = NULL;
	LIST_HEAD(texts);
	u32 count = 0;
	int ret;

	if (list_empty(patches))
		return 0;
	link_texts(patches, &texts);
	ret = ilk_text_switch(&texts, redirect_traps, patches, &text);
	if (ret) {
		*obstacle = find_text_owner(patches, text);
		(*obstacle)->refusal = ilk_refusal_of_text(ret);
	}
	if (ret && ret != -EIO) {
		ilk_switch_abort(patches);
		return ret;
	}
	ilk_each(patch, patches, switch_node) {
		if (patch->text.error || (patch->bounce.len && patch->bounce.error)) {
			keep_old_patch(get_old_patch(patch), patch);
			continue;
		}
		hand_over_patch(get_old_patch(patch), patch);
		first_switched = first_switched ?: patch;
		count++;
	}
	if (first_switched)
		ilk_report_patches("switched over", first_switched, count);
	return ret;
}

/*
 * If @patch replaces an old patch that was only scheduled, takes over from the old patch. Must
 * be called after @patch was armed or scheduled.
 */
void ilk_switch_inherit(struct ilk_patch *patch)
{
	struct ilk_patch *old = get_old_patch(patch);

	if (old)
		hand_over_patch(old, patch);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-prepare.c - RESERVE and PREPARE: the steps before text is changed
 *
 * RESERVE allocates slots and counters, PREPARE checks and writes the code.
 * Both process all of their items or none.
 */
#include <linux/slab.h>

#include "ilk-arm.h"
#include "ilk-check.h"
#include "ilk-client.h"
#include "ilk-driver.h"
#include "ilk-hook.h"
#include "ilk-patch.h"
#include "ilk-retire.h"
#include "ilk-slot.h"
#include "ilk-stage.h"
#include "ilk-text.h"
#include "ilk-time.h"
#include "ilk.h"

/* ---- the RESERVE call ----------------------------------------------------------- */

static enum ilk_refusal reserve_items(struct ilk_client *client,
				      struct ilk_reserve_patch *patches, u32 patch_count,
				      struct ilk_reserve_hook *hooks, u32 hook_count)
{
	struct ilk_patch *patch;
	struct ilk_hook *hook;
	u32 i;

	for (i = 0; i < patch_count; i++, cond_resched()) {
		if (!patches[i].bytes || patches[i].bytes > ILK_SLOT_MAX)
			return ILK_REFUSAL_BAD_ITEM;
		patch = ilk_patch_new(client, patches[i].bytes);
		if (IS_ERR(patch))
			return PTR_ERR(patch) == -ENOSPC ? ILK_REFUSAL_ARENA_FULL :
							   ILK_REFUSAL_TOO_MANY;
		patches[i].id = patch->id;
		patches[i].slot = ilk_slot_address(&patch->slot);
	}
	for (i = 0; i < hook_count; i++, cond_resched()) {
		if (hooks[i].flags & ~ILK_HOOK_COUNTER_NEAR)
			return ILK_REFUSAL_BAD_ITEM;
		hook = ilk_hook_new(client, hooks[i].flags);
		if (IS_ERR(hook))
			return ILK_REFUSAL_TOO_MANY;
		hooks[i].iid = hook->iid;
		hooks[i].counter = (unsigned long)hook->count;
		hooks[i].lost = (unsigned long)hook->lost;
		hooks[i].missed = (unsigned long)hook->missed;
	}
	return ILK_REFUSAL_NONE;
}

/*
 * Undoes a RESERVE: frees the patches and hooks that come after @last_patch and @last_hook in the
 * client's lists.
 */
static void free_after_marks(struct ilk_client *client, struct list_head *last_patch,
			     struct list_head *last_hook)
{
	for (; client->patches.prev != last_patch; cond_resched())
		ilk_patch_free(list_last_entry(&client->patches, struct ilk_patch, node));
	for (; client->hooks.prev != last_hook; cond_resched())
		ilk_hook_free(list_last_entry(&client->hooks, struct ilk_hook, node));
}

enum ilk_refusal ilk_client_reserve(struct ilk_client *client, struct ilk_reserve_patch *patches,
				    u32 patch_count, struct ilk_reserve_hook *hooks,
				    u32 hook_count)
{
	struct list_head *last_patch, *last_hook;
	enum ilk_refusal refusal;

	ilk_lock();
	ilk_client_join(client);
	last_patch = client->patches.prev;
	last_hook = client->hooks.prev;
	refusal = ilk_text_is_poisoned() ? ILK_REFUSAL_POISONED : ilk_permit_check();
	if (!refusal)
		refusal = reserve_items(client, patches, patch_count, hooks, hook_count);
	if (refusal)
		free_after_marks(client, last_patch, last_hook);
	ilk_unlock();
	return refusal;
}

/*
 * Frees the patches and hooks that a RESERVE allocated, except those that another thread has
 * used in the meantime.
 */
void ilk_client_unreserve(struct ilk_client *client, const struct ilk_reserve_patch *patches,
			  u32 patch_count, const struct ilk_reserve_hook *hooks, u32 hook_count)
{
	struct ilk_patch *patch;
	struct ilk_hook *hook;
	u32 i;

	ilk_lock();
	for (i = 0; i < patch_count; i++, cond_resched()) {
		patch = ilk_patch_find(client, patches[i].id);
		if (patch && patch->state == ILK_STATE_RESERVED)
			ilk_patch_free(patch);
	}
	for (i = 0; i < hook_count; i++, cond_resched()) {
		hook = ilk_hook_find(hooks[i].iid);
		if (hook && hook->client == client && !hook->patch &&
		    !ilk_intervals_use_hook(client, hook->iid))
			ilk_hook_free(hook);
	}
	ilk_unlock();
}

/* ---- the PREPARE call ----------------------------------------------------------- */

/*
 * Returns whether the code may be called indirectly: under IBT an indirect call of code without
 * ENDBR faults, in the context of the hit.
 */
static bool may_be_called(const struct ilk_prepare_patch *item, const u8 *code)
{
	static const u8 endbr[] = { 0xf3, 0x0f, 0x1e, 0xfa };

	if (!(item->flags & ILK_PATCH_CALIBRATION))
		return true;
	return item->code_len >= sizeof(endbr) && !memcmp(code, endbr, sizeof(endbr));
}

static enum ilk_refusal check_patch(struct ilk_client *client, const struct ilk_staged *staged, u32 i,
				    struct ilk_patch **planned)
{
	if (!may_be_called(&staged->patches[i], ilk_staged_code(staged, i)))
		return ILK_REFUSAL_BAD_ITEM;
	return ilk_patch_check(client, &staged->patches[i], ilk_staged_orc(staged, i), ilk_staged_faults(staged, i),
			       planned);
}

static int prepare_patches(struct ilk_client *client, struct ilk_staged *staged,
			   struct ilk_patch **planned)
{
	struct ilk_hook *hook, *next;
	struct ilk_prepare_patch *item;
	int first = 0;
	u32 i;

	for (i = 0; i < staged->patch_count; i++) {
		item = &staged->patches[i];
		item->refusal = check_patch(client, staged, i, &planned[i]);
		item->error = ilk_refusal_errno(item->refusal);
		cond_resched();
		if (item->error) {
			staged->failed++;
			first = first ?: item->error;
			continue;
		}
		list_for_each_entry_safe(hook, next, &planned[i]->hooks, patch_node)
			ilk_hook_unbind(hook);
		ilk_patch_plan(planned[i], item);
		ilk_patch_set_state(planned[i], ILK_STATE_PREPARED);
	}
	return first;
}

static int prepare_hooks(struct ilk_client *client, struct ilk_staged *staged)
{
	struct ilk_prepare_hook *item;
	int first = 0;
	u32 i;

	for (i = 0; i < staged->hook_count; i++, cond_resched()) {
		item = &staged->hooks[i];
		item->refusal = ilk_hook_bind(client, item);
		item->error = ilk_refusal_errno(item->refusal);
		if (!item->error)
			continue;
		staged->failed++;
		first = first ?: item->error;
	}
	return first;
}

static int write_slots(const struct ilk_staged *staged, struct ilk_patch **planned)
{
	u32 i;
	int ret;

	for (i = 0; i < staged->patch_count; i++, cond_resched()) {
		ret = ilk_retire_find_leads(planned[i], ilk_staged_code(staged, i),
					    staged->patches[i].code_len);
		if (ret)
			return ret;
	}
	for (i = 0; i < staged->patch_count; i++, cond_resched()) {
		ilk_orc_fill(&planned[i]->slot, ilk_staged_orc(staged, i),
			     staged->patches[i].orc_count);
		ilk_extable_fill(&planned[i]->slot, ilk_staged_faults(staged, i),
				 staged->patches[i].fault_count);
		ilk_slot_fill(&planned[i]->slot, ilk_staged_code(staged, i),
			      staged->patches[i].code_len);
	}
	if (staged->patch_count)
		ilk_text_sync();
	return 0;
}

static int refuse_all(struct ilk_staged *staged, enum ilk_refusal refusal)
{
	u32 i;

	for (i = 0; i < staged->patch_count; i++, cond_resched()) {
		staged->patches[i].refusal = refusal;
		staged->patches[i].error = ilk_refusal_errno(refusal);
	}
	for (i = 0; i < staged->hook_count; i++, cond_resched()) {
		staged->hooks[i].refusal = refusal;
		staged->hooks[i].error = ilk_refusal_errno(refusal);
	}
	staged->failed = staged->patch_count + staged->hook_count;
	return ilk_refusal_errno(refusal);
}

static void undo_prepare(const struct ilk_staged *staged, struct ilk_patch **planned)
{
	struct ilk_hook *hook;
	u32 i;

	for (i = 0; i < staged->hook_count; i++, cond_resched()) {
		hook = ilk_hook_find(staged->hooks[i].iid);
		if (staged->hooks[i].error || !hook)
			continue;
		if (!list_empty(&hook->move_node))
			list_del_init(&hook->move_node);
		else
			ilk_hook_unbind(hook);
	}
	for (i = 0; i < staged->patch_count; i++, cond_resched()) {
		if (!planned[i])
			continue;
		ilk_patch_unclaim(planned[i]);
		ilk_retire_release(planned[i]);
		ilk_patch_set_state(planned[i], ILK_STATE_RESERVED);
	}
}

/**
 * ilk_client_prepare() - check everything, write slots, change no text
 * @staged: items get their error and refusal; @failed counts them
 *
 * Return: 0, or the first error; then nothing is prepared.
 */
int ilk_client_prepare(struct ilk_client *client, struct ilk_staged *staged)
{
	struct ilk_patch **planned;
	enum ilk_refusal refusal;
	int ret, hook_ret;

	planned = kvcalloc(staged->patch_count + 1, sizeof(*planned), GFP_KERNEL_ACCOUNT);
	if (!planned)
		return -ENOMEM;
	ilk_lock();
	if (ilk_text_is_poisoned()) {
		ret = -EUCLEAN;
		goto out_unlock;
	}
	refusal = ilk_permit_check();
	if (refusal) {
		ret = refuse_all(staged, refusal);
		goto out_unlock;
	}
	ilk_decode_reset();
	ret = prepare_patches(client, staged, planned);
	hook_ret = prepare_hooks(client, staged);
	ret = ret ?: hook_ret;
	if (!ret)
		ret = write_slots(staged, planned);
	if (ret)
		undo_prepare(staged, planned);
out_unlock:
	ilk_unlock();
	kvfree(planned);
	return ret;
}

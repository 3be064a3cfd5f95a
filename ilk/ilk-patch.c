// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-patch.c - operations on a patch: reserve, prepare, arm, splice, restore
 *
 * The states, and the invariants of each, are in ilk-state.c. Everything here needs ilk_mutex.
 *
 * The bytes of a bounce are restored a grace period after the site, when the tombstone is removed;
 * they stay claimed until then. A RESTORED patch becomes unreferenced, and may be prepared again,
 * once its tombstone is gone; ILK_DISARM_FREE or close() frees it then.
 *
 * A patch with ILK_PATCH_RETURNS is HELD from PREPARE on. After the grace period it stays in
 * ilk-retire.c's list, and becomes unreferenced, or is freed, once no task can return into it.
 */
#include <linux/module.h>
#include <linux/slab.h>

#include "ilk-arm.h"
#include "ilk-check.h"
#include "ilk-client.h"
#include "ilk-compat.h"
#include "ilk-driver.h"
#include "ilk-hook.h"
#include "ilk-kernel.h"
#include "ilk-memory.h"
#include "ilk-patch.h"
#include "ilk-report.h"
#include "ilk-retire.h"
#include "ilk-slot.h"
#include "ilk-text.h"
#include "ilk.h"

#define FLAGS	(ILK_PATCH_RETURNS | ILK_PATCH_INNER | ILK_PATCH_CALIBRATION | ILK_PATCH_CHANGES)

DEFINE_XARRAY(ilk_patches);
static u32 last_id;

/* ---- reserving and freeing a patch ------------------------------------------- */

/*
 * Undoes ilk_patch_plan(): cancels the planned switch-over to this patch, and gives up the claims
 * on the bytes of footprint and bounce, which keep other patches away. A bounce that is still in
 * text stays claimed.
 */
void ilk_patch_unclaim(struct ilk_patch *patch)
{
	ilk_switch_cancel(patch);
	ilk_text_unclaim(&patch->text);
	ilk_guests_evict(patch);
	if (ilk_bounce_in_text(patch))
		return;
	ilk_text_unclaim(&patch->bounce);
	ilk_bounce_leave_host(patch);
}

struct ilk_patch *ilk_patch_new(struct ilk_client *client, u32 bytes)
{
	struct ilk_patch *patch;

	lockdep_assert_held(&ilk_mutex);
	if (last_id == U32_MAX)
		return ERR_PTR(-EOVERFLOW);
	patch = kzalloc(sizeof(*patch), GFP_KERNEL_ACCOUNT);
	if (!patch)
		return ERR_PTR(-ENOMEM);
	patch->magic = ILK_PATCH_MAGIC;
	patch->id = last_id + 1;
	patch->state = ILK_STATE_RESERVED;
	patch->client = client;
	INIT_LIST_HEAD(&patch->hooks);
	INIT_LIST_HEAD(&patch->grace_node);
	INIT_LIST_HEAD(&patch->guest_node);
	INIT_LIST_HEAD(&patch->guests);
	patch->bounce.nearby = true;
	INIT_LIST_HEAD(&patch->arriving);
	INIT_LIST_HEAD(&patch->switch_node);
	INIT_HLIST_NODE(&patch->text.claim);
	INIT_HLIST_NODE(&patch->bounce.claim);
	if (ilk_slot_alloc(&patch->slot, bytes)) {
		kfree(patch);
		return ERR_PTR(-ENOSPC);
	}
	if (xa_err(xa_store(&ilk_patches, patch->id, patch, GFP_KERNEL))) {
		ilk_slot_free(&patch->slot);
		kfree(patch);
		return ERR_PTR(-ENOMEM);
	}
	last_id++;
	list_add_tail(&patch->node, &client->patches);
	return patch;
}

/* Returns the patch of this client with this id, or NULL. */
struct ilk_patch *ilk_patch_find(struct ilk_client *client, u32 id)
{
	struct ilk_patch *patch = xa_load(&ilk_patches, id);

	return patch && patch->client == client ? patch : NULL;
}

/**
 * ilk_patch_free() - free a patch and its hooks; its id is never reused
 * Context: ilk_mutex held. The patch was never armed, or a grace period has passed since its text
 * was restored.
 */
void ilk_patch_free(struct ilk_patch *patch)
{
	struct ilk_hook *hook, *next;

	lockdep_assert_held(&ilk_mutex);
	WARN_ON_ONCE(ilk_patch_in_text(patch) || !ilk_patch_is_unreferenced(patch));
	list_for_each_entry_safe(hook, next, &patch->hooks, patch_node)
		ilk_hook_free(hook);
	ilk_patch_unclaim(patch);
	list_del(&patch->node);
	list_del(&patch->grace_node);
	ilk_patch_set_target(patch, NULL);
	xa_erase(&ilk_patches, patch->id);
	ilk_slot_free(&patch->slot);
	ilk_memory_release(patch);
	ilk_retire_clear_leads(patch);
	WRITE_ONCE(patch->magic, 0);
	kfree(patch);
}

/* ---- checking and preparing a patch ------------------------------------------- */

/*
 * Returns whether an ORC entry describes the frame of a call, based on a register that patches
 * preserve.
 */
static bool frame_is_known(const struct ilk_orc *orc)
{
	struct orc_entry entry;

	BUILD_BUG_ON(sizeof(entry) != sizeof(orc->entry));
	memcpy(&entry, orc->entry, sizeof(entry));
	return entry.type == ILK_ORC_TYPE_CALL &&
	       (entry.sp_reg == ORC_REG_SP || entry.sp_reg == ORC_REG_BP ||
		entry.sp_reg == ORC_REG_BP_INDIRECT) &&
	       (entry.bp_reg == ORC_REG_UNDEFINED || entry.bp_reg == ORC_REG_PREV_SP ||
		entry.bp_reg == ORC_REG_BP);
}

static bool orc_is_sane(const struct ilk_orc *orc, u32 count, const struct ilk_slot *slot)
{
	u32 i;

	if (!count)
		return true;
	if (count > slot->granules * ILK_ORC_PER_GRANULE || orc[0].offset)
		return false;
	for (i = 0; i < count; i++)
		if (!frame_is_known(&orc[i]) || (i && orc[i].offset <= orc[i - 1].offset))
			return false;
	return orc[count - 1].offset < ilk_slot_bytes(slot);
}

/* Returns whether an item's footprint (the bytes of text to change) and flags fit its tactic. */
static bool footprint_is_sane(const struct ilk_prepare_patch *item)
{
	bool inner = item->flags & ILK_PATCH_INNER;

	if (item->len > ILK_FOOTPRINT_MAX)
		return false;
	if (item->flags & ILK_PATCH_CALIBRATION)
		return item->flags == ILK_PATCH_CALIBRATION && !item->tactic && !item->len &&
		       !item->fault_count && !item->replaces;
	switch (item->tactic) {
	case ILK_TACTIC_CLONE:
		return item->flags & ILK_PATCH_RETURNS && (inner ? !item->len : item->len >= 5);
	case ILK_TACTIC_SPLICE:
		return !inner && item->len >= 5;
	case ILK_TACTIC_TRAP:
	case ILK_TACTIC_BOUNCE:
		return !inner && item->len;
	default:
		return false;
	}
}

/* Returns whether @aux of a PREPARE item is meant as an offset in the patch's code. */
static bool has_inner_offset(const struct ilk_prepare_patch *item)
{
	return item->tactic == ILK_TACTIC_SPLICE || item->flags & ILK_PATCH_CALIBRATION;
}

static enum ilk_refusal check_item(const struct ilk_patch *patch,
				   const struct ilk_prepare_patch *item, const struct ilk_orc *orc,
				   const struct ilk_fault *faults)
{
	s64 distance;

	if (!footprint_is_sane(item) || item->flags & ~FLAGS ||
	    !item->code_len || item->code_len >= ilk_slot_bytes(&patch->slot) ||
	    !orc_is_sane(orc, item->orc_count, &patch->slot) ||
	    !ilk_extable_check(&patch->slot, item->code_len, faults, item->fault_count))
		return ILK_REFUSAL_BAD_ITEM;
	if (item->tactic != ILK_TACTIC_BOUNCE &&
	    (item->aux >= (has_inner_offset(item) ? item->code_len : 1) ||
	     memchr_inv(item->aux_old, 0, sizeof(item->aux_old))))
		return ILK_REFUSAL_BAD_ITEM;
	distance = (s64)ilk_slot_address(&patch->slot) - (s64)(item->site + 5);
	return distance == (s32)distance ? ILK_REFUSAL_NONE : ILK_REFUSAL_RANGE;
}

static enum ilk_refusal check_text(const struct ilk_prepare_patch *item)
{
	u8 now[ILK_FOOTPRINT_MAX];

	if (ilk_text_read(item->site, now, item->len))
		return ILK_REFUSAL_NOT_TEXT;
	if (memcmp(now, item->old, item->len))
		return ILK_REFUSAL_TEXT_DIFFERS;
	return item->old[0] == INT3 ? ILK_REFUSAL_KPROBE : ILK_REFUSAL_NONE;
}

/*
 * Returns this client's patch whose footprint (the text that it changes) overlaps the range; NULL
 * if there is none, or if another footprint or bounce overlaps it, too.
 */
static struct ilk_patch *find_host(const struct ilk_client *client, unsigned long addr, u32 len)
{
	struct ilk_text *text = ilk_text_owner(addr, len, NULL);
	struct ilk_patch *host;

	if (text && text->nearby)
		text = ilk_text_owner(addr, len, text);
	if (!text || text->nearby || ilk_text_owner(addr, len, text))
		return NULL;
	host = container_of(text, struct ilk_patch, text);
	return host->client == client ? host : NULL;
}

static enum ilk_refusal check_bounce(const struct ilk_client *client,
				     const struct ilk_prepare_patch *item,
				     struct ilk_patch *patch, const struct module *target)
{
	enum ilk_refusal refusal;

	patch->host = find_host(client, item->aux, ILK_BOUNCE_BYTES);
	if (patch->host) {
		refusal = ilk_guest_check(item, patch, patch->host);
		if (refusal)
			patch->host = NULL;
		return refusal;
	}
	refusal = ilk_bounce_check(item, patch, target);
	return refusal || !ilk_text_owner(item->aux, ILK_BOUNCE_BYTES, NULL) ? refusal :
								     ILK_REFUSAL_OVERLAP;
}

/*
 * Checks whether the site has the expected bytes and may be written. Sets @target to the module of
 * the site; NULL: the core kernel.
 */
static enum ilk_refusal check_site(const struct ilk_prepare_patch *item,
				   const struct ilk_client *client, struct ilk_patch *patch,
				   const struct ilk_fault *faults, struct module **target)
{
	enum ilk_refusal refusal;

	refusal = ilk_kernel_check_site(item->site, item->len, item->old, target);
	if (!refusal)
		refusal = ilk_kernel_check_faults(item->site, item->len, faults,
						  item->fault_count);
	if (!refusal && ilk_text_owner(item->site, item->len, NULL))
		refusal = ILK_REFUSAL_OVERLAP;
	if (!refusal)
		refusal = check_text(item);
	if (!refusal)
		refusal = ilk_decode_check(item->site, item->len, false);
	if (!refusal && item->tactic == ILK_TACTIC_BOUNCE)
		refusal = check_bounce(client, item, patch, *target);
	return refusal;
}

/**
 * ilk_patch_check() - check whether an item may be prepared
 * @out: set to the patch on success; ilk_patch_plan() must follow
 *
 * Context: Process context, may sleep. Caller holds ilk_mutex.
 */
enum ilk_refusal ilk_patch_check(struct ilk_client *client, struct ilk_prepare_patch *item,
				 const struct ilk_orc *orc, const struct ilk_fault *faults,
				 struct ilk_patch **out)
{
	struct ilk_patch *patch = ilk_patch_find(client, item->id);
	struct module *target = NULL;
	enum ilk_refusal refusal;

	if (!patch)
		return ILK_REFUSAL_BAD_ITEM;
	if (patch->state != ILK_STATE_RESERVED &&
	    (patch->state != ILK_STATE_RESTORED || !ilk_patch_is_unreferenced(patch)))
		return ILK_REFUSAL_STATE;
	refusal = check_item(patch, item, orc, faults);
	if (!refusal && item->replaces)
		refusal = ilk_switch_check(client, item, patch, &target) ?:
			  ilk_kernel_check_faults(item->site, item->len, faults, item->fault_count);
	else if (!refusal && item->len)
		refusal = check_site(item, client, patch, faults, &target);
	if (!refusal && item->tactic == ILK_TACTIC_CLONE)
		refusal = ilk_kernel_check_clone(item->site, item->len) ?:
			  ilk_decode_check_function(item->site);
	if (!refusal && item->flags & ILK_PATCH_RETURNS && !ilk_exits_are_known())
		refusal = ilk_kernel_check_clone(item->site, item->len);
	if (!refusal && item->flags & ILK_PATCH_RETURNS &&
	    (!ilk_exits_are_known() || !ilk_kernel_knows_livepatch()))
		refusal = ILK_REFUSAL_UNSUPPORTED;
	if (!refusal && item->flags & ILK_PATCH_CHANGES && !ilk_kernel_knows_livepatch())
		refusal = ILK_REFUSAL_UNSUPPORTED;
	if (!refusal && item->flags & (ILK_PATCH_RETURNS | ILK_PATCH_CHANGES))
		refusal = ilk_livepatch_check(item->site);
	if (refusal)
		return refusal;
	ilk_patch_set_target(patch, target);
	if (target && !ilk_kernel_is_live(item->site, target)) {
		ilk_patch_set_target(patch, NULL);
		return ILK_REFUSAL_MODULE_GONE;
	}
	*out = patch;
	return ILK_REFUSAL_NONE;
}

/**
 * ilk_patch_plan() - set up a patch for its PREPARE item, and claim its footprint, so that no other
 * patch may change these bytes
 *
 * The state does not change: the caller may still back out with ilk_patch_unclaim().
 */
void ilk_patch_plan(struct ilk_patch *patch, const struct ilk_prepare_patch *item)
{
	struct ilk_text *text = &patch->text;
	s32 rel = (s32)(ilk_slot_address(&patch->slot) - (item->site + 5));

	patch->tactic = item->tactic;
	patch->calibration = item->flags & ILK_PATCH_CALIBRATION;
	patch->inner = item->flags & (ILK_PATCH_CALIBRATION | ILK_PATCH_INNER);
	patch->returns = item->flags & ILK_PATCH_RETURNS;
	patch->changes = item->flags & ILK_PATCH_CHANGES;
	patch->scheduled = false;
	patch->refusal = ILK_REFUSAL_NONE;
	patch->armed_ns = 0;
	patch->spliced_ns = 0;
	patch->restored_ns = 0;
	text->addr = item->site;
	text->len = item->len;
	text->form = ILK_TEXT_OLD;
	memset(text->old, 0, sizeof(text->old));
	memcpy(text->old, item->old, item->len);
	memset(text->jump, 0, sizeof(text->jump));
	if (item->len && (item->tactic == ILK_TACTIC_SPLICE || item->tactic == ILK_TACTIC_CLONE)) {
		/*
		 * Use int3 as filler, not nops: the kernel refuses kprobes on an int3 of others,
		 * but not on a nop.
		 */
		memset(text->jump, INT3, item->len);
		text->jump[0] = JMP32;
		memcpy(text->jump + 1, &rel, sizeof(rel));
	}
	if (!patch->inner && !item->replaces)
		ilk_text_claim(text);
	patch->fault_mask = ilk_kernel_fault_mask(item->site, item->len);
	ilk_memory_hold(patch);
	/* A task may sleep in a fault of the patch's code, and continue there. */
	if (patch->returns || item->fault_count)
		ilk_retire_hold(patch);
	patch->bounce.len = 0;
	patch->guest = false;
	patch->waits_for_host = false;
	patch->unhooked_offset = has_inner_offset(item) ? item->aux : 0;
	patch->laid_ns = 0;
	patch->lifted_ns = 0;
	if (item->tactic == ILK_TACTIC_BOUNCE) {
		ilk_bounce_plan(patch, item);
		if (!item->replaces)
			ilk_text_claim(&patch->bounce);
	}
	ilk_switch_plan(patch, item->replaces);
}

/* ---- arming, splicing and restoring patches --------------------------------------- */

static int publish_site(struct ilk_patch *patch)
{
	struct ilk_site *site;

	if (patch->site) {		/* a failed ARM has left this entry in the trap handler's
					 * table, because of late traps */
		ilk_site_set_live(patch->site, true);
		return 0;
	}
	site = kzalloc(sizeof(*site), GFP_KERNEL);
	if (!site)
		return -ENOMEM;
	site->addr = patch->text.addr;
	site->slot = ilk_slot_address(&patch->slot);
	patch->site = site;
	ilk_site_publish(site);
	return 0;
}

static struct ilk_patch *find_obstacle(struct list_head *batch)
{
	struct ilk_patch *patch;

	ilk_each(patch, batch, text.node) {
		patch->refusal = ILK_REFUSAL_NONE;
		if (patch->state == ILK_STATE_GONE)
			patch->refusal = ILK_REFUSAL_MODULE_GONE;
		else if (publish_site(patch))
			patch->refusal = ILK_REFUSAL_TOO_MANY;
		if (patch->refusal)
			return patch;
	}
	return NULL;
}

static void set_sites_dead(struct list_head *batch)
{
	struct ilk_patch *patch;

	ilk_each(patch, batch, text.node)
		if (patch->site && !ilk_patch_in_text(patch))
			ilk_site_set_live(patch->site, false);
}

/*
 * Marks patches as TRAPPED if a failed ARM could not remove their int3: they work as traps, and can
 * be disarmed.
 */
static void keep_in_text(struct list_head *batch)
{
	struct ilk_patch *patch;

	ilk_each(patch, batch, text.node) {
		if (!ilk_patch_in_text(patch))
			continue;
		patch->refusal = ilk_refusal_of_text(patch->text.error);
		patch->armed_ns = ktime_get_ns();
		ilk_patch_set_state(patch, ILK_STATE_TRAPPED);
	}
}

static int arm_in_text(struct list_head *batch, struct ilk_patch **obstacle)
{
	struct ilk_text *text = NULL;
	struct ilk_patch *patch;
	u64 now;
	int ret;

	*obstacle = find_obstacle(batch);
	if (*obstacle) {
		set_sites_dead(batch);
		return ilk_refusal_errno((*obstacle)->refusal);
	}
	ret = ilk_bounces_lay(batch, obstacle);
	if (!ret) {
		ret = ilk_text_trap(batch, &text);
		if (ret)
			*obstacle = container_of(text, struct ilk_patch, text);
	}
	if (ret) {
		if (ret == -EIO)
			ilk_text_restore(batch);
		ilk_bounces_lift(batch, true);
		(*obstacle)->refusal = ilk_refusal_of_text(ret);
		keep_in_text(batch);
		set_sites_dead(batch);
		return ret;
	}
	now = ktime_get_ns();
	ilk_each(patch, batch, text.node) {
		patch->armed_ns = now;
		if (patch->tactic == ILK_TACTIC_TRAP)
			patch->spliced_ns = now;
		ilk_patch_set_state(patch, patch->tactic == ILK_TACTIC_TRAP ?
				    ILK_STATE_ARMED : ILK_STATE_TRAPPED);
	}
	return 0;
}

static struct ilk_patch *find_livepatched(struct list_head *batch)
{
	struct ilk_patch *patch;

	ilk_each(patch, batch, text.node) {
		if (!patch->returns && !patch->changes)
			continue;
		patch->refusal = ilk_livepatch_check(patch->text.addr);
		if (patch->refusal)
			return patch;
	}
	return NULL;
}

static void split_off_inner(struct list_head *batch, struct list_head *inner)
{
	struct ilk_patch *patch, *next;

	ilk_each_safe(patch, next, batch, text.node)
		if (patch->inner)
			list_move_tail(&patch->text.node, inner);
}

/**
 * ilk_patches_arm() - arm all of @batch as traps, or none
 * @batch: PREPARED patches, linked by text.node; inner patches are armed with the rest
 * @obstacle: set to the patch that could not be armed, with its refusal set
 *
 * Context: Process context, may sleep. Caller holds ilk_mutex, and queues the patches for a grace
 *     period whatever the result.
 */
int ilk_patches_arm(struct list_head *batch, struct ilk_patch **obstacle)
{
	struct ilk_patch *patch;
	LIST_HEAD(inner);
	u32 count = 0;
	int ret;

	lockdep_assert_held(&ilk_mutex);
	*obstacle = find_livepatched(batch);
	if (*obstacle)
		return ilk_refusal_errno((*obstacle)->refusal);
	split_off_inner(batch, &inner);
	ret = arm_in_text(batch, obstacle);
	ilk_each(patch, &inner, text.node) {
		if (ret)
			break;
		patch->armed_ns = ktime_get_ns();
		patch->spliced_ns = patch->armed_ns;
		ilk_patch_set_state(patch, ILK_STATE_ARMED);
	}
	list_splice_tail(&inner, batch);
	ilk_each(patch, batch, text.node)
		count += !ret;
	if (count)
		ilk_report_patches("armed", list_first_entry(batch, struct ilk_patch, text.node), count);
	return ret;
}

/*
 * Undoes an ilk_patches_arm() of the same transaction: restores the text of the patches, which are
 * PREPARED again. Must be called in process context with ilk_mutex held; may sleep.
 */
void ilk_patches_unarm(struct list_head *batch)
{
	struct ilk_patch *patch;
	LIST_HEAD(inner);

	split_off_inner(batch, &inner);
	ilk_text_restore(batch);
	ilk_bounces_lift(batch, true);
	set_sites_dead(batch);
	list_splice_tail(&inner, batch);
	ilk_each(patch, batch, text.node) {
		if (ilk_patch_in_text(patch)) {
			patch->refusal = ilk_refusal_of_text(patch->text.error);
			continue;
		}
		patch->armed_ns = 0;
		patch->spliced_ns = 0;
		ilk_patch_set_state(patch, ILK_STATE_PREPARED);
	}
}

/*
 * Turns traps into jumps, a grace period after ilk_patches_arm(). Must be called in process
 * context with ilk_mutex held; may sleep.
 */
void ilk_patches_splice(struct list_head *batch)
{
	struct ilk_patch *patch;
	u64 now;

	ilk_text_splice(batch);
	now = ktime_get_ns();
	ilk_each(patch, batch, text.node) {
		if (patch->text.error) {
			patch->refusal = ilk_refusal_of_text(patch->text.error);
			continue;
		}
		patch->spliced_ns = now;
		ilk_patch_set_state(patch, ILK_STATE_ARMED);
	}
}

/**
 * ilk_patches_restore() - restore the text of all of @batch
 *
 * Patches whose bytes were changed by other patchers stay, with refusal set. Patches with
 * bounces in their footprint become LENDING, and are restored after the last bounce.
 * Return: number restored.
 */
u32 ilk_patches_restore(struct list_head *batch)
{
	struct ilk_patch *patch, *next, *told = NULL;
	u32 restored = 0;
	LIST_HEAD(lent);
	u64 now;

	ilk_each_safe(patch, next, batch, text.node)
		if (ilk_host_is_needed(patch))
			list_move_tail(&patch->text.node, &lent);
	ilk_text_restore(batch);
	now = ktime_get_ns();
	ilk_each(patch, batch, text.node) {
		if (ilk_patch_in_text(patch)) {
			patch->refusal = ilk_refusal_of_text(patch->text.error);
			continue;
		}
		told = patch;
		restored++;
		patch->refusal = ILK_REFUSAL_NONE;
		patch->restored_ns = now;
		ilk_patch_unclaim(patch);
		if (patch->state == ILK_STATE_LENDING)
			module_put(THIS_MODULE);
		ilk_patch_set_state(patch, ILK_STATE_RESTORED);
	}
	if (restored)
		ilk_report_patches("restored", told, restored);
	set_sites_dead(batch);
	ilk_hosts_start_lending(&lent);
	list_splice_tail(&lent, batch);
	return restored;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-bounce.c - the nearby jump of a patch whose footprint is too short for one
 *
 *   eb rel8 at the site  ->  e9 rel32 in padding, within 127 bytes  ->  slot
 *
 * The padding is run by nobody, so its jump needs no int3: it is laid whole at
 * ARM, before the trap on the site. It is lifted a grace period after the site
 * was restored, for a thread may be preempted while it stands on it; until then
 * the bytes stay claimed and hold the driver loaded.
 */
#include <linux/module.h>

#include "ilk-internal.h"

/* The opcodes and operands of nops as assemblers write them, and int3. */
static bool is_filler(const u8 *bytes, u32 len)
{
	static const u8 filler[] = { 0x90, 0xcc, 0x66, 0x2e, 0x0f, 0x1f, 0x00, 0x40, 0x44,
				     0x80, 0x84 };
	u32 i;

	for (i = 0; i < len; i++)
		if (!memchr(filler, bytes[i], sizeof(filler)))
			return false;
	return true;
}

/**
 * ilk_bounce_check() - may the item's bounce be laid where it says?
 * @target: where its site lies
 * Context: Process context, may sleep. Caller holds ilk_mutex.
 */
enum ilk_refusal ilk_bounce_check(const struct ilk_prepare_patch *item,
				  const struct ilk_patch *patch, const struct module *target)
{
	s64 hop = (s64)(item->aux - (item->site + 2));
	s64 leap = (s64)(ilk_slot_address(&patch->slot) - (item->aux + ILK_BOUNCE_BYTES));
	u8 now[ILK_BOUNCE_BYTES];
	enum ilk_refusal refusal;
	struct module *owner;

	if (item->len < 2 || !item->aux || memchr_inv(item->aux_old + ILK_BOUNCE_BYTES, 0,
					sizeof(item->aux_old) - ILK_BOUNCE_BYTES) ||
	    (item->aux < item->site + item->len && item->site < item->aux + ILK_BOUNCE_BYTES) ||
	    !is_filler(item->aux_old, ILK_BOUNCE_BYTES))
		return ILK_REFUSAL_BAD_ITEM;
	if (hop != (s8)hop || leap != (s32)leap)
		return ILK_REFUSAL_RANGE;
	refusal = ilk_kernel_check_site(item->aux, ILK_BOUNCE_BYTES, item->aux_old, &owner);
	if (refusal)
		return refusal;
	if (owner != target)
		return ILK_REFUSAL_NOT_TEXT;
	if (ilk_text_read(item->aux, now, sizeof(now)))
		return ILK_REFUSAL_NOT_TEXT;
	return memcmp(now, item->aux_old, sizeof(now)) ? ILK_REFUSAL_TEXT_DIFFERS :
							  ILK_REFUSAL_NONE;
}

/* Fill in the two jumps of a plan that passed ilk_bounce_check(). */
void ilk_bounce_plan(struct ilk_patch *patch, const struct ilk_prepare_patch *item)
{
	struct ilk_text *bounce = &patch->bounce;
	s32 leap = (s32)(ilk_slot_address(&patch->slot) - (item->aux + ILK_BOUNCE_BYTES));

	bounce->addr = item->aux;
	bounce->len = ILK_BOUNCE_BYTES;
	bounce->form = ILK_TEXT_OLD;
	memcpy(bounce->old, item->aux_old, ILK_BOUNCE_BYTES);
	bounce->jump[0] = 0xe9;
	memcpy(bounce->jump + 1, &leap, sizeof(leap));
	memset(patch->text.jump, 0xcc, item->len);
	patch->text.jump[0] = 0xeb;
	patch->text.jump[1] = (u8)(item->aux - (item->site + 2));
}

/* It is out of text, or its text is no more. */
static void lifted(struct ilk_patch *patch)
{
	patch->lifted_ns = ktime_get_ns();
	ilk_text_unclaim(&patch->bounce);
	module_put(THIS_MODULE);
}

/**
 * ilk_bounces_lay() - lay the bounces of all of @batch, or none
 * @batch: of patches about to be trapped, linked by text.node
 * @obstacle: set to the patch that stood in the way
 *
 * Context: as ilk_patches_arm(). Return: as ilk_text_lay().
 */
int ilk_bounces_lay(struct list_head *batch, struct ilk_patch **obstacle)
{
	struct ilk_text *text = NULL;
	struct ilk_patch *patch;
	LIST_HEAD(bounces);
	u64 now;
	int ret;

	list_for_each_entry(patch, batch, text.node)
		if (patch->bounce.len)
			list_add_tail(&patch->bounce.node, &bounces);
	if (list_empty(&bounces))
		return 0;
	ret = ilk_text_lay(&bounces, &text);
	now = ktime_get_ns();
	list_for_each_entry(patch, &bounces, bounce.node) {
		if (!ilk_bounce_in_text(patch))
			continue;
		__module_get(THIS_MODULE);
		patch->laid_ns = now;
		patch->lifted_ns = 0;
	}
	if (ret)
		*obstacle = container_of(text, struct ilk_patch, bounce);
	return ret;
}

/**
 * ilk_bounces_lift() - put the padding back under those patches that left text
 * @batch: linked by text.node if @armed_in_vain, else by grace_node, a grace period
 *	after their sites were restored
 * @armed_in_vain: no jump ever led to them
 *
 * Those whose bytes are not ours any more stay as they are, refusal set.
 */
void ilk_bounces_lift(struct list_head *batch, bool armed_in_vain)
{
	struct ilk_patch *patch, *next;
	LIST_HEAD(bounces);

	lockdep_assert_held(&ilk_mutex);
	if (armed_in_vain) {
		list_for_each_entry(patch, batch, text.node)
			if (ilk_bounce_in_text(patch))
				list_add_tail(&patch->bounce.node, &bounces);
	} else {
		list_for_each_entry(patch, batch, grace_node)
			if (ilk_bounce_in_text(patch) && !ilk_patch_in_text(patch))
				list_add_tail(&patch->bounce.node, &bounces);
	}
	if (list_empty(&bounces))
		return;
	ilk_text_lift(&bounces);
	list_for_each_entry_safe(patch, next, &bounces, bounce.node) {
		if (!ilk_bounce_in_text(patch)) {
			lifted(patch);
			if (armed_in_vain)	/* still planned */
				ilk_text_claim(&patch->bounce);
			continue;
		}
		patch->refusal = ILK_REFUSAL_TEXT_DIFFERS;
	}
}

/* The text of @mod goes: nobody runs it any more. Context: ilk_mutex. */
void ilk_bounces_drop(const struct module *mod)
{
	struct ilk_patch *patch;
	LIST_HEAD(bounces);
	unsigned long id;

	xa_for_each(&ilk_patches, id, patch)
		if (patch->target == mod && ilk_bounce_in_text(patch))
			list_add_tail(&patch->bounce.node, &bounces);
	if (list_empty(&bounces))
		return;
	ilk_text_lift(&bounces);
	list_for_each_entry(patch, &bounces, bounce.node) {
		patch->bounce.form = ILK_TEXT_OLD;
		lifted(patch);
	}
}

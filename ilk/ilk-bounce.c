// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-bounce.c - the nearby jump of a patch with a short footprint
 *
 *   eb rel8 at the site  ->  e9 rel32 within 127 bytes, never executed before  ->  slot
 *
 * The jump of a bounce in filler (bytes between functions) needs no int3: ARM writes the jump as a
 * whole, before the trap on the site. The jump is removed a grace period after the site was
 * restored, because a thread may be preempted on it. Until then its bytes stay claimed, and the
 * driver stays loaded.
 *
 * A bounce may also be after the jump of a splice, in the rest of the splice's footprint. The patch
 * with the bounce is then a guest, and the splice its host. A guest works as a trap until its host
 * is spliced. While jumps of guests are in the footprint of a host, the host's tail cannot be
 * restored, and no thread may run from its first byte into its tail. So a disarmed host is LENDING:
 * int3 is on its first byte again, and hits run its code without hooks, until the last jump of a
 * guest is removed.
 *
 *   host    TRAPPED -grace-> ARMED -DISARM, stop----------------------> RESTORED
 *              |               |  \                                      ^
 *              |               |   -DISARM with guests laid-> LENDING ----+
 *              |          (1) guests may be laid                | (2) last guest lifted
 *              +-DISARM-> RESTORED: its guests stay traps       +-grace-> slot freed
 *
 *   guest   TRAPPED -grace, (1)-> laid, ARMED -DISARM-> RESTORED -grace-> lifted (2)
 *
 * A host's text.jump contains the current bytes of its tail, so that a check of its
 * bytes expects the jumps of its guests. A guest whose site or jump was overwritten
 * by other patchers keeps its host LENDING; a host that was overwritten stays in text,
 * like any patch. A LENDING host keeps the driver loaded and outlives its client.
 * When the module with the text is unloaded, no thread can be in that text: its hosts
 * and guests are dropped at once.
 */
#include <linux/module.h>

#include "ilk-arm.h"
#include "ilk-check.h"
#include "ilk-driver.h"
#include "ilk-kernel.h"
#include "ilk-patch.h"
#include "ilk-retire.h"
#include "ilk-slot.h"
#include "ilk-text.h"
#include "ilk.h"

/**
 * ilk_bounce_check() - check whether the bounce of an item, its second jump near the site, may be
 * written
 * @item: PREPARE item of the patch
 * @patch: the item's patch
 * @target: module of the patch's site, or NULL
 *
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
	    (item->aux < item->site + item->len && item->site < item->aux + ILK_BOUNCE_BYTES))
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
	if (memcmp(now, item->aux_old, sizeof(now)))
		return ILK_REFUSAL_TEXT_DIFFERS;
	return ilk_decode_check(item->aux, ILK_BOUNCE_BYTES, true);
}

/**
 * ilk_guest_check() - check whether a bounce, the second jump of a patch, may go after the jump
 * of @host
 * @item: PREPARE item of the patch
 * @patch: the item's patch
 * @host: patch of the same client; its footprint covers the bounce, and no other patch owns the
 *     bytes of the bounce
 *
 * Context: Process context, may sleep. Caller holds ilk_mutex.
 */
enum ilk_refusal ilk_guest_check(const struct ilk_prepare_patch *item,
				 const struct ilk_patch *patch, const struct ilk_patch *host)
{
	s64 hop = (s64)(item->aux - (item->site + 2));
	s64 leap = (s64)(ilk_slot_address(&patch->slot) - (item->aux + ILK_BOUNCE_BYTES));
	u8 filler[sizeof(item->aux_old)] = { INT3, INT3, INT3, INT3, INT3 };

	if (item->len < 2 || host->tactic != ILK_TACTIC_SPLICE ||
	    item->aux < host->text.addr + ILK_BOUNCE_BYTES ||
	    item->aux + ILK_BOUNCE_BYTES > host->text.addr + host->text.len ||
	    memcmp(item->aux_old, filler, sizeof(filler)))
		return ILK_REFUSAL_BAD_ITEM;
	if (host->state != ILK_STATE_PREPARED && host->state != ILK_STATE_TRAPPED &&
	    host->state != ILK_STATE_ARMED)
		return ILK_REFUSAL_STATE;
	return hop != (s8)hop || leap != (s32)leap ? ILK_REFUSAL_RANGE : ILK_REFUSAL_NONE;
}

/*
 * Fills in the bytes of the patch's short jump and of its bounce, the long jump to which the short
 * jump leads. @item must have passed ilk_bounce_check() or ilk_guest_check().
 */
void ilk_bounce_plan(struct ilk_patch *patch, const struct ilk_prepare_patch *item)
{
	struct ilk_text *bounce = &patch->bounce;
	s32 leap = (s32)(ilk_slot_address(&patch->slot) - (item->aux + ILK_BOUNCE_BYTES));

	bounce->addr = item->aux;
	bounce->len = ILK_BOUNCE_BYTES;
	bounce->form = ILK_TEXT_OLD;
	memcpy(bounce->old, item->aux_old, ILK_BOUNCE_BYTES);
	bounce->jump[0] = JMP32;
	memcpy(bounce->jump + 1, &leap, sizeof(leap));
	memset(patch->text.jump, INT3, item->len);
	patch->text.jump[0] = JMP8;
	patch->text.jump[1] = (u8)(item->aux - (item->site + 2));
	patch->guest = patch->host;
	if (patch->host)
		list_add_tail(&patch->guest_node, &patch->host->guests);
}

/*
 * Copies the current bytes of the bounce (second jump) of @guest to the text.jump of its host, the
 * patch in whose footprint the bounce is. Does nothing for a guest without a host.
 */
static void update_host_copy(struct ilk_patch *guest)
{
	struct ilk_text *bounce = &guest->bounce, *text;

	if (!guest->host)
		return;
	text = &guest->host->text;
	ilk_text_current(bounce, text->jump + (bounce->addr - text->addr));
}

static void note_laid(struct ilk_patch *patch)
{
	__module_get(THIS_MODULE);
	patch->laid_ns = ktime_get_ns();
	patch->lifted_ns = 0;
	update_host_copy(patch);
}

/*
 * Notes that the bounce (second jump) of a patch is gone from text: it was removed, or its module
 * was unloaded.
 */
static void note_lifted(struct ilk_patch *patch)
{
	patch->lifted_ns = ktime_get_ns();
	ilk_text_unclaim(&patch->bounce);
	module_put(THIS_MODULE);
}

/**
 * ilk_bounces_lay() - write the bounces (second jumps, near the sites) of all of @batch, or none
 * @batch: patches about to be trapped, linked by text.node
 * @obstacle: set to the patch that prevented writing
 *
 * Skips guests, and bounces that a failed ARM could not remove.
 * Context: same as for ilk_patches_arm(). Return: same as for ilk_text_place().
 */
int ilk_bounces_lay(struct list_head *batch, struct ilk_patch **obstacle)
{
	struct ilk_text *text = NULL;
	struct ilk_patch *patch;
	LIST_HEAD(bounces);
	int ret;

	ilk_each(patch, batch, text.node)
		if (patch->bounce.len && !patch->guest && !ilk_bounce_in_text(patch))
			list_add_tail(&patch->bounce.node, &bounces);
	if (list_empty(&bounces))
		return 0;
	ret = ilk_text_place(&bounces, &text);
	ilk_each(patch, &bounces, bounce.node)
		if (ilk_bounce_in_text(patch))
			note_laid(patch);
	if (ret)
		*obstacle = container_of(text, struct ilk_patch, bounce);
	return ret;
}

/* ---- guests: patches whose bounce is in the footprint of a splice, their host ---- */

/*
 * Detaches a guest from its host, the splice whose footprint has room for the guest's bounce. The
 * bounce must not be in text.
 */
void ilk_bounce_leave_host(struct ilk_patch *guest)
{
	list_del_init(&guest->guest_node);
	guest->host = NULL;
}

/*
 * Detaches all guests of @host, which are patches with a bounce (second jump) in its footprint. The
 * host's jump is not in text, so neither are the bounces of the guests, which stay traps.
 */
void ilk_guests_evict(struct ilk_patch *host)
{
	struct ilk_patch *guest, *next;

	ilk_each_safe(guest, next, &host->guests, guest_node)
		ilk_bounce_leave_host(guest);
}

/*
 * Returns whether bounces (jumps) of other patches are in the footprint of this patch. Must be
 * called with ilk_mutex held.
 */
bool ilk_host_is_needed(const struct ilk_patch *patch)
{
	struct ilk_patch *guest;

	ilk_each(guest, &patch->guests, guest_node)
		if (ilk_bounce_in_text(guest))
			return true;
	return false;
}

/*
 * Returns whether the patch is disarmed, and waits until its footprint contains no more bounces
 * (jumps) of other patches.
 */
bool ilk_patch_is_lending(const struct ilk_patch *patch)
{
	return patch->state == ILK_STATE_LENDING && ilk_host_is_needed(patch);
}

/**
 * ilk_hosts_start_lending() - switch off the hooks of hosts: disarmed patches whose footprints
 * still contain bounces (jumps) of other patches
 * @batch: patches linked by text.node. Hosts whose bytes are no longer ours stay unchanged, with
 *     refusal set.
 */
void ilk_hosts_start_lending(struct list_head *batch)
{
	struct ilk_patch *patch, *next;
	LIST_HEAD(lent);

	ilk_each_safe(patch, next, batch, text.node) {
		if (patch->state == ILK_STATE_LENDING)
			continue;
		WRITE_ONCE(patch->site->slot, ilk_slot_address(&patch->slot) + patch->unhooked_offset);
		list_move_tail(&patch->text.node, &lent);
	}
	if (list_empty(&lent))
		return;
	ilk_text_vacate(&lent);
	ilk_each(patch, &lent, text.node) {
		if (patch->text.error) {
			patch->refusal = ilk_refusal_of_text(patch->text.error);
			WRITE_ONCE(patch->site->slot, ilk_slot_address(&patch->slot));
			continue;
		}
		__module_get(THIS_MODULE);
		ilk_patch_set_state(patch, ILK_STATE_LENDING);
	}
	list_splice_tail(&lent, batch);
}

/*
 * Restores hosts: disarmed patches that were kept because their footprints contained bounces
 * (jumps) of other patches, which are removed by now. The slots of the hosts are freed after a
 * grace period.
 */
static void restore_hosts(struct list_head *hosts)
{
	struct ilk_patch *patch, *next;

	if (list_empty(hosts))
		return;
	ilk_patches_restore(hosts);
	ilk_each_safe(patch, next, hosts, text.node) {
		patch->chosen = false;
		if (!ilk_patch_in_text(patch))
			ilk_grace_queue(patch);
		else if (!patch->client)
			ilk_grace_add_orphan(patch);
	}
}

/*
 * Adds to @batch all guests of @hosts that have waited until their host was spliced. A guest is a
 * patch with a bounce (second jump) in the footprint of its host.
 */
void ilk_guests_collect_waiting(struct list_head *hosts, struct list_head *batch)
{
	struct ilk_patch *host, *guest;

	ilk_each(host, hosts, text.node)
		ilk_each(guest, &host->guests, guest_node) {
			if (!guest->waits_for_host || guest->state != ILK_STATE_TRAPPED)
				continue;
			guest->waits_for_host = false;
			list_add_tail(&guest->text.node, batch);
		}
}

/*
 * Writes the bounces (second jumps) of guests into the footprints of other patches, their hosts. A
 * guest whose bounce cannot be written gets a refusal.
 */
static void lay_guests(struct list_head *bounces)
{
	struct ilk_patch *guest, *next;
	struct ilk_text *text;

	while (!list_empty(bounces) && ilk_text_place(bounces, &text)) {
		ilk_each_safe(guest, next, bounces, bounce.node) {
			if (!guest->bounce.error)
				continue;
			list_del(&guest->bounce.node);
			guest->refusal = ilk_refusal_of_text(guest->bounce.error);
			if (ilk_bounce_in_text(guest))
				note_laid(guest);
		}
	}
	ilk_each(guest, bounces, bounce.node)
		if (ilk_bounce_in_text(guest))
			note_laid(guest);
}

/**
 * ilk_guests_splice() - replace the traps of guests, patches with a bounce in another patch's
 * footprint, by jumps
 * @batch: TRAPPED guests, linked by text.node, whose grace period is over. A guest stays
 *     a trap until its host is spliced.
 */
void ilk_guests_splice(struct list_head *batch)
{
	struct ilk_patch *guest, *next;
	LIST_HEAD(bounces);

	ilk_each_safe(guest, next, batch, text.node) {
		guest->waits_for_host = !guest->host || guest->host->text.form != ILK_TEXT_JUMP;
		if (guest->waits_for_host)
			list_del(&guest->text.node);
		else
			list_add_tail(&guest->bounce.node, &bounces);
	}
	lay_guests(&bounces);
	ilk_each_safe(guest, next, batch, text.node)
		if (!ilk_bounce_in_text(guest))
			list_del(&guest->text.node);
	if (!list_empty(batch))
		ilk_patches_splice(batch);
}

/* ---- removing bounces from text ------------------------------------------- */

/**
 * ilk_bounces_lift() - remove the jumps of bounces from text
 * @batch: patches linked by text.node if @armed_in_vain, else by grace_node, a
 *     grace period after their sites were restored
 * @armed_in_vain: ARM failed, and no jump ever led to the bounces
 *
 * Bounces whose bytes are no longer ours stay unchanged, with refusal set.
 */
void ilk_bounces_lift(struct list_head *batch, bool armed_in_vain)
{
	struct ilk_patch *patch, *next, *host;
	LIST_HEAD(bounces);
	LIST_HEAD(hosts);

	lockdep_assert_held(&ilk_mutex);
	if (armed_in_vain) {
		ilk_each(patch, batch, text.node)
			if (ilk_bounce_in_text(patch) && !ilk_patch_in_text(patch))
				list_add_tail(&patch->bounce.node, &bounces);
	} else {
		ilk_each(patch, batch, grace_node)
			if (ilk_bounce_in_text(patch) && !ilk_patch_in_text(patch))
				list_add_tail(&patch->bounce.node, &bounces);
	}
	if (list_empty(&bounces))
		return;
	ilk_text_remove(&bounces);
	ilk_each_safe(patch, next, &bounces, bounce.node) {
		if (ilk_bounce_in_text(patch)) {
			patch->refusal = ilk_refusal_of_text(patch->bounce.error);
			continue;
		}
		update_host_copy(patch);
		note_lifted(patch);
		if (armed_in_vain) {	/* the patch is still prepared: its bytes stay claimed */
			ilk_text_claim(&patch->bounce);
			continue;
		}
		host = patch->host;
		ilk_bounce_leave_host(patch);
		if (!host || host->chosen || host->state != ILK_STATE_LENDING ||
		    ilk_host_is_needed(host))
			continue;
		host->chosen = true;
		list_add_tail(&host->text.node, &hosts);
	}
	restore_hosts(&hosts);
}

/*
 * Drops all bounces (second jumps of patches) in the text of @mod, which is unloaded: no thread
 * runs this text any longer. Must be called with ilk_mutex held.
 */
void ilk_bounces_drop_module(const struct module *mod)
{
	struct ilk_patch *patch;
	LIST_HEAD(bounces);
	unsigned long id;

	ilk_each_patch(id, patch)
		if (patch->target == mod && ilk_bounce_in_text(patch))
			list_add_tail(&patch->bounce.node, &bounces);
	if (list_empty(&bounces))
		return;
	ilk_text_remove(&bounces);
	ilk_each(patch, &bounces, bounce.node) {
		patch->bounce.form = ILK_TEXT_OLD;
		note_lifted(patch);
		ilk_bounce_leave_host(patch);
	}
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-bounce.c - the nearby jump of a patch whose footprint is too short for one
 *
 *   eb rel8 at the site  ->  e9 rel32 within 127 bytes, which nothing runs  ->  slot
 *
 * In padding its jump needs no int3: it is laid whole at ARM, before the trap on the
 * site. It is lifted a grace period after the site was restored, for a thread may be
 * preempted while it stands on it; until then the bytes stay claimed and hold the
 * driver loaded.
 *
 * It may also lie behind the jump of a splice, in the filler. The bounce is then a
 * guest and the splice its host. A guest works as a trap until its host is spliced;
 * a host whose guests' jumps are laid cannot put its tail back, nor let anyone run
 * into it from its first byte. So it is lent: trapped once more, its hits sent to
 * its code without hooks, until the last jump is lifted.
 *
 *   host    TRAPPED -grace-> ARMED -DISARM, stop----------------------> RESTORED
 *              |               |  \                                      ^
 *              |               |   -DISARM with guests laid-> LENT -------+
 *              |          (1) guests may be laid                | (2) last guest lifted
 *              +-DISARM-> RESTORED: its guests stay traps       +-grace-> slot freed
 *
 *   guest   TRAPPED -grace, (1)-> laid, ARMED -DISARM-> RESTORED -grace-> lifted (2)
 *
 * What a host's tail holds now is kept in its text.jump, so that each look at the
 * bytes finds its guests' jumps there. A guest whose site or jump somebody patched
 * over keeps its host lent; a host that somebody patched over stays, as any patch. A
 * lent host holds the driver loaded and outlives its client. When the module that
 * has the text goes, nobody runs it: all are dropped at once.
 */
#include <linux/module.h>

#include "ilk-internal.h"

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
 * ilk_guest_check() - may the item's bounce be laid behind the jump of @host?
 * @host: of the same client, owns all bytes of the bounce, which are nobody else's
 * Context: as above.
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

/* Fill in the two jumps of a plan that passed ilk_bounce_check() or ilk_guest_check(). */
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

/* The bytes behind the host's jump are as this bounce left them. */
static void tell_host(struct ilk_patch *guest)
{
	struct ilk_text *bounce = &guest->bounce, *text;

	if (!guest->host)
		return;
	text = &guest->host->text;
	ilk_text_current(bounce, text->jump + (bounce->addr - text->addr));
}

static void laid(struct ilk_patch *patch)
{
	__module_get(THIS_MODULE);
	patch->laid_ns = ktime_get_ns();
	patch->lifted_ns = 0;
	tell_host(patch);
}

/* It is out of text, or its text is no more. */
static void lifted(struct ilk_patch *patch)
{
	patch->lifted_ns = ktime_get_ns();
	ilk_text_unclaim(&patch->bounce);
	module_put(THIS_MODULE);
}

/**
 * ilk_bounces_lay() - lay the bounces of all of @batch, or none; not those of guests,
 * nor those that an ARM in vain could not lift
 * @batch: of patches about to be trapped, linked by text.node
 * @obstacle: set to the patch that stood in the way
 *
 * Context: as ilk_patches_arm(). Return: as ilk_text_place().
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
			laid(patch);
	if (ret)
		*obstacle = container_of(text, struct ilk_patch, bounce);
	return ret;
}

/* ---- hosts and guests --------------------------------------------------------- */

/* The guest has nothing to do with its host any more: it is out of text there. */
void ilk_bounce_leave(struct ilk_patch *guest)
{
	list_del_init(&guest->guest_node);
	guest->host = NULL;
}

/* The host is out of text, or was never in it: its guests stay traps. */
void ilk_guests_evict(struct ilk_patch *host)
{
	struct ilk_patch *guest, *next;

	ilk_each_safe(guest, next, &host->guests, guest_node)
		ilk_bounce_leave(guest);
}

/* Are jumps of others laid behind its own? Context: ilk_mutex. */
bool ilk_host_is_needed(const struct ilk_patch *patch)
{
	struct ilk_patch *guest;

	ilk_each(guest, &patch->guests, guest_node)
		if (ilk_bounce_in_text(guest))
			return true;
	return false;
}

/* Disarmed, and its text follows when its guests have left? */
bool ilk_patch_is_lent(const struct ilk_patch *patch)
{
	return patch->state == ILK_STATE_LENT && ilk_host_is_needed(patch);
}

/**
 * ilk_hosts_lend() - end the hooks of hosts that are still needed
 * @batch: linked by text.node. Those whose bytes are not ours any more stay as they
 *	are, refusal set.
 */
void ilk_hosts_lend(struct list_head *batch)
{
	struct ilk_patch *patch, *next;
	LIST_HEAD(lent);

	ilk_each_safe(patch, next, batch, text.node) {
		if (patch->state == ILK_STATE_LENT)
			continue;
		WRITE_ONCE(patch->site->slot, ilk_slot_address(&patch->slot) + patch->bare);
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
		ilk_patch_set_state(patch, ILK_STATE_LENT);
	}
	list_splice_tail(&lent, batch);
}

/* The last guest of each has left. Their slots follow after a grace period. */
static void return_hosts(struct list_head *hosts)
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
			ilk_grace_orphan(patch);
	}
}

/* Add to @batch the guests that wait for those of @hosts that are spliced now. */
void ilk_guests_call(struct list_head *hosts, struct list_head *batch)
{
	struct ilk_patch *host, *guest;

	ilk_each(host, hosts, text.node)
		ilk_each(guest, &host->guests, guest_node) {
			if (!guest->waits || guest->state != ILK_STATE_TRAPPED)
				continue;
			guest->waits = false;
			list_add_tail(&guest->text.node, batch);
		}
}

/* Each that can be laid is. */
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
				laid(guest);
		}
	}
	ilk_each(guest, bounces, bounce.node)
		if (ilk_bounce_in_text(guest))
			laid(guest);
}

/**
 * ilk_guests_splice() - turn the traps of guests into their jumps
 * @batch: TRAPPED guests, linked by text.node, whose grace period is over. Those
 *	whose host is not spliced stay traps until it is.
 */
void ilk_guests_splice(struct list_head *batch)
{
	struct ilk_patch *guest, *next;
	LIST_HEAD(bounces);

	ilk_each_safe(guest, next, batch, text.node) {
		guest->waits = !guest->host || guest->host->text.form != ILK_TEXT_JUMP;
		if (guest->waits)
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

/* ---- out of text -------------------------------------------------------------- */

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
		tell_host(patch);
		lifted(patch);
		if (armed_in_vain) {	/* still planned */
			ilk_text_claim(&patch->bounce);
			continue;
		}
		host = patch->host;
		ilk_bounce_leave(patch);
		if (!host || host->chosen || host->state != ILK_STATE_LENT ||
		    ilk_host_is_needed(host))
			continue;
		host->chosen = true;
		list_add_tail(&host->text.node, &hosts);
	}
	return_hosts(&hosts);
}

/* The text of @mod goes: nobody runs it any more. Context: ilk_mutex. */
void ilk_bounces_drop(const struct module *mod)
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
		lifted(patch);
		ilk_bounce_leave(patch);
	}
}

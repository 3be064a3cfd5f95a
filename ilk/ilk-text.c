// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-text.c - the only writer of kernel text, and the record of which bytes belong to which
 * patch
 *
 * A batch is checked and written (ilk-poke.c) under ilk_kernel_text_lock(), so
 * that no other patcher can claim a byte in between. The number of IPIs does not depend
 * on the size of the batch, and no memory is allocated. The CPU may be given up between
 * any two writes: a half-written batch works. The protocol writes int3 first:
 *
 * A footprint is in one of four forms, and each step leads from one form to the next
 * by one write: of the first byte, or of the tail while int3 is on the first
 * byte. Then all CPUs are synchronised, and the written bytes are read back:
 *
 *   OLD  <-- int3 -->  TRAP  <-- tail -->  TAIL  <-- first byte -->  JUMP
 *
 *   ilk_text_trap	OLD -> TRAP, all of the batch or nothing
 *   (grace period: until then a thread may be between the footprint's instructions)
 *   ilk_text_splice	TRAP -> TAIL -> JUMP
 *   ilk_text_restore	from any form back to OLD
 *
 * The jump of a bounce is in filler, which is never executed. It is written
 * whole, before the trap on its site, and removed a grace period after the site
 * was restored:
 *
 *   ilk_text_place	OLD -> JUMP, all of the batch or nothing
 *   ilk_text_remove	JUMP -> OLD
 *
 * The footprint after the jump of a splice is not executed either, once the jump
 * is written: it may contain bounces of other patches. Such a splice cannot be
 * removed before the bounces are:
 *
 *   ilk_text_vacate	JUMP -> TAIL
 *
 * A live jump gets another target through int3 too; no thread can be inside the
 * jump:
 *
 *   ilk_text_switch	the trap handler gets the new target; JUMP -> TAIL; the new tail is
 *			written; TAIL -> JUMP; all of the batch or nothing
 *
 * While int3 is on the first byte, a hit traps and continues in the patch, so the hook works in
 * every form but OLD. A batch starts with a check: the bytes must be those of the footprint's
 * form, and no kprobe may own one of them. An undo that finds foreign bytes or a probe leaves the
 * footprint unchanged and waits. Text that does not read back as written poisons the driver: from
 * then on the driver only undoes changes, and a footprint keeps the form in which it is found.
 */
#include <linux/bits.h>
#include <linux/hashtable.h>
#include <linux/smp.h>
#include <linux/uaccess.h>
#include <asm/sync_core.h>

#include "ilk-driver.h"
#include "ilk-kernel.h"
#include "ilk-text.h"
#include "ilk.h"

static bool poisoned;

bool ilk_text_is_poisoned(void)
{
	return READ_ONCE(poisoned);
}

static void sync_this_core(void *unused)
{
	sync_core();
}

/* Makes every CPU fetch bytes that were written before this call. */
void ilk_text_sync(void)
{
	on_each_cpu(sync_this_core, NULL, 1);
}

/* Reads the current text; returns -EFAULT where nothing is mapped. */
int ilk_text_read(unsigned long addr, u8 *bytes, u32 len)
{
	return copy_from_kernel_nofault(bytes, (void *)addr, len);
}

/*
 * Fills in the bytes that a footprint has in form @form: the kernel's own bytes, a trap, a jump, or
 * a jump with int3 on its first byte.
 */
static void get_form_bytes(const struct ilk_text *text, enum ilk_text_form form, u8 *bytes)
{
	bool jump = form == ILK_TEXT_JUMP || form == ILK_TEXT_TAIL;

	memcpy(bytes, jump ? text->prior ?: text->jump : text->old, text->len);
	if (form == ILK_TEXT_TRAP || form == ILK_TEXT_TAIL)
		bytes[0] = INT3;
}

/* Fills in the bytes that must be in text now: the bytes that we wrote last. */
void ilk_text_current(const struct ilk_text *text, u8 *bytes)
{
	get_form_bytes(text, text->form, bytes);
}

static int verify_text(const struct ilk_text *text)
{
	u8 want[ILK_FOOTPRINT_MAX], have[ILK_FOOTPRINT_MAX];

	ilk_text_current(text, want);
	if (ilk_text_read(text->addr, have, text->len))
		return -EFAULT;
	return memcmp(want, have, text->len) ? -EILSEQ : 0;
}

/*
 * Handles text that does not read back as written: finds its actual form. If the text
 * matches none of our forms, assumes a form other than OLD, so that nothing is
 * freed that may still be in text.
 */
static void find_actual_form(struct ilk_text *text, enum ilk_text_form before)
{
	static const enum ilk_text_form forms[] = {
		ILK_TEXT_OLD, ILK_TEXT_TRAP, ILK_TEXT_TAIL, ILK_TEXT_JUMP,
	};
	unsigned int i;

	text->error = -EIO;
	WRITE_ONCE(poisoned, true);
	pr_err_once("ilk: text at %pS did not take what was written; the driver now only restores. Reboot before using it again.\n",
	       (void *)text->addr);
	for (i = 0; i < ARRAY_SIZE(forms); i++) {
		text->form = forms[i];
		if (!verify_text(text))
			return;
	}
	text->form = before != ILK_TEXT_OLD ? before :
		     text->nearby ? ILK_TEXT_JUMP : ILK_TEXT_TRAP;
}

static void write_step(const struct ilk_text *text, enum ilk_text_form to)
{
	u32 steps = BIT(text->form) | BIT(to), from = 0, len = 1;
	u8 bytes[ILK_FOOTPRINT_MAX];

	get_form_bytes(text, to, bytes);
	if (steps == (BIT(ILK_TEXT_TRAP) | BIT(ILK_TEXT_TAIL))) {
		from = 1;
		len = text->len - 1;
	} else if (steps == (BIT(ILK_TEXT_OLD) | BIT(ILK_TEXT_JUMP))) {
		len = text->len;
	}
	ilk_poke(text->addr + from, bytes + from, len);
}

/*
 * Writes the next step of a change to the footprints of @batch that are in form @from, so that they
 * get form @to. Skips footprints with an error.
 */
static void apply_step(struct list_head *batch, enum ilk_text_form from, enum ilk_text_form to)
{
	struct ilk_text *text;
	bool any = false;

	ilk_each(text, batch, node) {
		text->stepped = !text->error && text->form == from;
		if (!text->stepped)
			continue;
		write_step(text, to);
		text->form = to;
		any = true;
	}
	if (!any)
		return;
	ilk_text_sync();
	ilk_each(text, batch, node)
		if (text->stepped && verify_text(text))
			find_actual_form(text, from);
}

/*
 * Writes all first bytes again, in virtual machines. An emulator may translate an instruction while
 * its byte is written, and keep running the old translation (QEMU before 8.1 does). The next sync
 * finishes that translation, and writing the byte again discards it. Otherwise a stale int3 could
 * trap when no handler expects it any longer. Real cores do not need this.
 */
static void rewrite_first_bytes(struct list_head *batch)
{
	struct ilk_text *text;
	u8 now[ILK_FOOTPRINT_MAX];

	if (!boot_cpu_has(X86_FEATURE_HYPERVISOR))
		return;
	ilk_each(text, batch, node) {
		if (text->error)
			continue;
		ilk_text_current(text, now);
		ilk_poke(text->addr, now, 1);
	}
	ilk_text_sync();
	ilk_each(text, batch, node)
		if (!text->error && verify_text(text))
			find_actual_form(text, text->form);
}

/*
 * Checks whether a footprint may be written. Its bytes are ours only while no
 * kprobe is registered on them: even a disarmed kprobe has saved the bytes, and
 * writes them back later.
 */
static int check_footprint(const struct ilk_text *text)
{
	return ilk_kernel_kprobe_in(text->addr, text->len) ? -EBUSY : verify_text(text);
}

/*
 * Locks text and checks all footprints of a batch. If the driver is poisoned (an earlier write to
 * text failed), refuses everything but an undo.
 */
static void open_batch(struct list_head *batch, bool undo)
{
	int refused = poisoned && !undo ? -EUCLEAN : 0;
	struct ilk_text *text;

	lockdep_assert_held(&ilk_mutex);
	ilk_kernel_text_lock();
	ilk_each(text, batch, node)
		text->error = refused ?: check_footprint(text);
}

/*
 * Finds the first footprint with an error. Returns its error, and sets @obstacle to the footprint;
 * returns 0 if all footprints are without an error.
 */
static int find_first_failure(struct list_head *batch, struct ilk_text **obstacle)
{
	struct ilk_text *text;

	ilk_each(text, batch, node) {
		if (!text->error)
			continue;
		*obstacle = text;
		return text->error;
	}
	return 0;
}

/**
 * ilk_text_trap() - write int3 on first bytes, for all of @batch or none
 * @batch: struct ilk_text items, each ILK_TEXT_OLD and published to the trap handler
 * @obstacle: set to the footprint that prevented writing
 *
 * Context: Process context, may sleep. Caller holds ilk_mutex.
 * Return: 0; -EILSEQ text differs; -EBUSY a kprobe owns a byte; -EFAULT text is
 *     unmapped; -EUCLEAN poisoned; -EIO poisoned just now: ilk_text_restore()
 *     must follow.
 */
int ilk_text_trap(struct list_head *batch, struct ilk_text **obstacle)
{
	int ret;

	open_batch(batch, false);
	ret = find_first_failure(batch, obstacle);
	if (!ret) {
		apply_step(batch, ILK_TEXT_OLD, ILK_TEXT_TRAP);
		rewrite_first_bytes(batch);
		ret = find_first_failure(batch, obstacle);
	}
	ilk_kernel_text_unlock();
	return ret;
}

/**
 * ilk_text_splice() - replace traps by jumps
 * @batch: footprints, each ILK_TEXT_TRAP, a grace period after ilk_text_trap(). A footprint whose
 *     bytes have changed gets its @error set and stays unchanged.
 */
void ilk_text_splice(struct list_head *batch)
{
	open_batch(batch, false);
	apply_step(batch, ILK_TEXT_TRAP, ILK_TEXT_TAIL);
	apply_step(batch, ILK_TEXT_TAIL, ILK_TEXT_JUMP);
	ilk_kernel_text_unlock();
}

/**
 * ilk_text_restore() - write back the kernel's own bytes
 * @batch: footprints in any form. A footprint whose bytes are no longer ours gets its @error set
 *     and stays unchanged: another patcher saved our bytes and will write them back.
 */
void ilk_text_restore(struct list_head *batch)
{
	open_batch(batch, true);
	apply_step(batch, ILK_TEXT_JUMP, ILK_TEXT_TAIL);
	apply_step(batch, ILK_TEXT_TAIL, ILK_TEXT_TRAP);
	apply_step(batch, ILK_TEXT_TRAP, ILK_TEXT_OLD);
	rewrite_first_bytes(batch);
	ilk_kernel_text_unlock();
}

/**
 * ilk_text_vacate() - turn jumps into traps, so that the bytes after them can be restored
 * @batch: footprints, each ILK_TEXT_JUMP. A footprint whose bytes are no longer ours gets its
 *     @error set and stays unchanged.
 */
void ilk_text_vacate(struct list_head *batch)
{
	open_batch(batch, true);
	apply_step(batch, ILK_TEXT_JUMP, ILK_TEXT_TAIL);
	rewrite_first_bytes(batch);
	ilk_kernel_text_unlock();
}

/**
 * ilk_text_place() - write jumps over bytes that are never executed, all of @batch or none
 * @batch: footprints, each ILK_TEXT_OLD and with @nearby set
 * @obstacle: set to the footprint that prevented writing
 *
 * Context: Process context, may sleep. Caller holds ilk_mutex.
 * Return: same as for ilk_text_trap(); after -EIO ilk_text_remove() must follow.
 */
int ilk_text_place(struct list_head *batch, struct ilk_text **obstacle)
{
	int ret;

	open_batch(batch, false);
	ret = find_first_failure(batch, obstacle);
	if (!ret) {
		apply_step(batch, ILK_TEXT_OLD, ILK_TEXT_JUMP);
		ret = find_first_failure(batch, obstacle);
	}
	ilk_kernel_text_unlock();
	return ret;
}

/**
 * ilk_text_remove() - remove jumps over bytes that are never executed
 * @batch: footprints, each ILK_TEXT_JUMP; nothing leads to their jumps, and no thread is on these.
 *     A footprint whose bytes are no longer ours gets its @error set and stays unchanged.
 */
void ilk_text_remove(struct list_head *batch)
{
	open_batch(batch, true);
	apply_step(batch, ILK_TEXT_JUMP, ILK_TEXT_OLD);
	ilk_kernel_text_unlock();
}

/* Returns whether text still has the bytes that we wrote last. */
bool ilk_text_is_ours(const struct ilk_text *text)
{
	return !verify_text(text);
}

/* Moves footprints that get a new jump from @batch to @changing. */
static void split_off_changing(struct list_head *batch, struct list_head *changing)
{
	struct ilk_text *text, *next;

	ilk_each_safe(text, next, batch, node)
		if (text->prior)
			list_move_tail(&text->node, changing);
}

/*
 * Writes all bytes of the new jumps but the first. This is safe because int3 is on the first byte
 * of each jump: no CPU can execute the bytes after it.
 */
static void write_new_tails(struct list_head *changing)
{
	struct ilk_text *text;

	ilk_each(text, changing, node) {
		if (text->error)
			continue;
		text->prior = NULL;
		ilk_poke(text->addr + 1, text->jump + 1, text->len - 1);
	}
	ilk_text_sync();
	ilk_each(text, changing, node)
		if (!text->error && verify_text(text))
			find_actual_form(text, ILK_TEXT_TAIL);
}

/**
 * ilk_text_switch() - replace live jumps by others, all of @batch or none
 * @batch: traps, and jumps whose @prior is in text now
 * @redirect: called with @patches after all bytes were found as expected, and before any byte
 *     is written: makes traps lead to the new targets. A first sync follows in any case, so that
 *     no trap handler uses the old target after this call.
 * @patches: passed to @redirect
 * @obstacle: set to the footprint that prevented writing
 *
 * Context: Process context, may sleep. Caller holds ilk_mutex.
 * Return: same as for ilk_text_trap(); but after -EIO the other footprints have been
 *     written.
 */
int ilk_text_switch(struct list_head *batch, void (*redirect)(struct list_head *patches),
		    struct list_head *patches, struct ilk_text **obstacle)
{
	LIST_HEAD(changing);
	int ret;

	open_batch(batch, false);
	ret = find_first_failure(batch, obstacle);
	if (ret)
		goto out_unlock;
	redirect(patches);
	split_off_changing(batch, &changing);
	apply_step(&changing, ILK_TEXT_JUMP, ILK_TEXT_TAIL);
	write_new_tails(&changing);
	apply_step(&changing, ILK_TEXT_TAIL, ILK_TEXT_JUMP);
	list_splice_tail(&changing, batch);
	rewrite_first_bytes(batch);
	ret = find_first_failure(batch, obstacle);
out_unlock:
	ilk_kernel_text_unlock();
	return ret;
}

/*
 * Records which bytes of text belong to which patch.
 *
 * A claim prevents other patches from changing the bytes of a footprint or bounce, from PREPARE
 * until the bytes are restored. Two claims may overlap in one case only: a bounce in the footprint
 * of a splice. Everything here needs ilk_mutex.
 */

static DEFINE_HASHTABLE(claims, 14);

static unsigned long get_claim_key(unsigned long site)
{
	return site / ILK_FOOTPRINT_MAX;
}

/**
 * ilk_text_owner() - find the footprint, other than @but, that owns (has a claim on) one of these
 * bytes
 *
 * Claims are hashed by the block of ILK_FOOTPRINT_MAX bytes in which they start. The block before
 * that of @site is searched, too: a footprint that starts in it may reach the bytes.
 */
struct ilk_text *ilk_text_owner(unsigned long site, u32 len,
				const struct ilk_text *but)
{
	unsigned long key;
	struct ilk_text *text;

	for (key = get_claim_key(site) - 1; key <= get_claim_key(site + len - 1); key++)
		hash_for_each_possible(claims, text, claim, key)
			if (text != but && text->addr < site + len &&
			    site < text->addr + text->len)
				return text;
	return NULL;
}

static void copy_original(const struct ilk_text *text, unsigned long addr, u8 *bytes, u32 len)
{
	unsigned long at = max(addr, text->addr);
	unsigned long end = min(addr + len, text->addr + text->len);

	for (; at < end; at++)
		bytes[at - addr] = text->old[at - text->addr];
}

/**
 * ilk_text_original() - undo the changes of footprints in a copy of text
 *
 * Bounces are undone first: if a bounce is in the footprint of another patch, its old bytes are
 * that patch's int3 after the jump.
 * Context: ilk_mutex held.
 */
void ilk_text_original(unsigned long addr, u8 *bytes, u32 len)
{
	const struct ilk_text *text;
	unsigned long key;
	int nearby;

	for (nearby = 1; nearby >= 0; nearby--)
		for (key = get_claim_key(addr) - 1; key <= get_claim_key(addr + len - 1); key++)
			hash_for_each_possible(claims, text, claim, key)
				if (text->form != ILK_TEXT_OLD && text->nearby == nearby)
					copy_original(text, addr, bytes, len);
}

void ilk_text_claim(struct ilk_text *text)
{
	hash_add(claims, &text->claim, get_claim_key(text->addr));
}

void ilk_text_unclaim(struct ilk_text *text)
{
	hash_del(&text->claim);
}

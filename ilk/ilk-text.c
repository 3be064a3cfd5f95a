// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-text.c - the only writer of kernel text
 *
 * A batch is looked at and written (ilk-poke.c) under ilk_kernel_text_lock(), so that
 * nobody else comes to own a byte in between, and costs a constant number of IPIs
 * whatever its size. It takes no memory. Whoever waits for the CPU gets it between any two
 * writes: a half written batch works. The protocol, int3 first:
 *
 * A footprint is in one of four forms, and each step leads from one to the next by one
 * write: of the first byte, or of the tail while int3 is on the first byte. Then all CPUs
 * are synchronised and what was written is read back:
 *
 *   OLD  <-- int3 -->  TRAP  <-- tail -->  TAIL  <-- first byte -->  JUMP
 *
 *   ilk_text_trap	OLD -> TRAP, all of the batch or nothing
 *   (grace period: until then a thread may stand between the footprint's instructions)
 *   ilk_text_splice	TRAP -> TAIL -> JUMP
 *   ilk_text_restore	from any form back to OLD
 *
 * The jump of a bounce lies in padding, which nothing runs. It is written whole, before
 * the trap on its site, and taken away a grace period after the site was restored:
 *
 *   ilk_text_place	OLD -> JUMP, all of the batch or nothing
 *   ilk_text_remove	JUMP -> OLD
 *
 * Behind the jump of a splice nothing runs either, once that is written: the bounces
 * of others may lie in its filler. Such a splice cannot leave before them:
 *
 *   ilk_text_vacate	JUMP -> TAIL
 *
 * A live jump gets another target by int3 too; no thread can stand behind its first byte:
 *
 *   ilk_text_switch	the trap handler learns the new way; JUMP -> TAIL, the new tail,
 *			-> JUMP, all of the batch or nothing
 *
 * While int3 is there a hit takes the trap to the patch, so the hook works in every form
 * but OLD. A batch begins with a look: its bytes must be those of their form, and no
 * kprobe may own one of them. An undo that finds another's bytes or probe leaves its
 * footprint as it is and waits. What does not read back as written poisons the driver:
 * it only undoes from then on, and a footprint keeps the form that it is found in.
 */
#include <linux/bits.h>
#include <linux/smp.h>
#include <linux/uaccess.h>
#include <asm/sync_core.h>

#include "ilk-internal.h"

static bool poisoned;

bool ilk_text_poisoned(void)
{
	return READ_ONCE(poisoned);
}

static void sync_this_core(void *unused)
{
	sync_core();
}

/* After this every CPU fetches what was written before it. */
void ilk_text_sync(void)
{
	on_each_cpu(sync_this_core, NULL, 1);
}

/* Read text as it is now; -EFAULT where nothing is mapped. */
int ilk_text_read(unsigned long addr, u8 *bytes, u32 len)
{
	return copy_from_kernel_nofault(bytes, (void *)addr, len);
}

/* The bytes of a form. */
static void bytes_of(const struct ilk_text *text, enum ilk_text_form form, u8 *bytes)
{
	bool jump = form == ILK_TEXT_JUMP || form == ILK_TEXT_TAIL;

	memcpy(bytes, jump ? text->prior ?: text->jump : text->old, text->len);
	if (form == ILK_TEXT_TRAP || form == ILK_TEXT_TAIL)
		bytes[0] = INT3;
}

/* The bytes that must be in the text now, by what we wrote last. */
void ilk_text_current(const struct ilk_text *text, u8 *bytes)
{
	bytes_of(text, text->form, bytes);
}

static int verify(const struct ilk_text *text)
{
	u8 want[ILK_FOOTPRINT_MAX], have[ILK_FOOTPRINT_MAX];

	ilk_text_current(text, want);
	if (ilk_text_read(text->addr, have, text->len))
		return -EFAULT;
	return memcmp(want, have, text->len) ? -EILSEQ : 0;
}

/*
 * It did not take what was written. What counts is what is there; if that is no form of
 * ours, it is not what was to be, either, so that nothing ends which is still in text.
 */
static void settle(struct ilk_text *text, enum ilk_text_form before)
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
		if (!verify(text))
			return;
	}
	text->form = before != ILK_TEXT_OLD ? before :
		     text->nearby ? ILK_TEXT_JUMP : ILK_TEXT_TRAP;
}

static void write_step(const struct ilk_text *text, enum ilk_text_form to)
{
	u32 steps = BIT(text->form) | BIT(to), from = 0, len = 1;
	u8 bytes[ILK_FOOTPRINT_MAX];

	bytes_of(text, to, bytes);
	if (steps == (BIT(ILK_TEXT_TRAP) | BIT(ILK_TEXT_TAIL))) {
		from = 1;
		len = text->len - 1;
	} else if (steps == (BIT(ILK_TEXT_OLD) | BIT(ILK_TEXT_JUMP))) {
		len = text->len;
	}
	ilk_poke(text->addr + from, bytes + from, len);
}

/* Lead those of @batch that are in form @from, and have no error, to @to. */
static void step(struct list_head *batch, enum ilk_text_form from, enum ilk_text_form to)
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
		if (text->stepped && verify(text))
			settle(text, from);
}

/*
 * An emulator may translate an instruction while its byte is written, and keep
 * running what it read (QEMU before 8.1 does). By the next sync the translation
 * is finished, and writing the byte again discards it. Real cores need no such
 * thing, and a stale int3 is the one thing that nobody would catch.
 */
static void write_again(struct list_head *batch)
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
		if (!text->error && verify(text))
			settle(text, text->form);
}

/*
 * May it be written? Its bytes are ours only while no kprobe is registered on them: one
 * that is not armed has remembered them, and writes them when it is disarmed.
 */
static int look(const struct ilk_text *text)
{
	return ilk_kernel_kprobe_in(text->addr, text->len) ? -EBUSY : verify(text);
}

/* Lock and look at all of it; what is no undo is refused once poisoned. */
static void open_batch(struct list_head *batch, bool undo)
{
	int refused = poisoned && !undo ? -EUCLEAN : 0;
	struct ilk_text *text;

	lockdep_assert_held(&ilk_mutex);
	ilk_kernel_text_lock();
	ilk_each(text, batch, node)
		text->error = refused ?: look(text);
}

/* Return: the error of the first that has one, which becomes the obstacle; else 0. */
static int first_failure(struct list_head *batch, struct ilk_text **obstacle)
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
 * ilk_text_trap() - int3 on the first bytes, for all of @batch or for none
 * @batch: of struct ilk_text, each ILK_TEXT_OLD; published to the trap handler
 * @obstacle: set to the footprint that stood in the way
 *
 * Context: Process context, may sleep. Caller holds ilk_mutex.
 * Return: 0; -EILSEQ text differs; -EBUSY a kprobe owns a byte; -EFAULT it is gone;
 *	-EUCLEAN poisoned; -EIO poisoned just now: ilk_text_restore() is to follow.
 */
int ilk_text_trap(struct list_head *batch, struct ilk_text **obstacle)
{
	int ret;

	open_batch(batch, false);
	ret = first_failure(batch, obstacle);
	if (!ret) {
		step(batch, ILK_TEXT_OLD, ILK_TEXT_TRAP);
		write_again(batch);
		ret = first_failure(batch, obstacle);
	}
	ilk_kernel_text_unlock();
	return ret;
}

/**
 * ilk_text_splice() - the jumps in the place of their traps
 * @batch: each ILK_TEXT_TRAP, a grace period after ilk_text_trap(). One whose
 *	bytes differ by now gets its @error set and stays as it is.
 */
void ilk_text_splice(struct list_head *batch)
{
	open_batch(batch, false);
	step(batch, ILK_TEXT_TRAP, ILK_TEXT_TAIL);
	step(batch, ILK_TEXT_TAIL, ILK_TEXT_JUMP);
	ilk_kernel_text_unlock();
}

/**
 * ilk_text_restore() - back to what the kernel had there
 * @batch: in any form. One whose bytes are not ours any more gets its @error
 *	set and stays as it is: somebody patched over us and will want them back.
 */
void ilk_text_restore(struct list_head *batch)
{
	open_batch(batch, true);
	step(batch, ILK_TEXT_JUMP, ILK_TEXT_TAIL);
	step(batch, ILK_TEXT_TAIL, ILK_TEXT_TRAP);
	step(batch, ILK_TEXT_TRAP, ILK_TEXT_OLD);
	write_again(batch);
	ilk_kernel_text_unlock();
}

/**
 * ilk_text_vacate() - trap again what was spliced, for the sake of its filler
 * @batch: each ILK_TEXT_JUMP. One whose bytes are not ours any more gets its @error
 *	set and stays as it is.
 */
void ilk_text_vacate(struct list_head *batch)
{
	open_batch(batch, true);
	step(batch, ILK_TEXT_JUMP, ILK_TEXT_TAIL);
	write_again(batch);
	ilk_kernel_text_unlock();
}

/**
 * ilk_text_place() - write jumps over bytes that nothing runs, all of @batch or none
 * @batch: each ILK_TEXT_OLD, nearby
 * @obstacle: set to the one that stood in the way
 *
 * Context: Process context, may sleep. Caller holds ilk_mutex.
 * Return: as ilk_text_trap(), with ilk_text_remove() to follow.
 */
int ilk_text_place(struct list_head *batch, struct ilk_text **obstacle)
{
	int ret;

	open_batch(batch, false);
	ret = first_failure(batch, obstacle);
	if (!ret) {
		step(batch, ILK_TEXT_OLD, ILK_TEXT_JUMP);
		ret = first_failure(batch, obstacle);
	}
	ilk_kernel_text_unlock();
	return ret;
}

/**
 * ilk_text_remove() - take such jumps away again
 * @batch: each ILK_TEXT_JUMP, led to by nothing and stood on by nobody. One whose
 *	bytes are not ours any more gets its @error set and stays as it is.
 */
void ilk_text_remove(struct list_head *batch)
{
	open_batch(batch, true);
	step(batch, ILK_TEXT_JUMP, ILK_TEXT_OLD);
	ilk_kernel_text_unlock();
}

/* Are the bytes there still those we wrote last? */
bool ilk_text_is_ours(const struct ilk_text *text)
{
	return !verify(text);
}

/* Those that get another jump leave the batch for @changing, by @node. */
static void part_changing(struct list_head *batch, struct list_head *changing)
{
	struct ilk_text *text, *next;

	ilk_each_safe(text, next, batch, node)
		if (text->prior)
			list_move_tail(&text->node, changing);
}

/* int3 is on the first byte of the old jump: no CPU can run the tail that it has. */
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
		if (!text->error && verify(text))
			settle(text, ILK_TEXT_TAIL);
}

/**
 * ilk_text_switch() - put other jumps in the place of live ones, all of @batch or none
 * @batch: traps, and jumps whose @prior is there now
 * @redirect: called with @patches once all bytes were found as expected, before any is
 *	written: from then on traps go the new way. A first sync follows in any case, so
 *	that behind this call no trap handler is on the old way.
 * @obstacle: set to the footprint that stood in the way
 *
 * Context: Process context, may sleep. Caller holds ilk_mutex.
 * Return: as ilk_text_trap(); but with -EIO what took has been written.
 */
int ilk_text_switch(struct list_head *batch, void (*redirect)(struct list_head *patches),
		    struct list_head *patches, struct ilk_text **obstacle)
{
	LIST_HEAD(changing);
	int ret;

	open_batch(batch, false);
	ret = first_failure(batch, obstacle);
	if (ret)
		goto out_unlock;
	redirect(patches);
	part_changing(batch, &changing);
	step(&changing, ILK_TEXT_JUMP, ILK_TEXT_TAIL);
	write_new_tails(&changing);
	step(&changing, ILK_TEXT_TAIL, ILK_TEXT_JUMP);
	list_splice_tail(&changing, batch);
	write_again(batch);
	ret = first_failure(batch, obstacle);
out_unlock:
	ilk_kernel_text_unlock();
	return ret;
}

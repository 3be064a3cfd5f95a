// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-text.c - the only writer of kernel text
 *
 * A batch is looked at and written (ilk-poke.c) under ilk_kernel_text_lock(), so that
 * nobody else comes to own a byte in between, and costs a constant number of IPIs
 * whatever its size. It takes no memory. Whoever waits for the CPU gets it between any two
 * writes: a half written batch works. The protocol, int3 first:
 *
 *   ilk_text_trap	1. every byte is compared, and no kprobe may own it; else
 *			   nothing is written
 *			2. int3 on each first byte          sync
 *   (grace period: until then a thread may stand between the footprint's instructions)
 *   ilk_text_splice	3. compare with what 2 left
 *			4. tails of the jumps               sync
 *			5. first bytes of the jumps         sync
 *   ilk_text_restore	6. look at what 2 or 5 left; what differs, or is a kprobe's,
 *			   is left alone: the undo waits
 *			7. int3 on the first byte of jumps  sync
 *			8. old tails                        sync
 *			9. old first bytes                  sync
 *
 * The jump of a bounce lies in padding, which nothing runs. It is laid whole,
 * before the trap on its site, and lifted a grace period after the site was restored:
 *
 * Behind the jump of a splice nothing runs either, once that is written: the bounces
 * of others may lie in its filler. Such a splice cannot leave before them:
 *
 *   ilk_text_lend	compare; int3 on the first byte, the tail stays     sync
 *   ilk_text_restore	from there on as from 8
 *
 *   ilk_text_lay	every old byte is compared; the jumps  sync
 *   ilk_text_lift	compare, as in 6; the old bytes        sync
 *
 * A live jump gets another target by int3 too; no thread can stand behind its first byte:
 *
 *   ilk_text_switch	compare, as in 3; the trap handler learns the new way
 *			int3 on the first byte              sync
 *			tails of the new jumps              sync
 *			first bytes of the new jumps        sync
 *
 * While int3 is there a hit takes the trap to the patch, so the hook works at
 * every step. Each write is read back; if it did not take, the driver is
 * poisoned: it refuses everything except restore.
 */
#include <linux/cpu.h>
#include <linux/smp.h>
#include <linux/uaccess.h>
#include <asm/sync_core.h>

#include "ilk-internal.h"

#define INT3	0xcc

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

/* The bytes that must be in the text now, by what we wrote last. */
void ilk_text_current(const struct ilk_text *text, u8 *bytes)
{
	bool jump = text->form == ILK_TEXT_JUMP || text->form == ILK_TEXT_LENT;

	memcpy(bytes, jump ? text->prior ?: text->jump : text->old, text->len);
	if (text->form == ILK_TEXT_TRAP || text->form == ILK_TEXT_LENT)
		bytes[0] = INT3;
}

static int verify(const struct ilk_text *text)
{
	u8 want[ILK_FOOTPRINT_MAX], have[ILK_FOOTPRINT_MAX];

	ilk_text_current(text, want);
	if (ilk_text_read(text->addr, have, text->len))
		return -EFAULT;
	return memcmp(want, have, text->len) ? -EILSEQ : 0;
}

/* Read back what a finished step wrote; a mismatch poisons the driver. */
static void check_written(struct list_head *batch)
{
	struct ilk_text *text;

	ilk_each(text, batch, node) {
		if (text->error || !verify(text))
			continue;
		text->error = -EIO;
		WRITE_ONCE(poisoned, true);
		pr_err("ilk: text at %pS did not take what was written; the driver now only restores. Reboot before using it again.\n",
		       (void *)text->addr);
	}
}

static void write_first(const struct ilk_text *text, u8 byte)
{
	ilk_poke(text->addr, &byte, 1);
}

static void write_tail(const struct ilk_text *text, const u8 *bytes)
{
	ilk_poke(text->addr + 1, bytes + 1, text->len - 1);
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
		write_first(text, now[0]);
	}
	ilk_text_sync();
}

/*
 * May it be written? Its bytes are ours only while no kprobe is registered on them: one
 * that is not armed has remembered them, and writes them when it is disarmed.
 */
static int look(const struct ilk_text *text)
{
	return ilk_kernel_kprobe_in(text->addr, text->len) ? -EBUSY : verify(text);
}

/* Lock and look at all of it. Return: the first that stands in the way. */
static struct ilk_text *open_batch(struct list_head *batch)
{
	struct ilk_text *text, *obstacle = NULL;

	ilk_kernel_text_lock();
	ilk_each(text, batch, node) {
		text->error = look(text);
		if (text->error && !obstacle)
			obstacle = text;
	}
	return obstacle;
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
 * ilk_text_trap() - steps 1 and 2, for all of @batch or for none
 * @batch: of struct ilk_text, each ILK_TEXT_OLD; published to the trap handler
 * @obstacle: set to the footprint that stood in the way
 *
 * Context: Process context, may sleep. Caller holds ilk_mutex.
 * Return: 0; -EILSEQ text differs; -EBUSY a kprobe owns a byte; -EFAULT it is gone;
 *	-EIO poisoned.
 */
int ilk_text_trap(struct list_head *batch, struct ilk_text **obstacle)
{
	struct ilk_text *text;
	int ret = 0;

	lockdep_assert_held(&ilk_mutex);
	*obstacle = open_batch(batch);
	if (*obstacle) {
		ret = (*obstacle)->error;
		goto out_unlock;
	}
	ilk_each(text, batch, node) {
		write_first(text, INT3);
		text->form = ILK_TEXT_TRAP;
	}
	ilk_text_sync();
	write_again(batch);
	check_written(batch);
	ret = first_failure(batch, obstacle);
out_unlock:
	ilk_kernel_text_unlock();
	return ret;
}

/**
 * ilk_text_splice() - steps 3 to 5
 * @batch: each ILK_TEXT_TRAP, a grace period after ilk_text_trap(). One whose
 *	bytes differ by now gets its @error set and stays as it is.
 */
void ilk_text_splice(struct list_head *batch)
{
	struct ilk_text *text;

	lockdep_assert_held(&ilk_mutex);
	open_batch(batch);
	ilk_each(text, batch, node)
		if (!text->error)
			write_tail(text, text->jump);
	ilk_text_sync();
	ilk_each(text, batch, node) {
		if (text->error)
			continue;
		write_first(text, text->jump[0]);
		text->form = ILK_TEXT_JUMP;
	}
	ilk_text_sync();
	check_written(batch);
	ilk_kernel_text_unlock();
}

static bool has_jump(const struct ilk_text *text)
{
	return text->form == ILK_TEXT_JUMP || text->form == ILK_TEXT_LENT;
}

/**
 * ilk_text_restore() - steps 6 to 9
 * @batch: in any form. One whose bytes are not ours any more gets its @error
 *	set and stays as it is: somebody patched over us and will want them back.
 */
void ilk_text_restore(struct list_head *batch)
{
	struct ilk_text *text;
	bool jumps = false;

	lockdep_assert_held(&ilk_mutex);
	open_batch(batch);
	ilk_each(text, batch, node) {
		if (text->error || !has_jump(text))
			continue;
		write_first(text, INT3);
		jumps = true;
	}
	if (jumps) {
		ilk_text_sync();
		ilk_each(text, batch, node)
			if (!text->error && has_jump(text))
				write_tail(text, text->old);
		ilk_text_sync();
	}
	ilk_each(text, batch, node) {
		if (text->error)
			continue;
		write_first(text, text->old[0]);
		text->form = ILK_TEXT_OLD;
	}
	ilk_text_sync();
	write_again(batch);
	check_written(batch);
	ilk_kernel_text_unlock();
}

/**
 * ilk_text_lend() - trap again what was spliced, for the sake of its filler
 * @batch: each ILK_TEXT_JUMP. One whose bytes are not ours any more gets its @error
 *	set and stays as it is.
 */
void ilk_text_lend(struct list_head *batch)
{
	struct ilk_text *text;

	lockdep_assert_held(&ilk_mutex);
	open_batch(batch);
	ilk_each(text, batch, node) {
		if (text->error)
			continue;
		write_first(text, INT3);
		text->form = ILK_TEXT_LENT;
	}
	ilk_text_sync();
	write_again(batch);
	check_written(batch);
	ilk_kernel_text_unlock();
}

/**
 * ilk_text_lay() - write jumps over bytes that nothing runs, all of @batch or none
 * @batch: each ILK_TEXT_OLD
 * @obstacle: set to the one that stood in the way
 *
 * Context: Process context, may sleep. Caller holds ilk_mutex.
 * Return: as ilk_text_trap().
 */
int ilk_text_lay(struct list_head *batch, struct ilk_text **obstacle)
{
	struct ilk_text *text;
	int ret = 0;

	lockdep_assert_held(&ilk_mutex);
	*obstacle = open_batch(batch);
	if (*obstacle) {
		ret = (*obstacle)->error;
		goto out_unlock;
	}
	ilk_each(text, batch, node) {
		ilk_poke(text->addr, text->jump, text->len);
		text->form = ILK_TEXT_JUMP;
	}
	ilk_text_sync();
	check_written(batch);
	ret = first_failure(batch, obstacle);
out_unlock:
	ilk_kernel_text_unlock();
	return ret;
}

/**
 * ilk_text_lift() - take such jumps away again
 * @batch: each ILK_TEXT_JUMP, led to by nothing and stood on by nobody. One whose
 *	bytes are not ours any more gets its @error set and stays as it is.
 */
void ilk_text_lift(struct list_head *batch)
{
	struct ilk_text *text;

	lockdep_assert_held(&ilk_mutex);
	open_batch(batch);
	ilk_each(text, batch, node) {
		if (text->error)
			continue;
		ilk_poke(text->addr, text->old, text->len);
		text->form = ILK_TEXT_OLD;
	}
	ilk_text_sync();
	check_written(batch);
	ilk_kernel_text_unlock();
}

/* Are the bytes there still those we wrote last? */
bool ilk_text_is_ours(const struct ilk_text *text)
{
	return !verify(text);
}

static void write_switched(struct list_head *batch)
{
	struct ilk_text *text;

	ilk_each(text, batch, node)
		if (text->prior)
			write_first(text, INT3);
	ilk_text_sync();
	ilk_each(text, batch, node)
		if (text->prior)
			write_tail(text, text->jump);
	ilk_text_sync();
	ilk_each(text, batch, node) {
		if (!text->prior)
			continue;
		write_first(text, text->jump[0]);
		text->prior = NULL;
	}
	ilk_text_sync();
	write_again(batch);
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
 * Return: as ilk_text_trap(); but with -EIO all has been written.
 */
int ilk_text_switch(struct list_head *batch, void (*redirect)(struct list_head *patches),
		    struct list_head *patches, struct ilk_text **obstacle)
{
	int ret = 0;

	lockdep_assert_held(&ilk_mutex);
	*obstacle = open_batch(batch);
	if (*obstacle) {
		ret = (*obstacle)->error;
		goto out_unlock;
	}
	redirect(patches);
	write_switched(batch);
	check_written(batch);
	ret = first_failure(batch, obstacle);
out_unlock:
	ilk_kernel_text_unlock();
	return ret;
}

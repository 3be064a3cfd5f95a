// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-text.c - the only writer of kernel text
 *
 * Text is written through a writable, non-executable alias of its pages, one mapping
 * that lives for one batch. A batch is verified and written under the kernel's own
 * text_mutex, so that nobody else patches in between, and costs a constant
 * number of IPIs whatever its size. Whoever waits for the CPU gets it between any
 * two writes: a half written batch works. The protocol, int3 first:
 *
 *   ilk_text_trap	1. every old byte is compared; one mismatch: nothing is written
 *			2. int3 on each first byte          sync
 *   (grace period: until then a thread may stand between the footprint's instructions)
 *   ilk_text_splice	3. compare with what 2 left
 *			4. tails of the jumps               sync
 *			5. first bytes of the jumps         sync
 *   ilk_text_restore	6. compare with what 2 or 5 left; what differs is left alone
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
#include <linux/mm.h>
#include <linux/smp.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>
#include <linux/xarray.h>
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

static struct page *page_of_text(unsigned long addr)
{
	if (addr >= MODULES_VADDR && addr < MODULES_END)
		return vmalloc_to_page((void *)addr);
	return pfn_to_page(__pa_symbol(addr) >> PAGE_SHIFT);
}

/*
 * The alias of one batch: all its pages, each once, in one mapping and in the order
 * of their addresses, so that a footprint may cross from one into the next.
 */
static DEFINE_XARRAY(alias_pages);	/* by address >> PAGE_SHIFT: the page, then its place */
static void *alias_base;

static unsigned long page_key(unsigned long addr)
{
	return addr >> PAGE_SHIFT;
}

/* Return: 1 if the page was not there yet, 0 if it was. */
static int alias_page(unsigned long addr)
{
	struct page *page;

	if (xa_load(&alias_pages, page_key(addr)))
		return 0;
	page = page_of_text(addr);
	if (!page)
		return -EFAULT;
	return xa_err(xa_store(&alias_pages, page_key(addr), page, GFP_KERNEL)) ?: 1;
}

static int alias_text(const struct ilk_text *text, unsigned int *count)
{
	int first = alias_page(text->addr), last;

	if (first < 0)
		return first;
	last = alias_page(text->addr + text->len - 1);
	*count += first + max(last, 0);
	return min(last, 0);
}

static int map_pages(unsigned int count)
{
	struct page **pages;
	unsigned long key, n = 0;
	void *page;
	int ret = 0;

	pages = kvmalloc_array(count, sizeof(*pages), GFP_KERNEL);
	if (!pages)
		return -ENOMEM;
	xa_for_each(&alias_pages, key, page) {
		pages[n] = page;
		/* The place is there already: this takes no memory. */
		ret = ret ?: xa_err(xa_store(&alias_pages, key, xa_mk_value(n), GFP_KERNEL));
		n++;
		cond_resched();
	}
	if (!ret)
		alias_base = vmap(pages, n, VM_MAP, PAGE_KERNEL);
	kvfree(pages);
	return ret ?: (alias_base ? 0 : -ENOMEM);
}

static void map_batch(struct list_head *batch)
{
	unsigned int count = 0;
	struct ilk_text *text;
	unsigned long place;
	int ret = 0;

	ilk_each(text, batch, node)
		text->error = alias_text(text, &count);
	if (count)
		ret = map_pages(count);
	ilk_each(text, batch, node) {
		text->error = text->error ?: ret;
		if (text->error)
			continue;
		place = xa_to_value(xa_load(&alias_pages, page_key(text->addr)));
		text->alias = (u8 *)alias_base + place * PAGE_SIZE + offset_in_page(text->addr);
	}
}

static void unmap_batch(struct list_head *batch)
{
	struct ilk_text *text;

	ilk_each(text, batch, node)
		text->alias = NULL;
	vunmap(alias_base);
	alias_base = NULL;
	xa_destroy(&alias_pages);
}

static void lock_text(void)
{
	cpus_read_lock();
	mutex_lock(ilk_kernel_text_mutex());
}

static void unlock_text(void)
{
	mutex_unlock(ilk_kernel_text_mutex());
	cpus_read_unlock();
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

static void write_first(struct ilk_text *text, u8 byte)
{
	WRITE_ONCE(text->alias[0], byte);
}

static void write_tail(struct ilk_text *text, const u8 *bytes)
{
	memcpy(text->alias + 1, bytes + 1, text->len - 1);
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

/* Map and compare all of it. Return: the first that stands in the way. */
static struct ilk_text *open_batch(struct list_head *batch)
{
	struct ilk_text *text, *obstacle = NULL;

	map_batch(batch);
	lock_text();
	ilk_each(text, batch, node) {
		if (!text->error)
			text->error = verify(text);
		if (text->error && !obstacle)
			obstacle = text;
	}
	return obstacle;
}

static void close_batch(struct list_head *batch)
{
	unlock_text();
	unmap_batch(batch);
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
 * Return: 0; -EILSEQ text differs; -EFAULT, -ENOMEM; -EIO poisoned.
 */
int ilk_text_trap(struct list_head *batch, struct ilk_text **obstacle)
{
	struct ilk_text *text;
	int ret = 0;

	lockdep_assert_held(&ilk_mutex);
	*obstacle = open_batch(batch);
	if (*obstacle) {
		ret = (*obstacle)->error;
		goto out_close;
	}
	ilk_each(text, batch, node) {
		write_first(text, INT3);
		text->form = ILK_TEXT_TRAP;
	}
	ilk_text_sync();
	write_again(batch);
	check_written(batch);
	ret = first_failure(batch, obstacle);
out_close:
	close_batch(batch);
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
	close_batch(batch);
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
	close_batch(batch);
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
	close_batch(batch);
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
		goto out_close;
	}
	ilk_each(text, batch, node) {
		memcpy(text->alias, text->jump, text->len);
		text->form = ILK_TEXT_JUMP;
	}
	ilk_text_sync();
	check_written(batch);
	ret = first_failure(batch, obstacle);
out_close:
	close_batch(batch);
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
		memcpy(text->alias, text->old, text->len);
		text->form = ILK_TEXT_OLD;
	}
	ilk_text_sync();
	check_written(batch);
	close_batch(batch);
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
		goto out_close;
	}
	redirect(patches);
	write_switched(batch);
	check_written(batch);
	ret = first_failure(batch, obstacle);
out_close:
	close_batch(batch);
	return ret;
}

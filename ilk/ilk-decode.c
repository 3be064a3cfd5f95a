// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-decode.c - finds where the instructions of a function start
 *
 * A client claims that certain bytes are whole instructions; if the client is wrong, a jump would
 * overwrite half of an instruction. So each footprint is compared with the instructions that
 * the kernel's own decoder finds in a walk from the symbol's start. The walk reads the bytes
 * that were there before any probe: kprobes saves the bytes that it replaces, and so do our own
 * patches.
 *
 * The walk of one function is cached until another function is checked, as a
 * PREPARE often has many hooks in one function.
 */
#include <linux/bitmap.h>
#include <linux/string.h>
#include <asm/insn.h>

#include "ilk-check.h"
#include "ilk-driver.h"
#include "ilk-kernel.h"
#include "ilk-text.h"
#include "ilk.h"

#define WALKED_MAX	65536u	/* size in bytes of the window in which the walk marks the first
				 * byte of each instruction */
#define PADDING_MAX	64	/* maximum number of bytes of padding searched backwards */
#define JUMP_TAIL	4	/* size of a jump without its first byte */
#define PREFIX_DS	0x3e	/* the kernel writes this prefix over lock prefixes while only one
				 * CPU is online */

static struct {
	unsigned long start;	/* 0: none */
	u32 base;		/* offset of the window in the function */
	u32 done;		/* number of bytes decoded so far */
	DECLARE_BITMAP(begins, WALKED_MAX);	/* bit n: an instruction starts at offset @base +
						 * n */
} walk;

/* Drops the cached walk of a function, because another module may now be at its addresses. */
void ilk_decode_reset(void)
{
	walk.start = 0;
}

/*
 * Returns whether the bytes from @window + JUMP_TAIL on may have been changed.
 * Kprobes and our patches start a change with an int3 or a jump, and fill the
 * bytes after a jump with int3: so the bytes are original if neither is found from @window on.
 * This test is much faster than a search for a kprobe or patch.
 */
static bool may_be_changed(const u8 *window)
{
	u32 i;

	for (i = 0; i <= JUMP_TAIL; i++)
		if (window[i] == INT3 || window[i] == JMP32 || window[i] == JMP8)
			return true;
	return false;
}

/**
 * ilk_decode() - decode the instruction that was at @addr before any probe
 * @addr: address in text
 * @insn: filled in; contains no pointer to the bytes once this returns
 *
 * Context: Process context. Caller holds ilk_mutex, or no patch of ours is at @addr.
 * Return: size of the instruction; 0: the bytes are not a valid instruction.
 */
u32 ilk_decode(unsigned long addr, struct insn *insn)
{
	u8 window[JUMP_TAIL + MAX_INSN_SIZE], *bytes = window + JUMP_TAIL;

	if (ilk_text_read(addr - JUMP_TAIL, window, sizeof(window)) || may_be_changed(window)) {
		if (ilk_text_read(addr, bytes, MAX_INSN_SIZE))
			return 0;
		if (ilk_kernel_kprobe_in(addr, 1) && !ilk_kernel_copy_unprobed(addr, bytes))
			return 0;
		ilk_text_original(addr, bytes, MAX_INSN_SIZE);
	}
	return ilk_kernel_decode(insn, bytes, MAX_INSN_SIZE) ? 0 : insn->length;
}

static void mark_insn_start(u32 offset)
{
	if (offset - walk.base >= WALKED_MAX) {
		bitmap_shift_right(walk.begins, walk.begins, WALKED_MAX / 2, WALKED_MAX);
		walk.base += WALKED_MAX / 2;
	}
	set_bit(offset - walk.base, walk.begins);
}

static bool is_insn_start(unsigned long addr)
{
	u32 offset = addr - walk.start - walk.base;

	return offset < WALKED_MAX && test_bit(offset, walk.begins);
}

/* Decodes the function up to offset @end; returns false at bytes that cannot be decoded. */
static bool decode_until(u32 end)
{
	struct insn insn;
	u32 length;

	for (; walk.done < end; walk.done += length, cond_resched()) {
		length = ilk_decode(walk.start + walk.done, &insn);
		if (!length)
			return false;
		mark_insn_start(walk.done);
	}
	return true;
}

/*
 * Starts to decode at the function's start, unless the last walk was in the same function
 * and its window still covers the bytes before @site.
 */
static void start_walk(unsigned long start, unsigned long site)
{
	if (walk.start == start && (!walk.base || site - start >= walk.base + PADDING_MAX))
		return;
	bitmap_zero(walk.begins, WALKED_MAX);
	walk.start = start;
	walk.base = 0;
	walk.done = 0;
}

static bool has_insn_prefix(const struct insn *insn, u8 prefix)
{
	return memchr(insn->prefixes.bytes, prefix, insn->prefixes.nbytes);
}

static bool is_filler_insn(const struct insn *insn)
{
	u8 first = insn->opcode.bytes[0];

	return first == INT3 || (first == 0x90 && !insn->rex_prefix.nbytes) ||
	       (first == 0x0f && insn->opcode.bytes[1] == 0x1f);
}

static enum ilk_refusal check_bytes(unsigned long site, u32 len, bool filler)
{
	unsigned long start, size, at;
	struct insn insn;
	u32 length;

	if (!ilk_kernel_function(site, &start, &size))
		return ILK_REFUSAL_NOT_BOUNDARY;
	start_walk(start, site);
	if (!decode_until(site + len - start))
		return ILK_REFUSAL_NOT_BOUNDARY;
	/*
	 * Padding consists of filler instructions, and is never executed. So the bytes may start in
	 * the middle of a filler instruction.
	 */
	at = site;
	while (filler && at > start && site - at < PADDING_MAX && !is_insn_start(at))
		at--;
	if (!is_insn_start(at))
		return ILK_REFUSAL_NOT_BOUNDARY;
	for (; at < site + len; at += length) {
		length = ilk_decode(at, &insn);
		if (!length || (filler && !is_filler_insn(&insn)))
			return ILK_REFUSAL_NOT_BOUNDARY;
		if (has_insn_prefix(&insn, PREFIX_DS))
			return ILK_REFUSAL_SMP_LOCK;
	}
	return filler || at == site + len ? ILK_REFUSAL_NONE : ILK_REFUSAL_NOT_BOUNDARY;
}

/**
 * ilk_decode_check() - check that these bytes are whole, movable instructions
 * @site: first byte
 * @len: number of bytes
 * @filler: the bytes must be padding, which may be split anywhere
 *
 * The kernel may be about to change the bytes, and have an int3 there for a
 * moment: so bytes that do not fit are checked again under the kernel's lock.
 *
 * Context: Process context, may sleep. Caller holds ilk_mutex.
 */
enum ilk_refusal ilk_decode_check(unsigned long site, u32 len, bool filler)
{
	enum ilk_refusal refusal;

	lockdep_assert_held(&ilk_mutex);
	refusal = check_bytes(site, len, filler);
	if (!refusal)
		return refusal;
	ilk_decode_reset();
	ilk_kernel_text_lock();
	refusal = check_bytes(site, len, filler);
	ilk_kernel_text_unlock();
	return refusal;
}

/**
 * ilk_decode_check_function() - check whether a function can be copied
 *
 * A function with a patched-out lock prefix cannot be copied: the kernel writes
 * the prefix back when a second CPU comes online, but not in the copy.
 * Context: Process context, may sleep. Caller holds ilk_mutex.
 */
enum ilk_refusal ilk_decode_check_function(unsigned long site)
{
	unsigned long start, size, at;
	struct insn insn;
	u32 length;

	lockdep_assert_held(&ilk_mutex);
	if (!ilk_kernel_function(site, &start, &size))
		return ILK_REFUSAL_NOT_BOUNDARY;
	for (at = start; at < start + size; at += length, cond_resched()) {
		length = ilk_decode(at, &insn);
		if (!length)
			return ILK_REFUSAL_NOT_BOUNDARY;
		if (has_insn_prefix(&insn, PREFIX_DS))
			return ILK_REFUSAL_SMP_LOCK;
	}
	return ILK_REFUSAL_NONE;
}

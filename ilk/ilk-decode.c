// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-decode.c - where the instructions of a function begin
 *
 * A client says which bytes are whole instructions; if it errs, a jump is written over
 * half of one. So a footprint is compared with a walk from the symbol's start, by the
 * kernel's own decoder, over the bytes as they were before anyone put a probe there:
 * kprobes knows what it replaced, and of ours the old bytes are kept.
 *
 * What was found of one function is kept until the next one is asked about, for a
 * PREPARE has many hooks of a function in a row.
 */
#include <linux/bitmap.h>
#include <linux/string.h>
#include <asm/insn.h>

#include "ilk-internal.h"

#define WALKED_MAX	65536u	/* bytes behind each other whose begins are remembered */
#define PADDING_MAX	64	/* bytes that are looked at backwards */
#define JUMP_TAIL	4	/* bytes of a jump behind its first */
#define PREFIX_DS	0x3e	/* a lock prefix that was patched out: the kernel runs on one CPU */

static struct {
	unsigned long start;	/* 0: of none */
	u32 base;		/* bytes that were walked and are forgotten */
	u32 done;		/* bytes that have been walked */
	DECLARE_BITMAP(begins, WALKED_MAX);	/* from base on */
} walk;

/* Nothing is kept any longer: a module may have left, and another one come in its place. */
void ilk_decode_forget(void)
{
	walk.start = 0;
}

/*
 * Kprobes and we put an int3 or a jump where a change begins, and fill what is behind a jump
 * with int3: so bytes from JUMP_TAIL behind @window on are the original ones if there is
 * neither from its begin on. That is found much sooner than who changed what.
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
 * ilk_decode() - the instruction at @addr, as it was before anyone probed it
 * @insn: points to no bytes after the call
 * Context: Process context. Caller holds ilk_mutex, or no patch of ours is there.
 * Return: its length; 0: there is none.
 */
u32 ilk_decode(unsigned long addr, struct insn *insn)
{
	u8 window[JUMP_TAIL + MAX_INSN_SIZE], *bytes = window + JUMP_TAIL;

	if (ilk_text_read(addr - JUMP_TAIL, window, sizeof(window)) || may_be_changed(window)) {
		if (ilk_text_read(addr, bytes, MAX_INSN_SIZE))
			return 0;
		if (ilk_kernel_kprobe_in(addr, 1) && !ilk_kernel_unprobed(addr, bytes))
			return 0;
		ilk_text_original(addr, bytes, MAX_INSN_SIZE);
	}
	return ilk_kernel_decode(insn, bytes, MAX_INSN_SIZE) ? 0 : insn->length;
}

static void note_begin(u32 offset)
{
	if (offset - walk.base >= WALKED_MAX) {
		bitmap_shift_right(walk.begins, walk.begins, WALKED_MAX / 2, WALKED_MAX);
		walk.base += WALKED_MAX / 2;
	}
	set_bit(offset - walk.base, walk.begins);
}

static bool is_begin(unsigned long addr)
{
	u32 offset = addr - walk.start - walk.base;

	return offset < WALKED_MAX && test_bit(offset, walk.begins);
}

/* Walk on until @end; false if an instruction there cannot be told. */
static bool walk_to(u32 end)
{
	struct insn insn;
	u32 length;

	for (; walk.done < end; walk.done += length, cond_resched()) {
		length = ilk_decode(walk.start + walk.done, &insn);
		if (!length)
			return false;
		note_begin(walk.done);
	}
	return true;
}

/* From the function's start, unless a walk of it has come near @site and remembers that. */
static void begin_walk(unsigned long start, unsigned long site)
{
	if (walk.start == start && (!walk.base || site - start >= walk.base + PADDING_MAX))
		return;
	bitmap_zero(walk.begins, WALKED_MAX);
	walk.start = start;
	walk.base = 0;
	walk.done = 0;
}

static bool has_prefix(const struct insn *insn, u8 prefix)
{
	return memchr(insn->prefixes.bytes, prefix, insn->prefixes.nbytes);
}

static bool is_filler(const struct insn *insn)
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
	begin_walk(start, site);
	if (!walk_to(site + len - start))
		return ILK_REFUSAL_NOT_BOUNDARY;
	/* Padding is a run of fillers: any of their bytes will do, as nobody runs them. */
	at = site;
	while (filler && at > start && site - at < PADDING_MAX && !is_begin(at))
		at--;
	if (!is_begin(at))
		return ILK_REFUSAL_NOT_BOUNDARY;
	for (; at < site + len; at += length) {
		length = ilk_decode(at, &insn);
		if (!length || (filler && !is_filler(&insn)))
			return ILK_REFUSAL_NOT_BOUNDARY;
		if (has_prefix(&insn, PREFIX_DS))
			return ILK_REFUSAL_SMP_LOCK;
	}
	return filler || at == site + len ? ILK_REFUSAL_NONE : ILK_REFUSAL_NOT_BOUNDARY;
}

/**
 * ilk_decode_check() - are these bytes whole instructions that may be moved?
 * @filler: padding is wanted, whole or not
 *
 * The kernel may be about to change them, and have an int3 there for a moment: so what
 * does not fit is looked at again when it cannot be.
 * Context: Process context, may sleep. Caller holds ilk_mutex.
 */
enum ilk_refusal ilk_decode_check(unsigned long site, u32 len, bool filler)
{
	enum ilk_refusal refusal;

	lockdep_assert_held(&ilk_mutex);
	refusal = check_bytes(site, len, filler);
	if (!refusal)
		return refusal;
	ilk_decode_forget();
	ilk_kernel_text_lock();
	refusal = check_bytes(site, len, filler);
	ilk_kernel_text_unlock();
	return refusal;
}

/**
 * ilk_decode_check_function() - may the function around @site be copied?
 * Not with a lock prefix that was patched out: the kernel writes it back when a second
 * CPU comes up, and knows nothing of the copy.
 * Context: as above.
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
		if (has_prefix(&insn, PREFIX_DS))
			return ILK_REFUSAL_SMP_LOCK;
	}
	return ILK_REFUSAL_NONE;
}

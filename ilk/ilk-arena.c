// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-arena.c - executable memory for patches
 *
 * The arena is a section of our own text: mapped executable by the module
 * loader, within rel32 of all kernel and module text, and named .kprobes.text so
 * that kprobes keep out. It must be PROGBITS; unused bytes are int3.
 *
 * It is handed out in granules and written through a writable alias that exists
 * only while a batch is written. A slot is never given back before a grace
 * period after its last use (ilk-grace.c).
 */
#include <linux/bitmap.h>
#include <linux/module.h>
#include <linux/objtool.h>
#include <linux/vmalloc.h>
#include <linux/slab.h>
#include <linux/stringify.h>

#include "ilk-internal.h"
#include "ilk-compat.h"

#define GRANULES	(ILK_ARENA_BYTES / ILK_GRANULE)
#define INT3		0xcc

/* Not typed as a function: objtool would take a body of int3 for one that never returns. */
asm(".pushsection .kprobes.text, \"ax\", @progbits\n\t"
    ".balign 64\n"
    "ilk_arena_section:\n\t"
    ANNOTATE_NOENDBR
    ".fill " __stringify(ILK_ARENA_BYTES) ", 1, " __stringify(INT3) "\n\t"
    ".popsection\n");

extern u8 ilk_arena_section[];

static DECLARE_BITMAP(used, GRANULES);
static u32 granules_used;
static u32 next_granule;
static void *alias_base;
static u8 *alias;

unsigned long ilk_arena_base(void)
{
	unsigned long base = (unsigned long)ilk_arena_section;

	OPTIMIZER_HIDE_VAR(base);
	return base;
}

size_t ilk_arena_free(void)
{
	return (size_t)(GRANULES - granules_used) * ILK_GRANULE;
}

unsigned long ilk_slot_address(const struct ilk_slot *slot)
{
	return ilk_arena_base() + (unsigned long)slot->granule * ILK_GRANULE;
}

u32 ilk_slot_bytes(const struct ilk_slot *slot)
{
	return slot->granules * ILK_GRANULE;
}

/**
 * ilk_slot_alloc() - next-fit, so that a freed slot rests as long as possible
 * Context: Caller holds ilk_mutex.
 */
int ilk_slot_alloc(struct ilk_slot *slot, u32 bytes)
{
	u32 n = DIV_ROUND_UP(bytes, ILK_GRANULE);
	unsigned long at;

	at = bitmap_find_next_zero_area(used, GRANULES, next_granule, n, 0);
	if (at >= GRANULES)
		at = bitmap_find_next_zero_area(used, GRANULES, 0, n, 0);
	if (at >= GRANULES)
		return -ENOSPC;
	bitmap_set(used, at, n);
	granules_used += n;
	next_granule = at + n;
	slot->granule = at;
	slot->granules = n;
	return 0;
}

void ilk_slot_free(struct ilk_slot *slot)
{
	bitmap_clear(used, slot->granule, slot->granules);
	granules_used -= slot->granules;
	slot->granules = 0;
}

/**
 * ilk_arena_open() - map the arena writable; ilk_arena_close() ends it
 * Context: Process context, may sleep. Caller holds ilk_mutex.
 */
int ilk_arena_open(void)
{
	unsigned long base = ilk_arena_base();
	unsigned int n = (offset_in_page(base) + ILK_ARENA_BYTES + PAGE_SIZE - 1) >> PAGE_SHIFT;
	struct page **pages;
	unsigned int i;

	pages = kmalloc_array(n, sizeof(*pages), GFP_KERNEL);
	if (!pages)
		return -ENOMEM;
	for (i = 0; i < n; i++)
		pages[i] = vmalloc_to_page((void *)((base & PAGE_MASK) + i * PAGE_SIZE));
	alias_base = vmap(pages, n, VM_MAP, PAGE_KERNEL);
	kfree(pages);
	if (!alias_base)
		return -ENOMEM;
	alias = (u8 *)alias_base + offset_in_page(base);
	return 0;
}

void ilk_arena_close(void)
{
	vunmap(alias_base);
	alias_base = NULL;
	alias = NULL;
}

/**
 * ilk_slot_fill() - write code, int3 behind it
 * Context: Between ilk_arena_open() and ilk_arena_close(). The caller syncs all
 * cores before anything can reach the slot.
 */
void ilk_slot_fill(const struct ilk_slot *slot, const u8 *code, u32 len)
{
	u8 *at = alias + (size_t)slot->granule * ILK_GRANULE;

	memcpy(at, code, len);
	memset(at + len, INT3, ilk_slot_bytes(slot) - len);
}

/**
 * ilk_arena_thunk() - ENDBR and a direct jump to @target
 * Return: its address, callable through a pointer; 0 if there is no room.
 */
unsigned long ilk_arena_thunk(unsigned long target)
{
	u8 code[9] = { 0xf3, 0x0f, 0x1e, 0xfa, 0xe9 };
	struct orc_entry entry = {
		.sp_offset = 8,
		.sp_reg = ORC_REG_SP,
		.bp_reg = ORC_REG_UNDEFINED,	/* as it was */
		.type = ILK_ORC_TYPE_CALL,
	};
	struct ilk_orc orc = { .offset = 0 };
	struct ilk_slot slot;
	unsigned long at = 0;
	s32 rel;

	mutex_lock(&ilk_mutex);
	if (ilk_slot_alloc(&slot, sizeof(code)))
		goto out_unlock;
	if (ilk_arena_open()) {
		ilk_slot_free(&slot);
		goto out_unlock;
	}
	at = ilk_slot_address(&slot);
	rel = (s32)(target - (at + sizeof(code)));
	memcpy(code + 5, &rel, sizeof(rel));
	memcpy(orc.entry, &entry, sizeof(entry));
	ilk_orc_fill(&slot, &orc, 1);
	ilk_slot_fill(&slot, code, sizeof(code));
	ilk_arena_close();
	ilk_text_sync();
out_unlock:
	mutex_unlock(&ilk_mutex);
	return at;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-arena.c - executable memory for patches
 *
 * The arena is a section of our own text: mapped executable by the module
 * loader, within rel32 of all kernel and module text, and named .kprobes.text so
 * that kprobes keep out. It must be PROGBITS. In the file it is nops of 8 bytes,
 * for objtool keeps a record of each instruction; once loaded, unused bytes are int3.
 *
 * It is handed out in granules and written through a writable alias of the pages
 * at hand, which exists only while a batch is written. A slot is never given back
 * before a grace period after its last use (ilk-grace.c), nor while a task may
 * return into it (ilk-retire.c). Its last byte is never code: the tables of unwind
 * and exception entries rely on that, and a return address behind a slot's last
 * call still lies in the slot.
 */
#include <linux/bitmap.h>
#include <linux/module.h>
#include <linux/objtool.h>
#include <linux/vmalloc.h>
#include <linux/slab.h>
#include <linux/stringify.h>

#include "ilk-internal.h"
#include "ilk-compat.h"

#define GRANULES	ILK_ARENA_GRANULES
#define INT3		0xcc
#define PAGES		(ILK_ARENA_BYTES / PAGE_SIZE + 1)	/* it may begin within one */

/* Not typed as a function, which would have to end in a return. */
asm(".pushsection .kprobes.text, \"ax\", @progbits\n\t"
    ".balign 64\n"
    "ilk_arena_section:\n\t"
    ANNOTATE_NOENDBR
    ".fill " __stringify(ILK_ARENA_BYTES) " / 8, 8, 0x841f0f\n\t"	/* nopl 0(%rax,%rax,1) */
    ".popsection\n");

extern u8 ilk_arena_section[];

static DECLARE_BITMAP(used, GRANULES);
static u32 granules_used;
static u32 next_granule;

/* The alias: wanted pages in a row, and for each of them which one it is there. */
static DECLARE_BITMAP(wanted, PAGES);
static u16 place[PAGES];
static void *alias;

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
 * @bytes: of code; the slot is larger by a byte at least
 * Context: Caller holds ilk_mutex.
 */
int ilk_slot_alloc(struct ilk_slot *slot, u32 bytes)
{
	u32 n = bytes / ILK_GRANULE + 1;
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

/* Context: Caller holds ilk_mutex; no thread is in the slot. */
void ilk_slot_free(struct ilk_slot *slot)
{
	ilk_orc_clear(slot);
	ilk_extable_clear(slot);
	bitmap_clear(used, slot->granule, slot->granules);
	granules_used -= slot->granules;
	slot->granules = 0;
}

static u32 page_of(const struct ilk_slot *slot, u32 *in_page)
{
	unsigned long at = offset_in_page(ilk_arena_base()) +
			   (unsigned long)slot->granule * ILK_GRANULE;

	*in_page = offset_in_page(at);
	return at >> PAGE_SHIFT;
}

/* Have ilk_arena_open() map this slot too. */
void ilk_arena_want(const struct ilk_slot *slot)
{
	u32 in_page, first = page_of(slot, &in_page);

	lockdep_assert_held(&ilk_mutex);
	bitmap_set(wanted, first, (in_page + ilk_slot_bytes(slot) - 1) / PAGE_SIZE + 1);
}

/**
 * ilk_arena_open() - map the wanted slots writable; ilk_arena_close() ends it
 * Context: Process context, may sleep. Caller holds ilk_mutex.
 */
int ilk_arena_open(void)
{
	unsigned long base = ilk_arena_base() & PAGE_MASK;
	u32 i, n = 0, count = bitmap_weight(wanted, PAGES);
	struct page **pages;

	pages = kvmalloc_array(count, sizeof(*pages), GFP_KERNEL);
	if (pages) {
		for_each_set_bit(i, wanted, PAGES) {
			place[i] = n;
			pages[n++] = vmalloc_to_page((void *)(base + i * PAGE_SIZE));
		}
		alias = vmap(pages, n, VM_MAP, PAGE_KERNEL);
	}
	kvfree(pages);
	if (alias)
		return 0;
	bitmap_zero(wanted, PAGES);
	return -ENOMEM;
}

void ilk_arena_close(void)
{
	vunmap(alias);
	alias = NULL;
	bitmap_zero(wanted, PAGES);
}

/**
 * ilk_slot_fill() - write code, int3 behind it
 * Context: Between ilk_arena_open() and ilk_arena_close(), once wanted. The caller
 * syncs all cores before anything can reach the slot.
 */
void ilk_slot_fill(const struct ilk_slot *slot, const u8 *code, u32 len)
{
	u32 in_page, first = page_of(slot, &in_page);
	u8 *at = (u8 *)alias + place[first] * PAGE_SIZE + in_page;

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
	ilk_arena_want(&slot);
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

#define INIT_GRANULES	4096u	/* mapped at a time */

/**
 * ilk_arena_init() - int3 throughout
 * Context: module init, after the tables; nothing runs in the arena yet.
 */
int ilk_arena_init(void)
{
	struct ilk_slot slot = { .granules = INIT_GRANULES };
	int ret = 0;

	BUILD_BUG_ON(GRANULES % INIT_GRANULES);
	mutex_lock(&ilk_mutex);
	for (; slot.granule < GRANULES && !ret; slot.granule += INIT_GRANULES) {
		ilk_arena_want(&slot);
		ret = ilk_arena_open();
		if (ret)
			break;
		ilk_slot_fill(&slot, NULL, 0);
		ilk_arena_close();
		cond_resched();
	}
	mutex_unlock(&ilk_mutex);
	ilk_text_sync();
	return ret;
}

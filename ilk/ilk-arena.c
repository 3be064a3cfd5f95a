// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-arena.c - executable memory for patches
 *
 * The arena is a section of our own text: mapped executable by the module
 * loader, within rel32 of all kernel and module text, and named .kprobes.text so
 * that kprobes keep out. It must be PROGBITS. In the file it is nops of 8 bytes,
 * for objtool keeps a record of each instruction; once loaded, unused bytes are int3.
 *
 * It is handed out in granules and written by ilk-poke.c. A slot is never given back
 * before a grace period after its last use (ilk-grace.c), nor while a task may
 * return into it (ilk-retire.c). Then it is filled with int3: who comes there by
 * mistake meets a trap, not what somebody else ran once. A slot's last byte is never
 * code: the tables of unwind and exception entries rely on that, and a return address
 * behind its last call still lies in the slot.
 */
#include <linux/bitmap.h>
#include <linux/module.h>
#include <linux/objtool.h>
#include <linux/stringify.h>

#include "ilk-internal.h"
#include "ilk-compat.h"

#define GRANULES	ILK_ARENA_GRANULES

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
	slot->filled = false;
	return 0;
}

/*
 * No core is synchronised: whoever fills it next does so, before it can be reached.
 * Context: Caller holds ilk_mutex; no thread is in the slot.
 */
void ilk_slot_free(struct ilk_slot *slot)
{
	ilk_orc_clear(slot);
	ilk_extable_clear(slot);
	if (slot->filled) {
		ilk_tell_slot(slot, true);
		ilk_poke(ilk_slot_address(slot), NULL, ilk_slot_bytes(slot));
	}
	bitmap_clear(used, slot->granule, slot->granules);
	granules_used -= slot->granules;
	slot->granules = 0;
}

/**
 * ilk_slot_fill() - write code, int3 behind it
 * Context: Caller holds ilk_mutex, and syncs all cores before anything can reach the slot.
 */
void ilk_slot_fill(struct ilk_slot *slot, const u8 *code, u32 len)
{
	unsigned long at = ilk_slot_address(slot);

	if (!slot->filled)
		ilk_tell_slot(slot, false);
	ilk_poke(at, code, len);
	ilk_poke(at + len, NULL, ilk_slot_bytes(slot) - len);
	slot->filled = true;
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
	at = ilk_slot_address(&slot);
	rel = (s32)(target - (at + sizeof(code)));
	memcpy(code + 5, &rel, sizeof(rel));
	memcpy(orc.entry, &entry, sizeof(entry));
	ilk_orc_fill(&slot, &orc, 1);
	ilk_slot_fill(&slot, code, sizeof(code));
	ilk_text_sync();
out_unlock:
	mutex_unlock(&ilk_mutex);
	return at;
}

/**
 * ilk_arena_init() - int3 throughout
 * Context: module init, after the tables; nothing runs in the arena yet.
 */
void ilk_arena_init(void)
{
	u32 at;

	mutex_lock(&ilk_mutex);
	for (at = 0; at < ILK_ARENA_BYTES; at += PAGE_SIZE, cond_resched())
		ilk_poke(ilk_arena_base() + at, NULL, PAGE_SIZE);
	mutex_unlock(&ilk_mutex);
	ilk_text_sync();
}

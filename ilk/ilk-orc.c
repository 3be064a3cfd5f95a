// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-orc.c - unwind information, for stack traces through patches
 *
 * The unwinder looks up an address in an arena in its module's ->arch, by
 * binary search and without a lock. We replace the module's table by our own, which has a fixed
 * size, is always sorted, and is merged from
 *
 *   entries of the module below the arena | 4 per granule | entries above it
 *
 * Only the entries of a slot that no thread is in are ever rewritten. Each entry still points
 * into that slot, so a search for any other address is not disturbed. The table is a static
 * variable of that module, because its instruction pointers are 32-bit offsets from their own
 * addresses.
 */
#include "ilk-arena.h"
#include "ilk-driver.h"
#include "ilk-slot.h"
#include "ilk.h"

static_assert(sizeof(struct orc_entry) == sizeof_field(struct ilk_orc, entry));

static void set_entry(struct ilk_arena *arena, u32 index, unsigned long ip, const void *entry)
{
	int *at = &arena->orc_ip[index];

	WRITE_ONCE(*at, (int)(ip - (unsigned long)at));
	if (entry)
		memcpy(&arena->orc[index], entry, sizeof(struct orc_entry));
	else
		memset(&arena->orc[index], 0, sizeof(struct orc_entry));
}

/*
 * Makes an ORC entry unused: it then points to the start of its granule (unit of arena memory), and
 * contains no unwind information.
 */
static void set_unused_entry(struct ilk_arena *arena, u32 granule_entry)
{
	set_entry(arena, arena->orc_first + granule_entry,
		  (unsigned long)arena->text + granule_entry / ILK_ORC_PER_GRANULE * ILK_GRANULE,
		  NULL);
}

static unsigned long get_own_ip(const struct module *mod, u32 i)
{
	return (unsigned long)&mod->arch.orc_unwind_ip[i] + mod->arch.orc_unwind_ip[i];
}

/*
 * Copies the module's own ORC entries for [from, to) to index @at of the merged table; returns the
 * index after them.
 */
static u32 merge_own_entries(struct ilk_arena *arena, u32 at, unsigned long from, unsigned long to)
{
	const struct module *mod = arena->owner;
	u32 i;

	for (i = 0; i < mod->arch.num_orcs; i++, cond_resched())
		if (get_own_ip(mod, i) >= from && get_own_ip(mod, i) < to)
			set_entry(arena, at++, get_own_ip(mod, i), &mod->arch.orc_unwind[i]);
	return at;
}

/**
 * ilk_orc_init() - make the kernel use the merged ORC table of an arena's module
 *
 * Context: Process context; before anything in the arena runs.
 * Return: 0; -E2BIG the module has too many entries of its own.
 */
int ilk_orc_init(struct ilk_arena *arena)
{
	unsigned long base = (unsigned long)arena->text;
	struct mod_arch_specific *arch = &arena->owner->arch;
	u32 entries = arena->granules * ILK_ORC_PER_GRANULE, n, i;

	if (arch->num_orcs > arena->orc_own) {
		pr_err("ilk: %s is not loaded: it has %u unwind entries, room is for %u\n",
		       arena->owner->name, arch->num_orcs, arena->orc_own);
		return -E2BIG;
	}
	arena->orc_first = merge_own_entries(arena, 0, 0, base);
	for (i = 0; i < entries; i++, cond_resched())
		set_unused_entry(arena, i);
	n = merge_own_entries(arena, arena->orc_first + entries, base + arena->granules * ILK_GRANULE,
			      ULONG_MAX);

	/*
	 * Set the pointer to the larger table first, and the count last: a search in
	 * between stays within bounds.
	 */
	WRITE_ONCE(arch->orc_unwind, arena->orc);
	smp_wmb();
	WRITE_ONCE(arch->orc_unwind_ip, arena->orc_ip);
	smp_wmb();
	WRITE_ONCE(arch->num_orcs, n);
	return 0;
}

/*
 * Makes the ORC entries of a slot unused. Must be called with ilk_mutex held, when no thread is in
 * the slot, and none can enter it.
 */
void ilk_orc_clear(const struct ilk_slot *slot)
{
	u32 first = (slot->granule - slot->arena->first) * ILK_ORC_PER_GRANULE, i;

	lockdep_assert_held(&ilk_mutex);
	for (i = 0; i < slot->granules * ILK_ORC_PER_GRANULE; i++)
		set_unused_entry(slot->arena, first + i);
}

/**
 * ilk_orc_fill() - write the ORC entries of a slot
 * @slot: slot that no thread is in
 * @orc: @count checked entries, ascending, the first at offset 0; ignored if @count is 0
 * @count: number of entries; 0: the slot gets no unwind information
 *
 * The remaining entries repeat the last one: among equal addresses the search finds the last, so
 * the repeated entries change nothing.
 *
 * Context: Caller holds ilk_mutex.
 */
void ilk_orc_fill(const struct ilk_slot *slot, const struct ilk_orc *orc, u32 count)
{
	struct ilk_arena *arena = slot->arena;
	u32 first = arena->orc_first + (slot->granule - arena->first) * ILK_ORC_PER_GRANULE;
	unsigned long base = ilk_slot_address(slot);
	u32 i, k;

	lockdep_assert_held(&ilk_mutex);
	if (!count) {
		ilk_orc_clear(slot);
		return;
	}
	for (i = 0; i < slot->granules * ILK_ORC_PER_GRANULE; i++) {
		k = min(i, count - 1);
		set_entry(arena, first + i, base + orc[k].offset, orc[k].entry);
	}
}

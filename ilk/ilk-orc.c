// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-orc.c - stack traces through patches
 *
 * The unwinder looks an address of ours up in THIS_MODULE->arch, by binary
 * search and without a lock. We swap in a table of our own, merged from
 *
 *   entries of the module below the arena | 4 per granule | those above it
 *
 * of fixed size and always sorted. Only the entries of a slot that nobody runs
 * are ever rewritten, and each keeps pointing into that slot, so a search for
 * any other address goes on undisturbed. The table is static: its instruction
 * pointers are 32-bit and relative to themselves.
 */
#include <linux/module.h>
#include <asm/orc_types.h>

#include "ilk-internal.h"

#define ARENA_ENTRIES	(ILK_ARENA_BYTES / ILK_GRANULE * ILK_ORC_PER_GRANULE)
#define OWN_MAX		16384u

static int orc_ip[ARENA_ENTRIES + OWN_MAX];
static struct orc_entry orc_entries[ARENA_ENTRIES + OWN_MAX];
static u32 arena_first;

static_assert(sizeof(struct orc_entry) == sizeof_field(struct ilk_orc, entry));

static void set_entry(u32 index, unsigned long ip, const void *entry)
{
	WRITE_ONCE(orc_ip[index], (int)(ip - (unsigned long)&orc_ip[index]));
	if (entry)
		memcpy(&orc_entries[index], entry, sizeof(struct orc_entry));
	else
		memset(&orc_entries[index], 0, sizeof(struct orc_entry));
}

/* An entry that says nothing, at the start of its granule. */
static void set_blank(u32 granule_entry)
{
	set_entry(arena_first + granule_entry,
		  ilk_arena_base() + granule_entry / ILK_ORC_PER_GRANULE * ILK_GRANULE, NULL);
}

static unsigned long own_ip(const struct module *mod, u32 i)
{
	return (unsigned long)&mod->arch.orc_unwind_ip[i] + mod->arch.orc_unwind_ip[i];
}

/* The module's entries for [from, to), appended at @at. */
static u32 merge_own(u32 at, unsigned long from, unsigned long to)
{
	const struct module *mod = THIS_MODULE;
	u32 i;

	for (i = 0; i < mod->arch.num_orcs; i++, cond_resched())
		if (own_ip(mod, i) >= from && own_ip(mod, i) < to)
			set_entry(at++, own_ip(mod, i), &mod->arch.orc_unwind[i]);
	return at;
}

/**
 * ilk_orc_init() - publish the merged table
 * Context: Process context; before anything in the arena runs.
 */
int ilk_orc_init(void)
{
	unsigned long base = ilk_arena_base(), end = base + ILK_ARENA_BYTES;
	struct mod_arch_specific *arch = &THIS_MODULE->arch;
	u32 n, i;

	if (arch->num_orcs > OWN_MAX) {
		pr_err("ilk: not loaded: the module has %u unwind entries, room is for %u\n",
		       arch->num_orcs, OWN_MAX);
		return -E2BIG;
	}
	arena_first = merge_own(0, 0, base);
	for (i = 0; i < ARENA_ENTRIES; i++, cond_resched())
		set_blank(i);
	n = merge_own(arena_first + ARENA_ENTRIES, end, ULONG_MAX);

	/* Larger first, count last: a search in between stays within bounds. */
	WRITE_ONCE(arch->orc_unwind, orc_entries);
	smp_wmb();
	WRITE_ONCE(arch->orc_unwind_ip, orc_ip);
	smp_wmb();
	WRITE_ONCE(arch->num_orcs, n);
	return 0;
}

/* Context: Caller holds ilk_mutex; no thread is in the slot, and none will be. */
void ilk_orc_clear(const struct ilk_slot *slot)
{
	u32 first = slot->granule * ILK_ORC_PER_GRANULE, i;

	lockdep_assert_held(&ilk_mutex);
	for (i = 0; i < slot->granules * ILK_ORC_PER_GRANULE; i++)
		set_blank(first + i);
}

/**
 * ilk_orc_fill() - give a slot its entries
 * @orc: @count checked entries, ascending, the first at offset 0; none is "unknown"
 *
 * The entries that are left over repeat the last one: of equals the search
 * finds the last, so they change nothing.
 *
 * Context: Caller holds ilk_mutex; no thread is in the slot.
 */
void ilk_orc_fill(const struct ilk_slot *slot, const struct ilk_orc *orc, u32 count)
{
	u32 first = arena_first + slot->granule * ILK_ORC_PER_GRANULE;
	unsigned long base = ilk_slot_address(slot);
	u32 i, k;

	lockdep_assert_held(&ilk_mutex);
	if (!count) {
		ilk_orc_clear(slot);
		return;
	}
	for (i = 0; i < slot->granules * ILK_ORC_PER_GRANULE; i++) {
		k = min(i, count - 1);
		set_entry(first + i, base + orc[k].offset, orc[k].entry);
	}
}

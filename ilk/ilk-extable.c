// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-extable.c - fixes up faults in patches like faults in the original code
 *
 * The fault handlers look up an address in an arena in its module's ->extable,
 * by binary search and without a lock. We replace the module's table by our own, which has a
 * fixed size, is always sorted, and is merged from
 *
 *   entries of the module below the arena | some per granule | entries above it
 *
 * An unused entry points to the last byte of its slot, or of its granule if the granule is
 * free. These bytes are never code, so no fault is looked up there, and the table stays sorted.
 * Only the entries of a slot that no thread is in are ever rewritten. Each entry still points
 * into that slot, so a search for any other address is not disturbed, not even in an NMI. The
 * table is a static variable of that module, because its fields are 32-bit offsets from their
 * own addresses.
 */
#include <linux/extable.h>

#include "ilk-arena.h"
#include "ilk-driver.h"
#include "ilk-kernel.h"
#include "ilk-slot.h"
#include "ilk.h"

static void set_entry(struct ilk_arena *arena, u32 index, unsigned long insn, unsigned long fixup,
		      int data)
{
	struct exception_table_entry *entry = &arena->faults[index];

	WRITE_ONCE(entry->insn, (int)(insn - (unsigned long)&entry->insn));
	WRITE_ONCE(entry->fixup, (int)(fixup - (unsigned long)&entry->fixup));
	WRITE_ONCE(entry->data, data);
}

/* Makes an exception-table entry unused, so that no search finds it. */
static void set_unused_entry(struct ilk_arena *arena, u32 granule_entry, unsigned long last_byte)
{
	set_entry(arena, arena->faults_first + granule_entry, last_byte, last_byte,
		  EX_TYPE_DEFAULT);
}

static unsigned long get_own_insn(const struct exception_table_entry *entry)
{
	return (unsigned long)&entry->insn + entry->insn;
}

/*
 * Copies the module's own exception-table entries for [from, to) to index @at of the merged table;
 * returns the index after them.
 */
static u32 merge_own_entries(struct ilk_arena *arena, u32 at, unsigned long from, unsigned long to)
{
	const struct exception_table_entry *own = arena->owner->extable;
	unsigned int i;

	for (i = 0; i < arena->owner->num_exentries; i++)
		if (get_own_insn(&own[i]) >= from && get_own_insn(&own[i]) < to)
			set_entry(arena, at++, get_own_insn(&own[i]),
				  (unsigned long)&own[i].fixup + own[i].fixup, own[i].data);
	return at;
}

/**
 * ilk_extable_init() - make the kernel use the merged exception table of an arena's module
 *
 * Context: Process context; before anything in the arena runs.
 * Return: 0; -E2BIG the module has too many entries of its own.
 */
int ilk_extable_init(struct ilk_arena *arena)
{
	unsigned long base = (unsigned long)arena->text;
	u32 entries = arena->granules * ILK_FAULTS_PER_GRANULE, n, i;

	if (arena->owner->num_exentries > arena->faults_own) {
		pr_err("ilk: %s is not loaded: it has %u exception entries, room is for %u\n",
		       arena->owner->name, arena->owner->num_exentries, arena->faults_own);
		return -E2BIG;
	}
	arena->faults_first = merge_own_entries(arena, 0, 0, base);
	for (i = 0; i < entries; i++, cond_resched())
		set_unused_entry(arena, i, base + (i / ILK_FAULTS_PER_GRANULE + 1) * ILK_GRANULE - 1);
	n = merge_own_entries(arena, arena->faults_first + entries, base + arena->granules * ILK_GRANULE,
			      ULONG_MAX);

	/*
	 * Set the pointer to the larger table first, and the count last: a search in
	 * between stays within bounds.
	 */
	WRITE_ONCE(arena->owner->extable, arena->faults);
	smp_wmb();
	WRITE_ONCE(arena->owner->num_exentries, n);
	return 0;
}

/*
 * Returns whether the kernel handles this type of exception-table entry; for other types its fault
 * handler calls BUG().
 */
static bool is_known_type(s32 data)
{
	switch (data & EX_DATA_TYPE_MASK) {
	case EX_TYPE_DEFAULT:
	case EX_TYPE_FAULT:
	case EX_TYPE_UACCESS:
#ifdef EX_TYPE_COPY
	case EX_TYPE_COPY:
#endif
	case EX_TYPE_CLEAR_FS:
	case EX_TYPE_FPU_RESTORE:
	case EX_TYPE_WRMSR:
	case EX_TYPE_RDMSR:
	case EX_TYPE_WRMSR_SAFE:
	case EX_TYPE_RDMSR_SAFE:
	case EX_TYPE_WRMSR_IN_MCE:
	case EX_TYPE_RDMSR_IN_MCE:
	case EX_TYPE_DEFAULT_MCE_SAFE:
	case EX_TYPE_FAULT_MCE_SAFE:
	case EX_TYPE_POP_REG:
	case EX_TYPE_IMM_REG:
	case EX_TYPE_FAULT_SGX:
	case EX_TYPE_UCOPY_LEN:
	case EX_TYPE_ZEROPAD:
		return true;
	default:
		return false;
	}
}

/**
 * ilk_extable_check() - check whether the slot may have these entries
 * @slot: the slot
 * @code_len: size of the code in it
 * @faults: @count entries
 * @count: number of entries
 *
 * The entries must be ascending, within the code, of a type that the kernel
 * handles, and continue in the code or at a fix-up of the kernel.
 */
bool ilk_extable_check(const struct ilk_slot *slot, u32 code_len, const struct ilk_fault *faults,
		       u32 count)
{
	unsigned long base = ilk_slot_address(slot);
	u32 i;

	if (count > slot->granules * ILK_FAULTS_PER_GRANULE)
		return false;
	for (i = 0; i < count; i++) {
		if (faults[i].offset >= code_len ||
		    (i && faults[i].offset <= faults[i - 1].offset) ||
		    !is_known_type(faults[i].data))
			return false;
		if ((faults[i].fixup < base || faults[i].fixup >= base + code_len) &&
		    !ilk_kernel_is_fixup(faults[i].fixup, faults[i].data))
			return false;
	}
	return true;
}

/*
 * Makes the exception-table entries of a slot unused. Must be called with ilk_mutex held, when no
 * thread is in the slot, and none can enter it.
 */
void ilk_extable_clear(const struct ilk_slot *slot)
{
	unsigned long last = ilk_slot_address(slot) - 1;
	u32 first = (slot->granule - slot->arena->first) * ILK_FAULTS_PER_GRANULE, i;

	lockdep_assert_held(&ilk_mutex);
	for (i = 0; i < slot->granules * ILK_FAULTS_PER_GRANULE; i++)
		set_unused_entry(slot->arena, first + i, last + (i / ILK_FAULTS_PER_GRANULE + 1) * ILK_GRANULE);
}

/**
 * ilk_extable_fill() - write the exception-table entries of a slot
 * @slot: slot that no thread is in
 * @faults: @count checked entries
 * @count: number of entries
 *
 * Context: Caller holds ilk_mutex.
 */
void ilk_extable_fill(const struct ilk_slot *slot, const struct ilk_fault *faults, u32 count)
{
	struct ilk_arena *arena = slot->arena;
	u32 first = (slot->granule - arena->first) * ILK_FAULTS_PER_GRANULE, i;
	unsigned long base = ilk_slot_address(slot);

	lockdep_assert_held(&ilk_mutex);
	for (i = 0; i < slot->granules * ILK_FAULTS_PER_GRANULE; i++) {
		if (i < count)
			set_entry(arena, arena->faults_first + first + i, base + faults[i].offset,
				  faults[i].fixup, faults[i].data);
		else
			set_unused_entry(arena, first + i, base + ilk_slot_bytes(slot) - 1);
	}
}

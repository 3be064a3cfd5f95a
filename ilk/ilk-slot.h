/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ilk-slot.h - executable memory for patches, and its unwind and exception tables
 *
 * Protected by ilk_mutex. Only these read without a lock: the kernel's exception and unwind
 * code, which reads the tables of slots that threads are in, and ilk_arena_granule().
 */
#ifndef ILK_SLOT_H
#define ILK_SLOT_H

#include <linux/types.h>

#include "ilk-arena.h"

#define ILK_ARENAS_MAX	(1 + ILK_ARENA_MODULES)
#define ILK_ARENA_GRANULES	(ILK_ARENAS_MAX * ILK_ARENA_MODULE_GRANULES)

/**
 * struct ilk_slot - a piece of an arena with the code of one patch
 * @granule: index of the first granule (allocation unit), as returned by ilk_arena_granule()
 * @granules: number of granules; 0 once freed
 */
struct ilk_slot {
	struct ilk_arena *arena;
	unsigned long addr;
	u32 granule;
	u32 granules;
	bool filled;		/* the slot was written, so refill it with int3 when freed */
};

static inline unsigned long ilk_slot_address(const struct ilk_slot *slot)
{
	return slot->addr;
}

static inline u32 ilk_slot_bytes(const struct ilk_slot *slot)
{
	return slot->granules * ILK_GRANULE;
}

int ilk_arena_init(void);
bool ilk_arena_granule(unsigned long address, u32 *granule);
bool ilk_arena_owns(const struct module *mod);
u64 ilk_arena_max_bytes(void);
void ilk_arena_sizes(u64 *bytes, u64 *unused);
u32 ilk_slot_round_up(u32 bytes);
int ilk_slot_alloc(struct ilk_slot *slot, u32 bytes);
void ilk_slot_free(struct ilk_slot *slot);
void ilk_slot_fill(struct ilk_slot *slot, const u8 *code, u32 len);
unsigned long ilk_arena_thunk(unsigned long target);

int ilk_orc_init(struct ilk_arena *arena);
void ilk_orc_fill(const struct ilk_slot *slot, const struct ilk_orc *orc, u32 count);
void ilk_orc_clear(const struct ilk_slot *slot);

int ilk_extable_init(struct ilk_arena *arena);
bool ilk_extable_check(const struct ilk_slot *slot, u32 code_len, const struct ilk_fault *faults,
		       u32 count);
void ilk_extable_fill(const struct ilk_slot *slot, const struct ilk_fault *faults, u32 count);
void ilk_extable_clear(const struct ilk_slot *slot);

#endif /* ILK_SLOT_H */

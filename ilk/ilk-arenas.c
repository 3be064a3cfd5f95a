// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-arenas.c - executable memory for patches
 *
 * The memory is text of modules: a little is in our own module, for the driver itself and small
 * sets of hooks; the rest is in modules that are loaded when needed (ilk-arena.h). Granules are
 * numbered over all arenas that may exist, so that a set of granules is a bitmap.
 *
 * Slots are whole granules, written by ilk-poke.c. Arenas are searched first fit, so that the last
 * ones become empty first; the search within an arena is next fit. No slot spans two arenas. A
 * module is pinned while any slot of it is allocated. A slot is never reused before a grace period
 * after its last use (ilk-grace.c), nor while a task may return into it (ilk-retire.c). Then it is
 * filled with int3: a thread that enters the slot by mistake hits a trap, and not another patch's
 * old code. A slot's last byte is never code: the tables of unwind and exception entries rely on
 * that. It also keeps the return address in the slot if the code ends with a call.
 *
 * Arenas are added and removed under ilk_mutex. Their address ranges are read without the
 * mutex: the length of a range is set after its base, and is cleared before its base is reused.
 */
#include <linux/delay.h>
#include <linux/pgtable.h>

#include "ilk-arena.h"
#include "ilk-client.h"
#include "ilk-compat.h"
#include "ilk-driver.h"
#include "ilk-report.h"
#include "ilk-slot.h"
#include "ilk-text.h"
#include "ilk.h"

#define OWN_BYTES	65536

static_assert(ILK_ARENA_MODULE_BYTES == 4 * (ILK_SLOT_MAX + ILK_GRANULE));

ILK_ARENA(own, OWN_BYTES, 16384, 1024);

static struct ilk_arena *arenas[ILK_ARENAS_MAX];	/* the driver's own arena is the first */
static struct {
	unsigned long base;
	unsigned long bytes;
} ranges[ILK_ARENAS_MAX];

static unsigned long get_base(const struct ilk_arena *arena)
{
	return (unsigned long)arena->text;
}

/**
 * ilk_arena_granule() - find the granule (unit of arena memory) that contains an address
 *
 * Context: any. For an arena that is not pinned, the answer may be outdated when
 *     this returns.
 */
bool ilk_arena_granule(unsigned long address, u32 *granule)
{
	unsigned long bytes, offset;
	u32 i;

	if (address < MODULES_VADDR || address >= MODULES_END)
		return false;
	for (i = 0; i < ILK_ARENAS_MAX; i++) {
		bytes = smp_load_acquire(&ranges[i].bytes);	/* pairs with publish_range() */
		offset = address - READ_ONCE(ranges[i].base);
		if (offset >= bytes)
			continue;
		*granule = i * ILK_ARENA_MODULE_GRANULES + offset / ILK_GRANULE;
		return true;
	}
	return false;
}

/*
 * Returns whether a module provides an arena (memory for patches). Must be called with ilk_mutex
 * held.
 */
bool ilk_arena_owns(const struct module *mod)
{
	u32 i;

	lockdep_assert_held(&ilk_mutex);
	for (i = 0; i < ILK_ARENAS_MAX; i++)
		if (arenas[i] && arenas[i]->owner == mod)
			return true;
	return false;
}

/* Returns the size of all arenas once all arena modules are loaded. */
u64 ilk_arena_max_bytes(void)
{
	return OWN_BYTES + (u64)ILK_ARENA_MODULES * ILK_ARENA_MODULE_BYTES;
}

/*
 * Gets the size of all current arenas, and how much of it is not allocated.
 */
void ilk_arena_sizes(u64 *bytes, u64 *unused)
{
	u32 i;

	lockdep_assert_held(&ilk_mutex);
	*bytes = *unused = 0;
	for (i = 0; i < ILK_ARENAS_MAX; i++) {
		if (!arenas[i])
			continue;
		*bytes += (u64)arenas[i]->granules * ILK_GRANULE;
		*unused += (u64)(arenas[i]->granules - arenas[i]->taken) * ILK_GRANULE;
	}
}

/* ---- allocating slots in arenas ---------------------------------------------------- */

static u32 count_granules(u32 bytes)
{
	return bytes / ILK_GRANULE + 1;
}

/* Returns the size of the slot for code of @bytes. */
u32 ilk_slot_round_up(u32 bytes)
{
	return count_granules(bytes) * ILK_GRANULE;
}

/*
 * Allocates @n adjacent granules (units of memory) in @arena for a slot. Continues where the last
 * search ended, so that freed memory is reused late.
 */
static bool alloc_in(struct ilk_arena *arena, struct ilk_slot *slot, u32 n)
{
	unsigned long at;

	if (arena->leaving || n > arena->granules - arena->taken || n >= arena->too_many)
		return false;
	at = bitmap_find_next_zero_area(arena->used, arena->granules, arena->next, n, 0);
	if (at >= arena->granules)
		at = bitmap_find_next_zero_area(arena->used, arena->granules, 0, n, 0);
	if (at >= arena->granules) {
		arena->too_many = n;
		return false;
	}
	/* The driver's own arena needs no reference, because it exists as long as the driver. */
	if (!arena->taken && arena != &own && !try_module_get(arena->owner))
		return false;
	bitmap_set(arena->used, at, n);
	arena->taken += n;
	arena->next = at + n;
	slot->arena = arena;
	slot->addr = get_base(arena) + at * ILK_GRANULE;
	slot->granule = arena->first + at;
	slot->granules = n;
	slot->filled = false;
	return true;
}

/**
 * ilk_slot_alloc() - allocate a slot
 * @slot: filled in
 * @bytes: size of the code; the slot is at least one byte larger
 *
 * Context: Caller holds ilk_mutex.
 * Return: 0; -ENOSPC no current arena has that much contiguous space.
 */
int ilk_slot_alloc(struct ilk_slot *slot, u32 bytes)
{
	u32 i;

	lockdep_assert_held(&ilk_mutex);
	for (i = 0; i < ILK_ARENAS_MAX; i++)
		if (arenas[i] && alloc_in(arenas[i], slot, count_granules(bytes)))
			return 0;
	return -ENOSPC;
}

/*
 * Frees a slot (memory for code) that no thread is in. Does not synchronise cores: the next owner
 * must do so before the slot can be reached. Must be called with ilk_mutex held.
 */
void ilk_slot_free(struct ilk_slot *slot)
{
	struct ilk_arena *arena = slot->arena;

	ilk_orc_clear(slot);
	ilk_extable_clear(slot);
	if (slot->filled) {
		ilk_report_slot(slot, true);
		ilk_poke(slot->addr, NULL, ilk_slot_bytes(slot));
	}
	bitmap_clear(arena->used, slot->granule - arena->first, slot->granules);
	arena->taken -= slot->granules;
	arena->too_many = U32_MAX;
	slot->granules = 0;
	if (!arena->taken && arena != &own)
		module_put(arena->owner);
}

/**
 * ilk_slot_fill() - write code to a slot, and int3 to the rest of the slot
 *
 * Context: Caller holds ilk_mutex, and syncs all cores before anything can
 *     reach the slot.
 */
void ilk_slot_fill(struct ilk_slot *slot, const u8 *code, u32 len)
{
	if (!slot->filled)
		ilk_report_slot(slot, false);
	ilk_poke(slot->addr, code, len);
	ilk_poke(slot->addr + len, NULL, ilk_slot_bytes(slot) - len);
	slot->filled = true;
}

/**
 * ilk_arena_thunk() - create a thunk: ENDBR and a direct jump to @target
 *
 * Return: address of the thunk, callable through a pointer; 0 if the arena is full.
 */
unsigned long ilk_arena_thunk(unsigned long target)
{
	u8 code[9] = { 0xf3, 0x0f, 0x1e, 0xfa, 0xe9 };
	struct orc_entry entry = {
		.sp_offset = 8,
		.sp_reg = ORC_REG_SP,
		.bp_reg = ORC_REG_UNDEFINED,	/* unchanged */
		.type = ILK_ORC_TYPE_CALL,
	};
	struct ilk_orc orc = { .offset = 0 };
	struct ilk_slot slot;
	unsigned long at = 0;
	s32 rel;

	ilk_lock();
	if (!alloc_in(&own, &slot, count_granules(sizeof(code))))
		goto out_unlock;
	at = slot.addr;
	rel = (s32)(target - (at + sizeof(code)));
	memcpy(code + 5, &rel, sizeof(rel));
	memcpy(orc.entry, &entry, sizeof(entry));
	ilk_orc_fill(&slot, &orc, 1);
	ilk_slot_fill(&slot, code, sizeof(code));
	ilk_text_sync();
out_unlock:
	ilk_unlock();
	return at;
}

/* ---- registering arenas ------------------------------------------------------------ */

/*
 * Publishes the address range of arena @i for readers without a lock; withdraws it if @arena is
 * NULL.
 */
static void publish_range(u32 i, const struct ilk_arena *arena)
{
	if (arena) {
		WRITE_ONCE(ranges[i].base, get_base(arena));
		/* pairs with ilk_arena_granule() */
		smp_store_release(&ranges[i].bytes, (unsigned long)arena->granules * ILK_GRANULE);
	} else {
		WRITE_ONCE(ranges[i].bytes, 0);
	}
	arenas[i] = (struct ilk_arena *)arena;
}

/* Fills an arena with int3, before any code runs in it. */
static void clear_text(struct ilk_arena *arena)
{
	u32 at, bytes = arena->granules * ILK_GRANULE;

	for (at = 0; at < bytes; at += PAGE_SIZE, cond_resched())
		ilk_poke(get_base(arena) + at, NULL, min_t(u32, bytes - at, PAGE_SIZE));
}

/*
 * Adds the arena's number to the name of an arena module, in the list of
 * modules, in sysfs and as a holder of ilk, so that the module's file can be
 * loaded again: the kernel allows each name once. The number is written before
 * the underscore that makes it part of the name, because readers of the list do
 * not take any lock that is available to us. Must be called from the module's init with
 * ilk_mutex held.
 */
static int rename_module(struct module *mod, u32 number)
{
	size_t length = strlen(mod->name);
	char old[MODULE_NAME_LEN], name[MODULE_NAME_LEN];
	int ret;

	strscpy(old, mod->name, sizeof(old));
	if (snprintf(name, sizeof(name), "%s_%u", old, number) >= sizeof(name))
		return -ENAMETOOLONG;
	ret = kobject_rename(&mod->mkobj.kobj, name);
	if (ret)
		return ret;
	ret = sysfs_rename_link(THIS_MODULE->holders_dir, &mod->mkobj.kobj, old, name);
	if (ret) {
		if (kobject_rename(&mod->mkobj.kobj, old))
			pr_warn("ilk: %s stays %s in sysfs\n", old, name);
		return ret;
	}
	strscpy(mod->name + length + 1, name + length + 1, sizeof(mod->name) - length - 1);
	/* write the number before the underscore, which makes it part of the name */
	smp_store_release(&mod->name[length], '_');
	return 0;
}

/* Registers an arena. Must be called with ilk_mutex held. */
static int register_locked(struct ilk_arena *arena)
{
	u32 i;
	int ret;

	for (i = 0; i < ILK_ARENAS_MAX && arenas[i]; i++)
		;
	if (i == ILK_ARENAS_MAX)
		return -ENOSPC;
	ret = arena == &own ? 0 : rename_module(arena->owner, i - 1);
	if (ret)
		return ret;
	arena->first = i * ILK_ARENA_MODULE_GRANULES;
	arena->too_many = U32_MAX;
	clear_text(arena);
	ilk_text_sync();
	publish_range(i, arena);
	return 0;
}

/**
 * ilk_arena_register() - offer memory for code
 *
 * Context: Process context, as the last step of its owner's module_init.
 * Return: 0; -E2BIG the module has more entries of its own than declared;
 *     -ENOSPC all arena numbers are in use; or an error from renaming the
 *     module.
 */
int ilk_arena_register(struct ilk_arena *arena)
{
	int ret = ilk_orc_init(arena);

	if (!ret)
		ret = ilk_extable_init(arena);
	if (ret)
		return ret;
	ilk_lock();
	ret = register_locked(arena);
	ilk_unlock();
	return ret;
}
EXPORT_SYMBOL_GPL(ilk_arena_register);

static bool is_empty(const struct ilk_arena *arena)
{
	bool empty;

	ilk_lock();
	empty = !arena->taken;
	ilk_unlock();
	return empty;
}

/**
 * ilk_arena_unregister() - withdraw an arena and wait until it is unused
 *
 * Only a forced unload finds allocated slots; then all hooks of all clients
 * are disarmed and released, and this waits until no task is in these slots,
 * however long that takes.
 * Context: Process context, from the owner's module_exit.
 */
void ilk_arena_unregister(struct ilk_arena *arena)
{
	u32 restored = 0, refused = 0;

	ilk_lock();
	arena->leaving = true;
	ilk_unlock();
	while (!is_empty(arena)) {
		ilk_disarm_all_files(true, &restored, &refused);
		msleep(50);
	}
	ilk_lock();
	publish_range(arena->first / ILK_ARENA_MODULE_GRANULES, NULL);
	ilk_unlock();
}
EXPORT_SYMBOL_GPL(ilk_arena_unregister);

/* Registers the driver's own arena. Must be called at module init, before any code runs in it. */
int ilk_arena_init(void)
{
	return ilk_arena_register(&own);
}

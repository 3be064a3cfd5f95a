// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-target.c - checks whether a module that is about to be unloaded contains patches
 *
 * Counts the patches in modules, by a hash of the module. Unloading checks the
 * count without a lock, so that most modules need not wait for ilk_mutex: the unload sets the
 * module's state and then reads the count; PREPARE increments the count and then reads the
 * state. So at least one of the two sees the write of the other.
 */
#include <linux/hash.h>
#include <linux/log2.h>

#include "ilk-arm.h"
#include "ilk-driver.h"
#include "ilk-patch.h"
#include "ilk.h"

static atomic_t targets[64];

static atomic_t *get_target_count(const struct module *mod)
{
	return &targets[hash_ptr(mod, ilog2(ARRAY_SIZE(targets)))];
}

/*
 * Sets the module whose text a patch changes, or NULL. Must be called with ilk_mutex
 * held.
 */
void ilk_patch_set_target(struct ilk_patch *patch, struct module *target)
{
	lockdep_assert_held(&ilk_mutex);
	if (target)
		atomic_inc(get_target_count(target));
	if (patch->target)
		atomic_dec(get_target_count(patch->target));
	patch->target = target;
	smp_mb__after_atomic();		/* pairs with ilk_target_is_used() */
}

/* Returns whether a patch may be in a module that is GOING. Context: any. */
bool ilk_target_is_used(const struct module *mod)
{
	smp_mb();
	return atomic_read(get_target_count(mod)) != 0;
}

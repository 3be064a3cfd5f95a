// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-target.c - does a module that leaves hold patches?
 *
 * How many patches lie in modules, by a hash of the module. A module that leaves asks
 * without a lock, so that most need not wait for ilk_mutex: it says that it is going and
 * looks here; PREPARE counts and looks whether it is going. One of both sees the other.
 */
#include <linux/hash.h>
#include <linux/log2.h>

#include "ilk-internal.h"

static atomic_t targets[64];

static atomic_t *target_count(const struct module *mod)
{
	return &targets[hash_ptr(mod, ilog2(ARRAY_SIZE(targets)))];
}

/* Context: ilk_mutex. */
void ilk_patch_set_target(struct ilk_patch *patch, struct module *target)
{
	lockdep_assert_held(&ilk_mutex);
	if (target)
		atomic_inc(target_count(target));
	if (patch->target)
		atomic_dec(target_count(patch->target));
	patch->target = target;
	smp_mb__after_atomic();		/* pairs with ilk_target_is_used() */
}

/* May a patch lie in it? Context: any; it is GOING. */
bool ilk_target_is_used(const struct module *mod)
{
	smp_mb();
	return atomic_read(target_count(mod)) != 0;
}

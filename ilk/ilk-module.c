// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-module.c - modules that contain patches, and modules that emitted code calls
 *
 * Counts the patches in modules, by a hash of the module. Unloading checks the
 * count without a lock, so that most modules need not wait for ilk_mutex: the unload sets the
 * module's state and then reads the count; PREPARE increments the count and then reads the
 * state. So at least one of the two sees the write of the other.
 */
#include <linux/hash.h>
#include <linux/log2.h>
#include <linux/module.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "ilk-arm.h"
#include "ilk-check.h"
#include "ilk-driver.h"
#include "ilk-kernel.h"
#include "ilk-memory.h"
#include "ilk-patch.h"
#include "ilk-report.h"
#include "ilk.h"

static atomic_t targets[64];

static atomic_t *get_target_count(const struct module *mod)
{
	return &targets[hash_ptr(mod, ilog2(ARRAY_SIZE(targets)))];
}

/*
 * Sets the module whose text a patch changes; NULL: the patch changes no module. Must be called
 * with ilk_mutex held.
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

/* Returns whether the text of a module in state GOING may still contain a patch. Context: any. */
bool ilk_target_is_used(const struct module *mod)
{
	smp_mb();
	return atomic_read(get_target_count(mod)) != 0;
}

/*
 * Pins modules that have functions called by emitted code.
 *
 * Such code makes a real call, and so is retired only once no task can return
 * into it (ilk-retire.c). Until then its patch holds the pool of its file, and
 * the pool holds the module (ilk-memory.c): when the module may be unloaded, no task
 * is in one of its functions through a patch.
 */

#define ARENA_MODULE	"ilk_arena_"

static bool is_own_module(const struct module *mod)
{
	return mod == THIS_MODULE || !strncmp(mod->name, ARENA_MODULE, strlen(ARENA_MODULE));
}

/*
 * Checks a pin, which keeps a module loaded while emitted code may call it. Sets @mod to that
 * module, with a reference, unless the pin is refused.
 */
static enum ilk_refusal find_owner(const struct ilk_pin *call, struct module **mod)
{
	enum ilk_refusal refusal = ILK_REFUSAL_NONE;

	*mod = ilk_kernel_module_get(call->address);
	if (!*mod)
		return ILK_REFUSAL_PIN_GONE;
	if (strcmp((*mod)->name, call->module) || (*mod)->state != MODULE_STATE_LIVE)
		refusal = ILK_REFUSAL_PIN_GONE;
	else if (is_own_module(*mod))
		refusal = ILK_REFUSAL_PIN_OWN;
	if (refusal)
		module_put(*mod);
	return refusal;
}

long ilk_pin(struct ilk_client *client, void __user *arg)
{
	struct module *mod = NULL;
	struct ilk_pin call;
	long ret;

	if (copy_from_user(&call, arg, sizeof(call)))
		return -EFAULT;
	if (call.pad || call.refusal || call.module[ILK_MODULE_NAME - 1])
		return -EINVAL;
	call.refusal = ilk_permit_check();
	if (!call.refusal)
		call.refusal = find_owner(&call, &mod);
	ret = ilk_refusal_errno(call.refusal);
	if (mod && !ret) {
		ret = ilk_memory_pin(client, mod);
		if (ret)
			module_put(mod);
		else
			ilk_report_act(client, "code may call module %s", call.module);
	}
	return copy_to_user(arg, &call, sizeof(call)) ? -EFAULT : ret;
}

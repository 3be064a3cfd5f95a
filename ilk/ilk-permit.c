// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-permit.c - checks whether code may still be loaded into this kernel
 *
 * Patching loads code, and follows the rules for loading a module: not only
 * when the driver is loaded, but also at every RESERVE, PREPARE and ARM, and when a
 * patch's start is due. Live hooks are not affected: jumps follow the traps of an
 * ARM that was permitted, gates open and close, and everything can be restored.
 *
 *   modules_disabled, lockdown	forbid all new code
 *   module.sig_enforce	a client's code is not signed. It is accepted only if the
 *			driver has a valid signature: the signer of the driver lets its
 *			users add code
 *   security modules	are asked, as init_module() asks them for code that does not come from a
 *			file. LoadPin, IMA, SELinux and BPF programs may forbid that to this caller
 *
 * One more rule, that the caller needs CAP_SYS_MODULE, is checked in ilk-ioctl.c.
 */
#include <linux/kernel_read_file.h>
#include <linux/module.h>
#include <linux/security.h>

#include "ilk-check.h"
#include "ilk-kernel.h"
#include "ilk.h"

static const int *no_modules;	/* the kernel's modules_disabled; changes only from 0 to 1 */
static bool locked;			/* a lockdown has been seen; it is never lifted */

bool ilk_permit_is_locked_down(void)
{
	if (!READ_ONCE(locked) && (security_locked_down(LOCKDOWN_MODULE_SIGNATURE) ||
				   security_locked_down(LOCKDOWN_DBG_WRITE_KERNEL)))
		WRITE_ONCE(locked, true);	/* do not ask again, as each answer is logged */
	return READ_ONCE(locked);
}

int ilk_permit_init(void)
{
	no_modules = ilk_kernel_data("modules_disabled");
	if (no_modules)
		return 0;
	pr_err("ilk: not loaded: this kernel has no symbol \"modules_disabled\"; it needs CONFIG_KALLSYMS_ALL\n");
	return -ENOENT;
}

/*
 * Returns whether the kernel requires signed modules and the driver is not
 * signed. The kernel never lifts this requirement.
 */
static bool requires_signature(void)
{
#ifdef CONFIG_MODULE_SIG
	return is_module_sig_enforced() && !THIS_MODULE->sig_ok;
#else
	return false;
#endif
}

/**
 * ilk_permit_known() - check for permission without asking security modules
 *
 * Security modules may log each answer, so they are asked only when code is
 * about to be loaded.
 */
enum ilk_refusal ilk_permit_known(void)
{
	return READ_ONCE(*no_modules) || ilk_permit_is_locked_down() || requires_signature() ?
	       ILK_REFUSAL_LOCKED_DOWN : ILK_REFUSAL_NONE;
}

/**
 * ilk_permit_check() - check whether the current task may write code now
 *
 * Context: Process context, may sleep.
 * Return: ILK_REFUSAL_NONE or ILK_REFUSAL_LOCKED_DOWN.
 */
enum ilk_refusal ilk_permit_check(void)
{
	enum ilk_refusal refusal = ilk_permit_known();

	if (!refusal && security_kernel_load_data(LOADING_MODULE, true))
		refusal = ILK_REFUSAL_LOCKED_DOWN;
	return refusal;
}

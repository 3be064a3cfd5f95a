// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-permit.c - may code still come into this kernel?
 *
 * To patch is to load code, and is held to the rules of loading a module: not only when
 * the driver is loaded, but at every RESERVE, PREPARE and ARM, and when a start is due.
 * What is live then stays: jumps follow the traps of an ARM that was let pass, gates open
 * and close, and everything can be taken back.
 *
 *   modules_disabled, lockdown
 *   module.sig_enforce	code of a client has no signature: it comes in only by a driver that has a valid one, as
 *			whoever signed that lets its users place code
 *   security modules	are asked as by init_module(): code that comes from no file. LoadPin, IMA, SELinux and BPF
 *			programs may forbid that, for this caller
 *
 * One more rule, CAP_SYS_MODULE, is of the caller and is asked in ilk-ioctl.c.
 */
#include <linux/kernel_read_file.h>
#include <linux/module.h>
#include <linux/security.h>

#include "ilk-internal.h"

static const int *no_modules;	/* the kernel's; goes from 0 to 1 only */
static bool locked;			/* a lockdown is never lifted: it was seen once */

bool ilk_permit_is_locked_down(void)
{
	if (!READ_ONCE(locked) && (security_locked_down(LOCKDOWN_MODULE_SIGNATURE) ||
				   security_locked_down(LOCKDOWN_DBG_WRITE_KERNEL)))
		WRITE_ONCE(locked, true);	/* not asked again, as each answer is logged */
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

/* Would the kernel ask for a signature, and find none on the driver? Enforcement is never lifted either. */
static bool wants_signature(void)
{
#ifdef CONFIG_MODULE_SIG
	return is_module_sig_enforced() && !THIS_MODULE->sig_ok;
#else
	return false;
#endif
}

/**
 * ilk_permit_known() - may code be written now, as far as is known without asking security modules?
 * These may write each answer into a log, so they are asked only where code is about to come in.
 */
enum ilk_refusal ilk_permit_known(void)
{
	return READ_ONCE(*no_modules) || ilk_permit_is_locked_down() || wants_signature() ?
	       ILK_REFUSAL_LOCKED_DOWN : ILK_REFUSAL_NONE;
}

/**
 * ilk_permit_check() - may code be written now, on behalf of the current task?
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

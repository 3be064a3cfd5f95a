// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-permit.c - may code still come into this kernel?
 *
 * To patch is to load code, and is held to the rules of loading a module: not only when
 * the driver is loaded, but at every RESERVE, PREPARE and ARM, and when a start is due.
 * What is live then stays: jumps follow the traps of an ARM that was let pass, gates open
 * and close, and everything can be taken back.
 *
 * The third rule, CAP_SYS_MODULE, is of the caller and is asked in ilk-ioctl.c.
 */
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

/**
 * ilk_permit_check() - may code be written now?
 * Context: Process context.
 * Return: ILK_REFUSAL_NONE or ILK_REFUSAL_LOCKED_DOWN, from then on for ever.
 */
enum ilk_refusal ilk_permit_check(void)
{
	return READ_ONCE(*no_modules) || ilk_permit_is_locked_down() ?
	       ILK_REFUSAL_LOCKED_DOWN : ILK_REFUSAL_NONE;
}

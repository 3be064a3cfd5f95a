/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ilk-machine.h - checks whether the driver supports this kernel and machine
 */
#ifndef ILK_MACHINE_H
#define ILK_MACHINE_H

#include <linux/kconfig.h>
#include <linux/stddef.h>
#include <linux/types.h>

/* True if this kernel is built with kCFI, of which FineIBT is a form; the option has two names. */
#define ILK_HAS_CFI	(IS_ENABLED(CONFIG_CFI_CLANG) || IS_ENABLED(CONFIG_CFI))

/*
 * Returns why the driver refuses to load and what to do; NULL: it loads. Must
 * be called before the kernel calls any of our functions through a checked
 * pointer.
 */
static inline const char *ilk_machine_refusal(bool has_cfi, unsigned int khz, bool is_xen_pv)
{
	if (has_cfi)
		return "this kernel was built with control-flow integrity (kCFI), with which Gilk has not been proven; boot a kernel without CONFIG_CFI_CLANG and CONFIG_CFI";
	if (!khz)
		return "the kernel does not know the frequency of the time stamp counter; see what \"dmesg\" says of tsc";
	if (is_xen_pv)
		return "in a Xen PV domain kernel text cannot be written; use an HVM or PVH domain";
	return NULL;
}

#endif /* ILK_MACHINE_H */

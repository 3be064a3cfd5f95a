// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * machine.c - simulates machines that the driver refuses
 *
 * Parameters, under /sys/module/gilk_machine/parameters:
 *
 *   tsc_khz   write 0: the kernel does not know the frequency of the time stamp counter; 1: as before
 *   refusals  read: the driver's answer for each configuration symbol that enables kCFI, and for
 *             a kernel without kCFI, one per line
 */
#include <linux/module.h>
#include <asm/tsc.h>

#include "../../ilk/ilk-machine.h"

static unsigned int khz;

static int khz_set(const char *words, const struct kernel_param *kp)
{
	bool known;
	int ret = kstrtobool(words, &known);

	if (!ret)
		WRITE_ONCE(tsc_khz, known ? khz : 0);
	return ret;
}

/* Expand the driver's macro as if the kernel had other configurations. */
#define CONFIG_CFI_CLANG 1
static bool has_cfi_clang(void)
{
	return ILK_HAS_CFI;
}
#undef CONFIG_CFI_CLANG

#define CONFIG_CFI 1
static bool has_cfi(void)
{
	return ILK_HAS_CFI;
}
#undef CONFIG_CFI

static int refusals_get(char *buffer, const struct kernel_param *kp)
{
	return sysfs_emit(buffer, "CFI_CLANG %s\nCFI %s\nnone %s\n",
			  ilk_machine_refusal(has_cfi_clang(), khz, false) ?: "-",
			  ilk_machine_refusal(has_cfi(), khz, false) ?: "-",
			  ilk_machine_refusal(false, khz, false) ?: "-");
}

static const struct kernel_param_ops khz_ops = { .set = khz_set };
static const struct kernel_param_ops refusals_ops = { .get = refusals_get };

module_param_cb(tsc_khz, &khz_ops, NULL, 0200);
module_param_cb(refusals, &refusals_ops, NULL, 0400);

static int __init machine_init(void)
{
	khz = tsc_khz;
	return 0;
}

static void __exit machine_exit(void)
{
	WRITE_ONCE(tsc_khz, khz);
}

module_init(machine_init);
module_exit(machine_exit);
MODULE_DESCRIPTION("Gilk: a machine that the driver refuses");
MODULE_LICENSE("GPL");

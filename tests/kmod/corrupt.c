// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * corrupt.c - corrupts text after it was written
 *
 * "arm=ADDRESS WHEN BYTE SKIP" in /sys/module/gilk_corrupt/parameters: when the kernel is about to
 * synchronise all CPUs, as after each write of text, and the byte at ADDRESS is WHEN, the module
 * stores BYTE there. It does so once, after SKIP such syncs. "left" shows the number of pending
 * corruptions.
 */
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/vmalloc.h>

static DEFINE_MUTEX(lock);
static void *alias;		/* mapping of the page that contains the byte to corrupt */
static u8 *byte_there;
static unsigned int when, spoilt, left;

static int on_sync(struct kprobe *probe, struct pt_regs *regs)
{
	u8 *at = READ_ONCE(byte_there);

	if (at && READ_ONCE(left) && READ_ONCE(*at) == when && !--left)
		WRITE_ONCE(*at, spoilt);
	return 0;
}

static struct kprobe probe = {
	.symbol_name = "on_each_cpu_cond_mask",
	.pre_handler = on_sync,
};

static int arm_set(const char *value, const struct kernel_param *kp)
{
	unsigned int skip;
	struct page *page;
	unsigned long addr;
	int ret = 0;

	mutex_lock(&lock);
	left = 0;
	byte_there = NULL;
	if (sscanf(value, "%lx %x %x %u", &addr, &when, &spoilt, &skip) != 4) {
		ret = -EINVAL;
		goto out_unlock;
	}
	vunmap(alias);
	page = pfn_to_page(__pa_symbol(addr) >> PAGE_SHIFT);
	alias = vmap(&page, 1, VM_MAP, PAGE_KERNEL);
	if (!alias) {
		ret = -ENOMEM;
		goto out_unlock;
	}
	WRITE_ONCE(byte_there, (u8 *)alias + offset_in_page(addr));
	WRITE_ONCE(left, skip + 1);
out_unlock:
	mutex_unlock(&lock);
	return ret;
}

static const struct kernel_param_ops arm_ops = { .set = arm_set };
module_param_cb(arm, &arm_ops, NULL, 0200);
module_param(left, uint, 0444);

static int __init spoil_init(void)
{
	return register_kprobe(&probe);
}

static void __exit spoil_exit(void)
{
	unregister_kprobe(&probe);
	vunmap(alias);
}

module_init(spoil_init);
module_exit(spoil_exit);
MODULE_DESCRIPTION("Gilk: text that does not take what is written");
MODULE_LICENSE("GPL");

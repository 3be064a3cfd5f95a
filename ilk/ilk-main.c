// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-main.c - loads and unloads the driver, and opens and closes /dev/ilk
 *
 * Initialises in the order of dependencies: the arena's tables before any code runs in
 * the arena, the kernel's symbols before anything is checked, the trap handler
 * before any int3. Closing the file, for whatever reason, restores all text.
 */
#include <linux/capability.h>
#include <linux/debugfs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <xen/xen.h>
#include <asm/tsc.h>

#include "ilk-arm.h"
#include "ilk-check.h"
#include "ilk-client.h"
#include "ilk-driver.h"
#include "ilk-crash.h"
#include "ilk-hook.h"
#include "ilk-kernel.h"
#include "ilk-machine.h"
#include "ilk-report.h"
#include "ilk-retire.h"
#include "ilk-ring.h"
#include "ilk-slot.h"
#include "ilk-text.h"
#include "ilk.h"

struct workqueue_struct *ilk_wq;
struct dentry *ilk_debugfs;

static int ilk_open(struct inode *inode, struct file *file)
{
	struct ilk_client *client;

	if (!capable(CAP_SYS_MODULE) && !perfmon_capable())
		return -EPERM;
	client = ilk_client_new();
	if (!client)
		return -ENOMEM;
	file->private_data = client;
	return 0;
}

static int ilk_release(struct inode *inode, struct file *file)
{
	ilk_client_close(file->private_data);
	return 0;
}

static ssize_t ilk_read(struct file *file, char __user *buf, size_t size, loff_t *pos)
{
	return ilk_ring_read(file->private_data, buf, size, file->f_flags & O_NONBLOCK);
}

static int ilk_mmap(struct file *file, struct vm_area_struct *vma)
{
	return ilk_ring_mmap(file->private_data, vma);
}

static const struct file_operations ilk_fops = {
	.owner = THIS_MODULE,
	.open = ilk_open,
	.release = ilk_release,
	.read = ilk_read,
	.poll = ilk_ring_poll,
	.mmap = ilk_mmap,
	.unlocked_ioctl = ilk_ioctl,
	.llseek = noop_llseek,
};

static struct miscdevice ilk_device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = ILK_DEVICE_NAME,
	.fops = &ilk_fops,
	.mode = 0600,
};

static int on_module(struct notifier_block *nb, unsigned long event, void *data)
{
	if (event == MODULE_STATE_GOING && ilk_target_is_used(data))
		ilk_module_going(data);
	return notifier_from_errno(ilk_livepatch_on_module(data, event));
}

static struct notifier_block module_notifier = {
	.notifier_call = on_module,
};

static int check_machine(void)
{
	const char *refusal = ilk_machine_refusal(ILK_HAS_CFI, tsc_khz, xen_pv_domain());

	if (refusal) {
		pr_err("ilk: not loaded: %s\n", refusal);
		return -EOPNOTSUPP;
	}
	if (ilk_permit_is_locked_down()) {
		pr_err("ilk: not loaded: the kernel is locked down and may not be modified; boot without Secure Boot or with lockdown off\n");
		return -EPERM;
	}
	return 0;
}

static int __init ilk_init(void)
{
	int ret = check_machine();

	if (ret)
		return ret;
	ret = ilk_poke_init();
	if (ret)
		return ret;
	ilk_debugfs = debugfs_create_dir(ILK_DEVICE_NAME, NULL);
	ret = ilk_arena_init();
	if (!ret)
		ret = ilk_kernel_init();
	if (!ret)
		ret = ilk_permit_init();
	if (!ret)
		ret = ilk_reserved_init();
	if (!ret)
		ret = ilk_denied_init();
	if (ret)
		goto out_exit_reserved;
	ilk_exits_init();
	ilk_stacks_init();
	ret = ilk_ring_init();
	if (ret)
		goto out_exit_reserved;
	ret = ilk_visit_init();
	if (ret)
		goto out_exit_visit;
	ilk_wq = alloc_workqueue("ilk", WQ_UNBOUND | WQ_HIGHPRI, 0);
	if (!ilk_wq) {
		ret = -ENOMEM;
		goto out_exit_visit;
	}
	ret = ilk_trap_init();
	if (ret)
		goto out_destroy_wq;
	ret = register_module_notifier(&module_notifier);
	if (ret)
		goto out_exit_trap;
	ilk_report_init();
	ret = misc_register(&ilk_device);
	if (ret)
		goto out_unregister_notifier;
	return 0;

out_unregister_notifier:
	unregister_module_notifier(&module_notifier);
out_exit_trap:
	ilk_trap_exit();
out_destroy_wq:
	destroy_workqueue(ilk_wq);
out_exit_visit:
	ilk_visit_exit();
	ilk_ring_exit();
out_exit_reserved:
	debugfs_remove(ilk_debugfs);
	ilk_denied_exit();
	ilk_reserved_exit();
	ilk_poke_exit();
	return ret;
}

/*
 * The kernel calls this only when no file is open and no orphan (a patch without a client) is left,
 * or for "rmmod -f".
 */
static void __exit ilk_exit(void)
{
	u32 restored = 0, refused = 0;

	misc_deregister(&ilk_device);
	debugfs_remove(ilk_debugfs);
	ilk_disarm_all_files(true, &restored, &refused);
	unregister_module_notifier(&module_notifier);
	ilk_grace_exit();
	ilk_retire_exit();
	ilk_trap_exit();
	destroy_workqueue(ilk_wq);
	ilk_visit_exit();
	ilk_ring_exit();
	ilk_counter_exit();
	ilk_denied_exit();
	ilk_reserved_exit();
	ilk_poke_exit();
}

module_init(ilk_init);
module_exit(ilk_exit);
MODULE_DESCRIPTION("Gilk kernel driver: run-time patches of live kernel text");
MODULE_AUTHOR("The Gilk project");
MODULE_LICENSE("GPL");

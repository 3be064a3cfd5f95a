// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * rival.c - tries the kernel's own kprobes on a list of addresses
 *
 * The list is written to /dev/gilk_rival as u64; opening with O_TRUNC empties it. Then, depending
 * on what is written to /sys/module/gilk_rival/parameters/act:
 *
 *   judge	registers a disabled kprobe at each address, and unregisters it; reading
 *		the device gives a byte per address: '0' cannot be registered, '1' can be
 *		registered, '2' would be optimised to a jump
 *   register	registers and enables a kprobe at each address that can have one; "took_ns"
 *		shows how long that took
 *   next	tries to register a kprobe at the next address of the list
 *   unregister	unregisters all kprobes
 *
 * When a probe is registered, enabled or not, the kernel prepares the jump of the optimised probe.
 * It also replaces the probe by an aggregate probe, whose list contains the original probe.
 */
#include <linux/fs.h>
#include <linux/kprobes.h>
#include <linux/ktime.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#define POINTS_MAX	1048576
#define AT_ONCE		64

static u64 *points;
static char *verdicts;
static u32 count;
static struct kprobe *probes;
static struct kprobe **registered;
static u32 registered_count, next;
static u64 took_ns;
static DEFINE_MUTEX(lock);

static int on_hit(struct kprobe *p, struct pt_regs *regs)
{
	return 0;
}

static bool prepare_probe(struct kprobe *probe, u64 addr, u32 flags)
{
	memset(probe, 0, sizeof(*probe));
	probe->addr = (void *)addr;
	probe->pre_handler = on_hit;
	probe->flags = flags;
	return !register_kprobe(probe);
}

static int check_rival(void)
{
	struct kprobe *some = kcalloc(AT_ONCE, sizeof(*some), GFP_KERNEL);
	struct kprobe *good[AT_ONCE];
	u32 i, n = 0;

	if (!some)
		return -ENOMEM;
	for (i = 0; i < count; i++) {
		verdicts[i] = '0';
		if (prepare_probe(&some[n], points[i], KPROBE_FLAG_DISABLED)) {
			verdicts[i] = list_empty(&some[n].list) ? '1' : '2';
			good[n] = &some[n];
			n++;
		}
		if (n == AT_ONCE || (n && i == count - 1)) {
			unregister_kprobes(good, n);
			n = 0;
		}
		cond_resched();
	}
	kfree(some);
	return 0;
}

static void unregister_all(void)
{
	if (registered_count)
		unregister_kprobes(registered, registered_count);
	registered_count = 0;
	kvfree(registered);
	kvfree(probes);
	registered = NULL;
	probes = NULL;
}

static int make_room(void)
{
	unregister_all();
	next = 0;
	probes = kvcalloc(count, sizeof(*probes), GFP_KERNEL);
	registered = kvcalloc(count, sizeof(*registered), GFP_KERNEL);
	return probes && registered ? 0 : -ENOMEM;
}

static void register_next(void)
{
	if (prepare_probe(&probes[next], points[next], 0))
		registered[registered_count++] = &probes[next];
	next++;
}

static int register_all(void)
{
	int ret = make_room();
	u64 begin;

	if (ret)
		return ret;
	begin = ktime_get_ns();
	while (next < count)
		register_next();
	took_ns = ktime_get_ns() - begin;
	return 0;
}

static int register_one(void)
{
	int ret = probes ? 0 : make_room();

	if (!ret && next == count)
		ret = -ENODATA;
	if (!ret)
		register_next();
	return ret;
}

static int act_set(const char *value, const struct kernel_param *kp)
{
	int ret = 0;

	mutex_lock(&lock);
	if (sysfs_streq(value, "judge"))
		ret = check_rival();
	else if (sysfs_streq(value, "register"))
		ret = register_all();
	else if (sysfs_streq(value, "next"))
		ret = register_one();
	else if (sysfs_streq(value, "unregister"))
		unregister_all();
	else
		ret = -EINVAL;
	mutex_unlock(&lock);
	return ret;
}

static const struct kernel_param_ops act_ops = { .set = act_set };
module_param_cb(act, &act_ops, NULL, 0200);
module_param(took_ns, ullong, 0444);
module_param_named(registered, registered_count, uint, 0444);

static int rival_open(struct inode *inode, struct file *file)
{
	if (file->f_flags & O_TRUNC)
		count = 0;
	return 0;
}

static ssize_t rival_write(struct file *file, const char __user *from, size_t size, loff_t *at)
{
	u32 n = size / sizeof(u64);
	ssize_t ret = n * sizeof(u64);

	mutex_lock(&lock);
	if (!n || n > POINTS_MAX - count)
		ret = -EINVAL;
	else if (copy_from_user(points + count, from, ret))
		ret = -EFAULT;
	else
		count += n;
	mutex_unlock(&lock);
	return ret;
}

static ssize_t rival_read(struct file *file, char __user *to, size_t size, loff_t *at)
{
	return simple_read_from_buffer(to, size, at, verdicts, count);
}

static const struct file_operations rival_fops = {
	.owner = THIS_MODULE,
	.open = rival_open,
	.write = rival_write,
	.read = rival_read,
};

static struct miscdevice rival_device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "gilk_rival",
	.fops = &rival_fops,
	.mode = 0600,
};

static int __init rival_init(void)
{
	int ret;

	points = kvcalloc(POINTS_MAX, sizeof(*points), GFP_KERNEL);
	verdicts = kvcalloc(POINTS_MAX, 1, GFP_KERNEL);
	ret = points && verdicts ? misc_register(&rival_device) : -ENOMEM;
	if (!ret)
		return 0;
	kvfree(points);
	kvfree(verdicts);
	return ret;
}

static void __exit rival_exit(void)
{
	misc_deregister(&rival_device);
	unregister_all();
	kvfree(points);
	kvfree(verdicts);
}

module_init(rival_init);
module_exit(rival_exit);
MODULE_DESCRIPTION("Gilk: what kprobes make of the same points");
MODULE_LICENSE("GPL");

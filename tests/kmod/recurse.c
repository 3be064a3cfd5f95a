// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * recurse.c - a function that calls itself, from any number of threads
 *
 * Reading N bytes of /dev/gilk_recurse makes N nested calls of gilk_recurse_step() (N up to 16);
 * the innermost call returns by a path of its own. Every 64th read sleeps in the innermost call, so
 * that other threads run before the call returns, and the thread may move to another CPU.
 */
#include <linux/delay.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/uaccess.h>

#define DEPTH_MAX	16

noinline unsigned int gilk_recurse_step(unsigned int depth, bool sleeps);

noinline unsigned int gilk_recurse_step(unsigned int depth, bool sleeps)
{
	unsigned int below;

	if (depth <= 1) {
		if (sleeps)
			usleep_range(100, 200);
		return 1;
	}
	below = gilk_recurse_step(depth - 1, sleeps);
	barrier();		/* keeps the compiler from making a tail call or a loop */
	return below + 1;
}

static ssize_t recurse_read(struct file *file, char __user *to, size_t length, loff_t *at)
{
	unsigned int depth = min_t(size_t, length, DEPTH_MAX);

	if (!depth)
		return 0;
	*at += 1;
	return gilk_recurse_step(depth, *at % 64 == 0);
}

static const struct file_operations recurse_ops = {
	.owner = THIS_MODULE,
	.read = recurse_read,
};

static struct miscdevice recurse = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "gilk_recurse",
	.fops = &recurse_ops,
};

module_misc_device(recurse);
MODULE_DESCRIPTION("Gilk: a recursive function for tests");
MODULE_LICENSE("GPL");

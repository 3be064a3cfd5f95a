// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * livepatch.c - replaces cmdline_proc_show() as a security update would, and gilk_clone_nap()
 *
 * The storm and coexistence tests use it together with Gilk's hooks. Its ftrace operation diverts
 * calls to the new function. Before the kernel switches a task to the new function, it needs a
 * reliable stack trace of the task.
 */
#include <linux/module.h>

#if IS_ENABLED(CONFIG_LIVEPATCH)
#include <linux/livepatch.h>
#include <linux/seq_file.h>

static int cmdline_patched(struct seq_file *file, void *unused)
{
	seq_puts(file, "gilk was here\n");
	return 0;
}

static unsigned long nap_patched(unsigned long value)
{
	return value * 3;
}

static struct klp_func nap_functions[] = {
	{ .old_name = "gilk_clone_nap", .new_func = nap_patched },
	{ }
};

static struct klp_func functions[] = {
	{ .old_name = "cmdline_proc_show", .new_func = cmdline_patched },
	{ }
};

static struct klp_object objects[] = {
	{ .funcs = functions },
	{ .name = "gilk_clone", .funcs = nap_functions },
	{ }
};

static struct klp_patch patch = {
	.mod = THIS_MODULE,
	.objs = objects,
};

static int __init livepatch_init(void)
{
	return klp_enable_patch(&patch);
}
#else
static int __init livepatch_init(void)
{
	return -EOPNOTSUPP;
}
#endif

/* Does nothing, because the kernel unloads a livepatch only when no task is left in it. */
static void __exit livepatch_exit(void)
{
}

module_init(livepatch_init);
module_exit(livepatch_exit);
MODULE_INFO(livepatch, "Y");
MODULE_DESCRIPTION("Gilk: a neighbour that replaces a function");
MODULE_LICENSE("GPL");

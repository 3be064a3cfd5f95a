// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * subject.c - functions that tests change: skip, replace, divert to another path
 *
 * subject.h describes the calls. stand-in.c has the replacements.
 */
#include <linux/atomic.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/uaccess.h>

#include "subject.h"

struct gilk_subject_state {
	int before;
	int level;
	int after;
};

extern int gilk_subject_add(int a, int b);
extern int gilk_subject_twice(int a, int b);
extern int gilk_subject_sign(int value);
extern int gilk_subject_level(struct gilk_subject_state *state);
extern void gilk_subject_note(int value);

static atomic_t entered, zeros;
struct gilk_subject_state gilk_subject_state = { 11, 22, 33 };
const int gilk_subject_constant = 44;

noinline int gilk_subject_add(int a, int b)
{
	atomic_inc(&entered);
	return a + b;
}
EXPORT_SYMBOL_GPL(gilk_subject_add);

noinline void gilk_subject_note(int value)
{
	barrier();
}

/* Calls gilk_subject_add(). The call is the first instruction of a block: the arguments are already
 * in the right registers, because this function has the same arguments. */
noinline int gilk_subject_twice(int a, int b)
{
	int sum;

	if (!a)
		atomic_inc(&zeros);
	sum = gilk_subject_add(a, b);
	barrier();		/* keeps the compiler from making a tail call */
	return sum + 1;
}

noinline int gilk_subject_sign(int value)
{
	if (value < 0) {
		gilk_subject_note(value);
		return -1;
	}
	gilk_subject_note(-value);
	barrier();
	return 1;
}

noinline int gilk_subject_level(struct gilk_subject_state *state)
{
	barrier();
	return READ_ONCE(state->level);
}

static int call_subject(int kind, int in)
{
	switch (kind) {
	case GILK_SUBJECT_ADD:
		return gilk_subject_add(in, 3);
	case GILK_SUBJECT_TWICE:
		return gilk_subject_twice(in, in);
	case GILK_SUBJECT_SIGN:
		return gilk_subject_sign(in);
	default:
		return gilk_subject_level(&gilk_subject_state);
	}
}

static long subject_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct gilk_subject_call asked;

	if (cmd != GILK_SUBJECT_CALL)
		return -ENOTTY;
	if (copy_from_user(&asked, (void __user *)arg, sizeof(asked)))
		return -EFAULT;
	if (asked.kind < 0 || asked.kind >= GILK_SUBJECT_KINDS)
		return -EINVAL;
	asked.out = call_subject(asked.kind, asked.in);
	asked.entered = atomic_read(&entered);
	return copy_to_user((void __user *)arg, &asked, sizeof(asked)) ? -EFAULT : 0;
}

static const struct file_operations subject_ops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = subject_ioctl,
};

static struct miscdevice subject = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "gilk_subject",
	.fops = &subject_ops,
};

module_misc_device(subject);
MODULE_DESCRIPTION("Gilk: functions that tests change");
MODULE_LICENSE("GPL");

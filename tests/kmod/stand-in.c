// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stand-in.c - replacements for functions of subject.c
 *
 * Parameters, under /sys/module/gilk_stand_in/parameters:
 *
 *   closed   while it is 1, gilk_stand_in_add() sleeps; writing 0 wakes the sleepers
 *   waiting  read: number of sleepers
 *   calls    read: number of calls
 */
#include <linux/atomic.h>
#include <linux/module.h>
#include <linux/wait.h>

#include "../../ilk/ilk-stand-in.h"

extern int gilk_subject_add(int a, int b);
extern int gilk_stand_in_add(int a, int b);
extern int gilk_stand_in_round(int a, int b);
extern long gilk_stand_in_other(int a, int b);

static DECLARE_WAIT_QUEUE_HEAD(gate);
static bool closed;
static atomic_t waiting, calls;

/* Returns a result that differs from the original function's. */
noinline int gilk_stand_in_add(int a, int b)
{
	atomic_inc(&calls);
	if (READ_ONCE(closed)) {
		atomic_inc(&waiting);
		wait_event(gate, !READ_ONCE(closed));
		atomic_dec(&waiting);
	}
	return 1000 + 10 * a + b;
}
ILK_STANDS_IN(gilk_stand_in_add, gilk_subject_add);

/* Calls gilk_subject_add(), the function that it replaces. */
noinline int gilk_stand_in_round(int a, int b)
{
	int sum = gilk_subject_add(a, b);

	barrier();
	return sum + 1;
}
ILK_STANDS_IN(gilk_stand_in_round, gilk_subject_add);

/* Has a different prototype from the function that it would replace. */
noinline long gilk_stand_in_other(int a, int b)
{
	barrier();
	return a;
}

static int set_closed(const char *text, const struct kernel_param *param)
{
	int ret = param_set_bool(text, param);

	wake_up_all(&gate);
	return ret;
}

static int get_atomic(char *buffer, const struct kernel_param *param)
{
	return sprintf(buffer, "%d\n", atomic_read((atomic_t *)param->arg));
}

static const struct kernel_param_ops closed_ops = { .set = set_closed, .get = param_get_bool };
static const struct kernel_param_ops atomic_ops = { .get = get_atomic };

module_param_cb(closed, &closed_ops, &closed, 0600);
module_param_cb(waiting, &atomic_ops, &waiting, 0400);
module_param_cb(calls, &atomic_ops, &calls, 0400);

/* Keeps the compiler from dropping the function. */
static void *const kept __used = gilk_stand_in_other;

MODULE_DESCRIPTION("Gilk: functions that take the place of others in tests");
MODULE_LICENSE("GPL");

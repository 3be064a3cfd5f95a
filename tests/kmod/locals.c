// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * locals.c - a function that tells what its variables are at some of its lines
 *
 * A number that is written to its parameter "call" is what it is called with. What is true at the line that is marked
 * stands in variables that programs can read.
 */
#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/time64.h>

extern long gilk_locals_work(long first, int second, struct timespec64 *given);

long gilk_locals_sum, gilk_locals_inner, gilk_locals_tail;
int gilk_locals_narrow, gilk_locals_mark;
struct timespec64 gilk_locals_given = { 71, 72 };

static __always_inline long gilk_locals_inlined(long number)
{
	long inner = 2 * number + READ_ONCE(gilk_locals_mark);

	OPTIMIZER_HIDE_VAR(inner);
	gilk_locals_inner = inner;
	barrier();
	WRITE_ONCE(gilk_locals_mark, 1); /* INLINED */
	return inner ^ number;
}

noinline long gilk_locals_work(long first, int second, struct timespec64 *given)
{
	long sum = first * 3 + second;
	struct timespec64 own = { .tv_sec = sum, .tv_nsec = second };
	unsigned char narrow = (unsigned char)first;
	long tail;

	OPTIMIZER_HIDE_VAR(sum);
	OPTIMIZER_HIDE_VAR(narrow);
	asm volatile("" : : "r" (&own) : "memory");
	gilk_locals_sum = sum;
	gilk_locals_narrow = narrow;
	barrier();
	WRITE_ONCE(gilk_locals_mark, 0); /* HERE */
	asm volatile("" : : "r" (narrow), "r" (first), "r" (second) : "memory");
	tail = gilk_locals_inlined(sum + given->tv_nsec);
	return tail + own.tv_sec + given->tv_sec + first;
}

static int call(const char *text, const struct kernel_param *param)
{
	long number;
	int ret = kstrtol(text, 0, &number);

	if (ret)
		return ret;
	gilk_locals_tail = gilk_locals_work(number, (int)number + 1, &gilk_locals_given);
	return 0;
}

static const struct kernel_param_ops call_ops = { .set = call };

module_param_cb(call, &call_ops, NULL, 0200);
MODULE_DESCRIPTION("Gilk: variables whose values are known");
MODULE_LICENSE("GPL");

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * locals.c - functions whose variables have known values at some of their lines
 *
 * A number written to the parameter "call" is passed to these functions. Global variables, which
 * probe programs can read, contain the expected values at the marked lines.
 */
#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/time64.h>

/* Types whose names no other module uses. */
enum gilk_locals_kind { GILK_LOCALS_EVEN = 70, GILK_LOCALS_ODD };

typedef u16 gilk_locals_step;

struct gilk_locals_thing {
	struct gilk_locals_thing *next;
	union {
		u64 whole;
		struct {
			u32 low, high;
		};
	};
	unsigned int few : 3;
	int several : 9;
	u16 many[2][3];
	enum gilk_locals_kind kind;
	struct timespec64 since;
};
static_assert(sizeof(struct gilk_locals_thing) == 56);

extern long gilk_locals_work(long first, int second, struct timespec64 *given);
extern int gilk_locals_take(struct gilk_locals_thing *thing, gilk_locals_step step);

long gilk_locals_sum, gilk_locals_inner, gilk_locals_tail;
int gilk_locals_narrow, gilk_locals_mark;
struct timespec64 gilk_locals_given = { 71, 72 };
int gilk_locals_several, gilk_locals_few, gilk_locals_many, gilk_locals_kind;

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

noinline int gilk_locals_take(struct gilk_locals_thing *thing, gilk_locals_step step)
{
	gilk_locals_several = thing->next->several;
	gilk_locals_few = thing->few;
	gilk_locals_many = thing->many[1][2];
	gilk_locals_kind = thing->kind;
	return thing->next->several - step;
}

static int take_number(long number)
{
	struct gilk_locals_thing last = { .several = (int)(number % 200) - 100 };
	struct gilk_locals_thing thing = {
		.next = &last, .whole = (u64)number << 31 | 5, .few = number & 7, .many = { { 1, 2, 3 }, { 4, 5, (u16)number } },
		.kind = number & 1 ? GILK_LOCALS_ODD : GILK_LOCALS_EVEN, .since = { number, 73 },
	};

	return gilk_locals_take(&thing, (u16)number & 0xff);
}

static int call_target(const char *text, const struct kernel_param *param)
{
	long number;
	int ret = kstrtol(text, 0, &number);

	if (ret)
		return ret;
	gilk_locals_tail = gilk_locals_work(number, (int)number + 1, &gilk_locals_given) + take_number(number);
	return 0;
}

static const struct kernel_param_ops call_ops = { .set = call_target };

module_param_cb(call, &call_ops, NULL, 0200);
MODULE_DESCRIPTION("Gilk: variables whose values are known");
MODULE_LICENSE("GPL");

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * args.c - records the six argument registers
 *
 * At a function's entry these are the arguments; elsewhere, the values that
 * the registers have at that point.
 */
#include <linux/module.h>

#include "../ilk/ilk.h"

struct args_sample {
	u64 arg0, arg1, arg2, arg3, arg4, arg5;
};

#define ARG(member, reg) \
	ILK_FIELD(struct args_sample, member, ILK_FIELD_HEX64, "", "register " reg)

static const struct ilk_field args_fields[] = {
	ARG(arg0, "rdi"),
	ARG(arg1, "rsi"),
	ARG(arg2, "rdx"),
	ARG(arg3, "rcx"),
	ARG(arg4, "r8"),
	ARG(arg5, "r9"),
};

static void args_hit(u32 iid, const struct ilk_regs *regs)
{
	struct args_sample sample = {
		.arg0 = regs->rdi,
		.arg1 = regs->rsi,
		.arg2 = regs->rdx,
		.arg3 = regs->rcx,
		.arg4 = regs->r8,
		.arg5 = regs->r9,
	};

	ilk_sample(iid, &sample, sizeof(sample));
}

static struct ilk_instrument args_instrument = {
	.owner = THIS_MODULE,
	.name = "args",
	.help = "Records the six argument registers",
	.version = 1,
	.flags = ILK_INSTRUMENT_REGS | ILK_INSTRUMENT_TIMED,
	.sample_bytes = sizeof(struct args_sample),
	.fn = args_hit,
	.fields = args_fields,
	.field_count = ARRAY_SIZE(args_fields),
};

static int __init args_init(void)
{
	return ilk_instrument_register(&args_instrument);
}

static void __exit args_exit(void)
{
	ilk_instrument_unregister(&args_instrument);
}

module_init(args_init);
module_exit(args_exit);
MODULE_DESCRIPTION("Gilk instrument: argument registers");
MODULE_AUTHOR("The Gilk project");
MODULE_LICENSE("GPL");

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tally.c - the smallest module instrument: one increment
 *
 * The cost benchmark compares it with a kprobe whose handler does the same.
 */
#include <linux/module.h>

#include "../../ilk/ilk.h"

static unsigned long hits;
module_param(hits, ulong, 0444);

static void tally_hit(u32 iid, const struct ilk_regs *regs)
{
	hits++;
}

static struct ilk_instrument tally = {
	.owner = THIS_MODULE,
	.name = "gilk-tally",
	.help = "Counts in C, with the registers passed; for benchmarks",
	.version = 1,
	.flags = ILK_INSTRUMENT_REGS,
	.fn = tally_hit,
};

static int __init tally_init(void)
{
	return ilk_instrument_register(&tally);
}

static void __exit tally_exit(void)
{
	ilk_instrument_unregister(&tally);
}

module_init(tally_init);
module_exit(tally_exit);
MODULE_DESCRIPTION("Gilk: the least instrument");
MODULE_LICENSE("GPL");

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * template.c - an instrument to copy
 *
 * Copy this file, rename "template" throughout, and add the file to Kbuild. As
 * it is, the instrument counts hits per CPU, and records the CPU and the count
 * at every Nth hit.
 */
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/smp.h>

#include "../ilk/ilk.h"

/*
 * 1. The contents of a sample: at most ILK_SAMPLE_MAX bytes, no pointers, no
 *    holes (they would leak kernel memory). Up to 8 bytes are the cheapest; every 32 bytes more
 *    take another cell of the ring.
 */
struct template_sample {
	u64 nth;
	u32 cpu;
	u32 context;
};

/*
 * 2. The fields of a sample. Their names become the names of columns; their
 *    units and help texts become labels of plot axes.
 */
static const struct ilk_field template_fields[] = {
	ILK_FIELD(struct template_sample, nth, ILK_FIELD_U64, "", "hits of this CPU so far"),
	ILK_FIELD(struct template_sample, cpu, ILK_FIELD_U32, "", "processor number"),
	ILK_FIELD(struct template_sample, context, ILK_FIELD_U32, "",
		  "0 task, 1 softirq, 2 hardirq, 3 NMI"),
};

/* 3. Parameters that the user may set per hook, with limits and a default. */
static const struct ilk_param template_params[] = {
	{ .name = "every", .help = "keep every Nth hit of a CPU", .min = 1, .max = 1u << 30,
	  .preset = 1 },
};

/*
 * The state is per CPU, because hits may occur in any context, and on all CPUs
 * at once.
 */
static DEFINE_PER_CPU(u64, template_hits);

/*
 * 4. The function that runs at a hit. Preemption is off; any lock may be held.
 *    Do not lock, sleep, allocate, print, use the FPU or timers. this_cpu_*()
 *    is safe even if an interrupt or NMI with the same instrument occurs in
 *    between.
 */
static void template_hit(u32 iid, const struct ilk_regs *regs)
{
	u64 every = ilk_param(iid, 0);
	struct template_sample sample;

	sample.nth = this_cpu_inc_return(template_hits);
	if (every > 1 && sample.nth % every)
		return;
	sample.cpu = smp_processor_id();
	sample.context = in_nmi() ? 3 : in_hardirq() ? 2 : in_serving_softirq() ? 1 : 0;
	ilk_sample(iid, &sample, sizeof(sample));
}

/*
 * 5. The instrument. Set ILK_INSTRUMENT_REGS in .flags if the function reads
 *    @regs; without it the patch may save fewer registers and be faster. Set
 *    ILK_INSTRUMENT_TIMED if it may be called with arbitrary @regs to measure
 *    its cost, and makes a sample at each call. This instrument sets neither flag.
 */
static struct ilk_instrument template_instrument = {
	.owner = THIS_MODULE,
	.name = "template",
	.help = "Records CPU and context of every Nth hit",
	.version = 1,
	.sample_bytes = sizeof(struct template_sample),
	.fn = template_hit,
	.fields = template_fields,
	.field_count = ARRAY_SIZE(template_fields),
	.params = template_params,
	.param_count = ARRAY_SIZE(template_params),
};

/*
 * 6. Register the instrument when this module is loaded, and unregister it when
 *    the module is unloaded. The driver (ilk) pins the module while hooks use
 *    it.
 */
static int __init template_init(void)
{
	return ilk_instrument_register(&template_instrument);
}

static void __exit template_exit(void)
{
	ilk_instrument_unregister(&template_instrument);
}

module_init(template_init);
module_exit(template_exit);
MODULE_DESCRIPTION("Gilk instrument: template to copy");
MODULE_AUTHOR("The Gilk project");
MODULE_LICENSE("GPL");

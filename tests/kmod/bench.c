// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * bench.c - counts the instructions that a probe adds to a hit
 *
 * Under QEMU's -icount shift=0 the TSC counts executed guest instructions, so
 * reading "cost" gives an exact number: the ticks of 2,000 calls with interrupts off.
 * Parameters, all under /sys/module/gilk_bench/parameters:
 *
 *   target   "dead", "live", "short" (target.S), "c" (compiled, below), "member" (compiled, takes a
 *            pointer to a struct) or "fentry" (the kernel's own bpf_fentry_test1, which BPF and
 *            ftrace can attach to)
 *   probe    "none"; "kprobe": a kprobe with one increment on the target; "kretprobe":
 *            a kretprobe with the same handler
 *   cost     read: measures, and returns the result
 *   hits     read: hits that the kprobe's handler counted
 *   point    read: offset of the block to hook, such as "+0x6"
 */
#include <linux/module.h>
#include <linux/kprobes.h>
#include <linux/irqflags.h>
#include <asm/msr.h>

#define CALLS	2000	/* number of calls per measurement; the samples of all calls fit in a
			 * ring */

extern unsigned long gilk_bench_dead(unsigned long);
extern unsigned long gilk_bench_live(unsigned long);
extern unsigned long gilk_bench_short(unsigned long);
extern const u32 gilk_bench_dead_offset, gilk_bench_live_offset, gilk_bench_short_offset;

noinline unsigned long gilk_bench_c(unsigned long value);

/* Compiled C that starts with an ftrace site. It is one block, long enough for a 5-byte jump. */
noinline unsigned long gilk_bench_c(unsigned long value)
{
	return ((value ^ 0x12345678) + 0x1234567) | 0x7654321;
}

struct gilk_bench_thing {
	u64 others[7];
	u32 flags;		/* at offset 0x38 */
	u32 rest;
	u64 size;		/* at offset 0x40 */
};

static const struct gilk_bench_thing thing = { .flags = 7, .size = 0x123456789 };

noinline unsigned long gilk_bench_member(unsigned long pointer);

noinline unsigned long gilk_bench_member(unsigned long pointer)
{
	return ((((const struct gilk_bench_thing *)pointer)->size ^ 0x12345678) + 0x1234567) | 0x7654321;
}

#define MEMBER 5

static const char * const names[] = { "dead", "live", "c", "fentry", "short", "member" };
static unsigned long (*functions[])(unsigned long) = {
	gilk_bench_dead, gilk_bench_live, gilk_bench_c, NULL, gilk_bench_short, gilk_bench_member,
};
static u32 offsets[ARRAY_SIZE(functions)];

static unsigned int target;
static enum { NOTHING, KPROBE, KRETPROBE } probing;
static unsigned long hits;

static int count_hit(struct kprobe *p, struct pt_regs *regs)
{
	hits++;
	return 0;
}

static int count_return(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	hits++;
	return 0;
}

static struct kprobe probe;
static struct kretprobe retprobe;

static int probe_start(bool at_return)
{
	int ret;

	memset(&probe, 0, sizeof(probe));
	memset(&retprobe, 0, sizeof(retprobe));
	probe.addr = (void *)functions[target] + offsets[target];
	probe.pre_handler = count_hit;
	retprobe.kp.addr = (void *)functions[target];
	retprobe.handler = count_return;
	ret = at_return ? register_kretprobe(&retprobe) : register_kprobe(&probe);
	if (!ret)
		probing = at_return ? KRETPROBE : KPROBE;
	return ret;
}

static void probe_stop(void)
{
	if (probing == KPROBE)
		unregister_kprobe(&probe);
	if (probing == KRETPROBE)
		unregister_kretprobe(&retprobe);
	probing = NOTHING;
}

static noinline u64 measure_calls(unsigned long (*fn)(unsigned long))
{
	unsigned long flags, i, all = target == MEMBER ? (unsigned long)&thing : 0;
	unsigned long mask = target == MEMBER ? 0 : ~0UL;
	u64 t;

	local_irq_save(flags);
	t = rdtsc();
	for (i = 0; i < CALLS; i++)
		(void)READ_ONCE(fn)(all | (i & mask));
	t = rdtsc() - t;
	local_irq_restore(flags);
	return t;
}

static int cost_get(char *buffer, const struct kernel_param *kp)
{
	return sysfs_emit(buffer, "%llu %u\n", measure_calls(functions[target]), CALLS);
}

static const struct kernel_param_ops cost_ops = { .get = cost_get };
module_param_cb(cost, &cost_ops, NULL, 0444);

static int target_set(const char *value, const struct kernel_param *kp)
{
	unsigned int i;

	if (probing)
		return -EBUSY;
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		if (!sysfs_streq(value, names[i]))
			continue;
		if (!functions[i])
			return -ENODEV;
		target = i;
		return 0;
	}
	return -EINVAL;
}

static int target_get(char *buffer, const struct kernel_param *kp)
{
	return sysfs_emit(buffer, "%s\n", names[target]);
}

static const struct kernel_param_ops target_ops = { .set = target_set, .get = target_get };
module_param_cb(target, &target_ops, NULL, 0644);

static int probe_set(const char *value, const struct kernel_param *kp)
{
	bool at_return = sysfs_streq(value, "kretprobe");

	if (sysfs_streq(value, "none")) {
		probe_stop();
		return 0;
	}
	if (!at_return && !sysfs_streq(value, "kprobe"))
		return -EINVAL;
	return probing ? -EBUSY : probe_start(at_return);
}

static int probe_get(char *buffer, const struct kernel_param *kp)
{
	static const char * const kinds[] = { "none", "kprobe", "kretprobe" };

	return sysfs_emit(buffer, "%s\n", kinds[probing]);
}

static const struct kernel_param_ops probe_ops = { .set = probe_set, .get = probe_get };
module_param_cb(probe, &probe_ops, NULL, 0644);
module_param(hits, ulong, 0444);

static int point_get(char *buffer, const struct kernel_param *kp)
{
	return sysfs_emit(buffer, "+0x%x\n", offsets[target]);
}

static const struct kernel_param_ops point_ops = { .get = point_get };
module_param_cb(point, &point_ops, NULL, 0444);

/* Returns the address of a function, exported or not, by registering a kprobe on it for a
 * moment. */
static void *find_function(const char *name)
{
	struct kprobe finder = { .symbol_name = name };
	void *addr;

	if (register_kprobe(&finder) < 0)
		return NULL;
	addr = finder.addr;
	unregister_kprobe(&finder);
	return addr;
}

static int __init bench_init(void)
{
	offsets[0] = gilk_bench_dead_offset;
	offsets[1] = gilk_bench_live_offset;
	offsets[4] = gilk_bench_short_offset;
	functions[3] = find_function("bpf_fentry_test1");
	return 0;
}

static void __exit bench_exit(void)
{
	probe_stop();
}

module_init(bench_init);
module_exit(bench_exit);
MODULE_DESCRIPTION("Gilk: instructions added by a probe");
MODULE_LICENSE("GPL");

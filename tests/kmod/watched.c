// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * watched.c - variables that are written a known number of times, by known code
 *
 * Write "WHO TIMES" to /sys/module/gilk_watched/parameters/write:
 *
 *   task      gilk_watched_task() adds 1 to gilk_watched_long, on the writer's CPU
 *   both      like "task", on each online CPU in turn
 *   soft      gilk_watched_soft() adds 16 to gilk_watched_long, in a tasklet
 *   hard      gilk_watched_hard() adds 256 to gilk_watched_long, in an interrupt on each other CPU
 *   branch    gilk_watched_branch() counts down from TIMES and stores each number. One block stores
 *             the even numbers, also to gilk_watched_list.prev; another block the odd ones
 *   copy      gilk_watched_copy() stores TIMES bytes to gilk_watched_bytes with one rep stosb
 *   own       each CPU adds 1 to its own gilk_watched_own
 *   read      gilk_watched_read() reads gilk_watched_long
 *   storm     like "task", with interrupts off
 *
 * The write returns when the accesses are done. The parameter "at" is the address of
 * gilk_watched_long.
 */
#include <linux/interrupt.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/smp.h>

struct gilk_watched_pair {
	u32 first;
	u32 second;
	u8 third[4];
};

void gilk_watched_task(unsigned long *variable);
void gilk_watched_soft(unsigned long *variable);
void gilk_watched_hard(unsigned long *variable);
void gilk_watched_branch(unsigned long *variable, unsigned long value);
void gilk_watched_copy(u8 *bytes, unsigned long n);
void gilk_watched_mine(void);
unsigned long gilk_watched_read(unsigned long *variable);

unsigned long gilk_watched_long;
struct gilk_watched_pair gilk_watched_struct;
struct list_head gilk_watched_list;
u8 gilk_watched_bytes[256] __aligned(8);
DEFINE_PER_CPU(unsigned long, gilk_watched_own);
static unsigned long at;
static unsigned long times;
static bool done;

noinline void gilk_watched_task(unsigned long *variable)
{
	unsigned long value = READ_ONCE(*variable);

	OPTIMIZER_HIDE_VAR(value);	/* a read and a write, which clang would do in one instruction */
	WRITE_ONCE(*variable, value + 1);
}

noinline void gilk_watched_soft(unsigned long *variable)
{
	WRITE_ONCE(*variable, *variable + 16);
}

noinline void gilk_watched_hard(unsigned long *variable)
{
	WRITE_ONCE(*variable, *variable + 256);
}

noinline void gilk_watched_branch(unsigned long *variable, unsigned long value)
{
	if (value & 1) {
		WRITE_ONCE(*variable, value);
		barrier_data(variable);
	} else {
		barrier_data(variable);
		WRITE_ONCE(*variable, value);
		gilk_watched_struct.first = (u32)value;
		WRITE_ONCE(gilk_watched_list.prev, (struct list_head *)value);
	}
}

noinline void gilk_watched_copy(u8 *bytes, unsigned long n)
{
	asm volatile("rep stosb" : "+D" (bytes), "+c" (n) : "a" (7) : "memory");
}

noinline void gilk_watched_mine(void)
{
	this_cpu_inc(gilk_watched_own);
}

noinline unsigned long gilk_watched_read(unsigned long *variable)
{
	return READ_ONCE(*variable);
}

static void soft_fn(struct tasklet_struct *tasklet)
{
	unsigned long i;

	for (i = 0; i < times; i++)
		gilk_watched_soft(&gilk_watched_long);
	WRITE_ONCE(done, true);
}

static DECLARE_TASKLET(soft, soft_fn);

static void hard_fn(void *unused)
{
	unsigned long i;

	for (i = 0; i < times; i++)
		gilk_watched_hard(&gilk_watched_long);
}

static void own_fn(void *unused)
{
	unsigned long i;

	for (i = 0; i < times; i++)
		gilk_watched_mine();
}

static void task_all(void)
{
	unsigned long i;

	for (i = 0; i < times; i++) {
		gilk_watched_task(&gilk_watched_long);
		if (!(i % 1024))
			cond_resched();
	}
}

static long task_fn(void *unused)
{
	task_all();
	return 0;
}

static void by_each(void)
{
	struct cpumask *before = kmalloc(sizeof(*before), GFP_KERNEL);
	int cpu;

	if (!before)
		return;
	cpumask_copy(before, current->cpus_ptr);
	for_each_online_cpu(cpu) {
		set_cpus_allowed_ptr(current, cpumask_of(cpu));
		task_fn(NULL);
	}
	set_cpus_allowed_ptr(current, before);
	kfree(before);
}

static void hard_all(void)
{
	int cpu, own = get_cpu();

	for_each_online_cpu(cpu)
		if (cpu != own)
			smp_call_function_single(cpu, hard_fn, NULL, true);
	put_cpu();
}

static void branch_all(void)
{
	unsigned long i;

	for (i = times; i; i--)
		gilk_watched_branch(&gilk_watched_long, i);
}

static void soft_all(void)
{
	WRITE_ONCE(done, false);
	tasklet_schedule(&soft);
	while (!READ_ONCE(done))
		cond_resched();
}

static void copy_all(void)
{
	gilk_watched_copy(gilk_watched_bytes, min(times, sizeof(gilk_watched_bytes)));
}

static void own_all(void)
{
	on_each_cpu(own_fn, NULL, true);
}

static void read_all(void)
{
	unsigned long i;

	for (i = 0; i < times; i++)
		gilk_watched_read(&gilk_watched_long);
}

static void storm_all(void)
{
	unsigned long i;

	local_irq_disable();
	for (i = 0; i < times; i++)
		gilk_watched_task(&gilk_watched_long);
	local_irq_enable();
}

static const struct {
	const char *who;
	void (*act)(void);
} acts[] = {
	{ "task", task_all }, { "both", by_each }, { "soft", soft_all }, { "hard", hard_all },
	{ "branch", branch_all }, { "copy", copy_all }, { "own", own_all }, { "read", read_all },
	{ "storm", storm_all },
};

static int write_set(const char *words, const struct kernel_param *kp)
{
	char who[16];
	size_t i;

	if (sscanf(words, "%15s %lu", who, &times) != 2)
		return -EINVAL;
	for (i = 0; i < ARRAY_SIZE(acts); i++) {
		if (strcmp(acts[i].who, who))
			continue;
		acts[i].act();
		return 0;
	}
	return -EINVAL;
}

static const struct kernel_param_ops write_ops = { .set = write_set };
module_param_cb(write, &write_ops, NULL, 0200);
module_param(at, ulong, 0400);

static int __init watched_init(void)
{
	at = (unsigned long)&gilk_watched_long;
	return 0;
}

static void __exit watched_exit(void)
{
	tasklet_kill(&soft);
}

module_init(watched_init);
module_exit(watched_exit);
MODULE_DESCRIPTION("Gilk: variables whose writers are known");
MODULE_LICENSE("GPL");

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * nmi.c - runs hooked code and takes stack traces in non-maskable interrupts
 *
 * The interrupts come from QEMU's inject-nmi, or from the other CPUs. Each one takes a stack trace,
 * unwinds the stack of the interrupted code, and calls gilk_nmi_target(), if enabled.
 *
 * Parameters, all under /sys/module/gilk_nmi/parameters:
 *
 *   hz        NMIs per second that each CPU sends to every other
 *   open      while it is 1, gilk_nmi_target() is called; when the write of 0 returns,
 *             the last call has returned
 *   calls     read: calls of gilk_nmi_target()
 *   seen      read: non-maskable interrupts
 *   low, high address range of code whose stacks the kernel must be able to unwind completely
 *   inside    read: number of NMIs that interrupted this code
 *   broken    read: number of these NMIs for which the unwinder failed before the frame of the
 *             next interrupt
 *   foreign   read: number of these NMIs for which the unwinder failed beyond that frame (a
 *             stock 6.12 cannot unwind from the thunk of an indirect branch), or at once
 *             (__switch_to() changes stacks before it changes current)
 *   broken_at read: for the last stack counted by "broken", the address of the interrupt,
 *             and the return addresses up to the frame that cannot be unwound
 *   trap      address of asm_exc_int3()
 *   strays    read: addresses of int3 instructions. An NMI interrupted the first instruction
 *             of asm_exc_int3() on a stack other than the current task's: the kernel cannot
 *             unwind such a stack, and warns. The owner of the int3 is to blame.
 */
#include <linux/cpuhotplug.h>
#include <linux/hrtimer.h>
#include <linux/module.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/stacktrace.h>
#include <asm/apic.h>
#include <asm/nmi.h>
#include <asm/unwind.h>

#include "../../ilk/ilk-compat.h"

#define DEPTH	24
#define TRAIL	6
#define STRAYS	32

noinline unsigned long gilk_nmi_target(unsigned long value);

static bool open;
static atomic_long_t entered, left, calls, seen, inside, broken, foreign;
static unsigned long low, high, broken_at[TRAIL], trap, strays[STRAYS];

/* A function with several blocks, so that there are probe points of every kind. */
noinline unsigned long gilk_nmi_target(unsigned long value)
{
	unsigned long sum = 0;

	while (value) {
		if (value & 1)
			sum += value;
		else
			sum ^= value << 3;
		value >>= 3;
	}
	return sum;
}

/* Unwinds the stack of code in the address range, and counts failures. Patches have ORC entries of
 * their own, so the unwinder must be able to unwind through patches. */
static void follow_stack(struct pt_regs *regs)
{
	struct unwind_state state;
	unsigned long trail[TRAIL] = { 0 };
	bool beyond = false;
	u32 n = 0;

	if (user_mode(regs) || regs->ip < READ_ONCE(low) || regs->ip >= READ_ONCE(high))
		return;
	atomic_long_inc(&inside);
	for (unwind_start(&state, current, regs, NULL); !unwind_done(&state);
	     unwind_next_frame(&state)) {
		struct pt_regs *entry = unwind_get_entry_regs(&state, NULL);

		beyond |= entry && entry != regs;
		if (!unwind_get_return_address(&state))
			break;
		if (n < TRAIL)
			trail[n++] = state.ip;
	}
	if (!unwind_error(&state))
		return;
	if (beyond || !n) {
		atomic_long_inc(&foreign);
		return;
	}
	atomic_long_inc(&broken);
	memcpy(broken_at, trail, sizeof(trail));
}

/* If the NMI interrupted the first instruction of asm_exc_int3() and the stack cannot be unwound,
 * records the address of the int3. Only the CPU has pushed onto this stack so far, so the address
 * after the int3 is on top. */
static void note_stray(struct pt_regs *regs)
{
	struct unwind_state state;
	unsigned long at;
	u32 i;

	if (user_mode(regs) || regs->ip != READ_ONCE(trap))
		return;
	unwind_start(&state, current, regs, NULL);
	if (!unwind_error(&state))
		return;
	at = *(unsigned long *)regs->sp - 1;
	for (i = 0; i < STRAYS && strays[i]; i++)
		if (strays[i] == at)
			return;
	if (i < STRAYS)
		cmpxchg(&strays[i], 0, at);
}

static int on_nmi(unsigned int type, struct pt_regs *regs)
{
	unsigned long frames[DEPTH];

	atomic_long_inc(&entered);
	smp_mb__after_atomic();
	atomic_long_inc(&seen);
	note_stray(regs);
	stack_trace_save(frames, DEPTH, 0);
	follow_stack(regs);
	if (READ_ONCE(open)) {
		atomic_long_inc(&calls);
		gilk_nmi_target(regs->ip);
	}
	atomic_long_inc(&left);
	return NMI_HANDLED;
}

/* ---- sending NMIs ----------------------------------------------------------- */

static DEFINE_PER_CPU(struct hrtimer, beats);
static unsigned int hz;
static int beating = -1;		/* CPU hotplug state of the NMI timers while @hz is not 0,
					 * else -1 */

static enum hrtimer_restart on_timer(struct hrtimer *timer)
{
	int cpu;

	for_each_online_cpu(cpu)
		if (cpu != smp_processor_id())
			apic->send_IPI_mask(cpumask_of(cpu), NMI_VECTOR);
	hrtimer_forward_now(timer, NSEC_PER_SEC / READ_ONCE(hz));
	return HRTIMER_RESTART;
}

/* Starts the timer of @cpu, which sends NMIs to the other CPUs. Runs on @cpu, like
 * end_beating(). */
static int begin_to_beat(unsigned int cpu)
{
	struct hrtimer *timer = this_cpu_ptr(&beats);

	ilk_hrtimer_setup(timer, on_timer, HRTIMER_MODE_REL_PINNED_HARD);
	hrtimer_start(timer, NSEC_PER_SEC / hz, HRTIMER_MODE_REL_PINNED_HARD);
	return 0;
}

static int end_beating(unsigned int cpu)
{
	hrtimer_cancel(this_cpu_ptr(&beats));
	return 0;
}

static int hz_set(const char *words, const struct kernel_param *kp)
{
	int ret;

	if (beating >= 0)
		cpuhp_remove_state(beating);
	beating = -1;
	ret = param_set_uint(words, kp);
	if (ret || !hz)
		return ret;
	beating = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "gilk/nmi", begin_to_beat, end_beating);
	return min(beating, 0);
}

/* ---- parameters of this module ------------------------------------------------- */

static int open_set(const char *words, const struct kernel_param *kp)
{
	int ret = param_set_bool(words, kp);
	long reached;

	if (ret || open)
		return ret;
	smp_mb();
	reached = atomic_long_read(&entered);
	while (atomic_long_read(&left) < reached)
		cpu_relax();
	return 0;
}

static int long_get(char *buffer, const struct kernel_param *kp)
{
	return sysfs_emit(buffer, "%ld\n", atomic_long_read((atomic_long_t *)kp->arg));
}

static const struct kernel_param_ops hz_ops = { .set = hz_set, .get = param_get_uint };
static const struct kernel_param_ops open_ops = { .set = open_set, .get = param_get_bool };
static const struct kernel_param_ops long_ops = { .get = long_get };

module_param_cb(hz, &hz_ops, &hz, 0600);
module_param_cb(open, &open_ops, &open, 0600);
module_param_cb(calls, &long_ops, &calls, 0400);
module_param_cb(seen, &long_ops, &seen, 0400);
module_param_cb(inside, &long_ops, &inside, 0400);
module_param_cb(broken, &long_ops, &broken, 0400);
module_param_cb(foreign, &long_ops, &foreign, 0400);
module_param(low, ulong, 0600);
module_param(high, ulong, 0600);
module_param_array(broken_at, ulong, NULL, 0400);
module_param(trap, ulong, 0600);
module_param_array(strays, ulong, NULL, 0400);

static int __init interrupts_init(void)
{
	return register_nmi_handler(NMI_LOCAL, on_nmi, 0, "gilk-nmi");
}

static void __exit interrupts_exit(void)
{
	if (beating >= 0)
		cpuhp_remove_state(beating);
	unregister_nmi_handler(NMI_LOCAL, "gilk-nmi");
}

module_init(interrupts_init);
module_exit(interrupts_exit);
MODULE_DESCRIPTION("Gilk: non-maskable interrupts that run hooked code");
MODULE_LICENSE("GPL");

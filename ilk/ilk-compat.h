/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ilk-compat.h - differences between Linux 6.1 and later kernels
 *
 * Contains all differences but those in ilk-exits.c. They are selected by feature (ILK_HAVE_*,
 * tested in Kbuild), never by version number: a vendor's kernel of any version may have either
 * form.
 */
#ifndef ILK_COMPAT_H
#define ILK_COMPAT_H

#include <linux/bug.h>
#include <linux/ftrace.h>
#include <linux/hrtimer.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/static_call.h>
#include <linux/smp.h>
#include <linux/workqueue.h>
#include <linux/objtool.h>
#include <asm/current.h>
#include <asm/orc_types.h>

/*
 * Makes sure that a mapping can never become writable. vm_flags_clear() exists since bc292ab00f6c
 * (6.3).
 */
static inline void ilk_vma_forbid_write(struct vm_area_struct *vma)
{
#ifdef ILK_HAVE_VM_FLAGS_CLEAR
	vm_flags_clear(vma, VM_MAYWRITE);
#else
	vma->vm_flags &= ~VM_MAYWRITE;
#endif
}

/*
 * Returns the per-CPU offset of the preempt count, which 64701838bf05 (6.2) moved into pcpu_hot;
 * later kernels lack pcpu_hot.
 */
static inline unsigned long ilk_preempt_count_offset(void)
{
#ifdef ILK_HAVE_PCPU_HOT
	return (unsigned long)&pcpu_hot.preempt_count;
#else
	return (unsigned long)&__preempt_count;
#endif
}

/*
 * Size of the preempt count including the bit that is set while no reschedule is due: 8 if that bit
 * is in the upper half of the word, else 4.
 */
#ifdef CONFIG_HAS_SEPARATE_PREEMPT_RESCHED_BITS
#define ILK_PREEMPT_BYTES	8
#else
#define ILK_PREEMPT_BYTES	4
#endif

/*
 * Returns the address of the function that preempt_enable_notrace() calls when a
 * reschedule is due; 0: the kernel is not preemptible now.
 */
static inline unsigned long ilk_reschedule(void)
{
#if defined(CONFIG_PREEMPT_DYNAMIC)
	if (preempt_model_none() || preempt_model_voluntary())
		return 0;
	return (unsigned long)STATIC_CALL_TRAMP_ADDR(preempt_schedule_notrace);
#elif defined(CONFIG_PREEMPTION)
	return (unsigned long)preempt_schedule_notrace_thunk;
#else
	return 0;
#endif
}

/*
 * Returns the per-CPU offset of the current task. Like the CPU's number below, it is in pcpu_hot on
 * kernels that have pcpu_hot.
 */
static inline unsigned long ilk_current_task_offset(void)
{
#ifdef ILK_HAVE_PCPU_HOT
	return (unsigned long)&pcpu_hot.current_task;
#else
	return (unsigned long)&current_task;
#endif
}

static inline unsigned long ilk_cpu_number_offset(void)
{
#ifdef ILK_HAVE_PCPU_HOT
	return (unsigned long)&pcpu_hot.cpu_number;
#else
	return (unsigned long)&cpu_number;
#endif
}

/*
 * ORC type of the frame of a call, as opposed to that of a trap. Name and value differ since
 * fb799447ae29 (6.4).
 */
#ifdef ORC_TYPE_CALL
#define ILK_ORC_TYPE_CALL	ORC_TYPE_CALL
#else
#define ILK_ORC_TYPE_CALL	UNWIND_HINT_TYPE_CALL
#endif

/*
 * Returns the size of the part of a task's ret_stack that the function graph
 * tracer uses. ret_stack is an array of structs, with the index of the last one
 * in use; since 42675b723b48 (6.11) it is an array of words, with the number of words in use.
 */
static inline unsigned long ilk_graph_stack_used(const struct task_struct *task)
{
#ifdef CONFIG_FUNCTION_GRAPH_TRACER
	int at = READ_ONCE(task->curr_ret_stack);

	if (__builtin_types_compatible_p(typeof(task->ret_stack), unsigned long *))
		return at > 0 ? min_t(unsigned long, at * sizeof(long), PAGE_SIZE) : 0;
	return at >= 0 ? (min(at, FTRACE_RETFUNC_DEPTH - 1) + 1) * sizeof(*task->ret_stack) : 0;
#else
	return 0;
#endif
}

/* Calls hrtimer_setup() if it exists (since 6.13), because later kernels lack hrtimer_init(). */
static inline void ilk_hrtimer_setup(struct hrtimer *timer,
				     enum hrtimer_restart (*function)(struct hrtimer *timer),
				     enum hrtimer_mode mode)
{
#ifdef ILK_HAVE_HRTIMER_SETUP
	hrtimer_setup(timer, function, CLOCK_MONOTONIC, mode);
#else
	hrtimer_init(timer, CLOCK_MONOTONIC, mode);
	timer->function = function;
#endif
}

/*
 * Returns whether the address of a bug entry is the address of its trap. The entry of a WARN
 * with text has an address before the trap: the trap is a static call that gets the entry in a
 * register (7.1).
 */
static inline bool ilk_bug_is_at_trap(const struct bug_entry *bug)
{
#ifdef BUGFLAG_ARGS
	return !(bug->flags & BUGFLAG_ARGS);
#else
	return true;
#endif
}

/* Newer kernels require WQ_PERCPU for per-CPU workqueues, which used to be the default. */
#ifdef ILK_HAVE_WQ_PERCPU
#define ILK_WQ_PERCPU	WQ_PERCPU
#else
#define ILK_WQ_PERCPU	0
#endif

struct module;

/*
 * Type of the callback that kallsyms calls for each symbol: without a module argument since
 * 3703bd54cd37 (6.4).
 */
#ifdef ILK_HAVE_SYMBOL_MODULE
typedef int ilk_symbol_fn(void *data, const char *name, struct module *module, unsigned long addr);
#define ILK_SYMBOL_FN(fn) \
	int fn(void *data, const char *name, struct module *module, unsigned long addr)
#else
typedef int ilk_symbol_fn(void *data, const char *name, unsigned long addr);
#define ILK_SYMBOL_FN(fn)	int fn(void *data, const char *name, unsigned long addr)
#endif

#endif /* ILK_COMPAT_H */

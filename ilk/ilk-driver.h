/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ilk-driver.h - defines the order of locks, and a loop over long lists, for all parts of the
 * driver
 *
 * Locks, in the order in which they are taken
 *
 *   ilk_mutex	taken by ilk_lock(): patches, hooks, clients, instruments and arenas; never held
 *		while user memory is copied or we wait for a grace period. The kernel's
 *		notifier of modules holds its rwsem when we take it.
 *   kprobe_mutex, cpus_read_lock(), text_mutex
 *		the kernel's, taken by ilk_kernel_text_lock(): held while text is compared and
 *		written, so that no other patcher can claim a byte in between. jump_label_lock()
 *		(ilk-reserved.c) is never held together with them. No kernel code calls us with
 *		any of these locks held, so ilk_mutex is always taken first.
 *   Exceptions	the trap handler reads the site hash under RCU (ilk-trap.c);
 *		ilk_sample() and ilk_param() read ilk_hooks[] without a lock: a hook
 *		is freed only after a grace period; gates are single bytes; the ring
 *		has one reader and per-CPU writers (ilk-ring.c).
 *
 * Each header documents which locks protect its state.
 */
#ifndef ILK_DRIVER_H
#define ILK_DRIVER_H

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/workqueue.h>

/* Like list_for_each_entry(), for lists that may be long: each step gives up the CPU if needed. */
#define ilk_each(pos, head, member)						\
	for (pos = list_first_entry(head, typeof(*pos), member);		\
	     !list_entry_is_head(pos, head, member);				\
	     cond_resched(), pos = list_next_entry(pos, member))
#define ilk_each_safe(pos, next, head, member)					\
	for (pos = list_first_entry(head, typeof(*pos), member),		\
	     next = list_next_entry(pos, member);				\
	     !list_entry_is_head(pos, head, member);				\
	     cond_resched(), pos = next, next = list_next_entry(next, member))

extern struct mutex ilk_mutex;
void ilk_lock(void);
void ilk_unlock(void);

/* set by ilk-main.c; constant while the driver is loaded */
extern struct workqueue_struct *ilk_wq;
extern struct dentry *ilk_debugfs;	/* the directory ilk/ in debugfs */

#endif /* ILK_DRIVER_H */

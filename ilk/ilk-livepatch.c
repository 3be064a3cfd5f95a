// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-livepatch.c - makes sure that livepatch finds no task in a clone
 *
 * livepatch switches a task to the new functions once no old function is on the task's stack.
 * It looks for addresses of the old functions in the kernel's text (klp_check_stack_func()),
 * and does not see a task in a clone of an old function. So there must be no clones when it
 * checks:
 *
 *   a livepatch is loaded
 *			Its module is MODULE_STATE_COMING, and its init, which passes the
 *			functions to replace, has not run, so all clones are disarmed. The
 *			load waits until all tasks have left the clones, and wakes sleeping
 *			ones. If some tasks stay, the load fails (EBUSY), and the log names
 *			one of them; as the clones are out of text by then, another try
 *			finds fewer tasks.
 *   until it is LIVE	ARM refuses clones, because the module's init calls klp_enable_patch().
 *   while it is active	ARM refuses clones of functions that it replaces: klp_find_ops() has
 *			the function until the last transition back has ended.
 *   it is disabled	livepatch searches stacks for its own functions, which are never
 *			cloned. New calls of tasks that were switched back run the original,
 *			which is not cloned. The same holds if the transition is reversed.
 *
 * We only try to take klp_mutex, and never wait for a lock of livepatch with ilk_mutex
 * held: clones are refused while a transition holds klp_mutex.
 */
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/sched/signal.h>

#include "ilk-arm.h"
#include "ilk-check.h"
#include "ilk-client.h"
#include "ilk-driver.h"
#include "ilk-kernel.h"
#include "ilk-patch.h"
#include "ilk-retire.h"
#include "ilk.h"

#define PATIENCE	(20 * HZ)
#define COMING_MAX	4

static const struct module *coming[COMING_MAX];	/* under ilk_mutex */

static const struct module **find_coming(const struct module *mod)
{
	int i;

	lockdep_assert_held(&ilk_mutex);
	for (i = 0; i < COMING_MAX; i++)
		if (coming[i] == mod)
			return &coming[i];
	return NULL;
}

/**
 * ilk_livepatch_check() - check whether this function may run as a clone
 * @site: an address in the function
 *
 * Context: Process context. Caller holds ilk_mutex.
 */
enum ilk_refusal ilk_livepatch_check(unsigned long site)
{
	int i;

	lockdep_assert_held(&ilk_mutex);
	for (i = 0; i < COMING_MAX; i++)
		if (coming[i])
			return ILK_REFUSAL_LIVEPATCH;
	return ilk_kernel_is_livepatched(site) ? ILK_REFUSAL_LIVEPATCH : ILK_REFUSAL_NONE;
}

/*
 * Returns 0; or -EBUSY if a task may still run in a clone (a copy of a function). In the second
 * case sets @holder to the task, if it is known.
 */
static int find_task_in_clone(struct ilk_holder *holder)
{
	struct ilk_patch *patch;
	unsigned long id;
	int ret = 0;

	ilk_lock();
	ilk_each_patch(id, patch) {
		if (!patch->returns || (!ilk_patch_in_text(patch) && list_empty(&patch->grace_node)))
			continue;
		ret = -EBUSY;
		if (patch->holder.pid)
			*holder = patch->holder;
	}
	if (ret)
		ilk_retire_expedite();
	ilk_unlock();
	return ret;
}

static int wait_for_clones(const struct module *mod)
{
	unsigned long end = jiffies + PATIENCE;
	struct ilk_holder holder = { };
	int ret;

	while ((ret = find_task_in_clone(&holder)) && time_before(jiffies, end)) {
		/*
		 * This task, which loads the module, cannot leave a clone while it waits here.
		 */
		if (holder.pid == current->pid)
			break;
		schedule_timeout_killable(HZ / 5);
		if (fatal_signal_pending(current))
			return -EINTR;
	}
	if (ret && holder.pid)
		pr_warn("ilk: livepatch %s was not loaded: task %s (%d) is in a copy of a function, which has been disarmed; load it again when the task is through\n",
			mod->name, holder.comm, holder.pid);
	else if (ret)
		pr_warn("ilk: livepatch %s was not loaded: copies of functions, which have been disarmed, may still run; load it again when gilk status shows nothing pending\n",
			mod->name);
	return ret;
}

static void remove_coming(const struct module *mod)
{
	const struct module **slot;

	ilk_lock();
	slot = find_coming(mod);
	if (slot)
		*slot = NULL;
	ilk_unlock();
}

/*
 * Disarms all clones (copies of functions), and waits until no task is in one, before the
 * livepatch's init runs. Returns 0; -EBUSY or -EINTR to fail the load.
 */
static int evict_clones(const struct module *mod)
{
	const struct module **slot;
	u32 count;
	int ret;

	ilk_lock();
	slot = find_coming(NULL);
	if (slot)
		*slot = mod;
	count = slot ? ilk_clones_evict() : 0;
	ilk_unlock();
	if (!slot)
		return -EBUSY;
	if (count)
		pr_info("ilk: %u copies of functions were disarmed for livepatch %s\n", count,
			mod->name);
	ret = wait_for_clones(mod);
	if (ret)
		remove_coming(mod);
	return ret;
}

/**
 * ilk_livepatch_on_module() - handle a module notification for a livepatch
 *
 * Context: the task that loads or unloads; sleeps.
 * Return: 0, or the error with which loading must fail.
 */
int ilk_livepatch_on_module(struct module *mod, unsigned long event)
{
	if (!is_livepatch_module(mod))
		return 0;
	if (event == MODULE_STATE_COMING)
		return evict_clones(mod);
	remove_coming(mod);
	return 0;
}

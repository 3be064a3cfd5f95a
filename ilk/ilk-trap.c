// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-trap.c - handles int3 traps of probe points
 *
 * Runs in NMI context, in the middle of any code: takes no lock, allocates
 * nothing, wakes nothing, and is neither traced nor probed.
 *
 * A site stays in its bucket as a tombstone from its restore until a grace
 * period has passed: a CPU may have fetched the int3 before, and report it
 * late. Up to 6.1 kprobes ignored such hits; later kernels crash.
 *
 * Most of the cost of a trap is in the kernel: exception entry, NMI bookkeeping,
 * the lookup by kprobes, the notifier chain. For the usual hit, our part is one comparison. The
 * low 16 bits of a trap's instruction pointer select a bucket, and no bucket is ever empty. Only
 * the @trap_ip of a live site can equal that instruction pointer.
 */
#include <linux/kdebug.h>
#include <linux/kprobes.h>
#include <linux/notifier.h>
#include <linux/slab.h>
#include <asm/ptrace.h>

#include "ilk-kernel.h"
#include "ilk-text.h"
#include "ilk.h"

#define SITE_BUCKETS	65536

static struct ilk_site end_of_bucket;			/* last element of every bucket; matches
							 * no address */
static struct ilk_site *sites[SITE_BUCKETS];
static struct atomic_notifier_head *chain;	/* the kernel's die_chain */

static __always_inline struct ilk_site **get_bucket(unsigned long trap_ip)
{
	return &sites[(u16)trap_ip];
}

/*
 * Handles a trap if its site (probe point) is not the first in its bucket, if the site is only kept
 * for late traps, or if the trap is not ours.
 */
static noinline int on_rare_trap(struct pt_regs *regs)
{
	unsigned long ip = regs->ip, addr = ip - 1;
	struct ilk_site *site;
	bool known = false;

	if (user_mode(regs))
		return NOTIFY_DONE;
	for (site = READ_ONCE(*get_bucket(ip)); site != &end_of_bucket; site = READ_ONCE(site->next)) {
		if (READ_ONCE(site->trap_ip) == ip) {
			atomic64_inc(&site->hits);
			regs->ip = site->slot;
			return NOTIFY_STOP;
		}
		known |= site->addr == addr;
	}
	if (!known || READ_ONCE(*(u8 *)addr) == INT3)
		return NOTIFY_DONE;
	regs->ip = addr;
	return NOTIFY_STOP;
}
NOKPROBE_SYMBOL(on_rare_trap);

/*
 * Handles a trap. Pairs with the barrier in ilk_site_publish(): a CPU that sees
 * the int3 sees the site. No site is at a user-space address, so a match means
 * that the kernel trapped.
 */
static int on_die(struct notifier_block *nb, unsigned long event, void *data)
{
	struct pt_regs *regs;
	struct ilk_site *site;

	if (unlikely(event != DIE_INT3))
		return NOTIFY_DONE;
	regs = ((struct die_args *)data)->regs;
	site = READ_ONCE(*get_bucket(regs->ip));
	if (unlikely(READ_ONCE(site->trap_ip) != regs->ip))
		return on_rare_trap(regs);
	atomic64_inc(&site->hits);
	regs->ip = site->slot;
	return NOTIFY_STOP;
}
NOKPROBE_SYMBOL(on_die);

static struct notifier_block die_notifier = {
	.notifier_call = on_die,
	.priority = INT_MAX,
};

/**
 * ilk_site_publish() - add a site (probe point) to the trap handler's table before its int3 is
 * written
 *
 * Context: Caller holds ilk_mutex.
 */
void ilk_site_publish(struct ilk_site *site)
{
	struct ilk_site **head = get_bucket(site->addr + 1);

	site->trap_ip = site->addr + 1;
	site->next = *head;
	smp_store_release(head, site);
	smp_wmb(); /* pairs with the trap of a CPU that sees the int3 */
}

/*
 * Makes traps at a site continue in the patch's code (@live), or at the original instruction, if
 * they come late (not @live).
 */
void ilk_site_set_live(struct ilk_site *site, bool live)
{
	WRITE_ONCE(site->trap_ip, live ? site->addr + 1 : 0);
}

/*
 * Removes and frees a site (probe point) that was kept for late traps. Must be called with
 * ilk_mutex held, a grace period after its text was restored.
 */
void ilk_site_withdraw(struct ilk_site *site)
{
	struct ilk_site **at = get_bucket(site->addr + 1);

	while (*at != site)
		at = &(*at)->next;
	WRITE_ONCE(*at, site->next);
	kfree_rcu(site, rcu);
}

/*
 * Registers the trap handler at the head of the die chain. Registering it with the highest priority
 * is not enough: the handlers of kprobes and of hardware breakpoints have the same priority and
 * were registered earlier, so they would be called first. They never handle an int3 that gets here,
 * and each would add some 20 instructions to every trap. Code that runs before our handler on an
 * int3 must not contain an int3 itself; see ilk-denied.c. The other handlers keep their order, and
 * registering and unregistering works as usual.
 */
int ilk_trap_init(void)
{
	unsigned long flags;
	unsigned int i;

	chain = ilk_kernel_die_chain();
	for (i = 0; i < SITE_BUCKETS; i++)
		sites[i] = &end_of_bucket;
	spin_lock_irqsave(&chain->lock, flags);
	die_notifier.next = chain->head;
	rcu_assign_pointer(chain->head, &die_notifier);
	spin_unlock_irqrestore(&chain->lock, flags);
	return 0;
}

void ilk_trap_exit(void)
{
	unregister_die_notifier(&die_notifier);
}

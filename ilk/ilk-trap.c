// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-trap.c - from an int3 of ours to the patch
 *
 * Runs in NMI context, in the middle of anything: takes no lock, allocates
 * nothing, wakes nobody, is not traced and not probed.
 *
 * A site stays in the hash as a tombstone from its restore until a grace period
 * has passed: a CPU may have fetched the int3 before and report it late. Up to
 * 6.1 kprobes swallowed such hits, later kernels die of them.
 */
#include <linux/hash.h>
#include <linux/kdebug.h>
#include <linux/kprobes.h>
#include <linux/rculist.h>
#include <asm/ptrace.h>

#include "ilk-internal.h"

#define SITE_BITS	12
#define INT3		0xcc

static struct hlist_head sites[1 << SITE_BITS];

static struct hlist_head *bucket(unsigned long addr)
{
	return &sites[hash_long(addr, SITE_BITS)];
}

/* Pairs with the barrier in ilk_site_publish(): int3 seen, site seen. */
static int on_die(struct notifier_block *nb, unsigned long event, void *data)
{
	struct die_args *args = data;
	struct ilk_site *site, *found = NULL;
	unsigned long addr;

	if (event != DIE_INT3 || !args->regs || user_mode(args->regs))
		return NOTIFY_DONE;
	addr = args->regs->ip - 1;
	hlist_for_each_entry_rcu_notrace(site, bucket(addr), node) {
		if (site->addr != addr)
			continue;
		found = site;
		if (READ_ONCE(site->live))
			break;
	}
	if (!found)
		return NOTIFY_DONE;
	if (READ_ONCE(found->live)) {
		atomic64_inc(&found->hits);
		args->regs->ip = found->slot;
		return NOTIFY_STOP;
	}
	if (READ_ONCE(*(u8 *)addr) == INT3)
		return NOTIFY_DONE;
	args->regs->ip = addr;
	return NOTIFY_STOP;
}
NOKPROBE_SYMBOL(on_die);

/*
 * Of equals the first registered comes first: kprobes, then we, then all others.
 * Whatever runs before us on an int3 must not carry one; see denied_functions.
 */
static struct notifier_block die_notifier = {
	.notifier_call = on_die,
	.priority = INT_MAX,
};

/**
 * ilk_site_publish() - let the trap handler know a site before its int3 is written
 * Context: Caller holds ilk_mutex.
 */
void ilk_site_publish(struct ilk_site *site)
{
	hlist_add_head_rcu(&site->node, bucket(site->addr));
	smp_wmb(); /* pairs with the trap that a CPU takes from the int3 */
}

/* Take a tombstone away and free it. Context: ilk_mutex, a grace period after restore. */
void ilk_site_withdraw(struct ilk_site *site)
{
	hlist_del_rcu(&site->node);
	kfree_rcu(site, rcu);
}

int ilk_trap_init(void)
{
	return register_die_notifier(&die_notifier);
}

void ilk_trap_exit(void)
{
	unregister_die_notifier(&die_notifier);
}

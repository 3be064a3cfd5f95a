/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ilk-trap.h - handles int3 traps of probe points
 *
 * Sites change under ilk_mutex. The trap handler reads the hash of sites under RCU, in NMI context.
 */
#ifndef ILK_TRAP_H
#define ILK_TRAP_H

#include <linux/atomic.h>
#include <linux/rcupdate.h>
#include <linux/types.h>

/**
 * struct ilk_site - a probe point, as the trap handler sees it
 * @trap_ip: instruction pointer of a trap at the site, @addr + 1; 0: tombstone for late hits
 */
struct ilk_site {
	unsigned long trap_ip;
	unsigned long slot;
	atomic64_t hits;
	struct ilk_site *next;
	unsigned long addr;
	struct rcu_head rcu;
};

int ilk_trap_init(void);
void ilk_trap_exit(void);
void ilk_site_publish(struct ilk_site *site);
void ilk_site_set_live(struct ilk_site *site, bool live);
void ilk_site_withdraw(struct ilk_site *site);

#endif /* ILK_TRAP_H */

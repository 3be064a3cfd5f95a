/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ilk-report.h - reports changes of text in the kernel's log
 */
#ifndef ILK_REPORT_H
#define ILK_REPORT_H

#include <linux/printk.h>
#include <linux/sched.h>
#include <linux/types.h>

#include "ilk-client.h"

struct ilk_patch;
struct ilk_slot;

void ilk_report_init(void);
void ilk_report_patches(const char *done, const struct ilk_patch *patch, u32 count);
/*
 * Logs an action that arms no patch. Rate-limited at each call site, so that frequent messages
 * do not suppress others.
 */
#define ilk_report_act(client, what, ...) \
	pr_info_ratelimited("ilk: " what ", of process %d, by %s (%d)\n", ##__VA_ARGS__, (client)->pid, \
			    current->comm, task_tgid_nr(current))
void ilk_report_poke(unsigned long addr, const u8 *old, const u8 *now, u32 len);
void ilk_report_slot(const struct ilk_slot *slot, bool gone);

#endif /* ILK_REPORT_H */

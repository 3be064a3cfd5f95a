/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ilk-crash.h - which hooks may crash the kernel
 *
 * Permissions are under ilk_mutex; code at a hit reads them without a lock.
 */
#ifndef ILK_CRASH_H
#define ILK_CRASH_H

#include <linux/types.h>

struct ilk_client;

long ilk_crash_allow(struct ilk_client *client, void __user *arg);
void ilk_crash_forbid(u32 iid);
void ilk_service_crash(u32 iid, u64 a, u64 b, u64 c, u64 d, u64 e);

#endif /* ILK_CRASH_H */

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ilk-ring.h - interface of the sample rings to the other parts of the driver
 *
 * These functions take the locks of ilk-ring-reader.h themselves.
 */
#ifndef ILK_RING_H
#define ILK_RING_H

#include <linux/poll.h>
#include <linux/types.h>

#include "ilk-abi.h"

struct file;
struct ilk_client;
struct poll_table_struct;
struct vm_area_struct;

void ilk_recorder_sync(void);
int ilk_ring_claim(struct ilk_client *client, struct ilk_claim *claim);
int ilk_ring_freeze(struct ilk_client *client);
void ilk_ring_release(struct ilk_client *client);
bool ilk_ring_is_claimed(void);
int ilk_ring_consume(struct ilk_client *client, u64 *tails, u64 *heads, struct ilk_gap *gaps,
		     u32 *state);
ssize_t ilk_ring_read(struct ilk_client *client, char __user *buf, size_t size, bool nonblock);
__poll_t ilk_ring_poll(struct file *file, struct poll_table_struct *wait);
int ilk_ring_mmap(struct ilk_client *client, struct vm_area_struct *vma);
void ilk_ring_info(struct ilk_info *info);
int ilk_ring_init(void);
void ilk_ring_exit(void);

#endif /* ILK_RING_H */

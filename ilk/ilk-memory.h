/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ilk-memory.h - memory that emitted code keeps between hits
 *
 * Pools and references of patches to them are under ilk_mutex, which the ioctls take.
 */
#ifndef ILK_MEMORY_H
#define ILK_MEMORY_H

#include <linux/types.h>

struct ilk_client;
struct ilk_patch;
struct module;

void ilk_memory_hold(struct ilk_patch *patch);
void ilk_memory_release(struct ilk_patch *patch);
void ilk_memory_leave_pool(struct ilk_client *client);
void ilk_memory_close(struct ilk_client *client);
long ilk_memory_alloc(struct ilk_client *client, void __user *arg);
long ilk_memory_read_areas(struct ilk_client *client, void __user *arg);
int ilk_memory_pin(struct ilk_client *client, struct module *mod);

/* ---- ilk-module.c: pins of modules ---- */

long ilk_pin(struct ilk_client *client, void __user *arg);

#endif /* ILK_MEMORY_H */

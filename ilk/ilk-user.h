/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ilk-user.h - interface of hooks in programs for the rest of the driver
 *
 * Hooks in programs are under ilk_mutex. Uprobes are registered and unregistered without this lock;
 * a client's @arming is held while ARM waits for that.
 */
#ifndef ILK_USER_H
#define ILK_USER_H

#include "ilk-abi.h"

struct ilk_client;
struct ilk_patch;
struct ilk_user_point_hook;

/* These three functions may sleep, and take ilk_mutex. */
long ilk_user_bind(struct ilk_client *client, void __user *arg);
int ilk_user_arm(struct ilk_client *client, struct ilk_arm *arm);
void ilk_user_exit(void);

/*
 * Must be called with ilk_mutex held when a patch enters a state in which hits do not count and
 * cannot count later.
 */
void ilk_user_unregister(struct ilk_patch *patch);

/*
 * For patches with a probe point in a program: called when a patch is prepared, when it is
 * freed, and when its status is read.
 */
void ilk_user_plan(struct ilk_patch *patch, const struct ilk_prepare_patch *item);
void ilk_user_free(struct ilk_user_point_hook *user);
void ilk_user_status(const struct ilk_patch *patch, struct ilk_patch_status *status);

#endif /* ILK_USER_H */

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ilk-user.h - what the other files of the driver ask of hooks in programs
 */
#ifndef ILK_USER_H
#define ILK_USER_H

#include "ilk-internal.h"

/*
 * Whoever arms, disarms or gives up patches by themselves does so for a file that has none in programs. All of these
 * may sleep, and take ilk_mutex but for the last three.
 */
long ilk_user_bind(struct ilk_client *client, void __user *arg);
int ilk_user_arm(struct ilk_client *client, struct ilk_arm *arm);
void ilk_user_sweep(void);
void ilk_user_disarm(struct ilk_client *client, const u32 *ids, u32 count, bool forget, u32 *restored,
		     u32 *refused);
void ilk_user_disarm_everyone(bool forget, u32 *restored, u32 *refused);

/* Of a patch that is prepared, freed, or asked of. */
void ilk_user_plan(struct ilk_patch *patch, const struct ilk_prepare_patch *item);
void ilk_user_free(struct ilk_user_hook *user);
void ilk_user_status(const struct ilk_patch *patch, struct ilk_patch_status *status);

#endif /* ILK_USER_H */

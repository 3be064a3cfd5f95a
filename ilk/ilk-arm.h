/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ilk-arm.h - arming and restoring patches: states, text, bounces, switch-over
 *
 * Everything here needs ilk_mutex; functions on a batch write text (ilk-text.h), and may sleep.
 */
#ifndef ILK_ARM_H
#define ILK_ARM_H

#include "ilk-patch.h"

struct ilk_client;
struct ilk_hook;

static inline bool ilk_patch_in_text(const struct ilk_patch *patch)
{
	return patch->text.form != ILK_TEXT_OLD;
}

static inline bool ilk_bounce_in_text(const struct ilk_patch *patch)
{
	return patch->bounce.form != ILK_TEXT_OLD;
}

/* Returns whether the patch's code can be reached from text, or from other code of its client. */
static inline bool ilk_patch_is_live(const struct ilk_patch *patch)
{
	return ilk_patch_in_text(patch) || (patch->inner && patch->state == ILK_STATE_ARMED);
}

/*
 * Returns whether the patch's slot (the memory for its code) may be written: the patch is in no
 * list, and waits for neither a grace period nor a task.
 */
static inline bool ilk_patch_is_unreferenced(const struct ilk_patch *patch)
{
	return !patch->site && patch->retire == ILK_RETIRE_NONE && !ilk_bounce_in_text(patch) &&
	       list_empty(&patch->grace_node);
}

/* ---- ilk-state.c: the states of a patch ----------------------------------------- */

void ilk_patch_set_state(struct ilk_patch *patch, u32 state);
void ilk_patches_count(u32 *live, u64 *trapped);
u64 ilk_bugs(void);
void ilk_patch_status(const struct ilk_patch *patch, struct ilk_patch_status *status);
int ilk_refusal_errno(enum ilk_refusal refusal);
enum ilk_refusal ilk_refusal_of_text(int error);

/* ---- ilk-patch.c: operations on a patch ---------------------------------------- */

struct ilk_patch *ilk_patch_new(struct ilk_client *client, u32 bytes);
struct ilk_patch *ilk_patch_find(struct ilk_client *client, u32 id);
void ilk_patch_set_target(struct ilk_patch *patch, struct module *target);
bool ilk_target_is_used(const struct module *mod);
void ilk_patch_unclaim(struct ilk_patch *patch);
enum ilk_refusal ilk_patch_check(struct ilk_client *client, struct ilk_prepare_patch *item,
				 const struct ilk_orc *orc, const struct ilk_fault *faults,
				 struct ilk_patch **out);
void ilk_patch_plan(struct ilk_patch *patch, const struct ilk_prepare_patch *item);
int ilk_patches_arm(struct list_head *batch, struct ilk_patch **obstacle);
void ilk_patches_unarm(struct list_head *batch);
void ilk_patches_splice(struct list_head *batch);
u32 ilk_patches_restore(struct list_head *batch);
void ilk_patch_free(struct ilk_patch *patch);

/* ---- ilk-bounce.c: the nearby jump of a short footprint ----------------------- */

enum ilk_refusal ilk_bounce_check(const struct ilk_prepare_patch *item,
				  const struct ilk_patch *patch, const struct module *target);
enum ilk_refusal ilk_guest_check(const struct ilk_prepare_patch *item,
				 const struct ilk_patch *patch, const struct ilk_patch *host);
void ilk_bounce_plan(struct ilk_patch *patch, const struct ilk_prepare_patch *item);
int ilk_bounces_lay(struct list_head *batch, struct ilk_patch **obstacle);
void ilk_bounces_lift(struct list_head *batch, bool armed_in_vain);
void ilk_bounces_drop_module(const struct module *mod);
void ilk_bounce_leave_host(struct ilk_patch *guest);
void ilk_guests_evict(struct ilk_patch *host);
bool ilk_patch_is_lending(const struct ilk_patch *patch);
void ilk_guests_splice(struct list_head *batch);
void ilk_guests_collect_waiting(struct list_head *hosts, struct list_head *batch);
void ilk_hosts_start_lending(struct list_head *batch);
bool ilk_host_is_needed(const struct ilk_patch *patch);

/* ---- ilk-switch.c: replacing a live patch ------------------------------- */

enum ilk_refusal ilk_switch_check(struct ilk_client *client, const struct ilk_prepare_patch *item,
				  const struct ilk_patch *patch, struct module **target);
void ilk_switch_plan(struct ilk_patch *patch, u32 replaces);
void ilk_switch_cancel(struct ilk_patch *patch);
enum ilk_refusal ilk_switch_bind(struct ilk_hook *hook, struct ilk_patch *patch,
				 const struct ilk_prepare_hook *item);
enum ilk_refusal ilk_switch_recheck(const struct ilk_patch *patch, bool *live);
int ilk_switch_start(struct list_head *patches, struct ilk_patch **obstacle);
void ilk_switch_abort(struct list_head *patches);
int ilk_switch_all(struct list_head *patches, struct ilk_patch **obstacle);
void ilk_switch_inherit(struct ilk_patch *patch);

#endif /* ILK_ARM_H */

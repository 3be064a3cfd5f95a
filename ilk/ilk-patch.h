/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ilk-patch.h - a patch: code in a slot, and the bytes of text that lead to it
 *
 * All state of patches is under ilk_mutex, or constant as struct ilk_patch documents. Emitted code
 * and the trap handler reach a patch by text and by struct ilk_site, which stays until a grace
 * period after restore.
 */
#ifndef ILK_PATCH_H
#define ILK_PATCH_H

#include <linux/list.h>
#include <linux/sched.h>
#include <linux/xarray.h>

#include "ilk-abi.h"
#include "ilk-slot.h"
#include "ilk-text.h"

struct ilk_client;
struct ilk_pool;
struct module;

/*
 * Whether a task may return into the code of a patch. The driver stays loaded in all states but
 * NONE.
 */
enum ilk_retire_state {
	ILK_RETIRE_NONE,		/* no */
	ILK_RETIRE_HELD,		/* a task may return: from PREPARE to a grace period
					 * after RESTORED */
	ILK_RETIRE_QUEUED,		/* a task may return; the patch is in the list of
					 * ilk-retire.c, which searches all stacks for such tasks */
	ILK_RETIRE_BLOCKED,		/* like QUEUED, but live code leads into the patch, so
					 * that a search would be in vain */
};

/* A task that may return into code in the arena. */
struct ilk_holder {
	u32 granule;			/* granule (unit of arena memory) that the task may
					 * return into; ILK_ANY_GRANULE: unknown */
	pid_t pid;			/* 0: none */
	char comm[TASK_COMM_LEN];
};

#define ILK_ANY_GRANULE	U32_MAX
#define ILK_PATCH_MAGIC	0x4843544150204b4cull	/* "LK PATCH" */

struct ilk_patch {
	u64 magic;			/* marks an allocated struct, for tools that search crash
					 * dumps; 0 once freed */

	/* constant after RESERVE */
	u32 id;
	struct ilk_slot slot;

	/* set by PREPARE; constant from PREPARE until restore */
	u32 tactic;
	bool inner;			/* only clones or MEASURE call the
					 * patch: text.len is 0 */
	bool calibration;			/* code to measure (calibration stub), called by
						 * ilk-measure.c only */
	bool measured;			/* a measurement of this stub was logged; under ilk_mutex */
	bool returns, changes;		/* ILK_PATCH_RETURNS, ILK_PATCH_CHANGES */
	struct ilk_text text;
	struct ilk_text bounce;		/* the patch's bounce (second jump near the site); @len
					 * is 0 if the tactic is not a bounce. The bounce is in
					 * text from ARM until a grace period after restore, and
					 * keeps the driver loaded for that time */
	bool guest;			/* the bounce is in the footprint of another patch, the
					 * host */
	struct ilk_patch *host;		/* splice whose footprint has the bounce; NULL once
					 * that splice or the bounce was removed from text */
	struct list_head guest_node;	/* linked in the host's list of guests */
	struct list_head guests;	/* patches whose bounces are in this patch's footprint */
	u32 fault_mask;			/* bit mask of footprint bytes that have a fault fix-up */
	u32 unhooked_offset;		/* offset of the code that calls no hooks; in a
					 * calibration stub: offset of the code after a trap */
	struct module *target;		/* module with the site, never dereferenced; NULL: core
					 * kernel; set by ilk_patch_set_target() */

	/* state, under ilk_mutex */
	struct ilk_client *client;	/* NULL: the client released the patch, which is freed
					 * once it is restored and unreferenced */
	struct list_head node;		/* linked in the client's list of patches, or in
					 * ilk-grace.c's list of orphans (patches without a
					 * client) */
	struct list_head hooks;
	struct list_head grace_node;	/* linked in a list or batch of ilk-grace.c; else empty */
	struct ilk_site *site;		/* entry for the trap handler, from ARM until a grace
					 * period after restore */
	enum ilk_retire_state retire;
	struct ilk_holder holder;	/* while QUEUED: a task whose stack leads into the patch */
	struct ilk_pool *pool;		/* areas that the code may use; see ilk-memory.c */
	u32 *leads;			/* granules (units of arena memory) in slots of other
					 * patches to which the code has a jump, a call or an
					 * address */
	u32 lead_count;
	u64 pass;			/* number of the search of stacks (pass of ilk-retire.c)
					 * in which the patch is included; 0: none */
	u32 state;			/* enum ilk_state */
	u32 refusal;
	bool scheduled;			/* ARM has processed the patch */
	bool waits_for_host;			/* the grace period of this patch has ended, but
						 * the patch that has the bytes of its bounce
						 * (host) is not spliced yet */
	bool chosen;			/* the current transaction handles the patch */
	u32 replaces;			/* id of the patch that this one will replace */
	u32 successor;			/* id of the patch that is prepared to replace this one */
	struct list_head arriving;	/* hooks that will move to this patch, linked by
					 * move_node */
	struct list_head switch_node;	/* linked in the list of patches that replace live
					 * patches in the current ARM */
	struct ilk_site *hop_site;	/* while this patch replaces another one: entry for traps
					 * on the bounce's jump, which changes its target */
	u64 start_at, stop_at;		/* ns, CLOCK_MONOTONIC; a @stop_at of 0: never stops by
					 * itself */
	u64 hits_before;
	u64 armed_ns, spliced_ns, restored_ns;
	u64 laid_ns, lifted_ns;
};

extern struct xarray ilk_patches;	/* all patches, indexed by id */

#define ilk_each_patch(id, patch)						\
	for (id = 0, patch = xa_find(&ilk_patches, &id, ULONG_MAX, XA_PRESENT); patch; \
	     cond_resched(), patch = xa_find_after(&ilk_patches, &id, ULONG_MAX, XA_PRESENT))

#endif /* ILK_PATCH_H */

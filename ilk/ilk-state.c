// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-state.c - the states of a patch, and the invariants of each
 *
 *   RESERVED --PREPARE--> PREPARED --ARM, timer--> TRAPPED --grace period--> ARMED
 *                            |  ^                   |   |                    |  |
 *                            |  +--- failed ARM ----+   |   bounces are in   |  |
 *                            |                          |   its footprint    |  |
 *                            +--> FAILED                |    LENDING <-------+  |
 *                            |    (due, and refused)    |     |                 |
 *                            +--------------------------+-----+-- DISARM, timer-+
 *                                                       |
 *            RETIRED <--grace period, stacks-- RESTORED <
 *
 *   state      text has          claim  in trap hash
 *   ---------  ----------------  -----  ------------
 *   RESERVED   old               no     no
 *   PREPARED   old               yes    no; a tombstone after a failed ARM
 *   TRAPPED    int3              yes    live
 *   ARMED      jump; int3 of     yes    live
 *              the trap tactic
 *   LENDING    int3, old jump    yes    live, but to the code without hooks
 *   RESTORED   old               no     tombstone, then no
 *   FAILED     old               no     tombstone, then no
 *   GONE       unloaded          no     tombstone, then no
 *   RETIRED    old               no     no; freed at once
 *
 * ARM takes a patch from PREPARED straight to ARMED if its tactic is trap, or if it is inner: an
 * inner patch never has text, a claim or a trap. GONE is
 * entered from any state with a plan. A patch that replaces another gets its claim only when ARM
 * hands it over (ilk-switch.c), and then enters the state of the other patch.
 *
 * An undo that fails changes nothing: the patch keeps its state, its claim and
 * its site, and has a refusal. The undo is retried when the client requests it, and every 2
 * seconds once the patch's stop time has passed or its client is gone.
 *
 * A transition or state that is not in these tables is a defect of the driver: it is
 * counted and logged once, and the operation continues, as it may be a restore.
 */
#include <linux/bits.h>
#include <linux/list.h>

#include "ilk-arm.h"
#include "ilk-client.h"
#include "ilk-driver.h"
#include "ilk-patch.h"
#include "ilk-retire.h"
#include "ilk-slot.h"
#include "ilk-text.h"
#include "ilk.h"

#define IS(state)	BIT(ILK_STATE_##state)

static const u32 allowed[] = {
	[ILK_STATE_RESERVED] = IS(PREPARED),
	[ILK_STATE_PREPARED] = IS(RESERVED) | IS(TRAPPED) | IS(ARMED) | IS(RESTORED) |
			       IS(FAILED) | IS(GONE),
	[ILK_STATE_TRAPPED] = IS(PREPARED) | IS(ARMED) | IS(RESTORED) | IS(GONE),
	[ILK_STATE_ARMED] = IS(PREPARED) | IS(LENDING) | IS(RESTORED) | IS(GONE),
	[ILK_STATE_RESTORED] = IS(PREPARED) | IS(GONE) | IS(RETIRED),
	[ILK_STATE_RETIRED] = 0,
	[ILK_STATE_FAILED] = IS(RETIRED),
	[ILK_STATE_GONE] = IS(RETIRED),
	[ILK_STATE_LENDING] = IS(RESTORED) | IS(GONE),
};

static u64 bugs;

/*
 * Returns the number of inconsistencies that the driver has found in its own states. INFO reports
 * this number; every test checks that it is 0. Must be called with ilk_mutex held.
 */
u64 ilk_bugs(void)
{
	lockdep_assert_held(&ilk_mutex);
	return bugs;
}

static void count_bug(const struct ilk_patch *patch, const char *what, u32 state)
{
	bugs++;
	pr_err_once("ilk: defect: patch %u at %pS, state %u, %s %u; please report this\n",
		    patch->id, (void *)patch->text.addr, patch->state, what, state);
}

/*
 * Changes the state of a patch. Before the caller releases ilk_mutex, it must make the kernel's
 * text, the claim on the text's bytes and the entry for the trap handler match the new state. Must
 * be called with ilk_mutex held.
 */
void ilk_patch_set_state(struct ilk_patch *patch, u32 state)
{
	lockdep_assert_held(&ilk_mutex);
	if (!(allowed[patch->state] & BIT(state)))
		count_bug(patch, "was led to", state);
	patch->state = state;
}

/*
 * Returns whether the patch's text, claim and trap-handler entry match its state, as they must
 * whenever ilk_mutex is free.
 */
static bool is_consistent(const struct ilk_patch *patch)
{
	u32 now = BIT(patch->state);
	bool in_text = ilk_patch_in_text(patch);
	bool claimed = !hlist_unhashed(&patch->text.claim);
	bool planned = now & IS(PREPARED) && !patch->replaces;

	if (patch->inner)
		return !in_text && !claimed && !patch->site && !(now & (IS(TRAPPED) | IS(LENDING)));
	if (in_text != !!(now & (IS(TRAPPED) | IS(ARMED) | IS(LENDING))))
		return false;
	if (claimed != (in_text || planned))
		return false;
	if (in_text)
		return patch->site && patch->site->trap_ip;
	/*
	 * If the trap handler keeps an entry for late traps, or a bounce is still in text, the
	 * patch must be waiting for a grace period.
	 */
	return !(patch->site && patch->site->trap_ip) &&
	       (!(patch->site || ilk_bounce_in_text(patch)) || !list_empty(&patch->grace_node));
}

/**
 * ilk_patches_count() - count patches in text, and how many of these are traps
 *
 * Also checks the invariants of each patch.
 * Context: ilk_mutex held.
 */
void ilk_patches_count(u32 *live, u64 *trapped)
{
	struct ilk_patch *patch;
	unsigned long id;

	*live = 0;
	*trapped = 0;
	ilk_each_patch(id, patch) {
		*live += ilk_patch_in_text(patch);
		*trapped += patch->text.form == ILK_TEXT_TRAP;
		if (!is_consistent(patch))
			count_bug(patch, "is not sound, text form", patch->text.form);
	}
}

/* ---- refusals and status, as clients get them ---------------------------------- */

static const int refusal_errno[] = {
	[ILK_REFUSAL_NONE] = 0,
	[ILK_REFUSAL_TEXT_DIFFERS] = -EILSEQ,
	[ILK_REFUSAL_NOT_TEXT] = -EFAULT,
	[ILK_REFUSAL_DENIED] = -EPERM,
	[ILK_REFUSAL_JUMP_LABEL] = -EBUSY,
	[ILK_REFUSAL_STATIC_CALL] = -EBUSY,
	[ILK_REFUSAL_FTRACE] = -EBUSY,
	[ILK_REFUSAL_KPROBE] = -EBUSY,
	[ILK_REFUSAL_EXTABLE] = -EOPNOTSUPP,
	[ILK_REFUSAL_BUG] = -EOPNOTSUPP,
	[ILK_REFUSAL_OVERLAP] = -EEXIST,
	[ILK_REFUSAL_RANGE] = -ERANGE,
	[ILK_REFUSAL_INSTRUMENT] = -ENOENT,
	[ILK_REFUSAL_BAD_ITEM] = -EINVAL,
	[ILK_REFUSAL_ARENA_FULL] = -ENOSPC,
	[ILK_REFUSAL_TOO_MANY] = -ENOSPC,
	[ILK_REFUSAL_STATE] = -EBUSY,
	[ILK_REFUSAL_POISONED] = -EUCLEAN,
	[ILK_REFUSAL_MODULE_GONE] = -ENODEV,
	[ILK_REFUSAL_UNSUPPORTED] = -EOPNOTSUPP,
	[ILK_REFUSAL_LOCKED_DOWN] = -EPERM,
	[ILK_REFUSAL_NOT_BOUNDARY] = -EINVAL,
	[ILK_REFUSAL_SMP_LOCK] = -EBUSY,
	[ILK_REFUSAL_LIVEPATCH] = -EBUSY,
	[ILK_REFUSAL_TOO_LARGE] = -E2BIG,
	[ILK_REFUSAL_PIN_GONE] = -ENOENT,
	[ILK_REFUSAL_PIN_OWN] = -EPERM,
	[ILK_REFUSAL_CRASH_NO_KERNEL] = -ENOENT,
};

int ilk_refusal_errno(enum ilk_refusal refusal)
{
	return refusal < ARRAY_SIZE(refusal_errno) ? refusal_errno[refusal] : -EINVAL;
}

enum ilk_refusal ilk_refusal_of_text(int error)
{
	switch (error) {
	case 0:
		return ILK_REFUSAL_NONE;
	case -EFAULT:
		return ILK_REFUSAL_NOT_TEXT;
	case -EIO:
	case -EUCLEAN:
		return ILK_REFUSAL_POISONED;
	case -EBUSY:
		return ILK_REFUSAL_KPROBE;
	default:
		return ILK_REFUSAL_TEXT_DIFFERS;
	}
}

void ilk_patch_status(const struct ilk_patch *patch, struct ilk_patch_status *status)
{
	const struct ilk_text *text = &patch->text;
	const struct ilk_site *site = patch->site;

	memset(status, 0, sizeof(*status));
	status->id = patch->id;
	status->state = patch->state;
	status->tactic = patch->tactic;
	status->refusal = patch->refusal;
	status->site = text->addr;
	status->slot = ilk_slot_address(&patch->slot);
	status->len = text->len;
	status->owner_pid = patch->client ? patch->client->pid : 0;
	status->trap_hits = patch->hits_before + (site ? atomic64_read(&site->hits) : 0);
	status->armed_mono_ns = patch->armed_ns;
	status->spliced_mono_ns = patch->spliced_ns;
	status->restored_mono_ns = patch->restored_ns;
	memcpy(status->old, text->old, sizeof(status->old));
	status->aux = patch->bounce.len ? patch->bounce.addr : 0;
	memcpy(status->aux_old, patch->bounce.old, patch->bounce.len);
	memcpy(status->aux_new, patch->bounce.jump, patch->bounce.len);
	status->aux_laid_mono_ns = patch->laid_ns;
	status->aux_restored_mono_ns = patch->lifted_ns;
	ilk_retire_status(patch, status);
	if (patch->tactic != ILK_TACTIC_TRAP && text->len) {
		memcpy(status->new_, text->jump, sizeof(status->new_));
	} else if (text->len) {
		memcpy(status->new_, text->old, sizeof(status->new_));
		status->new_[0] = INT3;
	}
}

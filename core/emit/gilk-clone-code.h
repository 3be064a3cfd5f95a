/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-clone-code.h - the code of a clone
 *
 * Threads: that of the plan. What was written is no good if @as says too_far.
 */
#pragma once

#include "core/emit/gilk-asm.h"
#include "core/emit/gilk-patch-plan.h"

G_BEGIN_DECLS

/* The trampoline that goes where the static call at @site goes; 0 if none is known. */
uint64_t gilk_clone_trampoline (const GilkCfg *cfg, const GilkSite *site);

/* Would the hook run elsewhere in its block than it does in the original? What only counts or samples does
 * not care, what looks at registers does. */
gboolean gilk_clone_moves (const GilkCfg *cfg, const GilkWant *want);

/**
 * gilk_clone_code:
 * @links: (nullable): entry address of a function to address of the clone that calls
 *   of it go to, both as pointers
 * @added: (nullable): room for one count per hook of the patch; as GilkChoice.cost
 * Writes the whole clone; its first byte is its entry.
 */
void     gilk_clone_code (GilkAsm *as, const GilkSplicePlan *plan, const GilkPatchPlan *patch,
                          const struct ilk_info *info, const GilkBinding *bindings,
                          GHashTable *links, guint *added);

G_END_DECLS

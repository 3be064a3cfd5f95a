/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-clone-code.h - writes the code of a clone
 *
 * Threads: only the plan's thread. The code must not be used if @as has too_far set.
 */
#pragma once

#include "core/emit/gilk-asm.h"
#include "core/emit/gilk-patch-plan.h"

G_BEGIN_DECLS

/* Returns the address of the trampoline that the static call at @site goes through; 0 if
 * unknown. */
uint64_t gilk_clone_trampoline (const GilkCfg *cfg, const GilkSite *site);

/* Returns whether the hook runs in front of another instruction in the clone than in the original.
 * This matters only to hooks that read registers, not to hooks that count or sample. */
gboolean gilk_clone_moves (const GilkCfg *cfg, const GilkWant *want);

/**
 * gilk_clone_code:
 * @links: (nullable): maps the entry address of a function to the address of the function's clone,
 *   both as pointers; calls to such a function go to its clone instead
 * @added: (nullable): array of one count per hook of the patch, as in GilkChoice.cost
 * Writes the whole clone; its first byte is its entry.
 */
void     gilk_clone_code (GilkAsm *as, const GilkSplicePlan *plan, const GilkPatchPlan *patch,
                          const struct ilk_info *info, const GilkBinding *bindings,
                          GHashTable *links, guint *added);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-rebind.h - finds the block or instruction of a planned hook, or reports why it cannot
 *
 * Threads: any. On failure @place is untouched, but @moved is cleared.
 */
#pragma once

#include "core/plan/gilk-plan.h"

/**
 * gilk_rebind:
 * @release, @build_id: of the current kernel; NULL if unknown
 * @cfg: must not be split
 * @place: (out): start of the block, or the instruction of a hook in front of one
 * @moved: (out): whether it was found at another offset than planned
 *
 * Never guesses: gilk-plan.h has the rules. Fails with GILK_ERROR_STALE, _NOT_FOUND or _AMBIGUOUS.
 */
gboolean gilk_rebind (const GilkCfg *cfg, const GilkPlan *plan, const GilkPlanHook *hook,
                      const char *release, const char *build_id, uint64_t *place, gboolean *moved,
                      GError **error);

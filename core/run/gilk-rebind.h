/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-rebind.h - finds the block or instruction that a plan means, or says why not
 *
 * Threads: any. On failure @place is untouched; @moved is not.
 */
#pragma once

#include "core/run/gilk-plan.h"

/**
 * gilk_rebind:
 * @release, @build_id: of the kernel at hand; NULL if unknown
 * @cfg: whole
 * @place: where the block begins, or of a hook before an instruction that
 * @moved: set if it was found at another offset than planned
 *
 * Never a guess: gilk-plan.h says what counts. Else GILK_ERROR_STALE, _NOT_FOUND or
 * _AMBIGUOUS.
 */
gboolean gilk_rebind (const GilkCfg *cfg, const GilkPlan *plan, const GilkPlanHook *hook,
                      const char *release, const char *build_id, uint64_t *place, gboolean *moved,
                      GError **error);

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-rebind.h - finds the block that a plan means, or says why not
 */
#pragma once

#include "core/run/gilk-plan.h"

/**
 * gilk_rebind:
 * @release: of the kernel at hand; NULL if unknown
 * @made_on: the plan's kernel=, nullable
 * @moved: set if the block was found at another offset than planned
 *
 * Never a guess: offset with fingerprint, else a fingerprint that is unique in
 * the function, else an anchor that fits exactly, else GILK_ERROR_STALE,
 * _NOT_FOUND or _AMBIGUOUS.
 */
gboolean gilk_rebind (const GilkCfg *cfg, const GilkPlanHook *hook, const char *release,
                      const char *made_on, guint *block, gboolean *moved, GError **error);

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-bound-user.h - where in a program a hook of a plan is
 *
 * Beside blocks, as in the kernel, it may be before any instruction; and at "return" it is where the function goes back
 * to its caller, whichever way it does.
 *
 * Threads: those of the plan.
 */
#pragma once

#include "core/run/gilk-bound-plan.h"

G_BEGIN_DECLS

/**
 * gilk_bound_user_place:
 * Sets the hook's block, address, instruction and whether it is moved.
 * Returns: FALSE with the hook's error set
 */
gboolean gilk_bound_user_place (GilkBoundHook *hook, const GilkPlan *plan, const char *release, const char *build_id);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-bound-user.h - probe points of a plan in user-space programs
 *
 * Apart from the edges of blocks, as in the kernel, a hook may be in front of any instruction; at
 * "return" it is where the function returns to its caller, on whichever path.
 *
 * Threads: those of the plan.
 */
#pragma once

#include "core/bind/gilk-bound-plan.h"

G_BEGIN_DECLS

/**
 * gilk_bound_user_find_place:
 * Sets the hook's block, address and instruction, and whether it moved.
 * Returns: FALSE with the hook's error set
 */
gboolean gilk_bound_user_find_place (GilkBoundHook *hook, const GilkPlan *plan, const char *release, const char *build_id);

G_END_DECLS

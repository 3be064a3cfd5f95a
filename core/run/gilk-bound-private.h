/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-bound-private.h - how a bound plan finds itself in the live one that it follows
 */
#pragma once

#include "core/run/gilk-bound-plan.h"

G_BEGIN_DECLS

/* Sets @was of each hook that is live already. */
void  gilk_bound_match     (GilkBoundPlan *bound, const GilkBoundPlan *live);
/* Index of the splice plan of the graph's function; G_MAXUINT: none. @live is nullable. */
guint gilk_bound_live_plan (const GilkBoundPlan *live, const GilkCfg *cfg);
/* Index of the hook's want there; G_MAXUINT: it is new. @live is nullable. */
guint gilk_bound_live_want (const GilkBoundPlan *live, const GilkBoundHook *hook);

G_END_DECLS

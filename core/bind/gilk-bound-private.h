/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-bound-private.h - relates a bound plan to the live one that it follows
 */
#pragma once

#include "core/bind/gilk-bound-plan.h"

G_BEGIN_DECLS

/* Sets @live_index of each hook that is live already. */
void  gilk_bound_match_live (GilkBoundPlan *bound, const GilkBoundPlan *live);
/* Returns the index of the splice plan of @cfg's function; G_MAXUINT: none. @live is nullable. */
guint gilk_bound_live_plan  (const GilkBoundPlan *live, const GilkCfg *cfg);
/* Returns the index of the hook's want in the live splice plan; G_MAXUINT: new.
 * @live is nullable. */
guint gilk_bound_live_want  (const GilkBoundPlan *live, const GilkBoundHook *hook);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hook-gaps.h - finds the times in which a hook of a session has incomplete data
 *
 * No other code turns a session's losses and the on and off times of hooks into gaps, so the
 * command line and the workbench agree.
 *
 * Threads: only the store's thread.
 */
#pragma once

#include "core/stats/gilk-gaps.h"
#include "core/store/gilk-store.h"

G_BEGIN_DECLS

/* Returns the gaps of a run of @duration seconds, normalised (gilk_gaps_normalise()). (transfer
 * full) (element-type GilkGap) */
GArray *gilk_hook_gaps (GilkStore *store, const GilkStoredHook *hook, double duration, GError **error);

/* Add to @gaps the times in which samples were lost, or in which the hook was switched off. The
 * caller must call gilk_gaps_normalise() afterwards. */
gboolean gilk_hook_gaps_add_lost (GArray *gaps, GilkStore *store, const GilkStoredHook *hook, GError **error);
gboolean gilk_hook_gaps_add_switched_off (GArray *gaps, GilkStore *store, const GilkStoredHook *hook, GError **error);

G_END_DECLS

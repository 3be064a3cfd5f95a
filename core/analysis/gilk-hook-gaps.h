/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hook-gaps.h - where a hook was not measured
 *
 * The one place where a session's losses and on and off times become gaps: the command line and the
 * workbench show the same.
 *
 * Threads: that of the store.
 */
#pragma once

#include "core/analysis/gilk-gaps.h"
#include "core/store/gilk-store.h"

G_BEGIN_DECLS

/* Tidy, in a run of @duration seconds. (transfer full) (element-type GilkGap) */
GArray *gilk_hook_gaps (GilkStore *store, const GilkStoredHook *hook, double duration, GError **error);

/* Adds to @gaps when samples of it were lost, or when it was switched off; they are to be tidied. */
gboolean gilk_hook_gaps_add_lost (GArray *gaps, GilkStore *store, const GilkStoredHook *hook, GError **error);
gboolean gilk_hook_gaps_add_off (GArray *gaps, GilkStore *store, const GilkStoredHook *hook, GError **error);

G_END_DECLS

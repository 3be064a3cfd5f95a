/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hook-hits.h - how often a hook was hit in a part of its run
 *
 * Threads: that of the store, whose cancellable ends it.
 */
#pragma once

#include "core/store/gilk-store.h"

G_BEGIN_DECLS

/**
 * gilk_hook_hits_between:
 * @from, @to: seconds of the run
 * Samples that are there in it, of a hook that takes some: what was lost has no time. Of one that only counts, by its
 * readings before and after, evenly between two of them. @known: FALSE, it tells neither.
 */
gboolean gilk_hook_hits_between (GilkStore *store, const GilkStoredHook *hook, double from, double to, uint64_t *hits,
                                 gboolean *known, GError **error);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hook-hits.h - number of a hook's hits in part of its run
 *
 * Threads: that of the store. Its cancellable stops the search.
 */
#pragma once

#include "core/store/gilk-store.h"

G_BEGIN_DECLS

/* Selects hits of a hook. */
typedef struct {
  double      from, to;           /* seconds of the run; NaN: all of it */
  const char *condition;          /* on their samples, as in gilk_samples_add_condition(); nullable */
} GilkHitsAsk;

/**
 * gilk_hook_hits:
 * @hits: (out): for a hook with samples, the number of stored ones, because lost samples are
 *   without a time. For a hook that only counts, interpolated linearly between counter readings
 * @known: (out): FALSE if the hook has neither samples nor readings, or if there is a condition and
 *   the hook only counts
 */
gboolean gilk_hook_hits (GilkStore *store, const GilkStoredHook *hook, const GilkHitsAsk *ask, uint64_t *hits, gboolean *known,
                         GError **error);

G_END_DECLS

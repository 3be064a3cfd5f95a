/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hook-hits.h - how often a hook was hit in a part of its run
 *
 * Threads: that of the store, whose cancellable ends it.
 */
#pragma once

#include "core/store/gilk-store.h"

G_BEGIN_DECLS

/* Which of its hits. */
typedef struct {
  double      from, to;           /* seconds of the run; NaN: all of it */
  const char *condition;          /* what their samples meet, as of gilk_samples_add_condition(); nullable */
} GilkHitsAsk;

/**
 * gilk_hook_hits:
 * Samples that are there of them, of a hook that takes some: what was lost has no time. Of one that only counts, by its
 * readings before and after, evenly between two of them. @known: FALSE, it tells neither; without samples it tells of no condition.
 */
gboolean gilk_hook_hits (GilkStore *store, const GilkStoredHook *hook, const GilkHitsAsk *ask, uint64_t *hits, gboolean *known,
                         GError **error);

G_END_DECLS

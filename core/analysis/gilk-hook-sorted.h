/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hook-sorted.h - a hook's values in ascending order, for what has to compare them all
 *
 * Threads: that of the store.
 */
#pragma once

#include "core/analysis/gilk-hook-stream.h"

G_BEGIN_DECLS

typedef struct {
  double  *values;          /* finite, ascending */
  gsize    n;
  guint    every;           /* each n-th value alone was taken: 1, unless there are too many */
  uint64_t cut;             /* intervals left out */
  double   mean;            /* of those taken */
} GilkSorted;

/* So many values at most, 64 MiB of them. */
#define GILK_SORTED_MAX (8u << 20)

gboolean gilk_hook_sorted  (GilkStore *store, const GilkStoredHook *hook, const GilkHookAsk *ask,
                            GilkSorted *sorted, GError **error);
void     gilk_sorted_clear (GilkSorted *sorted);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GilkSorted, gilk_sorted_clear)

G_END_DECLS

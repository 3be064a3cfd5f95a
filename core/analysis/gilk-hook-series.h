/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hook-series.h - what a hook measured over time, and where it did not
 *
 * The one place where a session's samples, counts, losses and on and off times become
 * what is plotted: the command line and the workbench show the same.
 *
 * Threads: that of the store. On failure @series is untouched.
 */
#pragma once

#include "core/analysis/gilk-gaps.h"
#include "core/store/gilk-store.h"

G_BEGIN_DECLS

typedef struct {
  GArray  *times;      /* double, seconds */
  GArray  *values;     /* double; NULL: times are of hits, to be drawn as their rate */
  GArray  *gaps;       /* GilkGap */
  uint64_t cut;        /* intervals left out, because something may be missing in them */
} GilkHookSeries;

void    gilk_hook_series_clear (GilkHookSeries *series);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GilkHookSeries, gilk_hook_series_clear)

/* Where the hook was not measured in a run of @duration seconds. (transfer full) */
GArray  *gilk_hook_gaps   (GilkStore *store, const GilkStoredHook *hook, double duration,
                           GError **error);
/* Hits per second: readings of a counter, or the hits themselves. */
gboolean gilk_hook_rate   (GilkStore *store, const GilkStoredHook *hook, double duration,
                           GilkHookSeries *series, GError **error);
/* @field: as of gilk_store_series(), or "interval". With @broken there is a NaN where a
 * gap lies between two values, for those who draw lines. */
gboolean gilk_hook_values (GilkStore *store, const GilkStoredHook *hook, double duration,
                           const char *field, gboolean broken, GilkHookSeries *series,
                           GError **error);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-samples-tiles.h - samples from afar: the least and the greatest of a thousand
 *
 * Kept with the samples, so that a plot of 10^8 of them reads tiles, and of samples only those that
 * can be told from each other.
 *
 * Threads: that of the store.
 */
#pragma once

#include "core/store/gilk-store.h"

G_BEGIN_DECLS

/* Of one CPU: nothing of it is outside of both ranges. */
typedef struct {
  gint64 from_ns, to_ns;    /* the times of its samples; to_ns is the last one's */
  double min, max;
  guint  n;
} GilkSampleTile;

typedef struct {
  /* Of each chunk first one tile of all of it. FALSE: it is too wide, and its parts are shown instead: groups of
   * tiles, tiles, samples in the end. */
  gboolean (*tile)    (const GilkSampleTile *tile, gpointer data);
  /* Samples of one CPU, in the order of recording; @n is some thousands at most. */
  void     (*samples) (const gint64 *t_ns, const double *values, guint n, gpointer data);
} GilkSampleViewer;

/**
 * gilk_samples_view:
 * @field: of numbers, or "time"
 * @from_ns, @to_ns: which samples, as of gilk_samples_set_range()
 * Shows each sample in the range once: in a tile that is all inside of it, or as it is. Samples too
 * short for the field are not shown. Chunks come by their earliest time.
 */
gboolean gilk_samples_view (GilkStore *store, const GilkStoredHook *hook, const char *field,
                            gint64 from_ns, gint64 to_ns, const GilkSampleViewer *viewer,
                            gpointer data, GError **error);

G_END_DECLS

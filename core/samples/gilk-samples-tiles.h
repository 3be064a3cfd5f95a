/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-samples-tiles.h - reads samples at low resolution: minimum and maximum of groups of up to
 * thousands of samples, and the distribution of a field's values
 *
 * Tiles and sketches are stored with the samples. A plot of 10^8 samples reads tiles, and
 * individual samples only where they are far enough apart to be distinguished.
 *
 * Threads: only the store's thread.
 */
#pragma once

#include "core/pack/gilk-sketch.h"
#include "core/store/gilk-store.h"

G_BEGIN_DECLS

/* A tile: consecutive samples of one CPU, reduced to their time range and value range. */
typedef struct {
  gint64 from_ns, to_ns;    /* times of the tile's first and last sample */
  double min, max;
  guint  n;
} GilkSampleTile;

typedef struct {
  /* Called first with one tile for each whole chunk. Must return FALSE if the tile's time range is
   * too wide to be drawn as one: then its parts are passed instead, first groups of tiles, then
   * tiles, finally samples. */
  gboolean (*tile)    (const GilkSampleTile *tile, gpointer data);
  /* Called with up to a few thousand samples of one CPU, in order of recording. */
  void     (*samples) (const gint64 *t_ns, const double *values, guint n, gpointer data);
} GilkSampleViewer;

/**
 * gilk_samples_view:
 * @field: a numeric field, or "time"
 * @from_ns, @to_ns: range of time, as for gilk_samples_set_range()
 * Passes each sample in the range exactly once to the viewer: in a tile within the range, or
 * individually. Samples too short for the field are left out. Chunks are in order of their
 * earliest time.
 */
gboolean gilk_samples_view (GilkStore *store, const GilkStoredHook *hook, const char *field,
                            gint64 from_ns, gint64 to_ns, const GilkSampleViewer *viewer,
                            gpointer data, GError **error);

/**
 * gilk_samples_sketch:
 * @field: a numeric field
 * @from_ns, @to_ns: range of time, as for gilk_samples_set_range()
 * @most: how many samples may be read individually: at the ends of the range, and from chunks that
 * are small or shared by hooks
 * Returns the distribution of the field's values, from the sketches stored with chunks. Samples too
 * short for the field are counted as ignored. Returns NULL without an error if more than @most
 * samples would have to be read. (transfer full)
 */
GilkSketch *gilk_samples_sketch (GilkStore *store, const GilkStoredHook *hook, const char *field, gint64 from_ns,
                                 gint64 to_ns, uint64_t most, GError **error);

G_END_DECLS

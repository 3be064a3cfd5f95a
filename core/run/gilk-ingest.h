/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-ingest.h - sample ingest: a queue that moves samples from the target's reader thread into
 * the session
 *
 * Threads: gilk_ingest_push() is for the target's reader thread. The queue has a thread of its own,
 * the writer, which takes samples out and stores them. Any thread may call the other functions,
 * unless a comment restricts it.
 */
#pragma once

#include "core/base/gilk-clock.h"
#include "core/run/gilk-field-stats.h"
#include "core/run/gilk-run-rows.h"

G_BEGIN_DECLS

typedef struct _GilkIngest GilkIngest;

GilkIngest *gilk_ingest_new   (GilkRunSession *session, const GilkRunRows *rows);
void        gilk_ingest_free  (GilkIngest *ingest);
/* Appends samples to the queue, and blocks while the queue is full. Has the type
 * GilkSamplesFunc. */
void        gilk_ingest_push  (guint cpu, const void *cells, gsize bytes, gpointer ingest);
/* Starts storing records. Time zero must be known. */
void        gilk_ingest_start (GilkIngest *ingest, gint64 run, const GilkClock *clock);
/* Accepts samples of new hooks, too: those whose rows were added to @rows. */
void        gilk_ingest_grow  (GilkIngest *ingest, const GilkRunRows *rows);
/* Stores all queued samples and ends the writer thread. No samples may come after this. */
void        gilk_ingest_close (GilkIngest *ingest);
/* Returns the error that made storing fail. (transfer full) (nullable) */
GError     *gilk_ingest_error (GilkIngest *ingest);

/* Returns how many records of a hook came in from a CPU. */
uint64_t    gilk_ingest_received     (GilkIngest *ingest, guint hook, guint cpu);
/* Returns the number of records with an unknown hook id. A correct driver produces none. */
uint64_t    gilk_ingest_unknown_iids (GilkIngest *ingest);
/* Returns the number of cells (ILK_CELL bytes each) received from all rings, without gap
 * records. */
uint64_t    gilk_ingest_cells        (GilkIngest *ingest);

/* Starts statistics of a field of the hook's samples, unless the field has them already. */
void        gilk_ingest_track_field  (GilkIngest *ingest, guint hook, const struct ilk_field *field);
/* Starts statistics of the fields that the hooks in rows @from and later of the run's plan have.
 * All calls of this function together start statistics of at most @max fields. Run's thread
 * only. */
void        gilk_ingest_track_rows   (GilkIngest *ingest, const GilkBoundPlan *rows, guint from, guint max);
/* Returns a copy of a field's distribution so far. @history: (out) (nullable). (transfer full)
 * (nullable): NULL for a field without statistics */
GilkSketch *gilk_ingest_sketch       (GilkIngest *ingest, guint hook, const char *field, GilkValueHistory **history);

/*
 * Claims the rings that samples come from, reads their state, and releases them.
 *
 * Whether a full ring ends a run depends on the plan's ring mode:
 *
 *   drop:       never: samples that do not fit are lost.
 *   stop:       when one ring is full: the agent freezes all rings, and each ring has the samples
 *               from before that time.
 *   overwrite:  never; when the run ends, or a hook triggers its end, the rings are frozen before
 *               anything else, so that they hold the last samples.
 *   fifo:       never: another program reads the rings.
 *
 * Threads: only the run's thread.
 */

typedef struct {
  GilkTarget       *target;       /* (unowned) */
  GilkRunSession   *session;      /* (unowned) */
  guint             mode;         /* ring mode of the plan with which the run starts */
  uint64_t          window_ns;
  gboolean          is_claimed;   /* the run has claimed the rings, which it does when it first has
                                   * a hook that takes samples */
  gboolean          is_frozen;    /* the rings were frozen, which is done in overwrite mode */
  struct gilk_rings now;          /* state of the rings in the target's last reply */
} GilkRunRings;

/* Returns TRUE if the rings currently overwrite the oldest samples. */
gboolean gilk_run_rings_overwrite (const GilkRunRings *rings);
/* Sets the size of the rings if hooks are BPF programs. Their code refers to a ring, so this must
 * be called before anything of the run is prepared. */
gboolean gilk_run_rings_reserve   (GilkRunRings *rings, const GilkBoundPlan *bound, GCancellable *cancellable,
                                   GError **error);
/* Claims the rings if a hook of @bound takes samples, unless the run has claimed them already. */
gboolean gilk_run_rings_claim     (GilkRunRings *rings, const GilkBoundPlan *bound, const struct ilk_info *info,
                                   GilkIngest *ingest, GCancellable *cancellable, GError **error);
/* Reads how full the rings are. */
gboolean gilk_run_rings_read      (GilkRunRings *rings, GError **error);
/* Freezes the rings, so that they keep the last samples. Must be called before disarming. */
gboolean gilk_run_rings_freeze    (GilkRunRings *rings, GError **error);
/* Releases the rings and waits for their last samples. @end: (out): totals, if the rings were
 * claimed */
gboolean gilk_run_rings_release   (GilkRunRings *rings, struct gilk_samples_end *end, GError **error);
/* Stops receiving samples at once, even if the target still sends some. */
void     gilk_run_rings_abandon   (GilkRunRings *rings);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-ingest.h - sample ingest: a queue from the target's reader thread into the session
 *
 * Threads: gilk_ingest_push() is for the target's reader thread. A thread of its own, the writer,
 * takes samples out and stores them. The rest is for any thread, as far as nothing else is said.
 */
#pragma once

#include "core/base/gilk-clock.h"
#include "core/run/gilk-field-stats.h"
#include "core/run/gilk-run-rows.h"

G_BEGIN_DECLS

typedef struct _GilkIngest GilkIngest;

GilkIngest *gilk_ingest_new   (GilkRunSession *session, const GilkRunRows *rows);
void        gilk_ingest_free  (GilkIngest *ingest);
/* A GilkSamplesFunc. Blocks while the queue is full. */
void        gilk_ingest_push  (guint cpu, const void *cells, gsize bytes, gpointer ingest);
/* Starts storing records. Time zero must be known. */
void        gilk_ingest_start (GilkIngest *ingest, gint64 run, const GilkClock *clock);
/* Takes over rows that were added. */
void        gilk_ingest_grow  (GilkIngest *ingest, const GilkRunRows *rows);
/* Stores what is queued and ends the writer thread. No samples may come after this. */
void        gilk_ingest_close (GilkIngest *ingest);
/* Returns the error that made storing fail. (transfer full) (nullable) */
GError     *gilk_ingest_error (GilkIngest *ingest);

/* Returns how many records came in from a hook on a CPU. */
uint64_t    gilk_ingest_received     (GilkIngest *ingest, guint hook, guint cpu);
/* Returns the number of records with an unknown hook id. The driver makes none. */
uint64_t    gilk_ingest_unknown_iids (GilkIngest *ingest);
/* Returns the cells received from all rings. Gap records take none. */
uint64_t    gilk_ingest_cells        (GilkIngest *ingest);

/* Sums up a field of the hook's samples from now on, unless it is summed up already. */
void        gilk_ingest_track_field  (GilkIngest *ingest, guint hook, const struct ilk_field *field);
/* Sums up fields of the rows from @from on, until that many, @max, have been requested this way in
 * all. Run's thread only. */
void        gilk_ingest_track_rows   (GilkIngest *ingest, const GilkBoundPlan *rows, guint from, guint max);
/* Returns a copy of the sums so far. @history: (out) (nullable). (transfer full) (nullable): NULL
 * if the field is not summed up */
GilkSketch *gilk_ingest_sketch       (GilkIngest *ingest, guint hook, const char *field, GilkValueHistory **history);

G_END_DECLS

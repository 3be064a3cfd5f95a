/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-export-private.h - declares the writers of the export formats, and helpers that they share
 */
#pragma once

#include "core/export/gilk-export.h"
#include "core/export/gilk-sink.h"
#include "core/samples/gilk-samples.h"
#include "core/store/gilk-store-notes.h"
#include "core/store/gilk-store.h"

/* ---- functions of gilk-export-job.c ---- */

/* Progress of an export job, counted in samples. */
typedef struct {
  GilkStore          *store;
  const GilkProgress *progress;
  uint64_t            done, all;   /* @done: number of samples read so far; @all: number of all
                                    * stored samples */
  gint64              reported_us; /* monotonic time of the last progress report, microseconds */
} GilkExportProgress;

void     gilk_export_progress_init (GilkExportProgress *pace, const GilkExportJob *job);
/* Adds @n samples to the progress, and reports it; call for each block of samples. Returns FALSE
 * if the job was cancelled. */
gboolean gilk_export_progress_add  (GilkExportProgress *pace, uint64_t n, GError **error);

/* Sets @samples to TRUE if the hook records samples, to FALSE if it only counts. */
gboolean gilk_export_has_samples  (const GilkExportJob *job, const GilkStoredHook *hook, gboolean *samples,
                                   GError **error);
/* Returns run time @t_ns converted to the target's CLOCK_MONOTONIC, clamped to that clock's
 * range. */
uint64_t gilk_export_clamped_time (const GilkStoredOrigin *origin, gint64 t_ns);
/* Sets @time to run time @t_ns converted to the target's CLOCK_MONOTONIC. Fails if the result is
 * out of that clock's range. */
gboolean gilk_export_time         (const GilkExportJob *job, const GilkStoredOrigin *origin, gint64 t_ns,
                                   uint64_t *time, GError **error);
/* Makes the run's UUID, which differs between runs, and is the same in each export of a run. */
void     gilk_export_uuid         (const GilkExportJob *job, uint8_t uuid[16]);

/* ---- notes and labels ---- */

/* Returns the notes that concern the job, in order of time; a note on the whole run gets the run's
 * start and end as its times. (transfer full) (element-type GilkStoredNote) */
GArray  *gilk_export_notes      (const GilkExportJob *job, GError **error);

/* Returns the label of the job's hook @id, or NULL if the job does not have this hook. */
const char *gilk_export_label   (const GilkExportJob *job, gint64 id);

/* ---- gilk-export-events.c: reads the samples of all instruments of a job in order of time ---- */

typedef struct {
  const char      *instrument;
  GArray          *fields;        /* (element-type GilkStoredField): fields of the instrument's
                                   * samples */
  GPtrArray       *columns;       /* field names with units */
  guint           *types;         /* type of each field: ILK_FIELD_* */
  gboolean         is_span;

  /* private: */
  GilkSamples     *samples;
  GilkSampleBlock  block;
  guint            at;
  gboolean         has;           /* a sample is left: the next sample is number @at in @block */
} GilkEventSource;

/* Consecutive samples of one source; valid until gilk_events_next() is called again. */
typedef struct {
  guint                  source;
  const GilkSampleBlock *block;
  guint                  from, to;
} GilkEventRun;

typedef struct {
  const GilkExportJob *job;
  GArray              *sources;   /* (element-type GilkEventSource): one for each instrument */
  GArray              *counting;  /* (element-type GilkStoredHook, strings borrowed): hooks that
                                   * only count */
  GArray              *counting_at;   /* (element-type guint): for each hook in @counting, its index
                                       * in the job's hooks */
  GilkHookIndex       *index;     /* index for finding a hook of the job by its id */
  GilkExportProgress       export_progress;
} GilkEvents;

GilkEvents *gilk_events_new  (const GilkExportJob *job, GError **error);
void        gilk_events_free (GilkEvents *events);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkEvents, gilk_events_free)

#define GILK_EVENT_SOURCE(events, i) (&g_array_index ((events)->sources, GilkEventSource, (i)))

/* Gets the next samples. Returns FALSE if no samples are left, or FALSE with @error on failure. */
gboolean gilk_events_next (GilkEvents *events, GilkEventRun *run, GError **error);
/* Returns the index of the field called @name, or -1. @text: TRUE: a text field; FALSE: a numeric
 * field */
int      gilk_event_source_field (const GilkEventSource *source, const char *name, gboolean text);
/* Returns whether the hook is at an exit of a function, where a call ends. */
gboolean gilk_export_is_exit (const GilkStoredHook *hook);

/* ---- functions that write a job in one format each ---- */

gboolean gilk_export_csv      (const GilkExportJob *job, GilkSink *sink, GError **error);
gboolean gilk_export_ndjson   (const GilkExportJob *job, GilkSink *sink, GError **error);
gboolean gilk_export_perfetto (const GilkExportJob *job, GilkSink *sink, GError **error);
gboolean gilk_export_stacks   (const GilkExportJob *job, GilkSink *sink, GError **error);
gboolean gilk_export_lcov     (const GilkExportJob *job, GilkSink *sink, GError **error);
gboolean gilk_export_ctf      (const GilkExportJob *job, const GilkPartFolder *folder, GError **error);
/* Patterns for the names of the files in a CTF folder. */
extern const char *const gilk_export_ctf_files[];

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-export.h - what a run recorded, in the formats of other programs: one table of them
 *
 * All are written as they are read, in memory that does not grow with the samples. What was lost
 * is in each that has a place for it. A file is whole or not there.
 *
 * Threads: that of the job's store.
 */
#pragma once

#include "core/base/gilk-progress.h"
#include "core/store/gilk-store.h"

G_BEGIN_DECLS

typedef enum {
  GILK_EXPORT_CHOOSES  = 1 << 0,  /* a range of time and conditions make sense */
  GILK_EXPORT_ALONE    = 1 << 1,  /* holds hooks of one instrument only */
  GILK_EXPORT_FOLDER   = 1 << 2,  /* a folder of several files, not one stream */
  GILK_EXPORT_WEIGHS   = 1 << 3,  /* by hits, by time or by what programs kept */
  GILK_EXPORT_SOURCES  = 1 << 4,  /* names files of disassembly, which it can write */
} GilkExportFlags;

typedef enum { GILK_EXPORT_HITS, GILK_EXPORT_TIME, GILK_EXPORT_KEPT } GilkExportWeight;

typedef struct {
  GilkStore            *store;
  const GilkStoredRun  *run;
  const GilkStoredHook *hooks;      /* of the run, by id */
  guint                 n_hooks;
  gint64                from_ns, to_ns;   /* from the one on, before the other */
  const char *const    *conditions; /* as gilk_samples_add_condition() has them; or NULL */
  GilkExportWeight      weight;
  const char           *kept;       /* of GILK_EXPORT_KEPT: the map by stacks */
  const char           *sources;    /* a folder for files of disassembly; or NULL: none are made */
  gboolean              replace;    /* what is there may be written over */
  const GilkProgress   *progress;
} GilkExportJob;

typedef struct {
  const char *name;               /* "csv" */
  const char *extension;          /* with its dot */
  const char *title;              /* for a list of formats; English, to be translated */
  const char *help;               /* one line; likewise */
  guint       flags;              /* GilkExportFlags */
} GilkExportFormat;

/* In the order in which to show them. */
const GilkExportFormat *gilk_export_format  (guint i);
guint                   gilk_export_n_formats (void);
/* NULL: there is none of that name. */
const GilkExportFormat *gilk_export_format_by_name (const char *name);

/* Sets up the job for all of @hooks (GilkStoredHook, of @run). */
void     gilk_export_job_init (GilkExportJob *job, GilkStore *store, const GilkStoredRun *run,
                               const GArray *hooks);
/* To a file, or a folder of that name. Not there if it fails, or as it was. */
gboolean gilk_export_to_path (const GilkExportFormat *format, const GilkExportJob *job,
                              const char *path, GError **error);
/* Takes all of @bytes, or sets @error. */
typedef gboolean (*GilkExportWrite) (gpointer data, const char *bytes, gsize n, GError **error);
/* What is one stream, piece by piece. */
gboolean gilk_export_to_stream (const GilkExportFormat *format, const GilkExportJob *job,
                                GilkExportWrite write, gpointer data, GError **error);

G_END_DECLS

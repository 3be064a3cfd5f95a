/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-export.h - exports a run in the formats of other programs, listed in one table
 *
 * All formats are written while samples are read; memory does not grow with the number of samples.
 * Losses are included wherever the format can express them. A file is complete or does not exist.
 *
 * Threads: only the thread of the job's store.
 */
#pragma once

#include "core/base/gilk-progress.h"
#include "core/store/gilk-store.h"

G_BEGIN_DECLS

typedef enum {
  GILK_EXPORT_CHOOSES  = 1 << 0,  /* the format can export only the samples in a range of time, or
                                   * those that meet conditions */
  GILK_EXPORT_ALONE    = 1 << 1,  /* all hooks in a file must have the same instrument */
  GILK_EXPORT_FOLDER   = 1 << 2,  /* the format is a folder of several files, not one stream */
  GILK_EXPORT_WEIGHS   = 1 << 3,  /* the values in the file can be hits, time or a program's map
                                   * (GilkExportWeight) */
  GILK_EXPORT_SOURCES  = 1 << 4,  /* the format refers to files of disassembly, which the export can
                                   * write */
} GilkExportFlags;

typedef enum { GILK_EXPORT_HITS, GILK_EXPORT_TIME, GILK_EXPORT_MAP } GilkExportWeight;

typedef struct {
  GilkStore            *store;
  const GilkStoredRun  *run;
  const GilkStoredHook *hooks;      /* hooks of the run, in order of their ids */
  guint                 n_hooks;
  gint64                from_ns, to_ns;   /* range of times to export; @from_ns is included, @to_ns
                                           * excluded */
  const char *const    *conditions; /* conditions as for gilk_samples_add_condition(); or NULL */
  GilkExportWeight      weight;
  const char           *map;        /* for weight GILK_EXPORT_MAP: name of the map whose keys are
                                     * stacks */
  const char           *sources;    /* folder for files of disassembly; NULL: none */
  gboolean              replace;    /* an existing file or folder may be overwritten */
  const GilkProgress   *progress;
} GilkExportJob;

typedef struct {
  const char *name;               /* "csv" */
  const char *extension;          /* extension of file names, including the dot */
  const char *title;              /* title in a list of formats; English, to be translated */
  const char *help;               /* description in one line; English, to be translated */
  guint       flags;              /* bits of GilkExportFlags */
} GilkExportFormat;

/* Return the format at index @i in display order, and the number of formats. */
const GilkExportFormat *gilk_export_format  (guint i);
guint                   gilk_export_n_formats (void);
/* Returns the format called @name, NULL if there is none. */
const GilkExportFormat *gilk_export_format_by_name (const char *name);

/* Initialises @job to export all of @hooks (element-type GilkStoredHook), which are hooks of
 * @run. */
void     gilk_export_job_init (GilkExportJob *job, GilkStore *store, const GilkStoredRun *run,
                               const GArray *hooks);
/* Writes the file or folder @path. On failure, an existing file is unchanged, and no new file
 * exists. */
gboolean gilk_export_to_path (const GilkExportFormat *format, const GilkExportJob *job,
                              const char *path, GError **error);
/* Writes all @n bytes at @bytes; returns FALSE with @error on failure. */
typedef gboolean (*GilkExportWrite) (gpointer data, const char *bytes, gsize n, GError **error);
/* Writes a format that consists of one stream, piece by piece. */
gboolean gilk_export_to_stream (const GilkExportFormat *format, const GilkExportJob *job,
                                GilkExportWrite write, gpointer data, GError **error);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-session-summaries.h - reads a summary of each session of a directory in a worker thread
 *
 * Summaries arrive on the main thread one by one, newest first, so that the first ones of a large
 * directory can be used immediately.
 */
#pragma once

#include <gio/gio.h>

typedef struct {
  char    *path;
  gint64   changed;            /* modification time of the file, seconds */
  guint64  bytes;
  guint    runs;
  char    *title, *target, *kernel;    /* title, target and kernel of the last run; "" if unknown */
  char    *started;            /* start of the last run, ISO 8601 */
  gboolean cut_off;            /* the last run has no end, although it is no longer being
                                * recorded */
  char    *problem;            /* why the file could not be read; NULL: it was read */
} GilkSessionSummary;

void gilk_session_summary_free (GilkSessionSummary *summary);

/* Receives the summary of a session. @summary: (transfer none) */
typedef void (*GilkSessionSummaryFunc) (const GilkSessionSummary *summary, gpointer user_data);

/* Calls @func for each session until all are read or @cancellable is cancelled; then calls
 * @done. */
void   gilk_session_summaries_read   (const char *folder, GCancellable *cancellable, GilkSessionSummaryFunc func,
                                      GAsyncReadyCallback done, gpointer user_data);
/* Returns the number of sessions; -1 with @error set if the directory cannot be read. */
gssize gilk_session_summaries_finish (GAsyncResult *result, GError **error);

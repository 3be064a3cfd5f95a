/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-session-export.h - what a run recorded, written off the main thread
 */
#pragma once

#include <gio/gio.h>

#include "core/export/gilk-export.h"

G_BEGIN_DECLS

typedef struct {
  const char             *session;   /* its file */
  gint64                  run;
  gint64                  hook;      /* 0: all of the run */
  const GilkExportFormat *format;
  const char             *path;      /* of the new file or folder */
  gboolean                replace;   /* what is there may be written over */
} GilkSessionExport;

/* @wanted is copied. @permille: (nullable): how far it is, -1 while nobody knows; written by another
 * thread, to be read atomically, there until the end. */
void     gilk_session_export_async  (const GilkSessionExport *wanted, int *permille,
                                     GCancellable *cancellable, GAsyncReadyCallback callback,
                                     gpointer user_data);
gboolean gilk_session_export_finish (GAsyncResult *result, GError **error);

G_END_DECLS

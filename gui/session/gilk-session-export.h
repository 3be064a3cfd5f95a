/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-session-export.h - exports recorded data off the main thread
 */
#pragma once

#include <gio/gio.h>

#include "core/export/gilk-export.h"

G_BEGIN_DECLS

typedef struct {
  const char             *session;   /* path of the session file */
  gint64                  run;
  gint64                  hook;      /* 0: the whole run */
  const GilkExportFormat *format;
  const char             *path;      /* of the new file or folder */
  gboolean                replace;   /* existing files may be overwritten */
} GilkSessionExport;

/* @wanted: copied. @permille: (nullable): progress, -1 while unknown; another thread writes it, so
 * read it atomically; must stay valid until the end. */
void     gilk_session_export_async  (const GilkSessionExport *wanted, int *permille,
                                     GCancellable *cancellable, GAsyncReadyCallback callback,
                                     gpointer user_data);
gboolean gilk_session_export_finish (GAsyncResult *result, GError **error);

G_END_DECLS

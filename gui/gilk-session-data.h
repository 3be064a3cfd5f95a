/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-session-data.h - what a session file holds, read off the main thread
 *
 * Each job opens the file for itself, so that a file can be looked at while a
 * run is still writing into it.
 */
#pragma once

#include <gio/gio.h>

#include "core/store/gilk-store.h"
#include "gui/gilk-plot-view.h"

G_BEGIN_DECLS

typedef struct {
  GilkStoredRun  run;          /* borrowed from the session's runs */
  GArray        *hooks;        /* GilkStoredHook */
  GPtrArray     *fields;       /* per hook: GArray of GilkStoredField */
  GArray        *functions;    /* GilkStoredFunction: those with a recorded graph */
} GilkSessionRun;

typedef struct {
  char      *path;
  GArray    *stored;           /* GilkStoredRun */
  GArray    *runs;             /* GilkSessionRun, newest first */
} GilkSession;

void         gilk_session_free        (GilkSession *session);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkSession, gilk_session_free)
void         gilk_session_open_async  (const char *path, GCancellable *cancellable,
                                       GAsyncReadyCallback callback, gpointer user_data);
GilkSession *gilk_session_open_finish (GAsyncResult *result, GError **error);

typedef enum {
  GILK_QUANTITY_RATE,          /* hits over time */
  GILK_QUANTITY_INTERVAL,      /* time between hits: a distribution */
  GILK_QUANTITY_FIELD,         /* a numeric field: a distribution */
  GILK_QUANTITY_FIELD_SERIES,  /* the same over time */
  GILK_QUANTITY_GROUPS,        /* hits by value of a field */
} GilkQuantity;

/* @hook, @field are copied. Result: a plot, with a message in it if there is nothing to draw. */
void          gilk_session_plot_async  (GilkSession *session, const GilkStoredHook *hook, double duration,
                                        GilkQuantity quantity, const GilkStoredField *field,
                                        gboolean log_x, GCancellable *cancellable,
                                        GAsyncReadyCallback callback, gpointer user_data);
GilkPlotData *gilk_session_plot_finish (GAsyncResult *result, GError **error);

/* All rows of a hook as CSV. */
void          gilk_session_csv_async   (GilkSession *session, const GilkStoredHook *hook, const char *path,
                                        GCancellable *cancellable, GAsyncReadyCallback callback,
                                        gpointer user_data);
gboolean      gilk_session_csv_finish  (GAsyncResult *result, GError **error);

G_END_DECLS

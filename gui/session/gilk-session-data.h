/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-session-data.h - reads a session file off the main thread
 *
 * Each job opens the file itself, so that a file can be viewed while a run is still writing to it.
 */
#pragma once

#include <gio/gio.h>

#include "core/store/gilk-store-clock.h"
#include "core/store/gilk-store-cost.h"
#include "core/store/gilk-store-notes.h"
#include "core/store/gilk-store-program.h"
#include "gui/plot/gilk-plot-view.h"

G_BEGIN_DECLS

typedef struct {
  GilkStoredRun  run;          /* strings borrowed from @stored of the session */
  GArray        *hooks;        /* GilkStoredHook */
  GPtrArray     *fields;       /* per hook: GArray of GilkStoredField */
  GArray        *functions;    /* GilkStoredFunction: those with a recorded graph */
  GArray        *costs;        /* GilkStoredCost: measured costs per hit */
  GArray        *notes;        /* GilkStoredNote */
  GArray        *maps;         /* GilkStoredMapDecl: maps of its hooks' programs */
  GilkStoredClock clock;
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

/* @hook, @field, @condition (which samples; nullable): copied. @from, @to: seconds of the run, NaN:
 * all. @there: (nullable): a hook of @comparison, drawn for comparison. Result: bars, or a message if
 * there is nothing to draw. */
void          gilk_session_groups_async  (const GilkSession *session, const GilkStoredHook *hook, const char *field, double from, double to,
                                          const char *condition, const GilkSession *comparison, const GilkStoredHook *there,
                                          GCancellable *cancellable, GAsyncReadyCallback callback,
                                          gpointer user_data);
GilkPlotData *gilk_session_groups_finish (GAsyncResult *result, GError **error);

G_END_DECLS

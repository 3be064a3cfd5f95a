/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-session.h - reads and changes a session file off the main thread
 *
 * Each job opens the file itself, so that a file can be viewed while a run is still writing to it.
 */
#pragma once

#include <gio/gio.h>

#include "core/analysis/gilk-hook-perturbation.h"
#include "core/export/gilk-export.h"
#include "core/figure/gilk-figure-compare.h"
#include "core/samples/gilk-rows.h"
#include "core/samples/gilk-store-accesses.h"
#include "core/store/gilk-store-clock.h"
#include "core/store/gilk-store-cost.h"
#include "core/store/gilk-store-notes.h"
#include "core/store/gilk-store-program.h"
#include "gui/plot/gilk-plot-data.h"

typedef struct {
  GilkStoredRun  run;          /* strings borrowed from @stored of the session */
  GArray        *hooks;        /* GilkStoredHook */
  GPtrArray     *fields;       /* per hook: GArray of GilkStoredField */
  GArray        *functions;    /* GilkStoredFunction: functions with a recorded graph */
  GArray        *costs;        /* GilkStoredCost: measured costs per hit */
  GArray        *notes;        /* GilkStoredNote */
  GArray        *maps;         /* GilkStoredMapDecl: maps of the hooks' programs */
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

/* Counts how many hits had each value of @field, as bars. @hook, @field, @condition (nullable):
 * copied. @condition selects samples. @from, @to: seconds of the run, NaN: all. @there: (nullable):
 * a hook of the session @comparison, of which the same bars are made. Result: bars, or a message if
 * there is nothing to draw. */
void          gilk_session_groups_async  (const GilkSession *session, const GilkStoredHook *hook, const char *field, double from, double to,
                                          const char *condition, const GilkSession *comparison, const GilkStoredHook *there,
                                          GCancellable *cancellable, GAsyncReadyCallback callback,
                                          gpointer user_data);
GilkPlotData *gilk_session_groups_finish (GAsyncResult *result, GError **error);

/* ---- figures of samples ---- */

/* A hook to draw. */
typedef struct {
  const GilkStoredHook *hook;
  const char           *name;      /* name in the legend */
} GilkSessionPick;

/* Hooks of another session, to be drawn for comparison on the same axes. */
typedef struct {
  GilkSession           *session;
  const GilkSessionPick *picks;
  guint                  n;
} GilkSessionComparison;

/* Called with a preliminary figure (transfer full). */
typedef void (*GilkSessionPreviewFunc) (GCancellable *cancellable, GilkFigure *figure, gpointer user_data);

/**
 * gilk_session_figure_async:
 * @split: (nullable): a field, or "cpu": a curve for each of its values; only for a single hook
 * @condition: (nullable): which samples to use, see gilk_samples_add_condition()
 * @subtract_cost: subtracts the cost of a hit from intervals; refused if the cost was not measured
 * @ask: kind and settings of the figure; its counter of samples read, if any, must be a
 * g_atomic_rc_box
 * @comparison: (nullable): hooks of another session, of which the same figure is made; must not be
 * combined with @split, and @preview is then not called
 * @preview: called at most once, before @callback and with its user data.
 *
 * Computes a figure of the hooks @picks. All arguments are copied. Result: a figure, which has a
 * message if there is nothing to draw or the request is refused.
 */
void        gilk_session_figure_async  (GilkSession *session, const GilkFigureAsk *ask,
                                        const GilkSessionPick *picks, guint n, const GilkSessionComparison *comparison, const char *split,
                                        const char *condition, gboolean subtract_cost, GCancellable *cancellable, GilkSessionPreviewFunc preview,
                                        GAsyncReadyCallback callback, gpointer user_data);
/* Returns the figure. @comparison: (out) (transfer full) (nullable): figure of the compared
 * session */
GilkFigure *gilk_session_figure_finish (GAsyncResult *result, GilkFigure **comparison, GError **error);
/**
 * gilk_session_distance_async:
 * @figure: a result of gilk_session_figure_async(), whose cancellable also cancels this
 * computation.
 *
 * Computes how much the distributions of the figure's two series differ. Result: their comparison;
 * may be NULL without an error.
 */
void        gilk_session_distance_async  (GAsyncResult *figure, GAsyncReadyCallback callback, gpointer user_data);
GilkFigureCompared *gilk_session_distance_finish (GAsyncResult *result, GError **error);

/* ---- maps of a hook's program ---- */

/**
 * gilk_session_map_async:
 * @log_x: logarithmic x axis of a histogram
 * @log_y: logarithmic y axis of a histogram.
 *
 * Plots the map @name of the program of @hook; both are copied. Result: a figure if the map is a
 * histogram; bars for the keys of a map with keys, or for the CPUs of a counter; or a message if
 * there is nothing to draw.
 */
void          gilk_session_map_async  (GilkSession *session, const GilkStoredHook *hook, const char *name,
                                       gboolean log_x, gboolean log_y, GCancellable *cancellable,
                                       GAsyncReadyCallback callback, gpointer user_data);
GilkPlotData *gilk_session_map_finish (GAsyncResult *result, GError **error);

/* Returns the map @name of the program of @hook; NULL: there is none. (nullable) */
const GilkStoredMapDecl *gilk_session_find_map (const GilkSessionRun *run, const GilkStoredHook *hook, const char *name);

/* ---- table of samples ---- */

/* Reads samples into a table. @from, @to: seconds of the run; NaN: all. @limit: maximum number of
 * rows. All arguments are copied. */
void             gilk_session_samples_async  (const char *path, const GilkStoredHook *hook, double from, double to,
                                              const char *const *conditions, guint limit, GCancellable *cancellable,
                                              GAsyncReadyCallback callback, gpointer user_data);
GilkRowsTable *gilk_session_samples_finish (GAsyncResult *result, GError **error);

/* ---- accesses seen by a watchpoint ---- */

/* Reads the accesses seen by the watchpoint @hook (copied). Result: (element-type GilkAccessor),
 * the most frequent accesses first */
void    gilk_session_accesses_async  (const char *path, const GilkStoredHook *hook, GCancellable *cancellable,
                                      GAsyncReadyCallback callback, gpointer user_data);
GArray *gilk_session_accesses_finish (GAsyncResult *result, GError **error);

/* ---- writing notes ---- */

/* Writes @note (copied) to the session at @path; with @remove, removes @note from the session. */
void    gilk_session_note_async  (const char *path, const GilkStoredNote *note, gboolean remove, GCancellable *cancellable,
                                  GAsyncReadyCallback callback, gpointer user_data);
/* Returns the notes of the run after the change, and sets @id to the id of the changed note.
 * (transfer full) (element-type GilkStoredNote). NULL: nothing was written. */
GArray *gilk_session_note_finish (GAsyncResult *result, gint64 *id, GError **error);

/* ---- the effect of a run's switched hooks ---- */

/* The measured effect of hooks, as "gilk report --perturbation" prints it, computed from all
 * samples of the control hook. */
typedef struct {
  char       *refusal;         /* one or two sentences that say why @effect is NULL */
  GilkEffect *effect;          /* the measured effect; NULL: @refusal says why there is none */
} GilkSessionEffect;

void gilk_session_effect_free (GilkSessionEffect *effect);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkSessionEffect, gilk_session_effect_free)

/**
 * gilk_session_effect_async:
 * @hook: id of a control hook; 0: the control hook with most samples
 * @field: (nullable): a numeric field, or "interval".
 *
 * Computes the effect of the hooks that were switched off and on during the run, as seen by the
 * control hook, which stayed armed. All arguments are copied.
 */
void gilk_session_effect_async (const char *path, gint64 run, gint64 hook, const char *field,
                                GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
GilkSessionEffect *gilk_session_effect_finish (GAsyncResult *result, GError **error);

/* ---- export of recorded data ---- */

typedef struct {
  const char             *session;   /* path of the session file */
  gint64                  run;
  gint64                  hook;      /* id of the hook; 0: the whole run */
  const GilkExportFormat *format;
  const char             *path;      /* path of the new file or folder */
  gboolean                replace;   /* existing files may be overwritten */
} GilkSessionExport;

/* Exports @wanted (copied). @permille: (nullable): progress, -1 while unknown; another thread
 * writes it, so read it atomically. It must stay valid until the task ends. */
void     gilk_session_export_async  (const GilkSessionExport *wanted, int *permille,
                                     GCancellable *cancellable, GAsyncReadyCallback callback,
                                     gpointer user_data);
gboolean gilk_session_export_finish (GAsyncResult *result, GError **error);

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-session-figure.h - computes figures of a session off the main thread
 */
#pragma once

#include "core/figure/gilk-figure-compare.h"
#include "gui/session/gilk-session-data.h"

G_BEGIN_DECLS

typedef struct {
  const GilkStoredHook *hook;
  const char           *name;      /* in the legend */
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
 * @split: (nullable): a field, or "cpu": a curve for each of its values, of the single hook picked
 * @condition: (nullable): which samples, see gilk_samples_add_condition()
 * @subtract_cost: subtracts the cost of a hit from intervals; refused if it was not measured
 * @ask: its counter of samples, if any, must be an atomic box (GLib's)
 * @comparison: (nullable): hooks of another session for comparison, without @split and @preview
 * @preview: called at most once, before @callback and with its user data
 *
 * All arguments are copied. Result: a figure, which has a message if there is nothing to draw or
 * the request is refused.
 */
void        gilk_session_figure_async  (GilkSession *session, const GilkFigureAsk *ask,
                                        const GilkSessionPick *picks, guint n, const GilkSessionComparison *comparison, const char *split,
                                        const char *condition, gboolean subtract_cost, GCancellable *cancellable, GilkSessionPreviewFunc preview,
                                        GAsyncReadyCallback callback, gpointer user_data);
/* @comparison: (out) (transfer full) (nullable): the figure of the compared session */
GilkFigure *gilk_session_figure_finish (GAsyncResult *result, GilkFigure **comparison, GError **error);
/**
 * gilk_session_distance_async:
 * @figure: a result of gilk_session_figure_async(), whose cancellable cancels this as well
 *
 * Result: the comparison of the figure's two series; may be NULL without an error.
 */
void        gilk_session_distance_async  (GAsyncResult *figure, GAsyncReadyCallback callback, gpointer user_data);
GilkFigureCompared *gilk_session_distance_finish (GAsyncResult *result, GError **error);

G_END_DECLS

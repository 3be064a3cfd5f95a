/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-session-figure.h - figures of a session, made off the main thread
 */
#pragma once

#include "core/analysis/gilk-figure-compare.h"
#include "gui/gilk-session-data.h"

G_BEGIN_DECLS

typedef struct {
  const GilkStoredHook *hook;
  const char           *name;      /* in the legend */
} GilkSessionPick;

/* Of another session, to be made beside it on the same axes. */
typedef struct {
  GilkSession           *session;
  const GilkSessionPick *picks;
  guint                  n;
} GilkSessionBeside;

/* What is there to look at until the figure is: @figure is (transfer full). */
typedef void (*GilkSessionFigureSoon) (GCancellable *cancellable, GilkFigure *figure, gpointer user_data);

/**
 * gilk_session_figure_async:
 * @split: (nullable): a field, or "cpu": a curve for each value of it, of the one hook picked
 * @condition: (nullable): which samples, as of gilk_samples_add_condition()
 * @subtract_cost: takes what a hit costs off intervals; refused where that was not measured
 * @ask: what it counts samples in, if it does, is in an atomic box (GLib's)
 * @beside: (nullable): what is made with it, without @split and @soon
 * @soon: called before @callback, with its user data, or not at all
 * All is copied. Result: a figure, with a message in it where there is nothing to draw or where it is
 * refused.
 */
void        gilk_session_figure_async  (GilkSession *session, const GilkFigureAsk *ask,
                                        const GilkSessionPick *picks, guint n, const GilkSessionBeside *beside, const char *split,
                                        const char *condition, gboolean subtract_cost, GCancellable *cancellable, GilkSessionFigureSoon soon,
                                        GAsyncReadyCallback callback, gpointer user_data);
/* @beside: (out) (transfer full) (nullable): that beside it */
GilkFigure *gilk_session_figure_finish (GAsyncResult *result, GilkFigure **beside, GError **error);
/**
 * gilk_session_distance_async:
 * @figure: a result of the above, whose cancellable ends this, too
 * Result: the two that it shows against each other; NULL also without an error.
 */
void        gilk_session_distance_async  (GAsyncResult *figure, GAsyncReadyCallback callback, gpointer user_data);
GilkFigureCompared *gilk_session_distance_finish (GAsyncResult *result, GError **error);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plot-panel.h - one plot panel of the results page: its request and its plot
 *
 * The first panel shows what the toolbar selects; each other panel has settings of its own. All
 * share one selection of time and values, and each reads samples with a task of its own.
 */
#pragma once

#include "gui/plot/gilk-plot-progress.h"
#include "gui/results/gilk-results-comparison.h"
#include "gui/results/gilk-results-private.h"

G_BEGIN_DECLS

/* Settings of a panel other than the first. */
typedef struct {
  GilkFigureKind kind;              /* GILK_FIGURE_N_KINDS: no plot */
  char          *field;             /* NULL: that of the first panel, or one that suits the kind */
  gboolean       own_axes, log_x, log_y;
} GilkPlotSettings;

struct _GilkPlotPanel {
  GilkResultsView *view;
  guint            index;
  GtkWidget       *place;              /* contains the plot and its comparison plot */
  GtkOverlay      *overlay;
  GilkPlotView    *plot;
  GtkWidget       *compared_frame;
  GilkPlotView    *compared_plot;      /* the same plot of the compared session */
  GilkPlotProgress *progress;
  /* Request */
  GilkFigureKind   kind;               /* GILK_FIGURE_N_KINDS: no figure, but possibly bars */
  const char      *field;              /* interned; NULL: hits */
  gboolean         log_x, log_y;
  /* Current plot: cache key, and what its x axis depends on */
  GCancellable    *cancellable;
  char            *key, *axis;
  gboolean         failed;
  gboolean         reading, must_wait; /* samples are being read; waiting for earlier panels */
  /* Panels other than the first */
  GilkPlotSettings  settings;
  GActionMap      *actions;
  GMenu           *fields;             /* section of its menu */
  char            *fields_of;
};

/* ---- gilk-plot-panel.c ---- */
GilkFigureAsk gilk_plot_panel_make_query   (GilkPlotPanel *panel);
/* Returns FALSE if the axis cannot be zoomed. */
gboolean      gilk_plot_panel_zoom_axis    (GilkPlotPanel *panel, GilkSelectionAxis *axis);
/* Draws the requested figure once it is ready, and cancels an earlier computation. Samples are read
 * after the earlier panels of the page are ready. */
void          gilk_plot_panel_draw         (GilkPlotPanel *panel);
/* Requests the plot that depends on @key. Returns FALSE if it is shown or being computed already,
 * TRUE if the caller must compute it. */
gboolean      gilk_plot_panel_request      (GilkPlotPanel *panel, const char *key);
/* Starts a computation, which must stop when the returned object is cancelled. @read, @to_read: see
 * gilk_plot_progress_start(). (transfer none) */
GCancellable *gilk_plot_panel_start        (GilkPlotPanel *panel, gsize *read, uint64_t to_read);
/* @plot: (transfer full) (nullable): NULL: see @error. The result of a cancelled
 * computation is ignored. */
void          gilk_plot_panel_finish       (GilkResultsView *self, GAsyncResult *result, GilkPlotData *plot, const GError *error);
/* Cancels the computation and drops the key, so that the next draw requests the plot again. */
void          gilk_plot_panel_cancel       (GilkPlotPanel *panel);
/* Shows @plot instead of the requested one. (transfer full) */
void          gilk_plot_panel_show_plot    (GilkPlotPanel *panel, GilkPlotData *plot);
void          gilk_plot_panel_show_message (GilkPlotPanel *panel, const char *message);

/* ---- gilk-results-page.c ---- */
/* Returns TRUE if an earlier panel of the page is not ready; this one is drawn after it. */
gboolean      gilk_results_panel_must_wait   (GilkPlotPanel *panel);

/* ---- gilk-plot-settings.c ---- */
/* Parses settings such as "spectrum" or "histogram size x"; the axes come last, if they are its
 * own. Invalid text means no plot. */
void       gilk_plot_settings_parse        (GilkPlotSettings *wish, const char *text);
char      *gilk_plot_settings_format       (const GilkPlotSettings *wish);
/* Chooses the panel's plot from its settings; if another panel shows the same, the next best one. */
void       gilk_plot_panel_choose_plot     (GilkPlotPanel *panel);
/* Returns the menu button in the panel's corner. */
GtkWidget *gilk_plot_panel_new_menu_button (GilkPlotPanel *panel);

G_END_DECLS

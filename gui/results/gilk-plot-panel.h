/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plot-panel.h - one plot panel of the results page: its request and its plot
 *
 * The first panel shows what the toolbar selects; each other panel has settings of its own. All
 * panels show the same selected range of time and values. Each reads its samples with a task of its
 * own.
 */
#pragma once

#include "gui/plot/gilk-plot-data.h"
#include "gui/plot/gilk-plot-view.h"
#include "gui/results/gilk-results-choice.h"

#define GILK_PLOT_PANELS 3          /* number of panels: the first and those below it */

typedef struct _GilkPlotPanel GilkPlotPanel;

/* State shared by the panels of a page. It is reference-counted (g_rc_box), and running tasks hold
 * references to it. */
typedef struct {
  GtkWidget         *page;          /* GilkResultsPage that emits the signals; NULL: destroyed */
  GilkResultsChoice *choice;
  GilkPlotCache     *cache;         /* drawn plots */
  GilkPlotPanel     *panels[GILK_PLOT_PANELS];
  guint              next_source;   /* idle source that draws the next panel */
  gboolean           range_only;    /* since the last draw, only the range that is visible has
                                     * changed, not the choice of plots */
  GSettings         *settings;      /* (nullable) */
  void             (*update) (GtkWidget *page);   /* draws the panels after their settings changed */
} GilkPlotPanels;

void gilk_plot_panels_unref (GilkPlotPanels *shared);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkPlotPanels, gilk_plot_panels_unref)

/* Settings of a panel below the first. */
typedef struct {
  GilkFigureKind kind;              /* kind of figure; GILK_FIGURE_N_KINDS: the panel is without a
                                     * plot */
  char          *field;             /* field to plot; NULL: the first panel's field, or a suitable
                                     * one */
  gboolean       own_axes, log_x, log_y;
} GilkPlotSettings;

struct _GilkPlotPanel {
  GilkPlotPanels  *shared;
  guint            index;
  GtkWidget       *place;              /* container of the plot and its comparison plot */
  GtkOverlay      *overlay;
  GilkPlotView    *plot;
  GtkWidget       *compared_frame;
  GilkPlotView    *compared_plot;      /* the same plot of the compared session */
  GilkPlotProgress *progress;
  /* Request */
  /* Kind of figure; GILK_FIGURE_N_KINDS: no figure; the panel may show bars instead. */
  GilkFigureKind   kind;
  const char      *field;              /* field that is plotted, interned; NULL: hits */
  gboolean         log_x, log_y;
  /* Current plot: @key identifies the plot in the cache; while @axis stays the same, the x axis
   * keeps its full range */
  GCancellable    *cancellable;
  char            *key, *axis;
  gboolean         failed;
  /* @reading: the panel is reading samples. @must_wait: the panel waits for earlier panels. */
  gboolean         reading, must_wait;
  /* Used by all panels but the first: */
  GilkPlotSettings  settings;
  GActionMap      *actions;
  GMenu           *fields;             /* section with fields in the panel's menu */
  char            *fields_of;
};

/* ---- functions of gilk-plot-panel.c ---- */
/* Gets what a zoom into the plot selects: a range of time, a range of values, or nothing (only the
 * view changes). Returns FALSE if the plot cannot be zoomed. */
gboolean      gilk_plot_panel_zoom_axis    (GilkPlotPanel *panel, GilkSelectionAxis *axis);
/* Requests the panel's figure, and cancels the computation of an earlier one; the figure is drawn
 * once it is computed. The samples are read only after the earlier panels of the page have read
 * theirs. */
void          gilk_plot_panel_draw         (GilkPlotPanel *panel);
/* Requests the plot that @key identifies. Returns FALSE if that plot is shown already or is being
 * computed, TRUE if the caller must compute it. */
gboolean      gilk_plot_panel_request      (GilkPlotPanel *panel, const char *key);
/* Starts to show the progress of a computation, which the caller must stop when the returned object
 * is cancelled. @read, @to_read: see gilk_plot_progress_start(). (transfer none) */
GCancellable *gilk_plot_panel_start        (GilkPlotPanel *panel, gsize *read, uint64_t to_read);
/* Ends a computation and shows @plot (transfer full) (nullable) or, if it is NULL, @error. Ignores
 * the result of a cancelled computation. */
void          gilk_plot_panel_finish       (GilkPlotPanels *shared, GAsyncResult *result, GilkPlotData *plot, const GError *error);
/* Cancels the computation of the plot, and forgets which plot was requested, so that the next draw
 * requests it again. */
void          gilk_plot_panel_cancel       (GilkPlotPanel *panel);
/* Shows @plot instead of the requested plot. (transfer full) */
void          gilk_plot_panel_show_plot    (GilkPlotPanel *panel, GilkPlotData *plot);
void          gilk_plot_panel_show_message (GilkPlotPanel *panel, const char *message);

gboolean      gilk_plot_panel_is_cancelled (const GError *error);
/* Returns a plot that contains only the message that the compared run does not have the hook.
 * (transfer full) */
GilkPlotData *gilk_plot_panel_new_missing  (GilkResultsChoice *choice);

/* ---- functions of gilk-plot-bars.c ---- */
/* Draws the first plot if it is not a figure of samples: all hooks of the run, hits by value, or a
 * map. */
void          gilk_plot_panel_draw_bars    (GilkPlotPanel *first);
/* Returns the hook whose bar is at @y of the overview; -1: none. */
int           gilk_plot_panel_hook_at      (GilkPlotPanel *first, double y);

/* ---- functions of gilk-plot-settings.c ---- */
/* Loads the settings of the panels below the first. */
void       gilk_plot_panels_load_settings  (GilkPlotPanels *shared);
/* Chooses the panel's plot from its settings. If another panel shows the same plot already, chooses
 * the next one in the order of preference. */
void       gilk_plot_panel_choose_plot     (GilkPlotPanel *panel);
/* Returns the menu button in the panel's corner. */
GtkWidget *gilk_plot_panel_new_menu_button (GilkPlotPanel *panel);

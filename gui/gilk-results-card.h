/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-results-card.h - one plot panel of the results page: its request and its plot
 *
 * The first panel shows what the toolbar selects; each other panel has settings of its own. All
 * share one selection of time and values, and each reads samples with a task of its own.
 */
#pragma once

#include "gui/gilk-plot-waiting.h"
#include "gui/gilk-results-beside.h"
#include "gui/gilk-results-private.h"

G_BEGIN_DECLS

/* Settings of a panel other than the first. */
typedef struct {
  GilkFigureKind kind;              /* GILK_FIGURE_N_KINDS: no plot */
  char          *field;             /* NULL: that of the first panel, or one that suits the kind */
  gboolean       own_axes, log_x, log_y;
} GilkResultsWish;

struct _GilkResultsCard {
  GilkResultsView *view;
  guint            index;
  GtkWidget       *place;           /* contains the plot and its comparison plot */
  GtkOverlay      *overlay;
  GilkPlotView    *plot;
  GtkWidget       *twin_frame;
  GilkPlotView    *twin;            /* the same plot of the compared session */
  GilkPlotWaiting *waiting;
  /* Request */
  GilkFigureKind   kind;            /* GILK_FIGURE_N_KINDS: no figure, but possibly bars */
  const char      *field;           /* interned; NULL: hits */
  gboolean         log_x, log_y;
  /* Current plot: cache key, and what its x axis depends on */
  GCancellable    *making;
  char            *key, *axis;
  gboolean         failed;
  gboolean         reading, waits;  /* samples are being read; waiting for earlier panels */
  /* Panels other than the first */
  GilkResultsWish  wish;
  GActionMap      *actions;
  GMenu           *fields;          /* section of its menu */
  char            *fields_of;
};

/* ---- gilk-results-card.c ---- */
GilkFigureAsk gilk_results_card_ask   (GilkResultsCard *card);
/* Returns FALSE if the axis cannot be zoomed. */
gboolean      gilk_results_card_axis  (GilkResultsCard *card, GilkLookAxis *axis);
/* Draws the requested figure once it is ready, and cancels an earlier computation. Samples are read
 * after the earlier panels of the page are ready. */
void          gilk_results_card_draw  (GilkResultsCard *card);
/* Requests the plot that depends on @key. Returns FALSE if it is shown or being computed already,
 * TRUE if the caller must compute it. */
gboolean      gilk_results_card_want  (GilkResultsCard *card, const char *key);
/* Starts a computation, which must stop when the returned object is cancelled. @read, @to_read: see
 * gilk_plot_waiting_begin(). (transfer none) */
GCancellable *gilk_results_card_begin (GilkResultsCard *card, gsize *read, uint64_t to_read);
/* @plot: (transfer full) (nullable): NULL: see @error. The result of a cancelled
 * computation is ignored. */
void          gilk_results_card_made  (GilkResultsView *self, GAsyncResult *result, GilkPlotData *plot, const GError *error);
/* Cancels the computation and drops the key, so that the next draw requests the plot again. */
void          gilk_results_card_stop  (GilkResultsCard *card);
/* Shows @plot instead of the requested one. (transfer full) */
void          gilk_results_card_put   (GilkResultsCard *card, GilkPlotData *plot);
void          gilk_results_card_say   (GilkResultsCard *card, const char *message);

/* ---- gilk-results-page.c ---- */
/* Returns TRUE if an earlier panel of the page is not ready; this one is drawn after it. */
gboolean      gilk_results_wait_turn   (GilkResultsCard *card);

/* ---- gilk-results-wish.c ---- */
/* Parses settings such as "spectrum" or "histogram size x"; the axes come last, if they are its
 * own. Invalid text means no plot. */
void          gilk_results_wish_parse  (GilkResultsWish *wish, const char *text);
char         *gilk_results_wish_text   (const GilkResultsWish *wish);
/* Chooses the panel's plot from its settings; if another panel shows the same, the next best one. */
void          gilk_results_card_choose (GilkResultsCard *card);
/* Returns the menu button in the panel's corner. */
GtkWidget    *gilk_results_card_menu   (GilkResultsCard *card);

G_END_DECLS

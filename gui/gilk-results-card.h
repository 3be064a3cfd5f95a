/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-results-card.h - one of the plots of the page of results: its question, and what becomes of it
 *
 * The first one is asked what the toolbar says, each other one has a question of its own. All look at the same time and values,
 * and each reads samples with a task of its own.
 */
#pragma once

#include "gui/gilk-plot-waiting.h"
#include "gui/gilk-results-beside.h"
#include "gui/gilk-results-private.h"

G_BEGIN_DECLS

/* What is wanted of one that is not the first. */
typedef struct {
  GilkFigureKind kind;              /* GILK_FIGURE_N_KINDS: no plot */
  char          *field;             /* NULL: as the first one has it, or as suits the kind */
  gboolean       own_axes, log_x, log_y;
} GilkResultsWish;

struct _GilkResultsCard {
  GilkResultsView *view;
  guint            index;
  GtkWidget       *place;           /* of the plot, and of its twin beside it */
  GtkOverlay      *overlay;
  GilkPlotView    *plot;
  GtkWidget       *twin_frame;
  GilkPlotView    *twin;            /* the same of the session beside */
  GilkPlotWaiting *waiting;
  /* The question */
  GilkFigureKind   kind;            /* GILK_FIGURE_N_KINDS: no figure, but maybe bars */
  const char      *field;           /* interned; NULL: hits */
  gboolean         log_x, log_y;
  /* What is drawn or made: all it depends on; what its x axis is of */
  GCancellable    *making;
  char            *key, *axis;
  gboolean         failed;
  gboolean         reading, waits;  /* samples are read for it; they will be, once those before it have what they want */
  /* Of one that is not the first */
  GilkResultsWish  wish;
  GActionMap      *actions;
  GMenu           *fields;          /* part of its menu */
  char            *fields_of;
};

/* ---- gilk-results-card.c ---- */
GilkFigureAsk gilk_results_card_ask   (GilkResultsCard *card);
/* FALSE: its axis is none that could be zoomed. */
gboolean      gilk_results_card_axis  (GilkResultsCard *card, GilkLookAxis *axis);
/* Draws the figure asked for, once it is there; what was made meanwhile is cancelled. What is to be read for it is so once
 * plots before it on the page are there. */
void          gilk_results_card_draw  (GilkResultsCard *card);
/* What depends on @key and is no figure: FALSE, it is there or on its way; TRUE, it is to be made. */
gboolean      gilk_results_card_want  (GilkResultsCard *card, const char *key);
/* It is made from here on, until that is cancelled. @read, @to_read: as of gilk_plot_waiting_begin(). (transfer none) */
GCancellable *gilk_results_card_begin (GilkResultsCard *card, gsize *read, uint64_t to_read);
/* @plot: (transfer full) (nullable): NULL, @error says why. Of what was cancelled meanwhile nothing comes. */
void          gilk_results_card_made  (GilkResultsView *self, GAsyncResult *result, GilkPlotData *plot, const GError *error);
/* Nothing is made any more, and what is drawn next is made anew. */
void          gilk_results_card_stop  (GilkResultsCard *card);
/* That instead of what is asked. (transfer full) */
void          gilk_results_card_put   (GilkResultsCard *card, GilkPlotData *plot);
void          gilk_results_card_say   (GilkResultsCard *card, const char *message);

/* ---- gilk-results-page.c ---- */
/* TRUE: a plot before it on the page is not there yet; it is drawn once that is. */
gboolean      gilk_results_wait_turn   (GilkResultsCard *card);

/* ---- gilk-results-wish.c ---- */
/* "spectrum", "histogram size x": the axes last, if they are its own. What cannot be read is no plot. */
void          gilk_results_wish_parse  (GilkResultsWish *wish, const char *text);
char         *gilk_results_wish_text   (const GilkResultsWish *wish);
/* As is wished, or, if another plot of the page is that, the next best. */
void          gilk_results_card_choose (GilkResultsCard *card);
/* What it is may be chosen in the corner. */
GtkWidget    *gilk_results_card_menu   (GilkResultsCard *card);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-results-card.h - one of the smaller plots of the page of results
 */
#pragma once

#include "gui/gilk-results-private.h"

G_BEGIN_DECLS

struct _GilkResultsCard {
  GilkResultsView *view;
  guint            index;
  GtkWidget       *frame;
  GilkPlotView    *plot;
  GSimpleAction   *kinds;           /* its state: the kind shown */
  char            *wish;            /* a kind; what another plot shows already is not shown twice */
  GilkFigureKind   kind;            /* that is shown */
  GCancellable    *making;
  char            *key, *axis;      /* of what is drawn or made: all it depends on; what its axis is of */
  guint            sizing;          /* a timer */
};

/* Its plots, best first; GILK_FIGURE_N_KINDS ends them, which is no plot. */
extern const GilkFigureKind gilk_results_card_kinds[];
#define GILK_RESULTS_CARD_NONE "none"

/* As is wished, or, if another plot of the page is that, the next best. */
void        gilk_results_card_choose (GilkResultsCard *card);
/* Draws that, once it is there; what was made meanwhile is cancelled. */
void        gilk_results_card_draw   (GilkResultsCard *card);
/* Nothing is made any more, and what is drawn next is made anew. */
void        gilk_results_card_stop   (GilkResultsCard *card);
/* In place of a plot. */
void        gilk_results_card_say    (GilkResultsCard *card, const char *message);
/* Whose values it shows. NULL: hits. */
const char *gilk_results_card_field_of (GilkResultsCard *card);

G_END_DECLS

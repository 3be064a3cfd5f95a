/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-results-private.h - what shows a session and what exports it share
 */
#pragma once

#include "core/analysis/gilk-look.h"
#include "gui/gilk-note-steps.h"
#include "gui/gilk-plot-shelf.h"
#include "gui/gilk-plot-view.h"
#include "gui/gilk-samples-view.h"
#include "gui/gilk-results-view.h"
#include "gui/gilk-session-data.h"
#include "gui/gilk-session-effect.h"
#include "gui/gilk-session-figure.h"
#include "gui/gilk-writers-view.h"

G_BEGIN_DECLS

typedef struct _GilkResultsCard GilkResultsCard;
typedef struct _GilkResultsBeside GilkResultsBeside;
#define GILK_RESULTS_CARDS 3       /* the first one, and those under it */

struct _GilkResultsView {
  GtkBox          parent_instance;

  GilkSession    *session;
  GCancellable   *opening, *drawing;   /* drawing: the recorded graph */
  int             run, hook;       /* hook -1: all of the run */
  int             function;        /* whose graph is shown instead of a plot, or -1 */
  gboolean        filling, log_heat;

  /* Template objects */
  GtkStack       *stack;
  GtkWidget      *lists_panel, *figures_panel;
  GtkLabel       *file_label, *broken_title, *broken_text;
  char           *asked_for;       /* the file that is opened, or was */
  GtkListBox     *runs;
  GtkTreeView    *functions, *hooks;
  GtkToggleButton *by_hits;       /* of hooks: their order */
  GtkWidget      *functions_label, *functions_scroll;
  GtkComboBoxText *kind, *quantity, *split, *compare;
  GtkToggleButton *log_x, *log_y;
  GtkWidget      *toolbar, *toolbar2, *whole;
  guint           resizing;        /* a timer */
  guint           going_on;        /* to be done when there is time */
  GilkLook       *look;            /* which time and values are looked at */
  GtkBox         *chips;           /* what is looked at, each a button */
  GtkBox         *views;           /* a button a kind */
  GtkScrolledWindow *views_scroll;
  GtkMenuButton     *views_more;      /* all of them, where the row has no room for them */
  GilkPlotShelf  *shelf;           /* plots that were drawn */
  GtkStack       *picture;         /* plot, graph or writers */
  GtkBox         *page, *below;    /* all plots, and those under the first */
  GilkResultsCard *cards[GILK_RESULTS_CARDS];
  GilkPlotView   *plot;            /* of the first */
  GilkResultsBeside *beside;       /* another session in a column of its own */
  GilkPlotView   *chosen;          /* the plot that had the focus last */
  GilkPlotView   *alone;           /* the only one of the page; NULL: it is shared */
  gboolean        only_look;       /* another part is looked at, and nothing else has changed */
  GSettings      *settings;        /* (nullable) */
  GilkGraphView  *graph;
  GilkWritersView *writers;
  GilkSamplesView *samples;
  GtkBox         *notices;         /* of files that are being written; the window's */
  GtkLabel       *read_out;
  GtkGrid        *figures, *compared;
  GtkLabel       *figures_title, *command;
  GtkWidget      *loss_box;
  GtkLabel       *loss_label;
  GtkToggleButton *subtract;
  GtkBox         *notes_box;
  GilkNoteSteps  *notes;           /* what was done to them, and what was taken back */
  gboolean        writing_note;
  GtkBox         *times;           /* what times of the run are worth */
  GtkWidget      *effect_box, *effect_plot;
  GtkGrid        *effect_figures;
  GtkLabel       *effect_note;

  GCancellable   *measuring;       /* the effect */
  GilkSessionEffect *effect;       /* NULL: there is none, or not yet */
  char           *effect_of;       /* which one is shown or on its way */
};

/* What is chosen, owned by the session; NULL if nothing of the kind is. */
GilkSessionRun           *gilk_results_run      (GilkResultsView *self);
const GilkStoredHook     *gilk_results_hook     (GilkResultsView *self);
const GilkStoredFunction *gilk_results_function (GilkResultsView *self);
/* Chosen beside it, to lie over it: the first @n of at most @room, as GilkSessionPick; more are said
 * to be too many by who makes the figure. Names are (transfer full). */
guint                     gilk_results_picks    (GilkResultsView *self, GilkSessionPick *picks, guint room);
void                      gilk_results_picks_clear (GilkSessionPick *picks, guint n);
/* One more than can be told apart: who makes the figure says so. */
#define GILK_RESULTS_PICKS_MAX (GILK_FIGURE_CURVES_MAX + 1)
/* ---- gilk-results-choices.c ---- */
/* What can be drawn of the hook chosen; keeps the choice that was, if it can be. */
void                      gilk_results_fill_choices (GilkResultsView *self);
/* The list of those who accessed what the hook, a watch, is of. */
gboolean                  gilk_results_is_writers   (GilkResultsView *self);
/* The table of samples one by one. */
gboolean                  gilk_results_is_samples   (GilkResultsView *self);
/* FALSE: that is chosen, or bars, or what a program kept. */
gboolean                  gilk_results_kind         (GilkResultsView *self, GilkFigureKind *kind);
/* What the hook's program kept is chosen; a histogram of that, which has axes. */
gboolean                  gilk_results_is_kept      (GilkResultsView *self);
gboolean                  gilk_results_is_kept_histogram (GilkResultsView *self);
/* As its box has it. (nullable) */
const char               *gilk_results_quantity     (GilkResultsView *self);
/* NULL: none, or it cannot be had now. */
const char               *gilk_results_split        (GilkResultsView *self);
gboolean                  gilk_results_subtract     (GilkResultsView *self);
/* Is it on, and may it be? */
gboolean                  gilk_results_axis         (GtkToggleButton *axis);
/* Of what is plotted; NULL: hits, or bars. */
const char               *gilk_results_field        (GilkResultsView *self);
/* Of the hook chosen: GilkStoredField. */
const GArray             *gilk_results_fields       (GilkResultsView *self);
/* What such a figure can be of, N_KINDS being bars: each is told. */
typedef void (*GilkResultsQuantity) (const char *id, const char *name, gpointer user_data);
void                      gilk_results_each_quantity (GilkResultsView *self, GilkFigureKind kind, GilkResultsQuantity each,
                                                      gpointer user_data);
/* A field, interned, or NULL for hits; and what its box calls that. */
const char               *gilk_results_quantity_field (const char *id);
const char               *gilk_results_quantity_id  (const char *field);
/* Which of its axes may be logarithmic. */
void                      gilk_results_which_axes   (GilkFigureKind kind, gboolean *x, gboolean *y);
/* In the first plot. */
void                      gilk_results_choose_figure (GilkResultsView *self, GilkFigureKind kind, const char *field,
                                                      gboolean log_x, gboolean log_y);
/* The axes that suit a kind of figure. */
void                      gilk_results_suit_axes    (GilkFigureKind kind, gboolean *log_x, gboolean *log_y);
/* A kind's name. */
const char               *gilk_results_kind_title   (GilkFigureKind kind);
/* ---- gilk-results-page.c ---- */
/* The plots, of the same hooks, time and values. */
void                      gilk_results_make_cards   (GilkResultsView *self);
void                      gilk_results_drop_cards   (GilkResultsView *self);
/* Those there are, as they are asked for now; what is there stays. */
void                      gilk_results_show_cards   (GilkResultsView *self);
/* There is another session beside this one, another run of it, or none any more. */
void                      gilk_results_beside_changed (GilkResultsView *self);
/* What they show next is made anew. */
void                      gilk_results_stop_cards   (GilkResultsView *self);
/* One of them is there: the next one that waits begins to read. */
void                      gilk_results_go_on        (GilkResultsView *self);
/* What is wished of those under the first one. */
void                      gilk_results_keep_wishes  (GilkResultsView *self);
/* Those in sight. (transfer container) (element-type GilkPlotView) */
GPtrArray                *gilk_results_plots        (GilkResultsView *self);
/* The one in sight that was last worked with, or else the first. */
GilkPlotView             *gilk_results_chosen_plot  (GilkResultsView *self);
/* Whose values plots show where the first one shows none. */
const char               *gilk_results_card_field   (GilkResultsView *self);
/* ---- gilk-results-view.c ---- */
/* Another hook, kind, field, or other axes. */
void                      gilk_results_choice_changed (GilkResultsView *self);
/* Another time or other values are looked at. */
void                      gilk_results_look_changed (GilkResultsView *self);
void                      gilk_results_undo_look    (GilkResultsView *self);
/* Their row is there, or not. */
void                      gilk_results_show_marks   (GilkResultsView *self);
/* ---- gilk-results-views.c ---- */
/* A button for each kind there is; that of the one chosen is pressed. */
void                      gilk_results_set_up_views (GilkResultsView *self);
void                      gilk_results_fill_views   (GilkResultsView *self);
/* ---- gilk-results-range.c ---- */
/* Of a field, or of intervals. (nullable) */
const char               *gilk_results_unit         (GilkResultsView *self, const char *field);
/* What is looked at of its values is so in views of all fields. */
gboolean                  gilk_results_narrows      (GilkResultsView *self, const char *field);
gboolean                  gilk_results_is_narrowed  (GilkResultsView *self);
void                      gilk_results_show_range   (GilkResultsView *self);
/* ---- gilk-results-plot.c ---- */
/* The first plot of what is chosen. */
void                      gilk_results_draw         (GilkResultsView *self);
/* What is told of it beside it. */
void                      gilk_results_show_panel   (GilkResultsView *self, const GilkPlotData *plot);
/* The panel's note on what is missing; of a hook, and of all of a run. */
void                      gilk_results_show_loss    (GilkResultsView *self, gint64 run, uint64_t lost);
void                      gilk_results_show_hook_loss (GilkResultsView *self, const GilkStoredHook *hook);
/* ---- gilk-results-command.c ---- */
void                      gilk_results_show_command (GilkResultsView *self);
/* In one line, onto the clipboard. */
void                      gilk_results_copy_command (GilkResultsView *self);
/* All that the plot depends on. (transfer full) */
char                     *gilk_results_make_command (GilkResultsView *self);
/* ---- gilk-results-overview.c ---- */
void                      gilk_results_show_overview (GilkResultsView *self);
/* A press on a bar of it chooses that hook. */
void                      gilk_results_overview_init (GilkResultsView *self);
/* ---- gilk-results-graph.c ---- */
void                      gilk_results_show_graph   (GilkResultsView *self);
void                      gilk_results_block_selected (GilkResultsView *self, int point);
/* ---- gilk-results-writers.c ---- */
void                      gilk_results_show_writers (GilkResultsView *self);
/* They are the session's that is about to go. */
void                      gilk_results_forget_writers (GilkResultsView *self);
void                      gilk_results_writer_chosen  (GilkResultsView *self, const GilkWriter *writer);
/* ---- gilk-results-compare.c ---- */
/* @compared: (nullable): nothing to be seen */
void                      gilk_results_show_compared (GilkResultsView *self, const GilkFigureCompared *compared);
/* ---- gilk-results-samples.c ---- */
void                      gilk_results_show_samples (GilkResultsView *self);
/* What samples meet whose values are looked at. (transfer full) (nullable) */
char                     *gilk_results_condition    (GilkResultsView *self);
/* ---- gilk-results-notes.c ---- */
/* The list of the run's. */
void                      gilk_results_show_notes   (GilkResultsView *self);
/* Asks for its words beside a widget. @place: seconds of the run, NaN: all of it. */
void                      gilk_results_add_note     (GilkResultsView *self, GtkWidget *beside, GilkLookSpan place);
/* The session is another one: nothing is taken back. */
void                      gilk_results_begin_notes  (GilkResultsView *self);
/* ---- gilk-results-time.c ---- */
/* What the run's times are worth and what its hooks cost, where all of the run is shown. */
void                      gilk_results_show_times   (GilkResultsView *self);
/* What switched hooks did, as seen by the hook chosen if it stayed on; read first, if it is another one. */
void                      gilk_results_show_effect  (GilkResultsView *self);
/* The session is another one. */
void                      gilk_results_forget_effect (GilkResultsView *self);
gboolean                  gilk_results_was_switched (const GilkSessionRun *run);
/* All of the panel as text, onto the clipboard. */
void                      gilk_results_copy         (GilkResultsView *self);
gboolean                  gilk_results_draw_effect  (GilkResultsView *self, cairo_t *cr);
gboolean                  gilk_results_is_cancelled (const GError *error);
/* Emits "written". */
void                      gilk_results_tell_written (GilkResultsView *self, const char *path);
/* Emits "notes-changed". */
void                      gilk_results_notes_changed (GilkResultsView *self);
/* Emits "failed", but for what was cancelled. */
void                      gilk_results_report   (GilkResultsView *self, const GError *error);

G_END_DECLS

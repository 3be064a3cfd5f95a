/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-results-private.h - definitions shared by the source files of the results view
 */
#pragma once

#include "core/figure/gilk-selection.h"
#include "gui/inspector/gilk-note-steps.h"
#include "gui/plot/gilk-plot-cache.h"
#include "gui/plot/gilk-plot-view.h"
#include "gui/results/gilk-results-view.h"
#include "gui/results/gilk-samples-view.h"
#include "gui/session/gilk-session.h"
#include "gui/results/gilk-accesses-view.h"

G_BEGIN_DECLS

typedef struct _GilkPlotPanel GilkPlotPanel;
typedef struct _GilkResultsComparison GilkResultsComparison;
#define GILK_RESULTS_PANELS 3       /* the first panel and those below it */

struct _GilkResultsView {
  GtkBox          parent_instance;

  GilkSession    *session;
  GCancellable   *opening, *drawing;   /* drawing: of the recorded graph */
  int             run, hook;       /* hook -1: the whole run */
  int             function;        /* shown as a graph instead of a plot, or -1 */
  gboolean        filling, log_heat;

  /* Template objects */
  GtkStack       *stack;
  GtkWidget      *lists_panel, *figures_panel;
  GtkLabel       *file_label, *broken_title, *broken_text;
  char           *requested_path;    /* path of the last file opened, even if that failed */
  GtkListBox     *runs;
  GtkTreeView    *functions, *hooks;
  GtkToggleButton *by_hits;       /* sorts the hooks by hits */
  GtkWidget      *functions_label, *functions_scroll;
  GtkComboBoxText *kind, *quantity, *split, *compare;
  GtkToggleButton *log_x, *log_y;
  GtkWidget      *toolbar, *toolbar2, *whole;
  guint           resizing;          /* timeout after a resize */
  guint           next_source;       /* idle source that draws the next panel */
  GilkSelection       *selection;    /* selected time range and values */
  GtkBox         *chips;             /* one button per selected range */
  GtkBox         *views;             /* one button per kind of view */
  GtkScrolledWindow *views_scroll;
  GtkMenuButton     *views_more;      /* menu of all kinds, for narrow windows */
  GilkPlotCache  *plot_cache;        /* cache of drawn plots */
  GtkStack       *picture;           /* plot, graph or accesses */
  GtkBox         *page, *below;      /* all plots, and those below the first */
  GilkPlotPanel *panels[GILK_RESULTS_PANELS];
  GilkPlotView   *plot;              /* that of the first panel */
  GilkResultsComparison *comparison; /* comparison with another session */
  GilkPlotView   *current_plot;      /* plot that last had the focus */
  GilkPlotView   *single_plot;       /* the plot shown alone; NULL: all are shown */
  gboolean        range_only;        /* only the visible range has changed */
  GSettings      *settings;          /* (nullable) */
  GilkGraphView  *graph;
  GilkAccessesView *writers;
  GilkSamplesView *samples;
  GtkBox         *notices;           /* notices of files being written; the window's */
  GtkLabel       *read_out;
  GtkGrid        *figures, *compared;
  GtkLabel       *figures_title, *command;
  GtkWidget      *loss_box;
  GtkLabel       *loss_label;
  GtkToggleButton *subtract;
  GtkBox         *notes_box;
  GilkNoteSteps  *notes;             /* undo history of the notes */
  gboolean        writing_note;
  GtkBox         *times;             /* accuracy of the run's times */
  GtkWidget      *effect_box, *effect_plot;
  GtkGrid        *effect_figures;
  GtkLabel       *effect_note;

  GCancellable   *measuring;       /* of the effect */
  GilkSessionEffect *effect;       /* NULL: none, or not computed yet */
  char           *effect_of;       /* key of the effect that is shown or being computed */
};

/* Returns the current selection, owned by the session; NULL if nothing of the kind is selected. */
GilkSessionRun           *gilk_results_run      (GilkResultsView *self);
const GilkStoredHook     *gilk_results_hook     (GilkResultsView *self);
const GilkStoredFunction *gilk_results_function (GilkResultsView *self);
/* Gets the hooks selected for an overlay: the first @n of at most @room. Names are (transfer full).
 * If there are more, the figure reports that. */
guint                     gilk_results_selected_hooks    (GilkResultsView *self, GilkSessionPick *picks, guint room);
void                      gilk_results_selected_hooks_clear (GilkSessionPick *picks, guint n);
/* One more than a figure can distinguish, so that it can report too many. */
#define GILK_RESULTS_HOOKS_MAX (GILK_FIGURE_CURVES_MAX + 1)
/* ---- gilk-results-choices.c ---- */
/* Fills the choices for the selected hook; keeps the current choice where it is available. */
void          gilk_results_fill_choices (GilkResultsView *self);
/* The list of accesses seen by the hook, a watchpoint. */
gboolean      gilk_results_shows_accesses   (GilkResultsView *self);
/* The table of single samples. */
gboolean      gilk_results_shows_samples   (GilkResultsView *self);
/* Returns FALSE if one of those is chosen, or bars, or maps of a program. */
gboolean      gilk_results_kind         (GilkResultsView *self, GilkFigureKind *kind);
/* Maps of the hook's program are chosen; and such a map that is a histogram, which has axes. */
gboolean      gilk_results_shows_map      (GilkResultsView *self);
gboolean      gilk_results_shows_map_histogram (GilkResultsView *self);
/* Returns the id selected in the combo box. (nullable) */
const char   *gilk_results_quantity     (GilkResultsView *self);
/* Returns NULL if no field is selected or splitting is unavailable. */
const char   *gilk_results_split        (GilkResultsView *self);
gboolean      gilk_results_subtracts_cost     (GilkResultsView *self);
/* Returns whether the button is active and sensitive. */
gboolean      gilk_results_axis_is_log         (GtkToggleButton *axis);
/* Returns the plotted field; NULL: hits, or bars. */
const char   *gilk_results_field        (GilkResultsView *self);
/* Returns the fields of the selected hook (GilkStoredField). */
const GArray *gilk_results_hook_fields       (GilkResultsView *self);
/* Calls @each for every quantity that a figure of @kind can show;
 * GILK_FIGURE_N_KINDS stands for bars. */
typedef void (*GilkResultsQuantityFunc) (const char *id, const char *name, gpointer user_data);
void          gilk_results_foreach_quantity (GilkResultsView *self, GilkFigureKind kind, GilkResultsQuantityFunc each,
                                             gpointer user_data);
/* Converts between ids of the combo box and fields, which are interned; NULL: hits. */
const char   *gilk_results_quantity_field (const char *id);
const char   *gilk_results_quantity_id  (const char *field);
/* Gets which axes may be logarithmic. */
void          gilk_results_get_log_axes   (GilkFigureKind kind, gboolean *x, gboolean *y);
/* Chooses the figure of the first panel. */
void          gilk_results_choose_figure (GilkResultsView *self, GilkFigureKind kind, const char *field,
                                          gboolean log_x, gboolean log_y);
/* Gets the default axes of a kind of figure. */
void          gilk_results_get_default_axes    (GilkFigureKind kind, gboolean *log_x, gboolean *log_y);
/* Returns the display name of a kind. */
const char   *gilk_results_kind_title   (GilkFigureKind kind);
/* ---- gilk-results-page.c ---- */
/* Creates the panels, which share hooks, time and values. */
void          gilk_results_make_panels   (GilkResultsView *self);
void          gilk_results_free_panels   (GilkResultsView *self);
/* Redraws the visible panels that are out of date. */
void          gilk_results_update_panels   (GilkResultsView *self);
/* Must be called after the compared session or its run has changed. */
void          gilk_results_comparison_changed (GilkResultsView *self);
/* Cancels all computations; the next draw requests all plots again. */
void          gilk_results_cancel_panels   (GilkResultsView *self);
/* Must be called when a panel is ready: the next waiting one starts reading. */
void          gilk_results_start_next_panel        (GilkResultsView *self);
/* Saves the settings of the panels below the first one. */
void          gilk_results_save_settings  (GilkResultsView *self);
/* Returns the visible plots. (transfer container) (element-type GilkPlotView) */
GPtrArray    *gilk_results_plots        (GilkResultsView *self);
/* Returns the visible plot last used, or else the first. */
GilkPlotView *gilk_results_current_plot  (GilkResultsView *self);
/* Returns the field to plot where the first panel has none. */
const char   *gilk_results_default_field   (GilkResultsView *self);
/* ---- gilk-results-view.c ---- */
/* Must be called after hook, kind, field or axes have changed. */
void          gilk_results_choice_changed (GilkResultsView *self);
/* Must be called after the selected time range or values have changed. */
void          gilk_results_selection_changed (GilkResultsView *self);
void          gilk_results_undo_selection    (GilkResultsView *self);
/* Shows or hides the row of selected ranges. */
void          gilk_results_show_range_row   (GilkResultsView *self);
/* ---- gilk-results-views.c ---- */
/* Shows a button for each available kind; the chosen one is active. */
void          gilk_results_set_up_views (GilkResultsView *self);
void          gilk_results_fill_views   (GilkResultsView *self);
/* ---- gilk-results-range.c ---- */
/* Returns the unit of a field, or of intervals. (nullable) */
const char   *gilk_results_unit         (GilkResultsView *self, const char *field);
/* Returns whether a selection of the field's values applies to views of all fields. */
gboolean      gilk_results_range_applies      (GilkResultsView *self, const char *field);
gboolean      gilk_results_has_range  (GilkResultsView *self);
void          gilk_results_show_range   (GilkResultsView *self);
/* ---- gilk-results-plot.c ---- */
/* Draws the first plot of the selection. */
void          gilk_results_draw_first_plot         (GilkResultsView *self);
/* Fills the panel beside the plot. */
void          gilk_results_show_figures   (GilkResultsView *self, const GilkPlotData *plot);
/* Shows the note on lost samples; of a hook, and of a whole run. */
void          gilk_results_show_loss    (GilkResultsView *self, gint64 run, uint64_t lost);
void          gilk_results_show_hook_loss (GilkResultsView *self, const GilkStoredHook *hook);
/* ---- gilk-results-command.c ---- */
void          gilk_results_show_command (GilkResultsView *self);
/* Copies the command to the clipboard, in one line. */
void          gilk_results_copy_command (GilkResultsView *self);
/* Names everything that the plot depends on. (transfer full) */
char         *gilk_results_make_command (GilkResultsView *self);
/* ---- gilk-results-overview.c ---- */
void          gilk_results_show_overview (GilkResultsView *self);
/* Makes a click on a bar select its hook. */
void          gilk_results_overview_init (GilkResultsView *self);
/* ---- gilk-results-graph.c ---- */
void          gilk_results_show_graph   (GilkResultsView *self);
void          gilk_results_block_selected (GilkResultsView *self, int point);
/* ---- gilk-results-accesses.c ---- */
void          gilk_results_show_accesses (GilkResultsView *self);
/* Must be called before the session is closed, which owns the accesses. */
void          gilk_results_clear_accesses (GilkResultsView *self);
void          gilk_results_access_selected  (GilkResultsView *self, const GilkAccessor *writer);
/* ---- gilk-results-differences.c ---- */
/* @compared: (nullable): hides the table */
void          gilk_results_show_differences (GilkResultsView *self, const GilkFigureCompared *compared);
/* ---- gilk-results-samples.c ---- */
void          gilk_results_show_samples (GilkResultsView *self);
/* Returns the condition for the selected values. (transfer full) (nullable) */
char         *gilk_results_value_condition    (GilkResultsView *self);
/* ---- gilk-results-notes.c ---- */
/* Fills the list of the run's notes. */
void          gilk_results_show_notes   (GilkResultsView *self);
/* Opens an entry for a new note at a widget. @place: seconds of the run, NaN: the whole run. */
void          gilk_results_add_note     (GilkResultsView *self, GtkWidget *beside, GilkSelectionRange place);
/* Starts an empty undo history for a new session. */
void          gilk_results_reset_notes  (GilkResultsView *self);
/* ---- gilk-results-time.c ---- */
/* Shows the accuracy of the run's times and the costs of its hooks, if the whole run is selected. */
void          gilk_results_show_times   (GilkResultsView *self);
/* Shows the effect of switched hooks, as measured by the selected hook if it stayed armed; computes
 * it first if needed. */
void          gilk_results_show_effect  (GilkResultsView *self);
/* Must be called when the session changes. */
void          gilk_results_clear_effect (GilkResultsView *self);
gboolean      gilk_results_was_switched (const GilkSessionRun *run);
/* Copies the whole panel to the clipboard as text. */
void          gilk_results_copy_figures         (GilkResultsView *self);
gboolean      gilk_results_draw_effect  (GilkResultsView *self, cairo_t *cr);
gboolean      gilk_results_is_cancelled (const GError *error);
/* Emits "written". */
void          gilk_results_emit_written (GilkResultsView *self, const char *path);
/* Emits "notes-changed". */
void          gilk_results_emit_notes_changed (GilkResultsView *self);
/* Emits "failed", unless the operation was cancelled. */
void          gilk_results_emit_failed   (GilkResultsView *self, const GError *error);

G_END_DECLS

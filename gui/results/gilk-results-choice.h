/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-results-choice.h - what the results page shows: session, run, hook, kind of view, axes,
 * ranges
 *
 * Plain data without a widget. Lists, toolbar and plots change it and call
 * gilk_results_choice_changed(); each then shows the new choice. A choice that does not apply to
 * the current hook is not lost: the members of the struct hold what the user has chosen, and the
 * functions below return what is shown instead.
 *
 * Signal "changed" (gboolean: TRUE if only the selected range has changed).
 */
#pragma once

#include "core/figure/gilk-selection.h"
#include "gui/session/gilk-session.h"

typedef enum {
  GILK_RESULTS_NOTHING,            /* no session, or a session without runs */
  GILK_RESULTS_OVERVIEW,           /* all hooks of a run, as bars */
  GILK_RESULTS_GRAPH,              /* the recorded graph of a function */
  GILK_RESULTS_FIGURE,             /* a figure of samples */
  GILK_RESULTS_GROUPS,             /* hits by value of a field, as bars */
  GILK_RESULTS_MAP,                /* a map of the hook's program */
  GILK_RESULTS_ACCESSES,           /* accesses to memory that the hook, a watchpoint, has
                                    * recorded */
  GILK_RESULTS_SAMPLES,            /* a table of single samples */
} GilkResultsShown;

#define GILK_TYPE_RESULTS_CHOICE (gilk_results_choice_get_type ())
G_DECLARE_FINAL_TYPE (GilkResultsChoice, gilk_results_choice, GILK, RESULTS_CHOICE, GObject)

struct _GilkResultsChoice {
  GObject        parent_instance;

  GilkSession   *session;          /* the session that is shown; NULL: none is open */
  int            run, hook;        /* indices; a @hook of -1 means the whole run */
  int            function;         /* function shown as a graph; -1: a plot is shown */
  GArray        *overlaid;         /* indices (int) of further hooks, in the order of the list */
  const char    *view;             /* id of the chosen kind of view, interned; NULL: none yet */
  const char    *quantity;         /* id of the field or map to show, interned; NULL: none */
  const char    *split;            /* field to split by, or "cpu", interned; "": no split */
  gint64         other_run;        /* run whose hook of the same name is overlaid; 0: none */
  gboolean       log_x, log_y, subtracts_cost;
  GilkSelection *selection;        /* selected time range and values */
  GilkSession   *compared;         /* session in the second column; NULL: none */
  int            compared_run;
  const char    *view_before;      /* view that was chosen before a hook that only counts was
                                    * chosen, to be restored later */
  const char    *axes_of;          /* view for which the current axes were chosen */
};

GilkResultsChoice *gilk_results_choice_new           (void);
/* Sets the session (transfer full) (nullable) that is shown. No run is chosen afterwards. */
void               gilk_results_choice_set_session   (GilkResultsChoice *self, GilkSession *session);
void               gilk_results_choice_set_compared  (GilkResultsChoice *self, GilkSession *session);
/* Must be called after any change except a change of the selected range. Replaces each unavailable
 * option by the first available one, and emits "changed". Selected times and values stay. */
void               gilk_results_choice_changed       (GilkResultsChoice *self);
/* Must be called after the selected time range or values have changed. Emits "changed". */
void               gilk_results_choice_range_changed (GilkResultsChoice *self);
/* Chooses the kind of figure, the field to plot (NULL: hits) and the axes. */
void               gilk_results_choice_set_figure    (GilkResultsChoice *self, GilkFigureKind kind, const char *field,
                                                      gboolean log_x, gboolean log_y);

/* ---- getters of the current choice ---- */

/* Return the chosen run, hook or function, owned by the session; NULL: none is chosen. */
GilkSessionRun           *gilk_results_run          (GilkResultsChoice *self);
const GilkStoredHook     *gilk_results_hook         (GilkResultsChoice *self);
const GilkStoredFunction *gilk_results_function     (GilkResultsChoice *self);
GilkSessionRun           *gilk_results_compared_run (GilkResultsChoice *self);
/* Returns whether hooks were switched off and on during the run, to measure their effect. */
gboolean                  gilk_results_was_switched (const GilkSessionRun *run);
/* Returns the fields of the chosen hook (GilkStoredField). */
const GArray             *gilk_results_hook_fields  (GilkResultsChoice *self);
GilkResultsShown gilk_results_shown              (GilkResultsChoice *self);
/* Returns the kind of the chosen figure; GILK_FIGURE_N_KINDS: no figure is chosen. */
GilkFigureKind   gilk_results_figure             (GilkResultsChoice *self);
/* Returns whether the chosen view is a map of type histogram. Such a view has axes. */
gboolean         gilk_results_is_map_histogram   (GilkResultsChoice *self);
/* Returns the plotted field; NULL: hits, or no figure. */
const char      *gilk_results_field              (GilkResultsChoice *self);
/* Returns the plotted field if there is one, else a suitable field of the hook; never NULL. */
const char      *gilk_results_default_field      (GilkResultsChoice *self);
gboolean         gilk_results_can_split          (GilkResultsChoice *self);
/* Returns the field to split by; NULL: no field is chosen, or splitting is unavailable. */
const char      *gilk_results_split              (GilkResultsChoice *self);
/* Sets @can_x and @can_y to whether the axis may be logarithmic. */
void             gilk_results_get_axes           (GilkResultsChoice *self, gboolean *can_x, gboolean *can_y);
gboolean         gilk_results_log_x              (GilkResultsChoice *self);
gboolean         gilk_results_log_y              (GilkResultsChoice *self);
/* Returns the hook's cost if the cost can be subtracted. (nullable) */
const GilkStoredCost *gilk_results_subtractable_cost (GilkResultsChoice *self);
gboolean         gilk_results_subtracts_cost     (GilkResultsChoice *self);
/* Returns the parameters for computing the chosen figure, except for its size. */
GilkFigureAsk    gilk_results_figure_ask         (GilkResultsChoice *self);
/* Returns the unit of @field; "s" if the field is a duration, such as "interval", the time between
 * samples. (nullable) */
const char      *gilk_results_unit               (GilkResultsChoice *self, const char *field);
/* Returns whether the selected time range limits the current view. It limits all views except maps,
 * accesses and a run's overview. */
gboolean         gilk_results_has_range          (GilkResultsChoice *self);
/* Returns whether a selection of @field's values limits the views of all fields. */
gboolean         gilk_results_range_applies      (GilkResultsChoice *self, const char *field);
/* Returns the selected ranges of values as a condition for samples. (transfer full) (nullable) */
char            *gilk_results_value_condition    (GilkResultsChoice *self);

/* gilk_results_hooks() fills @picks with the hooks of a figure, gilk_results_compared_hooks() with
 * the hooks of the same labels in the compared run. Both return the number of hooks, at most @room.
 * Free the names with gilk_results_hooks_clear(). */
guint            gilk_results_hooks              (GilkResultsChoice *self, GilkSessionPick *picks, guint room);
guint            gilk_results_compared_hooks     (GilkResultsChoice *self, GilkSessionPick *picks, guint room);
void             gilk_results_hooks_clear        (GilkSessionPick *picks, guint n);
/* Maximum number of hooks that are passed to a figure. It is one more than a figure can draw, so
 * that the figure reports that there are too many hooks. */
#define GILK_RESULTS_HOOKS_MAX (GILK_FIGURE_CURVES_MAX + 1)
/* Returns the name of one of the two sessions' files, with its folder if both have the same name.
 * (transfer full) */
char            *gilk_results_file_name          (GilkResultsChoice *self, const GilkSession *session);

/* ---- available choices ---- */

typedef void (*GilkResultsOptionFunc) (const char *id, const char *name, gpointer user_data);
void          gilk_results_foreach_view      (GilkResultsChoice *self, GilkResultsOptionFunc each, gpointer user_data);
/* Calls @each for every quantity that a figure of @kind can show; @kind GILK_FIGURE_N_KINDS: for
 * every quantity that bars can show or, if a map is chosen, for every map. */
void          gilk_results_foreach_quantity  (GilkResultsChoice *self, GilkFigureKind kind, GilkResultsOptionFunc each,
                                              gpointer user_data);
void          gilk_results_foreach_split     (GilkResultsChoice *self, GilkResultsOptionFunc each, gpointer user_data);
/* Calls @each for every run whose hook can be drawn over that of the chosen run, with the run's id,
 * and for the choice of no run, with the id "0". */
void          gilk_results_foreach_other_run (GilkResultsChoice *self, GilkResultsOptionFunc each, gpointer user_data);
/* Returns whether the hook has views other than the rate of its hits. */
gboolean      gilk_results_has_several_views (GilkResultsChoice *self);
/* gilk_results_quantity_field() returns the field of the quantity @id, interned; NULL: hits.
 * gilk_results_quantity_id() does the reverse: it returns the id of the quantity @field (NULL:
 * hits), which is @field itself or, for hits, a constant. */
const char   *gilk_results_quantity_field    (const char *id);
const char   *gilk_results_quantity_id       (const char *field);
void          gilk_results_get_log_axes      (GilkFigureKind kind, gboolean *can_x, gboolean *can_y);
void          gilk_results_get_default_axes  (GilkFigureKind kind, gboolean *log_x, gboolean *log_y);
const char   *gilk_results_kind_title        (GilkFigureKind kind);
/* Returns "Run 2", or "Run 2: after the patch" if the run has a title. (transfer full) */
char         *gilk_results_name_run          (const GilkStoredRun *run);

/* ---- functions of gilk-results-command.c ---- */

/**
 * gilk_results_make_command:
 * @width: width of the picture, px
 * @condition: (nullable): condition typed above the table of samples.
 *
 * Returns: (transfer full): the shell commands, one per line, that draw the current view and give
 * each of its settings as an option; "" without a run
 */
char         *gilk_results_make_command      (GilkResultsChoice *self, guint width, guint height, const char *condition);

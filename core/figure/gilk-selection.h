/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-selection.h - selection: one range of time and of values for all plots of a page
 *
 * The time axis, and the axis of each field's values, can be zoomed, and a range of it can be
 * marked. A plot that has the axis shows its zoomed range, with the mark in it. All other plots
 * show only samples in the marked range or, if no range is marked, in the zoomed range. A sample
 * must be within the ranges of all fields. The axis of a spectrum can only be zoomed.
 *
 * Threads: any, one at a time.
 */
#pragma once

#include "core/figure/gilk-figure.h"

G_BEGIN_DECLS

/* A range of an axis. A @from of NaN means the whole axis. */
typedef struct { double from, to; } GilkSelectionRange;

typedef enum { GILK_SELECTION_TIME, GILK_SELECTION_VALUES, GILK_SELECTION_ZOOM_ONLY } GilkSelectionAxis;

typedef struct _GilkSelection GilkSelection;

GilkSelection *gilk_selection_new  (void);
void           gilk_selection_free (GilkSelection *selection);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkSelection, gilk_selection_free)

gboolean          gilk_selection_is_set (const GilkSelectionRange *range);
/* Returns the x axis of figures of @kind; a GILK_SELECTION_ZOOM_ONLY axis can only be zoomed. */
GilkSelectionAxis gilk_selection_axis   (GilkFigureKind kind);

/* ---- functions that change the selection; @field: the field of the values, NULL for hits ---- */

/* Zooms an axis; NaN selects the whole axis. @now_us: current time in microseconds; calls within
 * half a second of each other are one undo step. */
void     gilk_selection_zoom   (GilkSelection *selection, GilkSelectionAxis axis, const char *field, double from, double to, gint64 now_us);
/* Marks a range; NaN clears the mark. Has no effect on an axis that can only be zoomed. */
void     gilk_selection_mark   (GilkSelection *selection, GilkSelectionAxis axis, const char *field, double from, double to);
/* Zooms to the marked range and clears the mark. Returns FALSE if no range is marked. */
gboolean gilk_selection_zoom_to_mark  (GilkSelection *selection, GilkSelectionAxis axis, const char *field);
/* Clears the mark; if there is none, resets the zoom. */
void     gilk_selection_clear   (GilkSelection *selection, GilkSelectionAxis axis, const char *field);
void     gilk_selection_clear_all (GilkSelection *selection);
/* Undoes the last step. Returns FALSE if nothing is left to undo. */
gboolean gilk_selection_undo   (GilkSelection *selection);
/* Resets everything, including the undo steps. */
void     gilk_selection_reset  (GilkSelection *selection);
/* Resets the zoom of the axis that can only be zoomed. Call when a different plot is shown, because
 * that plot may have a different axis. */
void     gilk_selection_reset_zoom_only   (GilkSelection *selection);

/* ---- reading the selection ---- */

/* Return the zoomed and the marked range of an axis. */
GilkSelectionRange gilk_selection_zoomed   (const GilkSelection *selection, GilkSelectionAxis axis, const char *field);
GilkSelectionRange gilk_selection_marked (const GilkSelection *selection, GilkSelectionAxis axis, const char *field);
/* Return the range of time, and the range of a field's values, to which plots with other axes are
 * limited. */
GilkSelectionRange gilk_selection_time   (const GilkSelection *selection);
GilkSelectionRange gilk_selection_values (const GilkSelection *selection, const char *field);
/* Returns the field whose values were selected last. (nullable) */
const char        *gilk_selection_field  (const GilkSelection *selection);
/* Returns the @n-th field with a selection, in order of selection; NULL after the last. */
const char        *gilk_selection_nth_field (const GilkSelection *selection, guint n);
/* Returns the selection of values as a condition for gilk_samples_add_condition(). The condition
 * covers intervals and @fields (GilkStoredField), but not the field @but (nullable). (transfer
 * full) (nullable) */
char              *gilk_selection_condition (const GilkSelection *selection, const GArray *fields, const char *but);
/* Returns TRUE if samples with @fields can be tested against the selected range of every field.
 * Durations of calls are ignored: they do not belong to single samples. */
gboolean           gilk_selection_is_testable   (const GilkSelection *selection, const GArray *fields);
/* Returns the part of the selection that gilk_selection_apply() does not put into @ask. A figure of
 * intervals is not filtered by intervals, because leaving out samples would change the intervals
 * between the remaining ones; a figure of call durations is not filtered at all, because a call has
 * two samples. (transfer full) (nullable) */
char              *gilk_selection_remaining_condition (const GilkSelection *selection, const GArray *fields, const GilkFigureAsk *ask);
/* Returns TRUE if nothing is zoomed or marked. */
gboolean           gilk_selection_is_empty (const GilkSelection *selection);
/* Sets the ranges of time and values of @ask to the selected ranges. */
void               gilk_selection_apply (const GilkSelection *selection, GilkFigureAsk *ask);

/* Appends a number for conditions and commands, with as few digits as are needed to parse back the
 * same double. */
void         gilk_selection_add_number (GString *words, double number);

/* Counts the samples of a figure within @range of its x axis, and their share of all samples.
 * @exact: both ends are at edges of bins. Returns FALSE if the figure does not have counts. */
gboolean gilk_selection_count (const GilkFigure *figure, const GilkSelectionRange *range, uint64_t *n, double *share,
                               gboolean *exact);
/* Widens @range to whole bins if @figure is a histogram. */
void     gilk_selection_snap  (const GilkFigure *figure, GilkSelectionRange *range);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-look.h - selection: one range of time and of values for all plots of a page
 *
 * The time axis, and the axis of each field's values, can be zoomed and can have a range marked.
 * All other plots are limited to the marked range; plots along the axis itself show the zoomed
 * range, with the mark in it. Without a mark the other plots are limited to the zoomed range. A
 * sample must be within the ranges of all fields. The axis of a spectrum can only be zoomed.
 *
 * Threads: any, one at a time.
 */
#pragma once

#include "core/figure/gilk-figure.h"

G_BEGIN_DECLS

/* from is NaN: the whole axis. */
typedef struct { double from, to; } GilkLookSpan;

typedef enum { GILK_LOOK_TIME, GILK_LOOK_VALUES, GILK_LOOK_CLOSER } GilkLookAxis;

typedef struct _GilkLook GilkLook;

GilkLook *gilk_look_new  (void);
void      gilk_look_free (GilkLook *look);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkLook, gilk_look_free)

gboolean     gilk_look_is_set (const GilkLookSpan *span);
/* Returns the x axis of such a figure; GILK_LOOK_CLOSER is one that can only be zoomed. */
GilkLookAxis gilk_look_axis   (GilkFigureKind kind);

/* ---- changing the selection; @field: the field of the values, NULL for hits ---- */

/* Zooms; NaN for the whole axis. Calls within half a second
 * of each other, @now_us in microseconds, are one undo step. */
void     gilk_look_zoom   (GilkLook *look, GilkLookAxis axis, const char *field, double from, double to, gint64 now_us);
/* Marks a range; NaN clears the mark. Has no effect on an axis that can only be zoomed. */
void     gilk_look_mark   (GilkLook *look, GilkLookAxis axis, const char *field, double from, double to);
/* Zooms to the marked range and clears the mark. Returns FALSE if there is none. */
gboolean gilk_look_enter  (GilkLook *look, GilkLookAxis axis, const char *field);
/* Clears the mark or, without one, the zoom. */
void     gilk_look_drop   (GilkLook *look, GilkLookAxis axis, const char *field);
void     gilk_look_drop_all (GilkLook *look);
/* Returns FALSE if there is nothing to undo. */
gboolean gilk_look_undo   (GilkLook *look);
/* Resets everything, including the undo steps. */
void     gilk_look_begin  (GilkLook *look);
/* Resets the zoom of the axis that can only be
 * zoomed, because another plot has another such axis. */
void     gilk_look_away   (GilkLook *look);

/* ---- reading the selection ---- */

/* Return the zoomed and the marked range of an axis. */
GilkLookSpan gilk_look_seen   (const GilkLook *look, GilkLookAxis axis, const char *field);
GilkLookSpan gilk_look_marked (const GilkLook *look, GilkLookAxis axis, const char *field);
/* Return the range that plots along other axes show. */
GilkLookSpan gilk_look_time   (const GilkLook *look);
GilkLookSpan gilk_look_values (const GilkLook *look, const char *field);
/* Returns the field whose values were selected last. (nullable) */
const char  *gilk_look_field  (const GilkLook *look);
/* Returns the @n-th field with a selection, in order of selection; NULL after the last. */
const char  *gilk_look_nth_field (const GilkLook *look, guint n);
/* Returns the selection of values as a condition for gilk_samples_add_condition(), for those of
 * @fields (GilkStoredField) and for intervals, except for the field @but (nullable).
 * (transfer full) (nullable) */
char        *gilk_look_condition (const GilkLook *look, const GArray *fields, const char *but);
/* Returns TRUE if samples with @fields can be tested for all selected values. Durations of calls
 * are ignored: they do not belong to single samples. */
gboolean     gilk_look_is_told   (const GilkLook *look, const GArray *fields);
/* Returns the part of the selection that gilk_look_narrow() does not put into @ask. A figure of
 * intervals is not filtered by intervals, because these would become intervals between other
 * samples; one of durations of calls is not filtered at all, because a call has two samples.
 * (transfer full) (nullable) */
char        *gilk_look_others (const GilkLook *look, const GArray *fields, const GilkFigureAsk *ask);
/* Returns TRUE if nothing is zoomed or marked. */
gboolean     gilk_look_is_whole (const GilkLook *look);
/* Puts the selection into @ask. */
void         gilk_look_narrow (const GilkLook *look, GilkFigureAsk *ask);

/* Appends a number in the fewest digits that give the
 * same double again, for conditions and commands. */
void         gilk_look_add_number (GString *words, double number);

/* Counts the samples of a figure within @span of its x axis, and their share of all. @exact: both
 * ends are at edges of bins. Returns FALSE if the figure does not have counts. */
gboolean     gilk_look_count  (const GilkFigure *figure, const GilkLookSpan *span, uint64_t *n, double *share,
                               gboolean *exact);
/* Widens @span to whole bins if @figure is a histogram. */
void         gilk_look_snap   (const GilkFigure *figure, GilkLookSpan *span);

G_END_DECLS

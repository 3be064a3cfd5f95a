/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-look.h - which time and which values are looked at: one range and one selection for all plots of a page
 *
 * An axis of time and one of values can each be seen in part (a zoom) and have a part of it marked. A mark is what
 * every other plot shows alone, while those along its own axis show what is seen of it, and the mark in that. Where
 * nothing is marked, what is seen is what the others show. A spectrum is only looked at closer.
 *
 * Threads: any, one at a time.
 */
#pragma once

#include "core/analysis/gilk-figure.h"

G_BEGIN_DECLS

/* from is NaN: all of it. */
typedef struct { double from, to; } GilkLookSpan;

typedef enum { GILK_LOOK_TIME, GILK_LOOK_VALUES, GILK_LOOK_CLOSER } GilkLookAxis;

typedef struct _GilkLook GilkLook;

GilkLook *gilk_look_new  (void);
void      gilk_look_free (GilkLook *look);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkLook, gilk_look_free)

gboolean     gilk_look_is_set (const GilkLookSpan *span);
/* What the x axis of such a figure is. */
GilkLookAxis gilk_look_axis   (GilkFigureKind kind);

/* ---- changing it; @field: whose values, NULL: of hits ---- */

/* NaN: all of it is seen. What follows within half a second, in microseconds, is one step back. */
void     gilk_look_zoom   (GilkLook *look, GilkLookAxis axis, const char *field, double from, double to, gint64 now_us);
/* NaN: nothing is marked. Nothing comes of it along an axis that is only looked at closer. */
void     gilk_look_mark   (GilkLook *look, GilkLookAxis axis, const char *field, double from, double to);
/* Sees what is marked, which is marked no more. FALSE: nothing is. */
gboolean gilk_look_enter  (GilkLook *look, GilkLookAxis axis, const char *field);
/* The mark, or else the zoom. */
void     gilk_look_drop   (GilkLook *look, GilkLookAxis axis);
void     gilk_look_drop_all (GilkLook *look);
/* FALSE: there is nothing to go back to. */
gboolean gilk_look_undo   (GilkLook *look);
/* Something else is looked at: all of it, and no way back. */
void     gilk_look_begin  (GilkLook *look);
/* Another plot, whose axis is another one: it is seen whole. */
void     gilk_look_away   (GilkLook *look);

/* ---- what is looked at ---- */

/* What of an axis is seen, and marked. */
GilkLookSpan gilk_look_seen   (const GilkLook *look, GilkLookAxis axis, const char *field);
GilkLookSpan gilk_look_marked (const GilkLook *look, GilkLookAxis axis, const char *field);
/* What plots along other axes show. */
GilkLookSpan gilk_look_time   (const GilkLook *look);
GilkLookSpan gilk_look_values (const GilkLook *look, const char *field);
/* Whose values are looked at. (nullable) */
const char  *gilk_look_field  (const GilkLook *look);
/* Does anything stand between this and all there is? */
gboolean     gilk_look_is_whole (const GilkLook *look);
/* Puts it into what is asked. */
void         gilk_look_narrow (const GilkLook *look, GilkFigureAsk *ask);

/* How many samples a figure has between two places of its x axis, and which share of all in it. @exact: both are
 * where it counts from. FALSE: it does not tell. */
gboolean     gilk_look_count  (const GilkFigure *figure, const GilkLookSpan *span, uint64_t *n, double *share,
                               gboolean *exact);
/* To where the figure counts from, if it is near enough to nothing else: bins of a histogram are marked whole. */
void         gilk_look_snap   (const GilkFigure *figure, GilkLookSpan *span);

G_END_DECLS

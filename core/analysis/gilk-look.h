/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-look.h - which time and which values are looked at: one range and one selection for all plots of a page
 *
 * An axis of time and one of values of each field can each be seen in part (a zoom) and have a part of it marked. A mark
 * is what every other plot shows alone, while those along its own axis show what is seen of it, and the mark in that.
 * Where nothing is marked, what is seen is what the others show; of several fields all must be met. A spectrum is only
 * looked at closer.
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
void     gilk_look_drop   (GilkLook *look, GilkLookAxis axis, const char *field);
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
/* Whose values were looked at last. (nullable) */
const char  *gilk_look_field  (const GilkLook *look);
/* Whose values are looked at, in the order in which that began; NULL behind the last one. */
const char  *gilk_look_nth_field (const GilkLook *look, guint n);
/* What samples meet whose values are looked at, as of gilk_samples_add_condition(): of those of @fields (GilkStoredField)
 * and of intervals, without @but (nullable). (transfer full) (nullable) */
char        *gilk_look_condition (const GilkLook *look, const GArray *fields, const char *but);
/* Do samples of such fields tell all of those values? How long calls took is no matter of a sample's, and not asked for. */
gboolean     gilk_look_is_told   (const GilkLook *look, const GArray *fields);
/* Those that narrow such a figure beside what gilk_look_narrow() puts into @ask; intervals do not narrow themselves, as they
 * would then be those between others, and calls are of two samples each, which no condition tells. (transfer full) (nullable) */
char        *gilk_look_others (const GilkLook *look, const GArray *fields, const GilkFigureAsk *ask);
/* Does anything stand between this and all there is? */
gboolean     gilk_look_is_whole (const GilkLook *look);
/* Puts it into what is asked. */
void         gilk_look_narrow (const GilkLook *look, GilkFigureAsk *ask);

/* In as few digits as make the same number again, for conditions and commands. */
void         gilk_look_add_number (GString *words, double number);

/* How many samples a figure has between two places of its x axis, and which share of all in it. @exact: both are
 * where it counts from. FALSE: it does not tell. */
gboolean     gilk_look_count  (const GilkFigure *figure, const GilkLookSpan *span, uint64_t *n, double *share,
                               gboolean *exact);
/* To where the figure counts from, if it is near enough to nothing else: bins of a histogram are marked whole. */
void         gilk_look_snap   (const GilkFigure *figure, GilkLookSpan *span);

G_END_DECLS

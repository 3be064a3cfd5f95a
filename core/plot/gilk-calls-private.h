/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-calls-private.h - helpers shared by the maker of a call graph's picture and its painter
 */
#pragma once

#include <pango/pangocairo.h>

#include "core/plot/gilk-calls-picture.h"

#define GILK_CALLS_OFTEN 200     /* number of callers above which the node shows it */

/* Returns the text next to the module: number of hits, or of callers. (transfer full) (nullable) */
char        *gilk_calls_note     (const GilkCallsPicture *picture, guint node);
/* @code: the font for names; FALSE: the font for the second line */
PangoLayout *gilk_calls_new_text (cairo_t *cr, const GilkPlotStyle *style, gboolean code, gboolean bold);

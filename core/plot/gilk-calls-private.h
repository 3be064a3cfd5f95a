/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-calls-private.h - what the maker of a call graph's picture and its painter share
 */
#pragma once

#include <pango/pangocairo.h>

#include "core/plot/gilk-calls-picture.h"

#define GILK_CALLS_OFTEN 200     /* callers, from which on it is said how many */

/* Beside the module: how often it ran, or how many call it. (transfer full) (nullable) */
char        *gilk_calls_note     (const GilkCallsPicture *picture, guint node);
/* @code: for names; or for what is below */
PangoLayout *gilk_calls_new_text (cairo_t *cr, const GilkPlotStyle *style, gboolean code, gboolean bold);

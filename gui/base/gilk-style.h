/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-style.h - colours for the painters, taken from the current theme
 */
#pragma once

#include <gtk/gtk.h>

#include "core/plot/gilk-plot.h"

G_BEGIN_DECLS

/* Returns TRUE if the theme draws light text on a dark background. */
gboolean gilk_style_is_dark (GtkWidget *widget);

/* Surfaces and text follow the theme, which preserves high contrast; colours of series, heat and
 * states come from the light or dark set of core/plot. */
void     gilk_style_fill    (GtkWidget *widget, GilkPlotStyle *style);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-style.h - the painters' colours, taken from the theme in force
 */
#pragma once

#include <gtk/gtk.h>

#include "core/plot/gilk-plot.h"

G_BEGIN_DECLS

/* TRUE if the theme draws light text on dark. */
gboolean gilk_style_is_dark (GtkWidget *widget);

/* Surfaces and text follow the theme, so that high contrast stays so; series,
 * heat and states come from the light or dark set of core/plot. */
void     gilk_style_fill    (GtkWidget *widget, GilkPlotStyle *style);

G_END_DECLS

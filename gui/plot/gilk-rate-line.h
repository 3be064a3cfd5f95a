/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-rate-line.h - sparkline of a rate during a run
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GILK_TYPE_RATE_LINE (gilk_rate_line_get_type ())
G_DECLARE_FINAL_TYPE (GilkRateLine, gilk_rate_line, GILK, RATE_LINE, GtkDrawingArea)

/* Clears the line at the start of a run. */
void gilk_rate_line_clear (GilkRateLine *self);
/* @seconds: time since the start of the run; a value at or before the last point is ignored */
void gilk_rate_line_add   (GilkRateLine *self, double seconds, double per_second);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-rate-line.h - a small picture of how a rate went during a run
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GILK_TYPE_RATE_LINE (gilk_rate_line_get_type ())
G_DECLARE_FINAL_TYPE (GilkRateLine, gilk_rate_line, GILK, RATE_LINE, GtkDrawingArea)

/* A run begins: nothing is known. */
void gilk_rate_line_clear (GilkRateLine *self);
/* @seconds since the run began, ascending; one that is not behind the last is left out. */
void gilk_rate_line_add   (GilkRateLine *self, double seconds, double per_second);

G_END_DECLS

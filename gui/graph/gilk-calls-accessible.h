/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-calls-accessible.h - functions in the drawing of a call graph as accessible children
 */
#pragma once

#include "gui/base/gilk-canvas-accessible.h"

G_BEGIN_DECLS

#define GILK_TYPE_CALLS_ACCESSIBLE (gilk_calls_accessible_get_type ())
G_DECLARE_FINAL_TYPE (GilkCallsAccessible, gilk_calls_accessible, GILK, CALLS_ACCESSIBLE, GilkCanvasAccessible)

/* Report a new drawing, or a new current node, to screen readers. Other objects are ignored. */
void gilk_calls_accessible_reset  (AtkObject *accessible);
void gilk_calls_accessible_update (AtkObject *accessible, int node);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-cells.h - cell renderers
 */
#pragma once

#include <gtk/gtk.h>

#include "core/splice/gilk-splice.h"

G_BEGIN_DECLS

/*
 * Cell with two lines of text and a bar that shows how much of a function is hookable
 *
 * The part of the bar for points that need a trap has half height. The text shows the numbers.
 */

#define GILK_TYPE_HOOKABLE_CELL (gilk_hookable_cell_get_type ())
G_DECLARE_FINAL_TYPE (GilkHookableCell, gilk_hookable_cell, GILK, HOOKABLE_CELL, GtkCellRendererText)

/* Shows @share as a bar; NULL: shows no bar. */
void gilk_hookable_cell_set (GilkHookableCell *self, const GilkHookShare *share);

/* ---- text cell with a background bar that shows a fraction of a total ---- */

#define GILK_TYPE_SHARE_CELL (gilk_share_cell_get_type ())
G_DECLARE_FINAL_TYPE (GilkShareCell, gilk_share_cell, GILK, SHARE_CELL, GtkCellRendererText)

/* @share: 0 to 1 */
void gilk_share_cell_set (GilkShareCell *self, double share);

G_END_DECLS

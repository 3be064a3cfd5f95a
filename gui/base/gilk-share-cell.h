/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-share-cell.h - text cell with a background bar that shows a share
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GILK_TYPE_SHARE_CELL (gilk_share_cell_get_type ())
G_DECLARE_FINAL_TYPE (GilkShareCell, gilk_share_cell, GILK, SHARE_CELL, GtkCellRendererText)

/* @share: 0 to 1 */
void gilk_share_cell_set (GilkShareCell *self, double share);

G_END_DECLS

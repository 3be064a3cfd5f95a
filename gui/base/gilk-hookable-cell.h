/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hookable-cell.h - cell with two lines of text and a bar that shows how much of a function is
 * hookable
 *
 * Points that only a trap reaches are drawn at half height. The text gives the share as a number.
 */
#pragma once

#include <gtk/gtk.h>

#include "core/splice/gilk-hook-share.h"

G_BEGIN_DECLS

#define GILK_TYPE_HOOKABLE_CELL (gilk_hookable_cell_get_type ())
G_DECLARE_FINAL_TYPE (GilkHookableCell, gilk_hookable_cell, GILK, HOOKABLE_CELL, GtkCellRendererText)

/* @share: (nullable): NULL: no bar */
void gilk_hookable_cell_set (GilkHookableCell *self, const GilkHookShare *share);

G_END_DECLS

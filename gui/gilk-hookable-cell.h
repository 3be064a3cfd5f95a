/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hookable-cell.h - two lines of text, and beside the first a bar of how much of a function can be hooked
 *
 * What is reached by a trap alone is a bar of half the height; the text says the share in figures.
 */
#pragma once

#include <gtk/gtk.h>

#include "core/splice/gilk-share.h"

G_BEGIN_DECLS

#define GILK_TYPE_HOOKABLE_CELL (gilk_hookable_cell_get_type ())
G_DECLARE_FINAL_TYPE (GilkHookableCell, gilk_hookable_cell, GILK, HOOKABLE_CELL, GtkCellRendererText)

/* @share: NULL: no bar */
void gilk_hookable_cell_set (GilkHookableCell *self, const GilkHookShare *share);

G_END_DECLS
